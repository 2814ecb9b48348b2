//! What the tests of the command line share.
#![allow(dead_code)] // every test file uses a part

use flexura_results::ResultFile;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own for one test, removed at the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("flexura-cli-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder");
        Self(path)
    }

    /// One in memory where the system has room for files there: for thousands of small ones.
    pub fn in_memory() -> Self {
        let Self(path) = &Self::new();
        let memory = Path::new("/dev/shm").join(path.file_name().expect("a name"));
        match std::fs::create_dir_all(&memory) {
            Ok(()) => Self(memory),
            Err(_) => Self::new(),
        }
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Writes `text` to a file and returns its path.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.file(name);
        std::fs::write(&path, text).expect("a written file");
        path
    }

    /// The command, to be run in this folder.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_flexura"));
        command.args(arguments).current_dir(&self.0);
        command
    }

    pub fn flexura(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    /// Runs a command that must succeed; its standard output.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.flexura(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", errors(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs a command that must end with `code`; its standard error.
    pub fn fail(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.flexura(arguments);
        let text = errors(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {text}");
        assert!(!text.contains("panicked"), "{text}");
        text
    }

    /// Simulates the example `name` and opens the result.
    pub fn run_example(&self, name: &str) -> ResultFile {
        let result = format!("{name}.fxr");
        self.succeed(&["run", &example(name), "--output", &result]);
        ResultFile::open(self.file(&result)).expect("a readable result")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Path of an example model.
pub fn example(name: &str) -> String {
    format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"))
}

pub fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Asserts that `text` has every one of `parts`.
pub fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in:\n{text}");
    }
}

/// Largest magnitude of a channel.
pub fn largest(result: &ResultFile, channel: &str) -> f64 {
    result.channel(channel).expect(channel).iter().fold(0.0, |most, value| most.max(value.abs()))
}

/// A 1 kg block on a spring of the given stiffness, with a tail of settings.
pub fn block_on_spring(stiffness: &str, tail: &str) -> String {
    format!(
        "[model]
gravity = [0, 0, 0]

[[body]]
name = \"block\"
mass = 1.0
inertia = [0.1, 0.1, 0.1]

[[joint]]
name = \"rail\"
type = \"prismatic\"
between = [\"ground.origin\", \"block.origin\"]
axis = [1, 0, 0]
position = 0.1
stiffness = {stiffness}

{tail}"
    )
}
