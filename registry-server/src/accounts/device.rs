//! A program asks for a token, a person approves it in a browser: the device flow (RFC 8628, ClawHub contract 1.2).

mod approve;
mod ask;
mod error;
mod take;

pub use approve::{Asked, Outcome, decide, look};
pub use ask::{AskedCodes, NewAsk, ask};
pub use error::{ApproveError, DeviceError};
pub use take::{Given, take};
