use jiff::Timestamp;

use super::licence;
use super::{Age, Facts, Publisher, Require, Rules, SourceKind, SourceRule};
use crate::name::Owner;
use crate::verdict::Verdict;

/// Which rule speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// `require`
    Require,
    /// `allowed_publishers`, `denied_publishers`
    Publisher,
    /// `allowed_sources`
    Source,
    /// `min_release_age`
    Age,
    /// `allowed_licences`
    Licence,
    /// `denied_capabilities`
    Capability,
}

impl Rule {
    /// The stable code of a refusal.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Require => "rule-require",
            Self::Publisher => "rule-publisher",
            Self::Source => "rule-source",
            Self::Age => "rule-age",
            Self::Licence => "rule-licence",
            Self::Capability => "rule-capability",
        }
    }
}

/// What a rule says about a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It lets it in; why.
    Pass(String),
    /// It keeps it out; a sentence that goes on after the skill's name: `is 5 hours old, …`.
    Refuse(String),
    /// It does not speak of such a skill; why.
    Apart(String),
}

/// One rule of one layer, held against a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// Which rule.
    pub rule: Rule,
    /// The line of the file: `min_release_age = "3d"`.
    pub line: String,
    /// What it says.
    pub outcome: Outcome,
}

impl Rules {
    /// Holds every rule against a skill. `is_from` says whether the skill's registry is the one that
    /// this layer's file calls by a name.
    pub fn judge(&self, facts: &Facts, now: Timestamp, is_from: &dyn Fn(&str) -> bool) -> Vec<Ruling> {
        let mut rulings = Vec::new();
        let mut say = |rule: Rule, line: String, outcome: Outcome| {
            rulings.push(Ruling { rule, line, outcome });
        };
        for require in &self.require {
            say(Rule::Require, quoted("require", [require.as_str()]), proof(*require, facts));
        }
        if let Some(allowed) = &self.allowed_publishers {
            let line = quoted("allowed_publishers", allowed.iter().map(ToString::to_string));
            say(Rule::Publisher, line, allowed_publisher(allowed, facts, is_from));
        }
        if !self.denied_publishers.is_empty() {
            let line = quoted("denied_publishers", self.denied_publishers.iter().map(ToString::to_string));
            say(Rule::Publisher, line, denied_publisher(&self.denied_publishers, facts, is_from));
        }
        if let Some(allowed) = &self.allowed_sources {
            let line = quoted("allowed_sources", allowed.iter().map(ToString::to_string));
            say(Rule::Source, line, source(allowed, facts, is_from));
        }
        if let Some(least) = &self.min_release_age {
            say(Rule::Age, format!("min_release_age = \"{least}\""), age(least, facts, now));
        }
        if let Some(allowed) = &self.allowed_licences {
            say(Rule::Licence, quoted("allowed_licences", allowed), named_licence(allowed, facts));
        }
        if !self.denied_capabilities.is_empty() {
            let denied: Vec<&str> = self.denied_capabilities.iter().map(super::Capability::as_str).collect();
            say(Rule::Capability, quoted("denied_capabilities", &denied), capability(&denied, facts));
        }
        rulings
    }
}

/// `require = ["log"]`
fn quoted<T: AsRef<str>>(key: &str, values: impl IntoIterator<Item = T>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| format!("\"{}\"", value.as_ref())).collect();
    format!("{key} = [{}]", values.join(", "))
}

fn proof(require: Require, facts: &Facts) -> Outcome {
    let (holds, yes, no) = match require {
        Require::Signature => (
            facts.signed,
            "signed by its registry",
            "is not signed by a registry, the rule asks for a signature",
        ),
        Require::Log => {
            (facts.logged, "proved to be in the log", "is not proved to be in a log, the rule asks for that")
        }
        Require::VerdictClean => {
            let clean = facts.verdict == Verdict::Clean;
            let no = format!("is {}, the rule asks for clean", facts.verdict);
            return if clean { Outcome::Pass("clean".to_owned()) } else { Outcome::Refuse(no) };
        }
    };
    if holds { Outcome::Pass(yes.to_owned()) } else { Outcome::Refuse(no.to_owned()) }
}

fn speaks_of(publisher: &Publisher, who: &Owner, is_from: &dyn Fn(&str) -> bool) -> bool {
    publisher.owner.as_ref().is_none_or(|owner| owner == who) && is_from(&publisher.registry)
}

fn allowed_publisher(allowed: &[Publisher], facts: &Facts, is_from: &dyn Fn(&str) -> bool) -> Outcome {
    let Some(owner) = &facts.owner else {
        return Outcome::Refuse(format!("has no publisher, {} says no name", a(facts.source)));
    };
    match allowed.iter().find(|publisher| speaks_of(publisher, owner, is_from)) {
        Some(publisher) => Outcome::Pass(format!("{publisher} is allowed")),
        None => Outcome::Refuse(format!("is published by {owner}, whom the rule does not name")),
    }
}

fn denied_publisher(denied: &[Publisher], facts: &Facts, is_from: &dyn Fn(&str) -> bool) -> Outcome {
    let mut names = [&facts.owner, &facts.publisher].into_iter().flatten().peekable();
    if names.peek().is_none() {
        return Outcome::Apart(format!("{} has no publisher", a(facts.source)));
    }
    let hit = names.find(|name| denied.iter().any(|publisher| speaks_of(publisher, name, is_from)));
    match hit {
        Some(name) => Outcome::Refuse(format!("is published by {name}, whom the rule keeps out")),
        None => Outcome::Pass("no publisher that is denied".to_owned()),
    }
}

fn source(allowed: &[SourceRule], facts: &Facts, is_from: &dyn Fn(&str) -> bool) -> Outcome {
    let lets_in = |rule: &&SourceRule| match rule {
        SourceRule::Kind(kind) => *kind == facts.source,
        SourceRule::Registry(name) => facts.source == SourceKind::Registry && is_from(name),
    };
    match allowed.iter().find(lets_in) {
        Some(rule) => Outcome::Pass(format!("{rule} is allowed")),
        None => Outcome::Refuse(format!("comes from {}, which the rule does not name", a(facts.source))),
    }
}

fn age(least: &Age, facts: &Facts, now: Timestamp) -> Outcome {
    let Some(published) = facts.published_at else {
        return if facts.network {
            Outcome::Refuse(format!("has no date of release, {} proves none", a(facts.source)))
        } else {
            Outcome::Apart(format!("{} of this machine has no date of release", a(facts.source)))
        };
    };
    let seconds = now.as_second().saturating_sub(published.as_second());
    if seconds >= least.seconds {
        return Outcome::Pass(format!("{} old", words(seconds)));
    }
    // A release from the future has no age at all.
    let is =
        if seconds < 0 { "is not published yet".to_owned() } else { format!("is {} old", words(seconds)) };
    Outcome::Refuse(format!("{is}, the rule asks for {}", words(least.seconds)))
}

fn named_licence(allowed: &[String], facts: &Facts) -> Outcome {
    match facts.licence.as_deref().map(str::trim).filter(|licence| !licence.is_empty()) {
        None => Outcome::Refuse("names no licence, the rule asks for one".to_owned()),
        Some(named) if licence::allowed(named, allowed) => Outcome::Pass(format!("{named} is allowed")),
        Some(named) => Outcome::Refuse(format!("has the licence {named}, which the rule does not name")),
    }
}

fn capability(denied: &[&str], facts: &Facts) -> Outcome {
    match denied.iter().find(|denied| facts.capabilities.contains(**denied)) {
        Some(found) => Outcome::Refuse(format!("has the capability {found}, which the rule keeps out")),
        None => Outcome::Pass("no capability that is denied".to_owned()),
    }
}

const fn a(source: SourceKind) -> &'static str {
    match source {
        SourceKind::Registry => "a registry",
        SourceKind::Git => "a git repository",
        SourceKind::Archive => "an archive",
        SourceKind::Path => "a folder",
    }
}

/// `5 hours`, `3 days`: the largest unit that is at least one, rounded down.
fn words(seconds: i64) -> String {
    let (count, one, many) = match seconds {
        0..60 => (seconds, "second", "seconds"),
        60..3600 => (seconds / 60, "minute", "minutes"),
        3600..86_400 => (seconds / 3600, "hour", "hours"),
        _ => (seconds / 86_400, "day", "days"),
    };
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::Security;

    const NOW: &str = "2026-11-30T16:00:00Z";

    fn release() -> Facts {
        Facts {
            source: SourceKind::Registry,
            network: true,
            owner: Some("acme".parse().unwrap()),
            publisher: Some("acme".parse().unwrap()),
            signed: true,
            logged: false,
            verdict: Verdict::Clean,
            published_at: Some("2026-11-30T11:00:00Z".parse().unwrap()),
            licence: Some("MIT".to_owned()),
            capabilities: ["network".to_owned()].into(),
        }
    }

    fn folder() -> Facts {
        Facts {
            source: SourceKind::Path,
            network: false,
            owner: None,
            publisher: None,
            signed: false,
            logged: false,
            verdict: Verdict::Clean,
            published_at: None,
            licence: None,
            capabilities: std::collections::BTreeSet::new(),
        }
    }

    /// The one ruling of a line, for a skill of the registry that the file calls `corp`.
    fn judge(line: &str, facts: &Facts) -> Outcome {
        let rules = Security::parse(&format!("[security.rules]\n{line}\n")).unwrap().rules;
        let mut rulings = rules.judge(facts, NOW.parse().unwrap(), &|name| name == "corp");
        assert_eq!(rulings.len(), 1, "{line}");
        let ruling = rulings.remove(0);
        assert_eq!(ruling.line, line);
        ruling.outcome
    }

    #[track_caller]
    fn passes(line: &str, facts: &Facts) {
        assert!(matches!(judge(line, facts), Outcome::Pass(_)), "{line}");
    }

    #[track_caller]
    fn refuses(line: &str, facts: &Facts, sentence: &str) {
        assert_eq!(judge(line, facts), Outcome::Refuse(sentence.to_owned()));
    }

    #[test]
    fn a_proof_that_is_absent_is_not_there() {
        passes("require = [\"signature\"]", &release());
        refuses(
            "require = [\"signature\"]",
            &folder(),
            "is not signed by a registry, the rule asks for a signature",
        );
        refuses("require = [\"log\"]", &release(), "is not proved to be in a log, the rule asks for that");
        let suspicious = Facts { verdict: Verdict::Suspicious, ..release() };
        refuses("require = [\"verdict:clean\"]", &suspicious, "is suspicious, the rule asks for clean");
    }

    #[test]
    fn publishers_are_those_of_a_registry() {
        passes("allowed_publishers = [\"corp:acme\"]", &release());
        passes("allowed_publishers = [\"corp:*\"]", &release());
        // The same handle elsewhere is somebody else.
        refuses(
            "allowed_publishers = [\"other:acme\"]",
            &release(),
            "is published by acme, whom the rule does not name",
        );
        refuses("allowed_publishers = []", &release(), "is published by acme, whom the rule does not name");
        refuses("allowed_publishers = [\"corp:acme\"]", &folder(), "has no publisher, a folder says no name");
        refuses(
            "denied_publishers = [\"corp:acme\"]",
            &release(),
            "is published by acme, whom the rule keeps out",
        );
        passes("denied_publishers = [\"other:acme\"]", &release());
        assert!(matches!(judge("denied_publishers = [\"corp:acme\"]", &folder()), Outcome::Apart(_)));
        // A skill that changed hands is still published by who published this release.
        let moved = Facts { owner: Some("good".parse().unwrap()), ..release() };
        refuses(
            "denied_publishers = [\"corp:acme\"]",
            &moved,
            "is published by acme, whom the rule keeps out",
        );
    }

    #[test]
    fn sources() {
        passes("allowed_sources = [\"git\", \"registry\"]", &release());
        passes("allowed_sources = [\"registry:corp\"]", &release());
        refuses(
            "allowed_sources = [\"registry:other\"]",
            &release(),
            "comes from a registry, which the rule does not name",
        );
        refuses(
            "allowed_sources = [\"registry\"]",
            &folder(),
            "comes from a folder, which the rule does not name",
        );
    }

    #[test]
    fn ages_are_those_of_releases_and_of_what_comes_over_a_network() {
        refuses("min_release_age = \"3d\"", &release(), "is 5 hours old, the rule asks for 3 days");
        passes("min_release_age = \"5h\"", &release());
        let future = Facts { published_at: Some("2026-12-01T00:00:00Z".parse().unwrap()), ..release() };
        refuses("min_release_age = \"1h\"", &future, "is not published yet, the rule asks for 1 hour");
        assert!(matches!(judge("min_release_age = \"3d\"", &folder()), Outcome::Apart(_)));
        let git = Facts { source: SourceKind::Git, network: true, ..folder() };
        refuses("min_release_age = \"3d\"", &git, "has no date of release, a git repository proves none");
    }

    #[test]
    fn licences_and_capabilities() {
        passes("allowed_licences = [\"MIT\"]", &release());
        refuses(
            "allowed_licences = [\"Apache-2.0\"]",
            &release(),
            "has the licence MIT, which the rule does not name",
        );
        refuses("allowed_licences = [\"MIT\"]", &folder(), "names no licence, the rule asks for one");
        refuses(
            "denied_capabilities = [\"shell\", \"network\"]",
            &release(),
            "has the capability network, which the rule keeps out",
        );
        passes("denied_capabilities = [\"network\"]", &folder());
    }
}
