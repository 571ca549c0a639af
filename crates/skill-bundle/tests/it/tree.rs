use std::process::Command;

use skill_bundle::{BundleBuilder, BundlePath, Limits, Tree, TreeError};

const VECTORS: &str = include_str!("../vectors/tree_digest.json");

#[test]
fn vectors_of_the_independent_implementation() {
    let vectors: serde_json::Value = serde_json::from_str(VECTORS).unwrap();
    for vector in vectors.as_array().unwrap() {
        let mut builder = BundleBuilder::new(Limits::default());
        for file in vector["files"].as_array().unwrap() {
            let path = BundlePath::parse(file["path"].as_str().unwrap()).unwrap();
            let text = file["text"].as_str().unwrap().as_bytes().to_vec();
            builder.add(path, file["executable"].as_bool().unwrap(), text).unwrap();
        }
        let tree = Tree::of(&builder.finish().unwrap());
        assert_eq!(tree.preimage(), vector["preimage"].as_str().unwrap(), "{}", vector["name"]);
        assert_eq!(tree.digest().to_string(), vector["digest"].as_str().unwrap(), "{}", vector["name"]);
    }
}

#[test]
fn the_independent_implementation_still_says_the_same() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/tree_digest.py");
    match Command::new("python3").arg(script).output() {
        Ok(output) => assert_eq!(String::from_utf8(output.stdout).unwrap(), VECTORS),
        Err(error) => eprintln!("not run: python3: {error}"),
    }
}

#[test]
fn a_preimage_reads_back() {
    let tree = Tree::of(&crate::sample());
    assert_eq!(Tree::parse(&tree.preimage()), Ok(tree));
}

#[test]
fn only_the_one_spelling_of_a_tree_is_read() {
    let digest = skill_core::digest::Sha256::of("");
    let line = |path: &str| format!("100644 0 {digest} {} {path}\n", path.len());
    let head = "skill-tree-v1\n";
    let entry = TreeError::Entry { line: 2 };
    for (text, error) in [
        (String::new(), TreeError::Head),
        ("skill-tree-v2\n".to_owned(), TreeError::Head),
        (format!("{head}{}", line("a").trim_end()), entry.clone()),
        (format!("{head}100600 0 {digest} 1 a\n"), entry.clone()),
        (format!("{head}100644 00 {digest} 1 a\n"), entry.clone()),
        (format!("{head}100644 +0 {digest} 1 a\n"), entry.clone()),
        (format!("{head}100644 0 {digest} 2 a\n"), entry.clone()),
        (format!("{head}100644 0 {digest} 3 e\u{301}\n"), entry),
        (format!("{head}{}{}", line("b"), line("a")), TreeError::Order { line: 3 }),
        (format!("{head}{}{}", line("a"), line("a")), TreeError::Order { line: 3 }),
    ] {
        assert_eq!(Tree::parse(&text), Err(error), "{text}");
    }
    assert!(matches!(Tree::parse(&format!("{head}{}", line("../a"))), Err(TreeError::Path { line: 2, .. })));
}
