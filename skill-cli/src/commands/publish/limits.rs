use skill_core::api::ServerLimits;

use crate::code::Code;
use crate::connection::Connection;
use crate::failure::{Failure, NOTHING_SENT};
use crate::packing::Packing;
use crate::text::number;

/// Compares what was packed with what the registry announces, before a byte is sent.
pub(super) async fn check(connection: &Connection, packing: &Packing) -> Result<(), Failure> {
    let limits = connection.session.limits().await.map_err(|error| connection.refused(&error))?;
    exceeded(&limits, packing).map_or(Ok(()), |(code, fact)| {
        Err(Failure::new(code, fact)
            .because(format!("{} takes no more", connection.label()))
            .because_in_text(NOTHING_SENT)
            .hint("leave files out with `.skillignore`"))
    })
}

fn exceeded(limits: &ServerLimits, packing: &Packing) -> Option<(Code, String)> {
    let files = packing.bundle.len();
    if files > limits.files as usize {
        let (files, limit) = (number::count(files as u64), number::count(u64::from(limits.files)));
        return Some((Code::BundleFilesMany, format!("{files} files are more than {limit}")));
    }
    let total = packing.bundle.total_bytes();
    if total > limits.bundle_bytes {
        let (total, limit) = (number::size(total), number::size(limits.bundle_bytes));
        return Some((Code::BundleLarge, format!("the files hold {total} together, more than {limit}")));
    }
    packing.bundle.files().find_map(|(path, file)| {
        let size = file.content().len() as u64;
        if size > limits.file_bytes {
            let (size, limit) = (number::size(size), number::size(limits.file_bytes));
            return Some((
                Code::BundleFileLarge,
                format!("{} holds {size}, more than {limit}", path.as_str()),
            ));
        }
        let length = path.as_str().len();
        (length > limits.path_bytes as usize).then(|| {
            (
                Code::BundlePathLong,
                format!("{} has {length} bytes, more than {}", path.as_str(), limits.path_bytes),
            )
        })
    })
}
