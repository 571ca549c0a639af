//! Journeys across both programs: the real `skill` against the real `skill-registry`, on loopback.
//!
//! `Case N` beside a test is a fault that users of other skill tools reported, by its number in the collection that
//! this project was checked against (docs/CASES.md).
//!
//! One file a journey. `support` holds the cast: a registry, a sandbox with a home and a work
//! directory, skills to publish.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stderr, reason = "what was skipped or counted is said to whoever runs the tests")]

mod account;
mod appealed;
mod archives;
mod backup;
mod closed;
mod corpus;
mod crash_disk;
mod crash_install;
mod crash_kill;
mod crash_sources;
mod crash_sync;
mod deleted;
mod deprecated;
mod frozen;
mod git_hostile;
mod git_http;
mod git_install;
mod git_prompt;
mod git_refs;
mod git_remote;
mod git_tree;
mod git_trees;
mod held;
mod hints;
mod hostile_checkout;
mod install_directory;
mod install_registry;
mod linked;
mod lint;
mod lock_agrees;
mod login_device;
mod meanwhile;
mod memory;
mod narrow;
mod network;
mod no_skill;
mod policy_answer;
mod policy_attack;
mod policy_command;
mod policy_explain;
mod policy_hostile;
mod policy_killed;
mod policy_layers;
mod policy_program;
mod policy_rules;
mod policy_scan;
mod policy_sources;
mod policy_stock;
mod policy_warning;
mod proxy;
mod publish_all;
mod publish_lost;
mod publish_numbers;
mod publish_told;
mod rates;
mod read_only;
mod refusals;
mod registry_names;
mod registry_pages;
mod replaced;
mod reported;
mod restored;
mod same_name;
mod scan;
mod signals;
mod signed_in;
mod skill_md;
mod special_files;
mod starred;
mod state_matrix;
mod support;
mod tampered;
mod web_archives;
mod withdrawn;
