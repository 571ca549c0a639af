//! `--require`: a family that merely warns or was skipped is not enough.

use super::row::{Family, Outcome, Row, Status};

/// What must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requirement {
    /// A family of checks must hold.
    Family(Family),
    /// Every folder must be in the lock.
    Locked,
    /// Nothing but a clean verdict.
    Clean,
}

impl Requirement {
    /// Reads what stands after `--require`.
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "locked" => Some(Self::Locked),
            "verdict:clean" => Some(Self::Clean),
            _ => Family::ALL.into_iter().find(|family| family.id() == text).map(Self::Family),
        }
    }

    /// What is accepted, for the message.
    pub fn names() -> String {
        let families: Vec<&str> = Family::ALL.into_iter().map(Family::id).collect();
        format!("{}, locked or verdict:clean", families.join(", "))
    }

    /// Makes failures of what does not reach it.
    pub fn apply(self, outcome: &mut Outcome) {
        match self {
            Self::Family(family) => require(family, outcome),
            Self::Locked => {
                for row in outcome.rows.iter_mut().filter(|row| row.id == "unmanaged") {
                    row.status = Status::Fail;
                }
            }
            Self::Clean => clean(outcome),
        }
    }
}

fn require(family: Family, outcome: &mut Outcome) {
    let unmanaged = outcome.rows.iter().any(|row| row.family == Family::Unmanaged);
    let mut seen = false;
    for row in outcome.rows.iter_mut().filter(|row| row.family == family) {
        seen = true;
        if matches!(row.status, Status::Warn | Status::Skip) {
            row.id = row.reason.take().unwrap_or(row.id);
            row.detail = format!("required, and {}", row.detail);
            row.status = Status::Fail;
        }
    }
    // Families that have a row only if there is something to say hold without one.
    let silent =
        matches!(family, Family::Foreign | Family::Unmanaged | Family::Envelope | Family::Restriction);
    if !seen && !silent && !unmanaged {
        let (id, detail) = match family {
            Family::Publisher => {
                ("publisher-none", "required, and the release carries no author's signature")
            }
            Family::Witness => ("witness-none", "required, and no witness is configured"),
            Family::Timestamp => ("timestamp", "required, and the registry signs no timestamp yet"),
            other => (other.id(), "required, and there is nothing to check"),
        };
        outcome.rows.push(Row::fail(id, family, detail));
    }
    if !seen && unmanaged && family != Family::Unmanaged {
        outcome.rows.push(Row::fail(family.id(), family, "required, and no lock knows this folder"));
    }
}

fn clean(outcome: &mut Outcome) {
    let accepted = |row: &Row| row.family == Family::Verdict && row.status == Status::Ok;
    for row in outcome.rows.iter_mut().filter(|row| accepted(row)) {
        if let Some(id) = [("suspicious", "verdict-suspicious"), ("not-analysable", "verdict-not-analysable")]
            .into_iter()
            .find_map(|(verdict, id)| row.detail.starts_with(verdict).then_some(id))
        {
            row.id = id;
            row.status = Status::Fail;
            row.detail = format!("required is clean: {}", row.detail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(rows: Vec<Row>) -> Outcome {
        Outcome { name: "x".into(), owner: None, slug: None, version: None, path: "skills/x".into(), rows }
    }

    fn failing(requirement: &str, rows: Vec<Row>) -> Vec<&'static str> {
        let mut outcome = outcome(rows);
        Requirement::parse(requirement).unwrap().apply(&mut outcome);
        outcome.rows.iter().filter(|row| row.status == Status::Fail).map(|row| row.id).collect()
    }

    #[test]
    fn what_warns_or_was_skipped_fails_under_its_own_id() {
        let skip = Row::skip(Family::Publisher, Some("publisher-none"), "acme does not sign its releases");
        assert_eq!(failing("publisher", vec![skip.clone()]), ["publisher-none"]);
        assert_eq!(failing("signature", vec![skip]), ["signature"]);
        let expiring = Row::warn(Family::Root, "root-expiring", "");
        assert_eq!(failing("root", vec![expiring.clone()]), ["root-expiring"]);
        assert!(failing("disk", vec![expiring, Row::ok(Family::Disk, "")]).is_empty());
    }

    #[test]
    fn a_proof_that_does_not_exist_is_not_there() {
        for family in ["publisher", "witness", "timestamp"] {
            assert_eq!(failing(family, vec![Row::ok(Family::Disk, "")]).len(), 1, "{family}");
        }
        assert!(failing("restriction", vec![Row::ok(Family::Disk, "")]).is_empty());
    }

    #[test]
    fn unknown_folders_pass_unless_locked_is_required() {
        let row = Row::ok(Family::Unmanaged, "no lock knows this folder");
        assert_eq!(failing("locked", vec![row.clone()]), ["unmanaged"]);
        assert_eq!(failing("signature", vec![row]), ["signature"]);
    }

    #[test]
    fn an_accepted_verdict_is_not_clean() {
        let row = Row::ok(Family::Verdict, "suspicious by rules 1, and accepted");
        assert_eq!(failing("verdict:clean", vec![row]), ["verdict-suspicious"]);
        assert!(failing("verdict:clean", vec![Row::ok(Family::Verdict, "clean by rules 1")]).is_empty());
    }

    #[test]
    fn only_known_words_are_read() {
        for text in ["", "disks", "verdict:dirty", "disk-content"] {
            assert_eq!(Requirement::parse(text), None, "{text}");
        }
    }
}
