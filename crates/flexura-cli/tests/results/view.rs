//! The viewer's side of the program: what it serves, refuses and saves. The page
//! itself is tested in a browser (viewer/test).

use crate::common::{Folder, block_on_spring, example, has};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A running `flexura view`, ended with the test.
struct View {
    child: Child,
    host: String,
    token: String,
}

impl View {
    fn start(folder: &Folder, file: &str) -> Self {
        let mut command = folder.command(&["view", file, "--no-open"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a started view");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
        let rest = line.trim().strip_prefix("http://").expect("an address");
        let (host, token) = rest.split_once('/').expect("a token");
        Self { host: host.into(), token: token.trim_end_matches('/').into(), child }
    }

    /// Status and body of a request with a given host header.
    fn ask(&self, path: &str, host: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").expect("sent");
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).expect("an answer");
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let status = text.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        (status, text)
    }
}

impl Drop for View {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn result(folder: &Folder) -> &'static str {
    let tail = "[simulation]\nend = 5.0\n[output]\nchannels = [\"energy.total\"]\n";
    folder.write("block.toml", &block_on_spring("40.0", tail));
    folder.succeed(&["run", "block.toml", "-q"]);
    "block.fxr"
}

#[test]
fn only_the_own_host_with_the_token_is_answered() {
    let folder = Folder::new();
    let view = View::start(&folder, result(&folder));
    assert!(view.host.starts_with("127.0.0.1:") && view.token.len() == 32, "{} {}", view.host, view.token);
    let (own, token) = (view.host.as_str(), view.token.as_str());
    let (status, text) = view.ask(&format!("/{token}/"), own);
    assert_eq!(status, 200);
    has(&text, &["viewer.js", "Content-Security-Policy: default-src 'none'", "nosniff"]);
    let (status, text) = view.ask(&format!("/{token}/scene"), own);
    assert_eq!(status, 200);
    has(&text, &["\"rows\":501", "energy.total", "\"name\":\"block\""]);
    for host in ["evil.example", "", "127.0.0.1", "127.0.0.1.evil.example"] {
        assert_eq!(view.ask(&format!("/{token}/scene"), host).0, 421, "{host}");
    }
    for path in ["/", "/scene", "//", "/0/scene", &format!("/{}/scene", &token[..31])] {
        let (status, text) = view.ask(path, own);
        assert_eq!(status, 403, "{path}");
        assert!(!text.contains("energy.total"), "{text}");
    }
    for path in ["../scene", "../../etc/passwd", "..%2f..%2fetc/passwd", "/etc/passwd", "viewer.js/.."] {
        assert_eq!(view.ask(&format!("/{token}/{path}"), own).0, 404, "{path}");
    }
}

#[test]
fn a_saved_page_is_whole_and_keeps_its_budget() {
    let folder = Folder::new();
    let file = result(&folder);
    let text = folder.succeed(&["view", file, "--save", "page.html"]);
    assert!(!text.contains("left out") && !text.contains("kept"), "{text}");
    let page = std::fs::read_to_string(folder.file("page.html")).expect("a page");
    has(&page, &["flexura-data", "default-src 'none'", "energy.total"]);
    // Nothing is loaded from elsewhere.
    assert!(!page.contains("src=\"") && !page.contains("href=\"http") && !page.contains("@import"));
    let size = |bytes: usize| format!("{}", bytes as f64 / 1e6);
    for (less, expected) in [(15_000, "instants were kept"), (25_000, "7 of 8 channels were left out.")] {
        let small =
            folder.succeed(&["view", file, "--save", "small.html", "--budget", &size(page.len() - less)]);
        has(&small, &[expected, "of 501 instants were kept", "The result file holds everything."]);
        assert!(
            std::fs::metadata(folder.file("small.html")).expect("a page").len() as usize <= page.len() - less
        );
    }
    has(&folder.fail(2, &["view", file, "--save", "x.html", "--budget", "0.1"]), &["raise --budget"]);
    has(&folder.fail(2, &["view", file, "--save", file]), &["would replace the file that is read"]);
}

#[test]
fn a_model_is_shown_without_a_run() {
    let folder = Folder::new();
    folder.succeed(&["view", &example("satellite"), "--save", "model.html"]);
    let page = std::fs::read_to_string(folder.file("model.html")).expect("a page");
    has(&page, &["\"rows\":1,", "panel_right"]);
    assert!(!folder.path().join("satellite.fxr").exists(), "looking leaves no files behind");
}

#[test]
fn a_picture_can_be_left_out_and_its_absence_is_explained() {
    let folder = Folder::new();
    let tail = "[simulation]\nend = 0.1\n[output]\npicture = false\nchannels = [\"energy.total\"]\n";
    folder.write("plain.toml", &block_on_spring("40.0", tail));
    folder.succeed(&["run", "plain.toml", "-q"]);
    has(&folder.fail(5, &["view", "plain.fxr"]), &["holds no picture", "picture = true"]);
    has(&folder.fail(5, &["view", "missing.fxr"]), &["missing.fxr"]);
}

/// What only the viewer needs is in the file, but no part of tables nobody asked for.
#[test]
fn poses_for_the_picture_stay_out_of_exports() {
    let folder = Folder::new();
    let file = result(&folder);
    assert_eq!(folder.succeed(&["export", file, "--list"]), "time [s]\nenergy.total [J]\n");
    assert!(folder.succeed(&["export", file]).starts_with("time [s],energy.total [J]\n"));
    let named = folder.succeed(&["export", file, "--channels", "block.position.x"]);
    assert!(named.starts_with("time [s],block.position.x [m]\n0,0.1\n"), "{named}");
}

#[test]
fn pictures_without_a_browser_are_explained() {
    let folder = Folder::new();
    let file = result(&folder);
    let output =
        folder.command(&["view", file, "--png", "film"]).env("FLEXURA_CHROMIUM", "/nowhere").output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(5));
    has(&crate::common::errors(&output), &["install the Debian package `chromium`", "FLEXURA_CHROMIUM"]);
}

impl View {
    /// A connection that gives up waiting after some seconds.
    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(15))).expect("a time limit");
        stream
    }

    /// The status that `request` is answered with; nothing where the connection is closed without one.
    fn status(&self, request: &[u8]) -> Option<u16> {
        let mut stream = self.connect();
        // The server may have answered and closed before all of it is sent.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).split(' ').nth(1)?.parse().ok()
    }

    /// A request with the token that must be answered soon.
    fn is_alive(&self) {
        let started = Instant::now();
        let (status, _) = self.ask(&format!("/{}/growth", self.token), &self.host);
        assert_eq!(status, 200);
        assert!(started.elapsed() < Duration::from_secs(4), "it took {:?}", started.elapsed());
    }

    /// Memory that the server has taken from the machine (kB).
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }
}

/// Lengths that are promised, heads without an end, other protocols: a short refusal, no memory, and the page goes on.
#[cfg(target_os = "linux")]
#[test]
fn strangers_cost_the_viewer_next_to_nothing() {
    let folder = Folder::new();
    let view = View::start(&folder, result(&folder));
    view.is_alive();
    let before = view.memory();
    let (host, token) = (view.host.clone(), view.token.clone());
    let ask = |text: String| view.status(text.as_bytes());
    let huge = "99999999999";
    assert_eq!(ask(format!("GET / HTTP/1.1\r\nHost: evil\r\nContent-Length: {huge}\r\n\r\n")), Some(421));
    assert_eq!(ask(format!("POST / HTTP/1.1\r\nHost: {host}\r\nContent-Length: {huge}\r\n\r\n")), Some(403));
    assert_eq!(
        ask(format!("POST /{token}/done HTTP/1.1\r\nHost: {host}\r\nContent-Length: {huge}\r\n\r\n")),
        Some(413)
    );
    assert_eq!(
        ask(format!("POST /{token}/done HTTP/1.1\r\nHost: {host}\r\nContent-Length: -1\r\n\r\n")),
        Some(400)
    );
    assert_eq!(
        ask(format!("POST /{token}/done HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n")),
        Some(501)
    );
    assert_eq!(ask(format!("GET /{token}/ HTTP/1.1\r\nHost: {host}\r\nHost: evil\r\n\r\n")), Some(400));
    assert_eq!(ask(format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(100_000))), Some(431));
    assert_eq!(ask(format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(20_000))), Some(431));
    assert_eq!(ask("\u{0}\u{1}\r\n\r\n".into()), Some(400));
    assert_eq!(ask("GET / HTTP/2.0\r\n\r\n".into()), Some(400));
    assert_eq!(ask(format!("DELETE /{token}/scene HTTP/1.1\r\nHost: {host}\r\n\r\n")), Some(405));
    // A megabyte sent without a token is not kept.
    let mut body =
        format!("POST /x/picture?number=0 HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1000000\r\n\r\n")
            .into_bytes();
    body.resize(1_000_000, b'x');
    for _ in 0..20 {
        view.status(&body);
    }
    assert!(view.memory() < before + 20_000, "{} kB became {} kB", before, view.memory());
    view.is_alive();
}

/// Clients that begin and stop, or ask and do not read, hold nobody up.
#[cfg(target_os = "linux")]
#[test]
fn a_blocked_client_blocks_nobody() {
    let folder = Folder::new();
    let view = View::start(&folder, result(&folder));
    let (host, token) = (view.host.clone(), view.token.clone());
    let mut held = Vec::new();
    // Begun and left alone: without a token, with one, in the middle of a body, not even begun.
    let starts = [
        "POST / HTTP/1.1\r\nHost: evil\r\nContent-Length: 5000\r\n\r\nabc".to_string(),
        format!("POST /{token}/done HTTP/1.1\r\nHost: {host}\r\nContent-Length: 5000\r\n\r\nabc"),
        format!("GET /{token}/scene HTTP/1.1\r\nHost:"),
        String::new(),
    ];
    for start in &starts {
        let mut stream = view.connect();
        stream.write_all(start.as_bytes()).expect("sent");
        held.push(stream);
        view.is_alive();
    }
    // Asks for the largest thing and never reads.
    for _ in 0..8 {
        let mut stream = view.connect();
        write!(stream, "GET /{token}/viewer.js HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("sent");
        held.push(stream);
    }
    view.is_alive();
    // Far more silent connections than the server has room for: the oldest are closed.
    held.extend((0..200).map(|_| view.connect()));
    view.is_alive();
    let threads = std::fs::read_dir(format!("/proc/{}/task", view.child.id())).expect("a process").count();
    assert!(threads < 120, "{threads} threads");
    drop(held);
    view.is_alive();
}
