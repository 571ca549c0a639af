//! Webhooks: what becomes of a publisher's releases, told to an address of its choice.
//!
//! An event becomes a delivery once (`dispatch`), whichever process sees it first; a delivery is a job that is tried
//! again until it is taken (`deliver`). Nothing is promised about the order.

mod deliver;
mod dispatch;
mod kind;
mod make;
mod sign;

pub(crate) use deliver::{JOB, deliver};
pub(crate) use dispatch::keep_dispatching;
pub use kind::{Kind, Kinds};
pub use make::{Made, NewWebhook, WebhookError, deliveries, list, make, ping, remove};
pub use sign::{Header, headers};
