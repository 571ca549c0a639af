//! What a user sets, in a browser.

mod tokens;
