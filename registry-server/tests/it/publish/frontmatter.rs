//! A `SKILL.md` that cannot be published.

use crate::support::{Skill, TestRegistry};

#[tokio::test]
async fn without_frontmatter_the_answer_holds_the_lines_to_add() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let answer = Skill::new("demo").file("SKILL.md", "# Demo\n\nDoes it.\n").publish(&ada).await;
    insta::assert_snapshot!(answer.shown(), @r#"
    422 application/problem+json
    {
      "type": "urn:skill-registry:problem:frontmatter-missing",
      "status": 422,
      "code": "frontmatter-missing",
      "title": "SKILL.md has no frontmatter",
      "add": "---\nname: demo\ndescription: What it does, and when to use it\n---\n",
      "requestId": "test"
    }
    "#);
}

#[tokio::test]
async fn not_utf_8() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let text = b"---\nname: demo\ndescription: Caf\xe9\n---\n";
    let answer = Skill::new("demo").file("SKILL.md", text).publish(&ada).await;
    insta::assert_snapshot!(answer.shown(), @r#"
    422 application/problem+json
    {
      "type": "urn:skill-registry:problem:frontmatter-encoding",
      "status": 422,
      "code": "frontmatter-encoding",
      "title": "SKILL.md: not UTF-8 (looks like Latin-1)",
      "requestId": "test"
    }
    "#);
}

/// Others end the frontmatter at the first fence that comes: what they see is not what was scanned here.
#[tokio::test]
async fn fields_behind_a_second_fence() {
    let registry = TestRegistry::on_sqlite().start().await;
    let ada = registry.user("ada").await;
    let mut answers = Vec::new();
    for text in
        ["---\nname: demo\n---\ndescription: d\n---\nText\n", "---\n---\nname: demo\ndescription: d\n---\n"]
    {
        let answer = Skill::new("demo").file("SKILL.md", text).publish(&ada).await;
        answers.push(answer.shown());
    }
    insta::assert_snapshot!(answers.join("\n"), @r#"
    422 application/problem+json
    {
      "type": "urn:skill-registry:problem:frontmatter-fence",
      "status": 422,
      "code": "frontmatter-fence",
      "title": "SKILL.md: other readers end the frontmatter at the fence on line 3, and fields stand behind it; take that line out",
      "requestId": "test"
    }
    422 application/problem+json
    {
      "type": "urn:skill-registry:problem:frontmatter-fence",
      "status": 422,
      "code": "frontmatter-fence",
      "title": "SKILL.md: other readers end the frontmatter at the fence on line 2, and fields stand behind it; take that line out",
      "requestId": "test"
    }
    "#);
}
