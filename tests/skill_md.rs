//! SKILL.md as people write it, from the folder to the registry and back: the bytes stay, the name is text, the
//! folder is the slug's. The numbers are those of the public bug reports.

use crate::support::{Registry, Sandbox, Skill};

const TEXT: &str =
    "---\nname: notes\ndescription: Keeps notes. Use it to keep one.\n---\n# Notes\n\nKeep it.\n";

/// Bug report 4: a byte-order mark, CRLF and a repaired line are stored and installed as they came.
#[test]
fn what_is_forgiven_stays_in_the_bytes() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    let reader = Sandbox::with(&registry);
    let crlf = TEXT.replace('\n', "\r\n");
    let broken = TEXT.replace("notes. Use", "notes: use");
    for (slug, text) in [("marked", format!("\u{FEFF}{TEXT}")), ("crlf", crlf), ("repaired", broken)] {
        Skill::new(slug).file("SKILL.md", text.as_str()).publish(&author, "1.0.0").success();
        reader.skill(["install", &format!("acme/{slug}")]).success();
        assert_eq!(reader.read(&format!("skills/{slug}/SKILL.md")), text, "{slug}");
    }
    reader.skill(["verify"]).success();
}

/// Bug report 7: another encoding is named, and the way to UTF-8.
#[test]
fn another_encoding_is_named_with_the_way_out() {
    let user = Sandbox::new();
    let wide: Vec<u8> = format!("\u{FEFF}{TEXT}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    Skill::new("wide").file("SKILL.md", wide).write(&user, "wide");
    let out = user.skill(["install", "./wide"]);
    assert!(out.stderr.contains("not UTF-8 (looks like UTF-16LE)"), "{out}");
    assert!(out.stderr.contains("iconv -f UTF-16LE -t UTF-8 SKILL.md"), "{out}");
    assert!(!user.path("skills/wide").exists());
}

/// Bug reports 15 and 22: whatever the name is, the folder is the slug's, and it is one on every system.
#[test]
fn a_display_name_makes_no_folder() {
    let user = Sandbox::new();
    for (folder, name) in
        [("data-analysis", "Data Analysis"), ("ce-brainstorm", "ce:brainstorm"), ("con-man", "con.")]
    {
        let text = TEXT.replace("name: notes", &format!("name: '{name}'"));
        Skill::new(folder).file("SKILL.md", text).write(&user, folder);
        user.skill(["install", &format!("./{folder}")]).success();
        assert!(user.path(&format!("skills/{folder}/SKILL.md")).is_file(), "{name}");
    }
    let mut made: Vec<String> = fs_err::read_dir(user.path("skills"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    made.sort();
    assert_eq!(made, ["ce-brainstorm", "con-man", "data-analysis"]);
}

/// Bug report 24: any letter case is read with a warning and packed as SKILL.md; two of them are an error.
#[test]
fn the_file_in_another_letter_case() {
    let user = Sandbox::new();
    for (folder, spelling) in [("one", "skill.md"), ("two", "Skill.MD")] {
        user.write(&format!("{folder}/{spelling}"), TEXT);
        let out = user.skill(["lint", folder]).success();
        assert!(
            out.stdout.contains(&format!("warning[skill-md-case]: {spelling} is packed as SKILL.md")),
            "{out}"
        );
        user.skill(["install", &format!("./{folder}"), "--as", folder]).success();
        assert_eq!(user.read(&format!("skills/{folder}/SKILL.md")), TEXT);
        assert!(!user.path(&format!("skills/{folder}/{spelling}")).exists());
    }
    user.write("one/SKILL.md", TEXT);
    assert_eq!(user.skill(["lint", "one", "--json"]).code(1).error_code(), "bundle-two-skill-md");
}

/// Bug reports 27 and 28: every spelling of a reference means the same skill.
#[test]
fn every_spelling_of_a_reference_is_one_skill() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "alice");
    Skill::new("weather").publish(&author, "1.0.0").success();
    let page = format!("{}/alice/skills/weather", registry.url().trim_end_matches('/'));
    for spelling in
        ["weather", "alice/weather", "@alice/weather", "alice/weather@1.0.0", "@alice/weather@1.0.0", &page]
    {
        let reader = Sandbox::with(&registry);
        reader.skill(["install", spelling]).success();
        let lock = reader.read("skills.lock");
        assert!(
            lock.contains("owner = \"alice\"") && lock.contains("slug = \"weather\""),
            "{spelling}\n{lock}"
        );
        assert!(reader.path("skills/weather/SKILL.md").is_file(), "{spelling}");
    }
}
