use serde_json::{Value, json};

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// It holds.
    Ok,
    /// It holds, and something is to be said.
    Warn,
    /// It could not be done, or there is nothing to check.
    Skip,
    /// It does not hold.
    Fail,
}

impl Status {
    /// The word of the JSON document.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Skip => "skip",
            Self::Fail => "fail",
        }
    }

    /// The word in text.
    pub const fn shown(self) -> &'static str {
        match self {
            Self::Fail => "FAIL",
            other => other.as_str(),
        }
    }
}

/// The families of checks, in the order of their rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// What lies on disk.
    Disk,
    /// What other tools left there.
    Foreign,
    /// A folder that no lock knows.
    Unmanaged,
    /// What the lock says.
    Lock,
    /// The envelope at hand.
    Envelope,
    /// The root chain.
    Root,
    /// The signed statements.
    Signature,
    /// The place in the log.
    Log,
    /// The freshness of what is known.
    Timestamp,
    /// What was restricted.
    Restriction,
    /// What the scan said.
    Verdict,
    /// The author's own signature.
    Publisher,
    /// Who else saw the log.
    Witness,
}

impl Family {
    /// Every family.
    pub const ALL: [Self; 13] = [
        Self::Disk,
        Self::Foreign,
        Self::Unmanaged,
        Self::Lock,
        Self::Envelope,
        Self::Root,
        Self::Signature,
        Self::Log,
        Self::Timestamp,
        Self::Restriction,
        Self::Verdict,
        Self::Publisher,
        Self::Witness,
    ];

    /// Its id, which is the id of its row while no check of it fails.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Disk => "disk",
            Self::Foreign => "foreign",
            Self::Unmanaged => "unmanaged",
            Self::Lock => "lock",
            Self::Envelope => "envelope",
            Self::Root => "root",
            Self::Signature => "signature",
            Self::Log => "log",
            Self::Timestamp => "timestamp",
            Self::Restriction => "restriction",
            Self::Verdict => "verdict",
            Self::Publisher => "publisher",
            Self::Witness => "witness",
        }
    }

    /// The family that a check id belongs to.
    pub fn of(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|family| {
            id.strip_prefix(family.id()).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    }
}

/// The outcome of one check, or of a family of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Check id.
    pub id: &'static str,
    /// Its family.
    pub family: Family,
    /// What it came to.
    pub status: Status,
    /// The own id of what made it warn or skip.
    pub reason: Option<&'static str>,
    /// What was found, for people.
    pub detail: String,
    /// The files that it is about.
    pub files: Vec<String>,
}

impl Row {
    /// A family that holds.
    pub fn ok(family: Family, detail: impl Into<String>) -> Self {
        Self::family(family, Status::Ok, None, detail)
    }

    /// A family that holds, with something to be said.
    pub fn warn(family: Family, reason: &'static str, detail: impl Into<String>) -> Self {
        Self::family(family, Status::Warn, Some(reason), detail)
    }

    /// A family that was not checked.
    pub fn skip(family: Family, reason: Option<&'static str>, detail: impl Into<String>) -> Self {
        Self::family(family, Status::Skip, reason, detail)
    }

    /// A check that could not be done alone; it stands beside its family's row.
    pub fn skip_alone(id: &'static str, family: Family, detail: impl Into<String>) -> Self {
        Self { id, ..Self::family(family, Status::Skip, Some(id), detail) }
    }

    /// A check that fails.
    pub fn fail(id: &'static str, family: Family, detail: impl Into<String>) -> Self {
        Self { id, ..Self::family(family, Status::Fail, None, detail) }
    }

    fn family(
        family: Family,
        status: Status,
        reason: Option<&'static str>,
        detail: impl Into<String>,
    ) -> Self {
        Self { id: family.id(), family, status, reason, detail: detail.into(), files: Vec::new() }
    }

    /// Names the files that it is about.
    #[must_use]
    pub fn about(mut self, files: Vec<String>) -> Self {
        self.files = files;
        self
    }

    /// Exit code that it asks for.
    pub fn exit(&self) -> u8 {
        match self.status {
            Status::Fail if self.id == "root-absent" => 6,
            Status::Fail if self.is_unproved() => 4,
            Status::Fail => 5,
            _ => 0,
        }
    }

    /// Whether it is about statements that do not hold together, and not about what they say of the skill.
    pub fn is_unproved(&self) -> bool {
        !matches!(self.family, Family::Restriction | Family::Verdict)
            || matches!(self.id, "restriction-list" | "restriction-rollback")
    }

    /// Its JSON form.
    pub fn document(&self) -> Value {
        json!({
            "id": self.id,
            "family": self.family.id(),
            "ok": self.status != Status::Fail,
            "status": self.status.as_str(),
            "reason": self.reason,
            "detail": self.detail,
            "files": self.files,
        })
    }
}

/// The rows about one skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Local name.
    pub name: String,
    /// Whose it is, if a registry's.
    pub owner: Option<String>,
    /// Which skill of the owner, if a registry's.
    pub slug: Option<String>,
    /// Which release, if a registry's.
    pub version: Option<String>,
    /// Where it lies.
    pub path: String,
    /// What was checked, in the order of the families.
    pub rows: Vec<Row>,
}

impl Outcome {
    /// Whether no check fails.
    pub fn is_ok(&self) -> bool {
        self.rows.iter().all(|row| row.status != Status::Fail)
    }

    /// `acme/github 3.4.1`, or the local name.
    pub fn title(&self) -> String {
        match (&self.owner, &self.slug, &self.version) {
            (Some(owner), Some(slug), Some(version)) => format!("{owner}/{slug} {version}"),
            _ => self.name.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_belong_to_their_families() {
        for (id, family) in [
            ("disk-content", Family::Disk),
            ("disk", Family::Disk),
            ("lock-log-index", Family::Lock),
            ("log-release-twice", Family::Log),
            ("envelope-subject", Family::Envelope),
            ("signature-key-range", Family::Signature),
            ("restriction-quarantined", Family::Restriction),
        ] {
            assert_eq!(Family::of(id), Some(family), "{id}");
        }
        assert_eq!(Family::of("diskette"), None);
    }

    #[test]
    fn what_is_not_proved_is_4_and_what_is_refused_is_5() {
        for (id, exit) in [
            ("disk-content", 4),
            ("signature-name", 4),
            ("restriction-list", 4),
            ("restriction-rollback", 4),
            ("restriction-quarantined", 5),
            ("restriction-taken-down", 5),
            ("verdict-suspicious", 5),
            ("root-absent", 6),
        ] {
            assert_eq!(Row::fail(id, Family::of(id).unwrap(), "").exit(), exit, "{id}");
        }
    }
}
