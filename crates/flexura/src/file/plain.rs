//! Reading whole files, and refusing what is none: a device never ends, a pipe nobody writes to never begins.

use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::{Component, Path};

/// Largest text that is read (bytes).
const LARGEST: u64 = 2 << 30;

/// The bytes of a plain file of at most 2 GiB.
pub fn read_plain(path: &Path) -> Result<Vec<u8>, Error> {
    // Looked at before it is opened: opening a pipe waits for a writer.
    let known = std::fs::metadata(path)?;
    if !known.is_file() {
        let what = if known.is_dir() { "it is a folder" } else { "it is a device or pipe, not a plain file" };
        return Err(Error::new(ErrorKind::InvalidInput, what));
    }
    if known.len() > LARGEST {
        let size = known.len() >> 30;
        return Err(Error::new(
            ErrorKind::InvalidInput,
            format!("it is too large ({size} GiB; at most 2 GiB are read)"),
        ));
    }
    let mut bytes = Vec::with_capacity(known.len() as usize);
    // Files of /proc have no length.
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Error::new(ErrorKind::InvalidInput, "it grows beyond 2 GiB as it is read"));
    }
    Ok(bytes)
}

/// Whether the file `other`, as it was named by the file `own`, lies in the folder of that or below: what stands in it may be
/// shown to whoever wrote `own`, which cannot be said of other places.
pub fn lies_beside(own: &Path, other: &Path) -> bool {
    let folder = own.parent().unwrap_or(Path::new(""));
    let below =
        |rest: &Path| rest.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    other.strip_prefix(folder).is_ok_and(below)
}

/// The text of such a file.
pub fn read_plain_text(path: &Path) -> Result<String, Error> {
    let bytes = read_plain(path)?;
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8 text"))
}

#[cfg(test)]
mod tests {
    use super::lies_beside;
    use std::path::Path;

    #[test]
    fn files_of_other_places_are_told_from_those_beside() {
        let beside = |own: &str, other: &str| lies_beside(Path::new(own), Path::new(other));
        assert!(beside("m.toml", "part.toml") && beside("m.toml", "./parts/a.toml"));
        assert!(beside("/x/m.toml", "/x/parts/a.toml") && beside("../m.toml", "../a.toml"));
        assert!(!beside("m.toml", "/etc/passwd") && !beside("m.toml", "../a.toml"));
        assert!(!beside("/x/m.toml", "/x/../a.toml") && !beside("/x/m.toml", "/etc/passwd"));
        assert!(!beside("/x/m.toml", "/xy/a.toml"));
    }
}
