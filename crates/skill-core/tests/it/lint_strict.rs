//! `--strict` against the rules of the reference validator of the Agent Skills specification, written down here a second
//! time from their description: the six keys, the lengths, the grammar of names, the folder.

use std::fmt::Write as _;

use proptest::prelude::*;
use skill_core::diagnostic::Level;
use skill_core::lint::{LintFile, LintInput, lint};

/// A frontmatter, as the reference validator sees it.
#[derive(Debug, Clone)]
struct Fields {
    name: Option<String>,
    description: Option<String>,
    compatibility: Option<String>,
    extra: Option<&'static str>,
}

/// Codes that stand for what the specification itself says; the others are advice, which strictness counts as well.
const OF_THE_SPEC: [&str; 8] = [
    "frontmatter-name-missing",
    "frontmatter-description-missing",
    "frontmatter-long",
    "frontmatter-unknown-key",
    "frontmatter-name-differs",
    "name-charset",
    "spec-key",
    "spec-type",
];

/// The rules: required and not blank, 64, 1024 and 500 code points, lower case, letters, digits and single hyphens inside,
/// the folder's name, no other key than six.
fn is_valid(fields: &Fields, folder: &str) -> bool {
    let name_fits = fields.name.as_ref().is_some_and(|name| {
        let letters = name.chars().all(|c| c == '-' || c.is_alphanumeric());
        let hyphens = !name.starts_with('-') && !name.ends_with('-') && !name.contains("--");
        let length = (1..=64).contains(&name.chars().count());
        letters && hyphens && length && *name == name.to_lowercase() && name == folder
    });
    let described = fields
        .description
        .as_ref()
        .is_some_and(|text| !text.trim().is_empty() && text.chars().count() <= 1024);
    let compatible =
        fields.compatibility.as_ref().is_none_or(|text| (1..=500).contains(&text.chars().count()));
    let known = ["license", "metadata", "allowed-tools"];
    name_fits && described && compatible && fields.extra.is_none_or(|key| known.contains(&key))
}

fn written(fields: &Fields) -> String {
    let mut text = String::from("---\n");
    let pairs = [
        ("name", &fields.name),
        ("description", &fields.description),
        ("compatibility", &fields.compatibility),
    ];
    for (key, value) in pairs {
        if let Some(value) = value {
            let _ = writeln!(text, "{key}: {}", serde_json::Value::from(value.as_str()));
        }
    }
    if let Some(key) = fields.extra {
        let _ =
            if key == "metadata" { writeln!(text, "metadata:\n  a: b") } else { writeln!(text, "{key}: x") };
    }
    text + "---\n# Title\n"
}

/// The codes of the specification that strict linting gives.
fn said(fields: &Fields, folder: &str) -> Vec<&'static str> {
    let text = written(fields);
    let files = [LintFile { path: "SKILL.md", executable: false, content: text.as_bytes() }];
    let found = lint(&LintInput { folder: Some(folder), files: &files, strict: true });
    let errors = found.iter().filter(|found| found.severity == Level::Error).map(|found| found.code);
    errors.filter(|code| OF_THE_SPEC.contains(code)).collect()
}

fn fields() -> impl Strategy<Value = Fields> {
    let name = prop_oneof![
        4 => "[a-z]{1,5}(-[a-z0-9]{1,4}){0,2}",
        1 => "[A-Za-z0-9_ .:-]{1,8}",
        1 => "[a-z]{60,68}",
        1 => "[天气名称]{1,4}",
    ];
    let described =
        prop_oneof![4 => "[a-zA-Z天气 ,]{1,40}", 1 => "x{1020,1028}", 1 => "天{1023,1026}", 1 => " {0,3}"];
    let compatible = prop_oneof![3 => "[a-z ]{1,20}[a-z]", 1 => "y{498,502}", 1 => Just(String::new())];
    let extra =
        prop::sample::select(vec!["license", "metadata", "allowed-tools", "version", "when_to_use", "tags"]);
    (
        proptest::option::weighted(0.9, name),
        proptest::option::weighted(0.9, described),
        proptest::option::weighted(0.4, compatible),
        proptest::option::weighted(0.4, extra),
    )
        .prop_map(|(name, description, compatibility, extra)| Fields {
            name,
            description,
            compatibility,
            extra,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn strict_agrees_with_the_reference_validator(fields in fields(), other in prop::bool::weighted(0.2)) {
        let own = fields.name.clone().unwrap_or_else(|| "weather".to_owned());
        let folder = if other { "weather".to_owned() } else { own };
        let said = said(&fields, &folder);
        prop_assert_eq!(said.is_empty(), is_valid(&fields, &folder), "{:?} in {}: {:?}", fields, folder, said);
    }
}

#[test]
fn lengths_are_counted_in_code_points() {
    let of = |description: String| Fields {
        name: Some("weather".to_owned()),
        description: Some(description),
        compatibility: None,
        extra: None,
    };
    assert_eq!(said(&of("天".repeat(1024)), "weather"), [""; 0]);
    assert_eq!(said(&of("天".repeat(1025)), "weather"), ["frontmatter-long"]);
}
