//! Every way a zip can lie, one test each. The snapshot is code and message.

use insta::assert_snapshot;
use skill_bundle::Limits;

use crate::craft::zip::{Archive, Entry, extra_field, with};
use crate::{open, open_within, refusal};

fn refused(bytes: &[u8]) -> String {
    refusal(open(bytes))
}

fn skill() -> Entry {
    Entry::deflated("SKILL.md", "# hi\n")
}

#[test]
fn links() {
    let link = |target: &str| with(Entry::stored("data", target).with_mode(0o120_777));
    assert_snapshot!(refused(&link("../../shared")), @"bundle-link-outside: `data` is a link that leaves the bundle, to `../../shared`");
    assert_snapshot!(refused(&link("/etc/passwd")), @"bundle-link-outside: `data` is a link that leaves the bundle, to `/etc/passwd`");
    assert_snapshot!(refused(&link("SKILL.md")), @"bundle-special-file: `data` is a link to `SKILL.md`, and links in archives are not followed");
    let left_out = Entry::stored("__MACOSX/._a", "../..").with_mode(0o120_777);
    assert_snapshot!(refused(&with(left_out)), @"bundle-special-file: `__MACOSX/._a` is a link, not a file");
    let mut from_dos = Entry::stored("data", "SKILL.md").with_mode(0o120_777);
    from_dos.made_by = 0;
    assert_snapshot!(refused(&with(from_dos)), @"bundle-special-file: `data` is a link to `SKILL.md`, and links in archives are not followed");
}

#[test]
fn special_files() {
    let special = |mode| refused(&with(Entry::stored("x", "").with_mode(mode)));
    assert_snapshot!(special(0o010_644), @"bundle-special-file: `x` is a named pipe, not a file");
    assert_snapshot!(special(0o020_644), @"bundle-special-file: `x` is a device, not a file");
    assert_snapshot!(special(0o060_644), @"bundle-special-file: `x` is a device, not a file");
    assert_snapshot!(special(0o140_644), @"bundle-special-file: `x` is a socket, not a file");
    assert_snapshot!(special(0o170_644), @"bundle-special-file: `x` is of an unknown kind, not a file");
}

/// What DOS and Windows say of an entry, whatever its unix mode and whoever made it.
#[test]
fn attributes_of_dos() {
    for made_by in [0, 3, 10, 11, 19] {
        for mode in [0_u32, 0o644, 0o100_644] {
            let opened = |name, bits: u32| {
                let mut entry = Entry::stored(name, if name == "a/" { "" } else { "x" });
                (entry.made_by, entry.attributes) = (made_by << 8, mode << 16 | bits);
                open(&with(entry))
            };
            assert!(opened("a", 0x21).is_ok());
            for (name, bits, said) in [
                ("a", 0x28, "bundle-special-file: `a` is a volume label, not a file"),
                ("._a", 0x08, "bundle-special-file: `._a` is a volume label, not a file"),
                ("a", 0x420, "bundle-special-file: `a` is a reparse point, not a file"),
                (
                    "a",
                    0x10,
                    "bundle-headers-differ: entry 2, `a`, is a folder in one place and a file in another",
                ),
            ] {
                assert_eq!(refusal(opened(name, bits)), said, "{made_by} {mode:o}");
            }
        }
    }
    let mut junction = Entry::folder("a/");
    junction.attributes |= 0x410;
    assert_snapshot!(refused(&with(junction)), @"bundle-special-file: `a/` is a reparse point, not a file");
}

#[test]
fn folders_that_are_files() {
    let differs = |entry| refused(&with(entry));
    assert_snapshot!(differs(Entry::stored("a/", "content").with_mode(0o040_755)), @"bundle-headers-differ: entry 2, `a/`, is a folder in one place and a file in another");
    assert_snapshot!(differs(Entry::stored("a", "").with_mode(0o040_755)), @"bundle-headers-differ: entry 2, `a`, is a folder in one place and a file in another");
    assert_snapshot!(differs(Entry::stored("a/", "").with_mode(0o100_644)), @"bundle-headers-differ: entry 2, `a/`, is a folder in one place and a file in another");
    let mut dos = Entry::stored("a", "");
    (dos.made_by, dos.attributes) = (0, 0x10);
    assert_snapshot!(differs(dos), @"bundle-headers-differ: entry 2, `a`, is a folder in one place and a file in another");
}

#[test]
fn headers_that_differ() {
    let differs = |entry: Entry| refused(&with(entry));
    let entry = || Entry::deflated("notes.md", "notes notes notes");
    assert_snapshot!(differs(entry().local(|header| header.name = b"other.md".to_vec())), @"bundle-headers-differ: entry 2, `notes.md`: its headers differ in the name");
    assert_snapshot!(differs(entry().local(|header| header.flags = 2)), @"bundle-headers-differ: entry 2, `notes.md`: its headers differ in the flags");
    assert_snapshot!(differs(entry().local(|header| header.method = 0)), @"bundle-headers-differ: entry 2, `notes.md`: its headers differ in the method");
    assert_snapshot!(differs(entry().local(|header| header.crc ^= 1)), @"bundle-headers-differ: entry 2, `notes.md`: its headers differ in the checksum");
    assert_snapshot!(differs(entry().local(|header| header.packed += 1)), @"bundle-headers-differ: entry 2, `notes.md`: its headers differ in the packed size");
    assert_snapshot!(differs(entry().local(|header| header.size += 1)), @"bundle-headers-differ: entry 2, `notes.md`: its headers differ in the size");
    assert_snapshot!(differs(Entry::stored("a", "abc").both(|header| header.size = 2)), @"bundle-headers-differ: entry 2, `a`: its headers differ in their two sizes");
}

#[test]
fn descriptors_that_lie() {
    let differs =
        "bundle-headers-differ: entry 2, `notes.md`: its data descriptor does not say what the list says";
    for signature in [true, false] {
        let entry = || Entry::deflated("notes.md", "notes").with_descriptor(signature);
        assert!(open(&with(entry())).is_ok());
        let mut lies = entry();
        *lies.descriptor.last_mut().unwrap() ^= 1;
        assert_eq!(refused(&with(lies)), differs);
        let mut longer = entry();
        longer.descriptor.push(0);
        assert_eq!(refused(&with(longer)), differs);
        let mut absent = entry();
        absent.descriptor.clear();
        assert_eq!(refused(&with(absent)), differs);
    }
    let sized = Entry::deflated("notes.md", "notes").with_descriptor(true).local(|header| header.size = 4);
    assert_snapshot!(refused(&with(sized)), @"bundle-headers-differ: entry 2, `notes.md`: its headers differ in the size");
}

/// Data whose checksum is what a descriptor begins with: readers that look for that find it in the wrong place.
#[test]
fn a_checksum_like_a_signature() {
    let content = forged("notes", u32::from_le_bytes(*b"PK\x07\x08"));
    assert_snapshot!(refused(&with(Entry::of(b"a", &content, 8).with_descriptor(false))), @"bundle-headers-differ: entry 2, `a`: its data descriptor does not say what the list says");
    assert!(open(&with(Entry::of(b"a", &content, 8).with_descriptor(true))).is_ok());
}

/// Four bytes more, so that the checksum of all is `target`.
fn forged(content: &str, target: u32) -> Vec<u8> {
    let table: Vec<u32> = (0..256_u32)
        .map(|index| {
            (0..8).fold(index, |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
        })
        .collect();
    let patch = (0..4).fold(!target, |crc, _| {
        let index = table.iter().position(|entry| entry >> 24 == crc >> 24).unwrap() as u32;
        (crc ^ table[index as usize]) << 8 | index
    });
    let state = !crc32fast::hash(content.as_bytes());
    [content.as_bytes(), &(patch ^ state).to_le_bytes()].concat()
}

/// Stored data end where the list says, or where a reader that starts at the front finds a descriptor.
#[test]
fn stored_data_with_two_ends() {
    let stored = |content: &str, signature| with(Entry::stored("a", content).with_descriptor(signature));
    assert!(open(&stored("abc", true)).is_ok());
    assert!(open(&stored("", false)).is_ok());
    assert_snapshot!(refused(&stored("abc", false)), @"bundle-headers-differ: entry 2, `a`, is stored and could end in two places");
    assert_snapshot!(refused(&stored("abc PK\x07\x08 def", true)), @"bundle-headers-differ: entry 2, `a`, is stored and could end in two places");
    // The mark lies across two of the pieces that are read.
    for at in [65_533, 65_534, 65_535, 65_536] {
        let content = "x".repeat(at) + "PK\x07\x08";
        assert_eq!(open(&stored(&content, true)).unwrap_err().code(), "bundle-headers-differ", "{at}");
    }
    assert!(open(&with(Entry::stored("a", "abc PK\x07\x08 def"))).is_ok());
}

/// What is left out is judged all the same: who starts at the front would find entries in it.
#[test]
fn entries_hidden_in_what_is_left_out() {
    let hidden = Archive::of([Entry::stored("evil.sh", "#!/bin/sh")]).bytes();
    let mut entry = Entry::deflated(".DS_Store", "x");
    entry.data.extend(&hidden);
    let packed = entry.data.len() as u32;
    let longer = entry.both(|header| header.packed = packed);
    assert_snapshot!(refused(&with(longer)), @"bundle-headers-differ: entry 2, `.DS_Store`: its headers differ in the packed size");
    let mut stored =
        Entry::of(b"__MACOSX/a", &[b"PK\x07\x08", &hidden[..]].concat(), 0).with_descriptor(true);
    stored.local.size = stored.listed.size;
    assert_snapshot!(refused(&with(stored)), @"bundle-headers-differ: entry 2, `__MACOSX/a`, is stored and could end in two places");
    let wrong = Entry::stored(".DS_Store", "x").both(|header| header.crc ^= 1);
    assert_snapshot!(refused(&with(wrong)), @"bundle-checksum: entry 2, `.DS_Store`: its checksum does not match");
    let mut folder = Entry::folder("a/").both(|header| (header.method, header.packed) = (8, 2));
    folder.data = vec![0x03, 0x01];
    assert_snapshot!(refused(&with(folder)), @"bundle-headers-differ: the packed data cannot be read, at entry 2");
}

/// It takes the room of a folder for readers that leave nothing out.
#[test]
fn what_is_left_out_lies_in_a_folder() {
    let zip = Archive::of([skill(), Entry::stored("a", "1"), Entry::stored("a/._b", "2")]);
    assert_snapshot!(refused(&zip.bytes()), @"bundle-file-folder: `a` is a file and also a folder");
}

#[test]
fn what_is_left_out_has_a_limit_too() {
    let limits = Limits { bundle_bytes: 15, ..Limits::default() };
    let zip = with(Entry::stored(".git/objects/pack/a", "0123456789abcdef"));
    assert_snapshot!(refusal(open_within(&zip, &limits)), @"bundle-large: the files hold more than 15 bytes in all, at `.git/objects/pack/a`");
}

#[test]
fn sizes_that_lie() {
    let bomb = Entry::deflated("a", &"0".repeat(100_000)).both(|header| header.size = 10);
    assert_snapshot!(refused(&with(bomb)), @"bundle-bomb: unpacking stopped at 11 bytes, more than the archive announced");
    let less = Entry::deflated("a", "abc").both(|header| header.size = 4);
    assert_snapshot!(refused(&with(less)), @"bundle-headers-differ: entry 2, `a`: its headers differ in the size");
    let mut padded = Entry::deflated("a", "abc");
    padded.data.extend(b"hidden");
    assert_snapshot!(refused(&with(padded.both(|header| header.packed += 6))), @"bundle-headers-differ: entry 2, `a`: its headers differ in the packed size");
    let mut cut = Entry::deflated("a", "abcdefgh");
    cut.data.truncate(4);
    assert_snapshot!(refused(&with(cut.both(|header| header.packed = 4))), @"bundle-truncated: the archive is cut off in the packed data of an entry");
}

#[test]
fn checksum() {
    let wrong = |entry: Entry| refused(&with(entry.both(|header| header.crc ^= 1)));
    assert_snapshot!(wrong(Entry::stored("a", "abc")), @"bundle-checksum: entry 2, `a`: its checksum does not match");
    assert_snapshot!(wrong(Entry::deflated("a", "abc")), @"bundle-checksum: entry 2, `a`: its checksum does not match");
}

#[test]
fn damaged_deflate() {
    let mut entry = Entry::deflated("a", "abc");
    entry.data[0] = 0xff;
    assert_snapshot!(refused(&with(entry)), @"bundle-headers-differ: the packed data cannot be read, at entry 2");
}

#[test]
fn encrypted() {
    for bit in [0, 6, 13] {
        let entry = Entry::stored("a", "abc").both(|header| header.flags = 1 << bit);
        assert_eq!(open(&with(entry)).unwrap_err().code(), "bundle-encrypted");
    }
    let aes = Entry::stored("a", "abc").both(|header| header.extra = vec![0x01, 0x99, 0, 0]);
    assert_snapshot!(refused(&with(aes)), @"bundle-encrypted: entry 2, `a`, is encrypted");
}

#[test]
fn unknown_methods_versions_and_flags() {
    let method = |method| refused(&with(Entry::stored("a", "abc").both(|header| header.method = method)));
    assert_snapshot!(method(12), @"bundle-method: entry 2, `a`, is compressed with method 12");
    assert_snapshot!(method(93), @"bundle-method: entry 2, `a`, is compressed with method 93");
    let newer = Entry::stored("a", "abc").both(|header| header.needed = 46);
    assert_snapshot!(refused(&with(newer)), @"bundle-method: entry 2, `a`, needs version 46 of the format");
    let newer = Entry::stored("a", "abc").local(|header| header.needed = 46);
    assert_snapshot!(refused(&with(newer)), @"bundle-method: entry 2, `a`, needs version 46 of the format");
    let internal = |internal| with(Entry { internal, ..Entry::stored("a", "abc") });
    assert!(open(&internal(3)).is_ok());
    assert_snapshot!(refused(&internal(4)), @"bundle-method: entry 2, `a`, has unknown attributes 0x0004");
    let patch = Entry::stored("a", "abc").both(|header| header.flags = 1 << 5);
    assert_snapshot!(refused(&with(patch)), @"bundle-method: entry 2, `a`, has unknown flags 0x0020");
}

#[test]
fn overlapping_entries() {
    // Two entries in the list, one in the file.
    let mut second = Entry::stored("b", "kernel");
    second.offset = Some(0);
    let archive = Archive::of([Entry::stored("SKILL.md", "kernel"), second]);
    assert_snapshot!(refused(&archive.bytes()), @"bundle-headers-differ: entry 1, `SKILL.md`, shares bytes with another entry");
    // The first says that it goes on into the second.
    let first = Entry::stored("SKILL.md", "a").both(|header| (header.packed, header.size) = (20, 20));
    let archive = Archive::of([first, Entry::stored("b", "kernel")]);
    assert_snapshot!(refused(&archive.bytes()), @"bundle-headers-differ: entry 1, `SKILL.md`, shares bytes with another entry");
    // And beyond the list.
    let last = Entry::stored("SKILL.md", "a").both(|header| (header.packed, header.size) = (200, 200));
    assert_snapshot!(refused(&Archive::of([last]).bytes()), @"bundle-headers-differ: entry 1, `SKILL.md`, shares bytes with another entry");
}

#[test]
fn many_entries_over_one_kernel_are_refused_before_any_is_unpacked() {
    let kernel = "0".repeat(1_000_000);
    let mut archive = Archive::of([Entry::deflated("SKILL.md", &kernel)]);
    for number in 0..40 {
        let mut entry = Entry::deflated(&format!("{number}"), &kernel);
        entry.offset = Some(0);
        entry.data.clear();
        archive.entries.push(entry);
    }
    assert_snapshot!(refused(&archive.bytes()), @"bundle-headers-differ: entry 1, `SKILL.md`, shares bytes with another entry");
}

#[test]
fn bytes_that_belong_to_no_entry() {
    let archive = |change: fn(&mut Archive)| {
        let mut archive = Archive::of([skill(), Entry::stored("a", "a")]);
        change(&mut archive);
        refused(&archive.bytes())
    };
    assert_snapshot!(archive(|zip| zip.before = b"#!/bin/sh\n".to_vec()), @"bundle-unknown-format: this is neither a zip archive nor a tar archive");
    assert_snapshot!(archive(|zip| zip.before = b"PK\x03\x04hidden".to_vec()), @"bundle-trailing-bytes: 10 bytes at offset 0 belong to no entry");
    assert_snapshot!(archive(|zip| { zip.before = b"PK--".to_vec(); zip.relative = true; }), @"bundle-trailing-bytes: 4 bytes at offset 178 belong to no entry");
    assert_snapshot!(archive(|zip| zip.gap = b"hidden".to_vec()), @"bundle-trailing-bytes: 6 bytes at offset 77 belong to no entry");
    assert_snapshot!(archive(|zip| zip.before_end = b"hidden".to_vec()), @"bundle-trailing-bytes: 6 bytes at offset 178 belong to no entry");
    assert_snapshot!(archive(|zip| zip.after = b"hidden".to_vec()), @"bundle-trailing-bytes: there are bytes behind the end of the archive");
}

#[test]
fn an_entry_that_is_not_listed() {
    let mut zip = Archive::of([skill()]);
    let hidden = Archive::of([Entry::stored("hidden.sh", "#!/bin/sh")]).bytes();
    zip.gap = hidden[..hidden.len() - 22 - 46 - 9].to_vec();
    assert_snapshot!(refused(&zip.bytes()), @"bundle-trailing-bytes: 48 bytes at offset 45 belong to no entry");
}

#[test]
fn two_end_records() {
    let mut zip = Archive::of([skill()]);
    zip.comment = Archive::of([Entry::stored("SKILL.md", "other")]).bytes();
    assert_snapshot!(refused(&zip.bytes()), @"bundle-trailing-bytes: the archive has two end records");
    // Two archives in a row.
    let one = Archive::of([skill()]).bytes();
    assert_snapshot!(refused(&[one.clone(), one].concat()), @"bundle-trailing-bytes: 121 bytes at offset 99 belong to no entry");
}

#[test]
fn several_disks() {
    let mut end = Archive::of([skill()]);
    end.disk = 1;
    assert_snapshot!(refused(&end.bytes()), @"bundle-unknown-format: the archive is one part of several");
    let mut entry = skill();
    entry.disk = 1;
    assert_snapshot!(refused(&Archive::of([entry]).bytes()), @"bundle-unknown-format: the archive is one part of several");
}

#[test]
fn a_second_name_that_differs() {
    let unicode_path = |name: &str| {
        let value = [&[1, 0, 0, 0, 0], name.as_bytes()].concat();
        let extra = [&[0x75, 0x70, value.len() as u8, 0], value.as_slice()].concat();
        open(&with(Entry::stored("a", "abc").both(|header| header.extra.clone_from(&extra))))
    };
    assert_snapshot!(refusal(unicode_path("b")), @"bundle-headers-differ: entry 2, `a`, has a second name that differs");
    assert!(unicode_path("a").is_ok());
}

/// Two fields that give an entry a mode of their own.
#[test]
fn a_second_mode_that_differs() {
    let libarchive = |system: u16, mode: u32| {
        let value = [&[5], &(system << 8).to_le_bytes()[..], &(mode << 16).to_le_bytes()].concat();
        extra_field(0x6c78, &value)
    };
    let asi = |mode: u16, target: &[u8]| {
        let value = [&[0; 4], &mode.to_le_bytes()[..], &[0; 8], target].concat();
        extra_field(0x756e, &value)
    };
    let opened =
        |extra: &[u8]| open(&with(Entry::stored("a", "abc").local(|header| header.extra = extra.to_vec())));
    assert!(opened(&libarchive(3, 0o100_644)).is_ok());
    assert!(opened(&asi(0o100_644, b"")).is_ok());
    for extra in [
        libarchive(3, 0o100_755),
        libarchive(0, 0o100_644),
        asi(0o100_755, b""),
        asi(0o120_777, b"SKILL.md"),
        asi(0o100_644, b"SKILL.md"),
        extra_field(0x6c78, &[0x80, 1]),
        extra_field(0x6c78, &[&[4], &(0o100_644_u32 << 16).to_le_bytes()[..]].concat()),
    ] {
        assert_eq!(
            refusal(opened(&extra)),
            "bundle-headers-differ: entry 2, `a`, has a second mode that differs"
        );
    }
    assert_snapshot!(refusal(opened(&extra_field(0x6c78, &[4, 0]))), @"bundle-headers-differ: an extra field cannot be read, at entry 2");
}

/// A zip whose first entry is the header of a tar, too.
#[test]
fn two_formats_at_once() {
    let zip = Archive::of([Entry::of(&[b'n'; 100], &[0; 600], 0), skill()]).bytes();
    let mut block: [u8; 512] = zip[..512].try_into().unwrap();
    block[257..265].copy_from_slice(b"ustar\x0000");
    let both = [&crate::craft::tar::sealed(block)[..], &zip[512..]].concat();
    assert_snapshot!(refused(&both), @"bundle-unknown-format: the archive begins like two formats at once");
}

/// Whatever lies in it, only the outermost is opened.
#[test]
fn an_archive_in_an_archive_is_a_file() {
    let nested = (0..10).fold(Archive::of([Entry::stored("evil.sh", "#!/bin/sh")]).bytes(), |inner, _| {
        with(Entry::of(b"inner.zip", &inner, 8))
    });
    assert_eq!(crate::listing(&open(&nested).unwrap()), "SKILL.md inner.zip");
}

/// Of a mode the owner's execute bit is kept: neither setuid nor sticky nor anybody's right to write.
#[test]
fn modes_are_one_bit() {
    for (mode, executable) in
        [(0o4755, true), (0o2644, false), (0o1777, true), (0o666, false), (0o033, false)]
    {
        let bundle = open(&with(Entry::stored("a", "abc").with_mode(0o100_000 | mode))).unwrap();
        assert_eq!(bundle.get("a").unwrap().executable(), executable, "{mode:o}");
    }
}

#[test]
fn links_in_two_steps() {
    let link = |name, target| Entry::stored(name, target).with_mode(0o120_777);
    let steps = Archive::of([link("cur", "."), link("par", "cur/.."), Entry::stored("par/SKILL.md", "x")]);
    assert_snapshot!(refused(&steps.bytes()), @"bundle-file-folder: `par` is a file and also a folder");
    let steps = Archive::of([link("cur", "."), link("par", "cur/.."), skill()]);
    assert_snapshot!(refused(&steps.bytes()), @"bundle-special-file: `cur` is a link to `.`, and links in archives are not followed");
}

/// An empty timestamp: nothing that is read here, and the library does not go on at it.
#[test]
fn what_the_library_sees_otherwise() {
    let entry = Entry::stored("a", "abc").both(|header| header.extra = b"UT\0\0".to_vec());
    assert_snapshot!(refused(&with(entry)), @"bundle-headers-differ: two readers of the archive disagree about whether it can be read");
}

#[test]
fn malformed_extra_field() {
    let entry = Entry::stored("a", "abc").both(|header| header.extra = vec![1, 2, 9]);
    assert_snapshot!(refused(&with(entry)), @"bundle-headers-differ: an extra field cannot be read, at entry 2");
}

#[test]
fn a_count_that_lies() {
    let mut more = Archive::of([skill(), Entry::stored("a", "a")]);
    more.count = Some(3);
    assert_snapshot!(refused(&more.bytes()), @"bundle-headers-differ: the list of entries cannot be read, at entry 3");
    more.count = Some(1);
    assert_snapshot!(refused(&more.bytes()), @"bundle-headers-differ: the end of the list of entries cannot be read");
}

#[test]
fn too_many_entries_are_refused_before_the_list_is_read() {
    let mut many = Archive::of([skill()]);
    many.count = Some(60_000);
    assert_snapshot!(refused(&many.bytes()), @"bundle-files-many: there are more than 8000 entries");
}

#[test]
fn too_large() {
    let limits = Limits { file_bytes: 10, bundle_bytes: 15, ..Limits::default() };
    let file = with(Entry::deflated("a", "12345678901"));
    assert_snapshot!(refusal(open_within(&file, &limits)), @"bundle-file-large: `a` holds 11 bytes, 10 are allowed");
    let all = Archive::of([skill(), Entry::deflated("a", "123456789"), Entry::deflated("b", "12")]).bytes();
    assert_snapshot!(refusal(open_within(&all, &limits)), @"bundle-large: the files hold more than 15 bytes in all, at `b`");
    let archive = Limits { archive_bytes: 10, ..limits };
    assert_snapshot!(refusal(open_within(&all, &archive)), @"bundle-large: the archive holds 292 bytes, 10 are allowed");
}

#[test]
fn cut_off_at_every_byte() {
    let whole = with(Entry::deflated("a", "abc"));
    for length in 0..whole.len() {
        assert!(open(&whole[..length]).is_err(), "{length}");
    }
    assert_snapshot!(refused(&whole[..whole.len() - 1]), @"bundle-truncated: the archive is cut off in its end record");
}
