//! A registry behind nginx, with the recipe of `deploy/nginx.conf`.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::engine::skipped;
use crate::support::{Registry, Sandbox, Skill};

/// nginx in front of one registry; it is stopped when this value goes.
struct Nginx {
    port: u16,
    running: Child,
    _folder: tempfile::TempDir,
}

impl Nginx {
    /// Starts it with the recipe, on a port of this machine and without TLS; `None` where it is not installed.
    fn start(port: u16, registry: &Registry) -> Option<Self> {
        if Command::new("nginx").arg("-v").stderr(Stdio::null()).status().is_err() {
            skipped("nginx is not installed");
            return None;
        }
        let folder = tempfile::Builder::new().prefix("nginx-").tempdir().unwrap();
        // Its workers give up being root, and write bodies down in there.
        fs_err::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        fs_err::write(folder.path().join("site.conf"), recipe(port, registry)).unwrap();
        fs_err::write(folder.path().join("nginx.conf"), around(folder.path())).unwrap();
        let mut running = Command::new("nginx")
            .arg("-p")
            .arg(folder.path())
            .arg("-c")
            .arg(folder.path().join("nginx.conf"))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if running.try_wait().unwrap().is_some() || began.elapsed() > Duration::from_secs(20) {
                let mut said = String::new();
                let _ = running.kill();
                running.stderr.take().unwrap().read_to_string(&mut said).unwrap();
                panic!("nginx does not take the recipe: {said}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Self { port, running, _folder: folder })
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Sends a head and a body; gives the status and the whole answer.
    fn ask(&self, line: &str, headers: &[&str], body: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let headers: String = headers.iter().flat_map(|header| [*header, "\r\n"]).collect();
        write!(stream, "{line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{headers}\r\n").unwrap();
        stream.write_all(body).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("no answer: {answer:?}")), answer)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The first process ends the others when it is asked to, and could not if it was killed.
        let pid = self.running.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &pid]).status();
        let _ = self.running.wait();
    }
}

/// The recipe as it stands, but for the port, the certificate and where the registry is.
fn recipe(port: u16, registry: &Registry) -> String {
    let text = fs_err::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/nginx.conf"));
    let lines = text.unwrap();
    let lines = lines.lines().filter(|line| !line.contains("ssl_") && !line.contains("[::]"));
    let lines: Vec<&str> = lines.collect();
    let registry = registry.url().replace("http://", "");
    let recipe = lines
        .join("\n")
        .replace("listen 443 ssl", &format!("listen 127.0.0.1:{port}"))
        .replace("127.0.0.1:8787", &registry);
    assert!(recipe.contains(&registry) && recipe.contains(&port.to_string()), "{recipe}");
    recipe
}

/// What stands around the recipe on a machine. Everybody asks from this one: a header says for whom.
fn around(folder: &Path) -> String {
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {}/{kind};\n", folder.display()))
        .concat();
    format!(
        "daemon off;\npid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}\
         set_real_ip_from 127.0.0.0/8;\nreal_ip_header X-Test-From;\ninclude {folder}/site.conf;\n}}\n",
        folder = folder.display()
    )
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A registry that knows that it is reached through a proxy.
fn behind(port: u16, more: &str) -> Registry {
    let mut registry = Registry::start();
    registry.kill();
    let settings = format!(
        "public_url = 'http://127.0.0.1:{port}'\nserver.trusted_proxies = '127.0.0.1'\n\
         metrics.read = 'public'\n{more}\n"
    );
    fs_err::write(registry.data().join("config.toml"), settings).unwrap();
    registry.restart();
    registry
}

#[test]
fn skills_are_published_and_installed_through_it() {
    let port = free_port();
    let registry = behind(port, "");
    let Some(nginx) = Nginx::start(port, &registry) else { return };
    let author = Sandbox::new();
    author.skill(["registry", "add", &nginx.url(), "--name", "corp"]).success();
    author.skill(["login", "--token", &registry.publisher("acme")]).success();
    // Above what nginx takes where nobody tells it more, and more than packing leaves of it.
    let noise: Vec<String> =
        (0..400_000_u32).map(|n| format!("{:x}", n.wrapping_mul(2_654_435_761))).collect();
    let noise = noise.join("\n");
    Skill::new("github").file("table.txt", noise).publish(&author, "1.0.0").success();
    author.skill(["install", "acme/github@1.0.0"]).success();
    author.skill(["verify"]).success();
}

/// Bug report 111: each client has a count of its own, and nobody gets another one by a header.
#[test]
fn clients_are_told_apart_by_where_they_are() {
    let port = free_port();
    let registry = behind(port, "rate.read.address = 2");
    let Some(nginx) = Nginx::start(port, &registry) else { return };
    let ask = |from: &str, said: &str| {
        let headers = [format!("X-Test-From: {from}"), format!("X-Forwarded-For: {said}")];
        nginx.ask("GET /api/v1/skills", &[&headers[0], &headers[1]], b"").0
    };
    // Retried where the minute turns within: then all that was asked is forgotten.
    let asked = || ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(|said| ask("203.0.113.7", said));
    let statuses = (0..3).map(|_| asked()).find(|statuses| statuses[2] == 429);
    assert!(statuses.is_some(), "whoever says that they are somebody else is believed");
    assert_eq!(ask("203.0.113.8", "203.0.113.7"), 200, "a neighbour pays for it");
}

/// What the registry takes it also gets, to refuse it itself; what is far above that ends at nginx, by its head.
#[test]
fn what_is_too_large_or_not_allowed_is_refused() {
    let port = free_port();
    let registry = behind(port, "");
    let Some(nginx) = Nginx::start(port, &registry) else { return };
    let publish = "POST /api/registry/v1/publish";
    let (status, answer) = nginx.ask(publish, &["Content-Length: 5000000"], &vec![b'0'; 5_000_000]);
    assert_eq!(status, 401, "{answer}");
    assert!(answer.contains("x-request-id"), "the registry did not say so itself: {answer}");
    let (status, answer) = nginx.ask(publish, &["Content-Length: 80000000"], b"");
    assert_eq!(status, 413, "{answer}");
    assert_eq!(nginx.ask("GET /metrics", &[], b"").0, 404);
}
