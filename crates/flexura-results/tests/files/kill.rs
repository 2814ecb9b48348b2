//! SIGKILL at random moments, many of them in the middle of a slow write: every batch
//! that was reported complete is in the file, and the file opens.
#![cfg(unix)]

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use crate::common::{layout, options, row, scratch};
use flexura_results::{ResultFile, Sink, Writer, repair};

/// Names the file that the child process writes.
const CHILD_PATH: &str = "FLEXURA_RESULTS_KILL_PATH";
/// Rows per batch.
const BATCH: usize = 16;
/// Bytes written at once by the slow destination.
const PIECE: usize = 97;

/// A file written a few bytes at a time; each completed message is reported on standard output.
struct SlowFile {
    file: File,
    messages: usize,
}

impl Write for SlowFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        std::thread::sleep(Duration::from_micros(300));
        self.file.write(&bytes[..bytes.len().min(PIECE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()?;
        // The first message is the header.
        let mut out = io::stdout().lock();
        writeln!(out, "complete {}", self.messages)?;
        out.flush()?;
        self.messages += 1;
        Ok(())
    }
}

impl Sink for SlowFile {
    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }
}

/// Not a test of its own: what the child process runs until it is killed.
#[test]
fn child_process() {
    let Some(path) = std::env::var_os(CHILD_PATH).map(PathBuf::from) else {
        return;
    };
    let sink = SlowFile { file: File::create(&path).unwrap(), messages: 0 };
    let mut writer = Writer::to_sink(sink, &path, &layout(), &options(BATCH)).unwrap();
    for index in 0.. {
        writer.push(&row(index)).unwrap();
    }
}

/// Starts the child, kills it `delay` after its first report; returns the batches it reported.
fn killed_after(path: &Path, delay: Duration) -> usize {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "kill::child_process", "--test-threads=1", "--nocapture"])
        .env(CHILD_PATH, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let (send, receive) = mpsc::channel();
    let pipe = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(pipe).lines().map_while(Result::ok) {
            // The harness prints the name of the test on the same line as the first report.
            if let Some((_, count)) = line.split_once("complete ") {
                let _ = send.send(count.trim().parse::<usize>().unwrap());
            }
        }
    });
    let mut reported = receive.recv_timeout(Duration::from_secs(30)).expect("a first report");
    std::thread::sleep(delay);
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap();
    reported = receive.try_iter().last().unwrap_or(reported);
    reported
}

#[test]
fn every_reported_batch_survives_twenty_kills() {
    let folder = scratch("killed");
    let (mut torn, mut batches) = (0, 0);
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    for round in 0..20 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let delay = Duration::from_micros((seed >> 33) % 60_000);
        let path = folder.join(format!("{round}.arrows"));
        let reported = killed_after(&path, delay);
        let file = ResultFile::open(&path).unwrap();
        assert!(!file.complete(), "a killed writer must not look finished");
        assert!(file.batches() >= reported, "{} batches of {reported}", file.batches());
        assert_eq!(file.rows(), file.batches() * BATCH);
        let expected: Vec<f64> = (0..file.rows()).map(|index| row(index)[5]).collect();
        assert_eq!(file.channel("energy.strain").unwrap(), expected);
        torn += usize::from(file.torn().is_some());
        batches += file.batches();
        let rows = file.rows();
        assert_eq!(repair(&path).unwrap().rows, rows);
        assert!(ResultFile::open(&path).unwrap().complete());
    }
    println!("20 kills, {torn} of them in the middle of a batch, {batches} whole batches found");
    // With a write that takes nearly all of the time, kills must hit it.
    assert!(torn >= 5, "only {torn} kills met a write");
}
