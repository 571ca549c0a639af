//! Every way the gzip or the zstd around a tar can lie, one test each. The snapshot is code and message.

use insta::assert_snapshot;

use crate::craft::tar::{file, with};
use crate::craft::{gzipped, zstd};
use crate::{listing, open, refusal};

fn refused(bytes: &[u8]) -> String {
    refusal(open(bytes))
}

fn tar() -> Vec<u8> {
    with(file("a", "abc"))
}

mod gzip {
    use super::*;

    #[test]
    fn checksum_and_length() {
        let whole = gzipped(&tar());
        for at in [whole.len() - 8, whole.len() - 1] {
            let mut wrong = whole.clone();
            wrong[at] ^= 1;
            assert_eq!(refused(&wrong), "bundle-checksum: the checksum of the gzip stream does not match");
        }
    }

    /// The stream itself is damaged where its checksum is right: that is no wrong checksum.
    #[test]
    fn blocks_that_do_not_read() {
        let mut wrong = gzipped(&tar());
        // The type of the first block is none.
        wrong[10] |= 0b110;
        assert_snapshot!(refused(&wrong), @"bundle-headers-differ: the gzip stream cannot be read");
    }

    #[test]
    fn members_and_trailing_bytes() {
        let whole = gzipped(&tar());
        let twice = [whole.clone(), gzipped(b"")].concat();
        assert_snapshot!(refused(&twice), @"bundle-trailing-bytes: the archive is two gzip streams in a row");
        let halves = [gzipped(&tar()[..1024]), gzipped(&tar()[1024..])].concat();
        assert!(open(&halves).is_err());
        let zeros = [whole.clone(), vec![0; 512]].concat();
        assert_snapshot!(refused(&zeros), @"bundle-trailing-bytes: there are bytes behind the end of the archive");
        let garbage = [whole, b"garbage".to_vec()].concat();
        assert_snapshot!(refused(&garbage), @"bundle-trailing-bytes: there are bytes behind the end of the archive");
    }

    #[test]
    fn something_else_inside() {
        let no_tar = "bundle-unknown-format: what is packed in the archive is no tar archive";
        let zip = crate::craft::zip::with(crate::craft::zip::Entry::stored("a", "abc"));
        for other in [b"hello".to_vec(), vec![b'x'; 600], gzipped(&tar()), zip] {
            assert_eq!(refused(&gzipped(&other)), no_tar, "{other:?}");
        }
        assert_snapshot!(refused(&gzipped(b"")), @"bundle-truncated: the archive is cut off in its end");
    }

    /// A member with the optional fields of its header, as `flags` say.
    fn with_header(flags: u8, fields: &[u8]) -> Vec<u8> {
        let whole = gzipped(&tar());
        [&whole[..3], &[flags], &whole[4..10], fields, &whole[10..]].concat()
    }

    #[test]
    fn optional_fields_are_read_past() {
        for (flags, fields) in [
            (1, &b""[..]),
            (4, b"\x03\0abc"),
            (8, b"../../name.tar\0"),
            (16, b"comment\0"),
            (4 | 8 | 16, b"\0\0name\0comment\0"),
        ] {
            assert_eq!(listing(&open(&with_header(flags, fields)).unwrap()), "SKILL.md a", "{flags}");
            // And with their checksum behind them.
            let header = with_header(flags | 2, fields)[..10 + fields.len()].to_vec();
            let checksum = (crc32fast::hash(&header) as u16).to_le_bytes();
            let with_checksum = with_header(flags | 2, &[fields, &checksum].concat());
            assert_eq!(listing(&open(&with_checksum).unwrap()), "SKILL.md a", "{flags}");
        }
    }

    #[test]
    fn headers_that_lie() {
        for (flags, fields) in [(0x20, vec![]), (0x80, vec![]), (8, vec![b'x'; 70_000])] {
            let error = open(&with_header(flags, &fields)).unwrap_err();
            assert_eq!(error.to_string(), "the gzip stream cannot be read", "{flags}");
        }
        let name_without_end = with_header(8, &[])[..15].to_vec();
        assert_snapshot!(refused(&name_without_end), @"bundle-truncated: the archive is cut off in the gzip stream");
        let checksum = with_header(2, b"xx");
        assert_snapshot!(refused(&checksum), @"bundle-checksum: the checksum of the gzip stream does not match");
        let mut method = gzipped(&tar());
        method[2] = 7;
        assert_snapshot!(refused(&method), @"bundle-headers-differ: the gzip stream cannot be read");
    }

    #[test]
    fn cut_off_at_every_byte() {
        let whole = gzipped(&tar());
        for length in 0..whole.len() {
            assert!(open(&whole[..length]).is_err(), "{length}");
        }
        assert_snapshot!(refused(&whole[..whole.len() - 4]), @"bundle-truncated: the archive is cut off in the gzip stream");
    }
}

mod zst {
    use super::*;

    const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

    /// A frame of raw blocks with a checksum, with these fields behind the magic.
    fn frame(header: &[u8], content: &[u8]) -> Vec<u8> {
        let mut bytes = [&MAGIC, header].concat();
        let mut blocks = content.chunks(512).peekable();
        while let Some(block) = blocks.next() {
            let last = u32::from(blocks.peek().is_none());
            bytes.extend(&((block.len() as u32) << 3 | last).to_le_bytes()[..3]);
            bytes.extend(block);
        }
        // The last bytes of a frame are the checksum of its content, whatever its header.
        let whole = zstd(content);
        bytes.extend(&whole[whole.len() - 4..]);
        bytes
    }

    /// With a checksum, without a size, and a window of 1 MiB.
    const PLAIN: [u8; 2] = [4, 10 << 3];

    /// The size in four bytes, as its own segment or with a window of 1 MiB in front.
    fn sized(descriptor: u8, size: u32) -> Vec<u8> {
        let window: &[u8] = if descriptor & 0x20 == 0 { &[10 << 3] } else { &[] };
        [&[descriptor], window, &size.to_le_bytes()].concat()
    }

    #[test]
    fn every_form_of_header() {
        let tar = tar();
        let length = tar.len() as u32;
        for header in [
            PLAIN.to_vec(),
            sized(0x84, length),
            sized(0xa4, length),
            [&[0x44, 10 << 3], &(length as u16 - 256).to_le_bytes()[..]].concat(),
            [&[0xe4], &u64::from(length).to_le_bytes()[..]].concat(),
            // An unused bit, which decoders do not look at.
            vec![0x14, 10 << 3],
        ] {
            let opened = open(&frame(&header, &tar)).unwrap_or_else(|error| panic!("{header:x?}: {error}"));
            assert_eq!(listing(&opened), "SKILL.md a");
        }
        assert_eq!(listing(&open(&zstd(&tar)).unwrap()), "SKILL.md a");
    }

    #[test]
    fn checksum() {
        let whole = zstd(&tar());
        let mut wrong = whole.clone();
        *wrong.last_mut().unwrap() ^= 1;
        assert_snapshot!(refused(&wrong), @"bundle-checksum: the checksum of the zstd stream does not match");
        // A frame may have none.
        let unchecked = frame(&[0, 10 << 3], &tar());
        assert!(open(&unchecked[..unchecked.len() - 4]).is_ok());
        assert_snapshot!(refused(&unchecked), @"bundle-trailing-bytes: there are bytes behind the end of the archive");
    }

    #[test]
    fn a_size_that_lies() {
        let length = tar().len() as u32;
        for lie in [length - 1, length + 1] {
            for descriptor in [0x84, 0xa4] {
                let expected = format!(
                    "bundle-headers-differ: the zstd stream announces {lie} bytes and holds {length}"
                );
                assert_eq!(refused(&frame(&sized(descriptor, lie), &tar())), expected);
            }
        }
    }

    #[test]
    fn a_window_that_needs_too_much() {
        // 8 MiB are enough for every level up to 19, and one step more is refused before anything is decoded.
        assert!(open(&frame(&[4, 13 << 3], &tar())).is_ok());
        assert_snapshot!(refused(&frame(&[4, 13 << 3 | 1], &tar())), @"bundle-unknown-format: the zstd stream needs a window of 9437184 bytes, 8388608 are allowed: pack it without --long");
        assert_snapshot!(refused(&frame(&[4, 0xff], &[])), @"bundle-unknown-format: the zstd stream needs a window of 4123168604160 bytes, 8388608 are allowed: pack it without --long");
        assert_snapshot!(refused(&frame(&sized(0xa4, u32::MAX), &tar())), @"bundle-unknown-format: the zstd stream needs a window of 4294967295 bytes, 8388608 are allowed: pack it without --long");
    }

    #[test]
    fn a_dictionary() {
        assert_snapshot!(refused(&frame(&[5, 10 << 3, 7], &tar())), @"bundle-unknown-format: the archive needs a zstd dictionary");
    }

    #[test]
    fn a_reserved_bit() {
        assert_snapshot!(refused(&frame(&[12, 10 << 3], &tar())), @"bundle-headers-differ: the zstd stream cannot be read");
    }

    #[test]
    fn frames_and_trailing_bytes() {
        let whole = zstd(&tar());
        let skippable = [&[0x5a, 0x2a, 0x4d, 0x18], &5_u32.to_le_bytes()[..], b"hello"].concat();
        assert_snapshot!(refused(&[whole.clone(), whole.clone()].concat()), @"bundle-trailing-bytes: the archive is two zstd frames in a row");
        assert_snapshot!(refused(&[whole.clone(), skippable.clone()].concat()), @"bundle-trailing-bytes: the archive has a zstd frame that decoders skip");
        assert_snapshot!(refused(&[skippable, whole.clone()].concat()), @"bundle-trailing-bytes: the archive has a zstd frame that decoders skip");
        assert_snapshot!(refused(&[whole, b"garbage".to_vec()].concat()), @"bundle-trailing-bytes: there are bytes behind the end of the archive");
    }

    #[test]
    fn something_else_inside() {
        assert_snapshot!(refused(&zstd(b"hello")), @"bundle-unknown-format: what is packed in the archive is no tar archive");
        assert_snapshot!(refused(&zstd(&[b'x'; 600])), @"bundle-unknown-format: what is packed in the archive is no tar archive");
        assert!(open(&zstd(&zstd(&tar()))).is_err());
    }

    #[test]
    fn damaged_blocks() {
        // A block of the reserved type, and one that is larger than a window of 1 KiB allows.
        assert_snapshot!(refused(&[&MAGIC[..], &[0, 10 << 3, 7, 0, 0]].concat()), @"bundle-headers-differ: the zstd stream cannot be read");
        let large = [&MAGIC[..], &[0, 0], &(2048_u32 << 3 | 1).to_le_bytes()[..3], &[0; 2048]].concat();
        assert_snapshot!(refused(&large), @"bundle-headers-differ: the zstd stream cannot be read");
    }

    /// A frame of one block, whose 32 literals are one bit each, in four streams: `marks` say how many are in each.
    fn of_literals(marks: [&[u8]; 4]) -> Vec<u8> {
        // Two codes of one bit; lengths of three streams; the streams.
        let mut streams = vec![128, 0x10];
        for mark in &marks[..3] {
            streams.extend((mark.len() as u16).to_le_bytes());
        }
        streams.extend(marks.concat());
        let header = 2 | 1 << 2 | 32 << 4 | (streams.len() as u32) << 14;
        // Behind the literals: no sequences.
        let block = [&header.to_le_bytes()[..3], &streams, &[0]].concat();
        [&MAGIC[..], &[0, 10 << 3], &((block.len() as u32) << 3 | 2 << 1 | 1).to_le_bytes()[..3], &block]
            .concat()
    }

    /// The decoder looks whether all literals are as many as announced, and others where each stream of them ends: they
    /// would make different bytes of this, and see nothing wrong.
    #[test]
    fn streams_of_literals_of_other_lengths() {
        let decoded = |frame: &[u8]| {
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(
                &mut ruzstd::decoding::StreamingDecoder::new(frame).unwrap(),
                &mut bytes,
            )
            .map(|_| bytes)
        };
        // Eight in each: 32 zeros, which are no tar.
        let even = of_literals([&[0, 1], &[0, 1], &[0, 1], &[0, 1]]);
        assert_eq!(decoded(&even).unwrap(), [0; 32]);
        assert_snapshot!(refused(&even), @"bundle-unknown-format: what is packed in the archive is no tar archive");
        // Nine, seven, and eight in the others.
        let uneven = of_literals([&[0, 2], &[0x80], &[0, 1], &[0, 1]]);
        assert_eq!(decoded(&uneven).unwrap(), [0; 32]);
        assert_snapshot!(refused(&uneven), @"bundle-headers-differ: the zstd stream cannot be read");
    }

    #[test]
    fn cut_off_at_every_byte() {
        for whole in [zstd(&tar()), frame(&PLAIN, &tar())] {
            for length in 0..whole.len() {
                assert!(open(&whole[..length]).is_err(), "{length}");
            }
            let expected = "bundle-truncated: the archive is cut off in the zstd stream";
            assert_eq!(refused(&whole[..whole.len() - 3]), expected);
        }
    }
}
