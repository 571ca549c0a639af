//! What stands at the top of every page of a skill: which it is, what it does, how it stands.

use serde::Serialize;
use skill_core::state::ReleaseState;

use super::find::Shown;
use super::standing;
use crate::web::address::{Address, Pages};
use crate::web::badge::Badge;
use crate::web::page::Frame;
use crate::web::words::counted;

/// A page of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Tab {
    Readme,
    Versions,
    Files,
    Diff,
    Security,
}

/// One of the tabs.
#[derive(Debug, Serialize)]
struct Link {
    word: &'static str,
    address: Address,
    count: Option<u64>,
    current: bool,
}

/// A state that asks for an act.
#[derive(Debug, Serialize)]
pub(in crate::web) struct Notice {
    class: &'static str,
    text: String,
    detail: String,
    /// Another version to go to, if that is the act.
    instead: Option<Instead>,
}

#[derive(Debug, Serialize)]
struct Instead {
    version: String,
    address: Address,
}

/// Where the pages of the same release are.
#[derive(Debug, Serialize)]
struct Links {
    publisher: Address,
    /// The first page of `latest`.
    skill: Address,
    /// The first page of this release.
    readme: Address,
    versions: Address,
    feed: Address,
    files: Address,
    /// Without versions: where the form that chooses them goes.
    diff: Address,
    security: Address,
}

/// The head of a skill's page.
#[derive(Debug, Serialize)]
pub(in crate::web) struct Head {
    pub owner: String,
    pub slug: String,
    pub version: String,
    pub is_latest: bool,
    #[serde(skip)]
    pub pages: Pages,
    links: Links,
    /// The beginning of the description, as far as one reads it in passing.
    summary: String,
    /// All of it, where that is more.
    more: String,
    badge: Badge,
    state: String,
    notices: Vec<Notice>,
    tabs: Vec<Link>,
    /// What the page is, beside the first; empty there.
    part: &'static str,
}

impl Head {
    pub(in crate::web) fn of(shown: &Shown, tab: Tab) -> Self {
        let (skill, release) = (&shown.skill, &shown.release);
        let pages = Pages::of(&skill.owner, &skill.slug);
        let version = release.version.to_string();
        let is_latest = shown.is_latest();
        let (summary, more) = in_short(&release.summary);
        let links = Links::of(shown, &pages);
        Self {
            owner: skill.owner.to_string(),
            slug: skill.slug.to_string(),
            is_latest,
            summary,
            more,
            badge: Badge::of(release.state, release.verdict),
            state: standing::sentence(shown),
            notices: notices(shown, &pages),
            tabs: tabs(shown, tab, &links, &pages),
            part: tab.part(),
            version,
            pages,
            links,
        }
    }

    /// The address of the first page of this release.
    pub(in crate::web) fn readme(&self) -> Address {
        self.links.readme.clone()
    }

    /// What stands around the page.
    pub(in crate::web) fn frame(&self, canonical: Address) -> Frame {
        let part = if self.part.is_empty() { String::new() } else { format!("{} of ", self.part) };
        let mark = if self.badge.is_clean() { String::new() } else { format!("{}: ", self.badge.word) };
        let version = if self.is_latest { String::new() } else { format!(" {}", self.version) };
        Frame {
            title: format!("{mark}{part}{}/{}{version}", self.owner, self.slug),
            description: self.summary.clone(),
            canonical: Some(canonical),
            feed: Some(self.pages.feed()),
            hidden_from_engines: !mark.is_empty() || !self.part.is_empty() || !self.is_latest,
            marked: !mark.is_empty(),
            place: "browse",
            ..Frame::default()
        }
    }
}

impl Tab {
    const fn part(self) -> &'static str {
        match self {
            Self::Readme => "",
            Self::Versions => "Versions",
            Self::Files => "Files",
            Self::Diff => "Changes",
            Self::Security => "Security",
        }
    }
}

/// Whether the page of versions names it: what can be had, and what was closed by others than its publisher.
const fn is_listed(state: ReleaseState) -> bool {
    state.is_downloadable() || matches!(state, ReleaseState::Quarantined | ReleaseState::TakenDown)
}

impl Links {
    /// What is about `latest` does not name it: such an address leads to what is `latest` then.
    fn of(shown: &Shown, pages: &Pages) -> Self {
        let version = shown.release.version.to_string();
        let latest = shown.is_latest();
        let about = |page: Address| if latest { page } else { page.with("version", &version) };
        Self {
            publisher: Address::publisher(&shown.skill.owner),
            skill: pages.skill(),
            readme: if latest { pages.skill() } else { pages.version(&version) },
            versions: pages.versions(),
            feed: pages.feed(),
            files: about(pages.files()),
            diff: pages.diff(),
            security: about(pages.security()),
        }
    }
}

fn tabs(shown: &Shown, current: Tab, links: &Links, pages: &Pages) -> Vec<Link> {
    let version = shown.release.version.to_string();
    let diff = if shown.is_latest() { pages.diff() } else { pages.diff().with("to", &version) };
    let versions = shown.lines.iter().filter(|line| is_listed(line.state)).count() as u64;
    let link = |tab, word, address, count| Link { word, address, count, current: tab == current };
    vec![
        link(Tab::Readme, "Skill", links.readme.clone(), None),
        link(Tab::Versions, "Versions", links.versions.clone(), Some(versions)),
        link(Tab::Files, "Files", links.files.clone(), Some(shown.release.file_count)),
        link(Tab::Diff, "Changes", diff, None),
        link(Tab::Security, "Security", links.security.clone(), None),
    ]
}

/// The first sentence of a description, or its beginning, and all of it where that is more: descriptions are
/// written for models and go on for long, and below them stand the verdict and the command.
fn in_short(summary: &str) -> (String, String) {
    const SHORT: usize = 160;
    if summary.chars().count() <= SHORT {
        return (summary.to_owned(), String::new());
    }
    let end = summary.char_indices().nth(SHORT).map_or(summary.len(), |(at, _)| at);
    let beginning = &summary[..end];
    let sentence = beginning.find(". ").map(|at| &beginning[..=at]).filter(|sentence| sentence.len() > 20);
    let words = || beginning.rsplit_once(' ').map_or(beginning, |(words, _)| words);
    let short = sentence.map_or_else(|| format!("{}…", words()), str::to_owned);
    (short, summary.to_owned())
}

fn notices(shown: &Shown, pages: &Pages) -> Vec<Notice> {
    let (skill, release) = (&shown.skill, &shown.release);
    let mut notices = Vec::new();
    if let Some(reason) = &skill.deprecated {
        notices.push(Notice {
            class: "is-off",
            text: "Its publisher says that it should not be used any more.".to_owned(),
            detail: format!("“{reason}”"),
            instead: None,
        });
    }
    if release.state == ReleaseState::Suspicious {
        notices.push(Notice {
            class: "is-warn",
            text: "skill install refuses it until you accept what was found.".to_owned(),
            detail: format!("Read the findings first; then add --accept {}/{}.", skill.owner, skill.slug),
            instead: None,
        });
    }
    let yank = shown.why(&shown.line).filter(|_| release.state == ReleaseState::Yanked);
    if let Some(yank) = yank {
        let reason = if yank.reason.is_empty() {
            "No reason was given.".to_owned()
        } else {
            format!("“{}”", yank.reason)
        };
        notices.push(Notice {
            class: "is-off",
            text: "Nothing chooses this version any more but a lock that names it.".to_owned(),
            detail: reason,
            instead: None,
        });
    }
    notices.extend(behind(shown, pages));
    notices
}

/// How far this version is behind the latest.
fn behind(shown: &Shown, pages: &Pages) -> Option<Notice> {
    let latest = shown.skill.latest.as_ref().filter(|latest| **latest > shown.release.version)?;
    let newer = shown.lines.iter().filter(|line| line.state.is_selectable());
    let newer = newer.filter(|line| line.version > shown.release.version && line.version <= *latest).count();
    Some(Notice {
        class: "is-off",
        text: format!("{} behind the latest.", counted(newer as u64, "version")),
        detail: String::new(),
        instead: Some(Instead { version: latest.to_string(), address: pages.skill() }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_shown_in_short() {
        assert_eq!(in_short("Reads tides."), ("Reads tides.".to_owned(), String::new()));
        let long = format!("Reads the tides of a harbour. {}", "Then more of it ".repeat(20));
        assert_eq!(in_short(&long), ("Reads the tides of a harbour.".to_owned(), long.clone()));
        let (short, _) = in_short(&"word ".repeat(100));
        assert!(short.ends_with("word…") && short.chars().count() <= 161);
        let (short, _) = in_short(&"天".repeat(400));
        assert_eq!(short.chars().count(), 161);
    }
}
