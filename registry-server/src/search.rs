//! Search: a projection of the database that every process keeps for itself.

mod index;
mod projection;
mod words;

pub use index::{Change, Document, Hit, SearchError, SearchIndex};
pub use projection::Search;
pub(crate) use words::of_question as words_of;
