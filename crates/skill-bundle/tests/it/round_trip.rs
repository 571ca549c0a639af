use std::io::Cursor;
use std::os::unix::fs::PermissionsExt as _;

use cap_std::fs::Dir;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use skill_bundle::disk::{read_installed, stage};
use skill_bundle::{
    Bundle, BundleBuilder, BundlePath, Limits, PackRules, Tree, open_archive, pack_folder, write_canonical,
};

use crate::craft::{gzipped, tar, zstd};
use crate::sample;

/// Any bundle: paths that the rules allow, any bytes.
fn bundles() -> impl Strategy<Value = Bundle> {
    let path = vec("[a-zA-Z0-9_é天ß-][a-z. é]{0,6}[a-z天]", 1..4).prop_map(|segments| segments.join("/"));
    let files = btree_map(path, (any::<bool>(), vec(any::<u8>(), 0..600)), 0..12);
    files.prop_map(|files| {
        let mut builder = BundleBuilder::new(Limits::default());
        builder.add(BundlePath::parse("SKILL.md").unwrap(), false, b"# hi\n".to_vec()).unwrap();
        for (path, (executable, content)) in files {
            if let Ok(path) = BundlePath::parse(&path) {
                // Paths that meet are refused, and the builder goes on without them.
                let mut tried = BundleBuilder::new(Limits::default());
                std::mem::swap(&mut tried, &mut builder);
                builder = with_file(tried, path, executable, content);
            }
        }
        builder.finish().unwrap()
    })
}

fn with_file(builder: BundleBuilder, path: BundlePath, executable: bool, content: Vec<u8>) -> BundleBuilder {
    let before = builder.finish().unwrap();
    let rebuilt = |extra: Option<(BundlePath, bool, Vec<u8>)>| {
        let mut builder = BundleBuilder::new(Limits::default());
        let old =
            before.files().map(|(path, file)| (path.clone(), file.executable(), file.content().to_vec()));
        old.chain(extra)
            .try_for_each(|(path, executable, content)| builder.add(path, executable, content))?;
        Ok::<_, skill_bundle::BundleError>(builder)
    };
    rebuilt(Some((path, executable, content))).or_else(|_| rebuilt(None)).unwrap()
}

fn zipped(bundle: &Bundle) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_canonical(bundle, &mut bytes).unwrap();
    bytes
}

fn tarred(bundle: &Bundle) -> Vec<u8> {
    let mut builder = ::tar::Builder::new(Vec::new());
    for (path, file) in bundle.files() {
        let mut header = ::tar::Header::new_gnu();
        header.set_mode(if file.executable() { 0o755 } else { 0o644 });
        header.set_size(file.size());
        builder.append_data(&mut header, path.as_str(), file.content()).unwrap();
    }
    builder.into_inner().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_way_gives_the_same_bundle(bundle in bundles()) {
        let tar = tarred(&bundle);
        for archive in [zipped(&bundle), gzipped(&tar), zstd(&tar), tar] {
            let (opened, skipped) = open_archive(&mut Cursor::new(archive), &Limits::default()).unwrap();
            prop_assert_eq!(&opened, &bundle);
            prop_assert!(skipped.is_empty());
        }
        let folder = tempfile::tempdir().unwrap();
        stage(&bundle, &Dir::open_ambient_dir(folder.path(), cap_std::ambient_authority()).unwrap()).unwrap();
        let report = read_installed(folder.path()).unwrap();
        prop_assert_eq!(&report.tree, &Tree::of(&bundle));
        prop_assert!(report.findings.is_empty());
        let packed = pack_folder(folder.path(), PackRules::Source, &Limits::default()).unwrap();
        prop_assert_eq!(packed.bundle, bundle);
    }

    #[test]
    fn a_tree_is_its_preimage(one in bundles(), other in bundles()) {
        let (one, other) = (Tree::of(&one), Tree::of(&other));
        prop_assert_eq!(Tree::parse(&one.preimage()).unwrap(), one.clone());
        prop_assert_eq!(one.preimage() == other.preimage(), one == other);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is changed, the archive is refused or it is the same bundle but for what has no checksum.
    #[test]
    fn mutated_archives_never_panic(
        which in 0..4_usize,
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        cut in proptest::option::weighted(0.2, any::<prop::sample::Index>()),
    ) {
        let mut bytes = match which {
            0 => zipped(&sample()),
            1 => tarred(&sample()),
            2 => gzipped(&tarred(&sample())),
            _ => zstd(&tarred(&sample())),
        };
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok((bundle, _)) = open_archive(&mut Cursor::new(bytes), &Limits::default()) {
            prop_assert!(bundle.len() <= sample().len());
        }
    }
}

#[test]
fn setuid_is_dropped_when_packed() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("SKILL.md"), "x").unwrap();
    fs_err::set_permissions(folder.path().join("SKILL.md"), std::fs::Permissions::from_mode(0o4755)).unwrap();
    let packed = pack_folder(folder.path(), PackRules::Publish, &Limits::default()).unwrap();
    assert!(packed.bundle.get("SKILL.md").unwrap().executable());
    let tar = tar::archive(&[tar::entry("SKILL.md", b'0', "x", 0o4755)]);
    assert_eq!(crate::open(&tar).unwrap(), packed.bundle);
}
