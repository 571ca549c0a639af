//! Skills to measure with: the same bytes in every run, text that packs about as well as real text.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// What a skill has besides its `SKILL.md` and its script.
const REFERENCES: usize = 8;
const FILE_BYTES: usize = 3_000;
const WORDS: &[&str] = &[
    "answer",
    "archive",
    "branch",
    "build",
    "change",
    "check",
    "column",
    "commit",
    "compare",
    "count",
    "date",
    "detail",
    "draft",
    "entry",
    "example",
    "field",
    "file",
    "find",
    "folder",
    "format",
    "group",
    "heading",
    "input",
    "issue",
    "label",
    "letter",
    "line",
    "list",
    "merge",
    "message",
    "month",
    "name",
    "note",
    "number",
    "order",
    "page",
    "paragraph",
    "path",
    "place",
    "plan",
    "question",
    "reader",
    "record",
    "report",
    "result",
    "review",
    "row",
    "section",
    "sentence",
    "short",
    "source",
    "step",
    "summary",
    "table",
    "task",
    "title",
    "topic",
    "value",
    "version",
    "week",
    "word",
    "write",
];

/// One skill on disk.
pub(super) struct Skill {
    pub(super) slug: String,
    pub(super) folder: PathBuf,
}

/// All skills, and the folder above them.
pub(super) struct SkillSet {
    pub(super) folder: PathBuf,
    pub(super) skills: Vec<Skill>,
}

impl SkillSet {
    /// Writes `count` skills of ten files and 30 KB below `folder`.
    pub(super) fn write(folder: &Path, count: usize) -> anyhow::Result<Self> {
        let mut words = Words(0x5eed);
        let mut skills = Vec::with_capacity(count);
        for n in 0..count {
            let slug = format!("bench-{n:03}");
            let skill = Skill { folder: folder.join(&slug), slug };
            skill.write(&mut words)?;
            skills.push(skill);
        }
        Ok(Self { folder: folder.to_path_buf(), skills })
    }
}

impl Skill {
    fn write(&self, words: &mut Words) -> anyhow::Result<()> {
        fs_err::create_dir_all(self.folder.join("references"))?;
        fs_err::create_dir_all(self.folder.join("scripts"))?;
        let skill_md = format!(
            "---\nname: {}\ndescription: Notes about {} and {}. Use when somebody asks for them.\n---\n\n{}",
            self.slug,
            words.next(),
            words.next(),
            words.text(FILE_BYTES),
        );
        fs_err::write(self.folder.join("SKILL.md"), skill_md)?;
        for n in 0..REFERENCES {
            let path = self.folder.join(format!("references/part-{n}.md"));
            fs_err::write(path, words.text(FILE_BYTES))?;
        }
        let script = self.folder.join("scripts/render.py");
        fs_err::write(&script, words.script(FILE_BYTES))?;
        fs_err::set_permissions(script, std::fs::Permissions::from_mode(0o755))?;
        Ok(())
    }
}

/// Words without end, always the same (the generator is Knuth's MMIX).
struct Words(u64);

impl Words {
    fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn next(&mut self) -> &'static str {
        WORDS[self.number() as usize % WORDS.len()]
    }

    /// Lines of words and numbers, `bytes` long or a little more.
    fn text(&mut self, bytes: usize) -> String {
        let mut text = String::new();
        while text.len() < bytes {
            for _ in 0..9 {
                text.push_str(self.next());
                text.push(' ');
            }
            let _ = writeln!(text, "{}", self.number());
        }
        text
    }

    fn script(&mut self, bytes: usize) -> String {
        let mut text = String::from("#!/usr/bin/env python3\n");
        while text.len() < bytes {
            let _ = writeln!(text, "print(\"{} {}\", {})", self.next(), self.next(), self.number());
        }
        text
    }
}

/// So many bytes that do not pack, always the same.
pub(super) fn noise(bytes: usize) -> Vec<u8> {
    let mut numbers = Words(0x5eed);
    (0..bytes).map(|_| (numbers.number() >> 7) as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skills_are_the_same_bytes_every_time() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| {
            let set = SkillSet::write(&folder.path().join(name), 2).unwrap();
            set.skills
                .iter()
                .map(|skill| fs_err::read(skill.folder.join("SKILL.md")).unwrap())
                .collect::<Vec<_>>()
        };
        let (one, other) = (read("one"), read("other"));
        assert_eq!(one, other);
        assert_ne!(one[0], one[1]);
    }
}
