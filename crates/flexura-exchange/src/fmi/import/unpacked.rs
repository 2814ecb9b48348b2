//! The archive of an FMU in a folder of its own, which is gone with it.

use super::description::FmuDescription;
use super::library::Library;
use crate::fmi::platform_folder;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Most bytes that an archive may hold unpacked: beyond, it is taken for a trap.
const LARGEST: u64 = 2 << 30;

/// An unpacked FMU with its library loaded.
pub struct Unpacked {
    /// Its description.
    pub description: FmuDescription,
    // Before the folder: it must be let go before its file is removed.
    pub library: Library,
    folder: Folder,
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    /// A new, empty one.
    fn new() -> Result<Self, String> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("flexura-fmu-{}-{number}", std::process::id()));
        fs::create_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self(path))
    }
}

impl Unpacked {
    /// Unpacks the FMU at `path` and loads its library for this platform.
    pub fn open(path: &Path) -> Result<Self, String> {
        let file = fs::File::open(path).map_err(|error| error.to_string())?;
        let mut archive = zip::ZipArchive::new(file).map_err(|error| format!("no archive: {error}"))?;
        let size: u64 =
            (0..archive.len()).filter_map(|k| archive.by_index(k).ok().map(|entry| entry.size())).sum();
        if size > LARGEST {
            return Err(format!("the archive holds {size} bytes"));
        }
        let folder = Folder::new()?;
        // Names that lead out of the folder are refused there.
        archive.extract(&folder.0).map_err(|error| format!("cannot be unpacked: {error}"))?;
        let text = fs::read_to_string(folder.0.join("modelDescription.xml"))
            .map_err(|error| format!("modelDescription.xml: {error}"))?;
        let description = FmuDescription::read(&text)?;
        let (platform, ending) = platform_folder(description.version);
        let name = format!("{}{ending}", description.identifier);
        let binary = folder.0.join("binaries").join(&platform).join(name);
        if !binary.is_file() {
            let there = fs::read_dir(folder.0.join("binaries")).into_iter().flatten().flatten();
            let there: Vec<String> =
                there.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
            return Err(format!("no library for {platform}; there are: {there}"));
        }
        let library = Library::load(&binary, description.version)?;
        Ok(Self { description, library, folder })
    }

    /// Where the FMU finds its resources, as its version of the standard names the place.
    pub fn resources(&self) -> PathBuf {
        self.folder.0.join("resources")
    }
}
