//! What of a file that is in no encoding a person, or a shell, could read.

/// How much of a file says whether it is text.
const HEAD: usize = 64 << 10;

/// The shortest run of a binary that can be a command.
const SHORTEST: usize = 8;

/// Whether nine of ten of its first bytes are printable: a shell runs such a file.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(HEAD)];
    let printable = head.iter().filter(|&&byte| is_printable(byte)).count();
    printable * 10 >= head.len() * 9
}

/// The runs of printable ASCII, one on a line.
pub(super) fn runs(bytes: &[u8]) -> String {
    let mut text = String::new();
    for run in bytes.split(|&byte| !is_printable(byte) || matches!(byte, b'\n' | b'\r')) {
        if run.len() >= SHORTEST {
            text.push_str(&String::from_utf8_lossy(run));
            text.push('\n');
        }
    }
    text
}

const fn is_printable(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}
