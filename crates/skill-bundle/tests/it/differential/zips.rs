use super::Dice;
use crate::craft::zip::{Archive, Entry, Header, extra_field, wide_field};

/// Any archive, with up to three lies in it.
pub(super) fn ambiguous(dice: &mut Dice) -> Vec<u8> {
    let mut archive = harmless(dice);
    for _ in 0..dice.one_of(&[0, 0, 1, 1, 2]) {
        if dice.once_in(3) {
            lie_about_archive(&mut archive, dice);
        } else {
            let at = dice.below(archive.entries.len());
            lie_about_entry(&mut archive, at, dice);
        }
    }
    let mut bytes = archive.bytes();
    if dice.once_in(3) {
        dice.damage(&mut bytes);
    }
    bytes
}

/// What writers make: every form of header, descriptor and extra field that is read.
fn harmless(dice: &mut Dice) -> Archive {
    let mut entries = vec![any_form(Entry::deflated("SKILL.md", "---\nname: x\n---\n# hi\n"), dice)];
    let others = [
        Entry::deflated("scripts/run.sh", "#!/bin/sh\necho hi\n").with_mode(0o100_755),
        Entry::folder("scripts/"),
        Entry::stored("notes.md", "stored"),
        Entry::stored("empty", ""),
        Entry::deflated("数据/天气.md", "晴晴晴晴晴晴").both(|header| header.flags = 1 << 11),
        Entry::deflated("资料.md", "x"),
        Entry::deflated("big", &"0123456789abcdef".repeat(600)),
        Entry::stored("__MACOSX/._SKILL.md", "left out"),
        Entry::deflated("a b/c;1.md", "blanks"),
    ];
    let wanted = 1 + dice.below(3);
    let from = dice.below(others.len());
    for entry in others.iter().cycle().skip(from).take(wanted) {
        let entry = if entry.listed.size == 0 { entry.clone() } else { any_form(entry.clone(), dice) };
        entries.push(entry);
    }
    let mut archive = Archive::of(entries);
    match dice.below(8) {
        0 => archive.comment = b"0123456789abcdef0123456789abcdef01234567".to_vec(),
        1 => archive.wide_end = Some(|_| ()),
        2 => {
            archive.wide_end = Some(|_| ());
            archive.saturated = true;
        }
        _ => {}
    }
    archive
}

fn any_form(entry: Entry, dice: &mut Dice) -> Entry {
    match dice.below(9) {
        0 => entry.with_descriptor(true),
        1 if entry.listed.method == 8 => entry.with_descriptor(false),
        2 => entry.wide_local(),
        3 => entry.wide_listed(),
        4 => entry.wide_local().wide_listed(),
        5 => entry.with_wide_descriptor(true),
        6 => {
            let extra = [
                extra_field(0x5455, &[1, 0, 0, 0, 0]),
                extra_field(0x7875, &[1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0]),
                extra_field(0x000a, &[0; 32]),
            ];
            entry.both(|header| header.extra.extend(extra.concat()))
        }
        _ => entry,
    }
}

/// The headers that a lie is told in.
fn told(entry: &mut Entry, dice: &mut Dice, change: impl Fn(&mut Header)) {
    match dice.below(3) {
        0 => change(&mut entry.local),
        1 => change(&mut entry.listed),
        _ => {
            change(&mut entry.local);
            change(&mut entry.listed);
        }
    }
}

fn lie_about_entry(archive: &mut Archive, at: usize, dice: &mut Dice) {
    let nested = Archive::of([Entry::stored("evil.sh", "#!/bin/sh\n").with_mode(0o100_755)]).bytes();
    let entry = &mut archive.entries[at];
    match dice.below(14) {
        0 => {
            let name = dice.one_of(NAMES).to_vec();
            told(entry, dice, |header| header.name.clone_from(&name));
        }
        1 => {
            let bit = 1 << dice.below(16);
            told(entry, dice, |header| header.flags ^= bit);
        }
        2 => {
            let method = dice.one_of(&[0, 1, 6, 8, 9, 12, 14, 93, 99]);
            told(entry, dice, |header| header.method = method);
        }
        3 => {
            let crc = dice.one_of(&[0, 1, u32::MAX, entry.listed.crc ^ 1]);
            told(entry, dice, |header| header.crc = crc);
        }
        4 => {
            let change = dice.one_of(&[1_u32, u32::MAX, 12, 16]);
            told(entry, dice, |header| header.packed = header.packed.wrapping_add(change));
        }
        5 => {
            let change = dice.one_of(&[1_u32, u32::MAX]);
            told(entry, dice, |header| header.size = header.size.wrapping_add(change));
        }
        6 => {
            let extra = any_extra(entry, dice);
            told(entry, dice, |header| header.extra.extend(&extra));
        }
        7 if dice.once_in(3) => entry.internal = 1 << dice.below(16),
        7 => {
            entry.made_by = dice.one_of(&[0, 1, 2, 3, 6, 7, 10, 11, 14, 16, 19, 255]) << 8 | 0x14;
        }
        8 => {
            let mode: u32 =
                dice.one_of(&[0, 0o644, 0o755, 0o100_111, 0o104_755, 0o040_755, 0o120_777, 0o010_644]);
            entry.attributes = mode << 16 | dice.one_of(&[0, 0x01, 0x08, 0x10, 0x20, 0x400]);
        }
        9 => entry.descriptor = any_descriptor(entry, dice),
        10 => {
            let more = dice.one_of(&[b"x".to_vec(), vec![0; 12], nested, b"PK\x07\x08".to_vec()]);
            entry.data.extend(&more);
            if dice.once_in(2) {
                let packed = entry.data.len() as u32;
                told(entry, dice, |header| header.packed = packed);
            }
        }
        11 => entry.offset = Some(dice.one_of(&[0, 1, 30, 4000])),
        12 => {
            let needed = dice.one_of(&[0, 10, 45, 51, 63, 64, 0x0314]);
            told(entry, dice, |header| header.needed = needed);
        }
        _ => entry.disk = dice.one_of(&[0, 1, u16::MAX]),
    }
}

const NAMES: &[&[u8]] = &[
    b"SKILL.md",
    b"skill.md",
    b"other.md",
    b"../up",
    b"/abs",
    b"a\\b",
    b"a//b",
    b"./dot",
    b"notes.md/",
    b"scripts",
    b"scripts/run.sh",
    b"notes.md",
    b"caf\xe9",
    b"nul",
    b"long~1.md",
    b"",
    b"a\0b",
    b"C:/x",
    b"e\xcc\x81.md",
    b"x;1",
    b"Icon\r",
    b"__MACOSX/._Icon\r",
    b"._a\0b",
];

fn any_extra(entry: &Entry, dice: &mut Dice) -> Vec<u8> {
    let name = entry.listed.name.clone();
    let unicode = |name: &[u8], crc: u32| extra_field(0x7075, &[&[1], &crc.to_le_bytes()[..], name].concat());
    match dice.below(10) {
        0 => wide_field(&[u64::from(entry.listed.size)]),
        1 => wide_field(&[u64::from(entry.listed.size), u64::from(entry.listed.packed)]),
        2 => wide_field(&[7]),
        3 => unicode(&name, crc32fast::hash(&name)),
        4 => unicode(b"other.md", crc32fast::hash(&name)),
        5 => unicode(b"other.md", 0),
        6 => extra_field(0x6c78, &[&[4], &(0o100_755_u32 << 16).to_le_bytes()[..]].concat()),
        7 => extra_field(0x9901, &[2, 0, b'A', b'E', 3, 8, 0]),
        8 => extra_field(0xcafe, b"nobody knows"),
        _ => vec![1, 2, 3],
    }
}

fn any_descriptor(entry: &Entry, dice: &mut Dice) -> Vec<u8> {
    let clean = Entry { descriptor: Vec::new(), ..entry.clone() };
    match dice.below(5) {
        0 => Vec::new(),
        1 => clean.with_descriptor(true).descriptor,
        2 => clean.with_descriptor(false).descriptor,
        3 => clean.with_wide_descriptor(true).descriptor,
        _ => {
            let mut bytes = clean.with_descriptor(true).descriptor;
            let at = dice.below(bytes.len());
            bytes[at] ^= 1;
            bytes
        }
    }
}

fn lie_about_archive(archive: &mut Archive, dice: &mut Dice) {
    let inner = Archive::of([Entry::stored("SKILL.md", "other")]).bytes();
    let bytes =
        dice.one_of(&[b"x".to_vec(), vec![0; 22], b"PK\x05\x06".to_vec(), b"PK\x03\x04".to_vec(), inner]);
    match dice.below(10) {
        0 => archive.before = bytes,
        1 => archive.gap = bytes,
        2 => archive.before_end = bytes,
        3 => archive.comment = bytes,
        4 => archive.after = bytes,
        5 => archive.count = Some(archive.entries.len() as u16 - 1 + 2 * dice.below(2) as u16),
        6 => {
            let again = dice.below(archive.entries.len());
            archive.entries.push(archive.entries[again].clone());
        }
        7 => {
            let at = dice.below(archive.entries.len());
            archive.entries[at].listed_only = true;
        }
        8 => archive.entries.reverse(),
        _ => archive.saturated = !archive.saturated,
    }
}
