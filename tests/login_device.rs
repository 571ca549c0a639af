//! `skill login` without a token: a code on the terminal, a page in a browser.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Stdio};

use insta::assert_snapshot;

use crate::support::browser::{Browser, Page};
use crate::support::{Registry, Sandbox};

/// `skill login` that waits for a person, and the code that it shows.
struct Login {
    program: Child,
    stderr: BufReader<std::process::ChildStderr>,
    code: String,
}

impl Login {
    fn begin(sandbox: &Sandbox, registry: &Registry, args: &[&str]) -> Self {
        let mut command = sandbox.command();
        command.arg("login").args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let mut stderr = BufReader::new(program.stderr.take().unwrap());
        let mut line = || {
            let mut text = String::new();
            stderr.read_line(&mut text).unwrap();
            text
        };
        assert_eq!(line(), format!("open  {}/cli/device\n", registry.url()));
        let code = line().strip_prefix("type  ").unwrap().trim_end().to_owned();
        assert_eq!(code.len(), 9, "{code}");
        Self { program, stderr, code }
    }

    /// Status, stdout and the rest of stderr.
    fn end(mut self) -> (i32, String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        self.program.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.stderr.read_to_string(&mut err).unwrap();
        (self.program.wait().unwrap().code().unwrap(), out, err)
    }
}

fn signed_in(registry: &Registry, user: &str) -> Browser {
    let mut browser = Browser::at(registry);
    let link = registry.admin(&["user", "link", user]);
    let page = browser.open(link.trim_end());
    assert_eq!(browser.submit(&page, "/sign-in/link", &[]).status, 303);
    browser
}

fn decide(browser: &mut Browser, code: &str, decision: &str) -> Page {
    let page = browser.open("/cli/device");
    let asks = browser.submit(&page, "/cli/device", &[("code", code)]);
    assert!(asks.text.contains("skill login"), "{}", asks.text);
    browser.submit(&asks, "/cli/device/decide", &[("decision", decision)])
}

#[test]
fn a_login_that_a_person_approves() {
    let registry = Registry::start();
    registry.admin(&["user", "add", "ada"]);
    let ada = Sandbox::with(&registry);
    let login = Login::begin(&ada, &registry, &["--json", "--scope", "read"]);
    let mut browser = Browser::at(&registry);
    assert_eq!(browser.open("/cli/device").status, 401);
    let mut browser = signed_in(&registry, "ada");
    assert!(decide(&mut browser, &login.code, "approve").text.contains("Approved"));
    let (exit, out, err) = login.end();
    assert_eq!((exit, err.as_str()), (0, ""));
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&document["user"], &document["scopes"]), (&"ada".into(), &serde_json::json!(["read"])));
    assert_eq!(ada.skill(["whoami", "--json"]).success().json()["user"], "ada");
    assert_eq!(ada.skill(["token", "list", "--json"]).success().json()["tokens"][0]["label"], "skill login");
}

#[test]
fn a_login_that_is_denied_and_one_that_is_cut_off() {
    let registry = Registry::start();
    registry.admin(&["user", "add", "ada"]);
    let ada = Sandbox::with(&registry);
    let before = ada.disk();
    let denied = Login::begin(&ada, &registry, &[]);
    let cut = Login::begin(&ada, &registry, &[]);
    let pid = rustix::process::Pid::from_child(&cut.program);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(cut.end().0, 130);
    let mut browser = signed_in(&registry, "ada");
    assert!(decide(&mut browser, &denied.code, "deny").text.contains("Denied"));
    let (exit, out, err) = denied.end();
    assert_snapshot!(format!("{exit} {out}\n{err}"), @r"
    7 
    error[login-denied]: the login was denied in the browser
      because: nothing was stored
    ");
    assert_eq!(ada.disk(), before);
}

/// A registry that is away for a while, as for an upgrade, ends no login that somebody is about to approve.
#[test]
fn a_login_over_which_the_registry_starts_anew() {
    let mut registry = Registry::start();
    registry.admin(&["user", "add", "ada"]);
    let ada = Sandbox::with(&registry);
    let login = Login::begin(&ada, &registry, &["--json"]);
    registry.kill();
    // The program asks every five seconds: at least once nobody answers.
    std::thread::sleep(std::time::Duration::from_secs(7));
    registry.restart();
    let mut browser = signed_in(&registry, "ada");
    assert!(decide(&mut browser, &login.code, "approve").text.contains("Approved"));
    let (exit, _, err) = login.end();
    assert_eq!((exit, err.as_str()), (0, ""));
    assert_eq!(ada.skill(["whoami", "--json"]).success().json()["user"], "ada");
}

#[test]
fn a_login_where_nobody_is() {
    let registry = Registry::start();
    let nobody = Sandbox::with(&registry);
    assert_snapshot!(nobody.skill(["login", "--no-input"]), @r"
    -- stderr
    error[usage]: a login without a token is approved by a person
      because: --no-input says that nobody is there
    hint: run `skill login --token -` and give the token on stdin
    -- exit 2
    ");
    for args in [["--token", "x", "--device"], ["--link", "--scope", "read"]] {
        assert_eq!(nobody.skill(["login", "--json"].into_iter().chain(args)).code(2).error_code(), "usage");
    }
}
