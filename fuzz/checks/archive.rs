//! What holds for every archive: it is refused with a code, or it is a bundle within the limits that comes
//! out of our own archive as it went in.

use std::io::Cursor;

use skill_bundle::{BundlePath, Limits, Tree, open_archive, write_canonical};

pub(crate) fn check(data: &[u8]) {
    let limits = Limits { file_bytes: 64 << 10, bundle_bytes: 256 << 10, files: 64, ..Limits::default() };
    let bundle = match open_archive(&mut Cursor::new(data), &limits) {
        Ok((bundle, _)) => bundle,
        Err(error) => {
            assert!(!error.code().is_empty());
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    assert!(bundle.skill_md().len() as u64 <= limits.file_bytes);
    let mut files = 0;
    let mut bytes = 0;
    for (path, file) in bundle.files() {
        assert_eq!(&BundlePath::parse(path.as_str()).expect("a path of a bundle reads back"), path);
        assert!(file.content().len() as u64 <= limits.file_bytes);
        bytes += file.content().len() as u64;
        files += 1;
    }
    assert!(files <= limits.files && bytes <= limits.bundle_bytes);

    let tree = Tree::of(&bundle);
    assert_eq!(Tree::parse(&tree.preimage()).expect("a preimage reads back"), tree);

    let mut canonical = Vec::new();
    write_canonical(&bundle, &mut canonical).expect("memory does not fill");
    let (again, skipped) =
        open_archive(&mut Cursor::new(&canonical), &limits).expect("our own archive opens");
    assert!(skipped.is_empty());
    assert_eq!(again, bundle);
}
