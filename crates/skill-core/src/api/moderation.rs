use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::name::{NameError, Owner, Slug};
use crate::version::Version;

/// What somebody says is the matter with a skill.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportKind {
    /// It does harm.
    Malicious,
    /// Its name is made to be taken for another.
    LookAlike,
    /// It was closed or marked, and should not have been.
    FalseAlarm,
    /// It is somebody else's.
    Rights,
    /// Anything else.
    #[default]
    Other,
}

impl ReportKind {
    /// Every kind.
    pub const ALL: [Self; 5] =
        [Self::Malicious, Self::LookAlike, Self::FalseAlarm, Self::Rights, Self::Other];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Malicious => "malicious",
            Self::LookAlike => "look-alike",
            Self::FalseAlarm => "false-alarm",
            Self::Rights => "rights",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for ReportKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ReportKind {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or_else(|| NameError {
            text: text.to_owned(),
            wanted: "a kind of report: malicious, look-alike, false-alarm, rights or other",
        })
    }
}

/// Body of `POST /api/registry/v1/skills/{owner}/{slug}/reports`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReportRequest {
    /// What is the matter; absent: something else.
    #[serde(default)]
    pub kind: ReportKind,
    /// Why, for the moderators; at most 500 bytes as JSON writes it.
    #[serde(default)]
    pub reason: String,
    /// The release; absent: `latest`, or where there is none the newest that was closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Version>,
}

/// Answer to a report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reported {
    /// Id of the report.
    pub id: String,
    /// Whose skill it is.
    pub owner: Owner,
    /// Its slug.
    pub slug: Slug,
    /// The release that it is about.
    pub version: Version,
    /// What was said is the matter.
    pub kind: ReportKind,
    /// True if a report of the same user waits to be decided; it stands as it was.
    pub already_reported: bool,
}

/// An appeal against what closed a release, as members of its publisher see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppealView {
    /// Its id.
    pub id: String,
    /// Whose skill it is.
    pub owner: Owner,
    /// Its slug.
    pub slug: Slug,
    /// The release.
    pub version: Version,
    /// Who appealed.
    pub by: Owner,
    /// Why.
    pub reason: String,
    /// When.
    pub at: Timestamp,
    /// `granted` or `declined`; absent while it waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// What the moderator says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// When the moderator said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_at: Option<Timestamp>,
}

/// Answer to `POST /api/registry/v1/skills/{owner}/{slug}/versions/{version}/appeals`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AppealAnswer {
    /// The appeal.
    #[serde(flatten)]
    pub appeal: AppealView,
    /// True if one about the same release waits; it stands as it was.
    pub already_open: bool,
}

/// Answer to `GET …/appeals`: the one that waits, then the newest; at most 50.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppealList {
    /// Each.
    pub appeals: Vec<AppealView>,
}
