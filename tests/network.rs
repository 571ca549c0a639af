//! Which way requests go.

use std::net::TcpListener;

use crate::support::{Registry, Sandbox, Skill};

#[test]
fn a_token_for_this_machine_never_goes_through_a_proxy_in_clear() {
    let registry = Registry::start();
    let author = Sandbox::publisher(&registry, "acme");
    Skill::new("github").publish(&author, "1.0.0").success();
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    proxy.set_nonblocking(true).unwrap();
    let url = format!("http://{}", proxy.local_addr().unwrap());
    for args in [&["whoami"][..], &["search", "github"], &["install", "github"]] {
        let mut command = author.command();
        for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY", "https_proxy"] {
            command.env(name, &url);
        }
        author.run(command.args(args)).success();
        let came = proxy.accept().map(|(_, from)| from);
        assert!(came.is_err(), "{args:?} asked the proxy");
    }
}
