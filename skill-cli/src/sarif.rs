//! Findings as a SARIF log (OASIS SARIF 2.1.0), as code hosts and editors read them. `skill lint` and `skill scan` say
//! what of their findings goes where; how a log is laid out is said here.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use serde_json::{Map, Value, json};
use skill_core::diagnostic::Level;
use skill_core::digest::Sha256;

use crate::context::Context;
use crate::failure::Failure;

/// The base of relative addresses: hosts take it for the root of the repository.
pub(crate) const ROOT: &str = "%SRCROOT%";

/// What stays as it is in the path of a URI (RFC 3986, section 3.3).
const PATH: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Refuses a log that is asked for beside the document of a command: a command prints one of them.
///
/// # Errors
/// `usage`.
pub(crate) fn is_alone(context: &Context, sarif: bool) -> Result<(), Failure> {
    if sarif && context.globals.json {
        return Err(Failure::usage("`--sarif` and `--json` both say what the one document is"));
    }
    Ok(())
}

/// A path as a part of a URI.
pub(crate) fn path(path: &[u8]) -> String {
    percent_encode(path, PATH).to_string()
}

/// One rule, of which there is a finding.
#[derive(Debug)]
pub(crate) struct Rule<'a> {
    /// Its stable code.
    pub(crate) id: &'a str,
    /// What it is about, in a few words.
    pub(crate) title: Cow<'a, str>,
    /// Why it matters.
    pub(crate) why: &'a str,
    /// What to do, as `multiformatMessageString` (section 3.12).
    pub(crate) help: Value,
    /// How much its findings weigh.
    pub(crate) level: Level,
    /// What else there is to know (section 3.8).
    pub(crate) properties: Option<Value>,
}

/// One finding.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    /// The code of its rule.
    pub(crate) rule: &'a str,
    pub(crate) level: Level,
    pub(crate) message: &'a str,
    /// Where, as `physicalLocation` (section 3.29).
    pub(crate) place: Value,
    /// What a finding is known by when lines above it come or go: the name of the recipe, and what goes into it.
    pub(crate) fingerprint: (&'static str, String),
    /// What a program can change (section 3.55).
    pub(crate) fixes: Option<Value>,
}

/// A log of one run.
#[derive(Debug)]
pub(crate) struct Log<'a> {
    /// The command that ran.
    pub(crate) tool: &'static str,
    /// The rules, in the order in which results refer to them.
    pub(crate) rules: Vec<Rule<'a>>,
    /// What else there is to know of the tool.
    pub(crate) about: Option<Value>,
    /// What columns count (section 3.14.17), where results have any.
    pub(crate) columns: Option<&'static str>,
    /// Further keys of the run.
    pub(crate) run: Vec<(&'static str, Value)>,
    pub(crate) found: Vec<Found<'a>>,
}

impl Log<'_> {
    /// The log as JSON.
    pub(crate) fn document(&self) -> Value {
        let mut driver = json!({
            "name": self.tool,
            "semanticVersion": env!("CARGO_PKG_VERSION"),
            "rules": self.rules.iter().map(Rule::document).collect::<Value>(),
        });
        if let Some(about) = &self.about {
            driver["properties"] = about.clone();
        }
        let mut run = Map::new();
        run.insert("tool".to_owned(), json!({ "driver": driver }));
        if let Some(columns) = self.columns {
            run.insert("columnKind".to_owned(), json!(columns));
        }
        let root = json!({ ROOT: { "description": { "text": "where the program was run" } } });
        run.insert("originalUriBaseIds".to_owned(), root);
        run.extend(self.run.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        let results = self.found.iter().map(|found| found.document(&self.rules));
        run.insert("results".to_owned(), results.collect());
        json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [run],
        })
    }
}

impl Rule<'_> {
    fn document(&self) -> Value {
        let mut rule = json!({
            "id": self.id,
            "shortDescription": { "text": self.title },
            "fullDescription": { "text": self.why },
            "help": self.help,
            "defaultConfiguration": { "level": self.level },
        });
        if let Some(properties) = &self.properties {
            rule["properties"] = properties.clone();
        }
        rule
    }
}

impl Found<'_> {
    fn document(&self, rules: &[Rule<'_>]) -> Value {
        let (recipe, text) = &self.fingerprint;
        let mut result = json!({
            "ruleId": self.rule,
            "ruleIndex": rules.iter().position(|rule| rule.id == self.rule),
            "level": self.level,
            "message": { "text": self.message },
            "locations": [{ "physicalLocation": self.place }],
            "partialFingerprints": { *recipe: Sha256::of(text).to_string()[..32] },
        });
        if let Some(fixes) = &self.fixes {
            result["fixes"] = fixes.clone();
        }
        result
    }
}
