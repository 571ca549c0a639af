use super::{Config, Entry, Known};
use crate::client::Endpoint;
use crate::code::Code;
use crate::failure::Failure;

impl Config {
    /// A project names registries and takes no name over: what the user or the system calls `corp` is what
    /// tokens, pins and policies mean by it.
    ///
    /// # Errors
    /// `config-unreadable`, with both registries.
    pub(super) fn check_names(&self) -> Result<(), Failure> {
        for theirs in self.known().filter(|known| !known.layer.is_own()) {
            match self.known().find(|known| known.layer.is_own() && known.name == theirs.name) {
                Some(own) if !agree(own.entry, theirs.entry) => return Err(taken_over(&own, &theirs)),
                _ => {}
            }
        }
        Ok(())
    }
}

/// One address, and not two ids.
fn agree(own: &Entry, theirs: &Entry) -> bool {
    let place =
        |entry: &Entry| Endpoint::parse(&entry.url).map_or_else(|_| entry.url.clone(), |url| url.to_string());
    let ids = own.id.zip(theirs.id);
    place(own) == place(theirs) && ids.is_none_or(|(own, theirs)| own == theirs)
}

fn taken_over(own: &Known<'_>, theirs: &Known<'_>) -> Failure {
    let name = own.name;
    let text = format!("{} calls another registry {name} than you do", theirs.layer);
    let mut failure = Failure::new(Code::ConfigUnreadable, text);
    for known in [own, theirs] {
        failure = failure.because(format!("{name} in {}: {}", known.layer, known.entry.url));
        if let Some(id) = known.entry.id {
            failure = failure.line(id.to_string());
        }
    }
    failure.nothing_changed().hint(format!("give `[registry.{name}]` in skills.toml another name")).hint(
        format!("if it is your registry that moved, run `skill registry remove {name}` and add it anew"),
    )
}
