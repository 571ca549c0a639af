use skill_core::version::Version;

use crate::app::App;
use crate::auth::{Act, Permit};
use crate::change;
use crate::problem::ApiError;

/// What an owner does to a release or a skill on a page of its own, which says before what will happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Deed {
    Yank,
    Unyank,
    Withdraw,
    Restore,
    Deprecate,
    Undeprecate,
    Delete,
    Undelete,
}

impl Deed {
    /// Every deed, each before what takes it back.
    #[cfg(test)]
    pub(super) const ALL: [Self; 8] = [
        Self::Yank,
        Self::Unyank,
        Self::Withdraw,
        Self::Restore,
        Self::Deprecate,
        Self::Undeprecate,
        Self::Delete,
        Self::Undelete,
    ];

    /// The last segment of its address.
    pub(super) const fn segment(self) -> &'static str {
        match self {
            Self::Yank => "yank",
            Self::Unyank => "unyank",
            Self::Withdraw => "withdraw",
            Self::Restore => "restore",
            Self::Deprecate => "deprecate",
            Self::Undeprecate => "undeprecate",
            Self::Delete => "delete",
            Self::Undelete => "undelete",
        }
    }

    /// As a link and a heading say it, before what it is done to.
    pub(super) const fn verb(self) -> &'static str {
        match self {
            Self::Yank => "Yank",
            Self::Unyank => "Take the yank back of",
            Self::Withdraw => "Withdraw",
            Self::Restore => "Restore",
            Self::Deprecate => "Deprecate",
            Self::Undeprecate => "Take the deprecation back of",
            Self::Delete => "Delete",
            Self::Undelete => "Bring back",
        }
    }

    /// What has to be allowed for it.
    pub(in crate::web) const fn act(self) -> Act {
        match self {
            Self::Yank | Self::Unyank => Act::Yank,
            Self::Withdraw | Self::Restore => Act::Withdraw,
            Self::Deprecate | Self::Undeprecate => Act::Deprecate,
            Self::Delete | Self::Undelete => Act::DeleteSkill,
        }
    }

    /// Whether it is done to one release, rather than to the skill.
    pub(super) const fn is_of_a_release(self) -> bool {
        matches!(self.act(), Act::Yank | Act::Withdraw)
    }

    /// Whether it takes something away from others, so that they are told why.
    pub(super) const fn needs_a_reason(self) -> bool {
        matches!(self, Self::Yank | Self::Withdraw | Self::Deprecate | Self::Delete)
    }

    /// What is asked for in the field.
    pub(super) const fn field(self) -> &'static str {
        match self {
            Self::Deprecate => "What to use instead, for everybody to read",
            Self::Yank | Self::Withdraw | Self::Delete => "Why, for everybody to read",
            Self::Unyank | Self::Restore | Self::Undelete => "Why, for everybody to read; may stay empty",
            Self::Undeprecate => "",
        }
    }

    /// What will happen.
    pub(super) const fn consequences(self) -> &'static [&'static str] {
        const SIGNED: &str =
            "It is signed and logged with the reason, and stays in the log also when it is taken back.";
        match self {
            Self::Yank => &[
                "Nothing chooses it any more: neither an install without a version, nor a range, nor latest.",
                "Whoever has locked exactly it still gets it, with a warning that shows the reason.",
                SIGNED,
            ],
            Self::Unyank => &["It can be chosen again.", SIGNED],
            Self::Withdraw => &[
                "Nobody can download it any more, and its files are shown to nobody.",
                "Copies that are installed still verify, with a warning.",
                "Its number stays used: no other files will ever have it.",
                SIGNED,
            ],
            Self::Restore => &["It stands as it did before: one that was yanked is yanked.", SIGNED],
            Self::Deprecate => &[
                "Every install says so and repeats the message. Nothing is closed by it.",
                "It is not signed, and can be taken back.",
            ],
            Self::Undeprecate => &["Nothing advises against the skill any more."],
            Self::Delete => &[
                "Nobody can find or download any of its releases any more.",
                "Copies that are installed still verify, with a warning.",
                "Its numbers stay used, and only its publisher can bring it back.",
                SIGNED,
            ],
            Self::Undelete => &["Each of its releases stands as it did before.", SIGNED],
        }
    }

    /// Does it, by the same functions as the API.
    pub(super) async fn done(
        self,
        app: &App,
        permit: &Permit,
        version: Option<&Version>,
        reason: &str,
    ) -> Result<(), ApiError> {
        let on = self.needs_a_reason();
        match (self, version) {
            (Self::Yank | Self::Unyank, Some(version)) => {
                change::set_yanked(app, permit, version, on, reason).await.map(drop)
            }
            (Self::Withdraw | Self::Restore, Some(version)) => {
                change::set_withdrawn(app, permit, version, on, reason).await.map(drop)
            }
            (Self::Deprecate, _) => change::set_deprecated(app, permit, Some(reason)).await,
            (Self::Undeprecate, _) => change::set_deprecated(app, permit, None).await,
            (Self::Delete, _) => change::delete(app, permit, reason).await.map(drop),
            (Self::Undelete, _) => change::undelete(app, permit, reason).await.map(drop),
            (_, None) => Err(ApiError::internal(format!("{self:?} of no release"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::web::table;

    #[test]
    fn every_deed_has_its_page_and_its_form() {
        for deed in Deed::ALL {
            let path = format!("/{{owner}}/skills/{{slug}}/settings/{}", deed.segment());
            let rows = table::pages().filter(|page| page.row.path == path);
            let rows: Vec<_> = rows.map(|page| (page.row.method.as_str(), page.row.act)).collect();
            assert_eq!(rows, [("GET", deed.act()), ("POST", deed.act())], "{deed:?}");
            assert!(!deed.consequences().is_empty());
        }
        let verbs: BTreeSet<&str> = Deed::ALL.into_iter().map(Deed::verb).collect();
        assert_eq!(verbs.len(), Deed::ALL.len());
    }
}
