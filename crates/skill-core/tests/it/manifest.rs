//! The record that search, detail pages and the resolver read.

use skill_core::diagnostic::Diagnostic;
use skill_core::manifest::{Manifest, Requires};

fn read(text: &str) -> (Manifest, Vec<Diagnostic>) {
    Manifest::read(text.as_bytes(), "hint").unwrap()
}

/// The record without what is empty, a field a line, then one line a finding.
fn shown(text: &str) -> String {
    let (manifest, found) = read(text);
    let mut json = serde_json::to_value(&manifest).unwrap();
    let record = json.as_object_mut().unwrap();
    if record["requires"] == serde_json::to_value(Requires::default()).unwrap() {
        record.shift_remove("requires");
    }
    record.retain(|_, value| match value {
        serde_json::Value::Array(items) => !items.is_empty(),
        serde_json::Value::Object(map) => !map.is_empty(),
        other => !other.is_null(),
    });
    for (key, default) in [("always", false), ("userInvocable", true), ("disableModelInvocation", false)] {
        if record[key] == default {
            record.shift_remove(key);
        }
    }
    let found: Vec<String> = found.iter().map(line).collect();
    let fields: Vec<String> =
        json.as_object().unwrap().iter().map(|(key, value)| format!("{key}: {value}")).collect();
    format!("{}\n{}", fields.join("\n"), found.join("\n"))
}

fn line(found: &Diagnostic) -> String {
    let fix = found.fix.as_ref().map_or(String::new(), |fix| format!(" -> {fix}"));
    format!("{}:{}-{} {}: {}{fix}", found.line, found.column, found.end_column, found.code, found.message)
}

#[test]
fn every_field_from_the_block_for_agents() {
    let text = r#"---
name: weather
description: Tells the weather. Use when asked for it.
license: MIT
compatibility: Needs curl
allowed-tools: Bash(curl:*, jq:*) Read
version: 1.10
metadata:
  author: {name: Ann, mail: a@example.org}
  when_to_use: Somebody asks for the weather
  whenNotToUse: Climate questions
  openclaw:
    emoji: ☀️
    homepage: https://example.org
    os: darwin, Win32,linux
    always: yes
    skillKey: wx
    primaryEnv: WX_KEY
    requires:
      bins: [curl]
      any-bins: jq, gron
      env: [WX_KEY]
      config: [browser.enabled]
      tools: [web_search]
      skills: {acme/geo: ^2, local: 1.0}
    envVars: [{name: WX_KEY, description: key of the service}, {name: WX_LANG, required: false}]
    install:
    - {kind: brew, tap: acme/tap, formula: wx, bins: [wx]}
    - {type: apt, package: curl}
user-invocable: false
disable-model-invocation: "true"
command-dispatch: tool
command-tool: wx
dry_run: true
workflow: [ask, answer]
---
"#;
    insta::assert_snapshot!(shown(text), @r#"
    name: "weather"
    description: "Tells the weather. Use when asked for it."
    whenToUse: "Somebody asks for the weather"
    whenNotToUse: "Climate questions"
    license: "MIT"
    compatibility: "Needs curl"
    version: "1.10"
    author: "Ann"
    emoji: "☀️"
    links: {"homepage":"https://example.org"}
    skillKey: "wx"
    primaryEnv: "WX_KEY"
    always: true
    userInvocable: false
    disableModelInvocation: true
    commandDispatch: "tool"
    commandTool: "wx"
    allowedTools: ["Bash(curl:*, jq:*)","Read"]
    os: ["macos","windows","linux"]
    requires: {"bins":["curl"],"anyBins":["jq","gron"],"env":["WX_KEY"],"config":["browser.enabled"],"tools":["web_search"],"skills":{"acme/geo":"^2","local":"1.0"}}
    install: [{"kind":"brew","package":"acme/tap/wx","bins":["wx"],"os":[]},{"kind":"apt","package":"curl","bins":[],"os":[]}]
    envVars: [{"name":"WX_KEY","required":true,"description":"key of the service"},{"name":"WX_LANG","required":false}]
    workflow: ["ask","answer"]
    dryRun: true
    "#);
}

#[test]
fn metadata_as_a_text_with_json() {
    let text =
        "---\nname: a\ndescription: b\nmetadata: '{\"clawdbot\":{\"requires\":{\"bins\":[\"gh\"]}},}'\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    requires: {"bins":["gh"],"anyBins":[],"env":[],"config":[],"tools":[],"skills":{}}
    "#);
}

#[test]
fn of_several_blocks_the_contract_s_first_counts() {
    let text = "---\nname: a\ndescription: b\nmetadata:\n  moltbot: {emoji: m}\n  openclaw: {emoji: o}\n  clawdbot: {emoji: c}\n---\n";
    assert_eq!(read(text).0.emoji.as_deref(), Some("c"));
}

#[test]
fn requirements_at_the_top_level() {
    let text = "---\nname: a\ndescription: b\nrequires:\n  env: A_KEY\n  skills: [acme/geo@^2, '@acme/x', y]\nplatform: [macos]\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    os: ["macos"]
    requires: {"bins":[],"anyBins":[],"env":["A_KEY"],"config":[],"tools":[],"skills":{"@acme/x":"*","acme/geo":"^2","y":"*"}}
    "#);
}

#[test]
fn parameters_as_a_map_of_names() {
    let text = "---\nname: a\ndescription: b\ninput_parameters:\n  repo: {type: string, description: owner/name, example: acme/api}\n  limit: {type: integer, default: 10}\n  note: {required: false}\n  city: where\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    inputParameters: {"parameters":[{"name":"repo","type":"string","description":"owner/name","required":true,"examples":["acme/api"]},{"name":"limit","type":"integer","required":false,"default":10,"examples":[]},{"name":"note","required":false,"examples":[]},{"name":"city","description":"where","required":true,"examples":[]}],"schema":{"type":"object","properties":{"repo":{"type":"string","description":"owner/name","examples":["acme/api"]},"limit":{"type":"integer","default":10},"note":{},"city":{"description":"where"}},"required":["repo","city"]}}
    "#);
}

#[test]
fn parameters_in_short_and_as_a_list() {
    let text = "---\nname: a\ndescription: b\ninput_parameters: {mode: [fast, slow], limit: 10, dry: false, city:}\noutput_parameters:\n- name: url\n  type: string\n- size: {type: integer, required: no}\n- note: what was done\n- 7\n- [x]\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    inputParameters: {"parameters":[{"name":"mode","required":true,"examples":[]},{"name":"limit","required":false,"default":10,"examples":[]},{"name":"dry","required":false,"default":false,"examples":[]},{"name":"city","required":true,"examples":[]}],"schema":{"type":"object","properties":{"mode":{"enum":["fast","slow"]},"limit":{"default":10},"dry":{"default":false},"city":{}},"required":["mode","city"]}}
    outputParameters: {"parameters":[{"name":"url","type":"string","required":true,"examples":[]},{"name":"size","type":"integer","required":false,"examples":[]},{"name":"note","description":"what was done","required":true,"examples":[]},{"name":"7","required":true,"examples":[]}],"schema":{"type":"object","properties":{"url":{"type":"string"},"size":{"type":"integer"},"note":{"description":"what was done"},"7":{}},"required":["url","note","7"]}}
    unknown: {"output_parameters":[{"name":"url","type":"string"},{"size":{"type":"integer","required":"no"}},{"note":"what was done"},7,["x"]]}
    5:1-18 frontmatter-type: output_parameters should be a list of maps with a name; items of another kind were left out
    "#);
}

#[test]
fn metadata_as_a_block_of_json5() {
    let text = "---\nname: a\ndescription: b\nmetadata: |\n  {\n    // for agents\n    openclaw: { emoji: '📦', requires: { env: ['A_KEY',], }, },\n  }\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    emoji: "📦"
    requires: {"bins":[],"anyBins":[],"env":["A_KEY"],"config":[],"tools":[],"skills":{}}
    "#);
}

/// A number is written as it was meant: as text where a text is wanted, and wherever it is only shown.
#[test]
fn numbers_keep_their_spelling() {
    let text = "---\nname: 007\ndescription: 1.10\nversion: 1.20\nallowed-tools: [1.0, 2.50]\nother: {a: 1.30, b: 010, c: 12}\nrequires: {bins: [0x1F], skills: {acme/geo: 1.40}}\ninstall: {kind: npm, package: 1.50}\nmetadata:\n\tmine:1.60\n\tb: c\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "007"
    description: "1.10"
    version: "1.20"
    allowedTools: ["1.0","2.50"]
    requires: {"bins":["0x1F"],"anyBins":[],"env":[],"config":[],"tools":[],"skills":{"acme/geo":"1.40"}}
    install: [{"kind":"node","package":"1.50","bins":[],"os":[]}]
    unknown: {"other":{"a":"1.30","b":"010","c":12},"metadata":{"mine":"1.60","b":"c"}}
    6:1-6 frontmatter-unknown-key: other is not a known key
    10:1-2 frontmatter-tab: a tab indents this line; YAML allows blanks only ->   mine:1.60
    10:6-7 frontmatter-colon: no blank after the colon ->   mine: 1.60
    11:1-2 frontmatter-tab: a tab indents this line; YAML allows blanks only ->   b: c
    "#);
}

#[test]
fn parameters_as_a_json_schema() {
    let text = "---\nname: a\ndescription: b\ninput_parameters:\n  type: object\n  properties:\n    repo: {type: string, examples: [acme/api]}\n    limit: {type: integer}\n  required: [repo]\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    inputParameters: {"parameters":[{"name":"repo","type":"string","required":true,"examples":["acme/api"]},{"name":"limit","type":"integer","required":false,"examples":[]}],"schema":{"type":"object","properties":{"repo":{"type":"string","examples":["acme/api"]},"limit":{"type":"integer"}},"required":["repo"]}}
    "#);
}

#[test]
fn unknown_keys_are_kept_and_named() {
    let text = "---\nname: a\ndescription: b\ndescriptoin: x\ntriggers: [t]\nrequires: {bin: [x]}\nmetadata:\n  mine: 1\n  openclaw: {primaryenv: K, prmaryEnv: L}\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    primaryEnv: "K"
    unknown: {"descriptoin":"x","triggers":["t"],"metadata":{"mine":1,"openclaw":{"prmaryEnv":"L"}}}
    4:1-12 frontmatter-unknown-key: descriptoin is not a known key -> description
    5:1-9 frontmatter-unknown-key: triggers is not a known key
    6:12-15 frontmatter-unknown-key: bin is not a known key -> bins
    9:29-38 frontmatter-unknown-key: prmaryEnv is not a known key -> primaryEnv
    "#);
}

#[test]
fn no_frontmatter_at_all() {
    insta::assert_snapshot!(shown("# Notes\n\nKeeps short notes\nin one file. More.\n\n## Use\n"), @r#"
    name: "hint"
    description: "Keeps short notes in one file. More."
    1:1-1 frontmatter-missing: there is no frontmatter; name and description are guessed -> ---
    name: hint
    description: Keeps short notes in one file.
    ---
    "#);
    insta::assert_snapshot!(shown(""), @r#"
    name: "hint"
    description: ""
    1:1-1 frontmatter-missing: there is no frontmatter; name and description are guessed -> ---
    name: hint
    description: Say what it does and when to use it
    ---
    "#);
}

#[test]
fn a_list_between_the_fences() {
    insta::assert_snapshot!(shown("---\n\n- github\n- tools\n---\n# Notes\n\nKeeps short notes.\n"), @r#"
    name: "hint"
    description: "Keeps short notes."
    3:1-9 frontmatter-missing: a list stands between the fences, where fields belong; name and description are guessed -> name: hint
    description: Keeps short notes.
    "#);
    insta::assert_snapshot!(shown("\u{feff}---\n[name, tools]\n---\n"), @r#"
    name: "hint"
    description: ""
    1:1-1 frontmatter-bom: a byte-order mark before the text
    2:1-14 frontmatter-missing: a list stands between the fences, where fields belong; name and description are guessed -> name: hint
    description: Say what it does and when to use it
    "#);
    let without = ["---\n- a\n", "- a\n---\n", "text\n---\n- a\n---\n", "---\ntext\n- a\n---\n"];
    for text in without {
        assert!(shown(text).contains("there is no frontmatter"), "{text}");
    }
}

#[test]
fn no_name_and_no_description() {
    insta::assert_snapshot!(shown("---\nlicense: MIT\n---\n# T\n\nDoes things.\n"), @r#"
    name: "hint"
    description: "Does things."
    license: "MIT"
    1:1-1 frontmatter-name-missing: there is no name; hint stands in -> name: hint
    1:1-1 frontmatter-description-missing: there is no description; the first paragraph of the text stands in -> description: Does things.
    "#);
    insta::assert_snapshot!(shown("---\nname: ' '\ndescription: {a: b}\n---\n"), @r#"
    name: "hint"
    description: ""
    unknown: {"description":{"a":"b"}}
    2:1-5 frontmatter-name-missing: there is no name; hint stands in -> name: hint
    3:1-12 frontmatter-type: description should be a text; it was left out
    3:1-12 frontmatter-description-missing: there is no description, and no paragraph to stand in -> description: Say what it does and when to use it
    "#);
}

#[test]
fn length_is_counted_in_code_points() {
    let described = |count| format!("---\nname: a\ndescription: {}\n---\n", "天".repeat(count));
    assert_eq!(read(&described(1024)).1, []);
    let (manifest, found) = read(&described(1025));
    assert_eq!(manifest.description.chars().count(), 1025);
    assert_eq!(line(&found[0]), "3:1-12 frontmatter-long: description is 1025/1024 characters long");
}

#[test]
fn a_blank_that_lacks_in_metadata_is_named() {
    insta::assert_snapshot!(shown("---\nname: a\ndescription: b\nmetadata:\n  GitHub:me\n---\n"), @r#"
    name: "a"
    description: "b"
    unknown: {"metadata":"GitHub:me"}
    5:9-10 frontmatter-colon: no blank after the colon: a text, not a key ->   GitHub: me
    "#);
}

#[test]
fn wrong_types_are_left_out_and_named() {
    let text = "---\nname: a\ndescription: b\nlicense: [MIT]\nalways: maybe\nrequires: curl\ninstall: npm i\ninput_parameters: none\nmetadata: [x]\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    unknown: {"license":["MIT"],"always":"maybe","requires":"curl","install":"npm i","input_parameters":"none","metadata":["x"]}
    4:1-8 frontmatter-type: license should be a text; it was left out
    5:1-7 frontmatter-type: always should be true or false; it was left out
    6:1-9 frontmatter-type: requires should be a map; it was left out
    7:1-8 frontmatter-type: install should be a list of maps with a kind; items of another kind were left out
    8:1-17 frontmatter-type: input_parameters should be a JSON Schema or a map of names; it was left out
    9:11-12 frontmatter-type: metadata should be a map; it was left out
    "#);
}

#[test]
fn empty_values_say_nothing() {
    let text = "---\nname: a\ndescription: b\nhomepage:\nrequires: []\nmetadata:\nemoji: ''\n---\n";
    insta::assert_snapshot!(shown(text), @r#"
    name: "a"
    description: "b"
    unknown: {"metadata":null}
    "#);
}
