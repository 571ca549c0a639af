//! The catalogue: its pages, what stands around them, and that nothing of what others wrote comes alive in them.

mod corpus;
mod hostile;
mod markup;
mod pages;
mod private;
mod search;
mod skill;
mod states;
mod style;
