//! Opening, locking and durably naming files.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use crate::error::ResultsError;

/// Maps a failure of `action` on `path` to this crate's error.
pub(crate) fn io_error<'a>(
    action: &'static str,
    path: &'a Path,
) -> impl FnOnce(io::Error) -> ResultsError + 'a {
    move |source| ResultsError::Io { action, path: path.to_owned(), source }
}

/// The bytes of the plain file at `path`: a device never ends, a pipe nobody writes to never begins.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    must_be_plain(path)?;
    std::fs::read(path)
}

/// Asked before a file is opened: opening a pipe waits for a writer.
pub(crate) fn must_be_plain(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path)?.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file")),
    }
}

/// Creates the result file at `path`, empty and locked against other writers.
pub(crate) fn create(path: &Path, overwrite: bool) -> Result<File, ResultsError> {
    let mut options = OpenOptions::new();
    options.write(true);
    if overwrite {
        // Emptied only once the lock is held: the file may belong to a running simulation.
        options.create(true).truncate(false);
    } else {
        options.create_new(true);
    }
    let file = options.open(path).map_err(|source| {
        if source.kind() == io::ErrorKind::AlreadyExists {
            ResultsError::AlreadyExists { path: path.to_owned() }
        } else {
            io_error("create", path)(source)
        }
    })?;
    lock(&file, path)?;
    // Devices and pipes have no length to cut.
    if file.metadata().is_ok_and(|metadata| metadata.len() > 0) {
        file.set_len(0).map_err(io_error("empty", path))?;
    }
    sync_folder(path);
    Ok(file)
}

/// Locks `file` until it is closed, or reports that another writer holds it.
///
/// The lock is advisory: readers never ask for it. A file system without locks is accepted, since
/// the lock only guards against a mistake of the user.
#[cfg(unix)]
pub(crate) fn lock(file: &File, path: &Path) -> Result<(), ResultsError> {
    match file.try_lock() {
        Err(std::fs::TryLockError::WouldBlock) => Err(ResultsError::InUse { path: path.to_owned() }),
        _ => Ok(()),
    }
}

/// Does nothing: on other systems a lock would keep readers from watching a running simulation.
#[cfg(not(unix))]
pub(crate) fn lock(_file: &File, _path: &Path) -> Result<(), ResultsError> {
    Ok(())
}

/// Makes the name of `path` durable where the system lets a folder be synced.
pub(crate) fn sync_folder(path: &Path) {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    // Best effort: some systems cannot open folders, and the data itself is synced anyway.
    if let Ok(handle) = File::open(folder) {
        let _ = handle.sync_all();
    }
}
