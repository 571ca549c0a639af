//! Wire types of the registry's own HTTP face (docs/API.md). ClawHub's `/api/v1` shapes live
//! with the server: no program of ours reads them except where it says so here.

mod account;
mod index;
mod invitation;
mod moderation;
mod names;
mod numbers;
mod problem;
mod publish;
mod publisher;
mod registry;
mod status;

pub use account::{NewTokenRequest, SignInLink, TokenLine, TokenMade, TokenPage, TokensRevoked};
pub use index::IndexLine;
pub use invitation::{InvitationLine, InvitationPage, InvitationRequest};
pub use moderation::{AppealAnswer, AppealList, AppealView, ReportKind, ReportRequest, Reported};
pub use names::{DeprecationRequest, ReasonRequest, SkillDeleted, SkillUndeleted, TagRequest};
pub use numbers::Starred;
pub use problem::Problem;
pub use publish::{PublishMeta, PublishPlan, Published, RulesetId, Waiting};
pub use publisher::{MemberLine, MemberPage, PublisherLine, PublisherRequest, RoleRequest};
pub use registry::{Access, ServerLimits, WellKnown};
pub use status::{Closed, ReleaseStatus, SkillStatus};
