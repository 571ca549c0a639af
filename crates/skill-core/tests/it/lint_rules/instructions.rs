use super::{Case, body, skill, steps, with};

const SECTION: &str = "input_parameters";

#[expect(clippy::too_many_lines, reason = "a table")]
pub(super) fn cases() -> Vec<Case> {
    let head = "name: weather\ndescription: Tells the weather when asked, not for climate";
    vec![
        Case {
            code: "body-empty",
            speaks: [skill(head, ""), skill(head, " \n\t\n"), skill("name: weather", "\n\n")],
            silent: [skill(head, "x"), skill(head, "<!-- x -->"), skill(head, "```\n```")],
        },
        Case {
            code: "body-long",
            speaks: [
                body(&"line\n".repeat(501)),
                body(&format!("x{}y", "\n".repeat(600))),
                body(&format!("```sh\n{}```\n", "ls\n".repeat(500))),
            ],
            silent: [
                body(&"line\n".repeat(499)),
                body(&"long line ".repeat(501)),
                body("See [more](more.md)").plain_file("more.md", &"line\n".repeat(900)),
            ],
        },
        Case {
            code: "body-tokens",
            speaks: [
                body(&"word ".repeat(4100)),
                body(&"天".repeat(5100)),
                body(&format!("{}\n", "a".repeat(60)).repeat(400)),
            ],
            silent: [
                body(&"word ".repeat(3900)),
                body(&"天".repeat(4900)),
                body("See [more](more.md)").plain_file("more.md", &"word ".repeat(9000)),
            ],
        },
        Case {
            code: "step-tool-missing",
            speaks: [
                steps("1. Search for recent news\n2. Write the answer"),
                steps("1. Ask for the city\n2. **Fetch the forecast** of three days\n3. Write it down"),
                body("## 步骤\n\n1. 搜索最近的新闻\n2. 写出摘要"),
            ],
            silent: [
                steps("1. Search with `web_search` for recent news\n2. Write the answer"),
                steps(
                    "1. Fetch the forecast with the weather tool\n2. Run it:\n\n   ```sh\n   ./x\n   ```\n",
                ),
                body("## Facts\n\n1. Search engines differ\n2. Fetch is a verb"),
            ],
        },
        Case {
            code: "step-several-actions",
            speaks: [
                steps("1. Read the file, then write the summary\n2. Stop"),
                steps("1. Ask for the city. Fetch the forecast with `weather`. Write it down.\n2. Stop"),
                steps("1. **Collect** - Run the tests and collect the results\n2. Stop"),
            ],
            silent: [
                steps("1. Read the file that was written by `write the file`\n2. Stop"),
                steps(
                    "1. Run `x` on every file (build it first and test it). If it fails, ask for the file.\n2. Stop",
                ),
                body("## Commands\n\n1. Read the file, then write the summary\n2. Stop"),
            ],
        },
        Case {
            code: "advice-not-prohibition",
            speaks: [
                body("- Try not to delete files of the user."),
                body("You should avoid printing passwords to the log."),
                body("- 尽量不要覆盖用户的文件"),
            ],
            silent: [
                body("- Never delete files of the user."),
                body("Try not to use more than three colours. Deleting is another matter."),
                body("Write `try not to delete` into the log."),
            ],
        },
        Case {
            code: "parameter-example",
            speaks: [
                with(&format!("{SECTION}:\n  city:\n    type: string\n    description: A city")),
                with(&format!("{SECTION}:\n  city: A city")),
                with(&format!(
                    "{SECTION}:\n  type: object\n  properties:\n    city:\n      type: string\n  required: [city]"
                )),
            ],
            silent: [
                with(&format!(
                    "{SECTION}:\n  city:\n    type: string\n    example: Hangzhou\n  days:\n    default: 3"
                )),
                with(&format!("{SECTION}:\n  unit:\n    enum: [C, F]\n  brief:\n    type: boolean")),
                with("output_parameters:\n  text:\n    type: string"),
            ],
        },
    ]
}
