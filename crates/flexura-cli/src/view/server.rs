//! The local server of the viewer.
//!
//! It listens on the loopback address at a free port, answers only requests that
//! name it as their host (so that no other site can reach it through a name it
//! controls) and whose path starts with a random token, and knows a fixed list of
//! resources: no request reaches the file system.

use crate::failure::Failure;
use flexura_output::{SCRIPT, STYLE, Scene, bytes_f32, bytes_f64, served_page};
use serde_json::json;
use std::collections::HashMap;
use std::io::Read;
use std::time::Duration;
use tiny_http::{Header, Method, Request, Response, Server};

/// Largest picture a page may send back (bytes).
const LARGEST_UPLOAD: u64 = 256 << 20;
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
    port: u16,
    token: String,
}

struct Answer {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Local {
    /// Listens on the loopback address.
    pub fn start(port: u16) -> Result<Self, Failure> {
        let server = Server::http(("127.0.0.1", port))
            .map_err(|error| Failure::File(format!("cannot listen on 127.0.0.1:{port}: {error}")))?;
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        let mut bytes = [0u8; 16];
        getrandom::fill(&mut bytes).map_err(|error| Failure::File(format!("no random token: {error}")))?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { server, port, token })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
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
        let broken = |error| Failure::File(format!("the local server stopped: {error}"));
        loop {
            let request = match patience {
                None => self.server.recv().map_err(broken)?,
                Some(patience) => match self.server.recv_timeout(patience).map_err(broken)? {
                    Some(request) => request,
                    None => return Ok(false),
                },
            };
            let (request, message) = self.read(request);
            if request.url().ends_with("/growth") {
                scene.refresh();
            }
            let answer = self.answer(scene, other, &request, message.is_some());
            // A page that went away needs no answer.
            let _ = request.respond(response(answer));
            if message.is_some_and(|message| !receive(message)) {
                return Ok(true);
            }
        }
    }

    /// What a request without the right host or token is told, or its resource and query.
    fn resource<'a>(&self, request: &'a Request) -> Result<(&'a str, HashMap<&'a str, &'a str>), Answer> {
        let host = request.headers().iter().find(|header| header.field.equiv("Host"));
        let host = host.map_or("", |header| header.value.as_str());
        if host != format!("127.0.0.1:{}", self.port) && host != format!("localhost:{}", self.port) {
            return Err(text(421, "this server answers only as 127.0.0.1 or localhost"));
        }
        let (path, query) = request.url().split_once('?').unwrap_or((request.url(), ""));
        let mut parts = path.strip_prefix('/').unwrap_or_default().splitn(2, '/');
        if !same(parts.next().unwrap_or_default(), &self.token) {
            return Err(text(403, "open the address that `flexura view` printed"));
        }
        let query = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        Ok((parts.next().unwrap_or_default(), query))
    }

    /// The message of an upload, if the request is a permitted one.
    fn read(&self, mut request: Request) -> (Request, Option<Message>) {
        let message = match self.resource(&request) {
            Ok((name, query)) if *request.method() == Method::Post => match name {
                "picture" => number(&query, "number").map(|number| Message::Picture(number, Vec::new())),
                "done" => Some(Message::Done(String::new())),
                "failed" => Some(Message::Failed(String::new())),
                _ => None,
            },
            _ => None,
        };
        let mut body = Vec::new();
        if message.is_some() && request.as_reader().take(LARGEST_UPLOAD).read_to_end(&mut body).is_err() {
            return (request, Some(Message::Failed("the page stopped in the middle of a picture".into())));
        }
        let message = message.map(|message| match message {
            Message::Picture(number, _) => Message::Picture(number, body),
            Message::Failed(_) => Message::Failed(String::from_utf8_lossy(&body).into_owned()),
            Message::Done(_) => Message::Done(String::from_utf8_lossy(&body).into_owned()),
        });
        (request, message)
    }

    fn answer(&self, scene: &Scene, other: Option<&Other>, request: &Request, received: bool) -> Answer {
        let (name, query) = match self.resource(request) {
            Ok(found) => found,
            Err(refusal) => return refusal,
        };
        if *request.method() == Method::Post {
            return if received { text(200, "received") } else { text(404, "no such resource") };
        }
        if *request.method() != Method::Get {
            return text(405, "only GET and POST");
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
                let state =
                    json!({ "rows": scene.rows(), "growing": scene.growing, "complete": scene.complete });
                page("application/json", state.to_string().into_bytes())
            }
            (_, Some(name), Some(other)) => data(&other.scene, name, &query),
            _ => data(scene, name, &query),
        }
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

fn text(status: u16, words: &str) -> Answer {
    Answer { status, kind: "text/plain; charset=utf-8", body: words.into() }
}

fn response(answer: Answer) -> Response<std::io::Cursor<Vec<u8>>> {
    let mut out = Response::from_data(answer.body).with_status_code(answer.status);
    let headers = [
        ("Content-Type", answer.kind),
        ("Content-Security-Policy", POLICY),
        ("Cache-Control", "no-store"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ];
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            out.add_header(header);
        }
    }
    out
}
