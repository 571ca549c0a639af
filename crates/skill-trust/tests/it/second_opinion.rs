//! What the implementation in `tests/vectors/trust.py` makes is read here; what is made here is
//! read there.

use std::io::Write as _;
use std::process::{Command, Stdio};

use skill_core::digest::{RegistryId, Sha256};
use skill_trust::predicate::Restriction;
use skill_trust::{Expected, Kind, Role, RootChain, TrustEnvelope, verify_release};

use crate::vectors::{TEXT, vectors};
use crate::world::{World, key};

#[test]
fn its_root_and_envelope_verify_here() {
    let vectors = vectors();
    let root = RootChain::verify(&[vectors.root.into_bytes()], vectors.registry).unwrap();
    let envelope = TrustEnvelope::parse(vectors.envelope.as_bytes()).unwrap();
    let expected = Expected {
        registry: vectors.registry,
        owner: "acme".parse().unwrap(),
        slug: "github".parse().unwrap(),
        version: "3.4.1".parse().unwrap(),
    };
    let verified = verify_release(&envelope, &root, &expected).unwrap();
    assert_eq!(verified.archive, Sha256::of("archive"));
    assert_eq!(verified.release_log_index, 1842);
    assert_eq!(verified.restrictions.events().len(), 2);
    assert_eq!(verified.restrictions.state(), None, "taken down, then restored");
}

#[test]
fn its_statements_digests_and_leaves() {
    let vectors = vectors();
    let root = RootChain::verify(&[vectors.root.into_bytes()], vectors.registry).unwrap();
    for vector in vectors.statements {
        let leaf = skill_trust::Leaf::of(vector.kind, &vector.dsse);
        assert_eq!(leaf.data(), vector.leaf);
        assert_eq!(leaf.hash().to_string(), vector.leaf_hash);
        let logged = skill_trust::LoggedStatement { kind: vector.kind, log_index: 0, dsse: vector.dsse };
        let statement = skill_trust::verify::open_statement(&logged, &root).unwrap();
        // Both write the same bytes for the same statement.
        let (ours, theirs) = (statement.to_json(), logged.dsse.payload());
        assert_eq!(String::from_utf8_lossy(&ours), String::from_utf8_lossy(theirs));
    }
}

/// Hashes of leaves that can be worked out on paper: RFC 6962 prefixes the data with a zero byte.
#[test]
fn the_hash_of_a_leaf() {
    let leaf = skill_trust::Leaf { kind: Kind::Scan, statement: Sha256::of("x") };
    let data = format!("scan {}\n", Sha256::of("x"));
    assert_eq!(leaf.data(), data);
    assert_eq!(leaf.hash(), Sha256::of(format!("\0{data}")));
}

/// Runs a script of `tests/vectors`; whether it succeeded, and what it said. `None` where there is no Python.
pub fn python(script: &str, arguments: &[&str], input: &str) -> Option<(bool, String)> {
    let script = format!("{}/tests/vectors/{script}", env!("CARGO_MANIFEST_DIR"));
    let child = Command::new("python3")
        .args(["-B", &script])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("python3 is not here: the second implementation was not asked");
        return None;
    };
    // A script that ends without reading all of it closes the pipe; its status says why.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    Some((output.status.success(), String::from_utf8(text).unwrap()))
}

#[test]
fn the_vectors_are_what_the_script_makes() {
    let Some((done, made)) = python("trust.py", &["make"], "") else { return };
    assert!(done, "{made}");
    assert_eq!(made.trim_end(), TEXT.trim_end());
}

/// A chain of two roots and an envelope with every kind of statement that it may hold.
fn given(world: &World) -> serde_json::Value {
    let mut second = world.root_content();
    second.version = 2;
    let second = second.sign([&key("root")]).unwrap().to_json();
    let mut statements = world.statements();
    statements.push(world.sign(1900, &world.restriction(Restriction::Quarantine, 1)));
    statements.push(world.sign(1901, &world.restoration(1, 2)));
    statements.push(world.sign(1902, &world.transfer("acme/github", "octo")));
    statements.push(world.sign(1903, &world.alias("acme/github", "octo/github")));
    let envelope = TrustEnvelope::new(statements).unwrap().to_json();
    serde_json::json!({
        "registry": world.registry,
        "roots": [String::from_utf8(world.first.clone()).unwrap(), String::from_utf8(second).unwrap()],
        "name": "octo/github",
        "version": "3.4.1",
        "envelope": String::from_utf8(envelope).unwrap(),
    })
}

#[test]
fn our_root_and_envelope_verify_there() {
    let world = World::new();
    let given = given(&world);
    let Some((done, text)) = python("trust.py", &["check"], &given.to_string()) else { return };
    assert!(done, "{text}");
    let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["rootVersion"], 2);
    assert_eq!(answer["subject"]["name"], "acme/github@3.4.1");
    assert_eq!(answer["subject"]["digest"]["sha256"], world.content.archive.to_string());
    let envelope = TrustEnvelope::parse(given["envelope"].as_str().unwrap().as_bytes()).unwrap();
    let leaves: Vec<_> = envelope.statements().iter().map(|s| s.leaf().hash().to_string()).collect();
    assert_eq!(answer["name"], "octo/github");
    assert_eq!(answer["former"], serde_json::json!(["acme/github"]));
    assert_eq!((&answer["state"], &answer["verdict"]), (&serde_json::Value::Null, &"clean".into()));
    assert_eq!(answer["leaves"], serde_json::json!(leaves));
}

/// The second implementation is no yes-man.
#[test]
fn what_is_wrong_is_wrong_there_too() {
    let world = World::new();
    let wrong = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut given = given(&world);
        change(&mut given);
        python("trust.py", &["check"], &given.to_string()).map(|(done, text)| {
            assert!(!done, "taken: {text}");
            text.lines().last().unwrap_or_default().to_owned()
        })
    };
    let other = RegistryId::new(Sha256::of("other")).to_string();
    let by_release =
        world.sign_as(Role::Release, 1842, &skill_trust::Statement::scan(world.content, world.scan()));
    let mut statements = world.statements();
    statements[1] = by_release;
    let confused = String::from_utf8(TrustEnvelope::new(statements).unwrap().to_json()).unwrap();
    let respell = |from: &'static str, to: &'static str| {
        wrong(&move |given| {
            given["envelope"] = given["envelope"].as_str().unwrap().replace(from, to).into();
        })
    };
    let cases = [
        wrong(&|given| given["registry"] = other.clone().into()),
        wrong(&|given| given["envelope"] = confused.clone().into()),
        respell(":1841", ": 1841"),
        respell(":1842", ":1840"),
        wrong(&|given| given["name"] = "zed/github".into()),
        wrong(&|given| given["version"] = "3.4.2".into()),
    ];
    let Some(cases) = cases.into_iter().collect::<Option<Vec<_>>>() else { return };
    let release = key("release").id().to_string();
    insta::assert_snapshot!(cases.join("\n").replace(&release, "RELEASE KEY"), @r"
    Wrong: registry id
    Wrong: RELEASE KEY does not serve scan
    Wrong: spelling of the trust envelope
    Wrong: order of leaves
    meaning.Refused: name-unrelated
    meaning.Refused: version
    ");
}
