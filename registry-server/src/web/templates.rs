//! The templates of `web/templates`, compiled once. Whatever a template prints is escaped, and what hides in it
//! drawn, whatever the template is called and wherever it prints; only [`Html`](super::text::Html) is not.

use std::sync::LazyLock;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::ValueKind;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, UndefinedBehavior, Value};

use super::text;

macro_rules! templates {
    ($($name:literal),+ $(,)?) => {
        &[$(($name, include_str!(concat!("../../../web/templates/", $name)))),+]
    };
}

const TEMPLATES: &[(&str, &str)] = templates![
    "account.html",
    "base.html",
    "browse.html",
    "closed.html",
    "dashboard.html",
    "device-asks.html",
    "device-done.html",
    "device.html",
    "diff.html",
    "error.html",
    "file.html",
    "files.html",
    "head-crumbs.html",
    "head.html",
    "home.html",
    "icons.html",
    "macros.html",
    "publisher.html",
    "readme.html",
    "release.html",
    "search.html",
    "security.html",
    "sessions.html",
    "settings-deed.html",
    "settings-deliveries.html",
    "settings-member-end.html",
    "settings-members.html",
    "settings-password.html",
    "settings-publishers.html",
    "settings-skill.html",
    "settings-token-made.html",
    "settings-tokens.html",
    "settings-webhook-made.html",
    "settings-webhooks.html",
    "settings.html",
    "sign-in-again.html",
    "sign-in-link.html",
    "sign-in.html",
    "tabs.html",
    "versions.html",
];

static ENVIRONMENT: LazyLock<Result<Environment<'static>, Error>> = LazyLock::new(environment);

fn environment() -> Result<Environment<'static>, Error> {
    let mut environment = Environment::new();
    // A name that no view has is a mistake, not an empty place.
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    environment.set_formatter(print);
    environment.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    for (name, source) in TEMPLATES {
        environment.add_template(name, source)?;
    }
    Ok(environment)
}

fn print(out: &mut Output<'_>, _: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let written = match value.kind() {
        ValueKind::None => Ok(()),
        ValueKind::String if value.is_safe() => out.write_str(value.as_str().unwrap_or_default()),
        ValueKind::String => text::escape(out, value.as_str().unwrap_or_default()),
        ValueKind::Number => write!(out, "{value}"),
        other => {
            return Err(Error::new(ErrorKind::InvalidOperation, format!("a page does not print a {other}")));
        }
    };
    written.map_err(|_| Error::new(ErrorKind::WriteFailure, "the page took no more"))
}

/// Fills a template.
pub(super) fn fill(name: &str, context: Value) -> Result<String, Error> {
    let environment = ENVIRONMENT.as_ref().map_err(|error| Error::new(error.kind(), error.to_string()))?;
    environment.get_template(name)?.render(context)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_compiles() {
        let environment = ENVIRONMENT.as_ref().unwrap();
        assert_eq!(environment.templates().count(), TEMPLATES.len());
    }

    #[test]
    fn no_template_prints_unescaped() {
        for (name, source) in TEMPLATES {
            for forbidden in ["|safe", "| safe", "autoescape", " style=", "<style", "javascript:"] {
                assert!(!source.contains(forbidden), "{name}: {forbidden}");
            }
        }
    }
}
