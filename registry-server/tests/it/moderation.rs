//! What people say about skills, what waits for moderators, and the log of what everybody did.

mod audit;
mod operator;
mod reports;
