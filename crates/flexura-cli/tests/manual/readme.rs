//! The commands of the README, in its order and as they stand, in an empty folder.

use crate::common::Folder;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// Lines of the README's shell blocks, without comments.
fn commands() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(path).expect("the README");
    let blocks = text.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    let lines =
        blocks.flat_map(str::lines).map(|line| line.split(" #").next().unwrap_or(line).trim().to_string());
    lines.filter(|line| !line.is_empty()).collect()
}

/// A shell in `folder` that finds the program.
pub(super) fn shell(folder: &Folder, line: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_flexura"));
    let path = format!(
        "{}:{}",
        program.parent().expect("a folder").display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut command = Command::new("sh");
    // Nobody looks at this screen.
    command.args(["-c", line]).current_dir(folder.path()).env("PATH", path);
    command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").stdin(Stdio::null());
    command
}

/// Whether the command serves a page until somebody ends it.
pub(super) fn stays(line: &str) -> bool {
    line.ends_with("--view") || line.starts_with("flexura view ") && !line.contains("--save")
}

/// Starts a command that stays, waits for the address of its page and ends it.
pub(super) fn serves(folder: &Folder, line: &str) {
    let mut command = shell(folder, &format!("exec {line}"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a shell");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let served = lines.into_iter().any(|line| line.contains("http://127.0.0.1:"));
    let _ = child.kill();
    let _ = child.wait();
    assert!(served, "{line} shows no page");
}

#[test]
fn every_command_of_the_readme_runs_where_the_ones_before_it_have_run() {
    let folder = Folder::new();
    let (mut ran, mut first) = (0, None);
    for line in commands() {
        first.get_or_insert_with(|| line.clone());
        if !line.starts_with("flexura ") {
            continue;
        }
        ran += 1;
        if stays(&line) {
            serves(&folder, &line);
            continue;
        }
        let output = shell(&folder, &line).output().expect("a shell");
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(ran > 15, "only {ran} commands");
    // The first command of all builds the program and shows a model of the clone.
    let first = first.expect("a command");
    let model = first.split(' ').find(|word| word.ends_with(".toml")).expect("a model");
    assert!(first.starts_with("cargo run --release -- run "), "{first}");
    assert!(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(model).is_file(), "{model}");
}
