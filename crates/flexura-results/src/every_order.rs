//! The hand-over between stepping thread and writer thread in every order of its events (loom).
//!
//! The true writer thread works on a disk in memory; locks, signals and threads are loom's, which tries each way in which
//! they can follow each other and finds waits without an end. `scripts/sanitize loom` runs it.

use std::io::{self, Write};
use std::time::Duration;

use loom::sync::{Arc, Mutex};
use loom::thread;

use crate::exchange::{Batch, Ending, Exchange};
use crate::recorder::{Recorder, Sink};
use crate::{Channel, Family, Layout, Summary, columns};

/// A disk that counts its syncs and breaks after some writes.
#[derive(Clone)]
struct Disk {
    kept: Arc<Mutex<Kept>>,
    /// Writes that succeed.
    lasts: usize,
}

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    writes: usize,
    /// Bytes that a loss of power leaves.
    synced: usize,
}

impl Disk {
    fn new(lasts: usize) -> Self {
        Self { kept: Arc::new(Mutex::new(Kept::default())), lasts }
    }

    fn bytes(&self) -> (usize, usize) {
        let kept = self.kept.lock().expect("no panic");
        (kept.bytes.len(), kept.synced)
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut kept = self.kept.lock().expect("no panic");
        if kept.writes == self.lasts {
            return Err(io::Error::other("full"));
        }
        kept.writes += 1;
        kept.bytes.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for Disk {
    fn sync(&mut self) -> io::Result<()> {
        let mut kept = self.kept.lock().expect("no panic");
        kept.synced = kept.bytes.len();
        Ok(())
    }
}

/// Starts the writer of rows of one number, with `spares` empty batches of one row.
fn started(disk: &Disk, spares: usize) -> (Arc<Exchange>, thread::JoinHandle<Summary>) {
    let family = Family::new("x", "a number", vec![Channel::new("y", "m")]);
    let layout = Layout::new("model", "hash", "test").with_family(family);
    let schema = columns::to_schema(&layout).expect("a layout");
    // Syncs by the clock are left out, so that every try of loom does the same.
    let recorder = Recorder::start(disk.clone(), schema, 2, Duration::MAX).expect("a header");
    let exchange = Arc::new(Exchange::new(spares, 2));
    let there = Arc::clone(&exchange);
    (exchange, thread::spawn(move || recorder.run(&there)))
}

fn row(time: f64) -> Batch {
    Batch { values: vec![time, -time], rows: 1 }
}

#[test]
fn all_rows_reach_the_disk() {
    loom::model(|| {
        let disk = Disk::new(usize::MAX);
        let (exchange, writer) = started(&disk, 1);
        let mut batch = row(0.0);
        exchange.hand_over(&mut batch).expect("a disk with room");
        assert_eq!(batch.rows, 0, "an empty one comes back");
        batch = row(1.0);
        exchange.hand_over(&mut batch).expect("a disk with room");
        exchange.close(row(2.0), Ending::Whole(Vec::new().into_iter().collect()));
        let summary = writer.join().expect("no panic");
        let (bytes, synced) = disk.bytes();
        assert_eq!((summary.rows, summary.batches, summary.bytes), (3, 3, bytes as u64));
        assert_eq!(bytes, synced);
        assert!(exchange.failure().is_none());
    });
}

#[test]
fn settled_rows_outlive_a_loss_of_power() {
    loom::model(|| {
        let disk = Disk::new(usize::MAX);
        let (exchange, writer) = started(&disk, 2);
        let before = disk.bytes().0;
        exchange.hand_over(&mut row(0.0)).expect("a disk with room");
        exchange.settle().expect("a disk with room");
        let (bytes, synced) = disk.bytes();
        assert!(bytes > before && synced == bytes, "{before} {bytes} {synced}");
        exchange.close(Batch::default(), Ending::Aborted);
        assert_eq!(writer.join().expect("no panic").rows, 1);
    });
}

#[test]
fn a_full_disk_keeps_nobody_waiting() {
    // The header and, in the second model, one row find room.
    for lasts in [1, 2] {
        loom::model(move || {
            let disk = Disk::new(lasts);
            let (exchange, writer) = started(&disk, 1);
            let mut handed = 0;
            while exchange.hand_over(&mut row(f64::from(handed))).is_ok() {
                handed += 1;
                assert!(handed < 4, "rows go on into a full disk");
            }
            assert!(exchange.settle().is_err() && exchange.failure().is_some());
            exchange.close(row(9.0), Ending::Whole(Vec::new().into_iter().collect()));
            assert_eq!(writer.join().expect("no panic").rows, lasts as u64 - 1);
        });
    }
}
