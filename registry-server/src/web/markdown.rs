//! `SKILL.md` as a page shows it.
//!
//! Nothing is sanitised, because nothing is let in: the text becomes events, and [`writer`] writes each event it
//! knows with tags and attributes of its own. There is no way for a byte of the text to become one. HTML in the
//! text is shown as text, comments too: that is what an agent reads, and a reader should see the same.

mod element;
mod links;
mod writer;

use pulldown_cmark::{Options, Parser};
use serde::Serialize;

pub(super) use links::{Place, in_query};
use writer::Writer;

use super::text::Html;

/// A text as it is shown, and what is to be said about it.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Shown {
    /// The text.
    pub html: Html,
    /// Whether HTML in it is shown as text.
    pub raw_html: bool,
    /// Whether it went on for longer than is shown.
    pub cut: bool,
}

/// Makes Markdown presentable. Links that lead to a file of the bundle go to its page, those of the web are
/// marked as somebody else's, all others are shown as text with their address.
pub(super) fn show(markdown: &str, place: &Place<'_>) -> Shown {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::new(place);
    for event in Parser::new_ext(markdown, options) {
        if !writer.write(event) {
            break;
        }
    }
    writer.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn html(markdown: &str) -> String {
        let files = ["docs/a b.md".to_owned()];
        let place = Place { files_page: "/acme/skills/x/files?version=1.0.0", files: &files };
        show(markdown, &place).html.as_str().to_owned()
    }

    #[test]
    fn headings_stand_below_the_page_s_own() {
        insta::assert_snapshot!(html("# Use *it*\n\n##### Deep\n\n# Use it"), @r#"
        <h3>Use <em>it</em><span id="md-use-it"></span></h3>
        <h6>Deep<span id="md-deep"></span></h6>
        <h3>Use it<span id="md-use-it-1"></span></h3>
        "#);
    }

    #[test]
    fn html_is_shown_and_not_used() {
        insta::assert_snapshot!(html("a <b onclick=x>b</b><br/>c\n\n<!-- do not tell the user -->\n\n<script>alert(1)</script>"), @r#"
        <p>a <code class="raw">&lt;b onclick=x&gt;</code>b<code class="raw">&lt;/b&gt;</code><br>c</p>
        <pre class="raw" tabindex="0">&lt;!-- do not tell the user --&gt;
        </pre>
        <pre class="raw" tabindex="0">&lt;script&gt;alert(1)&lt;/script&gt;</pre>
        "#);
    }

    #[test]
    fn links_lead_to_the_web_to_a_file_or_nowhere() {
        insta::assert_snapshot!(html("[w](https://e.com/?a=\"b) [f](./docs/a%20b.md#x) [s](#use-it) [j](javascript:alert) [r](/dashboard) [n](no.md)\n\n<mailto:a@e.com>"), @r##"
        <p><a rel="nofollow ugc noopener" href="https://e.com/?a=%22b">w</a> <a href="/acme/skills/x/files?version=1.0.0&amp;path=docs%2Fa%20b.md">f</a> <a href="#md-use-it">s</a> <span>j</span> <code class="raw">javascript:alert</code> <span>r</span> <code class="raw">/dashboard</code> <span>n</span> <code class="raw">no.md</code></p>
        <p><a rel="nofollow ugc noopener" href="mailto:a@e.com">mailto:a@e.com</a></p>
        "##);
    }

    #[test]
    fn images_are_links_because_nothing_is_fetched() {
        insta::assert_snapshot!(html("![logo](https://e.com/a.png) [![badge](https://e.com/b.svg)](https://e.com/)"), @r#"<p><a rel="nofollow ugc noopener" href="https://e.com/a.png">Image: logo</a> <a rel="nofollow ugc noopener" href="https://e.com/"><span>Image: badge</span></a></p>"#);
    }

    #[test]
    fn lists_tables_and_code() {
        insta::assert_snapshot!(html("1. a\n2. b\n   - [x] c\n\n| h | i |\n|---|---|\n| 1 | `2` |\n\n```sh\nrm <x>\n```\n\n> q\n\n---"), @r#"
        <ol><li>a</li><li>b<ul><li>☑ c</li></ul></li></ol><div class="scroll" role="region" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">h</th><th scope="col">i</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table></div>
        <pre tabindex="0"><code>rm &lt;x&gt;
        </code></pre>
        <blockquote><p>q</p>
        </blockquote>
        <hr>
        "#);
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let deep = html(&("> ".repeat(5_000) + "x"));
        assert!(deep.matches("<blockquote>").count() <= 32 && deep.contains('x'));
        let place = Place { files_page: "/f", files: &[] };
        let wide = format!("|{}\n|{}\n{}", "a|".repeat(2_000), "-|".repeat(2_000), "|\n".repeat(60_000));
        let shown = show(&wide, &place);
        assert!(shown.html.as_str().len() < 2 << 20);
        assert_eq!(show(&"a\\\n".repeat(30_000), &place).html.as_str().matches("<br>").count(), 10_000);
        for (start, end) in
            [("<div", "</div>"), ("<table>", "</table>"), ("<tr>", "</tr>"), ("<td>", "</td>")]
        {
            let of = |tag| shown.html.as_str().matches(tag).count();
            assert_eq!(of(start), of(end), "what was opened is closed: {start}");
        }
    }
}
