use std::path::PathBuf;

use toml_edit::{DocumentMut, Item, Table, value};

use super::{Entry, File};
use crate::code::Code;
use crate::context::Context;
use crate::failure::Failure;
use crate::files::{self, limit};

/// Changes to the user's config.toml that keep its comments and order.
#[derive(Debug)]
pub struct Edit {
    path: PathBuf,
    shown: String,
    document: DocumentMut,
    file: File,
}

impl Edit {
    /// Opens the file; one that is not there is empty.
    ///
    /// # Errors
    /// `config-unreadable`, `disk-denied`, `disk-io`.
    pub fn open(context: &Context) -> Result<Self, Failure> {
        let path = context.dirs.config.clone();
        let shown = context.shown(&path);
        let file = File::read(&path, &shown)?;
        let text = files::read_text(&path, limit::TOML).map_err(|error| Failure::disk(&error, &shown))?;
        let text = text.unwrap_or_default();
        let document = text
            .parse()
            .map_err(|error| Failure::new(Code::ConfigUnreadable, format!("{shown}: {error}")))?;
        Ok(Self { path, shown, document, file })
    }

    /// What the file said when it was opened.
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Sets a registry.
    pub fn set_registry(&mut self, name: &str, entry: &Entry) {
        let registries = self.document.entry("registry").or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        let mut table = Table::new();
        table.insert("url", value(&entry.url));
        if let Some(id) = &entry.id {
            table.insert("id", value(id.to_string()));
        }
        registries[name] = Item::Table(table);
    }

    /// Takes a registry away, and the default if it is that one. Whether it was there.
    pub fn remove_registry(&mut self, name: &str) -> bool {
        if self.file.default.as_deref() == Some(name) {
            self.document.remove("default");
        }
        let registries = self.document.get_mut("registry").and_then(Item::as_table_like_mut);
        registries.is_some_and(|registries| registries.remove(name).is_some())
    }

    /// Sets the default registry.
    pub fn set_default(&mut self, name: &str) {
        self.document.insert("default", value(name));
    }

    /// Writes the file in one moment.
    ///
    /// # Errors
    /// `disk-full`, `disk-denied`, `disk-io`.
    pub fn save(self) -> Result<(), Failure> {
        files::replace(&self.path, self.document.to_string().as_bytes(), false)
            .map_err(|error| Failure::disk(&error, &self.shown))
    }
}
