//! The vectors of the ClawHub contract, section 2.1.

use skill_bundle::clawhub_fingerprint;
use skill_core::digest::Sha256;

fn fingerprint(files: &[(&str, &str)]) -> String {
    clawhub_fingerprint(files.iter().map(|(path, text)| (*path, Sha256::of(text)))).to_hex()
}

#[test]
fn one_file() {
    assert_eq!(
        fingerprint(&[("SKILL.md", "# hi\n")]),
        "1e4a7eaad9689ff49f660c97866405d5623e1c81195ac9127cd44a8c8183db17"
    );
}

#[test]
fn order_is_the_root_collation_not_bytes() {
    let mut files = [
        ("SKILL.md", "# hi\n"),
        ("a.txt", "a"),
        ("Zed.txt", "z"),
        ("_x.md", "u"),
        ("scripts/run.sh", "r"),
        ("scripts-x", "s"),
        ("README.md", "R"),
        ("a-b.txt", "1"),
        ("a_b.txt", "2"),
        ("a.b.txt", "3"),
        ("A.txt", "4"),
        ("10.txt", "5"),
        ("9.txt", "6"),
    ];
    let expected = "9af254f48a8f63c497542989d37dd87aa205b4c55b96788ff89d0701f076d5fb";
    assert_eq!(fingerprint(&files), expected);
    files.reverse();
    assert_eq!(fingerprint(&files), expected);
}
