use skill_core::name::{Owner, SkillName};

use super::Scope;
use crate::store::publishers::MemberRole;
use crate::store::users::SiteRole;

/// Everything that somebody may do, or may not. docs/API.md, "Who may do what", is this table for people; a test
/// compares the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// Asks what also a private registry says to everybody.
    Open,
    /// Reads skills and what is about them.
    Read,
    /// Asks who one is.
    Whoami,
    /// Sees and ends the own sessions.
    SignOut,
    /// Shows again who one is.
    Confirm,
    /// Lists the own tokens.
    ListTokens,
    /// Stars a skill.
    Star,
    /// Reports a skill to the moderators.
    Report,
    /// Accepts or declines an invitation.
    AnswerInvitation,
    /// Makes a link that signs a browser in, with the scopes of whatever makes it.
    MakeSignInLink,
    /// Chooses the own password.
    ChoosePassword,
    /// Publishes a release.
    Publish,
    /// Yanks a release, or takes that back.
    Yank,
    /// Sets and removes tags.
    Tag,
    /// Deprecates a skill, or takes that back.
    Deprecate,
    /// Withdraws a release, or takes that back.
    Withdraw,
    /// Objects to what moderators did.
    Appeal,
    /// Deletes a skill, or takes that back.
    DeleteSkill,
    /// Gives a skill another slug.
    Rename,
    /// Lets a skill lead to another one.
    Merge,
    /// Offers a skill to another publisher.
    OfferTransfer,
    /// Takes or refuses an offered skill.
    AnswerTransfer,
    /// Keeps the webhooks of a publisher.
    Webhooks,
    /// Sees what of a skill is hidden from others.
    SeeHidden,
    /// Sees members and invitations of a publisher.
    ReadPublisher,
    /// Invites to a publisher.
    Invite,
    /// Leaves a publisher.
    Leave,
    /// Gives and takes roles in a publisher.
    SetRole,
    /// Deletes a publisher.
    DeletePublisher,
    /// Makes own tokens.
    MakeToken,
    /// Revokes own tokens: the one that is shown, or with one that may make tokens another.
    RevokeToken,
    /// Makes a publisher.
    MakePublisher,
    /// Sees what waits for a moderator.
    SeeQueue,
    /// Decides holds, reports and appeals.
    Decide,
    /// Hides, quarantines and takes down.
    Close,
    /// Gives back what moderators closed.
    Restore,
    /// Closes an account, or opens it again.
    Ban,
    /// Reads the audit log.
    ReadAudit,
    /// Grants reserved names.
    Grant,
    /// Makes moderators and administrators.
    SetSiteRole,
    /// Keeps the webhooks of the whole registry.
    SiteWebhooks,
    /// Reads the metrics.
    ReadMetrics,
}

/// What an act takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// The scope of the token; `admin` stands for every other.
    pub scope: Option<Scope>,
    /// Who may.
    pub who: Who,
    /// Which tokens are good for it.
    pub token: Binding,
}

/// Who may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    /// Everybody, on a private registry too.
    Anybody,
    /// Who may read: everybody, or on a private registry everybody with a token.
    Reader,
    /// Every user.
    SignedIn,
    /// Members of the publisher that it is about, from this role on. No site role stands for one.
    Member(MemberRole),
    /// Users with this role on the whole site, or a higher one, at this moment.
    Site(SiteRole),
}

/// Whether a token that is bound to a publisher or a skill is good for an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// It is, whatever it is bound to.
    Any,
    /// For what it is bound to.
    Own,
    /// It is not.
    Unbound,
}

/// What an act is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum On {
    /// Nothing by itself.
    Nothing,
    /// A publisher.
    Publisher(Owner),
    /// A skill.
    Skill(SkillName),
    /// What the body or a stored row says: whoever reads it asks [`Permit::narrow`](super::Permit::narrow).
    Later,
}

impl Act {
    /// Every act, in the order of docs/API.md.
    pub const ALL: [Self; 42] = [
        Self::Open,
        Self::Read,
        Self::Whoami,
        Self::SignOut,
        Self::Confirm,
        Self::ListTokens,
        Self::Star,
        Self::Report,
        Self::AnswerInvitation,
        Self::MakeSignInLink,
        Self::ChoosePassword,
        Self::Publish,
        Self::Yank,
        Self::Tag,
        Self::Deprecate,
        Self::Withdraw,
        Self::Appeal,
        Self::DeleteSkill,
        Self::Rename,
        Self::Merge,
        Self::OfferTransfer,
        Self::AnswerTransfer,
        Self::Webhooks,
        Self::SeeHidden,
        Self::ReadPublisher,
        Self::Invite,
        Self::Leave,
        Self::SetRole,
        Self::DeletePublisher,
        Self::MakeToken,
        Self::RevokeToken,
        Self::MakePublisher,
        Self::SeeQueue,
        Self::Decide,
        Self::Close,
        Self::Restore,
        Self::Ban,
        Self::ReadAudit,
        Self::Grant,
        Self::SetSiteRole,
        Self::SiteWebhooks,
        Self::ReadMetrics,
    ];

    /// Whether in a session it takes that its user showed lately who they are: it gives away what is hard to get back.
    pub const fn is_grave(self) -> bool {
        matches!(
            self,
            Self::OfferTransfer
                | Self::AnswerTransfer
                | Self::Invite
                | Self::SetRole
                | Self::DeletePublisher
                | Self::MakeToken
                | Self::Restore
                | Self::Ban
                | Self::Grant
                | Self::SetSiteRole
        )
    }

    /// What it takes: the one table of roles.
    pub const fn needs(self) -> Needs {
        use Binding::{Any, Own, Unbound};
        use Scope::{Admin, Moderate, Publish, Read};
        use Who::{Anybody, Member, Reader, SignedIn, Site};
        let (scope, who, token) = match self {
            Self::Open => (None, Anybody, Any),
            Self::Read => (Some(Read), Reader, Any),
            Self::Whoami | Self::SignOut | Self::Confirm | Self::ChoosePassword | Self::RevokeToken => {
                (None, SignedIn, Any)
            }
            Self::ListTokens => (Some(Read), SignedIn, Any),
            Self::Star | Self::Report | Self::AnswerInvitation | Self::MakeSignInLink => {
                (Some(Read), SignedIn, Unbound)
            }
            Self::Publish | Self::Yank | Self::Tag | Self::Deprecate | Self::Withdraw | Self::Appeal => {
                (Some(Publish), Member(MemberRole::Publisher), Own)
            }
            Self::DeleteSkill | Self::Rename | Self::Merge | Self::OfferTransfer | Self::Webhooks => {
                (Some(Publish), Member(MemberRole::Admin), Own)
            }
            Self::SeeHidden => (Some(Read), Member(MemberRole::Publisher), Own),
            Self::ReadPublisher => (Some(Read), Member(MemberRole::Publisher), Any),
            Self::Leave => (Some(Publish), Member(MemberRole::Publisher), Unbound),
            Self::Invite | Self::AnswerTransfer => (Some(Publish), Member(MemberRole::Admin), Unbound),
            Self::SetRole | Self::DeletePublisher => (Some(Publish), Member(MemberRole::Owner), Unbound),
            Self::MakeToken | Self::MakePublisher => (Some(Publish), SignedIn, Unbound),
            Self::SeeQueue | Self::Decide | Self::Close | Self::Restore => {
                (Some(Moderate), Site(SiteRole::Moderator), Unbound)
            }
            Self::Ban
            | Self::ReadAudit
            | Self::Grant
            | Self::SetSiteRole
            | Self::SiteWebhooks
            | Self::ReadMetrics => (Some(Admin), Site(SiteRole::Admin), Unbound),
        };
        Needs { scope, who, token }
    }
}
