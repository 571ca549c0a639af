//! Every way of being broken that real files show, one file each, in words of our own. What a person would read
//! as name and description is what is read.

use skill_core::frontmatter::Frontmatter;
use skill_core::manifest::Manifest;

/// One broken file: what is wrong, the lines after the opening fence up to the closing one, the description a
/// person reads there, the codes of the findings. The name is always `tool`.
struct Case(&'static str, &'static str, &'static str, &'static [&'static str]);

const QUOTED: &[&str] = &["frontmatter-quoted"];

const BETWEEN: [Case; 50] = [
    Case(
        "a colon in plain text",
        "name: tool\ndescription: Packs boxes: small, large",
        "Packs boxes: small, large",
        QUOTED,
    ),
    Case(
        "several colons",
        "name: tool\ndescription: Use: when: a box: breaks",
        "Use: when: a box: breaks",
        QUOTED,
    ),
    Case("a colon at the end", "name: tool\ndescription: Knows these boxes:", "Knows these boxes:", QUOTED),
    Case("a colon and a list in brackets", "name: tool\ndescription: Packs: [a, b]", "Packs: [a, b]", QUOTED),
    Case(
        "a colon and quotes inside",
        "name: tool\ndescription: Say \"pack: now\" or 'go: on'",
        "Say \"pack: now\" or 'go: on'",
        QUOTED,
    ),
    Case(
        "a colon and an apostrophe",
        "name: tool\ndescription: It's simple: pack",
        "It's simple: pack",
        QUOTED,
    ),
    Case("a colon in Chinese text", "name: tool\ndescription: 打包: 小箱", "打包: 小箱", QUOTED),
    Case("a colon after an emoji", "name: tool\ndescription: 📦: packs it", "📦: packs it", QUOTED),
    Case(
        "typographic quotes and a colon",
        "name: tool\ndescription: “Pack”: it packs",
        "“Pack”: it packs",
        QUOTED,
    ),
    Case("a text that begins with @", "name: tool\ndescription: @box packs it", "@box packs it", QUOTED),
    Case(
        "a text that begins with a backtick",
        "name: tool\ndescription: `box` packs it",
        "`box` packs it",
        QUOTED,
    ),
    Case("a text that begins with *", "name: tool\ndescription: *Fast* packing", "*Fast* packing", QUOTED),
    Case(
        "a text that begins with **",
        "name: tool\ndescription: **Fast** packing",
        "**Fast** packing",
        QUOTED,
    ),
    Case("a text that begins with %", "name: tool\ndescription: %FULL% packs it", "%FULL% packs it", QUOTED),
    Case(
        "a text that begins with a comma",
        "name: tool\ndescription: , then it packs",
        ", then it packs",
        QUOTED,
    ),
    Case(
        "a text that begins with a bracket",
        "name: tool\ndescription: [beta] Packs boxes",
        "[beta] Packs boxes",
        QUOTED,
    ),
    Case(
        "a text that begins with a brace",
        "name: tool\ndescription: {box} is packed",
        "{box} is packed",
        QUOTED,
    ),
    Case("a bracket that nothing closes", "name: tool\ndescription: [Packs boxes", "[Packs boxes", QUOTED),
    Case(
        "a Markdown link",
        "name: tool\ndescription: [Box](http://box) packs it",
        "[Box](http://box) packs it",
        QUOTED,
    ),
    Case(
        "a text that begins with a dash and has a colon",
        "name: tool\ndescription: - Packs: boxes",
        "- Packs: boxes",
        QUOTED,
    ),
    Case(
        "a text that begins with ? and has a colon",
        "name: tool\ndescription: ? Lost: it packs",
        "? Lost: it packs",
        QUOTED,
    ),
    Case("text after a quoted part", "name: tool\ndescription: \"Box\" packs it", "\"Box\" packs it", QUOTED),
    Case(
        "several quoted parts",
        "name: tool\ndescription: \"Box\", \"crate\" or \"bag\"",
        "\"Box\", \"crate\" or \"bag\"",
        QUOTED,
    ),
    Case(
        "quotes inside of quotes",
        "name: tool\ndescription: \"Packs \"the\" box\"",
        "Packs \"the\" box",
        QUOTED,
    ),
    Case("an apostrophe in single quotes", "name: tool\ndescription: 'It's a box'", "It's a box", QUOTED),
    Case("a quote that nothing closes", "name: tool\ndescription: \"Packs a box", "Packs a box", QUOTED),
    Case(
        "a single quote that nothing closes",
        "name: 'tool\ndescription: Packs a box",
        "Packs a box",
        QUOTED,
    ),
    Case(
        "a path in double quotes",
        "name: tool\ndescription: \"Packs C:\\Users\\me\"",
        "Packs C:\\Users\\me",
        QUOTED,
    ),
    Case(
        "a backslash before the closing quote",
        "name: tool\ndescription: \"Packs C:\\\"",
        "Packs C:\\",
        QUOTED,
    ),
    Case(
        "text wrapped without indentation",
        "name: tool\ndescription: Packs a box\nand seals it",
        "Packs a box and seals it",
        QUOTED,
    ),
    Case(
        "text wrapped with a colon in it",
        "name: tool\ndescription: Packs a box\n  and more: seals it",
        "Packs a box and more: seals it",
        QUOTED,
    ),
    Case(
        "text that goes on after its quotes",
        "name: tool\ndescription: \"Packs a box\"\n  and seals it",
        "\"Packs a box\" and seals it",
        QUOTED,
    ),
    Case(
        "a list below the text",
        "name: tool\ndescription: Packs\n- boxes\n- bags",
        "Packs - boxes - bags",
        QUOTED,
    ),
    Case(
        "text on the line of the block mark",
        "name: tool\ndescription: > Packs a box",
        "Packs a box",
        QUOTED,
    ),
    Case(
        "text on and below the line of the block mark",
        "name: tool\ndescription: |- Packs\n  a box",
        "Packs a box",
        QUOTED,
    ),
    Case(
        "text below > without indentation",
        "name: tool\ndescription: >\nPacks a box\nand then: seals it",
        "Packs a box and then: seals it",
        &["frontmatter-indent"],
    ),
    Case(
        "text below | that loses its indentation",
        "name: tool\ndescription: |\n    Packs a box\n  and seals it",
        "Packs a box\nand seals it",
        &["frontmatter-indent"],
    ),
    Case(
        "a tab before a list item",
        "name: tool\ndescription: Packs\ntags:\n\t- box",
        "Packs",
        &["frontmatter-unknown-key", "frontmatter-tab"],
    ),
    Case(
        "tabs below metadata",
        "name: tool\nmetadata:\n\tauthor: me\n\tos: linux\ndescription: Packs",
        "Packs",
        &["frontmatter-tab", "frontmatter-tab"],
    ),
    Case(
        "no-break spaces as indentation",
        "name: tool\nmetadata:\n\u{A0}\u{A0}author: me: you\ndescription: Packs",
        "Packs",
        &["frontmatter-tab", "frontmatter-quoted"],
    ),
    Case(
        "a list item out of line",
        "name: tool\nallowed-tools:\n  - Read\n - Write\ndescription: Packs",
        "Packs",
        &["frontmatter-indent"],
    ),
    Case(
        "a key out of line",
        "name: tool\nmetadata:\n  author: me\n   os: linux\ndescription: Packs",
        "Packs",
        &["frontmatter-indent"],
    ),
    Case(
        "no blank after a colon below",
        "name: tool\ndescription: Packs\nmetadata:\n  GitHub:me\n  author: you",
        "Packs",
        &["frontmatter-colon"],
    ),
    Case(
        "no blank after any colon",
        "name:tool\ndescription:Packs boxes",
        "Packs boxes",
        &["frontmatter-colon", "frontmatter-colon"],
    ),
    Case(
        "full-width colons",
        "name：tool\ndescription：打包：小箱",
        "打包：小箱",
        &["frontmatter-colon", "frontmatter-colon"],
    ),
    Case(
        "JSON5 in metadata",
        "name: tool\nmetadata: {\n'openclaw': {os: ['linux']}, // {\n}\ndescription: Packs",
        "Packs",
        &["frontmatter-json5"],
    ),
    Case(
        "an argument hint in brackets",
        "name: tool\ndescription: Packs\nargument-hint: [box] [bag]",
        "Packs",
        QUOTED,
    ),
    Case("a lone * as value", "name: tool\ndescription: Packs\nallowed-tools: *", "Packs", QUOTED),
    Case(
        "a comment of Markdown",
        "<!-- generated -->\nname: tool\ndescription: Packs: boxes",
        "Packs: boxes",
        &["frontmatter-scanned", "frontmatter-quoted"],
    ),
    Case(
        "a character without width",
        "\u{200B}name: tool\ndescription: Packs: boxes",
        "Packs: boxes",
        &["frontmatter-tab", "frontmatter-quoted"],
    ),
];

/// Files whose fences are broken; the whole text.
const FENCES: [Case; 11] = [
    Case(
        "no closing fence",
        "---\nname: tool\ndescription: Packs\n\n# Box\n\nText: here",
        "Packs",
        &["frontmatter-unclosed"],
    ),
    Case(
        "no closing fence, and a break further down",
        "---\nname: tool\ndescription: Packs\n\n# Box\n\nText\n\n---\n\nMore",
        "Packs",
        &["frontmatter-unclosed"],
    ),
    Case(
        "no opening fence",
        "name: tool\ndescription: Packs: boxes\n---\nText",
        "Packs: boxes",
        &["frontmatter-fence", "frontmatter-quoted"],
    ),
    Case(
        "two opening fences",
        "---\n---\nname: tool\ndescription: Packs\n---\nText",
        "Packs",
        &["frontmatter-fence"],
    ),
    Case(
        "a fence between the fields",
        "---\nname: tool\n---\ndescription: Packs\n---\nText",
        "Packs",
        &["frontmatter-fence"],
    ),
    Case(
        "dots between the fields",
        "---\nname: tool\n...\ndescription: Packs\n---\nText",
        "Packs",
        &["frontmatter-fence"],
    ),
    Case(
        "too many dashes",
        "-----\nname: tool\ndescription: Packs\n-----\nText",
        "Packs",
        &["frontmatter-fence", "frontmatter-fence"],
    ),
    Case(
        "an em dash",
        "—\nname: tool\ndescription: Packs\n—\nText",
        "Packs",
        &["frontmatter-fence", "frontmatter-fence"],
    ),
    Case(
        "dots as closing fence",
        "---\nname: tool\ndescription: Packs\n...\nText",
        "Packs",
        &["frontmatter-fence"],
    ),
    Case(
        "indented fences",
        "  ---\n  name: tool\n  description: Packs\n  ---\nText",
        "Packs",
        &["frontmatter-fence", "frontmatter-fence"],
    ),
    Case(
        "a heading made by a formatter",
        "---\n\n## name: tool\ndescription: Packs\n\n# Box\n",
        "Packs",
        &["frontmatter-unclosed", "frontmatter-unclosed"],
    ),
];

/// The one that is not saved: where the first field ends and the second begins is for a person to say, since
/// `name: tool, description: Packs` is as good a name as any other text with a colon in it.
const LOST: Case = Case("two fields on one line", "name: tool, description: Packs", "Packs", QUOTED);

/// Whether a text gives what a person reads there; `Err` says what it gave.
fn saved(text: &str, Case(_, _, description, codes): &Case) -> Result<(), String> {
    let (manifest, found) = Manifest::read(text.as_bytes(), "folder").map_err(|error| error.to_string())?;
    let got: Vec<&str> = found.iter().map(|found| found.code).collect();
    if (&*manifest.name, &*manifest.description, &*got) == ("tool", description, *codes) {
        return Ok(());
    }
    Err(format!("{:?}, {:?}, {got:?}", manifest.name, manifest.description))
}

fn all() -> impl Iterator<Item = (String, &'static Case)> {
    let between = BETWEEN.iter().chain([&LOST]).map(|case| (format!("---\n{}\n---\nText\n", case.1), case));
    between.chain(FENCES.iter().map(|case| (case.1.to_owned(), case)))
}

#[test]
fn of_sixty_two_kinds_of_broken_files_one_is_lost() {
    let lost: Vec<(&str, String)> =
        all().filter_map(|(text, case)| Some((case.0, saved(&text, case).err()?))).collect();
    assert_eq!(all().count(), 62);
    assert_eq!(
        lost,
        [(
            "two fields on one line",
            r#""tool, description: Packs", "Text", ["frontmatter-description-missing", "frontmatter-quoted"]"#
                .to_owned()
        )]
    );
}

#[test]
fn every_finding_says_where_and_what_to_do() {
    for (text, Case(kind, ..)) in all() {
        let read = Frontmatter::read(text.as_bytes()).unwrap();
        assert!(!read.diagnostics.is_empty(), "{kind}");
        for found in &read.diagnostics {
            assert!(text.lines().any(|line| line == found.excerpt), "{kind}: {found:?}");
            assert!(
                found.fix.is_some()
                    || found.edit.is_some()
                    || matches!(found.code, "frontmatter-json5" | "frontmatter-scanned"),
                "{kind}: {found:?}"
            );
        }
    }
}

/// The same with the other line ends.
#[test]
fn line_ends_change_nothing() {
    for (text, case) in all().filter(|(_, case)| case.0 != LOST.0) {
        for end in ["\r\n", "\r"] {
            assert_eq!(saved(&text.replace('\n', end), case), Ok(()), "{} {end:?}", case.0);
        }
    }
}

/// A quoted line is not quoted again: its quotes would double at each round until all the work is spent.
#[test]
fn a_short_text_never_costs_all_the_work() {
    let pieces = ["'", "\"", "\\", ": ", "\n- ", "x"];
    let mut counter = [0_usize; 5];
    loop {
        let value: String = counter.iter().map(|&index| pieces[index]).collect();
        let text = format!("---\nname: tool\ndescription: '{value}\n---\nText\n");
        if let Err(error) = Frontmatter::read(text.as_bytes()) {
            assert!(!error.to_string().contains("limit"), "{text:?}: {error}");
        }
        let Some(next) = counter.iter().position(|&index| index + 1 < pieces.len()) else { break };
        counter[next] += 1;
        counter[..next].fill(0);
    }
}

/// What was read as plain text is one place, whatever stands in the line that the YAML parser got instead.
#[test]
fn a_value_kept_as_plain_text_stands_at_its_key() {
    for anchor in ["", "base: &b x\nother: *b\n"] {
        let text =
            format!("---\nname: tool\ndescription: Packs\n{anchor}metadata:\n  a: [\n  b\n---\nText\n");
        let (_, found) = Manifest::read(text.as_bytes(), "tool").unwrap();
        let found: Vec<_> =
            found.iter().map(|one| (one.code, one.column, one.end_column, &*one.excerpt)).collect();
        assert!(found.contains(&("frontmatter-type", 1, 9, "metadata:")), "{found:?}");
    }
}
