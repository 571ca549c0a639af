use super::{Case, body, described, named, skill};

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn cases() -> Vec<Case> {
    let run = "Run `python3 scripts/ask.py` and wait.";
    let python = "#!/usr/bin/env python3\nimport sys\nprint('x')\nsys.exit(3)\n";
    let quiet = "Quote the output of `scripts/ask.py` word for word.";
    vec![
        Case {
            code: "bundle-no-skill-md",
            speaks: [
                body("x").renamed("README.md"),
                body("x").renamed("skills.md"),
                body("x").renamed("nested/SKILL.md"),
            ],
            silent: [body("x"), body("x").renamed("skill.md"), body("x").renamed("Skill.MD")],
        },
        Case {
            code: "skill-md-case",
            speaks: [
                body("x").renamed("skill.md"),
                body("x").renamed("Skill.md"),
                body("x").renamed("SKILL.MD"),
            ],
            silent: [
                body("x"),
                body("x").plain_file("docs/skill.md", "x"),
                body("x").plain_file("nested/Skill.md", "x"),
            ],
        },
        Case {
            code: "text-long",
            speaks: [
                body(&"plain text\n".repeat(100_000)),
                body("x").file("references/all.md", &"plain text\n".repeat(100_000)),
                body("x").file("scripts/data.py", &"x = 1\n".repeat(200_000)),
            ],
            silent: [
                body("x").file("assets/cities.csv", &"a,b,c,d,e,f\n".repeat(100_000)),
                body("x").file("references/all.md", &"plain text 16 b\n".repeat(1 << 16)),
                body("x").file("scripts/model.bin", &"plain text\n".repeat(100_000)),
            ],
        },
        Case {
            code: "script-not-executable",
            speaks: [
                body("x").plain_file("scripts/ask.sh", "#!/bin/sh\nls\n"),
                body("x").plain_file("ask", "#!/usr/bin/env python3\n"),
                body("x").plain_file("tests/x.sh", "#!/bin/sh"),
            ],
            silent: [
                body("x").file("scripts/ask.sh", "#!/bin/sh\nls\n"),
                body("x").plain_file("lib/ask.py", "import sys\n"),
                body("x").plain_file("notes.md", "\n#!/bin/sh\n"),
            ],
        },
        Case {
            code: "script-output-unquoted",
            speaks: [
                body(run).file("scripts/ask.py", python),
                body("```sh\npython3 scripts/ask.py --city x\n```").file("scripts/ask.py", python),
                body("1. 运行 scripts/ask.sh").file("scripts/ask.sh", "#!/bin/sh\necho x\n"),
            ],
            silent: [
                body(&format!("{run}\n\n{quiet}")).file("scripts/ask.py", python),
                body("The script scripts/ask.py is for people.").file("scripts/ask.py", python),
                body(run).file("scripts/ask.py", "#!/usr/bin/env python3\nopen('x', 'w').write('y')\n"),
            ],
        },
        Case {
            code: "script-exit-codes",
            speaks: [
                body(run).file("scripts/ask.py", python),
                body("Run `scripts/ask.sh` now.").file("scripts/ask.sh", "#!/bin/sh\n[ -f x ] || exit 4\n"),
                body("Run `scripts/ask.sh` now. It exits with 2 where it was called wrongly.")
                    .file("scripts/ask.sh", "#!/bin/sh\nexit 2\nexit 5\n"),
            ],
            silent: [
                body(&format!("{run}\n\n| exit code | meaning |\n|---|---|\n| 3 | no such city |"))
                    .file("scripts/ask.py", python),
                body(run).file("scripts/ask.py", "#!/usr/bin/env python3\nimport sys\nsys.exit(1)\n"),
                body("Nothing runs it.").file("scripts/ask.py", python),
            ],
        },
        Case {
            code: "link-broken",
            speaks: [
                body("See [the notes](references/gone.md)."),
                body("![chart](assets/gone.png)"),
                body("See [a](references/a.md).").plain_file("references/a.md", "[b](b.md)"),
            ],
            silent: [
                body("See [a](references/a.md) and [its folder](references/).")
                    .plain_file("references/a.md", "x"),
                body(
                    "```md\n[in code](gone.md)\n```\n<pre>\n[x](gone.md)\n</pre>\n`[x](gone.md)` [web](https://example.org/gone.md)",
                ),
                body("See [a](references/a.md).")
                    .plain_file("references/a.md", "[b](b.md) [c](references/b.md)")
                    .plain_file("references/b.md", "x"),
            ],
        },
        Case {
            code: "link-case",
            speaks: [
                body("See [a](References/A.md).").plain_file("references/a.md", "x"),
                body("See [a](./references/A.md#part).").plain_file("references/a.md", "# Part"),
                body("[x](assets/re\u{301}sume\u{301}.md)").plain_file("assets/r\u{e9}sum\u{e9}.md", "x"),
            ],
            silent: [
                body("See [a](references/a.md).").plain_file("references/a.md", "x"),
                body("See [a](references/b.md).").plain_file("references/a.md", "x"),
                body("See [a](https://example.org/References/A.md).").plain_file("references/a.md", "x"),
            ],
        },
        Case {
            code: "link-anchor",
            speaks: [
                body("[a](#nowhere)"),
                body("[a](a.md#gone)").plain_file("a.md", "# Here\n"),
                body("# One\n\n[a](#one-two)"),
            ],
            silent: [
                body("# Part One!\n\n[a](#part-one) [b](#part-one-1)"),
                body("[a](a.md#here)").plain_file("a.md", "<a name=\"here\"></a>\n"),
                body("[a](a.py#L10) [b](#top)").plain_file("a.py", "x"),
            ],
        },
        Case {
            code: "link-outside",
            speaks: [
                body("[a](../other/SKILL.md)"),
                body("[a](references/../../x.md)"),
                body("x").plain_file("references/a.md", "[a](../../x.md)"),
            ],
            silent: [
                body("[a](https://example.org/../x.md)"),
                body("x").plain_file("references/a.md", "[a](../notes.md)").plain_file("notes.md", "x"),
                body("`[a](../x.md)`"),
            ],
        },
        Case {
            code: "link-absolute",
            speaks: [
                body("[a](/etc/weather/a.md)"),
                body("[a](~/notes/a.md)"),
                body("x").plain_file("references/a.md", "![chart](C:/charts/a.png)"),
            ],
            silent: [
                body("[a](https://example.org/a.md) [b](//example.org/b.md)"),
                body("[the command](/owner:skill) [a page of the site](/docs/security)"),
                body("`[a](/etc/a.md)` \\[b](~/b.md) [c](/{slug}/c.md)"),
            ],
        },
        Case {
            code: "file-missing",
            speaks: [
                body("Run `scripts/ask.py` and wait."),
                body("```sh\npython3 scripts/ask.py --city x\n```"),
                body("x").plain_file("references/a.md", "See references/cities.md for all of them."),
            ],
            silent: [
                body("Run `scripts/ask.sh`, then `./scripts/ask.sh`. Save it as `assets/chart.png`.")
                    .file("scripts/ask.sh", "#!/bin/sh\n"),
                body(
                    "For example `scripts/rotate.py`. Your project has `scripts/build.py`. Use `scripts/NAME.py`.",
                ),
                body(
                    "```sh\ngit clone https://example.org/x\ncd x\n./scripts/run.sh\n```\n<!-- scripts/old.py -->",
                ),
            ],
        },
        Case {
            code: "path-of-author",
            speaks: [
                body("Log to `/home/ada/notes.md`"),
                body("x").file("scripts/ask.py", "#!/usr/bin/env python3\nopen('C:\\\\Users\\\\Ada\\\\x')\n"),
                body("x").plain_file("references/a.md", "cd /Users/ada/skills"),
            ],
            silent: [
                body(
                    "Log to `~/notes.md`, `/home/USER/notes.md`, `/Users/<you>/x` or `C:\\Users\\%USERNAME%`",
                ),
                body("See https://example.org/home/ada and /home/ubuntu/x"),
                body("x").plain_file("tests/test_ask.py", "open('/home/ada/x')"),
            ],
        },
        Case {
            code: "text-hidden",
            speaks: [
                body("Never de\u{200B}lete it"),
                body("```sh\nrm \u{202E}x\n```"),
                body("x").file("scripts/ask.py", "#!/usr/bin/env python3\nprint('\0')\n"),
            ],
            silent: [
                body("A cook 🧑\u{200D}🍳, a heart ❤\u{FE0F}, a key 1\u{FE0F}\u{20E3}, a\ttab"),
                body("می\u{200C}خواهم \u{200F}(abc)"),
                body("x").file("scripts/ask.py", "#!/usr/bin/env python3\nprint('\\u200b')\n"),
            ],
        },
        Case {
            code: "text-conflict",
            speaks: [
                body("<<<<<<< HEAD\nAsk first\n=======\nNever ask\n>>>>>>> other"),
                body("x").plain_file("references/a.md", "<<<<<<< a\n||||||| b\n=======\n>>>>>>> c\n"),
                body("x").file("scripts/ask.sh", "#!/bin/sh\n<<<<<<< a\nls\n=======\n>>>>>>> c\n"),
            ],
            silent: [
                body("```\n<<<<<<< HEAD\nAsk\n=======\nDo not\n>>>>>>> other\n```"),
                body("Title\n=======\n\n`<<<<<<<` begins a conflict"),
                body("<<<<<<< is how one begins\n\n> quoted"),
            ],
        },
        Case {
            code: "placeholder",
            speaks: [
                described("\"TODO: say what it does when asked\""),
                described("Say what it does, and when an agent should use it."),
                body(
                    "## Steps\n\n1. Call `TOOL` with what the request names\n2. Answer with what it returned, without a further tool call",
                ),
            ],
            silent: [
                described("TODO lists of a project, kept in one file. Use when asked. Not for others."),
                described("Todoist: reads tasks. Use when asked. Not for others."),
                body("1. Call `curl` with what the request names, and say `TODO` where nothing came"),
            ],
        },
        Case {
            code: "portability-angle-brackets",
            speaks: [
                described("Counts files of more than >5M rows when asked, not for folders"),
                described("Reads <name> when asked, not for folders"),
                skill("name: a<b\ndescription: Reads names when asked, not for folders", "x"),
            ],
            silent: [
                described(">\n  Counts files when asked, not for folders"),
                body("Call it as `x <name>`"),
                skill(
                    "name: weather\ndescription: Reads names when asked, not for folders\nlicense: <x>",
                    "x",
                ),
            ],
        },
        Case {
            code: "portability-name-reserved",
            speaks: [
                named("claude-helper").folder("claude-helper"),
                named("my-anthropic-api").folder("my-anthropic-api"),
                named("Claude").folder("claude"),
            ],
            silent: [
                named("cloud-helper").folder("cloud-helper"),
                body("For Claude and other agents of Anthropic"),
                described("Calls the Claude API when asked, not for others"),
            ],
        },
        Case {
            code: "portability-client-path",
            speaks: [
                body("Run `~/.claude/skills/weather/scripts/ask.sh`").file("scripts/ask.sh", "#!/bin/sh\n"),
                body("```sh\n{baseDir}/scripts/ask.sh\n```").file("scripts/ask.sh", "#!/bin/sh\n"),
                body("Read ${CLAUDE_PLUGIN_ROOT}/notes.md").plain_file("notes.md", "x"),
            ],
            silent: [
                body("Run `scripts/ask.sh`").file("scripts/ask.sh", "#!/bin/sh\n"),
                body("Skills lie in `~/.claude/skills/` and `~/.agents/skills/`")
                    .file("scripts/ask.sh", "#!/bin/sh\n"),
                body("Write to `~/.claude/skills/other/new.md`").plain_file("notes.md", "x"),
            ],
        },
        Case {
            code: "portability-backslash",
            speaks: [
                body("Run `scripts\\ask.sh`").file("scripts/ask.sh", "#!/bin/sh\n"),
                body("See [a](references\\a.md)").plain_file("references/a.md", "x"),
                body("```\npython scripts\\ask.py\n```").plain_file("scripts/ask.py", "x"),
            ],
            silent: [
                body("Run `scripts/ask.sh`").file("scripts/ask.sh", "#!/bin/sh\n"),
                body("A `C:\\Windows\\x.ini` or `a\\nb`").plain_file("scripts/ask.py", "x"),
                body("Escape it: \\*not bold\\*").plain_file("references/a.md", "x"),
            ],
        },
    ]
}

#[test]
fn words_inside_of_words_set_nothing_up_and_quote_nothing() {
    let says = |path: &'static str, text: &str, code: &str| {
        let input = body(text).file(path, "#!/usr/bin/env python3\nprint('x')\nraise SystemExit(3)\n");
        input.found().iter().any(|found| found.code == code)
    };
    for path in ["scripts/fetch_latest.py", "scripts/definitions.py", "scripts/rebuild.py"] {
        let text = format!("Run `{path} --city x` to get a quote of the day.");
        assert!(says(path, &text, "script-output-unquoted"), "{path}");
        let text = format!("{text}\n\nExit the app when done.\n\n1. Open\n2. Edit\n3. Save");
        assert!(says(path, &text, "script-exit-codes"), "{path}");
    }
    for path in ["scripts/install_fonts.py", "scripts/setup.py", "setup/fonts.py"] {
        let text = format!("Run `{path} --city x` once.");
        assert!(!says(path, &text, "script-output-unquoted"), "{path}");
    }
}
