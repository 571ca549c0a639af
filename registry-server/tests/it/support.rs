//! What the tests stand on: a registry in a temporary folder with a fixed clock and fixed chance, callers
//! whose type says who they are, and invariants that are checked when a registry is dropped.

mod answer;
mod browser;
mod caller;
pub(crate) mod engine;
mod invariants;
pub(crate) mod program;
mod registry;
pub(crate) mod rows;
pub(crate) mod skill;
pub(crate) mod states;

pub(crate) use answer::Answer;
pub(crate) use browser::Browser;
pub(crate) use caller::Caller;
pub(crate) use registry::TestRegistry;
pub(crate) use skill::Skill;

/// Makes each test twice, `sqlite` and `postgres`, each with a registry of its own.
macro_rules! on_both_engines {
    ($($(#[$attribute:meta])* async fn $name:ident($registry:ident) $body:block)*) => {$(
        $(#[$attribute])*
        mod $name {
            #[allow(unused_imports, reason = "not every body needs what its neighbours need")]
            use super::*;

            // The body stands in each test itself: a snapshot inside it then belongs to one test.
            #[tokio::test]
            async fn sqlite() {
                let $registry = &$crate::support::TestRegistry::on_sqlite().start().await;
                $body
            }

            #[tokio::test]
            async fn postgres() {
                let Some(builder) = $crate::support::TestRegistry::on_postgres().await else { return };
                let $registry = &builder.start().await;
                $body
            }
        }
    )*};
}
