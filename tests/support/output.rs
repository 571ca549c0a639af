//! What a program printed, and how it ended.

use std::fmt;

/// Exit code, stdout and stderr of one run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// The same output, which has to be a success.
    #[track_caller]
    pub(crate) fn success(self) -> Self {
        self.code(0)
    }

    /// The same output, which has to end with `code`.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self}");
        self
    }

    /// Streams and exit code without the dates in them, which are those of the day on which the test runs.
    pub(crate) fn undated(&self) -> String {
        let text = self.to_string();
        let (mut out, mut rest) = (String::new(), text.as_str());
        while let Some(next) = rest.chars().next() {
            let digits = rest.bytes().take(10).map(|byte| if byte.is_ascii_digit() { b'0' } else { byte });
            if digits.collect::<Vec<_>>() == *b"0000-00-00" {
                out.push_str("[DATE]");
                rest = &rest[10..];
                if let Some((_, behind)) = rest.split_once('Z').filter(|(time, _)| time.starts_with('T')) {
                    rest = behind;
                }
            } else {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
        out
    }

    /// stdout as the one JSON document it has to be.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}\n{self}"))
    }

    /// The ids of the checks of `verify --json` that failed, in order.
    #[track_caller]
    pub(crate) fn failed_checks(&self) -> Vec<String> {
        let document = self.json();
        let results = document["results"].as_array().unwrap_or_else(|| panic!("no results\n{self}"));
        results
            .iter()
            .flat_map(|result| result["checks"].as_array().unwrap())
            .filter(|check| check["status"] == "fail")
            .map(|check| check["id"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The code of the error document of `--json`.
    #[track_caller]
    pub(crate) fn error_code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_else(|| panic!("no error\n{self}")).to_owned()
    }
}

/// The block that snapshots hold: both streams and the exit code.
impl fmt::Display for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                write!(f, "-- {name}\n{text}")?;
                if !text.ends_with('\n') {
                    writeln!(f, "(no line end)")?;
                }
            }
        }
        write!(f, "-- exit {}", self.code)
    }
}
