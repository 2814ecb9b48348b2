//! As much of HTTP as a page on the same machine needs, with a limit on everything that a stranger can ask for.
//!
//! A thread takes connections, one more for each of them reads its request and writes the answer, and hands the request over to
//! whoever answers: a client that stops talking or reading holds its own thread and nobody else. Until a request has shown that
//! it may ask (`permitted`), no more than its head is read, within a few seconds; where too many connections wait that long, the
//! oldest is closed, so that nobody can keep others out by opening more. Every connection carries one request.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longest request line with all headers (bytes).
const LARGEST_HEAD: usize = 8 << 10;
/// Largest picture a page may send back (bytes).
const LARGEST_BODY: usize = 256 << 20;
/// Within which a head must have come.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// Within which a body must have come.
const BODY_TIME: Duration = Duration::from_secs(120);
/// Longest silence of a client that is sent something.
const SILENCE: Duration = Duration::from_secs(20);
/// Connections that have not shown yet that they may ask.
const MOST_WAITING: usize = 32;
/// Connections that are being answered.
const MOST_ANSWERED: usize = 64;
/// What is still read of a client before its connection is closed, so that it sees the answer (bytes).
const LEFT_OVER: usize = 16 << 10;
/// Stack of a connection's thread: nothing here is deep.
const STACK: usize = 128 << 10;

/// What is said to a client.
pub struct Answer {
    /// Status code.
    pub status: u16,
    /// Media type.
    pub kind: &'static str,
    /// Content.
    pub body: Vec<u8>,
}

/// The first lines of a request.
#[derive(Clone, Debug, Default)]
pub struct Head {
    /// Method.
    pub method: String,
    /// Path with its query.
    pub target: String,
    /// What the client calls this server.
    pub host: String,
    /// Bytes that follow.
    length: usize,
}

/// A request that may be answered.
pub struct Request {
    /// Its first lines.
    pub head: Head,
    /// What was sent; nothing where it was cut off.
    pub body: Option<Vec<u8>>,
    answer: SyncSender<Answer>,
}

impl Request {
    /// Hands the answer to the connection; a client that went away needs none.
    pub fn respond(self, answer: Answer) {
        let _ = self.answer.send(answer);
    }
}

/// Who may ask; otherwise what is said instead.
pub type Permission = dyn Fn(&Head) -> Result<(), Answer> + Send + Sync;

/// A listening server.
pub struct Server {
    requests: Receiver<Request>,
    address: std::net::SocketAddr,
    ended: Arc<AtomicBool>,
}

struct Shared {
    requests: Sender<Request>,
    permitted: Box<Permission>,
    headers: Vec<(&'static str, &'static str)>,
    waiting: Mutex<VecDeque<(usize, TcpStream)>>,
    answered: AtomicUsize,
}

impl Server {
    /// Listens; answers carry `headers`. `permitted` is made once the port is known.
    pub fn start(
        port: u16,
        headers: Vec<(&'static str, &'static str)>,
        permitted: impl FnOnce(u16) -> Box<Permission>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port))?;
        let address = listener.local_addr()?;
        let (sender, requests) = channel();
        let shared = Arc::new(Shared {
            requests: sender,
            permitted: permitted(address.port()),
            headers,
            waiting: Mutex::new(VecDeque::new()),
            answered: AtomicUsize::new(0),
        });
        let ended = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&ended);
        std::thread::Builder::new().name("viewer".into()).spawn(move || listen(&listener, &shared, &seen))?;
        Ok(Self { requests, address, ended })
    }

    /// The port.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// The next request; nothing after `patience` without one.
    pub fn next(&self, patience: Option<Duration>) -> Option<Request> {
        match patience {
            None => self.requests.recv().ok(),
            Some(patience) => self.requests.recv_timeout(patience).ok(),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for connections.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_millis(200));
    }
}

/// Takes connections until the server ends.
fn listen(listener: &TcpListener, shared: &Arc<Shared>, ended: &AtomicBool) {
    for number in 0.. {
        let accepted = listener.accept();
        if ended.load(Ordering::SeqCst) {
            return;
        }
        let Ok((stream, _)) = accepted else {
            // Out of descriptors, most likely: others will be closed.
            std::thread::sleep(Duration::from_millis(20));
            continue;
        };
        let Ok(watched) = stream.try_clone() else { continue };
        {
            let mut waiting = lock(&shared.waiting);
            waiting.push_back((number, watched));
            while waiting.len() > MOST_WAITING {
                if let Some((_, oldest)) = waiting.pop_front() {
                    let _ = oldest.shutdown(Shutdown::Both);
                }
            }
        }
        let own = Arc::clone(shared);
        let started = std::thread::Builder::new().stack_size(STACK).spawn(move || {
            let _ = serve(number, stream, &own);
            own.leave(number);
        });
        if started.is_err() {
            shared.leave(number);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

impl Shared {
    /// The connection no longer waits.
    fn leave(&self, number: usize) {
        lock(&self.waiting).retain(|(waiting, _)| *waiting != number);
    }
}

/// One connection: its request, the answer.
fn serve(number: usize, mut stream: TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_write_timeout(Some(SILENCE))?;
    let (head, first) = match read_head(&mut stream)? {
        Ok(read) => read,
        Err(refusal) => return write(&mut stream, &refusal, shared),
    };
    if let Err(refusal) = (shared.permitted)(&head) {
        return write(&mut stream, &refusal, shared);
    }
    shared.leave(number);
    let busy = shared.answered.fetch_add(1, Ordering::SeqCst) >= MOST_ANSWERED;
    let done = match busy {
        true => write(&mut stream, &text(503, "too many requests at once"), shared),
        false => converse(&mut stream, head, first, shared),
    };
    shared.answered.fetch_sub(1, Ordering::SeqCst);
    done
}

/// Reads what belongs to a permitted request, has it answered, and writes the answer.
fn converse(stream: &mut TcpStream, head: Head, first: Vec<u8>, shared: &Shared) -> io::Result<()> {
    if head.length > LARGEST_BODY {
        return write(stream, &text(413, "more than this server takes"), shared);
    }
    let body = read_body(stream, first, head.length);
    let (sender, answer) = sync_channel(1);
    let request = Request { head, body, answer: sender };
    if shared.requests.send(request).is_err() {
        return Ok(());
    }
    match answer.recv() {
        Ok(answer) => write(stream, &answer, shared),
        Err(_) => Ok(()),
    }
}

/// Time that is left until `end`, as sockets want it: never zero.
fn left(end: Instant) -> io::Result<Option<Duration>> {
    let left = end.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
}

/// The head of a request and what came with it of the body.
fn read_head(stream: &mut TcpStream) -> io::Result<Result<(Head, Vec<u8>), Answer>> {
    let end = Instant::now() + HEAD_TIME;
    let mut bytes = Vec::new();
    let mut chunk = [0; 1024];
    loop {
        if let Some(at) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            let rest = bytes.split_off(at + 4);
            return Ok(parse(&bytes[..at]).map(|head| (head, rest)));
        }
        if bytes.len() > LARGEST_HEAD {
            return Ok(Err(text(431, "the head of the request is too long")));
        }
        stream.set_read_timeout(left(end)?)?;
        match stream.read(&mut chunk)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => bytes.extend_from_slice(&chunk[..count]),
        }
    }
}

/// What the first lines say.
fn parse(bytes: &[u8]) -> Result<Head, Answer> {
    let wrong = |words: &str| Err(text(400, words));
    let Ok(lines) = std::str::from_utf8(bytes) else { return wrong("not text") };
    let mut lines = lines.split("\r\n");
    let mut words = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return wrong("not a request");
    };
    if !version.starts_with("HTTP/1.") {
        return wrong("only HTTP/1.1");
    }
    let mut head = Head { method: method.into(), target: target.into(), ..Head::default() };
    let (mut hosts, mut lengths) = (0, 0);
    for line in lines {
        let Some((name, value)) = line.split_once(':') else { return wrong("a header without a colon") };
        let value = value.trim();
        if name.eq_ignore_ascii_case("host") {
            (hosts, head.host) = (hosts + 1, value.into());
        } else if name.eq_ignore_ascii_case("content-length") {
            let Ok(length) = value.parse() else { return wrong("a length that is no number") };
            (lengths, head.length) = (lengths + 1, length);
        } else if name.eq_ignore_ascii_case("transfer-encoding") {
            return Err(text(501, "give the length of what is sent"));
        }
    }
    if hosts > 1 || lengths > 1 { wrong("a header twice") } else { Ok(head) }
}

/// The body; nothing where the client stopped in the middle. Memory grows with what came, not with what was promised.
fn read_body(stream: &mut TcpStream, first: Vec<u8>, length: usize) -> Option<Vec<u8>> {
    let end = Instant::now() + BODY_TIME;
    let mut body = first;
    let mut chunk = vec![0; 64 << 10];
    while body.len() < length {
        stream.set_read_timeout(left(end).ok()?).ok()?;
        match stream.read(&mut chunk) {
            Ok(0) | Err(_) => return None,
            Ok(count) => body.extend_from_slice(&chunk[..count]),
        }
    }
    body.truncate(length);
    Some(body)
}

/// Writes an answer and ends the connection.
fn write(stream: &mut TcpStream, answer: &Answer, shared: &Shared) -> io::Result<()> {
    let Answer { status, kind, body } = answer;
    let mut head = format!("HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\n", reason(*status));
    for (name, value) in &shared.headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += &format!("Content-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.shutdown(Shutdown::Write)?;
    // A connection that is closed with unread bytes is reset, and the client may lose the answer.
    stream.set_read_timeout(Some(Duration::from_millis(200)))?;
    let mut chunk = [0; 1024];
    let mut seen = 0;
    while let (true, Ok(count @ 1..)) = (seen < LEFT_OVER, stream.read(&mut chunk)) {
        seen += count;
    }
    Ok(())
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        421 => "Misdirected Request",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        503 => "Service Unavailable",
        _ => "Bad Request",
    }
}

/// An answer in words.
pub fn text(status: u16, words: &str) -> Answer {
    Answer { status, kind: "text/plain; charset=utf-8", body: words.into() }
}
