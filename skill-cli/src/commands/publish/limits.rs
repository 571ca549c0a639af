use skill_core::api::{Problem, ServerLimits};

use crate::code::Code;
use crate::connection::Connection;
use crate::failure::{Failure, NOTHING_SENT};
use crate::packing::Packing;
use crate::text::number;

/// How many of the largest files are named.
const LARGEST: usize = 3;

/// Compares what was packed with what the registry announces, before a byte is sent (bug report 84). `zipped` is the
/// size of the archive.
pub(super) async fn check(connection: &Connection, packing: &Packing, zipped: u64) -> Result<(), Failure> {
    let limits = connection.session.limits().await.map_err(|error| connection.refused(&error))?;
    hold(&limits, connection, packing, zipped)
}

/// The same with limits that are known.
pub(super) fn hold(
    limits: &ServerLimits,
    connection: &Connection,
    packing: &Packing,
    zipped: u64,
) -> Result<(), Failure> {
    let Some((code, fact)) = exceeded(limits, packing, zipped) else { return Ok(()) };
    let failure = Failure::new(code, fact).because(format!("{} takes no more", connection.label()));
    Err(leave_out(failure, packing).because_in_text(NOTHING_SENT))
}

fn exceeded(limits: &ServerLimits, packing: &Packing, zipped: u64) -> Option<(Code, String)> {
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
    if zipped > limits.archive_bytes {
        let (zipped, limit) = (number::size(zipped), number::size(limits.archive_bytes));
        return Some((Code::BundleLarge, format!("the archive has {zipped}, more than {limit}")));
    }
    packing.bundle.files().find_map(|(path, file)| {
        let size = file.size();
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

/// An upload that was too large on its way. A registry says so with its limit; whatever stands in front of one has a limit
/// of its own, of which nobody announces anything.
pub(super) fn refused(
    connection: &Connection,
    packing: &Packing,
    zipped: u64,
    problem: &Problem,
    failure: Failure,
) -> Failure {
    let size = number::size(zipped);
    let failure = match Code::named(&problem.code) {
        Some(Code::BundleLarge | Code::BundleFileLarge | Code::BundleFilesMany | Code::BundleBomb) => failure,
        _ => Failure::new(
            Code::BundleLarge,
            format!("what stands before {} takes no upload of {size}", connection.label()),
        )
        .because(format!("it answered with status {}", problem.status))
        .hint("ask the operator of the registry, whose own limit is another"),
    };
    let failure = match problem.extra.get("limit").and_then(serde_json::Value::as_u64) {
        Some(limit) => failure.because(format!("{size} were sent; the limit is {}", number::size(limit))),
        None => failure.because(format!("{size} were sent")),
    };
    leave_out(failure.key("sent", zipped), packing)
}

/// Names the largest files, which are worth leaving out.
fn leave_out(failure: Failure, packing: &Packing) -> Failure {
    let failure = match failure.code {
        Code::BundleLarge => failure.because(format!("the largest: {}", largest(packing))),
        _ => failure,
    };
    failure.hint("leave files out with `.skillignore`")
}

fn largest(packing: &Packing) -> String {
    let mut files: Vec<_> = packing.bundle.files().map(|(path, file)| (file.size(), path.as_str())).collect();
    files.sort_by(|(a, one), (b, other)| b.cmp(a).then(one.cmp(other)));
    let largest =
        files.into_iter().take(LARGEST).map(|(size, path)| format!("{path} ({})", number::size(size)));
    largest.collect::<Vec<_>>().join(", ")
}
