//! Files that were cut off or damaged: every whole batch is read, and repair completes the file.

use std::path::Path;

use crate::common::{Quick, row, scratch, write};
use flexura_results::{ResultFile, repair};

const ROWS: usize = 7;
const BATCH_ROWS: usize = 2;
/// Length of the end marker in bytes.
const MARKER: usize = 8;

/// A finished file and the offsets behind its header and behind each batch, in bytes.
fn small_file(folder: &Path) -> (Vec<u8>, Vec<usize>) {
    let path = folder.join("whole.arrows");
    let ends = [0, 2, 4, 6, 7].map(|rows| {
        let _ = std::fs::remove_file(&path);
        write(&path, rows, BATCH_ROWS);
        std::fs::metadata(&path).unwrap().len() as usize - MARKER
    });
    (std::fs::read(&path).unwrap(), ends.to_vec())
}

fn assert_rows(file: &ResultFile, rows: usize, cut: usize) {
    assert_eq!(file.rows(), rows, "cut at byte {cut}");
    for (column, name) in file.channel_names().enumerate() {
        let expected: Vec<f64> = (0..rows).map(|index| row(index)[column]).collect();
        assert_eq!(file.channel(name).unwrap(), expected, "cut at byte {cut}");
    }
}

#[test]
fn a_cut_at_any_byte_keeps_all_whole_batches() {
    let folder = Quick::new("any_byte");
    let (bytes, ends) = small_file(&folder);
    let path = folder.join("torn.arrows");
    for cut in ends[0]..bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let whole = ends.iter().filter(|end| **end <= cut).count() - 1;
        let rows = (whole * BATCH_ROWS).min(ROWS);

        let file = ResultFile::open(&path).unwrap();
        assert_rows(&file, rows, cut);
        assert!(!file.complete(), "cut at byte {cut}");
        let between_batches = ends.contains(&cut);
        assert_eq!(file.torn().is_none(), between_batches, "cut at byte {cut}");

        let report = repair(&path).unwrap();
        assert_eq!((report.rows, report.changed), (rows, true));
        assert_eq!(report.bytes_dropped as usize, cut - ends[whole]);
        let file = ResultFile::open(&path).unwrap();
        assert!(file.complete() && file.torn().is_none());
        assert_rows(&file, rows, cut);
    }
    assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 2, "left-overs");
}

#[test]
fn a_cut_header_is_an_error() {
    let folder = Quick::new("cut_header");
    let (bytes, ends) = small_file(&folder);
    let path = folder.join("torn.arrows");
    for cut in 0..ends[0] {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let message = ResultFile::open(&path).unwrap_err().to_string();
        assert!(message.contains("not a Flexura result"), "{message}");
        assert!(repair(&path).is_err(), "cut at byte {cut}");
        assert_eq!(std::fs::read(&path).unwrap(), &bytes[..cut]);
    }
}

#[test]
fn a_complete_file_is_left_alone() {
    let folder = scratch("left_alone");
    let (bytes, _) = small_file(&folder);
    let path = folder.join("whole.arrows");
    let report = repair(&path).unwrap();
    assert_eq!((report.rows, report.bytes_dropped), (ROWS, 0));
    assert!(!report.changed);
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn rubbish_behind_the_rows_is_reported_and_dropped() {
    let folder = scratch("rubbish");
    let (bytes, ends) = small_file(&folder);
    let path = folder.join("torn.arrows");
    let last = ends[ends.len() - 1];
    // Zeros are what some file systems leave behind after a power failure.
    for (whole, tail, reason) in [
        (last, [0; 64].as_slice(), "no message begins at byte"),
        (last, b"rubbish and more rubbish", "no message begins"),
        (bytes.len(), b"rubbish", "7 bytes follow the end marker"),
    ] {
        std::fs::write(&path, [&bytes[..whole], tail].concat()).unwrap();
        let file = ResultFile::open(&path).unwrap();
        assert_rows(&file, ROWS, whole);
        assert!(file.torn().unwrap().contains(reason), "{:?}", file.torn());
        assert!(!file.complete());
        repair(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn no_damaged_byte_makes_the_reader_panic() {
    let folder = Quick::new("damaged_bytes");
    let (bytes, ends) = small_file(&folder);
    let path = folder.join("damaged.arrows");
    let mut damage_seen = 0;
    for at in 0..bytes.len() {
        for mask in [0x01, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= mask;
            std::fs::write(&path, &damaged).unwrap();
            let Ok(file) = ResultFile::open(&path) else {
                assert!(at < ends[0], "damage at byte {at} cost the header");
                continue;
            };
            assert!(file.rows() <= ROWS || at < ends[0], "damage at byte {at}");
            damage_seen += usize::from(file.torn().is_some());
        }
    }
    assert!(damage_seen > 100, "only {damage_seen}");
}

#[cfg(unix)]
#[test]
fn repair_follows_links_and_keeps_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch("links");
    let (bytes, ends) = small_file(&folder);
    let path = folder.join("whole.arrows");
    std::fs::write(&path, &bytes[..ends[2] + 5]).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = folder.join("link.arrows");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(repair(&link).unwrap().rows, 4);
    assert!(link.is_symlink());
    assert_eq!(ResultFile::open(&path).unwrap().rows(), 4);
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}
