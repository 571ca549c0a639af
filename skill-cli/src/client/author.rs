//! Calls that change something, and who may: one file an area.

use url::Url;

use super::{ClientError, Session};

mod account;
mod device;
mod moderation;
mod names;
mod numbers;
mod publishers;
mod publishing;

pub use account::{Identity, Membership};
pub use device::{DeviceCodes, DeviceRequest, Polled};
pub use publishing::Sent;

impl Session {
    /// A URL of the registry's own face.
    pub(super) fn own(&self, segments: &[&str]) -> Url {
        let all: Vec<&str> = ["api", "registry", "v1"].into_iter().chain(segments.iter().copied()).collect();
        self.endpoint().join(&all)
    }
}

fn to_json<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, ClientError> {
    serde_json::to_vec(value).map_err(|error| ClientError::Setup { cause: error.to_string() })
}
