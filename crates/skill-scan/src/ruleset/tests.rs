use super::*;
use crate::host::Hosts;

#[test]
fn the_builtin_rules_read() {
    let rules = RuleSet::read_builtin().unwrap_or_else(|error| panic!("{error}"));
    let of_patterns =
        rules.patterns.rules.iter().flat_map(|rule| rule.expressions().map(|e| (&rule.about.id, e)));
    let of_spans = rules.spans.iter().flat_map(|rule| rule.expressions().map(|e| (&rule.about.id, e)));
    let wrong: Vec<String> = of_patterns
        .chain(of_spans)
        .filter_map(|(id, expression)| Some(format!("{id}: {}", expression.compile().err()?)))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_digest_covers_every_byte_of_every_file() {
    let of = |a, b, c| digest([a, b, c]);
    let all =
        [of("a", "b", "c"), of("a ", "b", "c"), of("ab", "", "c"), of("a", "bc", ""), of("", "ab", "c")];
    for (i, one) in all.iter().enumerate() {
        assert!(!all[i + 1..].contains(one));
    }
}

#[test]
fn ids_are_unique_and_kebab_case() {
    let mut ids: Vec<_> = RuleSet::builtin().rules().map(|about| about.id.clone()).collect();
    assert!(ids.iter().all(|id| id.bytes().all(|b| b == b'-' || b.is_ascii_lowercase())));
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count);
}

/// A key that is misspelt would be a rule that does less than it says.
#[test]
fn every_key_of_a_rule_is_known() {
    let known = [
        "id",
        "severity",
        "message",
        "why",
        "advice",
        "owasp",
        "verdict",
        "verdict_in",
        "anchors",
        "needs",
        "patterns",
        "except",
        "except_hosts",
        "then",
        "within",
        "across",
        "runs",
        "opens",
        "folded",
        "sentence",
        "weaker",
        "where",
        "read",
        "files",
        "entropy",
        "class",
        "shape",
        "passages",
        "says",
    ];
    for text in PATTERNS.iter().chain(&[HIDDEN_UNICODE, HIDDEN_TEXT, FILES]) {
        let file: toml::Table = toml::from_str(text).unwrap();
        for rule in file["rule"].as_array().unwrap() {
            for key in rule.as_table().unwrap().keys() {
                assert!(known.contains(&key.as_str()), "{}: {key}", rule["id"]);
            }
        }
    }
}

#[test]
fn what_a_rule_says_is_a_sentence() {
    for about in RuleSet::builtin().rules() {
        assert!(!about.message.ends_with('.'), "{}", about.id);
        for text in [&about.why, &about.advice] {
            assert!(text.ends_with('.') && text.len() > 20 && text.len() < 400, "{}: {text}", about.id);
        }
    }
}

/// A host is compared by its labels: nothing before, behind or around an exception makes one.
#[test]
fn no_exception_is_a_part_of_another_host() {
    let rules = RuleSet::builtin();
    let mut count = 0;
    for rule in rules.patterns.rules.iter().filter(|rule| !rule.except_hosts().is_empty()) {
        for hosts in rule.except_hosts() {
            let (own, names): (&str, &[&str]) = match hosts {
                Hosts::Domain(domain) => (domain, &[]),
                Hosts::Local => ("127.0.0.1", &["localhost", "10.1.2.3", "192.168.1.1"]),
                Hosts::Resolver => ("8.8.8.8", &["1.1.1.1"]),
                Hosts::Documentation => ("192.0.2.1", &[]),
                Hosts::Bare => ("litellm", &["my-gateway"]),
                Hosts::Placeholder => ("<your-host>", &["${HOST}", "..."]),
            };
            for name in [own].iter().chain(names) {
                count += 1;
                let id = &rule.about.id;
                assert!(rule.is_excepted_host(&format!("https://{name}/v1")), "{id}: {name}");
                for other in [
                    format!("https://{name}.evil.dev/v1"),
                    format!("https://{name}@evil.dev/"),
                    format!("https://evil.dev/{name}"),
                    format!("https://evil.dev?{name}"),
                    format!("https://evil.dev#.{name}"),
                    format!(r"https://evil.dev\@{name}/"),
                ] {
                    assert!(!rule.is_excepted_host(&other), "{id}: {other}");
                }
                if let Hosts::Domain(domain) = hosts {
                    assert!(rule.is_excepted_host(&format!("https://user@a.{domain}:443/x")));
                    assert!(!rule.is_excepted_host(&format!("https://evil{domain}/")), "{id}: {domain}");
                }
            }
        }
    }
    assert!(count > 60, "{count}");
}
