use std::convert::Infallible;

use axum::body::Body;
use bytes::Bytes;
use http::Method;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value, json};
use skill_bundle::{Bundle, BundleBuilder, Limits, Tree, write_canonical};

use super::{Answer, Caller};

/// A skill about to be published: its files and what is asked of the registry.
#[derive(Debug, Clone)]
pub(crate) struct Skill {
    meta: Map<String, Value>,
    files: Vec<(String, bool, Vec<u8>)>,
}

pub(crate) const BOUNDARY: &str = "boundary-of-the-form";

impl Skill {
    /// A skill with a `SKILL.md` of its own.
    pub(crate) fn new(slug: &str) -> Self {
        let text = format!("---\nname: {slug}\ndescription: What {slug} does\n---\n\n# {slug}\n\nDo it.\n");
        Self { meta: Map::new(), files: Vec::new() }.meta("slug", slug).file("SKILL.md", text)
    }

    pub(crate) fn version(self, version: &str) -> Self {
        self.meta("version", version)
    }

    pub(crate) fn owner(self, owner: &str) -> Self {
        self.meta("owner", owner)
    }

    pub(crate) fn tag(mut self, tag: &str) -> Self {
        let tags = self.meta.entry("tags").or_insert_with(|| json!([]));
        tags.as_array_mut().unwrap().push(json!(tag));
        self
    }

    /// Any key of the request.
    pub(crate) fn meta(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.meta.insert(key.to_owned(), value.into());
        self
    }

    /// Adds a file, or replaces the one at that path.
    pub(crate) fn file(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.add(path, false, content)
    }

    pub(crate) fn script(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        self.add(path, true, content)
    }

    fn add(mut self, path: &str, executable: bool, content: impl AsRef<[u8]>) -> Self {
        self.files.retain(|(known, ..)| known != path);
        self.files.push((path.to_owned(), executable, content.as_ref().to_vec()));
        self
    }

    fn bundle(&self) -> Bundle {
        let mut builder = BundleBuilder::new(Limits::default());
        for (path, executable, content) in &self.files {
            builder.add(path.parse().unwrap(), *executable, content.clone()).unwrap();
        }
        builder.finish().unwrap()
    }

    /// The canonical archive of its files.
    pub(crate) fn archive(&self) -> Vec<u8> {
        let mut archive = Vec::new();
        write_canonical(&self.bundle(), &mut archive).unwrap();
        archive
    }

    /// Asks what would come of publishing it.
    pub(crate) async fn plan(&self, caller: &Caller) -> Answer {
        let meta = self.clone().meta("treeDigest", Tree::of(&self.bundle()).digest().to_string()).meta;
        caller.post("/api/registry/v1/publish/plan", &Value::Object(meta)).await
    }

    /// Publishes it.
    pub(crate) async fn publish(&self, caller: &Caller) -> Answer {
        self.publish_archive(caller, &self.archive()).await
    }

    /// Publishes these bytes as its archive.
    pub(crate) async fn publish_archive(&self, caller: &Caller, archive: &[u8]) -> Answer {
        let meta = Value::Object(self.meta.clone()).to_string();
        let parts = [("meta", meta.as_bytes()), ("archive", archive)];
        send(caller, &form(&parts)).await
    }

    /// Publishes it and expects it to be stored.
    pub(crate) async fn published(&self, caller: &Caller) -> Value {
        let answer = self.publish(caller).await;
        assert_eq!(answer.status, 201, "{}", answer.shown());
        answer.json()
    }
}

/// The body of a form with these parts.
pub(crate) fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, content) in parts {
        body.extend(
            format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n").bytes(),
        );
        body.extend_from_slice(content);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{BOUNDARY}--\r\n").bytes());
    body
}

/// Sends a body to the publish route as that form, in pieces as a socket gives them.
pub(crate) async fn send(caller: &Caller, body: &[u8]) -> Answer {
    let request = caller
        .request(Method::POST, "/api/registry/v1/publish")
        .header(CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"));
    let pieces: Vec<_> =
        body.chunks(4096).map(|piece| Ok::<_, Infallible>(Bytes::copy_from_slice(piece))).collect();
    let body = Body::from_stream(futures_util::stream::iter(pieces));
    caller.send(request.body(body).unwrap()).await
}
