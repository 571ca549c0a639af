use std::fmt;

/// Where a value comes from, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// A flag of the command line.
    Flag,
    /// A variable of the environment.
    Env,
    /// The skills.toml of the work directory.
    Project,
    /// The user's config.toml.
    User,
    /// The system's config.toml.
    System,
}

impl Layer {
    /// Whether the person who runs the command, or their system, said it. A project did not: it came
    /// with files from elsewhere, and SKILL_TOKEN is never sent where it points.
    pub const fn is_own(self) -> bool {
        !matches!(self, Self::Project)
    }
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "--registry",
            Self::Env => "SKILL_REGISTRY",
            Self::Project => "skills.toml",
            Self::User => "the user's config.toml",
            Self::System => "the system's config.toml",
        })
    }
}
