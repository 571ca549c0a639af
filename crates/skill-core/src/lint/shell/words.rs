//! What a word means in the place of a command.

/// A word and where it begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl Word<'_> {
    /// An option, its value or an assignment behind a word like `sudo` or `timeout`.
    pub(super) fn is_option(&self) -> bool {
        let text = self.text;
        text.starts_with('-') || text.contains('=') || text.starts_with(|c: char| c.is_ascii_digit())
    }
}

/// What a word is in the place of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// `NAME=value`.
    Assignment(&'a str),
    /// A command follows.
    Keyword,
    /// Names follow: `read`, `export`.
    Names,
    /// One name follows: `for`, `function`.
    Name,
    Case,
    Test,
    /// A command follows behind options: `sudo`.
    Prefix,
    /// Part of the shell, or a tool that POSIX or the GNU core utilities bring.
    Builtin,
    /// A path, an expansion, or text that is no code.
    NoCommand,
    Program,
}

const KEYWORDS: [&str; 12] =
    ["if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!"];
/// `alias k=kubectl` makes a command of that name.
const NAMES: [&str; 10] =
    ["export", "read", "local", "declare", "readonly", "typeset", "unset", "mapfile", "getopts", "alias"];
const PREFIXES: [&str; 13] = [
    "sudo", "doas", "env", "exec", "command", "builtin", "nohup", "time", "xargs", "timeout", "nice",
    "watch", "eval",
];
/// What every system has: built-ins, POSIX.1-2024 utilities, GNU core utilities, and what comes with the system itself.
const ORDINARY: &str = " : . [ alias bg break cd continue dirs disown echo enable false fc fg hash help history jobs kill let \
    logout popd printf pushd pwd return set shift shopt source suspend test times trap true type ulimit umask \
    unalias wait ar at awk basename batch bc cal cat chgrp chmod chown cksum cmp comm compress cp cron crontab \
    csplit cut date dd df diff dirname du ed egrep expand expr fgrep file find fold fuser gawk getconf getent \
    getopt grep groups gunzip gzip head iconv id install join less link ln locale logger login logname look ls \
    lsof m4 mail man md5sum mesg mkdir mkfifo mknod mktemp more mv newgrp nl nproc od passwd paste patch pathchk \
    pax pgrep ping pkill pr printenv ps readlink realpath renice rev rm rmdir sed seq sh bash zsh dash fish shred shuf \
    sleep sort split stat stdbuf strings stty su sum sync tac tail tar tee top touch tput tr truncate tsort tty \
    uname uncompress unexpand uniq unlink uptime users vi vim nano vdir wc whatis which whereis who whoami write yes \
    zcat base32 base64 basenc b2sum chcon dir dircolors factor fmt hostid hostname numfmt pinky ptx runcon \
    sha1sum sha224sum sha256sum sha384sum sha512sum shasum md5 clear reset exit logout command open xdg-open pbcopy pbpaste \
    launchctl systemctl service journalctl osascript defaults sw_vers dscl cmd ifconfig ip netstat ss nc free \
    killall mount umount dmesg lscpu sysctl ssh-keygen in esac select coproc ";

/// What a word is.
pub(super) fn kind(text: &str) -> Kind<'_> {
    let named = name(text);
    let after = &text[named.len()..];
    if !named.is_empty() && (after.starts_with('=') || after.starts_with("+=") || is_element(after)) {
        return Kind::Assignment(named);
    }
    let is = |list: &[&str]| list.contains(&text);
    match text {
        "case" => Kind::Case,
        "[[" => Kind::Test,
        "for" | "select" | "function" => Kind::Name,
        _ if is(&KEYWORDS) => Kind::Keyword,
        _ if is(&NAMES) => Kind::Names,
        _ if is(&PREFIXES) => Kind::Prefix,
        _ if !is_program(text) => Kind::NoCommand,
        _ if is_ordinary(text) => Kind::Builtin,
        _ => Kind::Program,
    }
}

/// Whether every system has the program.
pub(in super::super) fn is_ordinary(name: &str) -> bool {
    ORDINARY.split_ascii_whitespace().any(|ordinary| ordinary == name)
}

/// `[index]=`.
fn is_element(after: &str) -> bool {
    after.starts_with('[') && after.contains("]=")
}

/// A word that can be the name of a program: no path, nothing to expand, and not how a sentence begins.
fn is_program(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'+'));
    let first = text.as_bytes().first().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let last = text.as_bytes().last().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'+');
    let numeric = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    plain && first && last && !numeric && text.len() <= 40
}

/// The variable's name that a text begins with; empty if it begins with none.
pub(super) fn name(text: &str) -> &str {
    let length = text.bytes().take_while(|&b| b.is_ascii_alphanumeric() || b == b'_').count();
    let text = &text[..length];
    if text.starts_with(|c: char| c.is_ascii_digit()) { "" } else { text }
}

/// Whether a text is a name and nothing else.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
}

/// The name that `NAME` or `NAME=value` gives a value to.
pub(super) fn defined(text: &str) -> Option<&str> {
    let name = name(text);
    let after = &text[name.len()..];
    (!name.is_empty() && (after.is_empty() || after.starts_with(['=', '[']) || is_name(text))).then_some(name)
}
