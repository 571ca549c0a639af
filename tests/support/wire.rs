//! What lies between `skill` and a registry, and does not always let everything through.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;

use super::Registry;

/// What becomes of a request.
pub(crate) enum Fate {
    /// It arrives, and so does its answer.
    Passes,
    /// It arrives whole, and then the connection breaks at both ends.
    CutAfterBody,
    /// It is answered, and half of the answer is lost.
    CutAfterAnswer,
    /// It arrives twice; the second answer comes back.
    Doubled,
    /// This is the answer, and nothing arrives.
    Answered(Vec<u8>),
}

/// A proxy on loopback that ends with the process of the tests.
pub(crate) struct Wire {
    port: u16,
}

impl Wire {
    /// Between anybody and `registry`; `fate` is asked with the first line of each request (`POST /path HTTP/1.1`).
    pub(crate) fn to(registry: &Registry, fate: impl Fn(&str) -> Fate + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let address = registry.url().strip_prefix("http://").unwrap().to_owned();
        let fate = Arc::new(fate);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (fate, address) = (Arc::clone(&fate), address.clone());
                // Whoever hangs up early is no concern of the wire.
                std::thread::spawn(move || drop(carry(&stream, &address, &*fate)));
            }
        });
        Self { port }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }
}

fn carry(client: &TcpStream, address: &str, fate: &dyn Fn(&str) -> Fate) -> std::io::Result<()> {
    let request = request(client)?;
    let first = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let fate = fate(&String::from_utf8_lossy(first));
    let send = || -> std::io::Result<TcpStream> {
        let mut registry = TcpStream::connect(address)?;
        registry.write_all(&request)?;
        Ok(registry)
    };
    let answer = || -> std::io::Result<Vec<u8>> {
        let mut answer = Vec::new();
        send()?.read_to_end(&mut answer)?;
        Ok(answer)
    };
    let back = match fate {
        Fate::Passes => answer()?,
        Fate::CutAfterBody => {
            drop(send()?);
            Vec::new()
        }
        Fate::CutAfterAnswer => {
            let mut answer = answer()?;
            answer.truncate(answer.len() / 2);
            answer
        }
        Fate::Doubled => {
            answer()?;
            answer()?
        }
        Fate::Answered(answer) => answer,
    };
    let mut client = client;
    client.write_all(&back)?;
    client.shutdown(Shutdown::Both)
}

/// One request with its body, made the last one of its connection.
fn request(client: &TcpStream) -> std::io::Result<Vec<u8>> {
    let mut reader = BufReader::new(client);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? <= 2 {
            break;
        }
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok([head.as_bytes(), b"connection: close\r\n\r\n", &body].concat())
}
