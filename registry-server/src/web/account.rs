//! Pages for the browser that asks: signing in and out, and what is signed in.

mod again;
mod device;
mod link;
mod sessions;
mod sign_in;

pub(super) use again::{again, confirm};
pub(super) use device::{decide, device, in_words, look};
pub(super) use link::{link, use_link};
pub(super) use sessions::{end_all, end_one, sessions, sign_out};
pub(super) use sign_in::{BACK, by_password, frame, sign_in, told};
