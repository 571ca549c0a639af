//! The cast of every journey.

pub(crate) mod browser;
pub(crate) mod elsewhere;
pub(crate) mod engine;
pub(crate) mod git;
pub(crate) mod output;
pub(crate) mod policy;
pub(crate) mod registry;
pub(crate) mod sandbox;
pub(crate) mod site;
pub(crate) mod skill;
pub(crate) mod system;
pub(crate) mod terminal;
pub(crate) mod wire;

pub(crate) use output::Output;
pub(crate) use registry::Registry;
pub(crate) use sandbox::{Sandbox, disk};
pub(crate) use skill::Skill;
