//! The envelope of an installed release: found by the tree it is about, opened with the root it is
//! signed under.

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

use skill_core::digest::{RegistryId, Sha256, TreeDigest};
use skill_core::name::SkillName;
use skill_core::version::Version;
use skill_trust::verify::open_statement;
use skill_trust::{Expected, Kind, TrustEnvelope, TrustError, TrustedRoot, VerifiedRelease, verify_release};

use crate::files;
use crate::workdir::Workdir;

/// What tells two releases with one tree apart in the names of their envelopes.
pub fn envelope_key(registry: RegistryId, name: &SkillName, version: &Version) -> Sha256 {
    Sha256::of(format!("{registry}/{name}/{version}"))
}

/// The names of the envelopes at hand, by the tree they are about; read once.
pub struct Envelopes {
    by_tree: HashMap<String, Vec<PathBuf>>,
    /// Why the folder of them could not be read.
    pub unreadable: Option<String>,
}

impl Envelopes {
    /// Lists the work directory's envelopes.
    pub fn of(workdir: &Workdir) -> Self {
        let mut by_tree: HashMap<String, Vec<PathBuf>> = HashMap::new();
        let folder = workdir.state().join("envelopes");
        let (entries, unreadable) = match fs_err::read_dir(&folder) {
            Ok(entries) => (Some(entries), None),
            // A folder that is not there holds none.
            Err(error) if error.kind() == io::ErrorKind::NotFound => (None, None),
            Err(error) => {
                let shown = workdir.relative(&folder);
                (None, Some(format!("{shown} cannot be read: {}", files::reason(&error))))
            }
        };
        for entry in entries.into_iter().flatten().flatten() {
            let path = entry.path();
            let tree = path.file_stem().and_then(|stem| stem.to_str()).and_then(|stem| stem.get(..64));
            if let Some(tree) = tree.map(str::to_owned) {
                by_tree.entry(tree).or_default().push(path);
            }
        }
        for paths in by_tree.values_mut() {
            paths.sort();
        }
        Self { by_tree, unreadable }
    }

    /// Those that are about `tree`, by their names.
    pub fn about(&self, tree: TreeDigest) -> &[PathBuf] {
        self.by_tree.get(&tree.sha256().to_hex()).map_or(&[], Vec::as_slice)
    }
}

/// Opens an envelope under `root` as what it says it is: every statement of it is checked, and they
/// must agree. Whether that is what was wanted is for the caller.
pub fn open(bytes: &[u8], root: &TrustedRoot) -> Result<VerifiedRelease, TrustError> {
    let envelope = TrustEnvelope::parse(bytes)?;
    let release = envelope.statements().iter().find(|logged| logged.kind == Kind::Release);
    let statement = open_statement(release.ok_or(TrustError::Missing { kind: Kind::Release })?, root)?;
    let target = statement.target();
    let (Some(slug), Some(version)) = (target.slug, target.version) else {
        return Err(TrustError::Missing { kind: Kind::Release });
    };
    let expected = Expected {
        registry: root.registry(),
        owner: target.owner.clone(),
        slug: slug.clone(),
        version: version.clone(),
    };
    verify_release(&envelope, root, &expected)
}
