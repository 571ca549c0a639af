use fs_err as fs;
use insta::assert_snapshot;

use crate::sandbox::{SKILL_MD, Sandbox};

#[test]
fn init_writes_what_lint_likes_and_never_writes_over_anything() {
    let sandbox = Sandbox::new();
    assert_snapshot!(sandbox.run("init my-notes"), @r"
    -- stdout
    written  my-notes/SKILL.md
    -- stderr
    hint: fill in my-notes/SKILL.md, then run `skill lint my-notes`
    hint: run `skill publish my-notes` to publish it
    -- exit 0
    ");
    assert_snapshot!(sandbox.run("lint my-notes"), @r"
    -- stdout
    SKILL.md:3:1: note[placeholder]: the description is a placeholder
      3 | description: Say what it does, and when an agent should use it.
        | ^^^^^^^^^^^
    SKILL.md:8:1: note[placeholder]: 6 placeholders of `skill init` are left
      8 | What the agent has to know before it begins.
        | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

    1 file: no errors, no warnings, 2 notes
    -- exit 0
    ");
    assert_snapshot!(sandbox.run("init my-notes"), @r"
    -- stderr
    error[file-exists]: my-notes/SKILL.md is there already
      because: nothing was changed
    -- exit 1
    ");
}

#[test]
fn publish_refuses_what_has_no_frontmatter_and_shows_the_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("notes/SKILL.md", "# Notes\n\nKeeps short notes in one file.\n");
    assert_snapshot!(sandbox.run("publish ./notes"), @r"
    -- stderr
    error[frontmatter-missing]: notes/SKILL.md has no frontmatter
      because: a published skill needs a name and a description
      because: nothing was sent
    hint: put these lines at the top of notes/SKILL.md
          ---
          name: notes
          description: Keeps short notes in one file.
          ---
    -- exit 1
    ");
}

#[test]
fn publish_refuses_a_fence_between_the_fields_until_lint_took_it_out() {
    let sandbox = Sandbox::new();
    let text =
        "---\nname: notes\n---\ndescription: Keeps notes. Use for notes, not for tasks.\n---\n# Notes\n";
    sandbox.write("notes/SKILL.md", text);
    assert_snapshot!(sandbox.run("publish ./notes"), @r"
    -- stderr
    error[frontmatter-fence]: notes/SKILL.md:3: a fence between the fields
      because: other readers end the frontmatter there and see another skill
      because: nothing was sent
    hint: run `skill lint --fix ./notes`, which takes it out
    -- exit 1
    ");
    sandbox.run("lint --fix notes");
    let fixed = fs_err::read_to_string(sandbox.path("notes/SKILL.md")).unwrap();
    assert_eq!(fixed, text.replacen("notes\n---\n", "notes\n", 1));
}

#[test]
fn a_dry_run_lists_what_goes_in_and_what_stays_out() {
    let sandbox = Sandbox::new();
    sandbox.write("SKILL.md", SKILL_MD);
    sandbox.write("data/labels.json", "{}");
    sandbox.write("docs/intro.md", "# Intro\n");
    sandbox.write("notes/todo.md", "later");
    sandbox.write(".env", "TOKEN=x");
    sandbox.write(".git/HEAD", "ref: x");
    sandbox.write(".skillignore", "# ours\n\nnotes/\n");
    sandbox.write("node_modules/x/index.js", "");
    std::os::unix::fs::symlink("docs/intro.md", sandbox.path("README.md")).unwrap();
    sandbox.write("scripts/pr.sh", "#!/bin/sh\n");
    fs::set_permissions(sandbox.path("scripts/pr.sh"), std::os::unix::fs::PermissionsExt::from_mode(0o755))
        .unwrap();
    assert_snapshot!(sandbox.run("publish . --dry-run"), @r"
    -- stdout
    would publish notes

    in     5 files, 101 B
           README.md             8 B
           SKILL.md             73 B
           data/labels.json      2 B
           docs/intro.md         8 B
           scripts/pr.sh     x  10 B

    out    5 entries
           .env           secret file, always
           .git/          version control, always
           .skillignore   dot name, unless .skillignore takes it in
           node_modules/  dependencies, always
           notes/         .skillignore line 3: `notes/`

    links  1 packed as what it points to
           README.md -> docs/intro.md

    scan   clean, by the rules of this program
    -- stderr
    dry run: nothing was sent
    -- exit 0
    ");
    assert_snapshot!(sandbox.run("publish . --dry-run --json"), @r#"
    -- stdout
    {"files":[{"path":"README.md","size":8,"executable":false},{"path":"SKILL.md","size":73,"executable":false},{"path":"data/labels.json","size":2,"executable":false},{"path":"docs/intro.md","size":8,"executable":false},{"path":"scripts/pr.sh","size":10,"executable":true}],"excluded":[{"path":".env","reason":"secret file, always"},{"path":".git/","reason":"version control, always"},{"path":".skillignore","reason":"dot name, unless .skillignore takes it in"},{"path":"node_modules/","reason":"dependencies, always"},{"path":"notes/","reason":".skillignore line 3: `notes/`"}],"links":[{"path":"README.md","target":"docs/intro.md"}],"dryRun":true,"owner":null,"slug":"notes","version":null,"treeDigest":"sha256:2bf8921fea5dba508dc5a13728b38504c83c72317b4e31ca2fc39e2dfede513e","archiveSha256":null,"verdict":"clean","status":"would-publish","wouldBe":null,"tags":null,"waiting":null,"url":null,"findings":[],"sameRules":null}
    -- exit 0
    "#);
}

#[test]
fn packing_gives_the_same_bytes_twice() {
    let sandbox = Sandbox::new();
    sandbox.write("notes/SKILL.md", SKILL_MD);
    assert_snapshot!(sandbox.run("pack notes"), @r"
    -- stdout
    packed  notes.skill   181 B   sha256:0131ba778feb
    -- stderr
    1 file, 73 B; slug notes from the name in SKILL.md
    -- exit 0
    ");
    let first = fs::read(sandbox.path("notes.skill")).unwrap();
    sandbox.run("pack notes -o again.skill");
    assert_eq!(fs::read(sandbox.path("again.skill")).unwrap(), first);
    assert_snapshot!(sandbox.run("pack notes.skill --dry-run"), @r"
    -- stdout
    would write notes.skill

    in     1 file, 73 B
           SKILL.md    73 B
    -- stderr
    dry run: nothing was written
    -- exit 0
    ");
}

const QUOTED: &str = "---\nname: notes\ndescription: 天气: what to wear\ndescriptoin: weather\n---\n# N\n";

#[test]
fn lint_shows_the_place_and_fixes_it() {
    let sandbox = Sandbox::new();
    sandbox.write("notes/SKILL.md", QUOTED);
    assert_snapshot!(sandbox.run("lint notes"), @r#"
    -- stdout
    SKILL.md:3:1: warning[description-short]: the description has 4 words; say what
      the skill does and when to use it
      3 | description: 天气: what to wear
        | ^^^^^^^^^^^
    SKILL.md:3:1: warning[description-when]: the description does not say when to
      use the skill
      3 | description: 天气: what to wear
        | ^^^^^^^^^^^
    SKILL.md:3:1: warning[when-not-missing]: nothing says when not to use the skill:
      no when_not_to_use, no such heading
      3 | description: 天气: what to wear
        | ^^^^^^^^^^^
    SKILL.md:3:16: warning[frontmatter-quoted]: a colon inside plain text
      3 | description: 天气: what to wear
        |                  ^ text with `: ` in it needs quotes
      fix: description: "天气: what to wear"
    SKILL.md:4:1: warning[frontmatter-unknown-key]: descriptoin is not a known key
      4 | descriptoin: weather
        | ^^^^^^^^^^^
      fix: description

    1 file: no errors, 5 warnings
    -- stderr
    hint: run `skill lint --fix notes` to apply 1 fix
    -- exit 0
    "#);
}

#[test]
fn strictness_makes_errors_and_fixes_are_applied() {
    let sandbox = Sandbox::new();
    sandbox.write("notes/SKILL.md", QUOTED);
    assert_snapshot!(sandbox.run("lint notes --strict"), @r#"
    -- stdout
    SKILL.md:3:1: error[description-short]: the description has 4 words; say what
      the skill does and when to use it
      3 | description: 天气: what to wear
        | ^^^^^^^^^^^
    SKILL.md:3:1: error[description-when]: the description does not say when to use
      the skill
      3 | description: 天气: what to wear
        | ^^^^^^^^^^^
    SKILL.md:3:1: error[when-not-missing]: nothing says when not to use the skill:
      no when_not_to_use, no such heading
      3 | description: 天气: what to wear
        | ^^^^^^^^^^^
    SKILL.md:3:16: error[frontmatter-quoted]: a colon inside plain text
      3 | description: 天气: what to wear
        |                  ^ text with `: ` in it needs quotes
      fix: description: "天气: what to wear"
    SKILL.md:4:1: error[frontmatter-unknown-key]: descriptoin is not a known key
      4 | descriptoin: weather
        | ^^^^^^^^^^^
      fix: description

    1 file: 5 errors, no warnings
    -- stderr
    error[lint-failed]: notes has 5 errors
    hint: run `skill lint --fix --strict notes` to apply 1 fix
    -- exit 1
    "#);
    assert_snapshot!(sandbox.run("lint notes --fix"), @r#"
    -- stdout
    SKILL.md
      - 3 | description: 天气: what to wear
      + 3 | description: "天气: what to wear"

    SKILL.md:3:1: warning[description-short]: the description has 4 words; say what
      the skill does and when to use it
      3 | description: "天气: what to wear"
        | ^^^^^^^^^^^
    SKILL.md:3:1: warning[description-when]: the description does not say when to
      use the skill
      3 | description: "天气: what to wear"
        | ^^^^^^^^^^^
    SKILL.md:3:1: warning[when-not-missing]: nothing says when not to use the skill:
      no when_not_to_use, no such heading
      3 | description: "天气: what to wear"
        | ^^^^^^^^^^^
    SKILL.md:4:1: warning[frontmatter-unknown-key]: descriptoin is not a known key
      4 | descriptoin: weather
        | ^^^^^^^^^^^
      fix: description

    1 file: no errors, 4 warnings
    -- stderr
    note: 1 fix applied
    -- exit 0
    "#);
}

#[test]
fn what_is_no_skill() {
    let sandbox = Sandbox::new();
    sandbox.write("empty/readme.txt", "x");
    assert_snapshot!(sandbox.run("pack nowhere"), @r"
    -- stderr
    error[path-not-found]: there is nothing at nowhere
    -- exit 3
    ");
    assert_snapshot!(sandbox.run("pack empty"), @r"
    -- stderr
    error[bundle-no-skill-md]: there is no SKILL.md in empty
    hint: add `--path PATH` if it lies deeper
    -- exit 1
    ");
    for path in ["many/a/SKILL.md", "many/b/SKILL.md"] {
        sandbox.write(path, "---\nname: a\ndescription: d\n---\n");
    }
    assert_snapshot!(sandbox.run("lint many"), @r"
    -- stderr
    error[source-several]: many holds 2 skills
         a
         b
    hint: name one of them: `many/a`
    -- exit 3
    ");
    sandbox.write("天气/SKILL.md", "---\nname: 天气\ndescription: d\n---\n");
    assert_snapshot!(sandbox.run("pack 天气"), @r"
    -- stderr
    error[slug-underivable]: no slug follows from `天气`
      because: a slug is a-z, 0-9 and single hyphens between them
    hint: add `--slug NAME`
    -- exit 1
    ");
}

#[test]
fn what_is_not_built_is_refused_and_said() {
    let sandbox = Sandbox::new();
    sandbox.write("notes/SKILL.md", SKILL_MD);
    let shown = sandbox.run("publish notes --sign");
    assert!(shown.starts_with("-- stderr\nerror[not-built]: "), "{shown}");
    assert!(shown.ends_with("-- exit 1\n"), "{shown}");
}
