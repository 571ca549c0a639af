use std::io::{self, Write as _};
use std::time::Duration;

use skill_core::name::Owner;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

use super::place::Place;
use super::{Env, Failure};
use crate::accounts;
use crate::app::App;
use crate::clock::Clock;
use crate::config::{Config, Flags};
use crate::connections::{self, Patience};
use crate::data::{FIRST_USER, REGISTRY};
use crate::entropy::Entropy;
use crate::telemetry;

/// How long requests may go on after the registry was told to stop.
const GRACE: Duration = Duration::from_secs(20);

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// Address and port; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT")]
    listen: Option<String>,
    /// URL under which clients reach the registry
    #[arg(long, value_name = "URL")]
    public_url: Option<String>,
}

pub(super) async fn run(args: Args, env: &Env) -> Result<(), Failure> {
    let flags = Flags::default().with("listen", args.listen).with("public_url", args.public_url);
    let mut config = args.place.settings(env, flags)?;
    telemetry::start(&config.log).map_err(|error| Failure::usage(error.to_string()))?;
    for name in &config.unknown_env {
        tracing::warn!(name, "this variable looks like a setting and is none");
    }
    let listener = bind(&mut config).await?;
    let stop = asked_to_stop()?;
    let app = App::build(config, Clock::System, Entropy::System).await?;
    say_where(&app).map_err(|error| Failure::new(format!("cannot write to stdout: {error}")))?;
    show_first_token(&app).await?;
    serve(&app, listener, stop).await;
    app.close().await;
    tracing::info!("stopped");
    Ok(())
}

/// Takes the address before anything is made, and writes the port that was given down.
async fn bind(config: &mut Config) -> Result<TcpListener, Failure> {
    let listen = config.server.listen;
    let cannot =
        |error: io::Error| Failure::new(format!("cannot listen on {listen}")).because(error.to_string());
    let listener = TcpListener::bind(listen).await.map_err(cannot)?;
    config.server.listen = listener.local_addr().map_err(cannot)?;
    Ok(listener)
}

/// Whoever starts the registry reads this line to learn its port.
fn say_where(app: &App) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "listening on http://{}", app.config().server.listen)?;
    out.flush()
}

async fn show_first_token(app: &App) -> Result<(), Failure> {
    let Some(token) = app.first_token() else { return Ok(()) };
    let url = app.base_url();
    let link = first_link(app).await?;
    let text = format!(
        "made registry {id}\n  in {data}\n\ntoken of {FIRST_USER}, shown this once: {token}\n\n\
         next, on the machine where skills are written:\n  skill registry add {url}\n  \
         skill login --token -         (then the token and a line end)\n\n\
         {link}\
         an account for somebody else:\n  skill-registry user add NAME --data {data}\n  \
         skill-registry token create --user NAME --data {data}\n",
        id = app.registry_id(),
        data = app.folder().path().display(),
        token = token.reveal(),
    );
    let shown = io::stderr().lock().write_all(text.as_bytes());
    shown.map_err(|error| Failure::new(format!("cannot show the first token on stderr: {error}")))?;
    Ok(app.first_token_shown().await?)
}

/// What to say of a link that signs the administrator's browser in, where one can be.
async fn first_link(app: &App) -> Result<String, Failure> {
    let (Ok(name), Some(_)) = (FIRST_USER.parse::<Owner>(), app.cookie()) else { return Ok(String::new()) };
    let made = accounts::make_link_as_operator(app.db(), app.entropy(), &name, REGISTRY).await;
    let (secret, _) = made.map_err(|error| Failure::new(error.to_string()))?;
    Ok(format!("or in a browser, once and within a day:\n  {}\n\n", app.sign_in_url(&secret)))
}

/// Serves until told to stop, then lets running requests end, for [`GRACE`] at most.
async fn serve(app: &App, listener: TcpListener, stop: impl Future<Output = ()>) {
    let (sender, mut stopping) = oneshot::channel();
    let serving = connections::serve(listener, app.router(), Patience::default(), async move {
        stop.await;
        tracing::info!("stopping");
        // Nobody listens any more only if serving has ended already.
        let _ = sender.send(());
    });
    let grace = async {
        match (&mut stopping).await {
            Ok(()) => tokio::time::sleep(GRACE).await,
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        () = serving => {}
        () = grace => tracing::warn!("requests were cut off: they went on too long after the stop"),
    }
}

/// Ends when the process is told to stop (SIGTERM, SIGINT).
fn asked_to_stop() -> Result<impl Future<Output = ()> + Send + 'static, Failure> {
    let heard = |kind| {
        signal(kind).map_err(|error: io::Error| Failure::new(format!("cannot wait for signals: {error}")))
    };
    let (mut terminate, mut interrupt) = (heard(SignalKind::terminate())?, heard(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
