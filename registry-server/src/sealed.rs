//! What the registry hands to browsers and knows again when it comes back.

use std::fmt;

use skill_core::digest::Sha256;
use subtle::ConstantTimeEq as _;

use crate::mac;

/// The key of this registry's pages. It signs nothing that anybody else checks.
pub struct WebKey([u8; 32]);

/// What a digest is for: none is good for anything else.
#[derive(Debug, Clone, Copy)]
enum Purpose {
    Form,
    Webhook,
    UserCode,
    Guesser,
}

impl fmt::Debug for WebKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WebKey(…)")
    }
}

impl WebKey {
    /// The key of these bytes.
    pub const fn of(bytes: &[u8; 32]) -> Self {
        Self(*bytes)
    }

    /// The secret of a webhook, by its id: nobody keeps it, and nothing else of this registry follows from it.
    pub(crate) fn webhook_secret(&self, id: &str) -> [u8; 32] {
        *self.digest(Purpose::Webhook, id).as_bytes()
    }

    /// The field that every form has which is made for a session, given the session's digest.
    pub(crate) fn form_field(&self, session: &str) -> String {
        self.digest(Purpose::Form, session).to_hex()
    }

    /// What is kept of a code that is short enough to be guessed by whoever has its plain digest.
    pub(crate) fn of_user_code(&self, letters: &str) -> String {
        self.digest(Purpose::UserCode, letters).to_hex()
    }

    /// Under what it is counted that somebody guesses at something.
    pub(crate) fn of_guesser(&self, at: &str, who: &str) -> String {
        self.digest(Purpose::Guesser, &format!("{at}\0{who}")).to_hex()
    }

    fn digest(&self, purpose: Purpose, text: &str) -> Sha256 {
        mac::of(&self.0, message(purpose, text))
    }

    /// Whether a form has the field of this session. Takes as long for each field that is wrong.
    pub(crate) fn is_form_field(&self, session: &str, field: &str) -> bool {
        let Ok(tag) = field.parse::<Sha256>() else { return false };
        self.digest(Purpose::Form, session).as_bytes().ct_eq(tag.as_bytes()).into()
    }
}

fn message(purpose: Purpose, text: &str) -> Vec<u8> {
    let name = match purpose {
        Purpose::Form => "form",
        Purpose::Webhook => "webhook",
        Purpose::UserCode => "user-code",
        Purpose::Guesser => "guesser",
    };
    [name.as_bytes(), &[0], text.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_good_for_one_session_and_one_registry() {
        let key = WebKey::of(&[1; 32]);
        let field = key.form_field("a");
        assert!(key.is_form_field("a", &field));
        assert!(!key.is_form_field("b", &field));
        assert!(!WebKey::of(&[2; 32]).is_form_field("a", &field));
        for wrong in ["", "0", &field[..63], &field.replace(&field[..1], "x")] {
            assert!(!key.is_form_field("a", wrong), "{wrong}");
        }
    }
}
