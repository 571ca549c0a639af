/// What a request asks for, as far as limits go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Looks at something.
    Read,
    /// Looks at what everybody is told without a token, before they show one. Counted apart: the reads of others at the
    /// same address keep nobody from coming as a user.
    Open,
    /// Changes something.
    Write,
    /// Takes an archive.
    Download,
    /// Takes many archives at once.
    Export,
}

impl Kind {
    /// Every kind.
    pub(super) const ALL: [Self; 5] = [Self::Read, Self::Open, Self::Write, Self::Download, Self::Export];

    /// What one of them is called.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Open => "open",
            Self::Write => "write",
            Self::Download => "download",
            Self::Export => "export",
        }
    }

    /// What many of them are called.
    pub(super) const fn plural(self) -> &'static str {
        match self {
            Self::Read | Self::Open => "reads",
            Self::Write => "writes",
            Self::Download => "downloads",
            Self::Export => "exports",
        }
    }
}

/// Requests of one kind that are answered in a minute; 0 sets no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Without a token, from one address.
    pub address: u32,
    /// With the tokens of one user.
    pub user: u32,
    /// With the tokens of one administrator of the registry.
    pub admin: u32,
}

/// What is answered in a minute (`rate.*`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowances {
    /// Of [`Kind::Read`], and as many of [`Kind::Open`].
    pub read: Allowance,
    /// Of [`Kind::Write`].
    pub write: Allowance,
    /// Of [`Kind::Download`].
    pub download: Allowance,
    /// Of [`Kind::Export`].
    pub export: Allowance,
    /// Tokens that are not good, from one address. Beyond them no token from there is looked up, as that asks the
    /// database; 0 sets no limit.
    pub refused: u32,
}

impl Allowances {
    pub(super) const fn of(&self, kind: Kind) -> Allowance {
        match kind {
            Kind::Read | Kind::Open => self.read,
            Kind::Write => self.write,
            Kind::Download => self.download,
            Kind::Export => self.export,
        }
    }
}
