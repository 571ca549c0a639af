//! Whether a program may be started at all (OpenClaw contract 1.6): it and everything that leads to
//! it must be out of the reach of others.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};

use fs_err as fs;
use skill_core::policy::{Program, is_script_name};

/// A program that may be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checked {
    /// The program; absolute.
    pub command: PathBuf,
    /// The folder that holds it, where it runs.
    pub folder: PathBuf,
}

/// Why a program may not be started.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    /// It is enabled, and nothing is named.
    #[error("enabled is true and no command is named")]
    NoCommand,
    /// It depends on where one stands.
    #[error("the command is not an absolute path")]
    Relative,
    /// It goes up and down again.
    #[error("the path holds `.` or `..`")]
    Dots,
    /// Nothing is there.
    #[error("does not exist")]
    Missing,
    /// It cannot be looked at.
    #[error("cannot be read: {0}")]
    Unreadable(io::ErrorKind),
    /// A folder.
    #[error("is a folder")]
    Folder,
    /// A link, which could point elsewhere tomorrow.
    #[error("is a symbolic link; name what it points to")]
    Link,
    /// A device, socket or pipe.
    #[error("is not a regular file")]
    Special,
    /// It lies elsewhere.
    #[error("lies in none of trusted_dirs")]
    Untrusted,
    /// A trusted folder that depends on where one stands.
    #[error("trusted_dirs holds {0}, which is not an absolute path")]
    TrustedRelative(String),
    /// Others may write it.
    #[error("can be written by its group or by others (mode {0:04o})")]
    Writable(u32),
    /// Somebody else may write it.
    #[error("belongs to user {0}, not to {1}")]
    Owner(u32, &'static str),
    /// A folder above it can be written by others, so that it could be replaced.
    #[error("the folder {folder} can be written by its group or by others (mode {mode:04o})", folder = .0.display(), mode = .1)]
    FolderWritable(PathBuf, u32),
    /// A folder above it belongs to somebody else.
    #[error("the folder {folder} belongs to user {owner}, not to {whose}", folder = .0.display(), owner = .1, whose = .2)]
    FolderOwner(PathBuf, u32, &'static str),
    /// A folder above it cannot be looked at.
    #[error("the folder {folder} cannot be read: {kind}", folder = .0.display(), kind = .1)]
    FolderUnreadable(PathBuf, io::ErrorKind),
    /// `env` starts whatever the environment says.
    #[error("is env, which starts another program; name that one")]
    Env,
    /// It has no executable bit.
    #[error("is not executable")]
    NotExecutable,
    /// It may be run, by others.
    #[error("may not be run by this user")]
    NotForThisUser,
    /// The system would hand it to a shell.
    #[error("is neither a program nor a script that begins with #!")]
    Headless,
    /// A script that an interpreter is given.
    #[error("the script {arg}: {flaw}")]
    Script {
        /// The argument.
        arg: String,
        /// What is wrong with it.
        flaw: Box<Flaw>,
    },
}

impl Checked {
    /// Looks at the program and at the scripts it is given. `home` is what `~` in `trusted_dirs` means;
    /// `owner` is the user, by number, whose programs count beside root's.
    ///
    /// # Errors
    /// The first thing that others could reach.
    pub fn of(program: &Program, home: Option<&Path>, owner: u32) -> Result<Self, Flaw> {
        let Some(text) = &program.command else { return Err(Flaw::NoCommand) };
        let command = PathBuf::from(text);
        let trusted = trusted(program, home)?;
        file(&command, &trusted, owner)?;
        let name = command.file_name().unwrap_or_default().to_string_lossy();
        if name == "env" {
            return Err(Flaw::Env);
        }
        startable(&command)?;
        for arg in scripts(&name, &program.args) {
            file(Path::new(arg), &trusted, owner)
                .map_err(|flaw| Flaw::Script { arg: arg.to_owned(), flaw: Box::new(flaw) })?;
        }
        let folder = command.parent().unwrap_or(Path::new("/")).to_owned();
        Ok(Self { command, folder })
    }
}

/// `trusted_dirs`, with HOME in place.
fn trusted(program: &Program, home: Option<&Path>) -> Result<Vec<PathBuf>, Flaw> {
    let place = |text: &String| {
        let path = match (Path::new(text).strip_prefix("~"), home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => PathBuf::from(text),
        };
        if path.is_absolute() { Ok(path) } else { Err(Flaw::TrustedRelative(text.clone())) }
    };
    program.trusted_dirs.iter().map(place).collect()
}

/// Checks a file and every folder that leads to it, as it is written and as it really is.
fn file(path: &Path, trusted: &[PathBuf], owner: u32) -> Result<(), Flaw> {
    if !path.is_absolute() {
        return Err(Flaw::Relative);
    }
    // `Path::components` leaves out `.`; the text does not.
    let dots = path.components().any(|part| part == Component::ParentDir)
        || path.to_string_lossy().split('/').any(|part| part == ".");
    if dots {
        return Err(Flaw::Dots);
    }
    let metadata = fs::symlink_metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Flaw::Missing,
        kind => Flaw::Unreadable(kind),
    })?;
    if metadata.is_symlink() {
        return Err(Flaw::Link);
    }
    if metadata.is_dir() {
        return Err(Flaw::Folder);
    }
    if !metadata.is_file() {
        return Err(Flaw::Special);
    }
    if !trusted.is_empty() {
        let real = fs::canonicalize(path).map_err(|error| Flaw::Unreadable(error.kind()))?;
        let is_below = |folder: &PathBuf| {
            path.starts_with(folder) && fs::canonicalize(folder).is_ok_and(|folder| real.starts_with(folder))
        };
        if !trusted.iter().any(is_below) {
            return Err(Flaw::Untrusted);
        }
    }
    if metadata.mode() & 0o022 != 0 {
        return Err(Flaw::Writable(metadata.mode() & 0o7777));
    }
    if !is_of(&metadata, owner) {
        return Err(Flaw::Owner(metadata.uid(), whose(owner)));
    }
    way(path, owner)
}

/// The most links on the way to a program, as the kernel follows them.
const LINKS: usize = 40;

/// Holds every folder that is passed on the way to `path`, those that hold a link on it too: whoever may
/// write one of them decides where the way leads.
pub(crate) fn way(path: &Path, owner: u32) -> Result<(), Flaw> {
    let parts = |path: &Path| path.components().map(|part| part.as_os_str().to_owned()).collect();
    let mut rest: VecDeque<OsString> = parts(path);
    let mut at = PathBuf::new();
    let mut links = 0;
    while let Some(part) = rest.pop_front() {
        if part == ".." {
            at.pop();
            continue;
        }
        let next = at.join(part);
        let unreadable = |error: io::Error| Flaw::FolderUnreadable(next.clone(), error.kind());
        if fs::symlink_metadata(&next).map_err(unreadable)?.is_symlink() {
            links += 1;
            if links > LINKS {
                return Err(Flaw::FolderUnreadable(next, io::Error::from(rustix::io::Errno::LOOP).kind()));
            }
            let mut target: VecDeque<OsString> = parts(&fs::read_link(&next).map_err(unreadable)?);
            target.append(&mut rest);
            rest = target;
        } else if !rest.is_empty() {
            folder(&next, owner)?;
            at = next;
        }
    }
    Ok(())
}

/// A folder that others may write is safe only if its sticky bit keeps them from what they do not own.
fn folder(folder: &Path, owner: u32) -> Result<(), Flaw> {
    let metadata =
        fs::metadata(folder).map_err(|error| Flaw::FolderUnreadable(folder.to_owned(), error.kind()))?;
    let mode = metadata.mode();
    if mode & 0o022 != 0 && mode & 0o1000 == 0 {
        return Err(Flaw::FolderWritable(folder.to_owned(), mode & 0o7777));
    }
    if !is_of(&metadata, owner) {
        return Err(Flaw::FolderOwner(folder.to_owned(), metadata.uid(), whose(owner)));
    }
    Ok(())
}

fn is_of(metadata: &Metadata, owner: u32) -> bool {
    metadata.uid() == 0 || metadata.uid() == owner
}

const fn whose(owner: u32) -> &'static str {
    if owner == 0 { "root" } else { "root or to this user" }
}

/// Heads of macOS programs.
const MACH_O: [[u8; 4]; 3] = [[0xcf, 0xfa, 0xed, 0xfe], [0xce, 0xfa, 0xed, 0xfe], [0xca, 0xfe, 0xba, 0xbe]];

/// A file without a head that the system knows would be run by a shell.
fn startable(command: &Path) -> Result<(), Flaw> {
    let unreadable = |error: io::Error| Flaw::Unreadable(error.kind());
    if fs::metadata(command).map_err(unreadable)?.mode() & 0o111 == 0 {
        return Err(Flaw::NotExecutable);
    }
    if rustix::fs::access(command, rustix::fs::Access::EXEC_OK).is_err() {
        return Err(Flaw::NotForThisUser);
    }
    let mut head = Vec::new();
    match fs::File::open(command) {
        Ok(file) => file.take(4).read_to_end(&mut head).map_err(unreadable)?,
        // A program may be run and not read.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
        Err(error) => return Err(unreadable(error)),
    };
    let known = head.starts_with(b"#!") || head == *b"\x7fELF" || MACH_O.iter().any(|magic| head == *magic);
    if known { Ok(()) } else { Err(Flaw::Headless) }
}

/// Interpreters whose arguments may be scripts (OpenClaw contract 1.6).
const INTERPRETERS: [&str; 13] = [
    "bash",
    "bun",
    "deno",
    "fish",
    "node",
    "perl",
    "powershell",
    "pwsh",
    "python",
    "python3",
    "ruby",
    "sh",
    "zsh",
];

/// The arguments that look like scripts, and the values behind `=` that do, if the program is an interpreter.
///
/// `python3.11` and `dash`, which the contract does not name, are looked at too, but for the text
/// behind `-c` and `-e`, which is a program and no path.
fn scripts<'a>(name: &str, args: &'a [String]) -> Vec<&'a str> {
    let named = INTERPRETERS.contains(&name);
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !named && !INTERPRETERS.contains(&stem) && !matches!(stem, "dash" | "ksh" | "nodejs") {
        return Vec::new();
    }
    let mut code = false;
    let mut found = Vec::new();
    for arg in args {
        if named || !code {
            let value = arg.strip_prefix("--").and_then(|rest| rest.split_once('=')).map(|(_, value)| value);
            found.extend([value.unwrap_or(arg)].into_iter().filter(|text| looks_like_a_script(text)));
        }
        code = matches!(arg.as_str(), "-c" | "-e");
    }
    found
}

fn looks_like_a_script(text: &str) -> bool {
    text.starts_with(['/', '.']) || text.contains(['/', '\\']) || is_script_name(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, args: &[&str]) -> Vec<String> {
        let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
        scripts(name, &args).into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn whose_programs_count_hangs_on_whose_file_names_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("check");
        fs::write(&path, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let me = rustix::process::geteuid().as_raw();
        if me != 0 || std::os::unix::fs::chown(&path, Some(65534), None).is_err() {
            eprintln!("not run: giving a file to another user needs root");
            return;
        }
        assert!(file(&path, &[], 65534).is_ok());
        assert_eq!(file(&path, &[], 0).unwrap_err().to_string(), "belongs to user 65534, not to root");
        let other = file(&path, &[], 65533).unwrap_err().to_string();
        assert_eq!(other, "belongs to user 65534, not to root or to this user");
    }

    #[test]
    fn arguments_that_look_like_scripts_are_found() {
        assert_eq!(of("python3", &["-u", "check.py", "--x=/opt/a", "plain"]), ["check.py", "/opt/a"]);
        assert_eq!(of("node", &["./a", "b\\c", "--import=hook.mjs"]), ["./a", "b\\c", "hook.mjs"]);
        assert_eq!(of("bash", &["-c", "cat >/dev/null"]), ["cat >/dev/null"]);
        assert_eq!(of("dash", &["-c", "cat >/dev/null", "/opt/x"]), ["/opt/x"]);
        assert_eq!(of("python3.11", &["/opt/x.py"]), ["/opt/x.py"]);
        assert_eq!(of("perl", &["-I/opt/lib", "-Mevil"]), ["-I/opt/lib"]);
        assert_eq!(of("node", &["-r/opt/hook", "--require", "hook.cjs"]), ["-r/opt/hook", "hook.cjs"]);
        assert!(of("check", &["/opt/x.py"]).is_empty());
    }
}
