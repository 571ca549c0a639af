use std::path::Path;

use reqwest::Method;
use url::Url;

use super::send::{Call, Content};
use super::{Client, ClientError, Downloaded};

/// What a URL outside of every registry answered.
#[derive(Debug)]
pub enum Fetched {
    /// The bytes.
    Saved(Downloaded),
    /// Another status than 200.
    Status(u16),
}

impl Client {
    /// Downloads from a URL that is no registry's into `to`, at most `cap` bytes; no token ever goes there.
    /// Credentials in the URL do, to its own origin.
    ///
    /// # Errors
    /// What the network gives.
    pub async fn fetch(&self, url: &Url, cap: u64, to: &Path) -> Result<Fetched, ClientError> {
        let call = Call {
            method: Method::GET,
            url: url.clone(),
            token: None,
            plain_http: false,
            accept: "*/*",
            headers: Vec::new(),
            content: Content::Nothing,
            idempotent: true,
            cap,
            save_to: Some(to),
            arrived: None,
        };
        let answer = self.call(&call).await?;
        Ok(answer.saved.map_or(Fetched::Status(answer.status), Fetched::Saved))
    }
}
