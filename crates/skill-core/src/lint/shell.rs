//! Reads shell code as far as it takes to say which programs it calls and which variables it reads.
//!
//! After POSIX.1-2024, Shell Command Language: quoting (2.2), here-documents (2.7.4), expansions (2.6), reserved
//! words (2.4); with `[[ ]]`, `<( )` and `function` of bash. What it does not understand it passes over.

use std::collections::HashSet;

mod words;

use super::words::rest_of_line;

use words::is_name;
pub(super) use words::is_ordinary;
use words::{Word, kind};

/// A name in the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Use<'a> {
    pub(super) name: &'a str,
    /// Where it stands, in bytes of the code.
    pub(super) at: usize,
    /// What follows it up to the end of the line.
    pub(super) rest: &'a str,
}

/// What the code says.
#[derive(Debug, Default)]
pub(super) struct Shell<'a> {
    /// Words in the place of a command, as written; no built-ins and no keywords, and none of its own functions.
    pub(super) commands: Vec<Use<'a>>,
    /// Variables that are read and have no default.
    pub(super) variables: Vec<Use<'a>>,
    /// Variables that are given a value or have a default, and functions.
    pub(super) defined: HashSet<&'a str>,
    /// Those of them that are handed on to other programs: `export KEY=…`.
    pub(super) exported: HashSet<&'a str>,
    /// Whether it reads another file, which may define anything.
    sources: bool,
}

/// Reads shell code.
pub(super) fn read(code: &str) -> Shell<'_> {
    let mut reader = Reader { code, ..Reader::default() };
    reader.run();
    let Shell { commands, variables, defined, sources, .. } = &mut reader.found;
    commands.retain(|command| !defined.contains(command.name));
    variables.retain(|variable| !*sources && !defined.contains(variable.name));
    reader.found
}

/// What is open around the place that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    /// `(`, `$(`, `<(`.
    Paren(Around),
    /// A backtick.
    Tick(Around),
}

/// What goes on behind a command that stands in another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Around {
    /// Whether a double quote does.
    quoted: bool,
    /// Where the word began that does.
    word: Option<usize>,
    /// What that word is.
    state: State,
}

#[derive(Debug, Default)]
struct Reader<'a> {
    code: &'a str,
    at: usize,
    word: Option<usize>,
    quoted: bool,
    open: Vec<Open>,
    state: State,
    heredocs: Vec<&'a str>,
    found: Shell<'a>,
}

/// What the next word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Command,
    Argument,
    /// A file behind a redirection; then goes on as before.
    File {
        command: bool,
    },
    /// The name behind `for`, `select`, `function`, or names behind `read`, `export`, `local` and so on.
    Name,
    Names {
        exported: bool,
    },
    /// Between `case` and `in`, and the patterns before a `)`.
    Case,
    Pattern,
    /// Inside of `[[ ]]`.
    Test,
    /// The options of a word like `sudo`, which a command follows.
    Options,
}

impl<'a> Reader<'a> {
    fn run(&mut self) {
        while let Some(c) = self.code[self.at..].chars().next() {
            if self.quoted { self.in_quotes(c) } else { self.outside(c) }
        }
        self.end_word('\n');
    }

    fn rest(&self) -> &'a str {
        &self.code[self.at..]
    }

    fn in_quotes(&mut self, c: char) {
        match c {
            '"' => {
                self.quoted = false;
                self.at += 1;
            }
            '\\' => self.skip_two(),
            '$' => self.dollar(),
            '`' => self.tick(),
            c => self.at += c.len_utf8(),
        }
    }

    fn outside(&mut self, c: char) {
        match c {
            ' ' | '\t' | '\r' => {
                self.end_word(c);
                self.at += 1;
            }
            '\n' => self.line_end(),
            ';' | '|' | '&' => self.operator(c),
            '(' => self.paren(),
            ')' => self.close(),
            '<' | '>' => self.redirect(),
            '#' if self.word.is_none() => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
            '\\' if self.rest().starts_with("\\\n") || self.rest().starts_with("\\\r\n") => {
                self.end_word(' ');
                self.at += if self.rest().starts_with("\\\n") { 2 } else { 3 };
            }
            c => {
                self.word.get_or_insert(self.at);
                match c {
                    '\'' => self.single_quotes(),
                    '"' => {
                        self.quoted = true;
                        self.at += 1;
                    }
                    '\\' => self.skip_two(),
                    '$' => self.dollar(),
                    '`' => self.tick(),
                    c => self.at += c.len_utf8(),
                }
            }
        }
    }

    fn single_quotes(&mut self) {
        let inside = &self.rest()[1..];
        self.at += 1 + inside.find('\'').map_or(inside.len(), |end| end + 1);
    }

    fn skip_two(&mut self) {
        let length = self.rest().chars().take(2).map(char::len_utf8).sum::<usize>();
        self.at += length;
    }

    fn line_end(&mut self) {
        self.end_word('\n');
        self.at += 1;
        for delimiter in std::mem::take(&mut self.heredocs) {
            while !self.rest().is_empty() {
                let line = self.rest().split('\n').next().unwrap_or_default();
                self.at = (self.at + line.len() + 1).min(self.code.len());
                if line.trim() == delimiter {
                    break;
                }
            }
        }
        self.next_command();
    }

    fn next_command(&mut self) {
        if !matches!(self.state, State::Case | State::Pattern | State::Test) {
            self.state = State::Command;
        }
    }

    fn operator(&mut self, c: char) {
        // `2>&1` and `&>` are redirections.
        if c == '&' && self.rest().starts_with("&>") {
            self.end_word(c);
            self.at += 1;
            return;
        }
        self.end_word(c);
        let cases = c == ';' && self.rest().starts_with(";;");
        self.at += if cases { 2 } else { 1 };
        if cases {
            self.state = State::Pattern;
        } else {
            self.next_command();
        }
    }

    fn paren(&mut self) {
        // The mark is looked for first: a word can be long, and parentheses in it many.
        if self.rest().starts_with("()") && self.word.is_some_and(|start| is_name(&self.code[start..self.at]))
        {
            // A function.
            if let Some(start) = self.word.take() {
                self.found.defined.insert(&self.code[start..self.at]);
            }
            self.at += 2;
            self.state = State::Command;
            return;
        }
        if self.state == State::Pattern {
            self.at += 1;
            return;
        }
        let length = if self.rest().starts_with("((") { self.arithmetic() } else { 0 };
        if length > 0 {
            self.at += length;
            return;
        }
        self.enter(1);
    }

    /// Goes into a command that stands in this one; `length` is that of the mark before it.
    fn enter(&mut self, length: usize) {
        let around = self.around();
        self.open.push(Open::Paren(around));
        self.at += length;
    }

    /// Puts aside what goes on later, and begins with a command.
    fn around(&mut self) -> Around {
        let around = Around { quoted: self.quoted, word: self.word.take(), state: self.state };
        (self.quoted, self.state) = (false, State::Command);
        around
    }

    /// The length of `((…))`, 0 if it is none.
    fn arithmetic(&self) -> usize {
        rest_of_line(self.code, self.at).find("))").map_or(0, |end| end + 2)
    }

    fn close(&mut self) {
        self.end_word(')');
        self.at += 1;
        match self.open.last().copied() {
            _ if self.state == State::Pattern => self.state = State::Command,
            Some(Open::Paren(around)) => {
                self.open.pop();
                self.leave(around);
            }
            _ => self.state = State::Command,
        }
    }

    fn leave(&mut self, around: Around) {
        (self.quoted, self.word) = (around.quoted, around.word);
        // What follows `( … )` is no command before the next operator.
        let is_word = around.word.is_some() || around.state != State::Command;
        self.state = if is_word { around.state } else { State::Argument };
    }

    fn tick(&mut self) {
        if let Some(Open::Tick(around)) = self.open.last().copied() {
            self.end_word('`');
            self.open.pop();
            self.leave(around);
        } else {
            let around = self.around();
            self.open.push(Open::Tick(around));
        }
        self.at += 1;
    }

    /// The length of a place to fill in, `<on|off>`, which is no redirection; 0 if it is none.
    fn placeholder(&self) -> usize {
        let line = rest_of_line(self.code, self.at);
        let Some(inside) = line.strip_prefix('<') else { return 0 };
        let begins = inside.starts_with(char::is_alphabetic);
        let end = inside.find(['>', '<']).filter(|&end| begins && inside[end..].starts_with('>'));
        end.filter(|&end| !inside[..end].ends_with([' ', '2', '1'])).map_or(0, |end| end + 2)
    }

    fn redirect(&mut self) {
        let placeholder = self.placeholder();
        if placeholder > 0 {
            self.word.get_or_insert(self.at);
            self.at += placeholder;
            return;
        }
        // The number before it is part of the redirection.
        if self.word.is_some_and(|start| self.code[start..self.at].bytes().all(|b| b.is_ascii_digit())) {
            self.word = None;
        }
        self.end_word('>');
        let rest = self.rest();
        if rest.starts_with("<(") || rest.starts_with(">(") {
            return self.enter(2);
        }
        if rest.starts_with("<<") && !rest.starts_with("<<<") {
            return self.heredoc();
        }
        self.at += rest.bytes().take_while(|byte| matches!(byte, b'<' | b'>' | b'&' | b'|')).count();
        if !matches!(self.state, State::Case | State::Pattern | State::Test | State::File { .. }) {
            self.state = State::File { command: self.state == State::Command };
        }
    }

    fn heredoc(&mut self) {
        let after = self.rest()[2..].trim_start_matches(['-', ' ']);
        let word = after.split([' ', '\n', ';', '|', '&', ')', '>']).next().unwrap_or_default();
        self.at = self.code.len() - after.len() + word.len();
        self.heredocs.push(word.trim_matches(['"', '\'', '\\', '\r']));
    }

    fn dollar(&mut self) {
        let rest = self.rest();
        if rest.starts_with("$((") {
            self.at += 1;
            let length = self.arithmetic();
            self.at += length.max(1);
            return;
        }
        if rest.starts_with("$(") {
            return self.enter(2);
        }
        let braced = rest.starts_with("${");
        let start = self.at + if braced { 2 } else { 1 };
        let start = start + usize::from(braced && self.code[start..].starts_with(['#', '!']));
        let name = words::name(&self.code[start..]);
        self.at = start + name.len();
        if name.is_empty() {
            return;
        }
        let has_default = braced && self.rest().trim_start_matches(':').starts_with(['-', '=', '+']);
        if has_default {
            self.found.defined.insert(name);
        } else {
            let line = rest_of_line(self.code, self.at);
            self.found.variables.push(Use { name, at: start, rest: line });
        }
    }

    fn end_word(&mut self, by: char) {
        let Some(start) = self.word.take() else { return };
        let word = Word { text: &self.code[start..self.at], at: start };
        match self.state {
            State::File { command } => {
                self.state = if command { State::Command } else { State::Argument };
            }
            State::Name => {
                self.found.defined.extend(words::defined(word.text));
                self.state = State::Argument;
            }
            State::Names { exported } => {
                let name = words::defined(word.text);
                self.found.defined.extend(name);
                self.found.exported.extend(name.filter(|_| exported));
            }
            State::Case if word.text == "in" => self.state = State::Pattern,
            State::Pattern if word.text == "esac" => self.state = State::Argument,
            State::Test if word.text == "]]" => self.state = State::Argument,
            State::Options if word.is_option() => {}
            State::Command | State::Options => self.command(word, by),
            State::Argument | State::Case | State::Pattern | State::Test => {}
        }
    }

    fn command(&mut self, word: Word<'a>, by: char) {
        use words::Kind;
        self.state = match kind(word.text) {
            Kind::Assignment(name) => {
                self.found.defined.insert(name);
                State::Command
            }
            Kind::Keyword => State::Command,
            Kind::Names => State::Names { exported: word.text == "export" },
            Kind::Name => State::Name,
            Kind::Case => State::Case,
            Kind::Test => State::Test,
            Kind::Prefix => State::Options,
            Kind::Builtin | Kind::NoCommand => {
                self.found.sources |= matches!(word.text, "." | "source");
                State::Argument
            }
            Kind::Program => {
                let line = rest_of_line(self.code, self.at);
                // `name = value` is a setting of some other file.
                if line.trim_start().starts_with("= ") {
                    self.state = State::Argument;
                    return;
                }
                let rest = if by == '\n' { "" } else { line };
                self.found.commands.push(Use { name: word.text, at: word.at, rest });
                State::Argument
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands(code: &str) -> Vec<&str> {
        read(code).commands.iter().map(|command| command.name).collect()
    }

    fn variables(code: &str) -> Vec<&str> {
        read(code).variables.iter().map(|variable| variable.name).collect()
    }

    #[test]
    fn programs_in_the_place_of_a_command() {
        for (code, expected) in [
            ("git log | jq -r .x > out && gh pr list", vec!["git", "jq", "gh"]),
            ("FOO=1 BAR=\"$(curl -s x)\" node a.js", vec!["curl", "node"]),
            ("if command -v ffmpeg >/dev/null 2>&1; then ffmpeg -i a; fi", vec!["ffmpeg", "ffmpeg"]),
            ("for file in a b; do magick \"$file\"; done", vec!["magick"]),
            ("echo 'git; jq' \"not this; nor that\" # nor git", vec![]),
            ("cat <<EOF | jq .\ngit push\nEOF\nyq .", vec!["jq", "yq"]),
            (
                "case $1 in start|go) redis-server;; *) psql;; esac\nduckdb x",
                vec!["redis-server", "psql", "duckdb"],
            ),
            ("sudo -E docker ps; env A=b python3 x.py; xargs -0 rg y", vec!["docker", "python3", "rg"]),
            ("build() { cargo build; }\nbuild", vec!["cargo"]),
            ("alias k=kubectl\nalias gs='git status' ll=\"ls -l\"\nk get pods; gs; ll", vec![]),
            ("[[ $a == b && $c ]] && pandoc x || tesseract y", vec!["pandoc", "tesseract"]),
            ("x=`git rev-parse HEAD` && diff <(jq . a) <(yq . b)", vec!["git", "jq", "yq"]),
            ("gh api /x \\\n  --jq '.a'\necho $((1 + 2)) && (cd x && npm test)", vec!["gh", "npm"]),
            (
                "A=$(date); B=\"$(git log)\" C=`hub pr`; $A x; \"$(which node)\" y; D=${A:-$(tool)}",
                vec!["git", "hub", "tool"],
            ),
            ("a --safe <on|moderate|off> | b <name>; c <in >out", vec!["a", "b", "c"]),
            ("tool 2>/dev/null >out <in arg &> all; next", vec!["tool", "next"]),
        ] {
            assert_eq!(commands(code), expected, "{code}");
        }
    }

    #[test]
    fn what_is_no_program() {
        for code in [
            "cd x && export A=b && set -e; . ./env; return 0",
            "./run.sh a; $TOOL b; \"$x\" c; <name> d",
            "Output: this is text\n... and more\n--flag only\n/plan now",
            "while read -r line; do test -f \"$line\"; done < list.txt",
            "line-length = 100",
            "ls; rm -rf x; sed s/a/b/; awk '{print}'; mkdir -p y; head -n 1",
        ] {
            assert_eq!(commands(code), [""; 0], "{code}");
        }
    }

    #[test]
    fn variables_from_outside() {
        assert_eq!(variables("curl -H \"Bearer $A_KEY\" ${B_URL}/x '$C'"), ["A_KEY", "B_URL"]);
        assert_eq!(variables("A=$(date); B=\"x $(id)\"; C=`ls`; echo $A $B $C"), [""; 0]);
        assert_eq!(variables("X=1; echo $X; for f in a; do echo $f; done; read -r y; echo $y"), [""; 0]);
        assert_eq!(variables("echo ${A:-x} ${B-} ${C:=z} $1 $@ $$ ${#D}"), ["D"]);
        assert_eq!(variables(". /etc/os-release; echo $PRETTY_NAME"), [""; 0]);
        assert_eq!(variables("local a b=2; export E; echo $a $b $E"), [""; 0]);
    }

    #[test]
    fn nothing_that_is_open_stops_it() {
        for code in ["echo \"a", "echo 'a", "x=$(git", "`", "<<EOF\na", "case x in", "${", "$((1", "\\", "[["]
        {
            read(code);
        }
    }
}
