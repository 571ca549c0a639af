//! What a skill reaches for, beside what it declares: a reading of its code, not a proof.
//!
//! Code is every program, every file that configures one, and every code block of a page. A name that is put together at run time is
//! not seen; a name that stands in code is seen whether it is reached or not.

mod signs;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use skill_bundle::Bundle;
use skill_core::manifest::Manifest;
use skill_core::policy;
use skill_core::verdict::{Finding, Severity};

use crate::ScanReport;
use crate::file::SourceFile;
use crate::layout::{Line, Place, lines};

/// How many names of one kind are told apart; the rest are counted.
pub const MOST_NAMES: usize = 100;

/// Rules whose findings are something that outlives the skill.
const PERSISTENCE: [&str; 8] = [
    "scheduled-job",
    "start-file",
    "persistent-download",
    "login-key-added",
    "agent-memory-write",
    "agent-settings-write",
    "agent-settings-then-written",
    "agent-extended",
];

/// What a capability is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A host that is named in an address.
    Host,
    /// A program that is run.
    Program,
    /// A file or folder outside of the skill.
    File,
    /// A variable of the environment.
    Variable,
    /// Something that outlives the skill, by the rule that found it.
    Persistence,
}

impl Kind {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Program => "program",
            Self::File => "file",
            Self::Variable => "variable",
            Self::Persistence => "persistence",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// One thing that a skill reaches for, or says that it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capability {
    /// What it is about.
    pub kind: Kind,
    /// Host, program, path, variable, or rule.
    pub name: String,
    /// Whether the manifest says so. Hosts are covered by `network`, files by `filesystem` among the
    /// declared capabilities; nothing declares persistence.
    pub declared: bool,
    /// The first place; `None` if it is declared and stands nowhere in the code.
    #[serde(flatten)]
    pub place: Option<Site>,
    /// In how many lines it stands.
    pub places: u32,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Path inside the bundle.
    pub file: String,
    /// Line from 1; 0 for the whole file.
    pub line: u32,
}

/// What a skill reaches for.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Capabilities {
    /// By kind, then by name.
    pub capabilities: Vec<Capability>,
    /// How many names were left out because a kind had more than [`MOST_NAMES`].
    pub more: u32,
}

impl Capabilities {
    /// Those in the code that the manifest says nothing of.
    pub fn undeclared(&self) -> impl Iterator<Item = &Capability> {
        self.capabilities.iter().filter(|one| !one.declared)
    }

    /// Those that the manifest declares and the code does not show.
    pub fn unseen(&self) -> impl Iterator<Item = &Capability> {
        self.capabilities.iter().filter(|one| one.place.is_none())
    }
}

/// Reads what `bundle` reaches for and compares it with its manifest; `report` is its scan.
pub fn capabilities(bundle: &Bundle, manifest: &Manifest, report: &ScanReport) -> Capabilities {
    let mut seen = Seen::default();
    for (path, file) in bundle.files() {
        let source = SourceFile::read(path.as_str(), file.content(), None);
        if source.is_binary() || !reaches(path.as_str()) {
            continue;
        }
        let head = head(&source);
        let is_fence = |text: &str| ["```", "~~~"].iter().any(|fence| text.trim_start().starts_with(fence));
        let is_code =
            |line: &Line<'_>| line.place == Place::Code && line.number > head && !is_fence(line.text);
        for line in lines(source.manner(), source.text()).filter(is_code) {
            for (kind, name) in signs::of_line(line.text) {
                seen.add(kind, name, path.as_str(), line.number);
            }
        }
    }
    let weighs =
        |found: &&Finding| found.severity > Severity::Info && PERSISTENCE.contains(&found.rule_id.as_str());
    for finding in report.findings.iter().filter(weighs) {
        seen.add(Kind::Persistence, finding.rule_id.clone(), &finding.file, finding.line);
    }
    seen.compared(manifest)
}

/// Whether a file does something or configures what does: no picture, no data, no text for people.
fn reaches(path: &str) -> bool {
    const FOR_PEOPLE: [&str; 9] = ["adoc", "csv", "org", "rst", "svg", "text", "tsv", "txt", "xml"];
    const NAMES: [&str; 6] = ["authors", "changelog", "copying", "license", "notice", "readme"];
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    match name.rsplit_once('.') {
        // What a package manager writes down reaches for nothing by itself.
        Some((stem, ending)) => {
            !(FOR_PEOPLE.contains(&ending) || ending == "lock" || stem.ends_with("-lock"))
        }
        None => !NAMES.iter().any(|known| name.starts_with(known)),
    }
}

/// How many lines the frontmatter of a page takes: what stands there is declared, not done.
fn head(source: &SourceFile<'_>) -> u32 {
    let text = source.text();
    if !source.is_page() || !text.starts_with("---") {
        return 0;
    }
    let end = lines(source.manner(), text).skip(1).find(|line| line.text.trim_end() == "---");
    end.map_or(0, |line| line.number)
}

/// What was seen, and where first.
#[derive(Default)]
struct Seen {
    names: BTreeMap<(Kind, String), (Site, u32)>,
    counts: BTreeMap<Kind, usize>,
    more: u32,
}

impl Seen {
    fn add(&mut self, kind: Kind, name: String, file: &str, line: u32) {
        let key = (kind, name);
        if let Some((_, places)) = self.names.get_mut(&key) {
            *places += 1;
            return;
        }
        let count = self.counts.entry(kind).or_default();
        if *count == MOST_NAMES {
            self.more += 1;
            return;
        }
        *count += 1;
        self.names.insert(key, (Site { file: file.to_owned(), line }, 1));
    }

    fn compared(self, manifest: &Manifest) -> Capabilities {
        let said = policy::capabilities(manifest, []);
        let installed = manifest.install.iter().flat_map(|install| &install.bins);
        let installed: BTreeSet<&str> = installed.map(String::as_str).collect();
        let declared = |kind, name: &str| match kind {
            Kind::Host => said.contains("network"),
            Kind::File => said.contains("filesystem"),
            Kind::Program => said.contains(&format!("bin:{name}")) || installed.contains(name),
            Kind::Variable => said.contains(&format!("env:{name}")),
            Kind::Persistence => false,
        };
        let mut all: Vec<Capability> = Vec::new();
        for said in &said {
            let named = |prefix, kind| said.strip_prefix(prefix).map(|name| (kind, name.to_owned()));
            let Some((kind, name)) = named("bin:", Kind::Program).or_else(|| named("env:", Kind::Variable))
            else {
                continue;
            };
            if !self.names.contains_key(&(kind, name.clone())) {
                all.push(Capability { kind, name, declared: true, place: None, places: 0 });
            }
        }
        for ((kind, name), (place, places)) in self.names {
            let declared = declared(kind, &name);
            all.push(Capability { kind, name, declared, place: Some(place), places });
        }
        all.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
        Capabilities { capabilities: all, more: self.more }
    }
}
