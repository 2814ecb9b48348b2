//! Disks without room: the message names the file and the remedy, and what was there before is still whole.
#![cfg(target_os = "linux")]

use crate::common::{Folder, errors, example, has};
use std::path::Path;
use std::process::Command;

/// Runs a command whose first new file, beside `name`, leads to the device that is always full; its standard error.
fn fail_on_full_disk(folder: &Folder, name: &str, arguments: &[&str]) -> String {
    // The name of a new file has the number of the process in it, which `exec` keeps.
    let script = "ln -s /dev/full \"$1.$$-0.new\"; shift; exec \"$@\"";
    let mut shell = Command::new("bash");
    shell.args(["-c", script, "bash", name, env!("CARGO_BIN_EXE_flexura")]).args(arguments);
    let output = shell.current_dir(folder.path()).output().expect("a shell");
    let text = errors(&output);
    assert_eq!(output.status.code(), Some(5), "{arguments:?}: {text}");
    text
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_checkpoint_that_finds_no_room_leaves_the_one_before() {
    let folder = Folder::new();
    let arm = example("flexible_arm");
    let run = ["run", &arm, "-q", "--end", "0.02", "--checkpoint-interval", "0", "--checkpoint"];
    folder.succeed(&[&run[..], &["a.fxc", "-o", "a.fxr"]].concat());
    let before = std::fs::read(folder.file("a.fxc")).expect("a checkpoint");
    // Directly onto a full device, without an earlier one.
    let text = folder.fail(5, &[&run[..], &["/dev/full", "-o", "b.fxr"]].concat());
    has(&text, &["cannot write the checkpoint /dev/full", "No space left", "the disk or quota is full"]);
    has(&text, &["rows are kept in b.fxr, the last good one at t = 0 s"]);
    assert!(!text.contains("--restart"), "{text}");
    // Over an earlier one.
    let text = fail_on_full_disk(&folder, "a.fxc", &[&run[..], &["a.fxc", "-o", "b.fxr"]].concat());
    has(&text, &["cannot write the checkpoint a.fxc", "No space left", "still whole", "--restart a.fxc"]);
    assert_eq!(std::fs::read(folder.file("a.fxc")).expect("a checkpoint"), before);
    assert!(names(folder.path()).iter().all(|name| !name.ends_with(".new")), "nothing half written is left");
    folder.succeed(&["run", &arm, "-q", "--end", "0.02", "--restart", "a.fxc", "-o", "c.fxr"]);
    folder.succeed(&["export", "b.fxr", "-c", "energy.total"]);
}

#[test]
fn an_export_that_finds_no_room_leaves_the_one_before() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum"), "-q", "--end", "0.1"]);
    for name in ["p.csv", "p.parquet"] {
        folder.succeed(&["export", "pendulum.fxr", "-o", name]);
        let before = std::fs::read(folder.file(name)).expect("an export");
        let text = fail_on_full_disk(&folder, name, &["export", "pendulum.fxr", "-o", name]);
        has(&text, &[&format!("cannot write {name}"), "No space left", "the disk or quota is full"]);
        assert_eq!(std::fs::read(folder.file(name)).expect("an export"), before);
    }
    folder.succeed(&["export", "pendulum.fxr", "-o", "p.pvd"]);
    let (list, meshes) = (std::fs::read(folder.file("p.pvd")).expect("a list"), names(&folder.file("p")));
    assert!(meshes.len() > 5);
    // A file that may not grow beyond 1 KiB stands for a disk without room.
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; exec {} export pendulum.fxr -o p.pvd",
        env!("CARGO_BIN_EXE_flexura")
    );
    let output =
        Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().expect("a shell");
    let text = errors(&output);
    assert_eq!(output.status.code(), Some(5), "{text}");
    has(&text, &["cannot write p.new/00000.vtu", "File too large", "ulimit -f"]);
    assert_eq!(std::fs::read(folder.file("p.pvd")).expect("a list"), list);
    assert_eq!(names(&folder.file("p")), meshes);
    assert_eq!(names(folder.path()), ["p", "p.csv", "p.parquet", "p.pvd", "pendulum.fxr"]);
}

/// Figures, pages and tables are replaced as a whole too.
#[test]
fn figures_and_pages_are_never_half_written() {
    let folder = Folder::new();
    folder.succeed(&["run", &example("pendulum"), "-q", "--end", "0.1"]);
    for (name, arguments) in [
        ("e.svg", &["plot", "pendulum.fxr", "energy.total", "-o", "e.svg"][..]),
        ("page.html", &["view", "pendulum.fxr", "--save", "page.html"]),
    ] {
        folder.write(name, "precious");
        let text = fail_on_full_disk(&folder, name, arguments);
        has(&text, &[&format!("cannot write {name}"), "No space left"]);
        assert_eq!(std::fs::read_to_string(folder.file(name)).expect("text"), "precious");
    }
}
