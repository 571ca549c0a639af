use super::*;

/// The comments that are proved, one on a line.
fn found(language: Language, text: &str) -> Vec<String> {
    let comments = Comments::of(language, text);
    comments
        .all
        .iter()
        .map(|one| format!("{}{}", if one.opens_line { "" } else { "…" }, &text[one.bytes.clone()]))
        .collect()
}

fn shell(text: &str) -> Vec<String> {
    found(Language::Shell, text)
}

fn python(text: &str) -> Vec<String> {
    found(Language::Python, text)
}

fn script(text: &str) -> Vec<String> {
    found(Language::JavaScript, text)
}

#[test]
fn comments_of_a_shell() {
    assert_eq!(shell("#!/bin/sh\n  # it's\necho hi # you\"re\n"), ["#!/bin/sh", "# it's", "…# you\"re"]);
    assert_eq!(shell("echo a#b ${#c} $# \\# '#' \"# $(d \"e\" # f\n)\" `g`\n# h"), ["…# f", "# h"]);
    assert_eq!(shell("cat <<'A' <<-B\n# a\nA\n\t# b\n\tB\n# c\n"), ["# c"]);
    assert_eq!(shell("i=$((i + (1)))\n# a"), [""; 0], "not followed that far");
    assert_eq!(shell("i=$((i + 1)); for ((i=0; i<3; i++)); do :; done\n# a"), ["# a"]);
    assert_eq!(shell("[[ $a =~ ^[0-9]+$ ]]\nb=( # c\n)\nb[$i]=d\n# e"), ["…# c", "# e"]);
    assert_eq!(shell("a \\\n# b\nc\\\n# d\n"), ["# b"]);
}

/// Each of these runs its last line, or half of it.
#[test]
fn what_is_no_comment_of_a_shell() {
    for text in [
        ": ' \n# ' ; curl",
        ": \" \n# \" ; curl",
        ": $'\\' '\n# ' ; curl",
        "cat <<A\n# $(curl)\nA",
        "cat <<\"A B\"\n# $(curl)\nA B\n# ' a",
        "cat <<A\n\\\nA\n' A\nA\n# ' ; curl",
        "x=$((1<<2))\n'\n2))\n# ' ; curl",
        "alias q=\"echo '\"\nq\n# ' ; curl",
        "\"$(case a in a) echo ')' ;; esac)\" '\n# ' ; curl",
        "\"${a:-\"'\"}\" '\n# ' ; curl",
        "a\\\n# ; curl",
        "x=$[1<<A ]\n'\nA\n# ' ; curl",
        "a[1<<A ]=1\n'\nA\n# ' ; curl",
        "[[ x == @(a| #'\n# ' ) ]] ; curl",
        "[[ x =~ ( #'\n# ' ) ]] ; curl",
        "cat <\\\n<A\n'\nA\n: '\n# ' ; curl",
        ": \"$\\\n(echo \" ')' '\n# ' ; curl",
    ] {
        assert_eq!(shell(text).last().filter(|last| last.contains("curl")), None, "{text}");
    }
}

#[test]
fn comments_of_python() {
    let text = "# -*- coding: utf-8 -*-\nx = 'a # b' # it's\n'''\n# c\n'''\n\tf(r'\\'', b\"#\", f\"{a['b']:>{c}} {{#}}\")\n# d\r# e";
    assert_eq!(python(text), ["# -*- coding: utf-8 -*-", "…# it's", "# d", "# e"]);
}

#[test]
fn what_is_no_comment_of_python() {
    for text in [
        "x = '''\n# ''' ; curl",
        "# a\rcurl",
        "# coding: utf-7\n# +AAo-curl",
        "#!/usr/bin/python\n# vim: set fileencoding=unicode_escape :\n# \\ncurl",
        "f\"{'''\"\nx = '''\n# '''; curl",
        "f\"{'}\"'}\" '''\n# '''; curl",
        "x = \\ '''\n# '''; curl",
    ] {
        assert_eq!(python(text).last().filter(|last| last.contains("curl")), None, "{text}");
    }
}

#[test]
fn comments_of_javascript() {
    let text = "#!/usr/bin/env node\n// it's\nlet a = 'b // c' /* d */ + `e ${{f: `// g`}} // h`;\n/* i\n * j */ k\n";
    assert_eq!(script(text), ["#!/usr/bin/env node", "// it's", "…/* d */", "/* i\n * j */"]);
    let text = "a = b / c; if (/['\"`]/.test(a)) return (/'/)\nx.replace(/\\//g, '')\n// d\u{2028}// e";
    assert_eq!(script(text), ["// d", "// e"]);
}

#[test]
fn what_is_no_comment_of_javascript() {
    for text in [
        "/* a */ curl",
        "// a\rcurl",
        "// a\u{2028}curl",
        "let a = 1\n* curl",
        "x = `\n// ` ; curl",
        "x = `${a + `\n// ` + `}` ; curl",
        "<!-- /*\ncurl */",
        "if (a) /'/.test(b); x = `'\n// ` ; curl",
        "y = a. return /'/ 2 + '/* '\n/* ' /*/ curl",
        "type A = string\n/'/.test(b); x = `'\n// ` ; curl",
        "y = x! /\"/ + \"/* \"\n// curl",
        "return /* a */ /`/; x = `\n// ` ; curl",
        "f() / 2 /* '\n*/ '/* curl */",
    ] {
        assert_eq!(script(text).last().filter(|last| last.contains("curl")), None, "{text}");
    }
}

#[test]
fn elsewhere_the_head_of_a_file() {
    let slashes = |text| found(Language::Marked("//"), text);
    assert_eq!(slashes("// a\n\n/* b\n c */\npackage d\n// e\n"), ["// a", "/* b", "c */"]);
    assert_eq!(slashes("/* a */ b\n// c\n"), [""; 0]);
    assert_eq!(slashes("// a \\u000a b\n"), [""; 0]);
    assert_eq!(found(Language::Marked("--"), "-- a\n--[[ b\n]] c\n"), ["-- a"]);
    assert_eq!(found(Language::Marked("#"), "#!/usr/bin/ruby\n# a\nb\n# c\n"), ["# a"]);
    assert_eq!(found(Language::Unknown, "# a\n"), [""; 0]);
}

/// Readers look at no byte more than a few times, whatever it opens.
#[test]
fn long_texts_take_their_length() {
    const LONG: usize = 1 << 18;
    let pieces = [
        "'", "\"", "`", "$(", "${", "((", "<<A\n", "# a\n", "\\\n", "f'{", "'''", "f\"{'a'", "/", ")/[",
        ")/", "/*", "a/b ", "`${", "//\n", "\"$(", "x\\", "\r", "\u{2028}", "} /a/",
    ];
    for piece in pieces {
        let text = piece.repeat(LONG / piece.len());
        for language in [Language::Shell, Language::Python, Language::JavaScript, Language::Marked("//")] {
            let steps = Comments::of(language, &text).steps;
            assert!(steps <= 4 * LONG, "{language:?} {piece:?}: {steps}");
        }
    }
}
