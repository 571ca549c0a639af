use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Map, Value};

use crate::examples::Example;
use crate::registry::Registry;
use crate::workspace::{done, root, say};

/// Who publishes: the examples, many small skills, and what is meant to harm.
const PUBLISHERS: [&str; 3] = ["acme", "many", "mallory"];
/// Who signs in by a password, which journeys have in `PASSWORD`.
const READER: &str = "rita";
pub(super) const PASSWORD: &str = "nine lanterns on a hill";

/// A registry with the examples in it, and the tokens of those who publish the rest.
pub(super) struct Site {
    registry: Registry,
    tokens: Map<String, Value>,
}

impl Site {
    pub(super) fn open(programs: &Path, folder: &Path) -> anyhow::Result<Self> {
        let registry = Registry::start(&programs.join("skill-registry"), folder, &[])?;
        let mut tokens = Map::new();
        for name in PUBLISHERS {
            tokens.insert(name.to_owned(), Value::String(registry.new_publisher(name)?));
        }
        let author = Author {
            program: programs.join("skill"),
            home: folder.join("home"),
            registry: registry.url(),
            token: tokens[PUBLISHERS[0]].as_str().unwrap_or_default().to_owned(),
        };
        author.publish_examples()?;
        registry.new_reader(READER, PASSWORD)?;
        Ok(Self { registry, tokens })
    }

    pub(super) fn url(&self) -> String {
        self.registry.url()
    }

    /// The token of each publisher.
    pub(super) fn tokens(&self) -> Value {
        Value::Object(self.tokens.clone())
    }
}

/// Somebody with the program `skill`.
struct Author {
    program: PathBuf,
    home: PathBuf,
    registry: String,
    token: String,
}

impl Author {
    /// All example skills in all their versions, the last but one of `github` taken out of new installs.
    fn publish_examples(&self) -> anyhow::Result<()> {
        fs_err::create_dir(&self.home)?;
        let examples = Example::all(&root().join("examples/skills"))?;
        for Example { slug, version, folder } in &examples {
            let folder = folder.display().to_string();
            self.skill(&["publish", &folder, "--slug", slug, "--version", version])?;
        }
        self.skill(&["yank", "acme/github@3.4.2", "--reason", "drops labels when a title has an emoji"])?;
        say(&format!("{} releases of the examples are published to {}", examples.len(), self.registry));
        Ok(())
    }

    fn skill(&self, args: &[&str]) -> anyhow::Result<()> {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(&self.home).env("SKILL_HOME", &self.home).env("HOME", &self.home);
        done(command.env("SKILL_REGISTRY", &self.registry).env("SKILL_TOKEN", &self.token))?;
        Ok(())
    }
}
