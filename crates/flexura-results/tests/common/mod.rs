//! What several tests share: a small layout, rows with known values, and scratch files.
#![allow(dead_code)] // every test file uses a part of this

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flexura_results::{Channel, Family, Layout, Writer, WriterOptions};

/// A folder of its own for one test, emptied first.
pub fn scratch(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A folder of its own for a test of thousands of small files: in memory where the system has room for files there, so that
/// the test does not wait for a disk. Removed at the end.
pub struct Quick(PathBuf);

impl Quick {
    pub fn new(test: &str) -> Self {
        let name = format!("flexura-{test}-{}", std::process::id());
        let memory = Path::new("/dev/shm").join(&name);
        let folder = match std::fs::create_dir_all(&memory) {
            Ok(()) => memory,
            Err(_) => scratch(&name),
        };
        Self(folder)
    }
}

impl std::ops::Deref for Quick {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Quick {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Two families with three and two channels.
pub fn layout() -> Layout {
    let pose = ["crank.x", "crank.y", "crank.angle"];
    let units = ["m", "m", "rad"];
    let pose = pose.iter().zip(units).map(|(n, u)| Channel::new(*n, u));
    let energy = ["energy.kinetic", "energy.strain"].map(|name| Channel::new(name, "J"));
    Layout::new("slider crank", "c0ffee", "test 1")
        .with_metadata("bodies", "[\"crank\"]")
        .with_family(Family::new("pose", "Positions of bodies.", pose.collect()))
        .with_family(Family::new("energy", "Energies.", energy.to_vec()))
}

/// Row `index` of the reference results; no two values are equal.
pub fn row(index: usize) -> [f64; 6] {
    std::array::from_fn(|column| index as f64 * 0.125 + column as f64 * 1000.0)
}

/// Options under which the number of batches does not depend on the speed of the machine.
pub fn options(batch_rows: usize) -> WriterOptions {
    WriterOptions { batch_rows, hand_over_interval: Duration::MAX, ..WriterOptions::default() }
}

/// Writes and finishes `rows` reference rows.
pub fn write(path: &Path, rows: usize, batch_rows: usize) {
    let mut writer = Writer::create(path, &layout(), &options(batch_rows)).unwrap();
    for index in 0..rows {
        writer.push(&row(index)).unwrap();
    }
    writer.finish().unwrap();
}

/// Waits until `done`, and fails the test if that takes too long.
pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < Duration::from_secs(20), "never: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}
