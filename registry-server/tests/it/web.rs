//! The catalogue: its pages, what stands around them, and that nothing of what others wrote comes alive in them.

mod addresses;
mod closed;
mod corpus;
mod dashboard;
mod diff;
mod encoded;
mod gzip;
mod hostile;
mod kept;
mod large;
mod links;
pub(crate) mod markup;
mod pages;
mod private;
mod search;
mod security;
mod settings;
mod sharing;
pub(crate) mod skill;
mod states;
mod style;
mod written;
