use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use skill_core::name::NameError;

use crate::store::users::SiteRole;

/// One thing that a token may be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Reads what the user may see.
    Read,
    /// Publishes, yanks, tags, deprecates, deletes and undeletes for the user's publishers.
    Publish,
    /// Judges reports and holds.
    Moderate,
    /// Everything that an administrator may.
    Admin,
}

impl Scope {
    const ALL: [Self; 4] = [Self::Read, Self::Publish, Self::Moderate, Self::Admin];

    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Publish => "publish",
            Self::Moderate => "moderate",
            Self::Admin => "admin",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Scope {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL.into_iter().find(|scope| scope.as_str() == text).ok_or_else(|| NameError {
            text: text.to_owned(),
            wanted: "a scope: read, publish, moderate or admin",
        })
    }
}

/// What a token may be used for. Text form: the words, in this order, with commas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scopes(BTreeSet<Scope>);

impl Scopes {
    /// The scopes named.
    pub fn of(scopes: impl IntoIterator<Item = Scope>) -> Self {
        Self(scopes.into_iter().collect())
    }

    /// All that a user with this role on the site can have.
    pub fn of_role(role: SiteRole) -> Self {
        let above = [(SiteRole::Moderator, Scope::Moderate), (SiteRole::Admin, Scope::Admin)];
        let above = above.into_iter().filter(|(needs, _)| role >= *needs).map(|(_, scope)| scope);
        Self::of([Scope::Read, Scope::Publish].into_iter().chain(above))
    }

    /// Whether the token may be used for this.
    pub fn has(&self, scope: Scope) -> bool {
        self.0.contains(&scope)
    }

    /// The scopes in their order.
    pub fn iter(&self) -> impl Iterator<Item = Scope> {
        self.0.iter().copied()
    }
}

impl Default for Scopes {
    /// What a token gets that names none.
    fn default() -> Self {
        Self::of([Scope::Read, Scope::Publish])
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, scope) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            f.write_str(scope.as_str())?;
        }
        Ok(())
    }
}

impl FromStr for Scopes {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        text.split([',', ' '])
            .filter(|word| !word.is_empty())
            .map(str::parse)
            .collect::<Result<_, _>>()
            .and_then(|scopes: BTreeSet<Scope>| {
                if scopes.is_empty() {
                    return Err(NameError { text: text.to_owned(), wanted: "one scope at least" });
                }
                Ok(Self(scopes))
            })
    }
}
