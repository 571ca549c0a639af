//! What gives an agent its skills.
//!
//! Today: where each agent looks for skills, as data. Loading, gating and the prompt catalogue
//! will live here too.

pub mod agents;
