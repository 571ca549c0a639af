//! Signing in with a browser.

mod device;
mod form;
mod link;
mod private;
mod session;
