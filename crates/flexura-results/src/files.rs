//! Opening, locking and durably naming files.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

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

/// A new result file on its way to its place: what was there before stays until the header is written.
pub(crate) struct Arrival {
    /// Where it is written, if not in its place.
    fresh: Option<PathBuf>,
    place: PathBuf,
    /// Whether nothing was there before.
    created: bool,
    /// The earlier file, locked.
    _earlier: Option<File>,
}

impl Arrival {
    /// The header is written: the file takes its place.
    pub fn settle(mut self) -> Result<(), ResultsError> {
        // Elsewhere a file that is open may not be replaced; there it was not locked either.
        if cfg!(not(unix)) {
            self._earlier = None;
        }
        if let Some(fresh) = &self.fresh
            && let Err(error) = std::fs::rename(fresh, &self.place)
        {
            let _ = std::fs::remove_file(fresh);
            return Err(io_error("replace", &self.place)(error));
        }
        sync_folder(&self.place);
        Ok(())
    }

    /// The header could not be written: an empty file is of no use to anyone.
    pub fn give_up(self) {
        match self.fresh {
            Some(fresh) => drop(std::fs::remove_file(fresh)),
            None if self.created => drop(std::fs::remove_file(&self.place)),
            None => {}
        }
    }
}

/// Creates the result file of `path`, empty and locked against other writers. An earlier file stays until the new one
/// has a header; it may belong to a running simulation, so it is locked first.
pub(crate) fn create(path: &Path, overwrite: bool) -> Result<(File, Arrival), ResultsError> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(file) => {
            lock(&file, path)?;
            let place = path.to_owned();
            return Ok((file, Arrival { fresh: None, place, created: true, _earlier: None }));
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && overwrite => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(ResultsError::AlreadyExists { path: path.to_owned() });
        }
        Err(error) => return Err(io_error("create", path)(error)),
    }
    // Made here where a link leads to nothing yet.
    let earlier = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(io_error("create", path))?;
    lock(&earlier, path)?;
    // A link keeps its place: what it leads to is replaced.
    let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let beside = match must_be_plain(&place) {
        Ok(()) => fresh_beside(&place, &earlier).map_err(io_error("create", path))?,
        Err(_) => None,
    };
    if let Some((file, fresh)) = beside {
        lock(&file, path)?;
        let arrival = Arrival { fresh: Some(fresh), place, created: false, _earlier: Some(earlier) };
        return Ok((file, arrival));
    }
    // Devices, pipes, and files in folders that take no new ones. Devices have no length to cut.
    if earlier.metadata().is_ok_and(|metadata| metadata.len() > 0) {
        earlier.set_len(0).map_err(io_error("empty", path))?;
    }
    Ok((earlier, Arrival { fresh: None, place, created: false, _earlier: None }))
}

/// A new file in the folder of `place`, with the permissions of the earlier one; nothing where the folder takes no new files.
/// Any other failure is one: on a full disk the earlier file must not be emptied.
fn fresh_beside(place: &Path, earlier: &File) -> io::Result<Option<(File, PathBuf)>> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let (file, fresh) = loop {
        let mut name = OsString::from(place.file_name().unwrap_or_default());
        name.push(format!(".{}-{}.new", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)));
        let fresh = place.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&fresh) {
            Ok(file) => break (file, fresh),
            // Left by a process of the same number that was killed.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if refused_by_folder(&error) => return Ok(None),
            Err(error) => return Err(error),
        }
    };
    if let Ok(metadata) = earlier.metadata() {
        // Best effort: a file of our own has the permissions of others already.
        let _ = file.set_permissions(metadata.permissions());
    }
    Ok(Some((file, fresh)))
}

/// Whether it is the folder that takes no new files.
fn refused_by_folder(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | InvalidFilename)
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
