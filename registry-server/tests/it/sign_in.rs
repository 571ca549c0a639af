//! Signing in with a browser.

mod again;
mod device;
mod form;
mod link;
mod password;
mod private;
mod session;
