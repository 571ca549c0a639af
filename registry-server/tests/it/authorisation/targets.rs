//! What they ask about: a skill of an organisation.

use skill_registry::store::publishers::MemberRole;

use crate::support::{Skill, TestRegistry};

pub(super) const TEAM: &str = "team";

/// Makes `team/tool@1.0.0`, published by a member who asks for nothing else.
pub(super) async fn make(registry: &TestRegistry) {
    let founder = registry.user("founder").await;
    registry.add_user("keeper").await;
    registry.organisation(TEAM).await;
    registry.join(TEAM, "keeper", MemberRole::Owner).await;
    registry.join(TEAM, "founder", MemberRole::Publisher).await;
    Skill::new("tool").owner(TEAM).version("1.0.0").published(&founder).await;
}

/// The address of it, by the template of a route.
pub(super) fn address(template: &str) -> String {
    let mut path = template.to_owned();
    for (parameter, value) in [
        ("{owner}", TEAM),
        ("{slug}", "tool"),
        ("{version}", "1.0.0"),
        // One that is not there: to remove it changes nothing.
        ("{tag}", "beta"),
        ("{file}", "1.root.json"),
        // No link.
        ("{secret}", "skl_none"),
        // No member, and so nobody is removed.
        ("{user}", "absent"),
        // Nobody has it: to revoke it changes nothing.
        ("{id}", "nothing"),
    ] {
        path = path.replace(parameter, value);
    }
    assert!(!path.contains('{'), "{template} has a parameter that stands for nothing here");
    path
}
