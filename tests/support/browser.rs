//! A browser of a few lines: it follows what it is told to, keeps one cookie, and sends forms as pages have them.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use url::Url;
use url::form_urlencoded::Serializer;

use super::Registry;

/// Somebody with a browser at a registry.
pub(crate) struct Browser {
    host: String,
    cookie: Option<String>,
}

/// What a browser was answered.
pub(crate) struct Page {
    pub(crate) status: u16,
    pub(crate) location: Option<String>,
    pub(crate) text: String,
}

impl Browser {
    pub(crate) fn at(registry: &Registry) -> Self {
        let url = Url::parse(&registry.url()).unwrap();
        Self { host: format!("127.0.0.1:{}", url.port().unwrap()), cookie: None }
    }

    /// Opens an address of the registry, whole or from its root.
    pub(crate) fn open(&mut self, address: &str) -> Page {
        let path = address.split_once("://").map_or(address, |(_, rest)| &rest[rest.find('/').unwrap()..]);
        self.send(&format!("GET {path} HTTP/1.0\r\n"), "")
    }

    /// Sends the form of a page that goes to `action`, with what a person wrote into it.
    pub(crate) fn submit(&mut self, page: &Page, action: &str, written: &[(&str, &str)]) -> Page {
        let body =
            Serializer::new(String::new()).extend_pairs(page.hidden(action)).extend_pairs(written).finish();
        let head = format!(
            "POST {action} HTTP/1.0\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\
             Sec-Fetch-Site: same-origin\r\n",
            body.len()
        );
        self.send(&head, &body)
    }

    fn send(&mut self, head: &str, body: &str) -> Page {
        let cookie = self.cookie.as_ref().map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        let request = format!("{head}Host: {}\r\n{cookie}Connection: close\r\n\r\n{body}", self.host);
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, text) = answer.split_once("\r\n\r\n").unwrap();
        let header = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(": "));
            lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
        };
        if let Some(set) = header("set-cookie") {
            let pair = set.split(';').next().unwrap();
            self.cookie = (!pair.ends_with('=')).then(|| pair.to_owned());
        }
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Page { status, location: header("location"), text: text.to_owned() }
    }
}

impl Page {
    /// The hidden fields of its form that goes to `action`.
    fn hidden(&self, action: &str) -> Vec<(String, String)> {
        let start = self.text.find(&format!(r#"action="{action}""#));
        let start = start.unwrap_or_else(|| panic!("no form goes to {action}:\n{}", self.text));
        let form = self.text[start..].split("</form>").next().unwrap();
        let fields = form.split(r#"type="hidden" name=""#).skip(1);
        let text = |rest: &str| rest.split('"').next().unwrap().to_owned();
        fields.map(|field| (text(field), text(field.split(r#"value=""#).nth(1).unwrap()))).collect()
    }
}
