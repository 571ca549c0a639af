//! Reads TOML by hand: every key is known or refused, and every error has a place.

use std::fmt::Display;
use std::ops::Range;
use std::str::FromStr;

use toml_edit::{Document, Item, Key, TableLike, Value};

use crate::lock::first_conflict_marker;
use crate::reference::without_credentials;

/// Where reading a TOML file stopped, and why.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {reason}")]
pub struct TomlError {
    /// The line, from 1.
    pub line: u32,
    /// The first column, in characters from 1.
    pub column: u32,
    /// The column after the last one, on the same line.
    pub end_column: u32,
    /// The whole line, without credentials of a URL in it.
    pub excerpt: String,
    /// Why.
    pub reason: TomlReason,
}

/// Why reading a TOML file stopped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TomlReason {
    /// It is not TOML.
    #[error("{0}")]
    Syntax(String),
    /// Two sides of a merge stand in it.
    #[error("a conflict marker; merge the file, or take one side")]
    Conflict,
    /// A key that nobody knows.
    #[error("the key `{key}` is not known here; known are {}", known.join(", "))]
    UnknownKey {
        /// The key.
        key: String,
        /// What could stand there.
        known: Vec<&'static str>,
    },
    /// A key that has to be there.
    #[error("the key `{key}` is missing")]
    MissingKey {
        /// The key.
        key: &'static str,
    },
    /// A value of another type.
    #[error("`{key}` is {wanted}")]
    Type {
        /// Its key.
        key: String,
        /// What it has to be.
        wanted: &'static str,
    },
    /// A value that its type does not take.
    #[error("{because}")]
    Value {
        /// Its key.
        key: String,
        /// The error of its type.
        because: String,
    },
    /// A registry skill under a bare slug, which a registry could bind to anybody.
    #[error("`{slug}` names no owner; a skill of a registry is written \"owner/{slug}\"")]
    OwnerMissing {
        /// The bare slug.
        slug: String,
    },
    /// Two entries that would be installed into one folder.
    #[error("`{first}` and `{second}` would both be installed as {name}")]
    NameTwice {
        /// The key that stands first.
        first: String,
        /// The key that stands second.
        second: String,
        /// The local name of both.
        name: String,
    },
}

/// A table that is being read, and the text it stands in.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    text: &'a str,
    table: &'a dyn TableLike,
    /// Byte where the table begins.
    start: usize,
}

pub(crate) fn document(text: &str) -> Result<Document<&str>, TomlError> {
    Document::parse(text).map_err(|error| {
        let reason = TomlReason::Syntax(error.message().lines().collect::<Vec<_>>().join(", "));
        at(text, error.span().unwrap_or(0..0), reason)
    })
}

/// Where the first conflict marker of a text stands, if it has one.
pub(crate) fn conflict(text: &str) -> Option<TomlError> {
    let line = first_conflict_marker(text)?;
    let start: usize = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let length = text[start..].lines().next().unwrap_or_default().len();
    Some(at(text, start..start + length, TomlReason::Conflict))
}

impl<'a> Fields<'a> {
    pub(crate) fn of(document: &'a Document<&'a str>) -> Self {
        Self { text: document.raw(), table: document.as_table(), start: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// The keys in the order in which they stand.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &'a str> {
        self.table.iter().map(|(key, _)| key)
    }

    pub(crate) fn deny_unknown(&self, known: &[&'static str]) -> Result<(), TomlError> {
        match self.keys().find(|key| !known.contains(key)) {
            None => Ok(()),
            Some(key) => {
                Err(self.at_key(key, TomlReason::UnknownKey { key: key.to_owned(), known: known.to_vec() }))
            }
        }
    }

    /// Keeps for later what is a table, and refuses everything else that is unknown.
    pub(crate) fn deny_unknown_but_tables(&self, known: &[&'static str]) -> Result<(), TomlError> {
        let table = |key: &str| {
            self.table.get(key).is_some_and(|item| item.is_table_like() || item.is_array_of_tables())
        };
        match self.keys().find(|key| !known.contains(key) && !table(key)) {
            None => Ok(()),
            Some(key) => {
                Err(self.at_key(key, TomlReason::UnknownKey { key: key.to_owned(), known: known.to_vec() }))
            }
        }
    }

    /// A text that its type reads.
    pub(crate) fn read<T: FromStr<Err: Display>>(&self, key: &str) -> Result<Option<T>, TomlError> {
        self.read_with(key, str::parse)
    }

    /// A text that has to be there, and that its type reads.
    pub(crate) fn need<T: FromStr<Err: Display>>(&self, key: &'static str) -> Result<T, TomlError> {
        self.read(key)?.ok_or_else(|| self.missing(key))
    }

    /// A text that `read` reads.
    pub(crate) fn read_with<T, E: Display>(
        &self,
        key: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, TomlError> {
        let Some(value) = self.value(key, "a text in quotes")? else { return Ok(None) };
        let Some(text) = value.as_str() else { return Err(self.wrong_type(key, "a text in quotes")) };
        read(text).map(Some).map_err(|because| self.wrong_value(key, because))
    }

    /// A whole number that is not negative.
    pub(crate) fn need_number(&self, key: &'static str) -> Result<u64, TomlError> {
        const WANTED: &str = "a whole number that is not negative";
        let value = self.value(key, WANTED)?.ok_or_else(|| self.missing(key))?;
        let number = value.as_integer().and_then(|number| u64::try_from(number).ok());
        number.ok_or_else(|| self.wrong_type(key, WANTED))
    }

    pub(crate) fn need_bool(&self, key: &'static str) -> Result<bool, TomlError> {
        const WANTED: &str = "true or false";
        let value = self.value(key, WANTED)?.ok_or_else(|| self.missing(key))?;
        value.as_bool().ok_or_else(|| self.wrong_type(key, WANTED))
    }

    pub(crate) fn need_texts<C: FromIterator<String>>(&self, key: &'static str) -> Result<C, TomlError> {
        const WANTED: &str = "a list of texts";
        let value = self.value(key, WANTED)?.ok_or_else(|| self.missing(key))?;
        let texts = value.as_array().and_then(|array| {
            array.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<C>>()
        });
        texts.ok_or_else(|| self.wrong_type(key, WANTED))
    }

    /// The table under `key`; an empty list of its entries if it is not there.
    pub(crate) fn table(&self, key: &str) -> Result<Option<Self>, TomlError> {
        let Some(item) = self.table.get(key) else { return Ok(None) };
        let table = item.as_table_like().ok_or_else(|| self.wrong_type(key, "a table"))?;
        let start = item.span().or_else(|| self.key_span(key)).map_or(self.start, |span| span.start);
        Ok(Some(Self { text: self.text, table, start }))
    }

    /// Whether `key` holds a text and no table.
    pub(crate) fn is_text(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(Item::is_str)
    }

    pub(crate) fn missing(&self, key: &'static str) -> TomlError {
        at(self.text, self.start..self.start, TomlReason::MissingKey { key })
    }

    pub(crate) fn wrong_value(&self, key: &str, because: impl Display) -> TomlError {
        let reason =
            TomlReason::Value { key: key.to_owned(), because: without_credentials(&because.to_string()) };
        at(self.text, self.value_span(key), reason)
    }

    pub(crate) fn wrong_key(&self, key: &str, because: impl Display) -> TomlError {
        let because = without_credentials(&because.to_string());
        self.at_key(key, TomlReason::Value { key: key.to_owned(), because })
    }

    pub(crate) fn wrong_type(&self, key: &str, wanted: &'static str) -> TomlError {
        at(self.text, self.value_span(key), TomlReason::Type { key: key.to_owned(), wanted })
    }

    pub(crate) fn at_key(&self, key: &str, reason: TomlReason) -> TomlError {
        at(self.text, self.key_span(key).unwrap_or(self.start..self.start), reason)
    }

    fn value(&self, key: &str, wanted: &'static str) -> Result<Option<&'a Value>, TomlError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(item) => item.as_value().map(Some).ok_or_else(|| self.wrong_type(key, wanted)),
        }
    }

    fn key_span(&self, key: &str) -> Option<Range<usize>> {
        self.table.key(key).and_then(Key::span)
    }

    fn value_span(&self, key: &str) -> Range<usize> {
        let value = self.table.get(key).and_then(Item::span);
        value.or_else(|| self.key_span(key)).unwrap_or(self.start..self.start)
    }
}

/// The place of a range of bytes, cut at the end of its first line.
fn at(text: &str, span: Range<usize>, reason: TomlReason) -> TomlError {
    let start = text.floor_char_boundary(span.start);
    let end = text.floor_char_boundary(span.end).max(start);
    let line_start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |newline| start + newline);
    let columns = |from: usize, to: usize| text[from..to].trim_start_matches('\u{feff}').chars().count();
    let column = columns(line_start, start) as u32 + 1;
    let width = columns(start, end.min(line_end)) as u32;
    TomlError {
        line: text[..line_start].matches('\n').count() as u32 + 1,
        column,
        end_column: column + width.max(1),
        excerpt: excerpt(&text[line_start..line_end]),
        reason,
    }
}

/// A line without the credentials of any URL in it, in quotes or not.
fn excerpt(line: &str) -> String {
    let line = without_credentials(line.trim_start_matches('\u{feff}').trim_end());
    line.split('"').map(without_credentials).collect::<Vec<_>>().join("\"")
}
