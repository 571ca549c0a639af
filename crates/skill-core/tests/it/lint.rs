//! Findings of `skill lint`: every rule once where it speaks and once where it does not.

use skill_core::diagnostic::{Level, apply_edits};
use skill_core::lint::{LintFile, LintInput, lint};

const GOOD: &str = "---
name: weather
description: Tells the weather of a city for the next three days. Use when somebody asks what to wear.
metadata:
  when_not_to_use: Climate questions.
---
# Weather

Read [the notes](references/notes.md), then run `scripts/ask.sh`.
";

const SCRIPT: (&str, bool, &str) = ("scripts/ask.sh", true, "#!/bin/sh\n");

type Files<'a> = &'a [(&'a str, bool, &'a str)];

fn found(folder: &str, strict: bool, files: Files<'_>) -> String {
    let files: Vec<LintFile<'_>> = files
        .iter()
        .map(|(path, executable, text)| LintFile { path, executable: *executable, content: text.as_bytes() })
        .collect();
    let found = lint(&LintInput { folder: Some(folder), files: &files, strict });
    let lines = found.iter().map(|found| {
        let level = if found.severity == Level::Error { "error" } else { "warning" };
        let fix = found.fix.as_ref().map_or(String::new(), |fix| format!(" -> {fix}"));
        format!(
            "{}:{}:{}: {level}[{}]: {}{fix}",
            found.file, found.line, found.column, found.code, found.message
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn of(skill_md: &str) -> String {
    found("weather", false, &[("SKILL.md", false, skill_md), SCRIPT])
}

#[test]
fn a_good_skill_has_no_findings() {
    let files = [
        ("SKILL.md", false, GOOD),
        ("references/notes.md", false, "Notes"),
        ("scripts/ask.sh", true, "#!/bin/sh\n"),
    ];
    assert_eq!(found("weather", false, &files), "");
    assert_eq!(found("weather", true, &files), "");
}

#[test]
fn the_mock_up_of_the_style_guide() {
    let text = "---\nname: weather\nlicense: MIT\ndescription: 天气: what to wear when it is cold today\nwhen_not_to_use: x\nversion: 1\ndescriptoin: weather and clothes\n---\nText\n";
    insta::assert_snapshot!(of(text), @r#"
    SKILL.md:4:16: warning[frontmatter-quoted]: a colon inside plain text -> description: "天气: what to wear when it is cold today"
    SKILL.md:7:1: warning[frontmatter-unknown-key]: descriptoin is not a known key -> description
    "#);
    let strict = found("weather", true, &[("SKILL.md", false, text)]);
    insta::assert_snapshot!(strict, @r#"
    SKILL.md:4:16: error[frontmatter-quoted]: a colon inside plain text -> description: "天气: what to wear when it is cold today"
    SKILL.md:5:1: error[spec-key]: when_not_to_use is no key of the Agent Skills spec; put it under metadata
    SKILL.md:6:1: error[spec-key]: version is no key of the Agent Skills spec; put it under metadata
    SKILL.md:7:1: error[frontmatter-unknown-key]: descriptoin is not a known key -> description
    "#);
}

#[test]
fn names() {
    let named = |name: &str| {
        GOOD.replace("name: weather", &format!("name: {name}")).replace("(references/notes.md)", "(#weather)")
    };
    insta::assert_snapshot!(of(&named("Weather")), @"SKILL.md:2:1: warning[name-charset]: `Weather` is read as a display name; a name has lower-case letters, digits and single hyphens -> name: weather");
    insta::assert_snapshot!(of(&named("ce:brainstorm")), @r"
    SKILL.md:2:1: warning[name-charset]: `ce:brainstorm` is read as a display name; a name has lower-case letters, digits and single hyphens -> name: ce-brainstorm
    SKILL.md:2:1: warning[frontmatter-name-differs]: the name is ce:brainstorm, the folder is weather -> name: weather
    ");
    insta::assert_snapshot!(of(&named("forecast")), @"SKILL.md:2:1: warning[frontmatter-name-differs]: the name is forecast, the folder is weather -> name: weather");
    insta::assert_snapshot!(of(&named("'../../evil'")), @r"
    SKILL.md:2:1: warning[name-charset]: `../../evil` is read as a display name; a name has lower-case letters, digits and single hyphens -> name: evil
    SKILL.md:2:1: warning[frontmatter-name-differs]: the name is ../../evil, the folder is weather -> name: weather
    ");
    insta::assert_snapshot!(of(&named(&"a".repeat(65))), @r"
    SKILL.md:2:1: warning[frontmatter-long]: name is 65/64 characters long
    SKILL.md:2:1: warning[frontmatter-name-differs]: the name is aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, the folder is weather -> name: weather
    ");
}

#[test]
fn descriptions() {
    let described = |text: &str| of(&format!("---\nname: weather\ndescription: {text}\n---\nText\n"));
    insta::assert_snapshot!(described("Weather"), @r"
    SKILL.md:3:1: warning[description-short]: the description has 1 word; say what the skill does and when to use it
    SKILL.md:3:1: warning[description-when]: the description does not say when to use the skill
    SKILL.md:3:1: warning[when-not-missing]: nothing says when not to use the skill: no when_not_to_use, no such heading
    ");
    insta::assert_snapshot!(described("Helps with various weather stuff when asked, not for climate"), @"SKILL.md:3:1: warning[description-vague]: `helps with` fits any skill; name the task, the input and the result");
    insta::assert_snapshot!(described("查询天气并给出穿衣建议。用户问出门穿什么时使用，不适用于气候研究。"), @"");
    insta::assert_snapshot!(described("Counts files larger than >5M rows <x> when asked for, not for folders"), @"SKILL.md:3:39: warning[portability-angle-brackets]: description holds `<` or `>`; some clients refuse such a skill at upload");
    insta::assert_snapshot!(described(">\n  Counts files larger than\n  5M rows <x> when asked for, not for folders"), @"SKILL.md:5:11: warning[portability-angle-brackets]: description holds `<` or `>`; some clients refuse such a skill at upload");
}

#[test]
fn when_not_may_be_a_heading() {
    let text = "---\nname: weather\ndescription: Tells the weather when somebody asks for it\n---\n## When not to use\n\nx\n";
    assert_eq!(of(text), "");
    assert_eq!(of(&text.replace("When not to use", "不适用的情况")), "");
}

#[test]
fn bodies() {
    let head = GOOD.split_once("# Weather").unwrap().0;
    insta::assert_snapshot!(of(head), @"SKILL.md:1:1: warning[body-empty]: there are no instructions after the frontmatter");
    insta::assert_snapshot!(of(&format!("{head}{}", "line\n".repeat(501))), @"SKILL.md:507:1: warning[body-long]: the instructions have 501 lines, more than 500; move parts into files that they name");
    assert_eq!(of(&format!("{head}{}", "line\n".repeat(500))), "");
}

#[test]
fn links() {
    let text = format!(
        "{GOOD}\n- [gone](references/gone.md#part) [up](../other/SKILL.md) [Case](References/Notes.md)\n\n```md\n[in code](x/y.md)\n```\n"
    );
    insta::assert_snapshot!(found("weather", false, &[("SKILL.md", false, &text), ("references/notes.md", false, ""), SCRIPT]), @r"
    SKILL.md:11:10: warning[link-broken]: there is no references/gone.md in the skill
    SKILL.md:11:40: warning[link-outside]: ../other/SKILL.md leads out of the skill's folder
    SKILL.md:11:66: warning[link-case]: there is no References/Notes.md; the file is spelled references/notes.md -> references/notes.md
    ");
}

#[test]
fn scripts() {
    let files = [
        ("SKILL.md", false, GOOD),
        ("references/notes.md", false, ""),
        ("scripts/ask.sh", false, "#!/bin/sh\nls\n"),
    ];
    insta::assert_snapshot!(found("weather", false, &files), @"scripts/ask.sh:1:1: warning[script-not-executable]: begins with #! and lacks the executable bit -> chmod +x scripts/ask.sh");
}

#[test]
fn required_skills() {
    let text = GOOD.replace(
        "metadata:\n",
        "metadata:\n  requires:\n    skills:\n      Acme/Geo: ^1\n      acme/geo: one\n      geo: ^1.2\n",
    );
    insta::assert_snapshot!(of(&text.replace("(references/notes.md)", "(#weather)")), @r"
    SKILL.md:7:7: error[requires-skill-name]: `Acme/Geo` is no skill: owner/slug or slug
    SKILL.md:8:7: error[requires-skill-version]: acme/geo: `one` does not read as a requirement: what is accepted here is a number, `^`, `~`, `=`, a range like `>=1.2 <2`, or `*`
    ");
}

#[test]
fn files_that_cannot_be_read() {
    insta::assert_snapshot!(found("weather", false, &[("README.md", false, "")]), @"SKILL.md:1:1: error[bundle-no-skill-md]: there is no SKILL.md in this folder");
    insta::assert_snapshot!(of("<<<<<<< ours\n"), @"SKILL.md:1:1: error[frontmatter-unreadable]: git conflict marker `<<<<<<<` in the frontmatter, line 1 -> end the merge: keep one side, and take all lines with markers out");
    insta::assert_snapshot!(found("weather", false, &[("skill.md", false, &GOOD.replace("(references/notes.md)", "(#weather)")), SCRIPT]), @"SKILL.md:1:1: warning[skill-md-case]: skill.md is packed as SKILL.md; some systems find only that spelling -> SKILL.md");
}

#[test]
fn the_specification_to_the_letter() {
    let text = "---\nname: weather\ndescription: Tells the weather when asked\nwhen_not_to_use: x\nallowed-tools: [Read]\ncompatibility: ''\nmetadata:\n  openclaw: {emoji: x}\n---\nText\n";
    insta::assert_snapshot!(found("weather", true, &[("SKILL.md", false, text)]), @r"
    SKILL.md:4:1: error[spec-key]: when_not_to_use is no key of the Agent Skills spec; put it under metadata
    SKILL.md:5:1: error[spec-type]: allowed-tools should be a text
    SKILL.md:6:1: error[spec-type]: compatibility should be a text of 1 to 500 characters
    ");
    assert_eq!(of(text), "");
}

#[test]
fn fixes_can_be_made() {
    let text = "\u{FEFF}\n---\nname:weather\ndesciption: Tells it: when asked, not for climate\n---\nText\n";
    let files = [LintFile { path: "SKILL.md", executable: false, content: text.as_bytes() }];
    let found = lint(&LintInput { folder: None, files: &files, strict: false });
    let edits = found.iter().filter_map(|found| found.edit.as_ref());
    let (fixed, count) = apply_edits(text.as_bytes(), edits);
    insta::assert_snapshot!(format!("{count}\n{}", str::from_utf8(&fixed).unwrap()), @r#"
    4
    ---
    name: weather
    desciption: "Tells it: when asked, not for climate"
    ---
    Text
    "#);
}
