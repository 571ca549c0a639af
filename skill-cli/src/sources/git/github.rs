use crate::config::{self, Config};
use crate::context::Context;
use crate::failure::Failure;

/// Where `github:` leads unless a user's or the system's file says otherwise.
const GITHUB: &str = "https://github.com";

/// The URL that `github:owner/repo` is below.
///
/// # Errors
/// What reading the configuration gives.
pub(crate) fn github(context: &Context) -> Result<String, Failure> {
    let wanted = config::project(context)?;
    let config = Config::load(context, wanted.as_ref())?;
    Ok(config.github().unwrap_or(GITHUB).to_owned())
}
