use skill_core::reference::SourceUrl;

use super::host;
use crate::client::ClientError;
use crate::code::Code;
use crate::failure::Failure;
use crate::report::Hint;
use crate::sources;

/// A download that gave no answer that could be used. It is of any web site, so nothing of it speaks of registries.
pub(super) fn failure(error: &ClientError, url: &SourceUrl) -> Failure {
    let host = host(url);
    let mut failure = match error {
        ClientError::Strange { why, .. } => {
            Failure::new(Code::RegistryError, format!("{} gives no file", sources::shown(&url.to_string())))
                .because(why.clone())
        }
        // The URL itself may be what is at fault; then it is a matter of how it was written.
        ClientError::Insecure { origin }
            if *origin != url.with_credentials().origin().ascii_serialization() =>
        {
            Failure::new(Code::RegistryError, format!("{host} sends on to {origin}, without encryption"))
                .because(format!("asked for {}", sources::shown(&url.to_string())))
        }
        ClientError::Unreachable { cause, .. } if cause.contains("InvalidContentType") => {
            Failure::new(Code::RegistryUnreachable, format!("{host} does not speak TLS on that port"))
                .because(format!("asked for {}", sources::shown(&url.to_string())))
        }
        ClientError::Insecure { .. } | ClientError::Timeout { .. } | ClientError::Offline { .. } => {
            return Failure::of_call(error, &host).nothing_changed();
        }
        _ => Failure::of_call(error, &host),
    };
    failure.hints = vec![Hint::new("check the URL, or try again later")];
    failure.nothing_changed()
}
