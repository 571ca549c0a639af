//! What changed between two versions, beyond the first look in `skill.rs`.

use skill_registry::auth::Scope;
use sqlx::Executor as _;

use super::skill::words;
use crate::support::{Answer, Skill, TestRegistry};

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
    The manifest, the verdict and the number of findings are the same.
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

/// Two versions of a skill: of each file its text before and after.
async fn changed(registry: &TestRegistry, slug: &str, files: &[(&str, String, String)]) {
    let owner = registry.token("ada", [Scope::Read, Scope::Publish]).await;
    let version = |which: fn(&(&str, String, String)) -> String| {
        files.iter().fold(Skill::new(slug), |skill, file| skill.file(file.0, which(file)))
    };
    version(|file| file.1.clone()).published(&owner).await;
    version(|file| file.2.clone()).published(&owner).await;
}

/// Bytes that every page of a comparison stays below: half a megabyte of rows, and what stands around them.
const HEAVIEST: usize = 700_000;

/// Files made so that a comparison is as dear as can be: each page of them has one budget for all files.
#[tokio::test]
async fn a_page_of_hostile_files_is_bounded() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let mut seed = 7_u64;
    let mut random = |lines: usize| -> String {
        let letter = |_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            [char::from(b'a' + (seed >> 60) as u8), '\n']
        };
        (0..lines).flat_map(letter).collect()
    };
    let names: Vec<String> = (0..50).map(|number| format!("f{number:02}.txt")).collect();
    let letters: Vec<_> = names.iter().map(|name| (name.as_str(), random(1_000), random(1_000))).collect();
    let empty: Vec<_> = names.iter().map(|name| (name.as_str(), String::new(), "\n".repeat(3_000))).collect();
    let hidden: Vec<_> =
        names.iter().take(8).map(|name| (name.as_str(), "x".to_owned(), "\u{1}".repeat(120_000))).collect();
    for (slug, files) in [("letters", letters), ("empty-lines", empty), ("unseen", hidden)] {
        changed(&registry, slug, &files).await;
        for query in ["", "?view=side", "?w=1", "?path=f00.txt"] {
            let page = registry.anonymous().get(&format!("/ada/skills/{slug}/diff{query}")).await;
            assert_eq!(page.status, 200, "{slug}{query}");
            assert!(page.body.len() <= HEAVIEST, "{slug}{query}: {} bytes", page.body.len());
            crate::web::markup::read(page.text()).unwrap();
        }
    }
}

/// What is compared on the page, and what it says that it leaves out, first the most of each.
fn places(page: &Answer) -> (Vec<String>, Vec<String>) {
    let html = page.text();
    let between = |text: &str| text.split("</code>").next().unwrap().to_owned();
    let compared = html.split("-h\"><code>").skip(1).map(between);
    let notice = html.split("not compared line by line on this page").nth(1).unwrap_or_default();
    let notice = notice.split("</div>").next().unwrap_or_default();
    (compared.collect(), notice.split("<li><code>").skip(1).map(between).collect())
}

/// Found in a review: a large table that comes first by its name left a one-line change of a program uncompared.
#[tokio::test]
async fn no_file_hides_the_one_that_matters() {
    let registry = TestRegistry::on_sqlite().start().await;
    registry.add_user("ada").await;
    let program = ("run.sh", "echo hi\n".to_owned(), "echo hi; rm -rf ./build\n".to_owned());
    let table = |lines: usize| format!("{}\n", "1,2,3,4,5,6,7,8\n".repeat(lines));
    let skill = |code: &str| text(code).replace("tides", "starve");
    let md = ("SKILL.md", skill("echo one"), skill("echo two"));
    let anyone = registry.anonymous();

    let large = ("aaa.csv", table(10), table(70_000));
    changed(&registry, "starve", &[large, program.clone(), md.clone()]).await;
    let page = anyone.get("/ada/skills/starve/diff").await;
    let shown = ["SKILL.md", "run.sh"].map(str::to_owned).to_vec();
    assert_eq!(places(&page), (shown, vec!["aaa.csv".to_owned()]));
    assert!(page.text().contains("<ins>echo hi; rm -rf ./build</ins>"));

    // Sixty files before it by name, each of which alone has room, and one that would take it all.
    let names: Vec<String> = (0..60).map(|number| format!("a/{number:02}.md")).collect();
    let mut files: Vec<_> =
        names.iter().map(|name| (name.as_str(), "a\n".to_owned(), "b\n".to_owned())).collect();
    files.push(("a.md", String::new(), "x\n".repeat(60_000)));
    files.extend([program, md]);
    changed(&registry, "crowd", &files).await;
    let page = anyone.get("/ada/skills/crowd/diff").await;
    let (compared, left) = places(&page);
    assert_eq!(compared[..2], ["SKILL.md", "run.sh"]);
    assert_eq!((compared.len(), left.len()), (50, 13));
    assert!(page.text().contains("13 changed files not compared line by line on this page"));

    // Each of those has a page of its own, on which it is compared.
    let address = "/ada/skills/crowd/diff?from=1.0.0&amp;to=1.0.1&amp;path=a.md\">Compare</a>";
    assert!(page.text().contains(address), "{}", page.text());
    let alone = anyone.get("/ada/skills/crowd/diff?from=1.0.0&to=1.0.1&path=a.md").await;
    assert_eq!(places(&alone), (vec!["a.md".to_owned()], Vec::new()));
    assert!(alone.text().contains("href=\"/ada/skills/crowd/diff?from=1.0.0&amp;to=1.0.1\">All changes</a>"));
    assert_eq!(anyone.get("/ada/skills/crowd/diff?path=no.md").await.status, 404);
}

/// Files that only moved, however many, large and executable they are, come behind the one that changed.
#[tokio::test]
async fn what_moved_hides_nothing() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let moved = |folder: &str, code: &str| {
        let skill = Skill::new("shift").file(&format!("{folder}/data.csv"), "1,2\n".repeat(600_000));
        let skill = (0..60).fold(skill, |skill, number| {
            skill.script(&format!("{folder}/{number:02}.sh"), format!("#!/bin/sh\necho {number}\n"))
        });
        skill.script("z/run.sh", code)
    };
    moved("a", "#!/bin/sh\necho one, and more than the others say\n").published(&ada).await;
    moved("b", "#!/bin/sh\necho two, and more than the others say\n").published(&ada).await;
    let page = registry.anonymous().get("/ada/skills/shift/diff").await;
    let (compared, left) = places(&page);
    assert_eq!(compared[0], "z/run.sh");
    assert_eq!((compared.len(), left.len()), (50, 12));
    let alone = registry.anonymous().get("/ada/skills/shift/diff?path=b/data.csv").await;
    assert!(words(&alone).contains("Its content is the same."), "{}", words(&alone));
}

/// Found in a review: a page said that requirements are the same while another skill came to be required.
#[tokio::test]
async fn the_same_is_said_of_equal_manifests_alone() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let with = |fields: &str| format!("---\nname: req\ndescription: Does it\n{fields}---\n\nDo it.\n");
    let skill = Skill::new("req");
    let required = "requires: {skills: {'@evil/loader': '*'}}\n";
    let installed = "metadata: {openclaw: {install: [{kind: brew, formula: evil}]}}\n";
    for (number, fields) in ["", "", required, installed, "license: MIT\n"].into_iter().enumerate() {
        let version = skill.clone().version(&format!("1.0.{number}")).file("SKILL.md", with(fields));
        version.published(&ada).await;
    }
    let mut shown = String::new();
    for to in ["1.0.1", "1.0.2", "1.0.3", "1.0.4"] {
        let page = registry.anonymous().get(&format!("/ada/skills/req/diff?to={to}")).await;
        let words = words(&page);
        let begin = words.find("Found by reading").unwrap();
        let lines = words[begin..].lines().skip(1).take_while(|line| !line.contains("SKILL.md"));
        shown += &format!("{to}:\n{}\n", lines.collect::<Vec<_>>().join("\n"));
    }
    insta::assert_snapshot!(shown, @r#"
    1.0.1:
    The manifest, the verdict and the number of findings are the same.
    1.0.2:
    Skills it requires: @evil/loaderIn 1.0.1 NoneIn 1.0.2 *
    1.0.3:
    Skills it requires: @evil/loaderIn 1.0.2 *In 1.0.3 None
    How to get programsIn 1.0.2 NoneIn 1.0.3 {"kind":"brew","package":"evil","bins":[],"os":[]}
    1.0.4:
    How to get programsIn 1.0.3 {"kind":"brew","package":"evil","bins":[],"os":[]}In 1.0.4 None
    LicenceIn 1.0.3 NoneIn 1.0.4 MIT
    "#);
}
