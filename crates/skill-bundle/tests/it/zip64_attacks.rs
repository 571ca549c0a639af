//! Zip64: what real writers do is read, and every way it can say two things is refused.

use insta::assert_snapshot;

use crate::craft::zip::{Archive, Entry, Header, wide_field, with};
use crate::{listing, open, refusal};

fn refused(bytes: &[u8]) -> String {
    refusal(open(bytes))
}

fn skill() -> Entry {
    Entry::deflated("SKILL.md", "# hi\n")
}

fn a() -> Entry {
    Entry::deflated("a", "abc")
}

/// Python with `force_zip64`, 7-Zip from a pipe, libarchive with `zip64`, Info-ZIP with `-fz`.
#[test]
fn as_real_writers_make_it() {
    let mut both_sizes = a().wide_local().with_descriptor(true);
    both_sizes.local = a().wide_local().both(|header| header.flags = 8).local;
    both_sizes.descriptor = a().with_wide_descriptor(true).descriptor;
    for entry in [
        a().wide_local(),
        a().wide_listed(),
        a().wide_local().wide_listed(),
        a().with_wide_descriptor(true),
        a().with_wide_descriptor(false),
        both_sizes,
    ] {
        for saturated in [false, true] {
            for wide_end in [None, Some((|_| ()) as fn(&mut Vec<u8>))] {
                if saturated && wide_end.is_none() {
                    continue;
                }
                let archive = Archive { wide_end, saturated, ..Archive::of([skill(), entry.clone()]) };
                let opened = open(&archive.bytes()).unwrap_or_else(|error| panic!("{archive:?}: {error}"));
                assert_eq!(listing(&opened), "SKILL.md a");
            }
        }
    }
}

fn end(change: fn(&mut Vec<u8>)) -> String {
    refused(&Archive { wide_end: Some(change), ..Archive::of([skill(), a()]) }.bytes())
}

#[test]
fn a_locator_that_leads_elsewhere() {
    // The record begins at byte 0 of what is changed, the locator at 56.
    assert_snapshot!(end(|bytes| bytes[64] ^= 1), @"bundle-headers-differ: the zip64 locator does not lead to a record right before it");
    assert_snapshot!(end(|bytes| bytes[71] = 0xff), @"bundle-headers-differ: the zip64 locator does not lead to a record right before it");
    assert_snapshot!(end(|bytes| bytes[0] = b'p'), @"bundle-headers-differ: the zip64 locator does not lead to a record right before it");
    assert_snapshot!(end(|bytes| bytes[4] = 45), @"bundle-headers-differ: the zip64 locator does not lead to a record right before it");
    // A second record behind the first, and a record that grew.
    assert_snapshot!(end(|bytes| { let record = bytes[..56].to_vec(); bytes.splice(56..56, record); }), @"bundle-headers-differ: the zip64 locator does not lead to a record right before it");
    assert_snapshot!(end(|bytes| { bytes[4] = 48; bytes.splice(56..56, [0; 4]); }), @"bundle-headers-differ: the zip64 locator does not lead to a record right before it");
}

#[test]
fn a_record_without_a_locator() {
    assert_snapshot!(end(|bytes| bytes.truncate(56)), @"bundle-trailing-bytes: 56 bytes at offset 182 belong to no entry");
    let asks = Archive { saturated: true, ..Archive::of([skill()]) };
    assert_snapshot!(refused(&asks.bytes()), @"bundle-headers-differ: the zip64 locator does not lead to a record right before it");
    assert_snapshot!(end(|bytes| { bytes.drain(..56); }), @"bundle-headers-differ: the zip64 locator does not lead to a record right before it");
}

#[test]
fn end_records_that_differ() {
    for change in [
        |bytes: &mut Vec<u8>| (bytes[24], bytes[32]) = (1, 1),
        |bytes: &mut Vec<u8>| bytes[40] ^= 1,
        |bytes: &mut Vec<u8>| bytes[48] ^= 1,
    ] {
        assert_eq!(
            end(change),
            "bundle-headers-differ: the archive's two end records differ, with 64 bits and with 32"
        );
    }
}

#[test]
fn end_records_of_several_disks() {
    for change in [
        |bytes: &mut Vec<u8>| bytes[16] = 1,
        |bytes: &mut Vec<u8>| bytes[20] = 1,
        |bytes: &mut Vec<u8>| bytes[24] = 1,
        |bytes: &mut Vec<u8>| bytes[60] = 1,
        |bytes: &mut Vec<u8>| bytes[72] = 2,
    ] {
        assert_eq!(end(change), "bundle-unknown-format: the archive is one part of several");
    }
}

/// Counts and sizes that no memory holds, in the record that all readers believe.
#[test]
fn numbers_beyond_everything() {
    let saturated = |change| {
        refused(&Archive { wide_end: Some(change), saturated: true, ..Archive::of([skill()]) }.bytes())
    };
    assert_snapshot!(saturated(|bytes| bytes[24..40].fill(0xff)), @"bundle-files-many: there are more than 8000 entries");
    assert_snapshot!(saturated(|bytes| bytes[40..48].fill(0xff)), @"bundle-headers-differ: its end record cannot be read");
    assert_snapshot!(saturated(|bytes| bytes[48..56].fill(0xff)), @"bundle-headers-differ: its end record cannot be read");
    let listed = |numbers: &[u64]| {
        let mut entry = a();
        (entry.listed.size, entry.listed.packed) = (u32::MAX, u32::MAX);
        entry.listed.extra = wide_field(numbers);
        refused(&with(entry))
    };
    assert_snapshot!(listed(&[u64::MAX, 5]), @"bundle-file-large: `a` holds 18446744073709551615 bytes, 10485760 are allowed");
    assert_snapshot!(listed(&[3, u64::MAX]), @"bundle-headers-differ: entry 2, `a`: its headers differ in the packed size");
    let mut far = a();
    far.offset = Some(u32::MAX);
    far.listed.extra = wide_field(&[u64::MAX]);
    assert_snapshot!(refused(&with(far)), @"bundle-trailing-bytes: 18446744073709551570 bytes at offset 45 belong to no entry");
}

#[test]
fn fields_that_nothing_asks_for() {
    let conflict =
        "bundle-headers-differ: entry 2, `a`: its zip64 fields are not those that its header asks for";
    let listed = |change: fn(&mut Header)| {
        let mut entry = a();
        change(&mut entry.listed);
        refused(&with(entry))
    };
    let local = |change: fn(&mut Header)| refused(&with(a().local(change)));
    for refused in [
        // None asked for: no number, one, the same ones.
        listed(|header| header.extra = wide_field(&[])),
        listed(|header| header.extra = wide_field(&[3])),
        listed(|header| header.extra = wide_field(&[3, 5])),
        // Asked for: none there, too few, too many, twice.
        listed(|header| header.size = u32::MAX),
        listed(|header| {
            header.size = u32::MAX;
            header.extra = wide_field(&[]);
        }),
        listed(|header| {
            header.size = u32::MAX;
            header.extra = wide_field(&[3, 5]);
        }),
        listed(|header| {
            header.size = u32::MAX;
            header.extra = [wide_field(&[3]), wide_field(&[3])].concat();
        }),
        // In front of the data there are both or none.
        local(|header| header.extra = wide_field(&[3, 5])),
        local(|header| {
            header.size = u32::MAX;
            header.extra = wide_field(&[3]);
        }),
        local(|header| {
            header.size = u32::MAX;
            header.extra = wide_field(&[3, 5]);
        }),
        local(|header| {
            (header.size, header.packed) = (u32::MAX, u32::MAX);
            header.extra = wide_field(&[3]);
        }),
        local(|header| {
            (header.size, header.packed) = (u32::MAX, u32::MAX);
            header.extra = wide_field(&[3, 5, 0]);
        }),
    ] {
        assert_eq!(refused, conflict);
    }
}

#[test]
fn wide_sizes_that_differ() {
    let local = |numbers: &[u64]| {
        let mut entry = a().wide_local();
        entry.local.extra = wide_field(numbers);
        refused(&with(entry))
    };
    assert_snapshot!(local(&[4, 5]), @"bundle-headers-differ: entry 2, `a`: its headers differ in the size");
    assert_snapshot!(local(&[3, 6]), @"bundle-headers-differ: entry 2, `a`: its headers differ in the packed size");
    assert_snapshot!(local(&[0, 0]), @"bundle-headers-differ: entry 2, `a`: its headers differ in the packed size");
    let bare = a().local(|header| (header.size, header.packed) = (u32::MAX, u32::MAX));
    assert_snapshot!(refused(&with(bare)), @"bundle-headers-differ: entry 2, `a`: its headers differ in the packed size");
}

/// How long a descriptor is hangs on the header alone.
#[test]
fn descriptors_of_the_other_length() {
    let lies = "bundle-headers-differ: entry 2, `a`: its data descriptor does not say what the list says";
    for signature in [true, false] {
        let (narrow, wide) = (a().with_descriptor(signature), a().with_wide_descriptor(signature));
        let swapped = Entry { descriptor: wide.descriptor.clone(), ..narrow.clone() };
        assert_eq!(refused(&with(swapped)), lies);
        let swapped = Entry { descriptor: narrow.descriptor, ..wide };
        assert_eq!(refused(&with(swapped)), lies);
    }
}
