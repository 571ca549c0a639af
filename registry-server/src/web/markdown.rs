//! `SKILL.md` as a page shows it.
//!
//! Nothing is sanitised, because nothing is let in: the text becomes events, and [`writer`] writes each event it
//! knows with tags and attributes of its own. There is no way for a byte of the text to become one. HTML in the
//! text is shown as text, comments too: that is what an agent reads, and a reader should see the same.

mod bare;
mod element;
mod footnotes;
mod links;
mod outline;
mod writer;

use pulldown_cmark::{Options, Parser, TextMergeStream};
use serde::Serialize;

pub(super) use links::{Outside, Siblings};
pub(super) use outline::Contents;
use outline::Outline;
use writer::Writer;

use super::text::Html;

/// A text as it is shown, and what is to be said about it.
#[derive(Debug, Clone, Default, Serialize)]
pub(super) struct Shown {
    /// The text.
    pub html: Html,
    /// Its headings, as far as it is shown.
    pub contents: Contents,
    /// Whether HTML in it is shown as text.
    pub raw_html: bool,
    /// Whether it went on for longer than is shown.
    pub cut: bool,
}

impl Shown {
    /// Headings from which on a text has a table of contents.
    const HEADINGS: usize = 8;

    /// Takes the table of contents away from a text that needs none.
    fn without_short_contents(self) -> Self {
        if self.contents.len() < Self::HEADINGS {
            Self { contents: Contents::default(), ..self }
        } else {
            self
        }
    }
}

/// Makes Markdown presentable: GitHub's, as far as it becomes nothing but text. Links that lead to a file of the
/// bundle go to its page, those of the web say their host, all others are shown as text with their address.
pub(super) fn show(markdown: &str, beside: &Siblings<'_>) -> Shown {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_GFM;
    let outline = Outline::of(Parser::new_ext(markdown, options));
    let mut writer = Writer::new(beside, &outline);
    for event in TextMergeStream::new(Parser::new_ext(markdown, options)) {
        if !writer.write(event) {
            break;
        }
    }
    writer.finish().without_short_contents()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::web::address::Pages;

    fn html(markdown: &str) -> String {
        let files = HashSet::from(["docs/a b.md"]);
        let pages = Pages::named(&"acme/x".parse().unwrap());
        show(markdown, &Siblings { pages: &pages, version: "1.0.0", paths: &files }).html.as_str().to_owned()
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
        insta::assert_snapshot!(html("[w](https://e.com/?a=\"b) [f](./docs/a%20b.md#x) [s](#use-it) [h](#no) [j](javascript:alert) [r](/dashboard) [n](no.md)\n\n<mailto:a@e.com> <b@e.com>\n\n# Use it"), @r##"
        <p><a rel="nofollow ugc noopener" href="https://e.com/?a=%22b">w</a> <span class="host">(e.com)</span> <a href="/acme/skills/x/files?version=1.0.0&amp;path=docs%2Fa%20b.md">f</a> <a href="#md-use-it">s</a> <span>h</span> <code class="raw">#no</code> <span>j</span> <code class="raw">javascript:alert</code> <span>r</span> <code class="raw">/dashboard</code> <span>n</span> <code class="raw">no.md</code></p>
        <p><a rel="nofollow ugc noopener" href="mailto:a@e.com">mailto:a@e.com</a> <a rel="nofollow ugc noopener" href="mailto:b@e.com">b@e.com</a></p>
        <h3>Use it<span id="md-use-it"></span></h3>
        "##);
    }

    #[test]
    fn images_are_links_because_nothing_is_fetched() {
        insta::assert_snapshot!(html("![logo](https://e.com/a.png) [![badge](https://e.com/b.svg)](https://e.com/)"), @r##"<p><a rel="nofollow ugc noopener" href="https://e.com/a.png">Image: logo</a> <span class="host">(e.com)</span> <a rel="nofollow ugc noopener" href="https://e.com/">Image: badge</a> <span class="host">(e.com)</span></p>"##);
    }

    #[test]
    fn lists_tables_and_code() {
        insta::assert_snapshot!(html("1. a\n2. b\n   - [x] c\n\n| h | i |\n|---|---|\n| 1 | `2` |\n\n```sh\nrm <x>\n```\n\n> q\n\n---"), @r##"
        <ol><li>a</li><li>b<ul><li>☑ c</li></ul></li></ol><div class="scroll" role="region" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">h</th><th scope="col">i</th></tr></thead><tbody><tr><td>1</td><td><code>2</code></td></tr></tbody></table></div>
        <p class="language">sh</p>
        <pre tabindex="0"><code>rm &lt;x&gt;
        </code></pre>
        <blockquote><p>q</p>
        </blockquote>
        <hr>
        "##);
    }

    #[test]
    fn links_say_where_they_lead() {
        insta::assert_snapshot!(html(concat!(
            "[github.com/acme](https://evil.example/login)\n[https://github.com](https://evil.example)\n",
            "[`github.com`](https://github.com.evil.example:8443)\n[github.com@evil.example](https://evil.example)\n\n",
            "[x](https://github.com@evil.example/) [y](https://u:p@evil.example)\n\n",
            "[https://аpple.example](https://аpple.example) [mail](mailto:x@evil.example)\n\n",
            "[github.com](https://github.com/acme) [https://GitHub.com/acme?x](http://github.com/acme) <https://e.example/>",
        )), @r##"
        <p><a rel="nofollow ugc noopener" href="https://evil.example/login">github.com/acme</a> <span class="host">(evil.example)</span>
        <a rel="nofollow ugc noopener" href="https://evil.example/">https://github.com</a> <span class="host">(evil.example)</span>
        <a rel="nofollow ugc noopener" href="https://github.com.evil.example:8443/"><code>github.com</code></a> <span class="host">(github.com.evil.example:8443)</span>
        <a rel="nofollow ugc noopener" href="https://evil.example/">github.com@evil.example</a> <span class="host">(evil.example)</span></p>
        <p><span>x</span> <code class="raw">https://github.com@evil.example/</code> <span>y</span> <code class="raw">https://u:p@evil.example</code></p>
        <p><a rel="nofollow ugc noopener" href="https://xn--pple-43d.example/">https://аpple.example</a> <span class="host">(xn--pple-43d.example)</span> <a rel="nofollow ugc noopener" href="mailto:x@evil.example">mail</a> <span class="host">(x@evil.example)</span></p>
        <p><a rel="nofollow ugc noopener" href="https://github.com/acme">github.com</a> <a rel="nofollow ugc noopener" href="http://github.com/acme">https://GitHub.com/acme?x</a> <a rel="nofollow ugc noopener" href="https://e.example/">https://e.example/</a></p>
        "##);
    }

    #[test]
    fn addresses_and_mailboxes_are_links_without_marks() {
        insta::assert_snapshot!(html("See https://example.com/a_b_c, or www.example.com.\n`https://code.example` [https://a.example](b.md)\n\n```\nhttps://code.example\n```\n\nhttps://github.com⁄acme@evil.example http://u:p@evil.example/ <a@b.example>"), @r##"
        <p>See <a rel="nofollow ugc noopener" href="https://example.com/a_b_c">https://example.com/a_b_c</a>, or <a rel="nofollow ugc noopener" href="https://www.example.com/">www.example.com</a>.
        <code>https://code.example</code> <span>https://a.example</span> <code class="raw">b.md</code></p>
        <pre tabindex="0"><code>https://code.example
        </code></pre>
        <p><a rel="nofollow ugc noopener" href="https://github.com/">https://github.com</a>⁄acme@evil.example http://u:p@evil.example/ <a rel="nofollow ugc noopener" href="mailto:a@b.example">a@b.example</a></p>
        "##);
    }

    #[test]
    fn lists_begin_where_they_say() {
        insta::assert_snapshot!(html("7. a\n8. b\n\ntext\n\n1) c\n\n0. d"), @r##"
        <ol start="7"><li>a</li><li>b</li></ol><p>text</p>
        <ol><li>c</li></ol><ol start="0"><li>d</li></ol>
        "##);
    }

    #[test]
    fn cells_stand_on_their_side() {
        insta::assert_snapshot!(html("|a|b|c|\n|:-|:-:|-:|\n|1|2|3|"), @r##"<div class="scroll" role="region" aria-label="Table" tabindex="0"><table><thead><tr><th scope="col">a</th><th scope="col" class="middle">b</th><th scope="col" class="end">c</th></tr></thead><tbody><tr><td>1</td><td class="middle">2</td><td class="end">3</td></tr></tbody></table></div>"##);
    }

    #[test]
    fn footnotes_are_numbered() {
        insta::assert_snapshot!(html("a[^x] b[^1] c[^x] d[^none] [e[^1]](https://e.com)\n\n[^1]: One\n[^x]: Two\n\n    more\n\n[^1]: Again"), @r##"
        <p>a<sup><a href="#fn-1">1</a></sup> b<sup><a href="#fn-2">2</a></sup> c<sup><a href="#fn-1">1</a></sup> d[^none] [e<sup><a href="#fn-2">2</a></sup>](<a rel="nofollow ugc noopener" href="https://e.com/">https://e.com</a>)</p>
        <ol start="2" class="footnote"><li id="fn-2"><p>One</p>
        </li></ol>
        <ol start="1" class="footnote"><li id="fn-1"><p>Two</p>
        <p>more</p>
        </li></ol>
        <ol start="2" class="footnote"><li><p>Again</p>
        </li></ol>
        "##);
    }

    #[test]
    fn notes_and_warnings_say_what_they_are() {
        insta::assert_snapshot!(html("> [!NOTE]\n> Read this\n\n> [!warning]\n> a\n\n> [!OTHER]\n> b"), @r##"
        <blockquote class="alert"><p><strong>Note</strong></p>
        <p>Read this</p>
        </blockquote>
        <blockquote class="alert"><p><strong>Warning</strong></p>
        <p>a</p>
        </blockquote>
        <blockquote><p>[!OTHER]
        b</p>
        </blockquote>
        "##);
    }

    #[test]
    fn code_says_its_language() {
        insta::assert_snapshot!(html("```python title=x\n1\n```\n\n~~~<script>\n2\n~~~\n\n    3\n\n```{.r}\n4\n```"), @r##"
        <p class="language">python</p>
        <pre tabindex="0"><code>1
        </code></pre>
        <p class="language">&lt;script&gt;</p>
        <pre tabindex="0"><code>2
        </code></pre>
        <pre tabindex="0"><code>3
        </code></pre>
        <pre tabindex="0"><code>4
        </code></pre>
        "##);
    }

    #[test]
    fn html_ends_at_the_empty_line() {
        insta::assert_snapshot!(html("<img src=x>\n\n# Use\n\n<details>\n<summary>s</summary>\n\n- a\n\n</details>\n\n*b*"), @r##"
        <pre class="raw" tabindex="0">&lt;img src=x&gt;
        </pre>
        <h3>Use<span id="md-use"></span></h3>
        <pre class="raw" tabindex="0">&lt;details&gt;
        &lt;summary&gt;s&lt;/summary&gt;
        </pre>
        <ul><li>a</li></ul><pre class="raw" tabindex="0">&lt;/details&gt;
        </pre>
        <p><em>b</em></p>
        "##);
    }

    #[test]
    fn depth_and_length_are_bounded() {
        let deep = html(&("> ".repeat(5_000) + "x"));
        assert!(deep.matches("<blockquote>").count() <= 32 && deep.contains('x'));
        for (open, close) in [
            ("![", "](u)"),
            ("[", "](u)"),
            ("[![", "](u)](v)"),
            ("*a **", "** b*"),
            ("- ", ""),
            ("1. > ", ""),
        ] {
            let deep = html(&(open.repeat(5_000) + "x" + &close.repeat(5_000)));
            let depths = deep.split('<').skip(1).scan(0_i32, |depth, tag| {
                *depth += if tag.starts_with('/') { -1 } else { i32::from(!tag.starts_with("br>")) };
                Some(*depth)
            });
            assert!(depths.max().unwrap() <= 40, "{open}");
        }
        let files = HashSet::new();
        let pages = Pages::named(&"acme/x".parse().unwrap());
        let beside = Siblings { pages: &pages, version: "1.0.0", paths: &files };
        let wide = format!("|{}\n|{}\n{}", "a|".repeat(2_000), "-|".repeat(2_000), "|\n".repeat(60_000));
        let shown = show(&wide, &beside);
        assert!(shown.html.as_str().len() < 2 << 20);
        assert_eq!(show(&"a\\\n".repeat(30_000), &beside).html.as_str().matches("<br>").count(), 10_000);
        for (start, end) in
            [("<div", "</div>"), ("<table>", "</table>"), ("<tr>", "</tr>"), ("<td>", "</td>")]
        {
            let of = |tag| shown.html.as_str().matches(tag).count();
            assert_eq!(of(start), of(end), "what was opened is closed: {start}");
        }
    }
}
