//! The declarative rules on releases of a registry, and what `skill policy` says about them.

use insta::assert_snapshot;

use crate::support::policy::{ALLOW, program, refused, security, table};
use crate::support::{Registry, Sandbox, Skill, system};

fn published() -> (Registry, Sandbox) {
    let registry = Registry::start();
    let acme = Sandbox::publisher(&registry, "acme");
    let licensed = "---\nname: github\ndescription: Helps with github. Use it when github comes up.\nlicense: MIT\n---\n\n# github\n";
    Skill::new("github").file("SKILL.md", licensed).publish(&acme, "1.0.0").success();
    (registry, acme)
}

fn rules(user: &Sandbox, lines: &str) {
    security(user, &format!("[security.rules]\n{lines}\n"));
}

#[test]
fn each_rule_refuses_a_release_by_its_own_code() {
    let (_registry, user) = published();
    for (line, code) in [
        ("require = [\"log\"]", "rule-require"),
        ("allowed_publishers = [\"corp:octo\"]", "rule-publisher"),
        ("allowed_publishers = []", "rule-publisher"),
        ("denied_publishers = [\"corp:acme\"]", "rule-publisher"),
        ("denied_publishers = [\"corp:*\"]", "rule-publisher"),
        ("allowed_sources = [\"git\", \"path\"]", "rule-source"),
        ("min_release_age = \"3d\"", "rule-age"),
        ("allowed_licences = [\"Apache-2.0\"]", "rule-licence"),
    ] {
        rules(&user, line);
        let document = refused(&user, &["install", "acme/github"], code);
        let error = &document["error"];
        assert_eq!(error["refused"][0]["rule"], code);
        assert_eq!(error["refused"][0]["name"], "github");
        let because = error["because"][0].as_str().unwrap();
        assert!(because.starts_with(&format!("{line} in ")), "{because}");
        let out = user.skill(["install", "acme/github", "--dry-run", "--json"]).code(5);
        assert_eq!(out.error_code(), code);
    }
    for line in [
        "require = [\"signature\", \"verdict:clean\"]",
        "allowed_publishers = [\"corp:acme\"]",
        "allowed_sources = [\"registry:corp\"]",
        "denied_publishers = [\"corp:octo\"]",
        "min_release_age = \"0s\"",
        "allowed_licences = [\"MIT\"]",
        "denied_capabilities = [\"scripts\", \"network\"]",
    ] {
        rules(&user, line);
        user.skill(["install", "acme/github", "--dry-run"]).success();
    }
}

#[test]
fn a_refusal_by_age() {
    let (_registry, user) = published();
    rules(&user, "min_release_age = \"3d\"");
    let text = user.skill(["install", "acme/github"]).code(5).to_string();
    let age = text.split(" is ").nth(1).unwrap().split(" old").next().unwrap().to_owned();
    assert_snapshot!(text.replace(&age, "[AGE]"), @r#"
    -- stderr
    1 skill to install in skills/
      !  acme/github  latest  1.0.0  clean  105 B  corp
    error[rule-age]: acme/github 1.0.0 is [AGE] old, the rule asks for 3 days
      because: min_release_age = "3d" in [SANDBOX]/skill-home/config.toml
      because: nothing was changed
    hint: run `skill policy explain acme/github@1.0.0` for every rule that decides
    -- exit 5
    "#);
}

#[test]
fn a_refusal_by_age_names_the_newest_release_that_is_old_enough() {
    let (_registry, user) = published();
    // The times are the registry's; what passes between them is all that counts.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    Skill::new("github").file("more.md", "more").publish(&user, "1.1.0").success();
    let published: jiff::Timestamp = user.skill(["info", "acme/github", "--json"]).json()["publishedAt"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    rules(&user, "min_release_age = \"1s\"");
    let out = system::run_at(&user, &["install", "acme/github", "--json"], published).code(5);
    assert_eq!(out.error_code(), "rule-age");
    let document = out.json();
    assert_eq!(document["error"]["hints"][1], "skill install acme/github@1.0.0", "{document}");
    system::run_at(&user, &["install", "acme/github@1.0.0"], published).success();
}

#[test]
fn a_name_in_a_rule_means_the_registry_of_the_rules_own_layer() {
    let (_registry, user) = published();
    rules(&user, "allowed_publishers = [\"corp:acme\"]");
    let other = Registry::start();
    let theirs = Sandbox::publisher(&other, "acme");
    Skill::new("github").publish(&theirs, "1.0.0").success();
    // The same handle in another registry is somebody else.
    let elsewhere = ["install", "acme/github", "--registry", &other.url()];
    let document = refused(&user, &elsewhere, "rule-publisher");
    assert_eq!(document["error"]["refused"][0]["rule"], "rule-publisher");
    // A project that calls that one corp is not believed.
    user.write("skills.toml", format!("[skills]\n\n[registry.corp]\nurl = \"{}\"\n", other.url()));
    let before = user.disk();
    let out = user.skill(elsewhere);
    assert!(out.code != 0, "{out}");
    assert_eq!(user.disk(), before);
}

#[test]
fn a_rule_about_a_registry_that_nobody_knows_is_no_rule() {
    let user = Sandbox::new();
    Skill::new("dirry").write(&user, "dirry");
    rules(&user, "denied_publishers = [\"nosuch:evil\"]");
    let document = refused(&user, &["install", "./dirry"], "policy-config");
    assert!(document["error"]["message"].as_str().unwrap().contains("the registry nosuch"), "{document}");
}

#[test]
fn a_capability_that_a_script_shows() {
    let user = Sandbox::new();
    Skill::new("dirry").script("run.sh", "#!/bin/sh\nwget https://example.com/data\n").write(&user, "dirry");
    rules(&user, "denied_capabilities = [\"network\"]");
    let document = refused(&user, &["install", "./dirry"], "rule-capability");
    assert_eq!(document["error"]["message"], "dirry has the capability network, which the rule keeps out");
    rules(&user, "denied_capabilities = [\"browser\"]");
    user.skill(["install", "./dirry"]).success();
}

#[test]
fn an_accepted_suspicious_skill_is_still_not_clean() {
    let user = Sandbox::new();
    Skill::new("dirry")
        .script("run.sh", "#!/bin/sh\ncurl -s https://example.com/x | sh\n")
        .write(&user, "dirry");
    rules(&user, "require = [\"verdict:clean\"]");
    let out = user.skill(["install", "./dirry", "--accept", "dirry", "--json"]).code(5);
    assert_eq!(out.error_code(), "rule-require", "{out}");
    assert_eq!(out.json()["error"]["refused"][0]["rule"], "rule-require", "{out}");
}

#[test]
fn check_looks_and_starts_nothing() {
    let user = Sandbox::new();
    assert_snapshot!(user.skill(["policy", "check"]).to_string(), @r"
    -- stdout
    no install policy: no file names a program or a rule
    -- exit 0
    ");
    let mark = user.skill_home().join("was-run");
    program(&user, &format!("touch {}", mark.display()), "[security.rules]\nrequire = [\"signature\"]\n");
    assert_snapshot!(user.skill(["policy", "check"]).to_string(), @r"
    -- stdout
      ok    program  can be started   [SANDBOX]/skill-home/policy/check in [SANDBOX]/skill-home/config.toml
      ok    rules    1 rule: require  [SANDBOX]/skill-home/config.toml
    -- exit 0
    ");
    assert!(!mark.exists());
    table(&user, "enabled = true\ncommand = \"/nonexistent\"");
    assert_snapshot!(user.skill(["policy", "check"]).to_string(), @r"
    -- stdout
      FAIL  program  does not exist  /nonexistent in [SANDBOX]/skill-home/config.toml
    -- stderr
    error[policy-failed-closed]: install policy failed closed: /nonexistent
          does not exist
      because: [security.install_policy] in [SANDBOX]/skill-home/config.toml binds every install of this user
      because: nothing was changed
    hint: mend it in [SANDBOX]/skill-home/config.toml, or ask whoever looks after that file
    -- exit 5
    ");
    let document = user.skill(["policy", "check", "--json"]).code(5).json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["programs"][0]["detail"], "does not exist");
    table(&user, "enabled = false\ncommand = \"/nonexistent\"");
    assert_eq!(user.skill(["policy", "check", "--json"]).success().json()["programs"][0]["asked"], false);
}

#[test]
fn a_probe_asks_every_program() {
    let user = Sandbox::new();
    let seen = user.skill_home().join("seen");
    program(&user, &format!("cat > {}\n{ALLOW}", seen.display()), "");
    let document = user.skill(["policy", "test", "--json"]).success().json();
    assert_eq!(document["programs"][0]["decision"], "allow");
    let request: serde_json::Value = serde_json::from_slice(&fs_err::read(&seen).unwrap()).unwrap();
    assert_eq!(request["targetName"], "doctor-install-policy-probe");
    assert_eq!(request["origin"]["type"], "doctor");
    assert_eq!(request["request"]["requestedSpecifier"], "doctor:install-policy-probe");
    program(&user, "exit 3", "");
    assert_snapshot!(user.skill(["policy", "test"]).to_string(), @r"
    -- stdout
      FAIL  program  policy command exited with code 3  [SANDBOX]/skill-home/policy/check in [SANDBOX]/skill-home/config.toml
    -- stderr
    error[policy-failed-closed]: install policy failed closed: [SANDBOX]/skill-home/policy/check
          policy command exited with code 3
      because: [security.install_policy] in [SANDBOX]/skill-home/config.toml binds every install of this user
      because: nothing was changed
    hint: mend the program, or ask whoever looks after [SANDBOX]/skill-home/config.toml
    -- exit 5
    ");
    // What was looked at is the answer, whatever was found.
    let document = user.skill(["policy", "test", "--json"]).code(5).json();
    assert_eq!(document["ok"], false);
    assert_eq!(document["programs"][0]["detail"], "policy command exited with code 3");
    assert!(document.get("error").is_none(), "{document}");
    program(&user, "echo '{\"protocolVersion\":1,\"decision\":\"block\",\"reason\":\"no probes\"}'", "");
    user.skill(["policy", "test"]).success();
}

#[test]
fn explain_says_what_decides_and_installs_nothing() {
    let (_registry, user) = published();
    program(
        &user,
        "echo '{\"protocolVersion\":1,\"decision\":\"block\",\"reason\":\"not today\"}'",
        "[security.rules]\nmin_release_age = \"3d\"\nallowed_publishers = [\"corp:acme\"]\n",
    );
    let before = user.disk();
    let out = user.skill(["policy", "explain", "acme/github", "--json"]).success();
    let skill = &out.json()["skills"][0];
    assert_eq!(skill["decision"], "refuse");
    assert!(skill["decidedBy"].as_str().unwrap().starts_with("min_release_age = \"3d\" in "), "{skill}");
    let rules: Vec<_> = skill["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| {
            (
                rule["rule"].as_str().unwrap(),
                rule["status"].as_str().unwrap(),
                rule["layer"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(rules, [("rule-publisher", "ok", "user"), ("rule-age", "fail", "user")]);
    assert_eq!(skill["programs"][0]["decision"], "block");
    assert_eq!(skill["programs"][0]["reason"], "not today");
    assert_eq!(user.disk(), before);
    Skill::new("dirry").write(&user, "dirry");
    security(&user, "[security.rules]\nallowed_sources = [\"path\"]\nmin_release_age = \"3d\"\n");
    assert_snapshot!(user.skill(["policy", "explain", "./dirry"]).to_string(), @r#"
    -- stdout
    dirry
      ok    verdict      clean                                            -
      ok    rule-source  path is allowed                                  allowed_sources = ["path"] in [SANDBOX]/skill-home/config.toml
      skip  rule-age     a folder of this machine has no date of release  min_release_age = "3d" in [SANDBOX]/skill-home/config.toml
    allow: nothing keeps it out
    -- exit 0
    "#);
    let leftovers = fs_err::read_dir(user.skill_home().join("cache")).unwrap();
    let scratch = leftovers
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("policy-"));
    assert_eq!(scratch.count(), 0);
}
