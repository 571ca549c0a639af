//! A `SKILL.md` that cannot be published.

use crate::support::{Skill, TestRegistry};

#[tokio::test]
async fn without_frontmatter_the_answer_holds_the_lines_to_add() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let answer = Skill::new("demo").file("SKILL.md", "# Demo\n\nDoes it.\n").publish(&ada).await;
    insta::assert_snapshot!(answer.shown(), @"");
}

#[tokio::test]
async fn not_utf_8() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let text = b"---\nname: demo\ndescription: Caf\xe9\n---\n";
    let answer = Skill::new("demo").file("SKILL.md", text).publish(&ada).await;
    insta::assert_snapshot!(answer.shown(), @"");
}
