use std::os::unix::fs::PermissionsExt as _;

use fs_err as fs;
use insta::assert_snapshot;

use crate::sandbox::Sandbox;

const REGISTRY: &str = "default = \"corp\"\n[registry.corp]\nurl = \"https://skills.corp.example\"\n";

fn token() -> String {
    let secret: [u8; 32] = std::array::from_fn(|at| [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef][at % 8]);
    skill_core::token::TokenText::of_secret(secret).reveal().to_owned()
}

fn sandbox_with_token() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write_home(".config/skill/config.toml", REGISTRY);
    let text = format!("[origin.\"https://skills.corp.example\"]\ntoken = \"{}\"\nuser = \"ada\"\n", token());
    sandbox.write_home(".local/share/skill/credentials.toml", &text);
    let path = sandbox.home(".local/share/skill/credentials.toml");
    fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
    sandbox
}

#[test]
fn a_token_that_is_none_is_refused_before_anything_is_opened_and_never_shown() {
    let sandbox = Sandbox::new();
    sandbox.write_home(".config/skill/config.toml", REGISTRY);
    let mangled = token().replace("skr_0", "skr_1");
    for text in [mangled.as_str(), "secret", "skr_short"] {
        let shown = sandbox.run(&format!("login --token {text}"));
        assert!(
            shown.contains("error[token-unreadable]: --token holds no token of a skill registry"),
            "{shown}"
        );
        assert!(shown.ends_with("-- exit 7\n") && !shown.contains(text), "{shown}");
    }
}

#[test]
fn a_mangled_variable_is_exit_7() {
    let sandbox = Sandbox::new().env("SKILL_TOKEN", "skr_123");
    sandbox.write_home(".config/skill/config.toml", REGISTRY);
    assert_snapshot!(sandbox.run("whoami"), @r"
    -- stderr
    error[token-unreadable]: SKILL_TOKEN holds no token of a skill registry
      because: a token is skr_ and 70 digits from 0-9 and a-f
      because: nothing was sent
    hint: run `skill login --token -` and paste the token as the registry gave it
    -- exit 7
    ");
}

#[test]
fn credentials_that_others_can_read_are_not_used() {
    let sandbox = sandbox_with_token();
    let path = sandbox.home(".local/share/skill/credentials.toml");
    fs::set_permissions(path, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_snapshot!(sandbox.run("logout"), @r"
    -- stderr
    error[config-unreadable]: ~/.local/share/skill/credentials.toml can be read by
           others
      because: its mode is 644, tokens are kept with 600
    hint: run `chmod 600 ~/.local/share/skill/credentials.toml`, and log in anew if
          others used this machine
    -- exit 1
    ");
}

#[test]
fn logout_forgets_one_origin_and_keeps_the_file_private() {
    let sandbox = sandbox_with_token();
    assert_snapshot!(sandbox.run("logout"), @r"
    -- stdout
    logged out  ada   https://skills.corp.example
    -- exit 0
    ");
    let path = sandbox.home(".local/share/skill/credentials.toml");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!fs::read_to_string(&path).unwrap().contains("skr_"));
    assert_snapshot!(sandbox.run("logout"), @r"
    -- stderr
    no token was kept for https://skills.corp.example
    -- exit 0
    ");
}

#[test]
fn offline_opens_nothing() {
    let sandbox = sandbox_with_token();
    let shown = sandbox.run("whoami --offline");
    assert!(shown.contains("error[offline-miss]"), "{shown}");
    assert!(shown.ends_with("-- exit 6\n"), "{shown}");
}
