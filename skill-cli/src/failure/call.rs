use std::time::Duration;

use serde_json::Value;
use skill_core::api::Problem;

use super::Failure;
use crate::client::ClientError;
use crate::code::Code;
use crate::text::number;

impl Failure {
    /// A call that gave no answer that could be used. `label` is what sentences call the registry:
    /// `registry corp`, or its URL.
    pub fn of_call(error: &ClientError, label: &str) -> Self {
        let code = Code::named(error.code()).unwrap_or(Code::ReleaseRefused);
        let reasons = |failure: Self| error.because().into_iter().fold(failure, Self::because);
        match error {
            ClientError::Unreachable { .. } => reasons(Self::new(code, format!("{label} does not answer")))
                .hint("check the URL with `skill registry list`, or try again later"),
            ClientError::Timeout { after, .. } => {
                Self::new(code, format!("{label} did not answer within {}", number::duration(*after)))
                    .hint("give it longer with `--timeout SECS`")
            }
            ClientError::RateLimited { wait, with_token, .. } => {
                rate_limited(reasons(Self::new(code, busy(label, *wait))), *wait, *with_token)
            }
            ClientError::Server { status, .. } => {
                reasons(Self::new(code, format!("{label} answered with status {status}")))
                    .hint("try again; if it stays, give the request id to its operator")
            }
            ClientError::LoginNeeded { .. } => {
                Self::new(code, format!("{label} asks for a token")).hint("run `skill login`")
            }
            ClientError::TokenRejected { found_in, .. } => {
                rejected(reasons(Self::new(code, format!("{label} does not accept this token"))), found_in)
            }
            ClientError::AccountDisabled { .. } => {
                Self::new(code, format!("{label} has closed the account of this token"))
                    .hint("ask its operator")
            }
            ClientError::Offline { .. } => reasons(Self::new(code, format!("{label} has to be asked")))
                .hint("run it once without `--offline`"),
            ClientError::Insecure { .. } => Self::new(code, error.to_string()).hint("use https"),
            ClientError::Refused(problem) => refused(problem, label),
            _ => reasons(Self::new(code, error.to_string())),
        }
    }
}

fn busy(label: &str, wait: Option<Duration>) -> String {
    let wait = wait.map(|wait| format!(" for {}", number::duration(wait)));
    format!("{label} takes no more requests{}", wait.unwrap_or_else(|| " now".to_owned()))
}

fn rate_limited(failure: Failure, wait: Option<Duration>, with_token: bool) -> Failure {
    let failure = failure.hint(if with_token {
        "wait, or ask the registry's operator for a higher limit"
    } else {
        "run `skill login` for a higher limit, or wait"
    });
    match wait {
        Some(wait) => failure.key("retryAfterSeconds", wait.as_secs()),
        None => failure,
    }
}

fn rejected(failure: Failure, found_in: &str) -> Failure {
    let failure = if found_in == "SKILL_TOKEN" {
        failure.hint("unset SKILL_TOKEN to use the stored token")
    } else {
        failure
    };
    failure.hint("run `skill login` to store a new one")
}

/// The registry's own words, under the code that this program has for them.
fn refused(problem: &Problem, label: &str) -> Failure {
    let known = Code::named(&problem.code).filter(|code| code.exit() != 0);
    let code = known.unwrap_or(match problem.status {
        // An address that a registry of this protocol has: it is an older one, or none.
        _ if matches!(problem.code.as_str(), "route-not-found" | "method-not-allowed") => Code::RegistryError,
        401 => Code::LoginNeeded,
        403 => Code::NotMember,
        404 | 410 => Code::SkillNotFound,
        429 => Code::RateLimited,
        500.. => Code::RegistryError,
        _ => Code::ReleaseRefused,
    });
    let mut failure = Failure::new(code, problem.title.clone());
    if let Some(detail) = &problem.detail {
        failure = failure.because(detail.clone());
    }
    if code.as_str() != problem.code {
        failure = failure.because(format!("{label} calls it {}", problem.code));
    }
    if code == Code::ClientTooOld {
        failure = failure.hint("install a newer `skill`");
    }
    if code.exit() == 7 {
        failure = failure.hint(format!("run {}", code.entry().hint).replace("run ask", "ask"));
    }
    for (key, value) in &problem.extra {
        if *value != Value::Null {
            failure = failure.key(key, value.clone());
        }
    }
    failure
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_keeps_its_code_and_keys_but_not_ours() {
        let problem = Problem::new(409, "version-taken", "acme/github 3.4.1 exists with other files")
            .with("next", "3.5.1")
            .with("exit", 0);
        let failure = Failure::of_call(&ClientError::Refused(Box::new(problem)), "registry corp");
        assert_eq!((failure.code, failure.exit()), (Code::VersionTaken, 1));
        assert_eq!(failure.document()["error"]["next"], "3.5.1");
        assert_eq!(failure.document()["error"]["exit"], 1);
    }

    #[test]
    fn a_code_that_is_not_known_is_told() {
        let problem = Problem::new(422, "moon-phase", "not tonight");
        let failure = Failure::of_call(&ClientError::Refused(Box::new(problem)), "registry corp");
        assert_eq!(failure.code, Code::ReleaseRefused);
        assert_eq!(failure.document()["error"]["because"][0], "registry corp calls it moon-phase");
    }

    #[test]
    fn a_limit_says_how_long() {
        let error = ClientError::RateLimited {
            origin: String::new(),
            wait: Some(Duration::from_secs(42)),
            limit: Some(300),
            with_token: false,
        };
        let failure = Failure::of_call(&error, "registry corp");
        assert_eq!(failure.message, "registry corp takes no more requests for 42 s");
        assert_eq!(failure.document()["error"]["retryAfterSeconds"], 42);
        let because = &failure.document()["error"]["because"];
        assert_eq!(because[0], "300 of 300 requests a minute are used, without a token");
    }
}
