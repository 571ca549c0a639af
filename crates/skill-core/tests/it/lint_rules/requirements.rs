use super::{Case, DESCRIPTION, Input, body, skill};

fn requiring(lines: &str, text: &str) -> Input {
    let head = format!("name: weather\ndescription: {DESCRIPTION}\nmetadata:\n  openclaw:\n    requires:\n");
    let lines: Vec<&str> = lines.lines().collect();
    skill(&format!("{head}      {}", lines.join("\n      ")), text)
}

fn sh(code: &str) -> String {
    format!("```sh\n{code}\n```")
}

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            code: "requires-skill-name",
            speaks: [
                requiring("skills:\n  Acme/Geo: ^1", "x"),
                requiring("skills:\n  a b: ^1", "x"),
                requiring("skills:\n  acme/geo/x: ^1", "x"),
            ],
            silent: [
                requiring("skills:\n  acme/geo: ^1", "x"),
                requiring("skills:\n  geo: ^1", "x"),
                requiring("skills: []", "x"),
            ],
        },
        Case {
            code: "requires-skill-version",
            speaks: [
                requiring("skills:\n  acme/geo: one", "x"),
                requiring("skills:\n  acme/geo: ^x", "x"),
                requiring("skills:\n  acme/geo: 1 || 2", "x"),
            ],
            silent: [
                requiring("skills:\n  acme/geo: ^1.2", "x"),
                requiring("skills:\n  acme/geo: \">=1 <2\"", "x"),
                requiring("skills:\n  acme/geo: \"*\"", "x"),
            ],
        },
        Case {
            code: "requires-unused",
            speaks: [
                requiring("bins: [ffmpeg]", "Text"),
                requiring("env: [WEATHER_KEY]", "Text"),
                requiring("bins: [python3]", "Text").plain_file("x.sh", "ls"),
            ],
            silent: [
                requiring("bins: [ffmpeg]", &sh("ffmpeg -i x")),
                requiring("env: [WEATHER_KEY]", "Text").plain_file("x.py", "os.environ['WEATHER_KEY']"),
                requiring("bins: [python3]", "Text").plain_file("scripts/x.py", "print(1)"),
            ],
        },
        Case {
            code: "requires-bins-undeclared",
            speaks: [
                body(&sh("curl -s x | jq .")),
                body("x").file("scripts/x.sh", "#!/bin/sh\nfor f in *; do ffmpeg -i \"$f\"; done\n"),
                requiring("bins: [git]", &sh("git log\ngh pr list")),
            ],
            silent: [
                requiring("bins: [curl, jq]", &sh("curl -s x | jq . | sort | head -n 1")),
                skill(
                    &format!(
                        "name: weather\ndescription: {DESCRIPTION}\ncompatibility: Needs git and Python 3\nallowed-tools: Bash(gh:*)"
                    ),
                    &sh("git log; python3 x.py; gh pr list"),
                ),
                body(&sh(
                    "brew install gh\npip install requests\nmy_function() { ls; }\nmy_function\n./scripts/x.sh; $TOOL; echo 'jq .'",
                )),
            ],
        },
        Case {
            code: "requires-env-undeclared",
            speaks: [
                body(&sh("curl -H \"Bearer $WEATHER_API_KEY\" x")),
                body("x").file(
                    "scripts/x.py",
                    "#!/usr/bin/env python3\nimport os\nkey = os.environ[\"WEATHER_HOST\"]\n",
                ),
                body("x").plain_file("scripts/x.mjs", "const key = process.env.WEATHER_HOST;\n"),
            ],
            silent: [
                requiring("env: [WEATHER_API_KEY]", &sh("curl -H \"Bearer $WEATHER_API_KEY\" x")),
                body(&sh("gh pr view $PR_NUMBER --repo $OWNER\nMY_TOKEN=$(cat f)\necho $MY_TOKEN")),
                body("x")
                    .file(
                        "scripts/x.py",
                        "#!/usr/bin/env python3\nos.getenv('WEATHER_HOST', 'x')\nos.environ['HOME']\n",
                    )
                    .file("scripts/y.sh", "#!/bin/sh\nA_KEY=1\necho \"$A_KEY ${B_KEY:-}\" $PATH\n"),
            ],
        },
    ]
}
