//! `skill lint` from outside: text, JSON, strictness, fixes, SARIF.

use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;
use serde_json::Value;

use crate::support::Sandbox;

mod inside;
mod sarif;
mod stopped;

/// A skill with a finding of every family that is made easily.
const SKILL_MD: &str = "\
---
name: Weather
description: Tells the weather: a city, three days. I can say what to wear when asked.
descriptoin: x
metadata:
  input_parameters:
    city:
      type: string
  openclaw:
    requires:
      bins: [ffmpeg]
---
# Weather

See [the notes](References/Notes.md#places) and [more](gone.md).

## Steps

1. Search for the forecast
2. Run `scripts/ask.sh` with the city
3. Read the answer, then write it down

- Try not to overwrite files of the user.

```sh
curl -H \"Bearer $WEATHER_API_KEY\" https://weather.example | jq .
```
";

fn sandbox() -> Sandbox {
    let user = Sandbox::new();
    user.write("weather/SKILL.md", SKILL_MD);
    user.write("weather/references/notes.md", "# Notes\n\n## Towns\n");
    user.write("weather/scripts/ask.sh", "#!/bin/sh\necho rain\nexit 3\n");
    user
}

#[test]
fn every_finding_with_its_place_and_its_fix() {
    let user = sandbox();
    let before = user.disk();
    assert_snapshot!(user.skill(["lint", "weather"]), @r#"
    -- stdout
    SKILL.md:2:1: warning[name-charset]: `Weather` is read as a display name; a name has lower-case letters, digits and single hyphens
      2 | name: Weather
        | ^^^^
      fix: name: weather
    SKILL.md:3:1: warning[when-not-missing]: nothing says when not to use the skill: no when_not_to_use, no such heading
      3 | description: Tells the weather: a city, three days. I can say what to wear when asked.
        | ^^^^^^^^^^^
    SKILL.md:3:31: warning[frontmatter-quoted]: a colon inside plain text
      3 | description: Tells the weather: a city, three days. I can say what to wear when asked.
        |                               ^ text with `: ` in it needs quotes
      fix: description: "Tells the weather: a city, three days. I can say what to wear when asked."
    SKILL.md:3:53: warning[description-person]: `i can` is the first person; the description becomes part of the agent's instructions
      3 | description: Tells the weather: a city, three days. I can say what to wear when asked.
        |                                                     ^^^^^
    SKILL.md:4:1: warning[frontmatter-unknown-key]: descriptoin is not a known key
      4 | descriptoin: x
        | ^^^^^^^^^^^
      fix: description
    SKILL.md:7:5: warning[parameter-example]: city has neither a default nor an example
      7 |     city:
        |     ^^^^
    SKILL.md:11:7: note[requires-unused]: ffmpeg is required and nothing in the skill names it
      11 |       bins: [ffmpeg]
         |       ^^^^
    SKILL.md:15:17: warning[link-case]: there is no References/Notes.md; the file is spelled references/notes.md
      15 | See [the notes](References/Notes.md#places) and [more](gone.md).
         |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^
      fix: references/notes.md#places
    SKILL.md:15:56: warning[link-broken]: there is no gone.md in the skill
      15 | See [the notes](References/Notes.md#places) and [more](gone.md).
         |                                                        ^^^^^^^
    SKILL.md:20:9: warning[script-output-unquoted]: nothing says that the output of scripts/ask.sh is data, to be quoted as it is
      20 | 2. Run `scripts/ask.sh` with the city
         |         ^^^^^^^^^^^^^^
    SKILL.md:20:9: warning[script-exit-codes]: scripts/ask.sh can end with 3; nothing says what to do then
      20 | 2. Run `scripts/ask.sh` with the city
         |         ^^^^^^^^^^^^^^
    SKILL.md:21:4: warning[step-several-actions]: step 3 holds 2 actions; make each one a step
      21 | 3. Read the answer, then write it down
         |    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    SKILL.md:23:3: warning[advice-not-prohibition]: `try not to` leaves the choice to the agent where overwrite is at stake
      23 | - Try not to overwrite files of the user.
         |   ^^^^^^^^^^
      fix: Never
    SKILL.md:26:1: warning[requires-bins-undeclared]: curl and jq are called and not declared
      26 | curl -H "Bearer $WEATHER_API_KEY" https://weather.example | jq .
         | ^^^^
      fix: metadata:
             openclaw:
               requires:
                 bins: [curl, jq]
    SKILL.md:26:18: warning[requires-env-undeclared]: WEATHER_API_KEY is read and not declared
      26 | curl -H "Bearer $WEATHER_API_KEY" https://weather.example | jq .
         |                  ^^^^^^^^^^^^^^^
      fix: metadata:
             openclaw:
               requires:
                 env: [WEATHER_API_KEY]
    scripts/ask.sh:1:1: warning[script-not-executable]: begins with #! and lacks the executable bit
      1 | #!/bin/sh
        | ^^
      fix: chmod +x scripts/ask.sh

    3 files: no errors, 15 warnings, 1 note
    -- stderr
    hint: run `skill lint --fix weather` to apply 3 fixes
    -- exit 0
    "#);
    assert_eq!(user.disk(), before);
}

#[test]
fn on_a_terminal_the_caret_stays_below_what_it_means() {
    let user = Sandbox::new();
    let long = "Tells the weather of a city for three days, in words that people understand, with advice about clothes, when asked; I can also say when a train leaves, not for climate";
    user.write("weather/SKILL.md", format!("---\nname: weather\ndescription: {long}\n---\nText\n"));
    assert_snapshot!(user.on_terminal(60, &["lint", "weather"]), @r#"
    -- stdout
    SKILL.md:3:130: warning[description-person]: `i can` is the
      first person; the description becomes part of the agent's
      instructions
      3 | …es, when asked; I can also say when a train leaves, …
        |                  ^^^^^

    1 file: no errors, 1 warning
    -- exit 0
    "#);
}

#[test]
fn strictness_counts_warnings_as_errors_and_follows_the_specification() {
    let user = Sandbox::new();
    user.write(
        "weather/SKILL.md",
        "---\nname: weather\ndescription: Tells the weather of a city when asked, not for climate.\nversion: 1.0.0\nallowed-tools: [Read]\n---\nText\n",
    );
    assert_snapshot!(user.skill(["lint", "weather"]), @r#"
    -- stdout
    1 file: no errors, no warnings
    -- exit 0
    "#);
    assert_snapshot!(user.skill(["lint", "weather", "--strict"]), @r#"
    -- stdout
    SKILL.md:4:1: error[spec-key]: version is no key of the Agent Skills spec; put it under metadata
      4 | version: 1.0.0
        | ^^^^^^^
    SKILL.md:5:1: error[spec-type]: allowed-tools should be a text
      5 | allowed-tools: [Read]
        | ^^^^^^^^^^^^^

    1 file: 2 errors, no warnings
    -- stderr
    error[lint-failed]: weather has 2 errors
    -- exit 1
    "#);
}

#[test]
fn the_document_has_the_same() {
    let user = sandbox();
    let out = user.skill(["lint", "weather", "--strict", "--json"]).code(1);
    let document = out.json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["errors"], document["findings"].as_array().unwrap().len() - 1);
    assert_eq!(document["notes"], 1);
    assert_eq!(out.stderr, "");
    let of = |code: &str| {
        document["findings"].as_array().unwrap().iter().find(|found| found["code"] == code).unwrap()
    };
    assert_snapshot!(serde_json::to_string_pretty(of("link-case")).unwrap(), @r#"
    {
      "code": "link-case",
      "severity": "error",
      "file": "SKILL.md",
      "line": 15,
      "column": 17,
      "endColumn": 43,
      "message": "there is no References/Notes.md; the file is spelled references/notes.md",
      "fix": "references/notes.md#places",
      "excerpt": "See [the notes](References/Notes.md#places) and [more](gone.md).",
      "fixable": true
    }
    "#);
    let clean = Sandbox::new();
    clean.write(
        "notes/SKILL.md",
        "---\nname: notes\ndescription: Keeps notes in one file. Use when asked. Not for others.\n---\nText\n",
    );
    assert_snapshot!(clean.skill(["lint", "notes", "--json"]), @r#"
    -- stdout
    {"ok":true,"files":1,"errors":0,"warnings":0,"notes":0,"fixed":0,"dryRun":false,"changes":[],"findings":[]}
    -- exit 0
    "#);
}

#[test]
fn fixes_are_shown_before_and_made_once() {
    let user = sandbox();
    let before = user.disk();
    let dry = user.skill(["lint", "weather", "--fix", "--dry-run", "--quiet"]).success();
    assert_eq!(user.disk(), before);
    let (changes, _) = dry.stdout.split_once("\n\nSKILL.md:").unwrap();
    assert_snapshot!(changes, @r#"
    SKILL.md
      - 3 | description: Tells the weather: a city, three days. I can say what to wear when asked.
      + 3 | description: "Tells the weather: a city, three days. I can say what to wear when asked."
      - 15 | See [the notes](References/Notes.md#places) and [more](gone.md).
      + 15 | See [the notes](references/notes.md#places) and [more](gone.md).
    scripts/ask.sh
      ~ made executable
    "#);
    let fixed = user.skill(["lint", "weather", "--fix"]).success();
    assert!(fixed.stdout.starts_with(changes), "{fixed}");
    assert_eq!(fixed.stderr, "note: 3 fixes applied\n");
    let after = user.read("weather/SKILL.md");
    assert_eq!(after.lines().count(), SKILL_MD.lines().count());
    let other = SKILL_MD.lines().zip(after.lines()).filter(|(old, new)| old != new).count();
    assert_eq!(other, 2, "{after}");
    assert_eq!(mode(&user, "weather/scripts/ask.sh"), 0o755);
    let disk = user.disk();
    let again = user.skill(["lint", "weather", "--fix", "--json"]).success().json();
    assert_eq!((&again["fixed"], &again["changes"]), (&0.into(), &Value::Array(Vec::new())));
    assert_eq!(user.disk(), disk);
}

fn mode(user: &Sandbox, path: &str) -> u32 {
    fs_err::metadata(user.path(path)).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_fix_keeps_every_other_byte_and_the_mode() {
    let user = Sandbox::new();
    let text = b"\xef\xbb\xbf---\r\nname: weather\r\ndescription: Tells it: when asked, not for climate\r\n---\r\nTab\there \xe5\xa4\xa9  \r\n\r\nno end";
    user.write("weather/SKILL.md", text);
    let path = user.path("weather/SKILL.md");
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    user.skill(["lint", "weather", "--fix"]).success();
    assert_eq!(
        fs_err::read(&path).unwrap(),
        b"---\r\nname: weather\r\ndescription: \"Tells it: when asked, not for climate\"\r\n---\r\nTab\there \xe5\xa4\xa9  \r\n\r\nno end"
    );
    assert_eq!(mode(&user, "weather/SKILL.md"), 0o640);
    let left: Vec<_> =
        fs_err::read_dir(user.path("weather")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["SKILL.md"]);
}

#[test]
fn skill_md_in_another_letter_case_is_fixed_where_it_lies() {
    let user = Sandbox::new();
    user.write(
        "weather/skill.md",
        "\u{feff}---\nname: weather\ndescription: Tells it when asked, not for climate\n---\nText\n",
    );
    assert_snapshot!(user.skill(["lint", "weather", "--fix"]), @r#"
    -- stdout
    SKILL.md
      - 1 | \u{feff}---
      + 1 | ---

    SKILL.md:1:1: warning[skill-md-case]: skill.md is packed as SKILL.md; some systems find only that spelling
      fix: SKILL.md

    1 file: no errors, 1 warning
    -- stderr
    note: 1 fix applied
    -- exit 0
    "#);
    assert_eq!(user.read("weather/skill.md").lines().next(), Some("---"));
    let log = user.skill(["lint", "weather", "--sarif"]).success().json();
    let artifact = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(artifact["uri"], "weather/skill.md");
}

#[test]
fn what_cannot_be_fixed_here_is_said() {
    let user = sandbox();
    user.skill(["pack", "weather", "-o", "weather.skill"]).success();
    assert_snapshot!(user.skill(["lint", "weather.skill", "--fix"]), @r#"
    -- stderr
    error[usage]: `--fix` changes the files of a folder; weather.skill is an archive
    -- exit 2
    "#);
    // What a link points to is not written through it.
    let linked = Sandbox::new();
    linked.write(
        "weather/SKILL.md",
        "---\nname: weather\ndescription: Tells the weather when asked, not for climate\n---\nText\n",
    );
    linked.write("weather/.real", "#!/bin/sh\nls\n");
    std::os::unix::fs::symlink(".real", linked.path("weather/ask.sh")).unwrap();
    assert_snapshot!(linked.skill(["lint", "weather", "--fix"]), @r#"
    -- stdout
    ask.sh:1:1: warning[script-not-executable]: begins with #! and lacks the executable bit
      1 | #!/bin/sh
        | ^^
      fix: chmod +x ask.sh

    2 files: no errors, 1 warning
    -- stderr
    note: ask.sh is a link; what it points to was not changed
    -- exit 0
    "#);
    assert_eq!(mode(&linked, "weather/.real"), 0o644);
}

#[test]
fn nothing_is_written_where_nobody_may() {
    let user = sandbox();
    let folder = user.path("weather");
    // Another user sees the folder and may not write into it.
    fs_err::set_permissions(user.work().parent().unwrap(), std::fs::Permissions::from_mode(0o755)).unwrap();
    let before = user.disk();
    let mut command = std::process::Command::new("setpriv");
    command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", env!("CARGO_BIN_EXE_skill")]);
    command
        .args(["lint", "--fix", "."])
        .current_dir(&folder)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LANG", "C.UTF-8");
    let out = user.run(&mut command);
    assert_eq!((out.code, user.disk()), (1, before));
    assert!(out.stderr.starts_with("error[disk-denied]: "), "{out}");
}

#[test]
fn what_init_writes_has_nothing_but_placeholders() {
    let user = Sandbox::new();
    for name in ["notes", "a", "2026-11"] {
        user.skill(["init", name]).success();
        for strict in [&[][..], &["--strict"]] {
            let out = user.skill(["lint", name, "--json"].iter().chain(strict)).success().json();
            let codes = out["findings"].as_array().unwrap().iter().map(|found| found["code"].as_str());
            assert_eq!(codes.collect::<Vec<_>>(), [Some("placeholder"); 2]);
            assert_eq!((&out["errors"], &out["warnings"], &out["notes"]), (&0.into(), &0.into(), &2.into()));
        }
    }
}

#[test]
fn a_code_is_explained() {
    let user = Sandbox::new();
    assert_snapshot!(user.skill(["lint", "--explain", "link-broken"]), @r#"
    -- stdout
    warning[link-broken]: a relative link leads to no file of the skill

    why     The agent looks for the file, finds nothing and goes on without what stands in it.
    fix     Correct the path, or add the file. A path starts from the page that the link stands on.
    source  Agent Skills specification, file references
    -- exit 0
    "#);
    assert_snapshot!(user.skill(["lint", "--explain", "link-brokn"]), @r#"
    -- stderr
    error[usage]: no finding of lint has the code `link-brokn`
    hint: run `skill lint --explain link-broken`
    -- exit 2
    "#);
}

#[test]
fn a_command_to_copy_has_the_path_as_it_was_given() {
    let user = Sandbox::new();
    user.write(
        "my weather/SKILL.md",
        "---\nname: my-weather\ndescription: Tells it: when asked, not for climate\n---\nText\n",
    );
    for given in ["my weather", "./my weather/", "../work/my weather"] {
        let out = user.skill(["lint", given]).success();
        assert!(out.stderr.contains(&format!("run `skill lint --fix '{given}'` to apply 1 fix")), "{out}");
    }
}

#[test]
fn a_dry_run_reports_the_files_as_they_are() {
    let user = sandbox();
    let findings = |document: &Value| document["findings"].clone();
    let now = user.skill(["lint", "weather", "--json"]).success().json();
    let dry = user.skill(["lint", "weather", "--fix", "--dry-run", "--json"]).success().json();
    assert_eq!(findings(&dry), findings(&now));
    assert_eq!((&dry["warnings"], &dry["fixed"]), (&now["warnings"], &3.into()));
    // What would be an error stays one until it is fixed.
    user.skill(["lint", "weather", "--strict"]).code(1);
    user.skill(["lint", "weather", "--strict", "--fix", "--dry-run"]).code(1);
}

#[test]
fn a_file_with_a_second_name_is_left_alone() {
    let user = sandbox();
    let (path, second) = (user.work().join("weather/SKILL.md"), user.work().join("second"));
    std::fs::hard_link(&path, &second).unwrap();
    let out = user.skill(["lint", "weather", "--fix"]).success();
    assert!(
        out.stderr.contains("SKILL.md has another name on this disk (a hard link) and was not changed"),
        "{out}"
    );
    assert_eq!(fs_err::read_to_string(path).unwrap(), SKILL_MD);
}

#[test]
fn more_fixes_than_a_page_of_findings_are_all_made() {
    let user = Sandbox::new();
    let links = "[a](References/A.md)\n".repeat(180);
    user.write(
        "we/SKILL.md",
        format!("---\nname: we\ndescription: Tells the weather when asked, not for climate\n---\n{links}"),
    );
    user.write("we/references/a.md", "# A\n");
    let out = user.skill(["lint", "we"]).success();
    assert!(out.stdout.contains("; 130 more like it are not shown"), "{out}");
    user.skill(["lint", "we", "--fix"]).success();
    let again = user.skill(["lint", "we", "--fix", "--json"]).success().json();
    assert_eq!((&again["fixed"], &again["warnings"]), (&0.into(), &0.into()));
}

#[test]
fn a_skill_md_is_no_folder() {
    let user = sandbox();
    assert_snapshot!(user.skill(["lint", "weather/SKILL.md"]), @r#"
    -- stderr
    error[usage]: weather/SKILL.md is one file of a skill; a folder or an archive was expected
    hint: give its folder: weather
    -- exit 2
    "#);
}
