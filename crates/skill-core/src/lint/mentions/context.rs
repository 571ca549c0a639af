//! What a line says about a file that it names: whether it is there to be used, or is made, or is somebody else's.

use std::ops::Range;

use crate::lint::words;
use crate::page::{Kind, PageLine, code_spans};

use super::written::Written;

/// What a page says of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// It is run, read or named.
    Used,
    /// The instructions make it.
    Made,
    /// It is an example, a file of another folder, or the target of a link, which has rules of its own.
    Other,
}

const EXAMPLE: &[&str] = &[
    "example",
    "examples",
    "e.g.",
    "for instance",
    "such as",
    "suppose",
    "imagine",
    "hypothetical",
    "would",
    "good",
    "bad",
    "avoid",
    "instead of",
    "create this",
    "if you have",
    "例如",
    "比如",
    "示例",
    "举例",
];
/// Whose the file is instead.
const THEIRS: &[&str] = &[
    "project",
    "project's",
    "repository",
    "repo",
    "codebase",
    "workspace",
    "your own",
    "working directory",
    "upstream",
    "plugin",
    "of the skill",
    "that skill",
    "other skill",
    "another skill",
    "项目",
    "仓库",
    "工程",
    "代码库",
];
const MAKES: &[&str] = &[
    "create",
    "creates",
    "creating",
    "created",
    "write",
    "writes",
    "written",
    "save",
    "saves",
    "saved",
    "generate",
    "generates",
    "generated",
    "output",
    "outputs",
    "add",
    "adds",
    "export",
    "exports",
    "produce",
    "produces",
    "store",
    "stores",
    "put",
    "copy",
    "copied",
    "move",
    "rename",
    "delete",
    "remove",
    "missing",
    "optional",
    "if present",
    "if it exists",
    "创建",
    "写入",
    "保存",
    "生成",
    "输出",
    "新建",
    "添加",
    "导出",
];
const USES: &[&str] = &[
    "run", "runs", "read", "reads", "see", "load", "loads", "execute", "call", "use", "uses", "using",
    "consult", "check", "refer", "follow", "open", "with", "from", "via", "运行", "执行", "查看", "阅读",
    "参考",
];
/// Words of a command behind which a file is written.
const WRITTEN_BEHIND: &[&str] =
    &[">", ">>", "-o", "--output", "--out", "-O", "tee", "--output-file", "--save"];
/// Programs that make, take or move what they name.
const MAKERS: &[&str] = &[
    "touch", "mkdir", "cp", "mv", "ln", "rm", "curl", "wget", "scp", "rsync", "vim", "nano", "code", "git",
    "tar", "unzip", "tee",
];

/// What a line says, read once for all the paths in it.
#[derive(Debug)]
pub(super) struct Context<'a> {
    line: &'a PageLine<'a>,
    /// What is true of all of them.
    of_all: Option<Part>,
    /// Where verbs stand that say what is done with a file, in order.
    verbs: Vec<(usize, Part)>,
    code: Vec<Range<usize>>,
}

impl<'a> Context<'a> {
    /// `has_commands`: whether a line of code is one of commands that are given in the skill's folder.
    pub(super) fn of(line: &'a PageLine<'a>, has_commands: bool) -> Self {
        let lower = line.text.to_ascii_lowercase();
        let is_tree = line.text.contains(['├', '└', '│']);
        let is_code = line.kind == Kind::Code;
        let is_other = is_tree || words::has_any(&lower, EXAMPLE) || words::has_any(&lower, THEIRS);
        let of_all = if is_other || is_code && !has_commands {
            Some(Part::Other)
        } else {
            (is_code && makes(line.text)).then_some(Part::Made)
        };
        let is_read = of_all.is_none() && !is_code;
        Self {
            line,
            of_all,
            verbs: if is_read { verbs(&lower) } else { Vec::new() },
            code: if is_read { code_spans(line.text) } else { Vec::new() },
        }
    }

    /// What it says of the file with that path.
    pub(super) fn part(&self, written: &Written<'_>) -> Part {
        let before = words::start_of_line(self.line.text, written.word);
        if is_written(before) {
            return Part::Made;
        }
        match self.of_all {
            Some(part) => part,
            None if self.line.kind == Kind::Code => Part::Used,
            None if self.is_link(written) => Part::Other,
            None => self.in_prose(written, before),
        }
    }

    /// By the last verb before it; without one a file is used that stands in a span of code.
    fn in_prose(&self, written: &Written<'_>, before: &str) -> Part {
        let is_code = self.code.iter().any(|span| span.contains(&written.at));
        if is_code && makes(before.rsplit('`').next().unwrap_or_default()) {
            return Part::Made;
        }
        let behind = self.verbs.partition_point(|(at, _)| *at < written.word);
        let last = self.verbs[..behind].last().filter(|(at, _)| at + before.len() >= written.word);
        last.map_or(if is_code { Part::Used } else { Part::Other }, |(_, part)| *part)
    }

    fn is_link(&self, written: &Written<'_>) -> bool {
        let (before, after) =
            (&self.line.text[..written.word], &self.line.text[written.at + written.path.len()..]);
        ["](", "](<", "=\"", "]: "].iter().any(|mark| before.ends_with(mark))
            || after.trim_start_matches('`').starts_with("](")
    }
}

/// Whether a command is one of those that make what they name.
fn makes(command: &str) -> bool {
    let mut words = command.split_whitespace().skip_while(|word| matches!(*word, "$" | ">" | "sudo"));
    words.next().is_some_and(|program| MAKERS.contains(&program))
}

/// Whether what stands before a path in a command says that it is written.
fn is_written(before: &str) -> bool {
    let word = before.trim_end_matches(['"', '\'', '=']).trim_end();
    let word = word.rsplit(char::is_whitespace).next().unwrap_or_default();
    WRITTEN_BEHIND.contains(&word)
}

fn verbs(lower: &str) -> Vec<(usize, Part)> {
    let of_kind = |verbs: &'static [&str], part| {
        verbs.iter().flat_map(move |verb| words::all(lower, verb)).map(move |at| (at, part))
    };
    let mut found: Vec<(usize, Part)> = of_kind(MAKES, Part::Made).chain(of_kind(USES, Part::Used)).collect();
    found.sort_by_key(|(at, _)| *at);
    found
}
