//! A registry that a command talks to: chosen, met, compared with its pin, and only then given the
//! user's token.

use std::sync::Arc;
use std::time::Duration;

use skill_trust::TrustedRoot;

use crate::client::{Client, ClientError, Options, RequestLine, Session};
use crate::code::Code;
use crate::config::{self, Choice, Config};
use crate::context::Context;
use crate::credentials;
use crate::failure::{Failure, NOTHING_SENT};
use crate::registry::{Contact, ContactError, Expectation, Met, Pins};
use crate::report::Message;
use crate::text::{number, quote};

/// A registry, and calls to it.
pub struct Connection {
    /// How it was chosen.
    pub choice: Choice,
    /// Its identity and root.
    pub met: Met,
    /// Calls to it, with the token if there is one.
    pub session: Session,
}

impl Connection {
    /// What it is called: its name, else `r-` and 8 digits of its id.
    pub fn name(&self) -> String {
        self.choice.name.clone().unwrap_or_else(|| self.met.id.default_name())
    }

    /// What sentences call it: `registry corp`.
    pub fn label(&self) -> String {
        format!("registry {}", self.name())
    }

    /// A call that gave no answer that could be used.
    pub fn refused(&self, error: &ClientError) -> Failure {
        Failure::of_call(error, &self.label())
    }

    /// The reason not to go on without a token.
    ///
    /// # Errors
    /// `login-needed`.
    pub fn need_token(&self) -> Result<(), Failure> {
        if self.session.token().is_some() {
            return Ok(());
        }
        Err(Failure::new(Code::LoginNeeded, format!("{} needs a token for this", self.label()))
            .because_in_text(NOTHING_SENT)
            .hint("run `skill login --token -` and paste a token"))
    }
}

/// The network, as the flags of the command ask for it. Nothing is opened.
pub fn client(context: &Context) -> Arc<Client> {
    let screen = Arc::clone(&context.screen);
    let verbose = screen.is_verbose();
    let observer = move |request: &RequestLine| screen.detail(&shown(request));
    let options = Options {
        offline: context.offline(),
        total: context.globals.timeout.map(Duration::from_secs),
        observer: verbose.then(|| Arc::new(observer) as _),
        ..Options::default()
    };
    Arc::new(Client::new(options))
}

fn shown(request: &RequestLine) -> String {
    let status = request.status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
    let bytes = request.bytes.map(|bytes| format!("  {}", number::size(bytes))).unwrap_or_default();
    let RequestLine { method, url, elapsed, .. } = request;
    format!("{method} {url}  {status}{bytes}  {} ms", elapsed.as_millis())
}

/// Chooses the registry of a command, meets it, pins it at first contact and says so, and gives the session
/// the user's token. `what` needs the registry, for the message when none is configured.
///
/// # Errors
/// What [`Config::choose`], [`meet`] and [`credentials::token_for`] give.
pub async fn open(context: &Context, what: &str) -> Result<Connection, Failure> {
    let choice = choose(context, what)?;
    let token = credentials::token_for(context, &choice)?;
    let connection = meet_chosen(context, choice).await?;
    let session = connection.session.clone().with_token(token);
    Ok(Connection { session, ..connection })
}

/// The same, without any token: `login` brings its own.
///
/// # Errors
/// What [`Config::choose`] and [`meet`] give.
pub async fn without_token(context: &Context, what: &str) -> Result<Connection, Failure> {
    meet_chosen(context, choose(context, what)?).await
}

fn choose(context: &Context, what: &str) -> Result<Choice, Failure> {
    let wanted = config::project(context)?;
    let config = Config::load(context, wanted.as_ref())?;
    for warning in config.warnings() {
        context.screen.tell(&warning);
    }
    let choice = config.choose(context, what)?;
    context.screen.detail(&format!("{} from {}", choice.label(), choice.layer));
    Ok(choice)
}

async fn meet_chosen(context: &Context, choice: Choice) -> Result<Connection, Failure> {
    let met = meet(context, &client(context), &choice, None, true).await?;
    let session = met.session.clone();
    Ok(Connection { choice, met, session })
}

/// Meets a registry: fetches its root, compares it with what a lock expects, else with the configuration,
/// else with its pin, and says so if it is pinned now. No token is sent.
///
/// # Errors
/// `registry-id-changed`, `root-…`, `lock-registry-unknown` where nothing may be pinned, and what a
/// call gives.
pub async fn meet(
    context: &Context,
    client: &Arc<Client>,
    choice: &Choice,
    expected: Option<Expectation>,
    may_pin: bool,
) -> Result<Met, Failure> {
    let pins = Pins::below(&context.dirs.state);
    let configured = choice.id.map(|id| Expectation { id, named_by: "the configuration", since: None });
    let contact = Contact {
        client,
        pins: &pins,
        endpoint: choice.endpoint.clone(),
        expected: expected.or(configured),
        may_pin,
        now: context.now(),
    };
    let met = contact.meet().await.map_err(|error| refused(&error, &choice.label()))?;
    if met.is_new {
        context.screen.tell(&first_contact(choice, &met));
    }
    Ok(met)
}

fn first_contact(choice: &Choice, met: &Met) -> Message {
    Message::note(format!("first contact with {}; this id is now pinned", choice.endpoint))
        .line(met.id.to_string())
        .line(custody(&met.root))
        .hint("compare the id with the one that its operator publishes")
}

/// `root version 1, custody co-located, 1 of 1 key`.
pub fn custody(root: &TrustedRoot) -> String {
    let (threshold, keys) = root.quorum();
    let keys = format!("{threshold} of {}", number::counted(keys, "key", "keys"));
    format!("root version {}, custody {}, {keys}", root.version(), root.custody())
}

/// A registry that could not be met; `label` is what sentences call it.
pub fn refused(error: &ContactError, label: &str) -> Failure {
    let failure =
        || Failure::new(Code::named(error.code()).unwrap_or(Code::RootChainBroken), error.to_string());
    match error {
        ContactError::Client(error) => Failure::of_call(error, label),
        ContactError::Changed { expected, found, .. } => changed(failure(), expected, &found.to_string()),
        ContactError::Pins(error) => Failure::disk(error, "the pins of known registries"),
        ContactError::Unknown { url } => {
            let command = quote::command(["skill", "registry", "add", url]);
            failure()
                .because("--frozen makes no first contact")
                .nothing_changed()
                .hint(format!("run `{command}` and compare the id with the operator's"))
        }
        ContactError::OtherRoot { says, found, .. } => failure()
            .because("it says that it is")
            .line(says.to_string())
            .because("its root version 1 is that of")
            .line(found.to_string())
            .because_in_text(NOTHING_DONE)
            .hint("ask the operator"),
        ContactError::Root(_) => failure()
            .because(format!("the root chain of {label} does not hold"))
            .because_in_text(NOTHING_DONE)
            .hint("ask the operator"),
    }
}

const NOTHING_DONE: &str = "nothing was installed and no token was sent";

fn changed(failure: Failure, expected: &Expectation, found: &str) -> Failure {
    let since = expected.since.map(|since| format!(" on {}", number::date(since))).unwrap_or_default();
    failure
        .because(match expected.named_by {
            "pinned" => format!("pinned{since}"),
            by => format!("pinned{since} ({by})"),
        })
        .line(expected.id.to_string())
        .because("answering today")
        .line(found)
        .because_in_text(NOTHING_DONE)
        .hint("ask the operator which id is right; a moved registry keeps its id")
        .key("expected", expected.id.to_string())
        .key("found", found)
}
