use std::collections::BTreeMap;
use std::convert::Infallible;

use super::Rules;
use crate::strict_toml::{Fields, TomlError, document};

/// The `[security]` table of a configuration file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Security {
    /// `[security.install_policy]`, if there is one.
    pub program: Option<Program>,
    /// `[security.rules]`.
    pub rules: Rules,
}

/// `[security.install_policy]`: the program that is asked (OpenClaw contract 1.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Whether it is asked at all; where a command is named this is said, too.
    pub enabled: bool,
    /// Whether it is asked about skills: `targets` names them, or is absent.
    pub asks_about_skills: bool,
    /// The program; enabled without one, everything is refused.
    pub command: Option<String>,
    /// Its arguments.
    pub args: Vec<String>,
    /// How long it may run.
    pub timeout_ms: u64,
    /// How long it may print nothing.
    pub no_output_timeout_ms: u64,
    /// How much it may print on stdout and stderr together.
    pub max_output_bytes: u64,
    /// Literal environment variables.
    pub env: BTreeMap<String, String>,
    /// Variables that are handed down if they are set.
    pub pass_env: Vec<String>,
    /// Folders below which the program must lie, if any is named. `~` is HOME.
    pub trusted_dirs: Vec<String>,
}

const TIMEOUT_MS: u64 = 10_000;
const OUTPUT_BYTES: u64 = 1 << 20;

impl Security {
    /// Reads the `[security]` table of a file; other tables are not looked at. No table is an empty one.
    ///
    /// # Errors
    /// The first key that is not known and the first value that cannot stand there, with its place.
    pub fn parse(text: &str) -> Result<Self, TomlError> {
        let document = document(text)?;
        let Some(security) = Fields::of(&document).table("security")? else { return Ok(Self::default()) };
        security.deny_unknown(&["install_policy", "rules"])?;
        Ok(Self {
            program: security.table("install_policy")?.map(program).transpose()?,
            rules: security.table("rules")?.map(Rules::read).transpose()?.unwrap_or_default(),
        })
    }
}

fn program(fields: Fields<'_>) -> Result<Program, TomlError> {
    fields.deny_unknown(&[
        "enabled",
        "targets",
        "command",
        "args",
        "timeout_ms",
        "no_output_timeout_ms",
        "max_output_bytes",
        "env",
        "pass_env",
        "trusted_dirs",
    ])?;
    let timeout_ms = number(fields, "timeout_ms")?.unwrap_or(TIMEOUT_MS);
    Ok(Program {
        enabled: enabled(fields)?,
        asks_about_skills: targets(fields)?,
        command: fields.read_with("command", |text| match text {
            "" => Err("the command is empty"),
            text if text.contains('\0') => Err("the command holds a NUL"),
            text => Ok(text.to_owned()),
        })?,
        args: texts(fields, "args")?,
        timeout_ms,
        no_output_timeout_ms: number(fields, "no_output_timeout_ms")?.unwrap_or(timeout_ms),
        max_output_bytes: number(fields, "max_output_bytes")?.unwrap_or(OUTPUT_BYTES),
        env: env(fields)?,
        pass_env: texts(fields, "pass_env")?,
        trusted_dirs: trusted_dirs(fields)?,
    })
}

/// OpenClaw's default is false. A command that is named and never asked would let everything in without a
/// word, so there it has to be said.
fn enabled(fields: Fields<'_>) -> Result<bool, TomlError> {
    const KEY: &str = "enabled";
    if fields.has(KEY) {
        return fields.need_bool(KEY);
    }
    if fields.has("command") {
        let text =
            "a command is named and `enabled` is not; write `enabled = true`, or false to switch it off";
        return Err(fields.wrong_value("command", text.to_owned()));
    }
    Ok(false)
}

fn trusted_dirs(fields: Fields<'_>) -> Result<Vec<String>, TomlError> {
    const KEY: &str = "trusted_dirs";
    let folders = texts(fields, KEY)?;
    if fields.has(KEY) && folders.is_empty() {
        let text = "trusted_dirs names at least one folder; without it a program may lie anywhere";
        return Err(fields.wrong_value(KEY, text.to_owned()));
    }
    Ok(folders)
}

fn number(fields: Fields<'_>, key: &'static str) -> Result<Option<u64>, TomlError> {
    if !fields.has(key) {
        return Ok(None);
    }
    match fields.need_number(key)? {
        0 => Err(fields.wrong_type(key, "a whole number from 1")),
        number => Ok(Some(number)),
    }
}

fn texts(fields: Fields<'_>, key: &'static str) -> Result<Vec<String>, TomlError> {
    if !fields.has(key) {
        return Ok(Vec::new());
    }
    let texts: Vec<String> = fields.need_texts(key)?;
    if texts.iter().any(|text| text.contains('\0')) {
        return Err(fields.wrong_value(key, format!("a text of {key} holds a NUL")));
    }
    Ok(texts)
}

fn targets(fields: Fields<'_>) -> Result<bool, TomlError> {
    const KEY: &str = "targets";
    if !fields.has(KEY) {
        return Ok(true);
    }
    let targets: Vec<String> = fields.need_texts(KEY)?;
    if targets.is_empty() {
        return Err(fields.wrong_value(KEY, "targets names at least one of skill and plugin"));
    }
    match targets.iter().find(|target| !matches!(target.as_str(), "skill" | "plugin")) {
        Some(other) => Err(fields.wrong_value(KEY, format!("`{other}` is neither skill nor plugin"))),
        None => Ok(targets.iter().any(|target| target == "skill")),
    }
}

fn env(fields: Fields<'_>) -> Result<BTreeMap<String, String>, TomlError> {
    let Some(env) = fields.table("env")? else { return Ok(BTreeMap::new()) };
    let mut read = BTreeMap::new();
    for name in env.keys() {
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(env.wrong_key(name, "not the name of an environment variable"));
        }
        let value = env.read_with(name, |text| Ok::<_, Infallible>(text.to_owned()))?.unwrap_or_default();
        if value.contains('\0') {
            return Err(env.wrong_key(name, "the value holds a NUL"));
        }
        read.insert(name.to_owned(), value);
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(lines: &str) -> String {
        Security::parse(&format!("[security.install_policy]\n{lines}")).unwrap_err().to_string()
    }

    #[test]
    fn a_whole_table_and_its_defaults() {
        let text = "default = \"corp\"\n[security.install_policy]\nenabled = true\ncommand = \"/opt/check\"\n\
                    env = { A = \"1\" }\npass_env = [\"HOME\"]\ntimeout_ms = 250\n";
        let program = Security::parse(text).unwrap().program.unwrap();
        assert!(program.enabled && program.asks_about_skills);
        assert_eq!(program.command.as_deref(), Some("/opt/check"));
        assert_eq!((program.timeout_ms, program.no_output_timeout_ms), (250, 250));
        assert_eq!(program.max_output_bytes, 1_048_576);
        assert_eq!(program.env["A"], "1");
        let empty = Security::parse("[security.install_policy]\n").unwrap().program.unwrap();
        assert!(!empty.enabled);
        assert_eq!(empty.timeout_ms, 10_000);
        assert_eq!(Security::parse("[skills]\n").unwrap(), Security::default());
    }

    #[test]
    fn a_target_list_without_skill_asks_about_none() {
        let about = |list: &str| {
            let text = format!("[security.install_policy]\ntargets = {list}\n");
            Security::parse(&text).unwrap().program.unwrap().asks_about_skills
        };
        assert!(!about("[\"plugin\"]"));
        assert!(about("[\"plugin\", \"skill\"]"));
    }

    #[test]
    fn what_cannot_stand_there_is_named_with_its_place() {
        assert!(refused("comand = \"/x\"\n").starts_with("line 2, column 1: the key `comand` is not known"));
        assert!(refused("targets = []\n").contains("at least one of skill and plugin"));
        assert!(refused("targets = [\"agent\"]\n").contains("`agent` is neither skill nor plugin"));
        assert!(refused("timeout_ms = 0\n").contains("a whole number from 1"));
        assert!(refused("timeout_ms = -1\n").contains("whole number"));
        assert!(refused("max_output_bytes = \"1\"\n").contains("whole number"));
        assert!(refused("enabled = true\ncommand = \"\"\n").contains("the command is empty"));
        assert!(refused("env = { \"A=B\" = \"1\" }\n").contains("environment variable"));
        assert!(refused("enabled = 1\n").contains("true or false"));
        assert!(refused("command = \"/x\"\n").contains("write `enabled = true`"));
        assert!(refused("enabled = true\ntrusted_dirs = []\n").contains("names at least one folder"));
        assert!(refused("args = \"x\"\n").contains("a list of texts"));
        let unknown = Security::parse("[security]\nrule = 1\n").unwrap_err().to_string();
        assert!(unknown.contains("the key `rule` is not known"), "{unknown}");
    }
}
