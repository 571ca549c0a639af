//! What a user sets: tokens and a password; and what members do with a skill.

use axum::routing::{get, post};

use super::{Keys, Page};
use crate::auth::Act;
use crate::http::{OnPath, Row};
use crate::web::settings::{self, Deed, asks, does};

const RELEASE: Keys = &["version"];

const SKILL: &str = "/{owner}/skills/{slug}/settings";
const TAGS: &str = "/{owner}/skills/{slug}/settings/tags";
const UNTAG: &str = "/{owner}/skills/{slug}/settings/tags/remove";
const YANK: &str = "/{owner}/skills/{slug}/settings/yank";
const UNYANK: &str = "/{owner}/skills/{slug}/settings/unyank";
const WITHDRAW: &str = "/{owner}/skills/{slug}/settings/withdraw";
const RESTORE: &str = "/{owner}/skills/{slug}/settings/restore";
const DEPRECATE: &str = "/{owner}/skills/{slug}/settings/deprecate";
const UNDEPRECATE: &str = "/{owner}/skills/{slug}/settings/undeprecate";
const DELETE: &str = "/{owner}/skills/{slug}/settings/delete";
const UNDELETE: &str = "/{owner}/skills/{slug}/settings/undelete";

pub(super) const PAGES: &[Page] = &[
    Page::fresh(Row::own("/settings", Act::SignOut), &[], || get(settings::settings)),
    Page::fresh(Row::own("/settings/tokens", Act::ListTokens), &["cursor"], || get(settings::tokens)),
    Page::fresh(Row::form("/settings/tokens", Act::MakeToken), &[], || post(settings::make_token)),
    Page::fresh(Row::form("/settings/tokens/revoke", Act::RevokeToken), &[], || post(settings::revoke_token)),
    Page::fresh(Row::own("/settings/password", Act::ChoosePassword), &[], || get(settings::password)),
    Page::fresh(Row::form("/settings/password", Act::ChoosePassword), &[], || {
        post(settings::choose_password)
    }),
    Page::fresh(of_skill(SKILL, Act::SeeHidden), &["page"], || get(settings::skill)),
    Page::fresh(changes(TAGS, Act::Tag), &[], || post(settings::set_tag)),
    Page::fresh(changes(UNTAG, Act::Tag), &[], || post(settings::remove_tag)),
    Page::fresh(of_skill(YANK, Deed::Yank.act()), RELEASE, || asks(Deed::Yank)),
    Page::fresh(changes(YANK, Deed::Yank.act()), &[], || does(Deed::Yank)),
    Page::fresh(of_skill(UNYANK, Deed::Unyank.act()), RELEASE, || asks(Deed::Unyank)),
    Page::fresh(changes(UNYANK, Deed::Unyank.act()), &[], || does(Deed::Unyank)),
    Page::fresh(of_skill(WITHDRAW, Deed::Withdraw.act()), RELEASE, || asks(Deed::Withdraw)),
    Page::fresh(changes(WITHDRAW, Deed::Withdraw.act()), &[], || does(Deed::Withdraw)),
    Page::fresh(of_skill(RESTORE, Deed::Restore.act()), RELEASE, || asks(Deed::Restore)),
    Page::fresh(changes(RESTORE, Deed::Restore.act()), &[], || does(Deed::Restore)),
    Page::fresh(of_skill(DEPRECATE, Deed::Deprecate.act()), &[], || asks(Deed::Deprecate)),
    Page::fresh(changes(DEPRECATE, Deed::Deprecate.act()), &[], || does(Deed::Deprecate)),
    Page::fresh(of_skill(UNDEPRECATE, Deed::Undeprecate.act()), &[], || asks(Deed::Undeprecate)),
    Page::fresh(changes(UNDEPRECATE, Deed::Undeprecate.act()), &[], || does(Deed::Undeprecate)),
    Page::fresh(of_skill(DELETE, Deed::Delete.act()), &[], || asks(Deed::Delete)),
    Page::fresh(changes(DELETE, Deed::Delete.act()), &[], || does(Deed::Delete)),
    Page::fresh(of_skill(UNDELETE, Deed::Undelete.act()), &[], || asks(Deed::Undelete)),
    Page::fresh(changes(UNDELETE, Deed::Undelete.act()), &[], || does(Deed::Undelete)),
];

/// A page about a skill for its members.
const fn of_skill(path: &'static str, act: Act) -> Row {
    Row::own(path, act).about(OnPath::Skill)
}

/// A form that changes a skill.
const fn changes(path: &'static str, act: Act) -> Row {
    Row::form(path, act).about(OnPath::Skill)
}
