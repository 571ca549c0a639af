//! Files that are text in another encoding than UTF-8: Windows writes scripts so.

use super::skill::words;
use crate::support::{Answer, Skill, TestRegistry};

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
}

/// What the page says between the digest and its foot.
fn shown(page: &Answer) -> String {
    let words = words(page);
    let lines = words.lines().skip_while(|line| !line.starts_with("sha256:")).skip(1);
    lines.take_while(|line| !line.starts_with("The id of this registry")).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn utf_16_is_shown_decoded_and_says_so() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let text = "Write-Host \"é <b>天</b> 👩\"\r\nExit\u{200b} 0\r\n";
    let long = "line 👩\n".repeat(20_000);
    Skill::new("tides")
        .file("little.ps1", utf16(text, u16::to_le_bytes))
        .file("big.ps1", utf16(text, u16::to_be_bytes))
        .file("long.txt", utf16(&long, u16::to_le_bytes))
        .file("broken.txt", b"\xff\xfea\0\0\xd8b\0")
        .file("unmarked.txt", &utf16("plain", u16::to_le_bytes)[2..])
        .published(&ada)
        .await;
    let anyone = registry.anonymous();
    let file = |path: &str| format!("/ada/skills/tides/files?path={path}");
    insta::assert_snapshot!(shown(&anyone.get(&file("little.ps1")).await), @r#"
    This file is UTF-16, little-endian, and shown decoded. The raw file has its bytes as they are.
    This file holds characters that do not show.They are drawn as ⟦U+200B⟧, with their numbers. The raw file has them as they are.
    1Write-Host "é <b>天</b> 👩"2Exit⟦U+200B⟧ 0Warning a zero-width character that no script or emoji needs zero-width
    "#);
    let big = anyone.get(&file("big.ps1")).await;
    assert_eq!(
        shown(&big).replace("big-endian", "little-endian"),
        shown(&anyone.get(&file("little.ps1")).await)
    );
    let cut = shown(&anyone.get(&file("long.txt")).await);
    assert!(cut.contains("line 👩") && cut.ends_with("The raw file has all of it."), "{cut:.200}");
    for none in ["broken.txt", "unmarked.txt"] {
        assert!(shown(&anyone.get(&file(none)).await).starts_with("No text. Its first bytes:"), "{none}");
    }
    let raw = anyone.get("/api/v1/skills/tides/file?ownerHandle=ada&path=little.ps1").await;
    assert_eq!(raw.body, utf16(text, u16::to_le_bytes), "the raw file is what was published");
}

/// A change is shown, whatever it was written in; a file that only changed its encoding says that.
#[tokio::test]
async fn changes_are_told_across_encodings() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let publish = async |version: &str, content: Vec<u8>| {
        Skill::new("tides").version(version).file("run.ps1", content).published(&ada).await;
    };
    publish("1.0.0", utf16("one\ntwo\n", u16::to_le_bytes)).await;
    publish("1.1.0", utf16("one\nthree\n", u16::to_le_bytes)).await;
    publish("1.2.0", b"one\nthree\n".to_vec()).await;
    publish("1.3.0", utf16("one\nthree\nx", u16::to_be_bytes)).await;
    let mut told = String::new();
    for to in ["1.1.0", "1.2.0", "1.3.0"] {
        let words = words(&registry.anonymous().get(&format!("/ada/skills/tides/diff?to={to}")).await);
        let lines = words.lines().skip_while(|line| !line.starts_with("run.ps1"));
        let lines = lines.take_while(|line| !line.starts_with("The id of this registry"));
        told += &format!("{to}:\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    }
    insta::assert_snapshot!(told, @r"
    1.1.0:
    run.ps1 Changed 22 bytes
    Decoded from UTF-16.
    Old lineNew lineChangeText
    11one
    2removed−two
    2added+three
    1.2.0:
    run.ps1 Changed 10 bytes
    Only the encoding differs, UTF-8 or UTF-16.
    1.3.0:
    run.ps1 Changed 24 bytes
    The encoding differs, UTF-8 or UTF-16; the lines below are decoded.
    Old lineNew lineChangeText
    11one
    22three
    3added+x
    ");
}
