//! Repositories of one test, and a server that gives them over smart HTTP.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A repository with a work tree, in a folder of its own; its `r.git` is what is cloned.
pub(crate) struct Repo {
    folder: tempfile::TempDir,
}

impl Repo {
    /// One without a commit.
    pub(crate) fn new() -> Self {
        Self::of_format("sha1")
    }

    /// One whose objects are named by this digest.
    pub(crate) fn of_format(format: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("git-").tempdir().unwrap();
        let repo = Self { folder };
        fs_err::create_dir(repo.work()).unwrap();
        let format = format!("--object-format={format}");
        repo.git(&["init", "--quiet", &format, "--initial-branch=main", "--separate-git-dir=../r.git", "."]);
        for (key, value) in
            [("user.name", "Test"), ("user.email", "test@localhost"), ("uploadpack.allowFilter", "true")]
        {
            repo.git(&["config", key, value]);
        }
        repo
    }

    /// One with a skill at each of `paths`, committed; the empty path is the root.
    pub(crate) fn with(paths: &[&str]) -> Self {
        let repo = Self::new();
        for path in paths {
            repo.skill(path, "");
        }
        repo.commit("first");
        repo
    }

    /// Writes a skill at `path` that is called after its last name and ends in `more`.
    pub(crate) fn skill(&self, path: &str, more: &str) {
        let name = path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("rooty");
        let text = format!(
            "---\nname: {name}\ndescription: Helps with {name}. Use it when {name} comes up.\n---\n\n# {name}\n{more}"
        );
        let file = if path.is_empty() { "SKILL.md".to_owned() } else { format!("{path}/SKILL.md") };
        self.write(&file, text);
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// The folder that the server serves.
    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    /// `git:` and the path of the repository.
    pub(crate) fn reference(&self) -> String {
        format!("git:{}", self.folder.path().join("r.git").display())
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.work().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, content).unwrap();
    }

    pub(crate) fn script(&self, path: &str, content: &str) {
        self.write(path, content);
        fs_err::set_permissions(self.work().join(path), std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub(crate) fn link(&self, path: &str, target: &str) {
        let path = self.work().join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    /// Commits everything; gives the commit.
    pub(crate) fn commit(&self, message: &str) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", message]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Keeps an object of any content, however wrong it is; gives its name.
    #[track_caller]
    pub(crate) fn object(&self, kind: &str, content: &[u8]) -> String {
        let mut child = Command::new("git")
            .args(["hash-object", "-w", "--stdin", "--literally", "-t", kind])
            .current_dir(self.work())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(content).unwrap();
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success());
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    }

    /// Runs git in the work tree, without any configuration of the machine; gives what it says.
    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> String {
        let out = Command::new("git")
            .args(args)
            .current_dir(self.work())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(out.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8(out.stdout).unwrap().trim().to_owned()
    }
}

/// Bytes that do not compress.
pub(crate) fn noise(len: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    fs_err::File::open("/dev/urandom").unwrap().take(len).read_to_end(&mut bytes).unwrap();
    bytes
}

/// How a server answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// Everybody gets everything.
    Open,
    /// Only user `u` with password `secret-p4ss`.
    Private,
    /// Protocol version 0: objects are given by the names of refs only.
    Old,
    /// Connections are taken and never answered.
    Silent,
}

/// A server on loopback that gives the repositories below a folder.
pub(crate) struct GitServer {
    port: u16,
    sent: Arc<AtomicU64>,
}

impl GitServer {
    pub(crate) fn start(root: &Path, manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { port: listener.local_addr().unwrap().port(), sent: Arc::new(AtomicU64::new(0)) };
        let (root, sent) = (root.to_path_buf(), Arc::clone(&server.sent));
        // It ends with the process of the tests.
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming().flatten() {
                if manner == Manner::Silent {
                    held.push(stream);
                    continue;
                }
                let (root, sent) = (root.clone(), Arc::clone(&sent));
                std::thread::spawn(move || {
                    // A client that goes away is no concern of the server.
                    let _ = serve(stream, &root, manner, &sent);
                });
            }
        });
        server
    }

    /// `http://127.0.0.1:PORT` and a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same with a user and a password.
    pub(crate) fn url_with(&self, user: &str, path: &str) -> String {
        format!("http://{user}@127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Bytes sent so far.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::SeqCst)
    }
}

/// `u:secret-p4ss`
const ALLOWED: &str = "Basic dTpzZWNyZXQtcDRzcw==";

fn serve(stream: TcpStream, root: &Path, manner: Manner, sent: &AtomicU64) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let header = |name: &str| {
        headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str()).to_owned()
    };
    let mut body = vec![0; header("content-length").parse().unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let answer = if manner == Manner::Private && header("authorization") != ALLOWED {
        b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            .to_vec()
    } else {
        let mut words = first.split(' ');
        let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if let Some(bytes) = plain_file(root, path) {
            [&b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"[..], &bytes].concat()
        } else {
            let asked = |name: &str| match name {
                "git-protocol" if manner == Manner::Old => String::new(),
                name => header(name),
            };
            backend(root, (method, path, query), &asked, &body)?
        }
    };
    sent.fetch_add(answer.len() as u64, Ordering::SeqCst);
    let mut stream = stream;
    stream.write_all(&answer)
}

/// A file below `files/`.
fn plain_file(root: &Path, path: &str) -> Option<Vec<u8>> {
    fs_err::read(root.join("files").join(path.trim_start_matches('/'))).ok()
}

/// What git's own server program answers (gitprotocol-http(5)).
fn backend(
    root: &Path,
    (method, path, query): (&str, &str, &str),
    header: &dyn Fn(&str) -> String,
    body: &[u8],
) -> std::io::Result<Vec<u8>> {
    let mut child = Command::new("git")
        .arg("http-backend")
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", method)
        .env("CONTENT_TYPE", header("content-type"))
        .env("CONTENT_LENGTH", body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", header("content-encoding"))
        .env("GIT_PROTOCOL", header("git-protocol"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut stdin = child.stdin.take().unwrap();
    let body = body.to_vec();
    let feeder = std::thread::spawn(move || stdin.write_all(&body));
    let mut out = Vec::new();
    child.stdout.take().unwrap().read_to_end(&mut out)?;
    let _ = feeder.join();
    child.wait()?;
    let status = if out.starts_with(b"Status: ") {
        let end = out.iter().position(|&byte| byte == b'\r').unwrap_or(out.len());
        String::from_utf8_lossy(&out[8..end]).into_owned()
    } else {
        "200 OK".to_owned()
    };
    Ok([format!("HTTP/1.1 {status}\r\nConnection: close\r\n").as_bytes(), &out].concat())
}
