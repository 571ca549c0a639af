//! The cast of every journey.

pub(crate) mod engine;
pub(crate) mod output;
pub(crate) mod registry;
pub(crate) mod sandbox;
pub(crate) mod skill;

pub(crate) use output::Output;
pub(crate) use registry::Registry;
pub(crate) use sandbox::Sandbox;
pub(crate) use skill::Skill;
