use super::Dice;
use crate::craft::tar::{archive, entry, file, header, link, padded, record, sealed};

/// Any tar, with up to three lies in it.
pub(super) fn ambiguous(dice: &mut Dice) -> Vec<u8> {
    let mut parts = harmless(dice);
    for _ in 0..dice.one_of(&[0, 0, 1, 1, 2]) {
        let at = dice.below(parts.len());
        if dice.once_in(2) {
            lie_in_header(&mut parts[at], dice);
        } else {
            lie_about_archive(&mut parts, at, dice);
        }
    }
    let mut bytes = archive(&parts);
    match dice.below(20) {
        0 => bytes.truncate(bytes.len() - 512),
        1 => bytes.truncate(bytes.len() - 1024),
        2 => bytes.resize(bytes.len() + 512 * dice.below(20), 0),
        3 => bytes.extend(file("behind", "x")),
        4 => bytes.extend(b"x"),
        5..=8 => dice.damage(&mut bytes),
        _ => {}
    }
    bytes
}

/// What writers make.
fn harmless(dice: &mut Dice) -> Vec<Vec<u8>> {
    let long = format!("{}/{}.md", "d".repeat(90), "f".repeat(90));
    let mut prefixed = header(b"deep.md", b'0', 1, 0o644);
    prefixed[345..351].copy_from_slice(b"prefix");
    let mut gnu = header(b"gnu.md", b'0', 3, 0o644);
    gnu[257..265].copy_from_slice(b"ustar  \0");
    let mut old = header(b"old.md", b'\0', 3, 0o644);
    old[257..].fill(0);
    let others = [
        entry("scripts/run.sh", b'0', "#!/bin/sh\n", 0o755),
        entry("scripts/", b'5', "", 0o755),
        [entry("././@LongLink", b'L', &format!("{long}\0"), 0o644), file(&long[..99], "gnu")].concat(),
        [
            entry("PaxHeaders/x", b'x', &(record("path", "数据.md") + &record("mtime", "1.5")), 0o644),
            file("data.md", "pax"),
        ]
        .concat(),
        [sealed(prefixed).to_vec(), padded(b"x")].concat(),
        [sealed(gnu).to_vec(), padded(b"gnu")].concat(),
        [sealed(old).to_vec(), padded(b"old")].concat(),
        file("./dot.md", "dot"),
        file("empty", ""),
        file("big", &"0123456789abcdef".repeat(600)),
        entry("a/._b", b'0', "left out", 0o644),
    ];
    let mut parts = vec![file("SKILL.md", "# hi\n")];
    if dice.once_in(4) {
        parts.insert(0, entry("pax_global_header", b'g', &record("comment", "0123456789"), 0o644));
    }
    let wanted = 1 + dice.below(4);
    let from = dice.below(others.len());
    parts.extend(others.iter().cycle().skip(from).take(wanted).cloned());
    parts
}

/// Writes one field of the first header of a part; mostly with the right checksum for it.
fn lie_in_header(part: &mut [u8], dice: &mut Dice) {
    let mut block: [u8; 512] = part[..512].try_into().unwrap();
    let (at, text): (usize, Vec<u8>) = match dice.below(11) {
        0 => (0, padded_to(100, dice.one_of(NAMES))),
        1 => (
            100,
            dice.one_of(&[
                &b"0000755\0"[..],
                b"       \0",
                b"\0\0\0\0\0\0\0\0",
                b"0100755\0",
                b"0000799\0",
                b"+000755\0",
            ])
            .to_vec(),
        ),
        2 => (
            108,
            dice.one_of(&[
                &b"0001750\0"[..],
                b"\x80\0\0\0\0\0\0\x01",
                b"garbage\0",
                b"\0\0\0\0\0\0\0\0",
                b"1_0\0\0\0\0\0",
            ])
            .to_vec(),
        ),
        3 => (124, dice.one_of(SIZES).to_vec()),
        4 => (
            136,
            dice.one_of(&[
                &b"14371573733\0"[..],
                b"-0000000001\0",
                b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
                b"zzzzzzzzzzz\0",
            ])
            .to_vec(),
        ),
        5 => (156, vec![dice.one_of(b"0\x00123456789ALNSVXgxKz")]),
        6 => (157, padded_to(100, dice.one_of(&[&b"SKILL.md"[..], b"../x"]))),
        7 => (
            257,
            dice.one_of(&[
                &b"ustar\x0000"[..],
                b"ustar  \0",
                b"\0\0\0\0\0\0\0\0",
                b"ustar\0\0\0",
                b"GNUtar  ",
            ])
            .to_vec(),
        ),
        8 => (329, dice.one_of(&[&b"0000000\0"[..], b"\0\0\0\0\0\0\0\0", b"bad bad\0"]).to_vec()),
        9 => (345, padded_to(155, dice.one_of(&[&b"dir"[..], b"", b"a/b", b"../up", b"dir/"]))),
        _ => (500, padded_to(12, b"left over")),
    };
    block[at..at + text.len()].copy_from_slice(&text);
    let block = if dice.once_in(12) { block } else { sealed(block) };
    part[..512].copy_from_slice(&block);
}

const NAMES: &[&[u8]] = &[
    b"SKILL.md",
    b"skill.md",
    b"other.md",
    b"../up",
    b"/abs",
    b"a\\b",
    b"a//b",
    b"././dot",
    b"notes.md/",
    b"scripts",
    b"caf\xe9",
    b"nul",
    b"e\xcc\x81.md",
    b"",
    b".",
    b"./",
    b"a/",
];

const SIZES: &[&[u8]] = &[
    b"00000000003\0",
    b"00000000000\0",
    b"00000001000\0",
    b"00000000512\0",
    b"\x80\0\0\0\0\0\0\0\0\0\0\x03",
    b"          3 ",
    b"3\0\0\0\0\0\0\0\0\0\0\0",
    b"000000000003",
    b"3 3\0\0\0\0\0\0\0\0\0",
    b"+0000000003\0",
    b"\0\0\0\0\0\0\0\0\0\0\0\0",
    b"0x000000003\0",
];

fn padded_to(length: usize, text: &[u8]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    bytes.resize(length, 0);
    bytes
}

fn lie_about_archive(parts: &mut Vec<Vec<u8>>, at: usize, dice: &mut Dice) {
    match dice.below(8) {
        0 => {
            let name = dice.one_of(&["long.md\0", "SKILL.md\0", "long.md", "a\0b", "\0", "dir/\0"]);
            parts.insert(at, entry("././@LongLink", b'L', name, 0o644));
        }
        1 => parts.insert(at, entry("././@LongLink", b'K', "SKILL.md\0", 0o644)),
        2 | 3 => {
            let records = any_records(dice);
            parts.insert(at, entry("PaxHeaders/x", b'x', &records, 0o644));
        }
        4 => {
            let records = any_records(dice);
            parts.insert(at, entry("pax_global_header", b'g', &records, 0o644));
        }
        5 => parts.insert(at, vec![0; 512 * (1 + dice.below(2))]),
        6 => {
            let kind = dice.one_of(b"12347S");
            parts.insert(at, link("other", kind, "SKILL.md"));
        }
        _ => {
            let again = parts[at].clone();
            parts.push(again);
        }
    }
}

fn any_records(dice: &mut Dice) -> String {
    let mut records = String::new();
    for _ in 0..=dice.below(2) {
        records += &match dice.below(16) {
            0 => record("path", "pax.md"),
            1 => record("path", "./pax/"),
            2 => record("size", "3"),
            3 => record("size", "03"),
            4 => record("size", "1024"),
            5 => record("linkpath", "SKILL.md"),
            6 => record("GNU.sparse.major", "1") + &record("GNU.sparse.minor", "0"),
            7 => record("SCHILY.realsize", "1024"),
            8 => record("mtime", dice.one_of(&["1.5", "-1", "x"])),
            9 => record("uid", dice.one_of(&["1000", "99999999999", "x"])),
            10 => record("SCHILY.xattr.user.a", "a\n\n9 path=b\n"),
            11 => record("hdrcharset", dice.one_of(&["BINARY", "ISO-IR 10646 2000 UTF-8", "x"])),
            12 => record("comment", "nothing"),
            13 => record("", "x"),
            14 => "9 path=a".to_owned(),
            _ => record("path", ""),
        };
    }
    records
}
