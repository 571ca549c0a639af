//! What other clients refuse or do not understand although it is legal.

use std::collections::HashMap;

use crate::diagnostic::{Diagnostic, rules};

use super::{Family, Findings, Skill, at_line};
use crate::page::{Kind, code_spans};

pub(super) const FAMILY: Family = Family { title: "Portability", rules: RULES, check };

rules! {
    pub(super) static RULES;

    ANGLE_BRACKETS Warning "portability-angle-brackets"
        "name or description holds < or >, which some clients refuse"
        why "Both go into the agent's instructions, and some clients refuse what could be a tag there."
        fix "Write `more than`, `less than`, or the placeholder in capitals."
        source "upload rules of Anthropic's clients";
    NAME_RESERVED Note "portability-name-reserved"
        "the name holds a word that some clients keep for themselves"
        why "Uploading a skill whose name holds `anthropic` or `claude` is refused there."
        fix "Choose a name without it if the skill is to be uploaded there."
        source "upload rules of Anthropic's clients";
    CLIENT_PATH Note "portability-client-path"
        "a file of the skill is named by a path that one client has"
        why "Other clients put skills into other folders, or do not know the variable."
        fix "Name the file relative to the skill's folder: `scripts/run.sh`."
        source "Agent Skills specification, file references";
    BACKSLASH Warning "portability-backslash"
        "a file of the skill is named with backslashes"
        why "Only Windows reads them as a path."
        fix "`skill lint --fix` writes slashes."
        source "Agent Skills specification, file references";
}

const RESERVED: [&str; 2] = ["anthropic", "claude"];
/// Where clients keep skills, and what they put in for the skill's folder.
const ROOTS: [&str; 8] = [
    ".claude/skills/",
    ".codex/skills/",
    ".openclaw/skills/",
    ".clawdbot/skills/",
    ".cursor/skills/",
    ".agents/skills/",
    "/mnt/skills/",
    ".gemini/skills/",
];
const VARIABLES: [&str; 4] =
    ["{baseDir}/", "${CLAUDE_PLUGIN_ROOT}/", "${CLAUDE_SKILL_DIR}/", "$CLAUDE_PLUGIN_ROOT/"];

/// A longer word is no path, in bytes.
const NAMED: usize = 512;

fn check(skill: &Skill<'_>, found: &mut Findings) {
    angle_brackets(skill, found);
    let name = skill.manifest.name.to_lowercase();
    if let Some((word, pair)) =
        RESERVED.iter().find(|word| name.contains(**word)).zip(skill.frontmatter.top("name"))
    {
        let message = format!("the name holds `{word}`; some clients refuse such a skill at upload");
        found.push(skill.at_key(Diagnostic::new(&NAME_RESERVED, message), Some(pair)));
    }
    client_path(skill, found);
    backslashes(skill, found);
}

fn angle_brackets(skill: &Skill<'_>, found: &mut Findings) {
    let fields = [("name", &skill.manifest.name), ("description", &skill.manifest.description)];
    for (key, text) in fields {
        let Some(pair) = skill.frontmatter.top(key).filter(|_| text.contains(['<', '>'])) else { continue };
        let message = format!("{key} holds `<` or `>`; some clients refuse such a skill at upload");
        let bracket = |line: &str| line.find(['<', '>']).map(|at| at..at + 1);
        found.push(skill.in_value(Diagnostic::new(&ANGLE_BRACKETS, message), pair, bracket));
    }
}

/// One finding, at the first file of the skill that is named so.
fn client_path(skill: &Skill<'_>, found: &mut Findings) {
    let own = |rest: &str| {
        skill.input.files.iter().any(|file| file.path != "SKILL.md" && rest.starts_with(file.path))
    };
    for line in skill.page.lines.iter().filter(|line| line.kind != Kind::Comment) {
        let variable = VARIABLES.iter().find_map(|root| {
            let at = line.text.find(root)?;
            own(&line.text[at + root.len()..]).then(|| at..at + root.len() - 1)
        });
        let folder = ROOTS.iter().find_map(|root| {
            let at = line.text.find(root)?;
            let (_, inside) = line.text[at + root.len()..].split_once('/')?;
            own(inside).then(|| at..at + root.len() - 1)
        });
        let says = if variable.is_some() {
            "is filled in by some clients only"
        } else {
            "is the folder of some clients only"
        };
        if let Some(range) = variable.or(folder) {
            let message = format!(
                "`{}` {says}; name the file relative to the skill's folder",
                &line.text[range.clone()]
            );
            found.push(at_line(Diagnostic::new(&CLIENT_PATH, message), line, range));
            return;
        }
    }
}

/// Code spans and links that name a file of the bundle with backslashes.
fn backslashes(skill: &Skill<'_>, found: &mut Findings) {
    let files = skill.input.files.iter().filter(|file| file.path.contains('/'));
    let written: HashMap<String, &str> =
        files.map(|file| (file.path.replace('/', "\\"), file.path)).collect();
    for line in skill.page.lines.iter().filter(|line| line.text.contains('\\') && line.kind != Kind::Comment)
    {
        let mut spans = None;
        for (at, name) in named(line.text) {
            let Some(path) = written.get(name) else { continue };
            let spans = spans.get_or_insert_with(|| code_spans(line.text));
            let is_code = line.kind == Kind::Code || spans.iter().any(|span| span.contains(&at));
            let is_link = line.text[..at].ends_with("](");
            if !is_code && !is_link {
                continue;
            }
            let range = at..at + name.len();
            let message = format!("{name} is a path on Windows alone");
            let mut said = at_line(Diagnostic::new(&BACKSLASH, message), line, range.clone()).fix(*path);
            said.edit = skill.edit(line, range, path);
            found.push(said);
        }
    }
}

/// What could be a path with backslashes in it, and where it begins: the words of a line, without punctuation at the
/// end, and what stands behind each backslash of them.
fn named(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let ends = |c: char| c.is_whitespace() || "`\"'()[]<>|,;:=*".contains(c);
    let starts = std::iter::once(0).chain(line.match_indices(ends).map(|(at, mark)| at + mark.len()));
    let words = starts.filter_map(move |start| {
        let word = line[start..].split(ends).next()?.trim_end_matches(['.', '!', '?']);
        (word.len() <= NAMED && word.contains('\\')).then_some((start, word))
    });
    words.flat_map(|(start, word)| {
        let tails = word.match_indices('\\').map(move |(at, _)| (start + at + 1, &word[at + 1..]));
        std::iter::once((start, word)).chain(tails)
    })
}
