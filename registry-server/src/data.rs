//! The data folder: what a registry is made of, how it is made, and how it is opened again.
//!
//! A first start writes in an order in which every step can be done again: folder, lock, schema, keys,
//! root, and then one transaction that says that the registry exists. Killed anywhere, the next start
//! finds what is there and does the rest.

mod error;
mod first;
mod folder;
mod keys;
mod open;
mod web_key;

pub use error::DataError;
pub(crate) use first::token_shown as first_token_shown;
pub use first::{FIRST_USER, REGISTRY};
pub use folder::{Folder, FolderLock};
pub use keys::Keys;
pub use open::{Opened, open_made, open_or_make};
