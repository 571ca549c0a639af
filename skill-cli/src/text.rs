//! Text for people: cleaning, width, wrapping, quoting, numbers. Pure.

pub mod clean;
pub mod excerpt;
pub mod number;
pub mod quote;
pub mod width;
pub mod wrap;
