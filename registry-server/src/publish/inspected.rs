use skill_bundle::{Bundle, Limits, Tree, clawhub_fingerprint, open_archive};
use skill_core::api::PublishMeta;
use skill_core::digest::{Sha256, TreeDigest};
use skill_core::frontmatter::Frontmatter;
use skill_core::manifest::Manifest;

use super::PublishError;
use super::received::Received;
use crate::app::App;
use crate::auth::Permit;
use crate::nul;

/// A bundle that keeps every rule of the format, and what it says about itself. The upload is gone.
#[derive(Debug)]
pub(super) struct Inspected {
    pub(super) permit: Permit,
    pub(super) meta: PublishMeta,
    pub(super) bundle: Bundle,
    pub(super) tree: TreeDigest,
    pub(super) manifest: Manifest,
}

impl Inspected {
    /// Opens the archive within this registry's limits and reads `SKILL.md`.
    pub(super) async fn open(app: &App, received: Received) -> Result<Self, PublishError> {
        let limits = Limits::from(app.publishing().limits);
        super::blocking(move || inspect(received, &limits)).await
    }

    /// ClawHub's fingerprints: over what was uploaded as it was spelled there, without dotfiles and a
    /// skill card; and over the tree as it is stored.
    pub(super) fn fingerprints(&self) -> (Sha256, Sha256) {
        let renamed = self.bundle.skill_md_renamed_from();
        let uploaded = self.bundle.files().filter_map(|(path, file)| {
            let path = path.as_str();
            let hidden = path.split('/').any(|segment| segment.starts_with('.'));
            if hidden || path.eq_ignore_ascii_case("skill-card.md") {
                return None;
            }
            let spelled = if path == skill_bundle::SKILL_MD { renamed.unwrap_or(path) } else { path };
            Some((spelled, file.sha256()))
        });
        let stored = self.bundle.files().map(|(path, file)| (path.as_str(), file.sha256()));
        (clawhub_fingerprint(uploaded), clawhub_fingerprint(stored))
    }
}

fn inspect(received: Received, limits: &Limits) -> Result<Inspected, PublishError> {
    let Received { permit, meta, mut archive } = received;
    let (bundle, _) = open_archive(&mut archive, limits)?;
    drop(archive);
    let tree = Tree::of(&bundle).digest();
    if let Some(sent) = meta.tree_digest.filter(|sent| *sent != tree) {
        return Err(PublishError::TreeDiffers { sent, found: tree });
    }
    let unreadable = |error: skill_core::manifest::ManifestError| PublishError::Frontmatter {
        code: error.code(),
        message: error.to_string(),
    };
    let frontmatter = Frontmatter::read(bundle.skill_md()).map_err(unreadable)?;
    if let Some(line) = frontmatter.ends_early {
        return Err(PublishError::Frontmatter {
            code: "frontmatter-fence",
            message: format!(
                "other readers end the frontmatter at the fence on line {line}, and fields stand behind it; take that \
                 line out"
            ),
        });
    }
    if !frontmatter.present {
        let add = format!("---\nname: {}\ndescription: What it does, and when to use it\n---\n", meta.slug);
        return Err(PublishError::FrontmatterMissing { add });
    }
    let (manifest, _) = Manifest::read(bundle.skill_md(), meta.slug.as_str()).map_err(unreadable)?;
    if serde_json::to_value(&manifest).is_ok_and(|manifest| nul::is_in(&manifest)) {
        return Err(PublishError::Frontmatter {
            code: "frontmatter-unreadable",
            message: "the frontmatter holds the character U+0000".to_owned(),
        });
    }
    Ok(Inspected { permit, meta, bundle, tree, manifest })
}
