//! The local server of the viewer.
//!
//! It listens on the loopback address at a free port, answers only requests that
//! name it as their host (so that no other site can reach it through a name it
//! controls) and whose path starts with a random token, and knows a fixed list of
//! resources: no request reaches the file system. Connections and their limits: `http.rs`.

use super::http::{Answer, Head, Request, Server, text};
use crate::failure::Failure;
use flexura_output::{SCRIPT, STYLE, Scene, bytes_f32, bytes_f64, served_page};
use serde_json::json;
use std::collections::HashMap;
use std::time::Duration;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      connect-src 'self'; img-src 'self' data: blob:";

/// What a page sent back.
pub enum Message {
    /// Picture number and its PNG file.
    Picture(usize, Vec<u8>),
    /// All pictures were sent; what their colours and arrows mean.
    Done(String),
    /// The page could not go on.
    Failed(String),
}

/// A listening server.
pub struct Local {
    server: Server,
    token: String,
}

impl Local {
    /// Listens on the loopback address.
    pub fn start(port: u16) -> Result<Self, Failure> {
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| Failure::File(format!("no random token: {error}")))?;
        let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let headers = vec![
            ("Content-Security-Policy", POLICY),
            ("Cache-Control", "no-store"),
            ("Referrer-Policy", "no-referrer"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ];
        let known = token.clone();
        let server = Server::start(port, headers, |port| Box::new(move |head| permitted(head, port, &known)))
            .map_err(|error| Failure::File(format!("cannot listen on 127.0.0.1:{port}: {error}")))?;
        Ok(Self { server, token })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.server.port(), self.token)
    }

    /// Answers requests; stops when `receive` returns false or `patience` runs out between requests.
    ///
    /// `other` is a second result that the page lays over the first, under `other/`.
    /// Returns whether it stopped because it was told to.
    pub fn serve(
        &self,
        scene: &mut Scene,
        other: Option<&Other>,
        patience: Option<Duration>,
        mut receive: impl FnMut(Message) -> bool,
    ) -> Result<bool, Failure> {
        while let Some(mut request) = self.server.next(patience) {
            let message = message(&mut request);
            if resource(&request.head).0 == "growth" {
                scene.refresh();
            }
            let answer = answer(scene, other, &request.head, message.is_some());
            request.respond(answer);
            if message.is_some_and(|message| !receive(message)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Nothing for a request with the right host and token, else what it is told.
fn permitted(head: &Head, port: u16, token: &str) -> Result<(), Answer> {
    if head.host != format!("127.0.0.1:{port}") && head.host != format!("localhost:{port}") {
        return Err(text(421, "this server answers only as 127.0.0.1 or localhost"));
    }
    let path = head.target.split('?').next().unwrap_or_default();
    let first = path.strip_prefix('/').unwrap_or_default().split('/').next().unwrap_or_default();
    if same(first, token) { Ok(()) } else { Err(text(403, "open the address that `flexura view` printed")) }
}

/// Resource and query of a permitted request.
fn resource(head: &Head) -> (&str, HashMap<&str, &str>) {
    let (path, query) = head.target.split_once('?').unwrap_or((&head.target, ""));
    let name = path.splitn(3, '/').nth(2).unwrap_or_default();
    (name, query.split('&').filter_map(|pair| pair.split_once('=')).collect())
}

/// The message of an upload; a body that was cut off is a failure of the page.
fn message(request: &mut Request) -> Option<Message> {
    let (name, query) = resource(&request.head);
    if request.head.method != "POST" {
        return None;
    }
    let number = number(&query, "number");
    let name = name.to_owned();
    let known = matches!((name.as_str(), number), ("picture", Some(_)) | ("done" | "failed", _));
    let Some(body) = request.body.take() else {
        return known.then(|| Message::Failed("the page stopped in the middle of a picture".into()));
    };
    let words = |body: Vec<u8>| String::from_utf8_lossy(&body).into_owned();
    match (name.as_str(), number) {
        ("picture", Some(number)) => Some(Message::Picture(number, body)),
        ("done", _) => Some(Message::Done(words(body))),
        ("failed", _) => Some(Message::Failed(words(body))),
        _ => None,
    }
}

/// What a permitted request is answered.
fn answer(scene: &Scene, other: Option<&Other>, head: &Head, received: bool) -> Answer {
    let (name, query) = resource(head);
    match head.method.as_str() {
        "GET" => {}
        "POST" if received => return text(200, "received"),
        "POST" => return text(404, "no such resource"),
        _ => return text(405, "only GET and POST"),
    }
    match (name, name.strip_prefix("other/"), other) {
        ("", ..) => page("text/html; charset=utf-8", served_page("result").into_bytes()),
        ("viewer.js", ..) => page("text/javascript; charset=utf-8", SCRIPT.into()),
        ("viewer.css", ..) => page("text/css; charset=utf-8", STYLE.into()),
        ("scene", _, Some(other)) => {
            let mut description = scene.description();
            description["other"] = json!(other.name);
            page("application/json", description.to_string().into_bytes())
        }
        ("growth", ..) => {
            let mut state =
                json!({ "rows": scene.rows(), "growing": scene.growing, "complete": scene.complete });
            if !scene.growing {
                state["verdicts"] = scene.verdicts().clone();
            }
            page("application/json", state.to_string().into_bytes())
        }
        (_, Some(name), Some(other)) => data(&other.scene, name, &query),
        _ => data(scene, name, &query),
    }
}

/// A second result and what the page calls it.
pub struct Other {
    /// The name.
    pub name: String,
    /// The result.
    pub scene: Scene,
}

/// What a scene holds under `name`.
fn data(scene: &Scene, name: &str, query: &HashMap<&str, &str>) -> Answer {
    let binary = |body| Answer { status: 200, kind: "application/octet-stream", body };
    match name {
        "scene" => page("application/json", scene.description().to_string().into_bytes()),
        "times" => binary(bytes_f64(&scene.times)),
        "frames" => {
            let rows = scene.rows();
            let start = number(query, "start").unwrap_or(0).min(rows);
            let end = start.saturating_add(number(query, "count").unwrap_or(rows)).min(rows);
            binary(bytes_f32(&scene.frames[start * scene.width..end * scene.width]))
        }
        "channel" => match number(query, "index").and_then(|index| scene.channel(index)) {
            Some(values) => binary(bytes_f32(&values)),
            None => text(404, "no such channel"),
        },
        _ => text(404, "no such resource"),
    }
}

/// Equality whose time does not tell how much of a guess was right.
fn same(guess: &str, token: &str) -> bool {
    let pairs = guess.bytes().zip(token.bytes());
    guess.len() == token.len() && pairs.fold(0, |found, (a, b)| found | (a ^ b)) == 0
}

fn number(query: &HashMap<&str, &str>, key: &str) -> Option<usize> {
    query.get(key)?.parse().ok()
}

fn page(kind: &'static str, body: Vec<u8>) -> Answer {
    Answer { status: 200, kind, body }
}
