//! What an install policy is told of each source, and that it is asked whatever is done with it.

use serde_json::{Value, json};
use skill_core::digest::Sha256;

use crate::support::elsewhere::Elsewhere;
use crate::support::git::{GitServer, Manner, Repo};
use crate::support::policy::{recording, refused, request, seen};
use crate::support::{Registry, Sandbox, Skill};

const ALLOW: &str = r#"{"protocolVersion":1,"decision":"allow"}"#;
const BLOCK: &str = r#"{"protocolVersion":1,"decision":"block","reason":"no"}"#;

fn first() -> Skill {
    Skill::new("fine")
}

fn second() -> Skill {
    Skill::new("fine").file("more.md", "more")
}

/// What a program is to be told of one state of a source.
struct Told {
    specifier: String,
    source: Value,
    origin: Value,
    /// Without the digest of the tree.
    skill: Value,
}

impl Told {
    fn new(specifier: String, source: [&str; 2], flags: [bool; 2], origin: Value, skill: Value) -> Self {
        let ([kind, authority], [mutable, network]) = (source, flags);
        let source = json!({"kind": kind, "authority": authority, "mutable": mutable, "network": network});
        Self { specifier, source, origin, skill }
    }

    fn unsigned(id: &str, more: Option<Sha256>) -> Value {
        let mut skill = json!({"installId": id, "verdict": "clean", "signed": false});
        if let Some(sha256) = more {
            skill["archiveSha256"] = json!(sha256);
        }
        skill
    }
}

/// Every field of the request, in the protocol's words (OpenClaw contract 1.3).
#[track_caller]
fn check(user: &Sandbox, mode: &str, told: &Told) {
    let raw = fs_err::read(seen(user)).unwrap();
    assert_eq!((raw.first(), raw.last()), (Some(&b'{'), Some(&b'}')), "one object and no line end");
    let mut request = request(user);
    let path = request["sourcePath"].as_str().unwrap().to_owned();
    assert!(path.starts_with(user.path("skills/.skill-stage-").to_str().unwrap()), "{path}");
    assert!(path.ends_with("/fine"), "{path}");
    let tree = request["skill"]["treeDigest"].take();
    assert!(tree.as_str().unwrap().starts_with("sha256:"), "{tree}");
    request["sourcePath"] = json!(null);
    let mut skill = told.skill.clone();
    skill["treeDigest"] = json!(null);
    let expected = json!({
        "protocolVersion": 1,
        "openclawVersion": env!("CARGO_PKG_VERSION"),
        "host": "skill",
        "targetType": "skill",
        "targetName": "fine",
        "sourcePath": null,
        "sourcePathKind": "directory",
        "source": told.source,
        "origin": told.origin,
        "request": {"kind": "skill-install", "mode": mode, "requestedSpecifier": told.specifier},
        "skill": skill,
    });
    assert_eq!(request, expected);
}

/// A skill comes, changes, is taken again over a changed copy, and comes back by the lock: each time the policy
/// is asked, can refuse with nothing changed, and is told what is about to happen.
fn every_way_in(
    user: &Sandbox,
    references: [&dyn Fn() -> String; 2],
    change: &dyn Fn(),
    told: &dyn Fn(usize) -> Told,
) {
    let asked = |args: &[&str], mode: &str, state: usize| {
        for answer in [BLOCK, ALLOW] {
            let _ = fs_err::remove_file(seen(user));
            recording(user, answer);
            if answer == BLOCK {
                refused(user, args, "policy-blocked");
            } else {
                user.skill(args).success();
            }
            check(user, mode, &told(state));
        }
    };
    asked(&["install", &references[0]()], "install", 0);
    change();
    let reference = references[1]();
    asked(&["install", &reference], "update", 1);
    user.write("skills/fine/more.md", "changed by hand");
    asked(&["install", &reference, "--force"], "update", 1);
    fs_err::remove_dir_all(user.path("skills/fine")).unwrap();
    asked(&["install", "--frozen"], "install", 1);
    user.write("skills/fine/more.md", "changed by hand");
    asked(&["install", "--frozen", "--force"], "update", 1);
    fs_err::remove_dir_all(user.path("skills/fine")).unwrap();
    asked(&["install"], "install", 1);
    user.skill(["verify"]).success();
}

#[test]
fn a_registry() {
    let registry = Registry::start();
    let acme = Sandbox::publisher(&registry, "acme");
    first().publish(&acme, "1.0.0").success();
    second().publish(&acme, "2.0.0").success();
    let user = Sandbox::with(&registry);
    let told = |state: usize| {
        let version = ["1.0.0", "2.0.0"][state];
        let origin = json!({
            "type": "clawhub", "registry": registry.url(), "slug": "fine", "ownerHandle": "acme", "version": version
        });
        let sent = &request(&user)["skill"];
        assert_eq!(sent["archiveSha256"].as_str().unwrap().len(), 64);
        let skill = json!({
            "installId": "clawhub", "verdict": "clean", "signed": true, "publisher": "acme",
            "archiveSha256": sent["archiveSha256"], "logIndex": sent["logIndex"].as_u64().unwrap()
        });
        Told::new(
            format!("clawhub:@acme/fine@{version}"),
            ["clawhub", "third-party"],
            [false, true],
            origin,
            skill,
        )
    };
    let references = [&|| "acme/fine@1.0.0".to_owned() as String, &|| "acme/fine@2.0.0".to_owned()]
        as [&dyn Fn() -> String; 2];
    every_way_in(&user, references, &|| (), &told);
}

#[test]
fn a_folder() {
    let user = Sandbox::new();
    let places = Elsewhere::of(&user, "fine", &first());
    let told = |_| {
        let origin = json!({"type": "path", "spec": "./source/fine"});
        let skill = Told::unsigned("path", None);
        Told::new("./source/fine".to_owned(), ["local-path", "user"], [true, false], origin, skill)
    };
    let reference = || places.folder();
    every_way_in(&user, [&reference, &reference], &|| places.put(&second()), &told);
}

/// An archive that is a file or a URL: nobody uploaded it, so that its place is its id.
fn archive(user: &Sandbox, places: &Elsewhere<'_>, place: &str, network: bool) {
    let told = |_| {
        let sha256 = Sha256::of(fs_err::read(places.archive_file()).unwrap());
        let origin = json!({"type": "upload", "uploadId": place, "sha256": sha256});
        let skill = Told::unsigned("upload", Some(sha256));
        Told::new(format!("upload:{place}"), ["upload", "user"], [false, network], origin, skill)
    };
    let reference = || place.to_owned();
    every_way_in(user, [&reference, &reference], &|| places.put(&second()), &told);
}

#[test]
fn an_archive() {
    let user = Sandbox::new();
    let places = Elsewhere::of(&user, "fine", &first());
    archive(&user, &places, &places.archive(), false);
}

#[test]
fn an_archive_of_a_url() {
    let user = Sandbox::new();
    let places = Elsewhere::of(&user, "fine", &first());
    archive(&user, &places, &places.url(), true);
}

/// A repository at a ref that stays or moves. `mutable` is false for a whole commit only.
fn git(reference: &dyn Fn(&Elsewhere<'_>) -> Option<String>, mutable: bool) {
    let user = Sandbox::new();
    let places = Elsewhere::of(&user, "fine", &first());
    let asked = || {
        let at = reference(&places).map(|reference| format!("@{reference}")).unwrap_or_default();
        format!("{}{at}", places.git())
    };
    let told = |_| {
        let mut origin = json!({"type": "git", "spec": asked(), "commit": places.commit()});
        if let Some(reference) = reference(&places) {
            origin["ref"] = json!(reference);
        }
        let skill = Told::unsigned("git", None);
        Told::new(asked(), ["git", "third-party"], [mutable, true], origin, skill)
    };
    every_way_in(&user, [&asked, &asked], &|| places.put(&second()), &told);
}

#[test]
fn a_repository_at_its_head() {
    git(&|_| None, true);
}

#[test]
fn a_repository_at_a_branch() {
    git(&|_| Some("main".to_owned()), true);
}

#[test]
fn a_repository_at_a_commit() {
    git(&|places| Some(places.commit()), false);
}

#[test]
fn the_beginning_of_a_commit_may_mean_another_one_tomorrow() {
    let user = Sandbox::new();
    let places = Elsewhere::of(&user, "fine", &first());
    recording(&user, ALLOW);
    let short: String = places.commit().chars().take(10).collect();
    user.skill(["install", &format!("{}@{short}", places.git())]).success();
    assert_eq!(request(&user)["source"]["mutable"], true);
}

#[test]
fn a_folder_of_a_repository_is_told_as_a_command_takes_it() {
    let repo = Repo::with(&["tools/fine", "tools/other"]);
    let user = Sandbox::new();
    recording(&user, ALLOW);
    user.skill(["install", &format!("{}@main//tools/fine", repo.reference())]).success();
    let specifier = request(&user)["request"]["requestedSpecifier"].as_str().unwrap().to_owned();
    assert!(specifier.starts_with("git:..") && specifier.ends_with("/r.git@main//tools/fine"), "{specifier}");
    assert_eq!(request(&user)["origin"]["spec"], specifier.as_str());
    recording(&user, BLOCK);
    user.skill(["remove", "fine"]).success();
    refused(&user, &["install", &specifier], "policy-blocked");
    assert_eq!(request(&user)["request"]["requestedSpecifier"], specifier.as_str());
}

#[test]
fn no_program_is_told_credentials() {
    let repo = Repo::with(&[""]);
    let user = Sandbox::new();
    let places = Elsewhere::of(&user, "fine", &first());
    fs_err::create_dir(repo.root().join("files")).unwrap();
    fs_err::copy(places.archive_file(), repo.root().join("files/fine.tar.gz")).unwrap();
    let server = GitServer::start(repo.root(), Manner::Private);
    for (reference, specifier) in [
        (
            format!("git:{}", server.url_with("u:secret-p4ss", "/r.git")),
            format!("git:{}", server.url("/r.git")),
        ),
        (server.url_with("u:secret-p4ss", "/fine.tar.gz"), format!("upload:{}", server.url("/fine.tar.gz"))),
    ] {
        for (answer, code) in [(BLOCK, 5), (ALLOW, 0)] {
            recording(&user, answer);
            let out = user.skill(["install", &reference]).code(code);
            assert_eq!(request(&user)["request"]["requestedSpecifier"], specifier.as_str());
            let raw = fs_err::read_to_string(seen(&user)).unwrap();
            assert!(!raw.contains("secret-p4ss") && !raw.contains("u:"), "{raw}");
            assert!(!out.to_string().contains("secret-p4ss"), "{out}");
        }
    }
}

#[test]
fn a_folder_is_told_as_it_was_typed_and_then_as_it_is_written_down() {
    for name in ["my dir", "a`b", "`fine`", "it's"] {
        let user = Sandbox::new();
        first().write(&user, name);
        let told = |reference: &str| {
            recording(&user, ALLOW);
            user.skill(["install", reference, "--force"]).success();
            let request = request(&user);
            assert_eq!(request["origin"]["spec"], request["request"]["requestedSpecifier"]);
            user.skill(["remove", "fine"]).success();
            request["origin"]["spec"].as_str().unwrap().to_owned()
        };
        let absolute = user.path(name).display().to_string();
        for typed in [format!("./{name}"), format!(".//{name}/."), format!("../work/{name}"), absolute] {
            assert_eq!(told(&typed), typed);
        }
        // From wherever it is restored.
        user.skill(["install", &format!("../work/{name}")]).success();
        fs_err::create_dir(user.path("deep")).unwrap();
        for (folder, args) in [(".", &["install"][..]), ("deep", &["install", "--frozen"])] {
            fs_err::remove_dir_all(user.path("skills/fine")).unwrap();
            user.run(user.command().current_dir(user.path(folder)).args(args)).success();
            assert_eq!(request(&user)["origin"]["spec"], format!("./{name}"));
        }
    }
}

#[test]
fn another_name_is_the_name_that_is_told() {
    let user = Sandbox::new();
    first().write(&user, "fine");
    recording(&user, ALLOW);
    user.skill(["install", "./fine", "--as", "mine"]).success();
    assert_eq!(request(&user)["targetName"], "mine");
    assert!(request(&user)["sourcePath"].as_str().unwrap().ends_with("/mine"));
    assert_eq!(request(&user)["request"]["mode"], "install");
}
