use super::Found;

/// How deep substitutions are followed.
const DEEPEST: usize = 32;

/// What the reader is in; nothing of these at the top.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Double,
    Substitution,
    Parenthesis,
}

struct HereDocument<'t> {
    end: &'t [u8],
    /// Leading tabs are taken off (`<<-`).
    indented: bool,
    quoted: bool,
}

struct Reader<'t, 'f> {
    text: &'t [u8],
    at: usize,
    inside: Vec<Inside>,
    waiting: Vec<HereDocument<'t>>,
    /// A `#` here opens a comment.
    at_word: bool,
    /// Nothing but blanks since the line began.
    at_line: bool,
    found: &'f mut Found,
}

/// POSIX 2.2 and 2.3, and what bash adds: `$'…'`, `((…))`, `<<<`.
pub(super) fn read(text: &str, found: &mut Found) -> Option<()> {
    // An alias may hold half of a quote.
    if text.contains("alias") {
        return None;
    }
    let (inside, waiting) = (Vec::new(), Vec::new());
    let text = text.as_bytes();
    Reader { text, at: 0, inside, waiting, at_word: true, at_line: true, found }.read()
}

impl Reader<'_, '_> {
    fn read(mut self) -> Option<()> {
        while let Some(&byte) = self.text.get(self.at) {
            self.found.steps += 1;
            if self.inside.last() == Some(&Inside::Double) {
                self.quoted(byte)?;
            } else {
                self.command(byte)?;
            }
        }
        Some(())
    }

    fn quoted(&mut self, byte: u8) -> Option<()> {
        match byte {
            b'"' => {
                self.inside.pop();
                (self.at, self.at_word) = (self.at + 1, false);
            }
            b'\\' => {
                self.goes_on()?;
                self.at += 2;
            }
            b'`' => self.backticks()?,
            b'$' => self.expansion()?,
            b'\n' if !self.waiting.is_empty() => return None,
            _ => self.at += 1,
        }
        Some(())
    }

    fn command(&mut self, byte: u8) -> Option<()> {
        let opens_line = self.at_line;
        self.at_line &= matches!(byte, b' ' | b'\t');
        let at_word = std::mem::replace(&mut self.at_word, b" \t\n;&|<>()".contains(&byte));
        match byte {
            b'\n' => {
                self.at += 1;
                self.at_line = true;
                self.here_documents()?;
            }
            b'#' if at_word => {
                let end = self.found.find(self.text, self.at, |b| b == b'\n').unwrap_or(self.text.len());
                self.found.push(self.at..end, opens_line);
                self.at = end;
            }
            b'\\' if self.text.get(self.at + 1) == Some(&b'\n') => {
                self.goes_on()?;
                (self.at, self.at_word, self.at_line) = (self.at + 2, at_word, true);
            }
            b'\\' => self.at += 2,
            b'\'' => self.single()?,
            b'"' => self.enter(Inside::Double, 1)?,
            b'`' => self.backticks()?,
            b'$' => self.expansion()?,
            b'(' if self.text.get(self.at + 1) == Some(&b'(') => self.arithmetic(2)?,
            // A pattern of bash, in which nothing is a comment.
            b'(' if self.follows(|b| b"@?*+!".contains(&b)) => return None,
            b'=' if self.text.get(self.at + 1) == Some(&b'~') => self.expression()?,
            // A subscript, in which `<<` shifts.
            b'[' if self.follows(|b| b.is_ascii_alphanumeric() || b == b'_') => {
                self.skip_plain(1, |b| b == b']', b"'\"\\`#<(\n")?;
            }
            b'(' => self.enter(Inside::Parenthesis, 1)?,
            b')' => {
                self.inside.pop();
                self.at += 1;
            }
            b'<' if self.text[self.at..].starts_with(b"<<<") => self.at += 3,
            b'<' if self.text[self.at..].starts_with(b"<<") => self.opens_document()?,
            // The `)` of its patterns closes nothing.
            b'c' if at_word
                && self.inside.contains(&Inside::Substitution)
                && self.text[self.at..].starts_with(b"case") =>
            {
                return None;
            }
            _ => self.at += 1,
        }
        Some(())
    }

    fn follows(&self, is_before: impl Fn(u8) -> bool) -> bool {
        self.at > 0 && is_before(self.text[self.at - 1])
    }

    /// At a backslash: where it ends the line inside of a word, the word may be another one.
    fn goes_on(&self) -> Option<()> {
        let inside =
            self.text.get(self.at + 1) == Some(&b'\n') && !self.follows(|b| matches!(b, b' ' | b'\t'));
        (!inside).then_some(())
    }

    /// What is behind `=~`, up to the end of its line: plain text, or left to nobody.
    fn expression(&mut self) -> Option<()> {
        let strange = |b| b"'\"\\`#<(\n".contains(&b);
        let end = self.found.find(self.text, self.at, strange).unwrap_or(self.text.len());
        self.at = end;
        self.text.get(end).is_none_or(|&b| b == b'\n').then_some(())
    }

    fn enter(&mut self, inside: Inside, bytes: usize) -> Option<()> {
        self.inside.push(inside);
        self.at += bytes;
        self.at_word = inside != Inside::Double;
        (self.inside.len() <= DEEPEST).then_some(())
    }

    fn single(&mut self) -> Option<()> {
        let end = self.found.find(self.text, self.at + 1, |b| b == b'\'')?;
        // Whether a backslash escapes the quote in `$'…'` depends on the shell.
        let dollar = self.follows(|b| b == b'$');
        if dollar && self.text[self.at..end].contains(&b'\\') {
            return None;
        }
        self.at = end + 1;
        Some(())
    }

    /// A command in backticks, if it is a plain one.
    fn backticks(&mut self) -> Option<()> {
        self.skip_plain(1, |b| b == b'`', b"'\"\\#<\n")
    }

    /// `$(`, `${` or a name.
    fn expansion(&mut self) -> Option<()> {
        match self.text.get(self.at + 1) {
            Some(b'(') if self.text.get(self.at + 2) == Some(&b'(') => self.arithmetic(3),
            Some(b'(') => self.enter(Inside::Substitution, 2),
            // The older form of `$((`.
            Some(b'[') => None,
            Some(b'{') => {
                // One inside of the other is left to nobody.
                self.skip_plain(2, |b| b == b'}', b"'\"\\`{(\n")
            }
            _ => {
                self.at += 1;
                Some(())
            }
        }
    }

    /// Up to `))` on the same line, with nothing in it that opens anything.
    fn arithmetic(&mut self, opening: usize) -> Option<()> {
        let start = self.at;
        self.skip_plain(opening, |b| b == b')', b"'\"\\`#(\n")?;
        let shifts = self.text[start..self.at].windows(2).any(|two| two == b"<<");
        let closes = !shifts && self.text.get(self.at) == Some(&b')');
        self.at += 1;
        closes.then_some(())
    }

    /// Goes behind the next byte that ends, unless one of `strange` comes before it.
    fn skip_plain(&mut self, opening: usize, is_end: fn(u8) -> bool, strange: &[u8]) -> Option<()> {
        let end = self.found.find(self.text, self.at + opening, |b| is_end(b) || strange.contains(&b))?;
        if !is_end(self.text[end]) {
            return None;
        }
        self.at = end + 1;
        Some(())
    }

    fn opens_document(&mut self) -> Option<()> {
        if !self.inside.is_empty() {
            return None;
        }
        let mut at = self.at + 2;
        let indented = self.text.get(at) == Some(&b'-');
        at += usize::from(indented);
        while matches!(self.text.get(at), Some(b' ' | b'\t')) {
            at += 1;
        }
        let quote = *self.text.get(at)?;
        let quoted = matches!(quote, b'\'' | b'"');
        at += usize::from(quoted);
        let end = self.found.find(self.text, at, |b| !(b.is_ascii_alphanumeric() || b == b'_'))?;
        let word = &self.text[at..end];
        let closed = !quoted || self.text[end] == quote;
        self.at = end + usize::from(quoted);
        let ends = self.text.get(self.at).is_some_and(|b| b" \t\n;&|<>".contains(b));
        self.waiting.push(HereDocument { end: word, indented, quoted });
        (closed && ends && !word.is_empty()).then_some(())
    }

    /// The documents that begin on this line.
    fn here_documents(&mut self) -> Option<()> {
        for document in std::mem::take(&mut self.waiting) {
            loop {
                let end = self.found.find(self.text, self.at, |b| b == b'\n').unwrap_or(self.text.len());
                let mut line = self.text.get(self.at..end).filter(|_| self.at < self.text.len())?;
                self.at = end + 1;
                while let [b'\t', rest @ ..] = line
                    && document.indented
                {
                    line = rest;
                }
                if line == document.end {
                    break;
                }
                // Such a line goes on, and what ends the document is then none of its ends.
                if !document.quoted && line.ends_with(b"\\") {
                    return None;
                }
            }
        }
        Some(())
    }
}
