//! URLs as they may be shown.

use url::Url;

/// What stands for a secret.
const MASK: &str = "***";

/// Keys of a database URL's query that hold no secret. Of every other key the value is masked.
const HARMLESS: [&str; 11] = [
    "sslmode",
    "sslrootcert",
    "sslcert",
    "sslkey",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "application_name",
];

/// `text` without the secrets of a URL: the password before the host, and what the query says under a key that
/// is not known to be harmless. What is no URL is given back as it is; what looks like one with secrets and does not
/// parse is not shown at all.
pub(crate) fn masked(text: &str) -> String {
    let Ok(mut url) = Url::parse(text) else {
        let may_hide = text.contains("://") && text.contains(['@', '?']);
        return if may_hide { "an unreadable URL".to_owned() } else { text.to_owned() };
    };
    let pairs: Vec<(String, String)> = url
        .query_pairs()
        .map(|(key, value)| {
            let value = if HARMLESS.contains(&&*key) { value.into_owned() } else { MASK.to_owned() };
            (key.into_owned(), value)
        })
        .collect();
    let hides = pairs.iter().any(|(_, value)| value == MASK);
    if url.password().is_none() && !hides {
        return text.to_owned();
    }
    if url.password().is_some() {
        // A URL with a password has an authority, so that one can be set.
        let _ = url.set_password(Some(MASK));
    }
    if hides {
        let shown: Vec<String> = pairs.into_iter().map(|(key, value)| format!("{key}={value}")).collect();
        url.set_query(Some(&shown.join("&")));
    }
    url.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_shown_wherever_it_stands() {
        for (text, shown) in [
            ("postgres://ada:hunter2@db.example/skills", "postgres://ada:***@db.example/skills"),
            ("postgres://db/skills?password=hunter2", "postgres://db/skills?password=***"),
            (
                "postgres://ada:hunter2@db/s?sslmode=require&pass%77ord=hunter2&options=hunter2",
                "postgres://ada:***@db/s?sslmode=require&password=***&options=***",
            ),
            ("postgres://ada:hunter2@[db/skills", "an unreadable URL"),
            ("postgres://ada@db/skills?sslmode=require", "postgres://ada@db/skills?sslmode=require"),
            ("https://skills.example", "https://skills.example"),
            ("https://", "https://"),
            ("127.0.0.1:8787", "127.0.0.1:8787"),
            ("./data", "./data"),
        ] {
            assert_eq!(masked(text), shown, "{text}");
        }
    }
}
