//! A web site of one test: answers as it is told, and remembers what it was asked.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

/// A server on loopback that ends with the process of the tests.
pub(crate) struct Site {
    port: u16,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Answers each request with what `answer` makes of its path.
    pub(crate) fn start(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let site = Self { port: listener.local_addr().unwrap().port(), seen: Arc::default() };
        let seen = Arc::clone(&site.seen);
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut head, mut line) = (String::new(), String::new());
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    head.push_str(&line);
                    line.clear();
                }
                let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
                seen.lock().unwrap().push(head);
                // A client that goes away is no concern of the site.
                let _ = stream.write_all(&answer(&path));
            }
        });
        site
    }

    /// `http://127.0.0.1:PORT` and a path.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// The same with a user and a password.
    pub(crate) fn url_with(&self, user: &str, path: &str) -> String {
        format!("http://{user}@127.0.0.1:{}{path}", self.port)
    }

    /// The heads of all requests so far, in lower case.
    pub(crate) fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().iter().map(|head| head.to_lowercase()).collect()
    }
}

/// An answer with a body.
pub(crate) fn ok(body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

/// An answer without one; `more` holds whole lines.
pub(crate) fn status(line: &str, more: &str) -> Vec<u8> {
    format!("HTTP/1.1 {line}\r\n{more}Connection: close\r\nContent-Length: 0\r\n\r\n").into_bytes()
}
