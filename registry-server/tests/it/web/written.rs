//! The text of a skill, as a page shows it; what becomes of each mark is told in `src/web/markdown.rs`.

use super::markup;
use super::skill::words;
use crate::support::{Answer, Skill, TestRegistry};

fn text(body: &str) -> String {
    format!("---\nname: x\ndescription: Shows text\n---\n\n{body}\n")
}

async fn published(skill: Skill) -> TestRegistry {
    let registry = TestRegistry::on_sqlite().start().await;
    skill.published(&registry.user("ada").await).await;
    registry
}

async fn page(registry: &TestRegistry, path: &str) -> Answer {
    registry.anonymous().get(&format!("/ada/skills/x{path}")).await
}

#[tokio::test]
async fn a_long_text_has_a_table_of_contents() {
    let chapters = [1, 2, 3, 4].map(|n| format!("# Part {n}\n\nx\n\n## Of <{n}>\n\ny\n\n")).concat();
    let registry = published(Skill::new("x").file("SKILL.md", text(&chapters))).await;
    let shown = page(&registry, "").await;
    let read = markup::read(shown.text()).unwrap();
    let ids: Vec<&str> = read.elements.iter().map(|element| element.get("id")).collect();
    let links: Vec<&str> =
        read.all("a").map(|a| a.get("href")).filter(|href| href.starts_with("#md-")).collect();
    assert_eq!(links.len(), 8);
    for link in links {
        assert!(ids.contains(&&link[1..]), "{link} leads nowhere");
    }
    let words = words(&shown);
    let contents = &words[words.find("Contents").unwrap()..];
    assert!(contents.starts_with("Contents\nPart 1\nOf <1>\nPart 2\n"), "{contents}");
    let short = published(Skill::new("x").file("SKILL.md", text("# A\n\n# B"))).await;
    assert!(!page(&short, "").await.text().contains("class=\"contents\""));
}

/// Joiners that Persian and Hindi are written with, marks of direction, and flags show as what they are, and what
/// stands between letters that need none is drawn.
#[tokio::test]
async fn every_script_is_written_as_it_is() {
    let needed =
        "می\u{200c}خواهم क्\u{200d}ष של\u{200f} 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
    let skill =
        Skill::new("x").file("SKILL.md", text(needed)).file("hidden.md", "イン\u{200d}ス か\u{fe0f}な\n");
    let registry = published(skill).await;
    for path in ["", "/files?path=SKILL.md"] {
        let shown = page(&registry, path).await;
        assert!(words(&shown).contains(needed), "{}", words(&shown));
        assert!(!shown.text().contains('⟦'), "{}", words(&shown));
    }
    let shown = words(&page(&registry, "/files?path=hidden.md").await);
    assert!(shown.contains("イン⟦U+200D⟧ス か⟦U+FE0F⟧な"), "{shown}");
    assert!(shown.contains("This file holds characters that do not show."), "{shown}");
}

#[tokio::test]
async fn bytes_are_shown_in_rows_that_a_phone_has_room_for() {
    let bytes: Vec<u8> = (0..=255).rev().collect();
    let registry = published(Skill::new("x").file("SKILL.md", text("x")).file("a.bin", bytes)).await;
    let shown = page(&registry, "/files?path=a.bin").await;
    let (_, dump) = shown.text().split_once("class=\"dump\"").unwrap();
    let (dump, _) = dump.split_once("</code>").unwrap();
    let rows: Vec<&str> = dump.split_once("<code>").unwrap().1.lines().collect();
    assert_eq!(rows.len(), 32, "no empty row");
    assert_eq!(rows[18], "0090 6f 6e 6d 6c 6b 6a 69 68 onmlkjih");
}
