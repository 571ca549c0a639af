//! The page of a release that is closed: since when, by whom, why, and what to do now. No command, no files.

use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::state::ReleaseState;

use crate::app::App;
use crate::problem::ApiError;
use crate::store::lines::Line;
use crate::store::restrictions::Restriction;
use crate::store::skills::Skill;
use crate::web::badge::Badge;
use crate::web::page::{self, Frame};
use crate::web::words::{Time, grouped};

#[derive(Debug, Serialize)]
struct View {
    owner: String,
    slug: String,
    version: String,
    base: String,
    badge: Badge,
    since: Option<Time>,
    class: &'static str,
    text: &'static str,
    /// Who closed it.
    by: String,
    reason: String,
    consequence: &'static str,
    /// What may have happened where it ran.
    ran: bool,
    /// The version to go to instead.
    instead: Option<String>,
    /// Number of the restriction, and the digest of its statement.
    sequence: Option<String>,
    statement: Option<String>,
}

/// Makes the page; `why` is the restriction that closes the release.
pub(super) fn page(
    app: &App,
    status: StatusCode,
    skill: &Skill,
    line: &Line,
    lines: &[Line],
    why: Option<&Restriction>,
) -> Result<Response, ApiError> {
    let words = words(line.state);
    let instead = skill
        .latest
        .clone()
        .or_else(|| lines.iter().find(|line| line.state.is_downloadable()).map(|line| line.version.clone()));
    let view = View {
        owner: skill.owner.to_string(),
        slug: skill.slug.to_string(),
        version: line.version.to_string(),
        base: format!("/{}/skills/{}", skill.owner, skill.slug),
        badge: Badge::of(line.state, line.verdict),
        since: why.map(|why| Time::of(why.at)),
        class: words.class,
        text: words.text,
        by: why.map(|why| by(line.state, &why.actor)).unwrap_or_default(),
        reason: why.map(|why| why.reason.clone()).unwrap_or_default(),
        consequence: words.consequence,
        ran: line.state == ReleaseState::Quarantined || line.state == ReleaseState::TakenDown,
        instead: instead.map(|version| version.to_string()),
        sequence: why.map(|why| grouped(why.sequence)),
        statement: why.map(|why| why.statement.to_string()),
    };
    let frame = Frame {
        title: format!("{}: {}/{} {}", view.badge.word, view.owner, view.slug, view.version),
        description: words.text.to_owned(),
        hidden_from_engines: true,
        marked: true,
        place: "browse",
        ..Frame::default()
    };
    page::page(app, status, "closed.html", &frame, &view)
}

struct Words {
    class: &'static str,
    text: &'static str,
    consequence: &'static str,
}

const fn words(state: ReleaseState) -> Words {
    match state {
        ReleaseState::Quarantined => Words {
            class: "is-bad",
            text: "This version is blocked. Do not run a copy you already have.",
            consequence: "New installs are refused, and skill verify fails with exit code 5 where it is installed.",
        },
        ReleaseState::TakenDown => Words {
            class: "is-bad",
            text: "This version was taken down. Do not run a copy you already have.",
            consequence: "Its number and its name stay reserved. skill verify fails with exit code 5 where it is installed.",
        },
        ReleaseState::Deleted => Words {
            class: "is-off",
            text: "This skill was deleted by its publisher.",
            consequence: "Copies that are installed still verify, with a warning. Only its publisher can bring it back.",
        },
        _ => Words {
            class: "is-off",
            text: "This version was withdrawn by its publisher.",
            consequence: "It cannot be downloaded. Copies that are installed still verify, with a warning.",
        },
    }
}

fn by(state: ReleaseState, actor: &str) -> String {
    match (state, actor) {
        (_, "registry") => "The registry stopped it by its own verdict".to_owned(),
        (ReleaseState::Quarantined | ReleaseState::TakenDown, _) => {
            "A moderator of this registry stopped it".to_owned()
        }
        _ => "Its publisher took it back".to_owned(),
    }
}
