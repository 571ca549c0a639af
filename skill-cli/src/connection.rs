//! A registry that a command talks to: chosen, met, compared with its pin, and only then given the
//! user's token.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use skill_trust::TrustedRoot;

use crate::client::{Client, ClientError, Options, Proxy, RequestLine, Session};
use crate::code::Code;
use crate::config::{self, Choice, Config};
use crate::context::{Context, Environment};
use crate::credentials::{self, Withheld};
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
    withheld: Withheld,
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
        self.withheld.explain(Failure::of_call(error, &self.label()), &self.choice.endpoint.to_string())
    }

    /// The reason not to go on without a token.
    ///
    /// # Errors
    /// `login-needed`.
    pub fn need_token(&self) -> Result<(), Failure> {
        if self.session.token().is_some() {
            return Ok(());
        }
        let failure = Failure::new(Code::LoginNeeded, format!("{} needs a token for this", self.label()))
            .because_in_text(NOTHING_SENT)
            .hint("run `skill login`");
        Err(self.withheld.explain(failure, &self.choice.endpoint.to_string()))
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
        proxy: proxy(context.env()),
        observer: verbose.then(|| Arc::new(observer) as _),
        ..Options::default()
    };
    Arc::new(Client::new(options))
}

/// HTTPS_PROXY and NO_PROXY, or the same in small letters, which other programs read first.
fn proxy(env: &Environment) -> Option<Proxy> {
    let variable = |small: &str, capital: &str| env.text(small).or_else(|| env.text(capital));
    let url = variable("https_proxy", "HTTPS_PROXY")?.into_owned();
    Some(Proxy { url, except: variable("no_proxy", "NO_PROXY").map(Cow::into_owned) })
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

/// The same for `login`, which brings a token of its own: what the project says is not asked, so that a
/// token goes where its owner says and nowhere else.
///
/// # Errors
/// What [`Config::choose`] and [`meet`] give.
pub async fn for_login(context: &Context) -> Result<Connection, Failure> {
    let chosen = Config::load(context, None)?.choose(context, "login");
    let choice = match (chosen, config::project(context)) {
        (Err(failure), Ok(Some(wanted))) if !wanted.registries().is_empty() => {
            return Err(
                failure.because("login takes no registry from skills.toml, which comes with a project")
            );
        }
        (chosen, _) => chosen?,
    };
    meet_chosen(context, choice).await
}

fn choose(context: &Context, what: &str) -> Result<Choice, Failure> {
    let wanted = config::project(context)?;
    let config = Config::load(context, wanted.as_ref())?;
    for warning in config.warnings(context) {
        context.screen.tell(&warning);
    }
    let choice = config.choose(context, what)?;
    context.screen.detail(&format!("{} from {}", choice.label(), choice.layer));
    Ok(choice)
}

async fn meet_chosen(context: &Context, choice: Choice) -> Result<Connection, Failure> {
    let met = meet(context, &client(context), &choice, None, Acquaintance::KEPT).await?;
    let session = met.session.clone();
    let withheld = Withheld::of(context, &choice);
    Ok(Connection { choice, met, session, withheld })
}

/// What a command may make of a registry that it meets.
#[derive(Debug, Clone, Copy)]
pub struct Acquaintance {
    /// Whether it may be one that nobody knows.
    pub may_begin: bool,
    /// Whether its id and its root chain are kept; a dry run keeps nothing.
    pub is_kept: bool,
}

impl Acquaintance {
    /// Whoever it is, and for good.
    pub const KEPT: Self = Self { may_begin: true, is_kept: true };
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
    acquaintance: Acquaintance,
) -> Result<Met, Failure> {
    let pins = Pins::below(&context.dirs.state);
    let named_by = if choice.layer.is_own() { "the configuration" } else { "skills.toml" };
    let configured = choice.id.map(|id| Expectation { id, named_by, since: None });
    let (own, claimed) = if choice.layer.is_own() { (configured, None) } else { (None, configured) };
    let contact = Contact {
        client,
        pins: &pins,
        endpoint: choice.endpoint.clone(),
        expected: expected.or(own),
        claimed: claimed.filter(|_| expected.is_none()),
        may_pin: acquaintance.may_begin,
        keeps: acquaintance.is_kept,
        now: context.now(),
    };
    let met = contact.meet().await.map_err(|error| refused(&error, &choice.label()))?;
    if let Some(error) = &met.unkept {
        let folder = context.shown(&context.dirs.state);
        let text = format!("{folder} cannot be read or written, so that no registry is remembered there");
        let warning = Message::warning(Code::DiskDenied, text).line(error.to_string());
        context.screen.tell(&warning.hint("set SKILL_HOME to a folder that you can write"));
    }
    if met.is_new {
        context.screen.tell(&first_contact(choice, &met, acquaintance.is_kept));
    }
    Ok(met)
}

fn first_contact(choice: &Choice, met: &Met, is_kept: bool) -> Message {
    let pinned = if is_kept { "this id is now pinned" } else { "a dry run does not pin this id" };
    Message::note(format!("first contact with {}; {pinned}", choice.endpoint))
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
        ContactError::Pins(error) => Failure::of_pins(error),
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
