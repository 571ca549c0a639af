//! What both programs agree on: names, numbers, references, formats and wire types.
//!
//! Pure: nothing here opens a file, a socket, a database or a clock, and nothing prints. What a
//! function needs to know of the world comes in as an argument.

pub mod alike;
pub mod api;
pub mod diagnostic;
pub mod digest;
pub mod frontmatter;
pub mod hidden;
pub mod lint;
pub mod lock;
pub mod manifest;
pub mod name;
pub mod number;
mod page;
pub mod policy;
pub mod reference;
pub mod requirement;
pub mod state;
pub mod strict_toml;
pub mod token;
pub mod verdict;
pub mod version;
pub mod wanted;
