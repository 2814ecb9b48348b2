//! What the tests share: folders of their own, and imports with few words.

use flexura::file::NoSource;
use flexura_exchange::Refused;
use flexura_exchange::robot::{self, FlexibleLink, Imported, Options};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file of `crates/flexura-exchange/tests/data`.
pub fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// How a test imports.
#[derive(Default)]
pub struct Import {
    pub floating_base: bool,
    pub leave_out: bool,
    pub flexible: Vec<FlexibleLink>,
}

/// Imports a file of `crates/flexura-exchange/tests/data`, or one by its whole path.
pub fn import(file: &str, how: Import) -> Result<Imported, Refused> {
    let options = Options {
        floating_base: how.floating_base,
        leave_out: how.leave_out,
        flexible: how.flexible,
        folder: PathBuf::new(),
        source: &NoSource,
    };
    robot::import(&data(file), &options)
}

/// A folder that is gone with its test.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("flexura-exchange-{}-{count}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
