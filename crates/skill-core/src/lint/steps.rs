//! Numbered steps: each one an action, with the tool that does it.

use std::collections::BTreeSet;

use crate::diagnostic::{Diagnostic, rules};

use super::{Family, Findings, Skill, at_line, words};
use crate::page::{Kind, List, Step};

pub(super) const FAMILY: Family = Family { title: "Steps", rules: RULES, check };

rules! {
    pub(super) static RULES;

    STEP_TOOL Warning "step-tool-missing"
        "a step acts on the world and names no tool for it"
        why "Every agent has several ways to search, fetch or run; which one is meant is left to chance."
        fix "Name the tool, the script or the command in backticks, or say that the step needs none."
        source "this project";
    STEP_ACTIONS Warning "step-several-actions"
        "a step holds several actions"
        why "Agents do the first one and take the step for done."
        fix "Make each action a step of its own."
        source "this project";
}

/// What a list of steps stands under.
const HEADINGS: [&str; 16] = [
    "step",
    "steps",
    "workflow",
    "procedure",
    "process",
    "instructions",
    "how to use",
    "how to run",
    "usage",
    "quick start",
    "execution",
    "步骤",
    "流程",
    "工作流",
    "操作",
    "执行",
];
/// Verbs of steps that no model can do by itself.
const ACTS: [&str; 24] = [
    "search", "fetch", "query", "download", "upload", "run", "execute", "call", "invoke", "send", "deploy",
    "retrieve", "scrape", "crawl", "look up", "搜索", "查询", "获取", "下载", "上传", "调用", "执行", "运行",
    "抓取",
];
/// What says which tool, or that there is none.
const TOOLS: [&str; 34] = [
    "tool",
    "tools",
    "tool call",
    "script",
    "scripts",
    "command",
    "commands",
    "skill",
    "api",
    "mcp",
    "cli",
    "subagent",
    "subagents",
    "agent",
    "browser",
    "terminal",
    "linter",
    "google",
    "the user",
    "them",
    "above",
    "below",
    "following",
    "工具",
    "脚本",
    "命令",
    "接口",
    "技能",
    "浏览器",
    "终端",
    "上述",
    "以下",
    "下面",
    "如下",
];
/// Verbs with which the action of a step begins.
const VERBS: [&str; 66] = [
    "add",
    "analyze",
    "apply",
    "ask",
    "build",
    "call",
    "change",
    "check",
    "clean",
    "clone",
    "collect",
    "commit",
    "compare",
    "compute",
    "configure",
    "confirm",
    "convert",
    "copy",
    "count",
    "create",
    "delete",
    "deploy",
    "describe",
    "download",
    "draw",
    "edit",
    "execute",
    "export",
    "extract",
    "fetch",
    "fill",
    "fix",
    "format",
    "generate",
    "import",
    "insert",
    "install",
    "list",
    "load",
    "merge",
    "move",
    "open",
    "parse",
    "post",
    "publish",
    "push",
    "query",
    "read",
    "rename",
    "render",
    "replace",
    "restart",
    "review",
    "run",
    "save",
    "search",
    "select",
    "send",
    "sort",
    "start",
    "summarize",
    "test",
    "update",
    "upload",
    "validate",
    "write",
];
const ACTIONS: usize = 2;
/// Declared tools and programs that steps are held against; nobody declares more.
const DECLARED: usize = 200;
/// How many lines below a list its code may stand.
const SHOWN_WITHIN: usize = 6;

fn check(skill: &Skill<'_>, found: &mut Findings) {
    let manifest = skill.manifest;
    let declared =
        manifest.requires.tools.iter().chain(&manifest.allowed_tools).chain(&manifest.requires.bins);
    let declared: BTreeSet<String> = declared.take(DECLARED).map(|tool| tool.to_lowercase()).collect();
    for List { heading, steps } in skill.page.numbered() {
        let heading = heading.unwrap_or_default().to_lowercase();
        if steps.len() < 2 || !words::has_any(&heading, &HEADINGS) {
            continue;
        }
        if !shown_below(skill, &steps) {
            without_tool(skill, &steps, &declared, found);
        }
        for step in &steps {
            several_actions(skill, step, found);
        }
    }
}

/// Whether code follows the list under the same heading: then it shows what the steps run.
fn shown_below(skill: &Skill<'_>, list: &[Step<'_>]) -> bool {
    let end = list.last().map_or(0, |step| step.lines.end);
    let rest = skill.page.lines[end..].iter().take_while(|line| line.kind != Kind::Heading);
    rest.take(SHOWN_WITHIN).any(|line| line.kind == Kind::Code)
}

/// One finding for a list, at its first step that names no tool.
fn without_tool(skill: &Skill<'_>, list: &[Step<'_>], declared: &BTreeSet<String>, found: &mut Findings) {
    let names_tool = |step: &Step<'_>| names_tool(skill, step, declared);
    let without: Vec<&Step<'_>> = list.iter().filter(|step| acts(step) && !names_tool(step)).collect();
    let Some(first) = without.first() else { return };
    let numbers: Vec<&str> = without.iter().map(|step| step.label).collect();
    let message = match without.len() {
        1 => format!("step {} names no tool for what it does", first.label),
        _ => format!("steps {} name no tool for what they do", words::listed(&numbers)),
    };
    let line = &skill.page.lines[first.lines.start];
    found.push(at_line(Diagnostic::new(&STEP_TOOL, message), line, first.at..line.text.trim_end().len()));
}

/// The text of a step without its marks of emphasis.
fn plain(step: &Step<'_>) -> String {
    step.text.replace(['*', '_', '[', ']'], "").trim_start().to_lowercase()
}

fn acts(step: &Step<'_>) -> bool {
    let text = plain(step);
    ACTS.iter().any(|verb| words::find(&text, verb) == Some(0))
}

fn names_tool(skill: &Skill<'_>, step: &Step<'_>, declared: &BTreeSet<String>) -> bool {
    let lines = &skill.page.lines[step.lines.clone()];
    let text = plain(step);
    lines.iter().any(|line| line.kind == Kind::Code || line.text.contains('`') || line.text.contains("]("))
        || words::has_any(&text, &TOOLS)
        || declared.iter().any(|tool| words::find(&text, tool).is_some())
        || step.text.split(|c: char| !c.is_alphanumeric()).any(is_proper)
        || text.ends_with(':')
}

/// `WebSearch`, `GitHub`, `PDF`: the name of something.
fn is_proper(word: &str) -> bool {
    word.len() > 2 && word.chars().skip(1).any(char::is_uppercase)
}

fn several_actions(skill: &Skill<'_>, step: &Step<'_>, found: &mut Findings) {
    let text = without_parentheses(&words::without_quotes(&untitled(&step.text))).to_lowercase();
    let actions: usize =
        words::sentences(&text).into_iter().filter(|sentence| !is_condition(sentence)).map(actions).sum();
    if actions < ACTIONS {
        return;
    }
    let line = &skill.page.lines[step.lines.start];
    let message = format!("step {} holds {actions} actions; make each one a step", step.label);
    found.push(at_line(Diagnostic::new(&STEP_ACTIONS, message), line, step.at..line.text.trim_end().len()));
}

/// A step without its title in bold: `**Fetch** - text`.
fn untitled(text: &str) -> String {
    let rest = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
    let rest = rest.map_or(text, |(_, rest)| rest.trim_start_matches([':', '-', '–', '—', ' ', '：']));
    rest.replace(['*', '_'], "")
}

/// What is in parentheses explains the action and is none.
fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    text.chars()
        .filter(|c| {
            let opens = matches!(c, '(' | '（');
            depth += usize::from(opens);
            let shown = depth == 0;
            depth -= usize::from(depth > 0 && matches!(c, ')' | '）'));
            shown
        })
        .collect()
}

/// A sentence about one case of the action.
fn is_condition(sentence: &str) -> bool {
    ["if", "when", "unless", "once", "where", "for", "otherwise", "until", "如果", "若"]
        .iter()
        .any(|word| words::find(sentence, word) == Some(0))
}

/// The parts of a sentence that begin with a verb: `Read A, compare it with B, then write C`.
fn actions(sentence: &str) -> usize {
    let sentence = sentence.replace(" and then ", ", then ").replace(", and ", ", ").replace(" and ", ", ");
    let parts = sentence.split([',', ';', '，']).map(str::trim);
    parts
        .map(|part| part.strip_prefix("then ").unwrap_or(part))
        .filter(|part| part.split_whitespace().count() > 1)
        .filter(|part| VERBS.iter().any(|verb| words::find(part, verb) == Some(0)))
        .count()
}
