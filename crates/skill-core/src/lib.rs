//! What both programs agree on: names, numbers, references, formats and wire types.
//!
//! Pure: nothing here opens a file, a socket, a database or a clock, and nothing prints. What a
//! function needs to know of the world comes in as an argument.

pub mod api;
pub mod digest;
pub mod name;
pub mod state;
pub mod verdict;
pub mod version;
