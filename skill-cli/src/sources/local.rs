use skill_bundle::Bundle;
use skill_core::frontmatter::Frontmatter;
use skill_core::lock::LockedSource;
use skill_core::name::Slug;

use crate::code::Code;
use crate::failure::Failure;
use crate::install::Desk;
use crate::report::Message;
use crate::text::number;

/// A skill that comes from elsewhere than a registry, with its files at hand.
#[derive(Debug)]
pub(crate) struct Local {
    /// What the lock keeps.
    pub source: LockedSource,
    /// The source as text shows it.
    pub shown: String,
    /// The files.
    pub bundle: Bundle,
    /// What stayed out and why.
    pub excluded: Vec<(String, String)>,
    /// Links that were packed as what they point to.
    pub links: Vec<(String, String)>,
    /// The name of the folder, archive or repository, from which a slug may follow.
    pub base_name: String,
}

impl Local {
    /// Files with nothing left out and nothing to say.
    pub(super) const fn plain(source: LockedSource, shown: String, bundle: Bundle) -> Self {
        Self { source, shown, bundle, excluded: Vec::new(), links: Vec::new(), base_name: String::new() }
    }

    /// The source as a command takes it: a folder by a path that no one takes for a skill of a registry.
    pub(crate) fn reference(&self) -> String {
        let text = self.shown.trim_matches('`');
        let is_path = matches!(text, "." | "..")
            || ["./", "../", "/", "~/"].iter().any(|start| text.starts_with(start));
        match &self.source {
            LockedSource::Path { .. } if !is_path => format!("./{text}"),
            _ => text.to_owned(),
        }
    }

    /// What it is called: the name in SKILL.md if it is a slug, else the source's own name as one.
    ///
    /// # Errors
    /// `slug-underivable`.
    pub(crate) fn slug(&self) -> Result<Slug, Failure> {
        let named = Frontmatter::read(self.bundle.skill_md()).ok();
        let named = named.and_then(|frontmatter| frontmatter.fields.get("name")?.as_str()?.parse().ok());
        named.or_else(|| Slug::slugify(&self.base_name)).ok_or_else(|| {
            Failure::new(Code::SlugUnderivable, format!("no name follows from {}", self.shown))
                .because("a name is a-z, 0-9 and single hyphens between them")
                .nothing_changed()
                .hint("add `--as NAME`")
        })
    }

    /// What was left out, followed, or is not what it looks like, as one warning each.
    pub(crate) fn tell(&self, desk: &Desk<'_>) {
        const SHOWN: usize = 3;
        let all = desk.context.screen.is_verbose();
        let warn = |code: Code, head: String, lines: &[String]| {
            if lines.is_empty() {
                return;
            }
            let shown = if all { lines.len() } else { SHOWN };
            let mut message = Message::warning(code, head);
            for line in lines.iter().take(shown) {
                message = message.line(line.clone());
            }
            if let Some(more) = lines.len().checked_sub(shown).filter(|more| *more > 0) {
                message = message.line(format!("and {more} more (--verbose shows all)"));
            }
            desk.context.screen.tell(&message);
        };
        let joined = |pairs: &[(String, String)], join: &str| -> Vec<String> {
            pairs.iter().map(|(left, right)| format!("{left}{join}{right}")).collect()
        };
        let count = number::counted(self.excluded.len(), "entry", "entries");
        let head = format!("{count} of {} left out", self.shown);
        warn(Code::FileSkipped, head, &joined(&self.excluded, "  "));
        let count = number::counted(self.links.len(), "link", "links");
        let head = format!("{count} of {} packed as what they point to", self.shown);
        warn(Code::LinkFollowed, head, &joined(&self.links, " -> "));
        let pointers = pointers(&self.bundle);
        let count = number::counted(pointers.len(), "file", "files");
        let what = if pointers.len() == 1 { "is a pointer" } else { "are pointers" };
        let head = format!("{count} of {} {what} of git-lfs, not the content", self.shown);
        warn(Code::LfsPointer, head, &pointers);
    }
}

/// The files that are pointers of git-lfs (its specification, "The Pointer"): small, with a fixed first line.
fn pointers(bundle: &Bundle) -> Vec<String> {
    const FIRST: &[u8] = b"version https://git-lfs.github.com/spec/v1\n";
    let is_pointer = |content: &[u8]| content.len() < 1024 && content.starts_with(FIRST);
    let found = bundle.files().filter(|(_, file)| is_pointer(file.content()));
    found.map(|(path, _)| path.as_str().to_owned()).collect()
}
