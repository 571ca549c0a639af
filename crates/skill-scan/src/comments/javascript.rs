use super::Found;

/// How deep templates are followed, and how long a regular expression may be.
const DEEPEST: usize = 32;
const LONGEST_EXPRESSION: usize = 1024;

/// Words that a regular expression may follow.
const BEFORE_EXPRESSION: [&[u8]; 13] = [
    b"return", b"typeof", b"case", b"in", b"of", b"delete", b"void", b"throw", b"new", b"do", b"else",
    b"await", b"yield",
];

struct Reader<'t, 'f> {
    text: &'t [u8],
    at: usize,
    /// How many braces are open in each `${` of a template.
    templates: Vec<u32>,
    /// Behind the last byte that was no blank and in no comment.
    behind: usize,
    /// Nothing but blanks since the line began.
    at_line: bool,
    found: &'f mut Found,
}

/// ECMA-262, 12. What is no module may also have `<!--`, which is not followed.
pub(super) fn read(text: &str, found: &mut Found) -> Option<()> {
    if text.contains("<!--") || text.contains("-->") {
        return None;
    }
    let text = text.as_bytes();
    Reader { text, at: 0, templates: Vec::new(), behind: 0, at_line: true, found }.read()
}

impl Reader<'_, '_> {
    fn read(mut self) -> Option<()> {
        if self.text.starts_with(b"#!") {
            self.line_comment();
        }
        while let Some(&byte) = self.text.get(self.at) {
            self.found.steps += 1;
            let next = self.text.get(self.at + 1).copied();
            match byte {
                _ if self.line_end(self.at) > 0 => {
                    self.at += self.line_end(self.at);
                    self.at_line = true;
                    continue;
                }
                b' ' | b'\t' => {
                    self.at += 1;
                    continue;
                }
                b'/' if next == Some(b'/') => {
                    self.line_comment();
                    continue;
                }
                b'/' if next == Some(b'*') => {
                    self.block_comment()?;
                    continue;
                }
                b'/' => self.slash()?,
                b'\'' | b'"' => self.string(byte)?,
                b'`' => self.template()?,
                b'{' => {
                    if let Some(open) = self.templates.last_mut() {
                        *open += 1;
                    }
                    self.at += 1;
                }
                b'}' => match self.templates.last_mut() {
                    Some(0) => {
                        self.templates.pop();
                        self.template()?;
                    }
                    Some(open) => (*open, self.at) = (*open - 1, self.at + 1),
                    None => self.at += 1,
                },
                _ => self.at += 1,
            }
            self.behind = self.at.min(self.text.len());
            self.at_line = false;
        }
        Some(())
    }

    /// How many bytes the end of a line takes at `at`; 0 if there is none.
    fn line_end(&self, at: usize) -> usize {
        match self.text[at..] {
            [b'\n' | b'\r', ..] => 1,
            [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
            _ => 0,
        }
    }

    fn line_comment(&mut self) {
        let start = self.at;
        while self.at < self.text.len() && self.line_end(self.at) == 0 {
            self.at += 1;
        }
        self.found.push(start..self.at, self.at_line);
    }

    fn block_comment(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 2;
        while !self.text[self.at..].starts_with(b"*/") {
            self.found.steps += 1;
            self.at += 1;
            self.text.get(self.at)?;
        }
        self.at += 2;
        self.found.push(start..self.at, self.at_line);
        Some(())
    }

    fn string(&mut self, quote: u8) -> Option<()> {
        loop {
            self.at += 1;
            self.found.steps += 1;
            match *self.text.get(self.at)? {
                b'\\' if self.text[self.at..].starts_with(b"\\\r\n") => self.at += 2,
                b'\\' => self.at += 1,
                b'\n' | b'\r' => return None,
                byte if byte == quote => break,
                _ => {}
            }
        }
        self.at += 1;
        Some(())
    }

    /// The text of a template up to its end, or to a `${`.
    fn template(&mut self) -> Option<()> {
        loop {
            self.at += 1;
            self.found.steps += 1;
            match *self.text.get(self.at)? {
                b'\\' => self.at += 1,
                b'`' => break,
                b'$' if self.text.get(self.at + 1) == Some(&b'{') => {
                    self.templates.push(0);
                    self.at += 1;
                    break;
                }
                _ => {}
            }
        }
        self.at += 1;
        (self.templates.len() <= DEEPEST).then_some(())
    }

    /// A division, or a regular expression, where it makes a difference.
    fn slash(&mut self) -> Option<()> {
        let last = self.text[..self.behind].last().copied().unwrap_or(b';');
        let same_line = self.text[self.behind..self.at].iter().all(|b| matches!(b, b' ' | b'\t'));
        let divides = match last {
            b'(' | b',' | b'=' | b':' | b'[' | b'&' | b'|' | b'?' | b'{' | b';' | b'~' | b'^' | b'%' => {
                Some(false)
            }
            // A word on the line before may be the type that a declaration ends in.
            b if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') => {
                (same_line && !self.after_keyword()).then_some(true)
            }
            _ => None,
        };
        if divides == Some(true) {
            self.at += 1;
            return Some(());
        }
        match (divides, self.expression()) {
            (Some(_), end) => self.at = end?,
            (None, Some(end)) => {
                let body = &self.text[self.at + 1..end - 1];
                let same = !body.iter().chain(self.text.get(end)).any(|b| b"'\"`/*".contains(b));
                same.then_some(())?;
                self.at = end;
            }
            (None, None) => {
                let marks = |b| b"'\"`/\n\r".contains(&b);
                let next = self.found.find(self.text, self.at + 1, marks);
                next.is_none_or(|next| self.line_end(next) > 0).then_some(())?;
                self.at += 1;
            }
        }
        Some(())
    }

    /// Whether the word before is one that no value is, unless it names a property.
    fn after_keyword(&self) -> bool {
        let before = &self.text[self.behind.saturating_sub(16)..self.behind];
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.');
        let start = before.iter().rposition(|b| !is_part(b)).map_or(0, |at| at + 1);
        BEFORE_EXPRESSION.contains(&&before[start..])
    }

    /// Where the regular expression ends that begins here, if one does.
    fn expression(&mut self) -> Option<usize> {
        let (mut at, mut in_class) = (self.at + 1, false);
        while at < self.at + LONGEST_EXPRESSION {
            self.found.steps += 1;
            match *self.text.get(at)? {
                _ if self.line_end(at) > 0 => return None,
                b'\\' => at += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => return Some(at + 1),
                _ => {}
            }
            at += 1;
        }
        None
    }
}
