//! Serving: the first line, the first token, the stop, the kill.

use std::io::Read as _;
use std::time::Duration;

use insta::assert_snapshot;
use skill_registry::auth::TokenText;

use crate::support::program::{Server, run, until};

#[test]
fn it_says_where_it_listens_and_shows_the_first_token_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let first = Server::start(&data, &[]);
    assert!(first.get("/healthz").ends_with("\r\n\r\nok\n"));
    until(|| first.get("/readyz").contains("\"ready\":true"));
    let url = first.url.clone();
    let ended = first.stop("-TERM");
    assert_eq!(ended.code, Some(0));
    assert_eq!(ended.stdout, "");
    let token = ended.stderr.split("shown this once: ").nth(1).unwrap().lines().next().unwrap();
    assert!(token.parse::<TokenText>().is_ok());
    let root = fs_err::read(data.join("trust/root/1.json")).unwrap();
    let id = skill_trust::Root::registry_id(&root).to_string();
    let said: Vec<&str> = ended.stderr.lines().filter(|line| !line.contains(" INFO ")).collect();
    let link = ended.stderr.split("/sign-in/link/").nth(1).unwrap().lines().next().unwrap();
    assert!(link.starts_with("skl_") && link.len() == 68);
    let said =
        said.join("\n").replace(token, "TOKEN").replace(link, "LINK").replace(&id, "ID").replace(&url, "URL");
    assert_snapshot!(said.replace(data.to_str().unwrap(), "DIR"), @r"
    made registry ID
      in DIR

    token of admin, shown this once: TOKEN

    next, on the machine where skills are written:
      skill registry add URL
      skill login --token -         (then the token and a line end)

    or in a browser, once and within a day:
      URL/sign-in/link/LINK

    an account for somebody else:
      skill-registry user add NAME --data DIR
      skill-registry token create --user NAME --data DIR
    ");

    let second = Server::start(&data, &[]);
    let ended = second.stop("-INT");
    assert_eq!(ended.code, Some(0));
    assert!(!ended.stderr.contains("skr_") && !ended.stderr.contains("skl_"), "{}", ended.stderr);
}

#[test]
fn a_second_server_and_an_open_address_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let first = Server::start(&data, &[]);
    let flags = ["serve", "--data", data.to_str().unwrap(), "--listen"];
    let second = run(&[&flags[..], &["127.0.0.1:0"]].concat());
    assert_snapshot!(second.shown(&data), @r"
    1
    error: another skill-registry serves DIR
      because: one folder is served by one process at a time
    ");
    let taken = run(&[&flags[..], &[first.url.strip_prefix("http://").unwrap()]].concat());
    assert_eq!(taken.code, Some(1));
    assert!(taken.stderr.starts_with("error: cannot listen on 127.0.0.1:"), "{}", taken.stderr);

    let other = folder.path().join("other");
    let open = run(&["serve", "--data", other.to_str().unwrap(), "--listen", "0.0.0.0:0"]);
    assert_snapshot!(open.shown(&other), @r"
    2
    error: 0.0.0.0:0 is reachable from other machines, and public_url is not set
      because: clients, archives and signed pages have to be told one URL, and only you know it
    hint: add `--public-url https://skills.example.com`, or listen on 127.0.0.1
    ");
    assert!(!other.exists());
}

#[test]
fn the_log_is_json_if_wanted_and_knows_no_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("settings.toml");
    fs_err::write(&settings, "log.format = 'json'\n").unwrap();
    let data = folder.path().join("data");
    Server::start(&data, &[]).stop("-TERM");
    let server = Server::start(&data, &["--config", settings.to_str().unwrap()]);
    server.get("/healthz?token=skr_secret");
    let ended = server.stop("-TERM");
    let lines: Vec<serde_json::Value> =
        ended.stderr.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect();
    let answered = lines.iter().find(|line| line["message"] == "answered").unwrap();
    assert_eq!(answered["status"], 200);
    assert_eq!(answered["span"]["path"], "/healthz");
    assert_eq!(answered["span"]["id"].as_str().unwrap().len(), 32);
    assert!(!ended.stderr.contains("skr_secret"));
}

/// Killed at any moment of its first start, the registry is whole after the next one, with one id.
#[test]
fn a_first_start_that_is_killed_again_and_again_ends_well() {
    let folder = tempfile::tempdir().unwrap();
    let mut ids = Vec::new();
    for round in 0..24_u64 {
        let data = folder.path().join((round % 4).to_string());
        let mut child = Server::spawn(&data, &[]);
        std::thread::sleep(Duration::from_millis(4 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let root = data.join("trust/root/1.json");
        if root.exists() {
            ids.push((data, skill_trust::Root::registry_id(&fs_err::read(root).unwrap())));
        }
    }
    for number in 0..4 {
        let data = folder.path().join(number.to_string());
        let server = Server::start(&data, &[]);
        until(|| server.get("/readyz").contains("\"ready\":true"));
        let flags = ["token", "list", "--json", "--data", data.to_str().unwrap()];
        until(|| run(&flags).stdout.matches("\"good\"").count() == 1);
        server.stop("-TERM");
        let kept = skill_trust::Root::registry_id(&fs_err::read(data.join("trust/root/1.json")).unwrap());
        assert!(ids.iter().filter(|(folder, _)| *folder == data).all(|(_, id)| *id == kept));
    }
}

/// A request that runs when the stop comes is answered.
#[test]
fn a_stop_lets_running_requests_end() {
    use std::io::Write as _;
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path(), &[]);
    let address = server.url.strip_prefix("http://").unwrap();
    let mut socket = std::net::TcpStream::connect(address).unwrap();
    write!(socket, "GET /healthz HTTP/1.1\r\n").unwrap();
    // The request is begun once the server has taken the connection.
    std::thread::sleep(Duration::from_millis(300));
    let stopping = std::thread::spawn(move || server.stop("-TERM"));
    std::thread::sleep(Duration::from_millis(300));
    write!(socket, "host: x\r\n\r\n").unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert_eq!(stopping.join().unwrap().code, Some(0));
}
