/// Whether Windows takes a segment for a device, whatever extension it has.
///
/// Source: "Naming Files, Paths, and Namespaces" of the Windows documentation. The superscript digits count
/// as digits there, and `CONIN$` and `CONOUT$` are reserved in the console's name space.
pub(super) fn is_reserved(segment: &str) -> bool {
    let stem = segment.split('.').next().unwrap_or(segment).trim_end_matches(' ');
    let stem = stem.to_ascii_uppercase();
    match stem.as_str() {
        "CON" | "PRN" | "AUX" | "NUL" | "CONIN$" | "CONOUT$" | "CLOCK$" => true,
        _ => match stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT")) {
            Some(digit) => {
                let mut digits = digit.chars();
                matches!(digits.next(), Some('1'..='9' | '¹' | '²' | '³')) && digits.next().is_none()
            }
            None => false,
        },
    }
}
