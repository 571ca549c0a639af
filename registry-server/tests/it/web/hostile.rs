//! Payloads written to come alive, in every place of a page where a stranger's text can stand. Each must be text.

use http::StatusCode;
use serde_json::json;

use super::markup;
use crate::support::{Caller, Skill, TestRegistry};

/// The payloads of `hostile_payloads/`, one a line: `\n`, `\t`, `\\` and `\u{…}` are escapes, and
/// `{repeat:TEXT:COUNT}` stands for so many of a text.
fn payloads(file: &str) -> Vec<String> {
    file.lines().map(|line| repeated(&unescaped(line))).collect()
}

fn unescaped(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        rest = match escape.chars().next() {
            Some('n') => push(&mut out, '\n', &escape[1..]),
            Some('t') => push(&mut out, '\t', &escape[1..]),
            Some('\\') => push(&mut out, '\\', &escape[1..]),
            Some('u') if escape.starts_with("u{") => {
                let (hex, tail) = escape[2..].split_once('}').unwrap();
                push(&mut out, char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap(), tail)
            }
            _ => push(&mut out, '\\', escape),
        };
    }
    out + rest
}

fn push<'a>(out: &mut String, character: char, rest: &'a str) -> &'a str {
    out.push(character);
    rest
}

fn repeated(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, tail)) = rest.split_once("{repeat:") {
        let (what, after) = tail.split_once('}').unwrap();
        // A text that is repeated may hold braces of an escape only: those are resolved by now.
        let (text, count) = what.rsplit_once(':').unwrap();
        out.push_str(before);
        out.push_str(&text.repeat(count.parse().unwrap()));
        rest = after;
    }
    out + rest
}

macro_rules! family {
    ($($name:ident),+ $(,)?) => {$(
        #[tokio::test]
        async fn $name() {
            nothing_comes_alive(&payloads(include_str!(concat!("hostile_payloads/", stringify!($name), ".txt")))).await;
        }
    )+};
}

family!(addresses, broken, documents, foreign, handlers, hidden, scripts, styles, weight);

#[test]
fn there_are_more_than_three_hundred() {
    let files = [
        include_str!("hostile_payloads/addresses.txt"),
        include_str!("hostile_payloads/broken.txt"),
        include_str!("hostile_payloads/documents.txt"),
        include_str!("hostile_payloads/foreign.txt"),
        include_str!("hostile_payloads/handlers.txt"),
        include_str!("hostile_payloads/hidden.txt"),
        include_str!("hostile_payloads/scripts.txt"),
        include_str!("hostile_payloads/styles.txt"),
        include_str!("hostile_payloads/weight.txt"),
    ];
    let mut all: Vec<String> = files.into_iter().flat_map(payloads).collect();
    all.sort();
    all.dedup();
    assert!(all.len() >= 300, "{}", all.len());
}

/// Elements that stand inside each other: those of a page, and 32 of a text with the paragraph and the row in the last.
const DEEPEST: usize = 50;

/// Publishes each payload as text, description, change note, file and requirement, and reads every page that shows it.
async fn nothing_comes_alive(payloads: &[String]) {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let mut shown = 0;
    for (number, payload) in payloads.iter().enumerate() {
        let version = format!("1.0.{number}");
        let stored = publish(&ada, payload, &version).await;
        let mut paths = vec![
            format!("/search?q={}", encoded(payload)),
            format!("/skills?owner={}", encoded(payload)),
            format!("/{}", encoded(payload)),
            format!("/ada/skills/x/files?path={}", encoded(payload)),
        ];
        if stored {
            let page = "/ada/skills/x";
            paths.extend([
                format!("{page}/versions/{version}"),
                format!("{page}/files?version={version}"),
                format!("{page}/files?version={version}&path=SKILL.md"),
                format!("{page}/security?version={version}"),
                format!("{page}/diff?to={version}"),
                format!("{page}/versions"),
                "/".to_owned(),
            ]);
        }
        for path in paths {
            shown += usize::from(look(&registry.anonymous(), &path, payload).await == 200);
        }
    }
    // Some are refused or blocked by the registry's own rules; most have to be seen to be harmless.
    assert!(shown > payloads.len() * 7, "{shown} pages of {} payloads", payloads.len());
}

async fn publish(ada: &Caller, payload: &str, version: &str) -> bool {
    // JSON is YAML, so that a description can hold anything; U+0000 is refused there.
    let short: String = payload.replace('\0', " ").chars().take(900).collect();
    let text = format!(
        "---\nname: x\ndescription: {}\nlicense: {}\nwhen_to_use: {}\nrequires: {{bins: [{}]}}\n---\n\n{payload}\n",
        json!(short),
        json!(short),
        json!(short),
        json!(short),
    );
    let skill = Skill::new("x").version(version).meta("changelog", short.clone()).file("SKILL.md", text);
    let answer = skill.file("note.txt", payload).publish(ada).await;
    assert!(answer.status.is_success() || answer.status == 422, "{}", answer.shown());
    answer.status.is_success()
}

async fn look(anyone: &Caller, path: &str, payload: &str) -> StatusCode {
    let answer = anyone.get(path).await;
    let begins: String = payload.chars().take(80).collect();
    assert!(answer.status.as_u16() < 500, "{path}: {} for {begins}", answer.status);
    if answer.header("content-type") != Some("text/html; charset=utf-8") {
        // U+0000 in an address is refused before any page is asked.
        assert_eq!(answer.status, 400, "{path} for {begins}");
        return answer.status;
    }
    let page = markup::read(answer.text()).unwrap_or_else(|wrong| panic!("{path}: {wrong}, for {begins}"));
    assert!(page.deepest <= DEEPEST, "{path}: {} elements inside each other for {begins}", page.deepest);
    assert!(answer.body.len() < 4 << 20, "{path} is {} bytes for {begins}", answer.body.len());
    answer.status
}

fn encoded(text: &str) -> String {
    let cut: String = text.chars().take(300).collect();
    percent_encoding::percent_encode(cut.as_bytes(), percent_encoding::NON_ALPHANUMERIC).to_string()
}
