//! Simulations that do not reach the end, and destinations that fail.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{layout, options, row, scratch, wait_until};
use flexura_results::{ResultFile, ResultsError, Sink, Writer, repair};

/// Names the file that the child process of [`an_aborted_process_leaves_a_readable_file`] writes.
const CHILD_PATH: &str = "FLEXURA_RESULTS_CHILD_PATH";

fn writer_with_rows(path: &Path, rows: usize) -> Writer {
    let mut writer = Writer::create(path, &layout(), &options(4)).unwrap();
    for index in 0..rows {
        writer.push(&row(index)).unwrap();
    }
    writer
}

fn assert_unfinished(path: &Path, rows: usize) {
    let file = ResultFile::open(path).unwrap();
    assert_eq!((file.rows(), file.complete()), (rows, false));
    assert_eq!(file.torn(), None);
    let expected: Vec<f64> = (0..rows).map(|index| row(index)[5]).collect();
    assert_eq!(file.channel("energy.strain").unwrap(), expected);
}

#[test]
fn a_dropped_writer_keeps_all_rows_but_sets_no_end_marker() {
    let path = scratch("dropped").join("a.arrows");
    let mut writer = writer_with_rows(&path, 6);
    writer.row()[0] = 99.0; // set but never committed
    drop(writer);
    assert_unfinished(&path, 6);
    assert_eq!(repair(&path).unwrap().rows, 6);
    assert!(ResultFile::open(&path).unwrap().complete());
}

#[test]
fn a_panicking_simulation_keeps_all_rows() {
    let path = scratch("panicking").join("a.arrows");
    let inner = path.clone();
    let simulation = std::thread::spawn(move || {
        let _writer = writer_with_rows(&inner, 7);
        panic!("the step failed");
    });
    assert!(simulation.join().is_err());
    assert_unfinished(&path, 7);
}

#[test]
fn a_running_simulation_can_be_read() {
    let path = scratch("running").join("a.arrows");
    let mut writer = writer_with_rows(&path, 10);
    let rows = |expected| ResultFile::open(&path).unwrap().rows() == expected;
    wait_until("two whole batches on file", || rows(8));
    writer.flush().unwrap();
    wait_until("the flushed batch on file", || rows(10));
    writer.finish().unwrap();
}

#[test]
fn a_forgotten_writer_leaves_its_whole_batches() {
    let path = scratch("forgotten").join("a.arrows");
    std::mem::forget(writer_with_rows(&path, 10));
    wait_until("two whole batches on file", || ResultFile::open(&path).unwrap().rows() == 8);
    assert_unfinished(&path, 8);
}

/// Not a test of its own: what the child process of the next test runs.
#[test]
fn child_process() {
    let Some(path) = std::env::var_os(CHILD_PATH).map(PathBuf::from) else {
        return;
    };
    let _writer = writer_with_rows(&path, 11);
    wait_until("two whole batches on file", || ResultFile::open(&path).unwrap().rows() == 8);
    std::process::abort();
}

#[test]
fn an_aborted_process_leaves_a_readable_file() {
    let path = scratch("aborted").join("a.arrows");
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::child_process", "--test-threads=1"])
        .env(CHILD_PATH, &path)
        .output()
        .unwrap();
    assert!(!child.status.success());
    assert_unfinished(&path, 8);
    assert_eq!(repair(&path).unwrap().rows, 8);
}

/// A destination that is full after `room` bytes, and then panics if told so.
struct FullDisk {
    room: usize,
    panics: bool,
    syncs: Arc<AtomicUsize>,
}

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room < bytes.len() {
            assert!(!self.panics, "the destination panics");
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.room -= bytes.len();
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for FullDisk {
    fn sync(&mut self) -> io::Result<()> {
        self.syncs.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// A writer whose destination has room for the header and `room` bytes more.
fn full_disk(room: usize, panics: bool) -> Writer {
    let path = scratch(&format!("header_for_{room}_{panics}")).join("a.arrows");
    let header = writer_with_rows(&path, 0).finish().unwrap().bytes as usize;
    let sink = FullDisk { room: header + room, panics, syncs: Arc::default() };
    Writer::to_sink(sink, "full.arrows", &layout(), &options(4)).unwrap()
}

/// Pushes rows until one is refused, which must happen without waiting for ever.
fn first_error(writer: &mut Writer) -> ResultsError {
    (0..100_000)
        .find_map(|index| writer.push(&row(index)).err())
        .expect("a commit after the failure reports it")
}

#[test]
fn a_full_disk_is_reported_by_commit_and_finish() {
    let mut writer = full_disk(2000, false);
    let error = first_error(&mut writer);
    assert!(matches!(error, ResultsError::Write { .. }));
    assert!(error.to_string().contains("`full.arrows` failed"), "{error}");
    // Rows stay available to a caller that carries on regardless.
    for index in 0..20 {
        assert!(writer.push(&row(index)).is_err());
    }
    assert!(matches!(writer.finish(), Err(ResultsError::Write { .. })));
}

#[test]
fn a_full_disk_met_by_the_last_rows_is_reported_by_finish() {
    let mut writer = full_disk(0, false);
    writer.push(&row(0)).unwrap();
    writer.push(&row(1)).unwrap();
    let outcome = writer.finish();
    assert!(matches!(outcome, Err(ResultsError::Write { .. })), "{outcome:?}");
}

#[test]
fn a_panic_of_the_writer_thread_is_reported_not_spread() {
    let stepping = std::thread::spawn(|| first_error(&mut full_disk(2000, true)).to_string());
    wait_until("an error instead of endless waiting", || stepping.is_finished());
    let message = stepping.join().unwrap();
    assert!(message.contains("stopped unexpectedly"), "{message}");
}

#[test]
fn syncs_are_spaced_and_the_last_rows_are_synced_while_idle() {
    let syncs = Arc::new(AtomicUsize::new(0));
    let sink = FullDisk { room: usize::MAX, panics: false, syncs: Arc::clone(&syncs) };
    let mut writer = Writer::to_sink(sink, "x", &layout(), &options(4)).unwrap();
    assert_eq!(syncs.load(Ordering::Relaxed), 1, "the header is synced");
    for index in 0..400 {
        writer.push(&row(index)).unwrap();
    }
    assert!(syncs.load(Ordering::Relaxed) < 5, "a sync for every batch");
    wait_until("a sync of the last batch", || syncs.load(Ordering::Relaxed) >= 2);
    // Longer than the sync interval: once all is synced, there is nothing to do.
    let mut before = 0;
    wait_until("rest after the last sync", || {
        before = syncs.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(1200));
        syncs.load(Ordering::Relaxed) == before
    });
    writer.finish().unwrap();
    assert_eq!(syncs.load(Ordering::Relaxed), before + 1);
}
