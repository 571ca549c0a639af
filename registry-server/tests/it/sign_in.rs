//! Signing in with a browser.

mod form;
mod link;
mod private;
mod session;
