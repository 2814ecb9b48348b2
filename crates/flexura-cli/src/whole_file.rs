//! Files that are replaced as a whole: written to a new file beside them, which takes their place in one step. On a full
//! disk or after a crash the earlier file is still there.

use crate::Outcome;
use crate::failure::Failure;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Files written by this process so far.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Puts `bytes` in place of the file at `path`.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Outcome {
    let written = replace(path, |file| file.write_all(bytes.as_ref()));
    written.map_err(|error| unwritten(path, &error))
}

/// The failure to write a file, by its name.
pub fn unwritten(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::File(format!("cannot write {}: {error}", path.display()))
}

/// Puts what `fill` writes in place of the file at `path`; the new file reaches the disk before it takes its place. Devices
/// and pipes, and files in folders that take no new ones, are written directly.
pub fn replace<E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut File) -> Result<(), E>,
) -> Result<(), E> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return fill(&mut File::create(path)?);
    }
    // A link keeps its place: what it leads to is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let fresh = beside(&target);
    let mut file = match File::create(&fresh) {
        Ok(file) => file,
        // A folder that takes no new files. On a full disk the earlier file must not be emptied.
        Err(error) if refused_by_folder(&error) && target.exists() => {
            return fill(&mut File::create(&target)?);
        }
        Err(error) => return Err(error.into()),
    };
    let filled = fill(&mut file).and_then(|()| Ok(file.sync_all()?));
    let placed = filled.and_then(|()| Ok(fs::rename(&fresh, &target)?));
    if placed.is_err() {
        // Half a file is of no use, and its room may be.
        let _ = fs::remove_file(&fresh);
    }
    placed
}

/// Whether it is the folder that takes no new files.
fn refused_by_folder(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidFilename, PermissionDenied, ReadOnlyFilesystem};
    matches!(error.kind(), PermissionDenied | ReadOnlyFilesystem | InvalidFilename)
}

/// The name of the new file.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path.file_name().unwrap_or_default());
    // Two programs, or two threads of one, may write the same file at once.
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    name.push(format!(".{}-{count}.new", std::process::id()));
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_writers_at_once_leave_one_whole_file() {
        let path = std::env::temp_dir().join(format!("flexura-both-{}.csv", std::process::id()));
        let texts = ["a".repeat(300_000), "b".repeat(200_000)];
        // The second begins and ends while the first is half done.
        let first: io::Result<()> = replace(&path, |file| {
            file.write_all(&texts[0].as_bytes()[..1000])?;
            write(&path, &texts[1]).map_err(|_| io::Error::other("second"))?;
            assert_eq!(fs::read_to_string(&path)?, texts[1]);
            file.write_all(&texts[0].as_bytes()[1000..])
        });
        first.expect("written");
        assert_eq!(fs::read_to_string(&path).expect("text"), texts[0]);
        fs::remove_file(&path).expect("removed");
    }

    #[test]
    fn a_failure_leaves_the_earlier_file_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("flexura-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.join("a.csv");
        write(&path, "earlier").expect("written");
        let failed: io::Result<()> = replace(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("full"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).expect("text"), "earlier");
        assert_eq!(fs::read_dir(&folder).expect("entries").count(), 1);
        write(&path, "later").expect("written");
        assert_eq!(fs::read_to_string(&path).expect("text"), "later");
        fs::remove_dir_all(&folder).expect("removed");
    }
}
