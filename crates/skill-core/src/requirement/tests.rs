use proptest::prelude::*;

use super::*;

fn requirement(text: &str) -> Requirement {
    text.parse().unwrap()
}

fn version(text: &str) -> Version {
    text.parse().unwrap()
}

/// Versions that every row of the table is asked about.
const WORLD: [&str; 16] = [
    "0.0.3",
    "0.3.0",
    "0.3.9",
    "1.2.3",
    "1.2.4-beta.1",
    "1.2.4",
    "1.2.9",
    "1.3.0",
    "1.9.9",
    "2.0.0-rc.1",
    "2.0.0",
    "3.0.0",
    "3.4.1",
    "3.5.0-beta.1",
    "3.5.0",
    "4.0.0",
];

#[test]
fn every_spelling_its_normal_form_and_what_it_matches() {
    let table: [(&str, &str, &[&str]); 22] = [
        ("1.2.3", "1.2.3", &["1.2.3"]),
        ("=1.2.3", "1.2.3", &["1.2.3"]),
        ("= 1.2.3", "1.2.3", &["1.2.3"]),
        ("^3", "^3", &["3.0.0", "3.4.1", "3.5.0"]),
        ("3", "^3", &["3.0.0", "3.4.1", "3.5.0"]),
        ("3.x", "3.x", &["3.0.0", "3.4.1", "3.5.0"]),
        ("3.*", "3.x", &["3.0.0", "3.4.1", "3.5.0"]),
        ("3.x.x", "3.x", &["3.0.0", "3.4.1", "3.5.0"]),
        ("^0.3", "^0.3", &["0.3.0", "0.3.9"]),
        ("^0.0.3", "^0.0.3", &["0.0.3"]),
        ("~1.2", "~1.2", &["1.2.3", "1.2.4", "1.2.9"]),
        ("1.2", "~1.2", &["1.2.3", "1.2.4", "1.2.9"]),
        ("1.2.x", "1.2.x", &["1.2.3", "1.2.4", "1.2.9"]),
        ("=1.2", "1.2.x", &["1.2.3", "1.2.4", "1.2.9"]),
        ("~1", "~1", &["1.2.3", "1.2.4", "1.2.9", "1.3.0", "1.9.9"]),
        (">=1.3 <2", ">=1.3 <2", &["1.3.0", "1.9.9"]),
        (" >= 1.3 ,\t< 2 ", ">=1.3 <2", &["1.3.0", "1.9.9"]),
        (">=1.3<2", ">=1.3 <2", &["1.3.0", "1.9.9"]),
        (">1.2 <=2", ">1.2 <=2", &["1.3.0", "1.9.9", "2.0.0"]),
        ("1.2.4-beta.1", "1.2.4-beta.1", &["1.2.4-beta.1"]),
        (">=1.2.4-alpha <1.3", ">=1.2.4-alpha <1.3", &["1.2.4-beta.1", "1.2.4", "1.2.9"]),
        ("^2.0.0-rc.1", "^2.0.0-rc.1", &["2.0.0-rc.1", "2.0.0"]),
    ];
    for (written, normal, matched) in table {
        let requirement = requirement(written);
        assert_eq!(requirement.to_string(), normal, "{written}");
        let found: Vec<_> =
            WORLD.into_iter().filter(|number| requirement.matches(&version(number))).collect();
        assert_eq!(found, matched, "{written}");
    }
}

#[test]
fn any_is_every_release_but_no_prerelease() {
    assert_eq!(requirement("*"), Requirement::any());
    let stable = WORLD.into_iter().filter(|number| !number.contains('-'));
    let found = WORLD.into_iter().filter(|number| Requirement::any().matches(&version(number)));
    assert!(found.eq(stable));
}

#[test]
fn the_highest_match_is_selected() {
    let versions = WORLD.map(version);
    assert_eq!(requirement("^3").select(&versions), Some(&version("3.5.0")));
    assert_eq!(requirement("^9").select(&versions), None);
}

#[test]
fn made_from_a_version() {
    let beta = version("1.2.3-beta.1");
    assert_eq!(Requirement::caret(&beta).to_string(), "^1.2.3-beta.1");
    assert_eq!(Requirement::exact(&beta).to_string(), "1.2.3-beta.1");
    assert!(Requirement::exact(&beta).is_exact() && !Requirement::caret(&beta).is_exact());
    assert!(!requirement("=1.2").is_exact() && !Requirement::any().is_exact());
}

#[test]
fn a_leading_v_is_read_with_a_warning() {
    for (written, read) in [("v3", "^3"), ("v1.2.3", "1.2.3"), ("^v3", "^3"), (">=v1 <v2", ">=1 <2")] {
        let (requirement, warning) = Requirement::parse(written).unwrap();
        assert_eq!(requirement.to_string(), read);
        let warning = warning.unwrap();
        assert_eq!(warning.code(), "requirement-v");
        assert_eq!(warning.to_string(), format!("`{written}` is read as `{read}`"));
    }
    assert_eq!(Requirement::parse("3").unwrap().1, None);
}

#[test]
fn what_is_refused_where_and_why() {
    use RequirementReason as Why;
    let table = [
        ("", 1, Why::Empty),
        ("  ", 3, Why::Empty),
        ("^1 || ^2", 4, Why::Alternative),
        ("||", 1, Why::Alternative),
        ("^1||^2", 3, Why::Alternative),
        ("1.2 - 1.4", 5, Why::HyphenRange),
        ("latest", 1, Why::Start),
        ("x", 1, Why::Start),
        ("vx", 1, Why::Start),
        ("\u{e4}1", 1, Why::Start),
        ("^", 2, Why::Number),
        ("^^1", 2, Why::Number),
        ("1.", 3, Why::Number),
        ("1..2", 3, Why::Number),
        ("1.2.3.4", 6, Why::Number),
        ("1.2.\u{e4}", 5, Why::Number),
        ("1 2a", 4, Why::Number),
        ("01", 1, Why::LeadingZero),
        ("1.02", 3, Why::LeadingZero),
        ("18446744073709551616", 1, Why::TooLarge),
        ("^3.x", 4, Why::WildcardOperator),
        (">=*", 3, Why::WildcardOperator),
        ("1.x.3", 5, Why::AfterWildcard),
        ("* <2", 1, Why::StarNotAlone),
        (">1 *", 4, Why::StarNotAlone),
        ("1.2-beta", 4, Why::PartialPrerelease),
        ("1.x-beta", 4, Why::PartialPrerelease),
        ("1.2.3-", 7, Why::Prerelease),
        ("1.2.3-a..b", 7, Why::Prerelease),
        ("1.2.3-01", 7, Why::Prerelease),
        ("1.2.3+b", 6, Why::Build),
        ("1.2.3-a+b", 8, Why::Build),
        (">1,", 4, Why::Comma),
        (">1,,<2", 4, Why::Comma),
        (",>1", 1, Why::Start),
    ];
    for (text, at, reason) in table {
        let error = text.parse::<Requirement>().unwrap_err();
        assert_eq!(error.reason, reason, "{text}");
        assert_eq!(error.at, at, "{text}");
        assert_eq!(error.code(), "requirement-unreadable");
    }
}

#[test]
fn a_text_too_long_or_too_full_is_refused() {
    let reason = |text: &str| text.parse::<Requirement>().unwrap_err().reason;
    assert_eq!(reason(&"1".repeat(257)), RequirementReason::TooLong);
    assert_eq!(
        reason(&format!(">=1.2.3-{}<2", "a".repeat(246))),
        RequirementReason::TooLong,
        "as normal form"
    );
    assert_eq!(reason(&">1 ".repeat(17)), RequirementReason::TooMany);
    assert!(">1 ".repeat(16).parse::<Requirement>().is_ok());
}

#[test]
fn a_selector_is_a_requirement_before_it_is_a_tag() {
    let read = |text: &str| Selector::parse(text).map(|(selector, _)| selector);
    assert_eq!(read("v3"), Ok(Selector::Requirement(requirement("^3"))));
    assert_eq!(read("x"), Ok(Selector::Tag("x".parse().unwrap())));
    assert_eq!(read("v3-beta"), Ok(Selector::Tag("v3-beta".parse().unwrap())));
    assert_eq!(read("latest"), Ok(Selector::Tag("latest".parse().unwrap())));
    assert_eq!(read("Latest").unwrap_err().reason, RequirementReason::Start);
    assert_eq!(read("1.2.3.4").unwrap_err().at, 6);
}

fn number() -> impl Strategy<Value = String> {
    let pre = prop_oneof![4 => Just(String::new()), 1 => "-[a-z]{1,3}(\\.[1-9]{1,2})?"];
    let number = 0_u64..5;
    prop_oneof![
        (number.clone(), number.clone(), number.clone(), pre)
            .prop_map(|(a, b, c, pre)| format!("{a}.{b}.{c}{pre}")),
        (number.clone(), number.clone()).prop_map(|(a, b)| format!("{a}.{b}")),
        number.prop_map(|a| a.to_string()),
    ]
}

fn written() -> impl Strategy<Value = String> {
    let operator = prop::sample::select(vec!["", "=", "^", "~", ">", ">=", "<", "<=", "v"]);
    let separator = prop::sample::select(vec![" ", ",", ", ", " , "]);
    prop_oneof![
        1 => prop::sample::select(vec!["*", "3.x", "1.2.*", "0.X"]).prop_map(str::to_owned),
        9 => (prop::collection::vec((operator, number()), 1..4), separator).prop_map(|(parts, separator)| {
            let parts: Vec<_> = parts.into_iter().map(|(op, number)| format!("{op}{number}")).collect();
            parts.join(separator)
        }),
    ]
}

proptest! {
    #[test]
    fn the_normal_form_reads_back_as_the_same(text in written()) {
        let once = requirement(&text);
        let (again, warning) = Requirement::parse(&once.to_string()).unwrap();
        prop_assert_eq!(&again, &once);
        prop_assert_eq!(again.to_string(), once.to_string());
        prop_assert_eq!(warning, None);
    }

    #[test]
    fn a_prerelease_needs_a_comparator_of_its_triple(text in written(), number in number()) {
        let Ok(version) = number.parse::<Version>() else { return Ok(()) };
        if version.is_prerelease() && requirement(&text).matches(&version) {
            let triple = number.split('-').next().unwrap_or_default();
            let same = format!("{triple}-");
            prop_assert!(text.contains(&same), "{} matched {}", text, number);
        }
    }

    #[test]
    fn no_text_panics_and_the_column_lies_in_it(text in "[ 0-9x*.<>=^~|,v+ä-]{0,20}|.{0,40}") {
        if let Err(error) = text.parse::<Requirement>() {
            prop_assert!((1..=text.chars().count() + 1).contains(&error.at));
        }
    }
}
