//! Webhooks: told once, signed, tried again, and never sent to where nobody may have this registry ask.

mod pages;
mod refused;
mod retried;
mod told;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};

use crate::support::{Caller, TestRegistry};

const HOOKS: &str = "/api/registry/v1/publishers/ada/webhooks";
/// Receivers of tests are on this machine.
const LOCAL: &str = "outbound.allow = \"127.0.0.0/8\"";

/// Whoever is told.
#[derive(Clone, Default)]
struct Receiver {
    got: Arc<Mutex<Vec<(HeaderMap, String)>>>,
    /// What is answered next; 200 when there is nothing.
    answers: Arc<Mutex<VecDeque<u16>>>,
}

impl Receiver {
    async fn start(answers: impl IntoIterator<Item = u16>) -> (Self, SocketAddr) {
        let this = Self { answers: Arc::new(Mutex::new(answers.into_iter().collect())), ..Self::default() };
        let router = Router::new().fallback(take).with_state(this.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        (this, address)
    }

    fn got(&self) -> Vec<(HeaderMap, String)> {
        self.got.lock().unwrap().clone()
    }

    /// What it got, once it is that much.
    async fn once_got(&self, count: usize) -> Vec<(HeaderMap, String)> {
        loop {
            let got = self.got();
            if got.len() >= count {
                return got;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

async fn take(State(receiver): State<Receiver>, headers: HeaderMap, body: String) -> StatusCode {
    receiver.got.lock().unwrap().push((headers, body));
    let answer = receiver.answers.lock().unwrap().pop_front().unwrap_or(200);
    StatusCode::from_u16(answer).unwrap()
}

/// A webhook of `ada` at an address, with its secret.
async fn hook(caller: &Caller, address: SocketAddr, kinds: &[&str]) -> (String, String) {
    let body = json!({ "url": format!("http://{address}/hook?key=1"), "kinds": kinds });
    let made = caller.post(HOOKS, &body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    (made["id"].as_str().unwrap().to_owned(), made["secret"].as_str().unwrap().to_owned())
}

/// The deliveries of a webhook, once they are as wanted.
async fn once(caller: &Caller, id: &str, wanted: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    loop {
        let list = caller.get(&format!("{HOOKS}/{id}/deliveries")).await.json();
        let list = list["deliveries"].as_array().unwrap().clone();
        if wanted(&list) {
            return list;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn body(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Everything that a database holds, as text.
async fn rows(registry: &TestRegistry, sql: &'static str) -> Vec<String> {
    use sqlx::Row as _;
    let mut conn = registry.app.db().read().await.unwrap();
    let rows = sqlx::query(sql).fetch_all(&mut *conn).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}
