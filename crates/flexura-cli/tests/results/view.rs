//! The viewer's side of the program: what it serves, refuses and saves. The page
//! itself is tested in a browser (viewer/test).

use crate::common::{Folder, block_on_spring, example, has};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

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
