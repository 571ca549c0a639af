//! Dangerous things have one door.

use crate::sources;

#[track_caller]
fn only_door(import: &str, door: &str) {
    let users: Vec<String> = sources::all()
        .into_iter()
        .filter(|source| !source.is_test() && uses(&source.text, import))
        .map(|source| source.path)
        .collect();
    let strangers: Vec<&String> = users.iter().filter(|path| !path.starts_with(door)).collect();
    assert!(strangers.is_empty(), "`{import}` outside of {door}: {strangers:?}");
    assert!(!users.is_empty(), "nobody uses `{import}`: the check looks for the wrong text");
}

/// Whether a text holds these words, and not as the end of longer ones: `gzip::` is not `zip::`.
fn uses(text: &str, import: &str) -> bool {
    let longer = |before: &str| before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
    text.match_indices(import).any(|(at, _)| !longer(&text[..at]))
}

#[test]
fn zip_archives_are_read_in_one_place() {
    only_door("zip::", "crates/skill-bundle/src/archive/zip");
}

#[test]
fn tar_archives_are_read_in_one_place() {
    only_door("tar::", "crates/skill-bundle/src/archive/tar");
}

#[test]
fn zstd_is_decoded_in_one_place() {
    only_door("ruzstd::", "crates/skill-bundle/src/archive/zst");
}

#[test]
fn passwords_are_computed_in_one_place() {
    only_door("argon2::", "registry-server/src/auth/password");
}

/// Whatever the registry asks of others goes through the one place that says whom it may ask.
#[test]
fn the_registry_asks_others_in_one_place() {
    let server = |source: &sources::Source| source.path.starts_with("registry-server/") && !source.is_test();
    let outbound = "registry-server/src/outbound";
    let others = |source: &sources::Source| !source.path.starts_with(outbound);
    for source in sources::all().into_iter().filter(|source| server(source) && others(source)) {
        for word in ["reqwest::", "TcpStream::connect", "lookup_host"] {
            assert!(!uses(&source.text, word), "{} has `{word}`", source.path);
        }
    }
}

#[test]
fn codes_under_a_key_are_made_in_one_place_of_each_program() {
    let users =
        sources::all().into_iter().filter(|source| !source.is_test() && uses(&source.text, "use hmac::"));
    let mut users: Vec<String> = users.map(|source| source.path).collect();
    users.sort_unstable();
    assert_eq!(users, ["registry-server/src/mac.rs", "skill-cli/src/workdir/seal.rs"]);
}

#[test]
fn rows_of_the_audit_log_are_added_in_one_place() {
    only_door("INSERT INTO audit", "registry-server/src/store/audit.rs");
}

#[test]
fn the_audit_log_only_grows() {
    for source in sources::all().into_iter().filter(|source| !source.is_test()) {
        for word in ["UPDATE audit", "DELETE FROM audit"] {
            assert!(!source.text.contains(word), "{} has `{word}`", source.path);
        }
    }
}

#[test]
fn libraries_do_not_print() {
    for source in sources::all() {
        let library = source.path.starts_with("crates/") && !source.is_test();
        for word in ["println!", "eprintln!", "print!(", "eprint!("] {
            let code = source.text.split("#[cfg(test)]").next().unwrap();
            assert!(!library || !code.contains(word), "{} has {word}", source.path);
        }
    }
}
