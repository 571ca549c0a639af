//! What changed between two versions, beyond the first look in `skill.rs`.

use sqlx::Executor as _;

use super::skill::words;
use crate::support::{Skill, TestRegistry};

const FORTY: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n";

fn text(code: &str) -> String {
    format!("---\nname: tides\ndescription: Reads tides\n---\n\n```sh\n{code}\n```\n")
}

async fn two_versions() -> TestRegistry {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let long = FORTY.repeat(10);
    let skill = Skill::new("tides").file("table.txt", &long).file("run.sh", "#!/bin/sh\necho\n");
    let skill = skill.script("old.sh", "#!/bin/sh\necho\n");
    skill.clone().file("SKILL.md", text("curl https://tides.example/a")).published(&ada).await;
    let next =
        text("curl https://tides.example/a\njq .height \"$TIDES_KEY\" ~/.tides\ncurl https://more.example/");
    let changed = long.replacen("5\n", "five\n", 1).replacen("20\n", " 20\n", 1) + "end\n";
    skill
        .file("SKILL.md", next)
        .script("run.sh", "#!/bin/sh\necho\n")
        .file("table.txt", changed)
        .published(&ada)
        .await;
    registry
}

/// The words of a page from `from` on, `lines` lines of them.
fn after(words: &str, from: &str, lines: usize) -> String {
    let begin = words.find(from).unwrap_or_else(|| panic!("{from:?} is not in {words}"));
    words[begin..].lines().take(lines).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn what_is_new_comes_first() {
    let registry = two_versions().await;
    let page = registry.anonymous().get("/ada/skills/tides/diff").await;
    insta::assert_snapshot!(after(&words(&page), "New in", 8), @r"
    New in 1.0.1
    Hostsmore.example
    Programsjq
    VariablesTIDES_KEY
    Files outside of the skill~/.tides
    Executable filesrun.sh
    Found by reading the files; reading can miss what code builds at run time.
    Requirements, systems, tools and verdict are the same.
    ");
    let back = registry.anonymous().get("/ada/skills/tides/diff?from=1.0.1&to=1.0.0").await;
    insta::assert_snapshot!(after(&words(&back), "New in", 3), @r"
    New in 1.0.0
    No host, program, variable, file outside of the skill or executable file that 1.0.1 does not have.
    Found by reading the files; reading can miss what code builds at run time.
    ");
}

/// A version that was not read yet is not said to bring nothing.
#[tokio::test]
async fn a_version_that_was_not_read_brings_nobody_knows_what() {
    let registry = two_versions().await;
    let mut tx = registry.app.db().quiet().await.unwrap();
    tx.conn().execute("DELETE FROM readings").await.unwrap();
    tx.commit().await.unwrap();
    let page = registry.anonymous().get("/ada/skills/tides/diff").await;
    insta::assert_snapshot!(after(&words(&page), "New in", 3), @r"
    New in 1.0.1
    Executable filesrun.sh
    What these versions reach for is still to be read here; skill scan says it of copies.
    ");
}

#[tokio::test]
async fn what_did_not_change_is_folded() {
    let registry = two_versions().await;
    let page = registry.anonymous().get("/ada/skills/tides/diff").await;
    let words = words(&page);
    insta::assert_snapshot!(after(&words, "table.txt Changed ", 30), @r"
    table.txt Changed 518 bytes
    1 unchanged line
    Old lineNew lineChangeText
    111
    Old lineNew lineChangeText
    222
    333
    444
    5removed−5
    5added+five
    666
    777
    888
    8 unchanged lines
    Old lineNew lineChangeText
    999
    101010
    111111
    121212
    131313
    141414
    151515
    161616
    Old lineNew lineChangeText
    171717
    181818
    191919
    20removed−20
    20added+ 20
    21211
    ");
    assert!(page.text().contains("<details class=\"fold\"><summary>1 unchanged line</summary>"));
    let link = "/ada/skills/tides/files?version=1.0.1&amp;path=table.txt#L24\">174 unchanged lines</a>";
    assert!(page.text().contains(link), "{words}");
}

#[tokio::test]
async fn blanks_can_be_ignored() {
    let registry = two_versions().await;
    let anyone = registry.anonymous();
    let plain = anyone.get("/ada/skills/tides/diff").await;
    let blanks = anyone.get("/ada/skills/tides/diff?w=1").await;
    let indented = "<ins> 20</ins>";
    assert!(plain.text().contains(indented), "{}", plain.text());
    assert!(!blanks.text().contains(indented), "{}", words(&blanks));
    assert!(blanks.text().contains("name=\"w\" value=\"1\" checked"));
    assert!(blanks.text().contains("/ada/skills/tides/diff?from=1.0.1&amp;to=1.0.0&amp;w=1\">Swap"));
    let ada = registry.user("eve").await;
    Skill::new("tabs").file("a.txt", "a b\n").published(&ada).await;
    Skill::new("tabs").file("a.txt", "a\tb\n").published(&ada).await;
    let only = words(&anyone.get("/eve/skills/tabs/diff?w=1").await);
    assert!(only.contains("Only blanks differ."), "{only}");
}

/// A file that only moved is one line, whatever else came and went.
#[tokio::test]
async fn what_only_moved_is_said_to_have_moved() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let old = Skill::new("moves")
        .file("docs/guide.md", "# Guide\n")
        .file("a.txt", "same\n")
        .file("b.txt", "same\n");
    old.file("empty.txt", "").file("run.sh", "#!/bin/sh\n").published(&ada).await;
    let new = Skill::new("moves").file("docs/guide-renamed.md", "# Guide\n").file("c.txt", "same\n");
    new.file("void.txt", "").script("bin/run.sh", "#!/bin/sh\n").published(&ada).await;
    let page = words(&registry.anonymous().get("/ada/skills/moves/diff").await);
    assert!(page.contains("1 file added, 2 files removed, 3 files moved"), "{page}");
    insta::assert_snapshot!(after(&page, "bin/run.sh Moved 10", 4), @r"
    bin/run.sh Moved 10 bytes
    Was run.sh.
    May be executed now.
    Its content is the same.
    ");
    insta::assert_snapshot!(after(&page, "docs/guide-renamed.md Moved 8", 3), @r"
    docs/guide-renamed.md Moved 8 bytes
    Was docs/guide.md.
    Its content is the same.
    ");
    assert!(page.contains("b.txt Removed"), "{page}");
}

/// A large release is not unpacked whole for the few files that changed.
#[tokio::test]
async fn a_large_release_shows_what_changed() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let skill = Skill::new("heavy").file("noise.bin", vec![0xa7; 5 << 20]).file("run.sh", "echo one\n");
    skill.clone().published(&ada).await;
    skill.file("run.sh", "echo two\n").file("new.md", "new\n").published(&ada).await;
    let page = words(&registry.anonymous().get("/ada/skills/heavy/diff").await);
    for line in ["1 file added, 1 file changed", "1removed−echo one", "1added+echo two", "1added+new"] {
        assert!(page.contains(line), "{line}: {page}");
    }
}
