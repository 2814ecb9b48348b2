//! Inputs of libFuzzer to the functions that the tests of the command line share (`fuzzed`).

#[path = "../../crates/flexura-cli/tests/results/fuzzed/mod.rs"]
mod fuzzed;

use fuzzed::{Target, target};
use std::path::PathBuf;
use std::sync::OnceLock;

/// A folder in memory, where the system has one, for the files of this process.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let name = format!("flexura-fuzz-{}", std::process::id());
        let memory = PathBuf::from("/dev/shm").join(&name);
        let path = match std::fs::create_dir_all(&memory) {
            Ok(()) => memory,
            Err(_) => std::env::temp_dir().join(name),
        };
        std::fs::create_dir_all(&path).expect("a scratch folder");
        path
    })
}

/// One input of the format `name`.
pub fn feed(name: &str, data: &[u8]) {
    let target = target(name).unwrap_or_else(|| panic!("no target {name}"));
    target(data, folder());
}

/// One input of the format that `FLEXURA_FUZZ_TARGET` names.
pub fn chosen(data: &[u8]) {
    static CHOSEN: OnceLock<Target> = OnceLock::new();
    let target = CHOSEN.get_or_init(|| {
        let name = std::env::var("FLEXURA_FUZZ_TARGET").unwrap_or_default();
        target(&name).unwrap_or_else(|| panic!("FLEXURA_FUZZ_TARGET names no target: `{name}`"))
    });
    target(data, folder());
}
