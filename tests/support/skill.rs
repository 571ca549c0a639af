//! Skills to publish, made in a line.

use std::os::unix::fs::PermissionsExt as _;

use super::{Output, Sandbox};

/// A skill folder in the making.
pub(crate) struct Skill {
    slug: String,
    files: Vec<(String, Vec<u8>, bool)>,
}

impl Skill {
    /// A small, clean skill called `slug`.
    pub(crate) fn new(slug: &str) -> Self {
        let text = format!(
            "---\nname: {slug}\ndescription: Helps with {slug}. Use it when {slug} comes up.\n---\n\n# {slug}\n\n\
             Read the question, then answer it.\n"
        );
        Self { slug: slug.to_owned(), files: vec![("SKILL.md".to_owned(), text.into_bytes(), false)] }
    }

    /// Adds or replaces a plain file.
    pub(crate) fn file(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.files.retain(|(other, ..)| other != path);
        self.files.push((path.to_owned(), content.into(), false));
        self
    }

    /// Adds an executable file.
    pub(crate) fn script(self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        let mut skill = self.file(path, content);
        skill.files.last_mut().unwrap().2 = true;
        skill
    }

    /// Writes the folder at `path` below the work directory of `sandbox`, replacing what is there.
    pub(crate) fn write(&self, sandbox: &Sandbox, path: &str) {
        let folder = sandbox.path(path);
        let _ = fs_err::remove_dir_all(&folder);
        for (name, content, executable) in &self.files {
            sandbox.write(&format!("{path}/{name}"), content);
            let mode = if *executable { 0o755 } else { 0o644 };
            let file = folder.join(name);
            fs_err::set_permissions(file, std::fs::Permissions::from_mode(mode)).unwrap();
        }
    }

    /// Publishes it as `version` from a folder outside of the work directory's skills.
    pub(crate) fn publish(&self, sandbox: &Sandbox, version: &str) -> Output {
        let folder = format!("source/{}", self.slug);
        self.write(sandbox, &folder);
        let out = sandbox.skill(["publish", &folder, "--slug", &self.slug, "--version", version]);
        fs_err::remove_dir_all(sandbox.path("source")).unwrap();
        out
    }
}
