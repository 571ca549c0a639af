/// One header block with a right checksum.
pub(crate) fn header(name: &[u8], kind: u8, size: u64, mode: u32) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
    block[100..108].copy_from_slice(format!("{mode:07o}\0").as_bytes());
    block[108..116].copy_from_slice(b"0000000\0");
    block[116..124].copy_from_slice(b"0000000\0");
    block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    block[136..148].copy_from_slice(b"00000000000\0");
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar\x0000");
    sealed(block)
}

/// The block with its checksum.
pub(crate) fn sealed(mut block: [u8; 512]) -> [u8; 512] {
    block[148..156].copy_from_slice(b"        ");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// Content, filled up to whole blocks.
pub(crate) fn padded(content: &[u8]) -> Vec<u8> {
    let mut bytes = content.to_vec();
    bytes.resize(content.len().div_ceil(512) * 512, 0);
    bytes
}

/// An entry of any type with content.
pub(crate) fn entry(name: &str, kind: u8, content: &str, mode: u32) -> Vec<u8> {
    let mut bytes = header(name.as_bytes(), kind, content.len() as u64, mode).to_vec();
    bytes.extend(padded(content.as_bytes()));
    bytes
}

pub(crate) fn file(name: &str, content: &str) -> Vec<u8> {
    entry(name, b'0', content, 0o644)
}

/// A link of a type, with what it says.
pub(crate) fn link(name: &str, kind: u8, target: &str) -> Vec<u8> {
    let mut block = header(name.as_bytes(), kind, 0, 0o777);
    block[157..157 + target.len()].copy_from_slice(target.as_bytes());
    sealed(block).to_vec()
}

/// A pax record.
pub(crate) fn record(key: &str, value: &str) -> String {
    let rest = format!(" {key}={value}\n");
    let mut length = rest.len() + 1;
    while length != rest.len() + length.to_string().len() {
        length += 1;
    }
    format!("{length}{rest}")
}

/// Parts, and the two blocks of zeros at the end.
pub(crate) fn archive(parts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = parts.concat();
    bytes.extend([0; 1024]);
    bytes
}

/// `SKILL.md` and one more part.
pub(crate) fn with(part: Vec<u8>) -> Vec<u8> {
    archive(&[file("SKILL.md", "# hi\n"), part])
}
