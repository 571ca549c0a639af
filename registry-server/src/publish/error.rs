use http::StatusCode;
use jiff::Timestamp;
use skill_bundle::BundleError;
use skill_core::api::Problem;
use skill_core::digest::TreeDigest;
use skill_core::name::{Owner, SkillName, Slug, Tag};
use skill_core::version::Version;

use crate::blob::{BlobError, met_full_disk};
use crate::entropy::EntropyError;
use crate::http::upload::CutOff;
use crate::problem::ApiError;
use crate::store::StoreError;

/// Why a publish was refused. Nothing was stored, and no number was used.
#[derive(Debug, thiserror::Error)]
pub enum PublishError {
    /// The request is not the form that is expected.
    #[error("the upload is not the form that is expected: {reason}")]
    Form {
        /// What is wrong.
        reason: String,
    },
    /// The upload was cut off before its end.
    #[error(transparent)]
    CutOff(#[from] CutOff),
    /// The archive is longer than this registry takes.
    #[error("the archive holds more than {limit} bytes")]
    ArchiveLarge {
        /// Bytes allowed.
        limit: u64,
    },
    /// The archive is no bundle.
    #[error(transparent)]
    Bundle(BundleError),
    /// There is no frontmatter.
    #[error("SKILL.md has no frontmatter")]
    FrontmatterMissing {
        /// The lines to add at its top.
        add: String,
    },
    /// The frontmatter cannot be used.
    #[error("SKILL.md: {message}")]
    Frontmatter {
        /// Stable code.
        code: &'static str,
        /// What is wrong, and where.
        message: String,
    },
    /// The content is not what the client packed.
    #[error("the archive's tree digest is {found}, the request says {sent}")]
    TreeDiffers {
        /// What the request says.
        sent: TreeDigest,
        /// What the archive holds.
        found: TreeDigest,
    },
    /// The caller may not publish this.
    #[error(transparent)]
    Access(#[from] ApiError),
    /// There is no such publisher.
    #[error("there is no publisher {owner}")]
    OwnerNotFound {
        /// Its handle.
        owner: Owner,
    },
    /// The registry keeps the slug for itself.
    #[error("the slug {slug} is reserved")]
    SlugReserved {
        /// The slug.
        slug: Slug,
    },
    /// The name leads to another skill since a rename, merge or transfer.
    #[error("{owner}/{slug} is an old name of another skill")]
    SlugHeld {
        /// Whose name it is.
        owner: Owner,
        /// The slug.
        slug: Slug,
    },
    /// The slug's last holder deleted the skill and may bring it back.
    #[error("the slug {slug} is kept for its last holder until {}", until.strftime("%F"))]
    SlugKept {
        /// The slug.
        slug: Slug,
        /// The skill that was deleted.
        holder: SkillName,
        /// When.
        since: Timestamp,
        /// From when on others may take the slug.
        until: Timestamp,
    },
    /// A skill with that slug was taken down.
    #[error("the slug {slug} is kept for ever: a skill of that name was taken down")]
    SlugClosed {
        /// The slug.
        slug: Slug,
    },
    /// The skill was deleted.
    #[error("{owner}/{slug} was deleted; its owner can bring it back")]
    SkillDeleted {
        /// Whose skill it was.
        owner: Owner,
        /// Its slug.
        slug: Slug,
    },
    /// The number is used for other content.
    #[error("version {version} exists with other files")]
    VersionTaken {
        /// The number.
        version: Version,
        /// The next one that is free, unless the numbers end before it.
        next: Option<Version>,
    },
    /// The part that was to go up is at its highest value.
    #[error("no number comes after {from} that way")]
    VersionExhausted {
        /// The number from which it was to go up.
        from: Version,
    },
    /// The statements are longer than a trust envelope has room for.
    #[error(
        "the signed facts about the release have {bytes} bytes, at most {limit} are served: \
        shorten `requires.skills`"
    )]
    EnvelopeLarge {
        /// Bytes of the envelope.
        bytes: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// `latest` would not point to the new release.
    #[error("`{tag}` cannot point to {version}: it is {why}")]
    TagNotHonoured {
        /// The tag.
        tag: Tag,
        /// The number that the release would get.
        version: Version,
        /// What stands in the way.
        why: String,
    },
    /// Other publishes of the same skill came first, every time.
    #[error("the skill changed again and again while this release was stored")]
    Overtaken,
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The archives.
    #[error(transparent)]
    Blob(#[from] BlobError),
    /// A temporary file.
    #[error("temporary file: {0}")]
    Scratch(#[from] std::io::Error),
    /// Random bytes.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// A stage stopped before its end.
    #[error("a stage of publishing stopped: {0}")]
    Stopped(String),
}

impl From<BundleError> for PublishError {
    fn from(error: BundleError) -> Self {
        match error {
            BundleError::Io { error, .. } => error.into(),
            other => Self::Bundle(other),
        }
    }
}

impl From<PublishError> for ApiError {
    fn from(error: PublishError) -> Self {
        if let Some(problem) = error.problem() {
            return Self::Problem(Box::new(problem));
        }
        match error {
            PublishError::Access(error) => error,
            PublishError::Store(error) => error.into(),
            PublishError::Blob(error) => error.into(),
            PublishError::CutOff(CutOff::DiskFull) => Self::ReadOnly,
            PublishError::Scratch(error) if met_full_disk(&error) => Self::ReadOnly,
            other => Self::internal(other),
        }
    }
}

impl PublishError {
    /// The answer, if what was sent is to blame.
    fn problem(&self) -> Option<Problem> {
        let (status, code) = self.status_and_code()?;
        let problem = Problem::new(status.as_u16(), code, self.to_string());
        Some(match self {
            Self::ArchiveLarge { limit } => problem.with("limit", *limit),
            Self::FrontmatterMissing { add } => problem.with("add", add.as_str()),
            Self::SlugReserved { slug } | Self::SlugClosed { slug } => problem.with("slug", slug.as_str()),
            Self::SlugKept { slug, holder, since, until } => {
                let why = format!("{} deleted {holder} on {}", holder.owner, since.strftime("%F"));
                let problem = Problem { detail: Some(why), ..problem };
                problem.with("slug", slug.as_str()).with("until", until.to_string())
            }
            Self::VersionTaken { version, next } => {
                let problem = problem.with("version", version.to_string());
                match next {
                    Some(next) => problem.with("next", next.to_string()),
                    None => problem,
                }
            }
            Self::VersionExhausted { from } => problem.with("version", from.to_string()),
            Self::EnvelopeLarge { bytes, limit } => problem.with("bytes", *bytes).with("limit", *limit),
            Self::TagNotHonoured { tag, version, why } => problem
                .with("tag", tag.as_str())
                .with("version", version.to_string())
                .with("why", why.as_str()),
            Self::SkillDeleted { owner, slug } => {
                problem.with("owner", owner.as_str()).with("slug", slug.as_str())
            }
            Self::OwnerNotFound { owner } => problem.with("owner", owner.as_str()),
            _ => problem,
        })
    }

    fn status_and_code(&self) -> Option<(StatusCode, &'static str)> {
        Some(match self {
            Self::Form { .. } => (StatusCode::BAD_REQUEST, "form-unreadable"),
            Self::CutOff(CutOff::HeadLong) => (StatusCode::BAD_REQUEST, "form-unreadable"),
            Self::CutOff(CutOff::Stalled) => (StatusCode::REQUEST_TIMEOUT, "upload-slow"),
            Self::CutOff(CutOff::Long) => (StatusCode::PAYLOAD_TOO_LARGE, "bundle-large"),
            Self::ArchiveLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "bundle-large"),
            Self::Bundle(error) => (bundle_status(error), error.code()),
            Self::FrontmatterMissing { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "frontmatter-missing"),
            Self::Frontmatter { code, .. } => (StatusCode::UNPROCESSABLE_ENTITY, code),
            Self::TreeDiffers { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "tree-digest"),
            Self::OwnerNotFound { .. } => (StatusCode::NOT_FOUND, "owner-not-found"),
            Self::SlugReserved { .. } => (StatusCode::CONFLICT, "slug-reserved"),
            Self::SlugHeld { .. } | Self::SlugKept { .. } | Self::SlugClosed { .. } => {
                (StatusCode::CONFLICT, "slug-held")
            }
            Self::SkillDeleted { .. } => (StatusCode::CONFLICT, "skill-deleted"),
            Self::VersionTaken { .. } => (StatusCode::CONFLICT, "version-taken"),
            Self::VersionExhausted { .. } => (StatusCode::CONFLICT, "version-exhausted"),
            Self::EnvelopeLarge { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "envelope-large"),
            Self::TagNotHonoured { .. } => (StatusCode::CONFLICT, "tag-not-honoured"),
            Self::Overtaken => (StatusCode::CONFLICT, "publish-overtaken"),
            Self::Access(_)
            | Self::Store(_)
            | Self::Blob(_)
            | Self::CutOff(CutOff::DiskFull)
            | Self::Scratch(_)
            | Self::Entropy(_)
            | Self::Stopped(_) => return None,
        })
    }
}

const fn bundle_status(error: &BundleError) -> StatusCode {
    match error {
        BundleError::FileLarge { .. }
        | BundleError::Large { .. }
        | BundleError::ArchiveLarge { .. }
        | BundleError::FilesMany { .. }
        | BundleError::Bomb { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
