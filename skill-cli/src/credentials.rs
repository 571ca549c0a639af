//! Tokens: where they come from, and which origin may see each.
//!
//! The file holds one token per origin and is for its owner alone (0600). SKILL_TOKEN goes before
//! it, but only to a registry that the user or the system named, never to one that a project file
//! brought along.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;

use fs_err as fs;
use serde::{Deserialize, Serialize};
use skill_core::token::TokenTextError;

use crate::client::{Origin, Token};
use crate::code::Code;
use crate::config::Choice;
use crate::context::Context;
use crate::failure::Failure;
use crate::files::{self, limit};
use crate::report::Hint;
use crate::text::quote;

/// The file of tokens.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// By origin.
    #[serde(default)]
    origin: BTreeMap<String, Stored>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    /// The secret.
    token: String,
    /// Whose it is, as the registry said at login.
    user: String,
}

impl Credentials {
    /// Reads the file; one that is not there is empty.
    ///
    /// # Errors
    /// `config-unreadable` for a file that others can read or that is not ours; `disk-…`.
    pub fn load(context: &Context) -> Result<Self, Failure> {
        let path = &context.dirs.credentials;
        let shown = context.shown(path);
        let Some(text) =
            files::read_text(path, limit::TOML).map_err(|error| Failure::disk(&error, &shown))?
        else {
            return Ok(Self::default());
        };
        let mode = fs::metadata(path).map_err(|error| Failure::disk(&error, &shown))?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(Failure::new(Code::ConfigUnreadable, format!("{shown} can be read by others"))
                .because(format!("its mode is {:o}, tokens are kept with 600", mode & 0o777))
                .hint(format!("run `chmod 600 {shown}`, and log in anew if others used this machine")));
        }
        // The reader's own message would quote the line, and the line may hold a token.
        toml::from_str(&text).map_err(|_| {
            Failure::new(Code::ConfigUnreadable, format!("{shown} has no known shape"))
                .hint("run `skill login` to write it anew after moving it away")
        })
    }

    /// Keeps `token` for `origin`.
    pub fn set(&mut self, origin: &Origin, token: &str, user: &str) {
        let stored = Stored { token: token.to_owned(), user: user.to_owned() };
        self.origin.insert(origin.to_string(), stored);
    }

    /// Forgets the token of `origin`; whose it was.
    pub fn remove(&mut self, origin: &Origin) -> Option<String> {
        self.origin.remove(&origin.to_string()).map(|stored| stored.user)
    }

    /// Writes the file in one moment, for its owner alone.
    ///
    /// # Errors
    /// `disk-full`, `disk-denied`, `disk-io`, `internal`.
    pub fn save(&self, context: &Context) -> Result<(), Failure> {
        let path = &context.dirs.credentials;
        let text = toml::to_string(self).map_err(|error| Failure::new(Code::Internal, error.to_string()))?;
        files::replace(path, text.as_bytes(), true)
            .map_err(|error| Failure::disk(&error, &context.shown(path)))
    }
}

/// The token for the registry that was chosen, if there is one.
///
/// # Errors
/// `token-unreadable`, and what [`Credentials::load`] gives.
pub fn token_for(context: &Context, choice: &Choice) -> Result<Option<Token>, Failure> {
    let origin = choice.endpoint.origin();
    if let Some(text) = context.env().text("SKILL_TOKEN") {
        if choice.layer.is_own() {
            let text = text.trim();
            let token = text.parse().map_err(|error| unreadable("SKILL_TOKEN", error))?;
            return Ok(Some(Token::new(token, origin.clone(), "SKILL_TOKEN".to_owned())));
        }
        context.screen.detail(&format!("SKILL_TOKEN is not sent to {origin}, which skills.toml alone names"));
    }
    let stored = Credentials::load(context)?.origin.remove(&origin.to_string());
    let Some(Stored { token, .. }) = stored else { return Ok(None) };
    let from = context.shown(&context.dirs.credentials);
    let token = token.parse().map_err(|error| {
        let mut failure = unreadable(&from, error);
        failure.hints.insert(0, Hint::new("run `skill logout` to forget it"));
        failure
    })?;
    Ok(Some(Token::new(token, origin.clone(), from)))
}

/// What stands between a registry and a token: nobody but the project names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Withheld {
    by_project: bool,
    variable: bool,
}

impl Withheld {
    /// Looks at who names the registry, and whether there is a token that it does not get.
    pub fn of(context: &Context, choice: &Choice) -> Self {
        let by_project = !choice.layer.is_own();
        Self { by_project, variable: by_project && context.env().text("SKILL_TOKEN").is_some() }
    }

    /// Says of a call to `url` that needs a token why none was sent, and how one is.
    pub fn explain(self, failure: Failure, url: &str) -> Failure {
        if failure.code != Code::LoginNeeded || !self.by_project {
            return failure;
        }
        let mut failure = failure;
        failure.hints.clear();
        let command = quote::command(["skill", "login", "--registry", url, "--token", "-"]);
        let failure = if self.variable {
            let again = quote::command(["--registry", url]);
            failure
                .because("SKILL_TOKEN is set and was not sent: only the project names this registry")
                .hint(format!("run this again with `{again}`, if SKILL_TOKEN is for that registry"))
        } else {
            failure
        };
        failure.hint(format!("run `{command}` and paste a token"))
    }
}

/// `token-unreadable`: `from` is where the text was found. The text itself is never shown.
pub fn unreadable(from: &str, reason: TokenTextError) -> Failure {
    Failure::new(Code::TokenUnreadable, format!("{from} holds no token of a skill registry"))
        .because(reason.to_string())
        .because_in_text(crate::failure::NOTHING_SENT)
        .hint("run `skill login --token -` and paste the token as the registry gave it")
}

#[cfg(test)]
mod tests {
    use skill_core::token::TokenText;

    use super::*;
    use crate::client::Endpoint;
    use crate::config::Layer;
    use crate::sandbox::Sandbox;

    fn token() -> String {
        TokenText::of_secret([7; 32]).reveal().to_owned()
    }

    fn choice(layer: Layer) -> Choice {
        let endpoint = Endpoint::parse("https://skills.example").unwrap();
        Choice { name: None, endpoint, id: None, layer }
    }

    #[test]
    fn the_variable_goes_where_the_user_or_the_system_points_and_never_where_a_project_does() {
        let context = Sandbox::new().env("SKILL_TOKEN", &token()).context();
        for layer in [Layer::Flag, Layer::Env, Layer::User, Layer::System] {
            let found = token_for(&context, &choice(layer)).unwrap();
            assert_eq!(
                found.map(|token| token.found_in().to_owned()).as_deref(),
                Some("SKILL_TOKEN"),
                "{layer}"
            );
        }
        assert!(token_for(&context, &choice(Layer::Project)).unwrap().is_none());
    }

    #[test]
    fn a_stored_token_is_found_for_its_origin_alone() {
        let context = Sandbox::new().context();
        let origin = |url: &str| Endpoint::parse(url).unwrap().origin().clone();
        let mut known = Credentials::default();
        known.set(&origin("https://skills.example"), &token(), "ada");
        known.save(&context).unwrap();
        assert!(token_for(&context, &choice(Layer::Project)).unwrap().is_some());
        for url in ["https://skills.example:8443", "http://skills.example", "https://other.example"] {
            let other = Choice { endpoint: Endpoint::parse(url).unwrap(), ..choice(Layer::User) };
            assert!(token_for(&context, &other).unwrap().is_none(), "{url}");
        }
    }
}
