//! Scripts of the bundle.

use crate::diagnostic::{Diagnostic, SCRIPT_MODE};

use super::Skill;

pub(super) fn check(skill: &Skill<'_>, found: &mut Vec<Diagnostic>) {
    for file in skill.input.files {
        let is_script = file.content.starts_with(b"#!") && !file.path.eq_ignore_ascii_case("SKILL.md");
        if is_script && !file.executable {
            let message = "begins with #! and lacks the executable bit";
            let end = file
                .content
                .iter()
                .position(|&byte| matches!(byte, b'\n' | b'\r'))
                .unwrap_or(file.content.len());
            let first = String::from_utf8_lossy(&file.content[..end.min(200)]);
            found.push(
                Diagnostic::new(&SCRIPT_MODE, message)
                    .at(1, 1, 3, first)
                    .in_file(file.path)
                    .fix(format!("chmod +x {}", file.path)),
            );
        }
    }
}
