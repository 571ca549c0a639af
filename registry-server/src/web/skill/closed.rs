//! The page of a release that is closed: since when, by whom, why, and what to do now. No way to get it, no files.

use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use skill_core::state::ReleaseState;
use skill_core::verdict::{Finding, Severity};

use crate::app::App;
use crate::problem::ApiError;
use crate::store::holds::NewHold;
use crate::store::lines::Line;
use crate::store::restrictions::{By, Restriction};
use crate::store::skills::Skill;
use crate::web::address::{Address, Pages};
use crate::web::badge::Badge;
use crate::web::page::{self, Frame};
use crate::web::words::{Time, grouped};

/// Findings that are shown.
const SHOWN: usize = 20;

/// A finding, without what it found.
#[derive(Debug, Serialize)]
struct Found {
    rule: String,
    message: String,
    file: String,
    line: u32,
}

#[derive(Debug, Serialize)]
struct View {
    owner: String,
    slug: String,
    version: String,
    publisher: Address,
    address: Address,
    badge: Badge,
    since: Option<Time>,
    class: &'static str,
    text: &'static str,
    /// Who closed it.
    by: &'static str,
    reason: String,
    /// What it waits for, a sentence each.
    waiting: Vec<String>,
    /// What a moderator says to the publisher alone.
    note: String,
    consequence: &'static str,
    found: Vec<Found>,
    /// Findings that are not shown.
    more: usize,
    /// What may have happened where it ran.
    ran: bool,
    /// The version to go to instead.
    instead: Option<String>,
    /// Number of the restriction, and the digest of its statement.
    sequence: Option<String>,
    statement: Option<String>,
}

/// A release that nobody can have.
#[derive(Debug, Clone, Copy)]
pub(super) struct Closed<'a> {
    pub skill: &'a Skill,
    pub line: &'a Line,
    /// Every release of the skill, highest version first.
    pub lines: &'a [Line],
    /// The restriction that closes it.
    pub why: Option<&'a Restriction>,
    pub findings: &'a [Finding],
    /// Whether who asks sees what is for its publisher.
    pub owned: bool,
    /// What it waits for.
    pub waiting: &'a [NewHold],
}

impl Closed<'_> {
    /// Makes the page.
    pub(super) fn page(self, app: &App, status: StatusCode) -> Result<Response, ApiError> {
        let Self { skill, line, why, .. } = self;
        let words = words(line.state);
        let (found, more) = self.found();
        let view = View {
            owner: skill.owner.to_string(),
            slug: skill.slug.to_string(),
            version: line.version.to_string(),
            publisher: Address::publisher(&skill.owner),
            address: Pages::of(&skill.owner, &skill.slug).skill(),
            badge: Badge::of(line.state, line.verdict),
            since: why.map(|why| Time::of(why.at)),
            class: words.class,
            text: words.text,
            by: why.map(by).unwrap_or_default(),
            reason: why.map(|why| why.reason.clone()).unwrap_or_default(),
            note: why.filter(|_| self.owned).map(|why| why.note.clone()).unwrap_or_default(),
            waiting: self.waiting.iter().map(|hold| hold.why.clone()).collect(),
            consequence: words.consequence,
            found,
            more,
            ran: matches!(line.state, ReleaseState::Quarantined | ReleaseState::TakenDown),
            instead: self.instead(),
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

    /// The version to go to.
    fn instead(self) -> Option<String> {
        let highest =
            || self.lines.iter().find(|line| line.state.is_downloadable()).map(|line| &line.version);
        self.skill.latest.as_ref().or_else(highest).map(ToString::to_string)
    }

    /// What the scan holds against a quarantined release, and how much more there is: the rules and the places, none of
    /// the text. What was taken down is not even named so far.
    fn found(self) -> (Vec<Found>, usize) {
        if self.line.state != ReleaseState::Quarantined {
            return (Vec::new(), 0);
        }
        let mut critical: Vec<&Finding> =
            self.findings.iter().filter(|one| one.severity == Severity::Critical).collect();
        critical.sort();
        let more = critical.len().saturating_sub(SHOWN);
        let found = critical.into_iter().take(SHOWN).map(|one| Found {
            rule: one.rule_id.clone(),
            message: one.message.clone(),
            file: one.file.clone(),
            line: one.line,
        });
        (found.collect(), more)
    }
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
            consequence: "New installs are refused. skill verify opens no connection, so it does not learn of this where it is installed.",
        },
        ReleaseState::TakenDown => Words {
            class: "is-bad",
            text: "This version was taken down. Do not run a copy you already have.",
            consequence: "New installs are refused; its number and its name stay reserved. skill verify opens no connection, so it does not learn of this where it is installed.",
        },
        ReleaseState::Deleted => Words {
            class: "is-off",
            text: "This skill was deleted by its publisher.",
            consequence: "Copies that are installed still verify. Only its publisher can bring it back.",
        },
        ReleaseState::Pending => Words {
            class: "is-off",
            text: "Nobody but its publisher and the moderators of this registry sees this version so far.",
            consequence: "It cannot be downloaded yet.",
        },
        _ => Words {
            class: "is-off",
            text: "This version was withdrawn by its publisher.",
            consequence: "It cannot be downloaded. Copies that are installed still verify.",
        },
    }
}

fn by(why: &Restriction) -> &'static str {
    match why.by() {
        By::Registry => "The registry stopped it by its own verdict",
        By::Moderator => "A moderator of this registry stopped it",
        By::Publisher => "Its publisher took it back",
    }
}
