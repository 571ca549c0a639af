//! A client that costs little: HTTP/1.1 over one kept connection, requests as ready bytes.

use std::net::SocketAddr;

use anyhow::{Context as _, bail, ensure};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// One connection that is kept open.
pub(super) struct Exchange {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Exchange {
    pub(super) async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(64 * 1024) })
    }

    /// Sends `request` and reads the answer to its end; it has to have this status.
    pub(super) async fn send(&mut self, request: &[u8], status: u16) -> anyhow::Result<()> {
        self.stream.write_all(request).await?;
        self.buffer.clear();
        let mut whole = None;
        while whole.is_none_or(|whole| self.buffer.len() < whole) {
            ensure!(self.stream.read_buf(&mut self.buffer).await? > 0, "the registry closed the connection");
            if whole.is_none() {
                whole = whole_length(&self.buffer)?;
            }
        }
        let expected = format!("HTTP/1.1 {status} ");
        if !self.buffer.starts_with(expected.as_bytes()) {
            bail!("expected {status}, got {}", String::from_utf8_lossy(&self.buffer));
        }
        Ok(())
    }
}

/// Bytes of head and body, as soon as the head is there.
fn whole_length(answer: &[u8]) -> anyhow::Result<Option<usize>> {
    let Some(end) = answer.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&answer[..end])?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim())
    });
    Ok(Some(end + 4 + length.context("an answer without a length")?.parse::<usize>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_ends_where_its_head_says() {
        let length = |text: &str| whole_length(text.as_bytes());
        assert_eq!(length("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n").unwrap(), None);
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n";
        assert_eq!(length(head).unwrap(), Some(head.len() + 5));
        assert!(length("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").is_err());
        assert!(length("HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n").is_err());
    }
}
