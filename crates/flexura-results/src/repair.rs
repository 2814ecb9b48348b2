//! Making a file without end marker complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arrow_buffer::Buffer;

use crate::error::ResultsError;
use crate::files::{io_error, lock, must_be_plain, sync_folder};
use crate::frames::END_MARKER;
use crate::reader::ResultFile;

/// What a repair did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    /// Number of rows the file holds.
    pub rows: usize,
    /// Number of bytes that held no whole batch and were dropped.
    pub bytes_dropped: u64,
    /// Whether the file was rewritten; a complete file is left alone.
    pub changed: bool,
}

/// Cuts the file at `path` behind its last whole batch and writes the end marker.
///
/// The new contents replace the file in one step, so an interrupted repair leaves it as it was. A
/// file that a simulation is still writing is refused where the system has advisory locks.
pub fn repair(path: impl AsRef<Path>) -> Result<Repair, ResultsError> {
    let given = path.as_ref();
    // A link stays a link: the file it points to is the one that is replaced.
    let path = fs::canonicalize(given).map_err(io_error("find", given))?;
    must_be_plain(&path).map_err(io_error("read", given))?;
    let source = File::open(&path).map_err(io_error("open", given))?;
    lock(&source, given)?;
    let bytes = Buffer::from_vec(fs::read(&path).map_err(io_error("read", given))?);
    let contents = ResultFile::parse(given, bytes.clone())?;
    let whole = &bytes[..contents.whole_bytes];
    let mut report = Repair { rows: contents.rows(), bytes_dropped: 0, changed: false };
    if contents.complete() {
        return Ok(report);
    }
    if let Some(Ok(parts)) = crate::reader::parts(given, contents.layout()) {
        // Rows of a result in several files are missing in its parts; the index is written at once.
        for part in parts {
            let of_part = repair(part)?;
            report.bytes_dropped += of_part.bytes_dropped;
            report.changed |= of_part.changed;
        }
        return Ok(report);
    }
    replace(&path, whole).map_err(io_error("repair", given))?;
    report.bytes_dropped = (bytes.len() - whole.len()) as u64;
    report.changed = true;
    Ok(report)
}

/// Puts `whole` and the end marker in place of the file at `path`.
fn replace(path: &Path, whole: &[u8]) -> io::Result<()> {
    let temporary = temporary_name(path);
    let outcome = write_copy(path, &temporary, whole).and_then(|()| fs::rename(&temporary, path));
    if outcome.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    sync_folder(path);
    outcome
}

fn write_copy(path: &Path, temporary: &Path, whole: &[u8]) -> io::Result<()> {
    let mut file = File::create(temporary)?;
    file.set_permissions(fs::metadata(path)?.permissions())?;
    file.write_all(whole)?;
    file.write_all(&END_MARKER)?;
    file.sync_all()
}

/// A name in the same folder, since a rename cannot cross file systems.
fn temporary_name(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".repair-{}", std::process::id()));
    path.with_file_name(name)
}
