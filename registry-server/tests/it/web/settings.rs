//! What a user sets, and what members do with a skill, in a browser.

mod publishers;
mod skill;
mod tokens;
