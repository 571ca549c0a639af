/// Whether a segment looks like the second name that Windows gives to a file whose own does not fit into 8.3 characters:
/// `LONGNA~1.MD` opens `long-name.md`, whichever of the two was written.
pub(super) fn is_one(segment: &str) -> bool {
    let (stem, extension) = segment.split_once('.').unwrap_or((segment, ""));
    let Some((head, number)) = stem.rsplit_once('~') else { return false };
    let fits = stem.chars().count() <= 8 && extension.chars().count() <= 3 && !extension.contains('.');
    fits && !head.is_empty() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}
