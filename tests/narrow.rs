//! The mock-ups of installing, verifying and reading on a terminal of 50 columns, and in a locale that knows
//! ASCII alone.

use insta::assert_snapshot;

use crate::support::{Output, Registry, Sandbox, Skill};

fn described(slug: &str, description: &str) -> Skill {
    Skill::new(slug)
        .file("SKILL.md", format!("---\nname: {slug}\ndescription: \"{description}\"\n---\n\n# {slug}\n"))
}

fn registry() -> (Registry, Sandbox) {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    let trip = "Weather, news and what to wear for a trip to any city of the world";
    described("travel-briefing", trip).publish(&author, "1.2.0").success();
    described("weather-cn", "查询天气并给出穿衣建议，支持中文和英文，weather for cities in China")
        .publish(&author, "0.4.0")
        .success();
    let user = Sandbox::with(&registry);
    Skill::new("dirry").write(&user, "dirry");
    (registry, user)
}

/// Without what differs from run to run.
fn steady(out: &Output) -> String {
    let text = out.to_string();
    let digests = text.split("sha256:").enumerate().map(|(index, part)| match index {
        0 => part.to_owned(),
        _ => format!("sha256:[12 DIGITS]{}", part.trim_start_matches(|c: char| c.is_ascii_hexdigit())),
    });
    digests.collect()
}

#[test]
fn installing_and_verifying_at_50_columns() {
    let (_registry, user) = registry();
    let install = ["install", "travel-briefing@^1", "weather-cn", "./dirry"];
    assert_snapshot!(steady(&user.on_terminal(50, &install)), @r"
    -- stdout
    3 skills to install in skills/

         skill                 version  verdict
      +  acme/travel-briefing  1.2.0    clean
      +  acme/weather-cn       0.4.0    clean
      +  dirry                 -        clean

    installed  acme/travel-briefing 1.2.0
        skills/travel-briefing
    installed  acme/weather-cn 0.4.0
        skills/weather-cn
    installed  dirry  skills/dirry
    3 skills installed in [TIME] s; skills.toml and
    skills.lock written
    -- exit 0
    ");
    user.write("skills/travel-briefing/extra.py", "x");
    assert_snapshot!(steady(&user.on_terminal(50, &["verify"])), @r"
    -- stdout
    acme/travel-briefing 1.2.0
    skills/travel-briefing
      FAIL  disk-extra  1 file was added: extra.py
      ok    lock        agrees with the signed release
      ok    root        version 1, co-located, 1 of 1
                        key, pinned
      ok    signature   release and scan statement,
                        keys in range
      ok    log         number 1, not yet proved
      ok    verdict     clean by rules 2026.12.2

    acme/weather-cn 0.4.0   skills/weather-cn
      ok    disk       1 file, 142 B,
                       sha256:[12 DIGITS]
      ok    lock       agrees with the signed release
      ok    root       version 1, co-located, 1 of 1
                       key, pinned
      ok    signature  release and scan statement,
                       keys in range
      ok    log        number 4, not yet proved
      ok    verdict    clean by rules 2026.12.2

    dirry   skills/dirry
      ok    disk       1 file, 124 B,
                       sha256:[12 DIGITS]
      ok    lock       ./dirry
      skip  signature  a folder has no registry
                       signature
      ok    verdict    clean, scanned here

    3 skills: 2 pass, 1 fails; 16 checks: 14 ok, 1
    skip, 1 FAIL
    error[verify-failed]: skills/travel-briefing is
           not what was published as 1.2.0
    hint: run `skill install --frozen --force` to
          restore it; the changed copy goes to
          .skill/backup
    -- exit 4
    ");
}

#[test]
fn reading_at_50_columns() {
    let (_registry, user) = registry();
    user.skill(["install", "travel-briefing@^1", "./dirry"]).success();
    assert_snapshot!(user.on_terminal(50, &["search", "weather"]).to_string(), @r"
    -- stdout
    skill                 version  summary
    acme/weather-cn       0.4.0    查询天气并给出穿衣…
    acme/travel-briefing  1.2.0    Weather, news and …
    2 results in registry corp
    -- exit 0
    ");
    assert_snapshot!(user.on_terminal(50, &["list"]).to_string(), @r"
    -- stdout
    skill: acme/travel-briefing
    version: 1.2.0
    from: corp
    where: skills/travel-briefing

    skill: dirry
    from: path
    where: skills/dirry
    -- exit 0
    ");
}

#[test]
fn reading_at_80_columns() {
    let (_registry, user) = registry();
    assert_snapshot!(user.on_terminal(80, &["search", "weather"]).to_string(), @r"
    -- stdout
    skill                 version  summary
    acme/weather-cn       0.4.0    查询天气并给出穿衣建议，支持中文和英文，weather …
    acme/travel-briefing  1.2.0    Weather, news and what to wear for a trip to any…
    2 results in registry corp
    -- exit 0
    ");
}

#[test]
fn a_locale_of_ascii_alone() {
    let (_registry, user) = registry();
    let run = |args: &[&str]| steady(&user.run(user.command().env("LC_ALL", "C").args(args)));
    assert_snapshot!(run(&["search", "weather"]), @r"
    -- stdout
    skill                 version  summary
    acme/weather-cn       0.4.0    \u{67e5}\u{8be2}\u{5929}\u{6c14}\u{5e76}\u{7ed9}\u{51fa}\u{7a7f}\u{8863}\u{5efa}\u{8bae}\u{ff0c}\u{652f}\u{6301}\u{4e2d}\u{6587}\u{548c}\u{82f1}\u{6587}\u{ff0c}weather for cities in China
    acme/travel-briefing  1.2.0    Weather, news and what to wear for a trip to any city of the world
    -- stderr
    2 results in registry corp
    -- exit 0
    ");
    assert_snapshot!(run(&["install", "weather-cn"]), @r"
    -- stdout
    installed  acme/weather-cn 0.4.0   skills/weather-cn
    -- stderr
    1 skill to install in skills/
      +  acme/weather-cn  latest  0.4.0  clean  142 B  corp
    1 skill installed in [TIME] s; skills.toml and skills.lock written
    -- exit 0
    ");
    assert_snapshot!(run(&["verify"]), @r"
    -- stdout
    acme/weather-cn 0.4.0   skills/weather-cn
      ok    disk       1 file, 142 B, sha256:[12 DIGITS]
      ok    lock       agrees with the signed release
      ok    root       version 1, co-located, 1 of 1 key, pinned
      ok    signature  release and scan statement, keys in range
      ok    log        number 4, not yet proved
      ok    verdict    clean by rules 2026.12.2

    1 skill: 1 passes; 6 checks: 6 ok
    -- exit 0
    ");
    let info = run(&["info", "weather-cn"]);
    assert!(info.is_ascii(), "{info}");
}
