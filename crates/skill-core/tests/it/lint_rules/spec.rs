use super::{Case, DESCRIPTION, named, skill, with};

pub(super) fn cases() -> Vec<Case> {
    vec![
        Case {
            code: "key-spelling",
            speaks: [
                skill(&format!("NAME: weather\ndescription: {DESCRIPTION}"), "Text"),
                skill(&format!("name: weather\nDescription: {DESCRIPTION}"), "Text"),
                with("allowed_tools: Read").strict(),
            ],
            silent: [
                with("allowed-tools: Read\nlicense: MIT"),
                with("metadata:\n  Name: x\n  License: y"),
                with("licence: MIT"),
            ],
        },
        Case {
            code: "portability-client-key",
            speaks: [with("model: haiku"), with("argument-hint: '[city]'"), with("hooks: {}")],
            silent: [with("models: [a]"), with("metadata:\n  model: haiku"), with("model: haiku").strict()],
        },
        Case {
            code: "name-charset",
            speaks: [
                named("Weather Report").folder("weather-report"),
                named("ce:brainstorm").folder("ce-brainstorm"),
                named("a--b").folder("a-b"),
            ],
            silent: [named("weather"), named("天气").folder("天气"), named("größe-2").folder("größe-2")],
        },
        Case {
            code: "frontmatter-name-differs",
            speaks: [named("forecast"), named("weather-2"), named("forecast").folder("My Folder").strict()],
            silent: [
                named("weather"),
                named("Weather"),
                // A folder that can be no name, such as that of a version, says nothing.
                named("forecast").folder("4.0.0"),
            ],
        },
        Case {
            code: "spec-key",
            speaks: [
                with("when_not_to_use: climate").strict(),
                with("version: 1.0.0").strict(),
                with("user-invocable: true").strict(),
            ],
            silent: [
                with("when_not_to_use: climate"),
                with("license: MIT\ncompatibility: x\nallowed-tools: Read\nmetadata:\n  version: '1'")
                    .strict(),
                // Named already as a key that nothing reads.
                with("descriptoin: x").strict(),
            ],
        },
        Case {
            code: "spec-type",
            speaks: [
                with("allowed-tools: [Read, Write]").strict(),
                with("compatibility: ''").strict(),
                with("license:\n  name: MIT").strict(),
            ],
            silent: [
                with("allowed-tools: Read Write").strict(),
                with("allowed-tools: [Read, Write]"),
                skill(&format!("name: weather\ndescription: {DESCRIPTION}\nmetadata:\n  a: {{b: [c]}}"), "x")
                    .strict(),
            ],
        },
    ]
}
