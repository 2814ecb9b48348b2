//! Runs that are ended from outside leave results behind.
//!
//! Folders are in memory: results and checkpoints are synced, a process cannot end before its sync does, and a disk that has a
//! build to write may take longer over it than these tests wait.
#![cfg(unix)]

use crate::common::{Folder, block_on_spring, has};
use flexura_results::ResultFile;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longest that an end may take, on a machine that is busy with other things (s): a run that does not see its signal goes on for longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Ends a run that a failing test would leave behind, writing for ever.
struct Guard(Option<Child>);

impl Guard {
    fn child(&mut self) -> &mut Child {
        self.0.as_mut().expect("a run")
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A run that would take days, with few channels.
fn start_long_run(folder: &Folder) -> Child {
    write_long_run(folder);
    start(folder, heeding_signals(&folder.command(&["run", "long.toml"])))
}

fn write_long_run(folder: &Folder) {
    let tail = "[simulation]\nend = 1e9\n[output]\nchannels = [\"energy.total\", \"rail.displacement\"]\n";
    folder.write("long.toml", &block_on_spring("40.0", tail));
}

fn start(folder: &Folder, mut command: Command) -> Child {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut guard = Guard(Some(child));
    wait_for_rows(&folder.file("long.fxr"));
    guard.0.take().expect("a run")
}

/// The same with the usual answers to signals: tests that run in the background of a shell, or behind `nohup`, ignore some, and so
/// would whatever they start.
fn heeding_signals(command: &Command) -> Command {
    if !cfg!(target_os = "linux") {
        let mut same = Command::new(command.get_program());
        same.args(command.get_args());
        return surrounded(same, command);
    }
    let mut heeding = Command::new("env");
    heeding.arg("--default-signal=INT,TERM,HUP").arg(command.get_program()).args(command.get_args());
    surrounded(heeding, command)
}

/// `new` in the folder and with the variables of `old`.
fn surrounded(mut new: Command, old: &Command) -> Command {
    for (name, value) in old.get_envs() {
        match value {
            Some(value) => new.env(name, value),
            None => new.env_remove(name),
        };
    }
    if let Some(folder) = old.get_current_dir() {
        new.current_dir(folder);
    }
    new
}

fn wait_for_rows(path: &Path) {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(60) {
        if ResultFile::open(path).is_ok_and(|result| result.rows() > 300) {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("no rows after a minute");
}

/// Waits for a run that was asked to end; one that does not is killed, so that the test fails.
fn wait_for_end(child: &mut Child) {
    let start = Instant::now();
    while child.try_wait().expect("a status").is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().expect("a killed process");
            panic!("the run went on for {} s after the interrupt", PATIENCE.as_secs());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn send(child: &Child, signal: &str) {
    let sent =
        Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// Schedulers end jobs by SIGTERM, terminals that close by SIGHUP: the run goes on later from where it was.
#[test]
fn whoever_ends_a_run_leaves_a_checkpoint_to_go_on_from() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = Folder::in_memory();
        write_long_run(&folder);
        let mut child = start(
            &folder,
            heeding_signals(&folder.command(&["run", "long.toml", "--checkpoint", "long.checkpoint"])),
        );
        send(&child, signal);
        if signal != "INT" {
            // One event may send several: a terminal that closes does.
            std::thread::sleep(Duration::from_millis(1));
            send(&child, signal);
            send(&child, "HUP");
        }
        wait_for_end(&mut child);
        let output = child.wait_with_output().expect("an ended run");
        let text = crate::common::errors(&output);
        assert_eq!(output.status.code(), Some(130), "{signal}: {text}");
        has(&text, &["interrupted at t = ", "--restart long.checkpoint"]);
        let rows = ResultFile::open(folder.file("long.fxr")).expect("a readable result").time().to_vec();
        let end = (rows[rows.len() - 1] + 0.5).to_string();
        let again = ["run", "long.toml", "-q", "--restart", "long.checkpoint", "-o", "on.fxr", "--end", &end];
        folder.succeed(&again);
        let on = ResultFile::open(folder.file("on.fxr")).expect("a readable result").time().to_vec();
        assert!(on.len() > rows.len() + 40 && on[..rows.len()] == rows[..], "{signal}");
    }
}

/// `nohup flexura run` outlives its terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_was_told_to_ignore_the_terminal_does() {
    let folder = Folder::in_memory();
    write_long_run(&folder);
    let mut shell = Command::new("sh");
    shell.args(["-c", "trap '' HUP; exec \"$0\" run long.toml", env!("CARGO_BIN_EXE_flexura")]);
    shell.current_dir(folder.path());
    let mut guard = Guard(Some(start(&folder, shell)));
    send(guard.child(), "HUP");
    let before = ResultFile::open(folder.file("long.fxr")).expect("a readable result").rows();
    let begun = Instant::now();
    while ResultFile::open(folder.file("long.fxr")).expect("a readable result").rows() < before + 3000 {
        assert!(begun.elapsed() < Duration::from_secs(30), "no rows after SIGHUP");
        std::thread::sleep(Duration::from_millis(20));
    }
    send(guard.child(), "TERM");
    wait_for_end(guard.child());
    assert_eq!(guard.child().wait().expect("an ended run").code(), Some(130));
}

#[test]
fn interrupt_closes_the_file_and_is_130() {
    let folder = Folder::in_memory();
    let mut child = start_long_run(&folder);
    send(&child, "INT");
    wait_for_end(&mut child);
    let output = child.wait_with_output().expect("an ended run");
    let text = crate::common::errors(&output);
    assert_eq!(output.status.code(), Some(130), "{text}");
    has(&text, &["interrupted at t = ", "kept in long.fxr"]);
    let reached: f64 = text
        .split("interrupted at t = ")
        .nth(1)
        .and_then(|rest| rest.split(' ').next())
        .and_then(|number| number.parse().ok())
        .expect("a time");
    let result = ResultFile::open(folder.file("long.fxr")).expect("a readable result");
    assert!(result.complete() && result.torn().is_none());
    let last = *result.time().last().expect("rows");
    assert!((0.0..=0.011).contains(&(reached - last)), "rows to {last} s, interrupted at {reached} s");
    has(&String::from_utf8_lossy(&output.stdout), &[&format!("{} rows in long.fxr", result.rows())]);
}

/// Cases that were cut short have no verdict: no report, and not the exit code of success.
#[test]
fn an_interrupted_validation_writes_nothing_and_is_130() {
    let folder = Folder::in_memory();
    // The pendulum is done at once and says so; the cantilever takes many seconds.
    let arguments =
        ["validate", "iftomm-pendulum", "right-angle-cantilever", "--threads", "2", "--report", "page.html"];
    let mut command = heeding_signals(&folder.command(&arguments));
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut line = String::new();
    // Kept open: the program goes on writing to it.
    let mut errors = BufReader::new(child.stderr.take().expect("a pipe"));
    errors.read_line(&mut line).expect("a line");
    has(&line, &["iftomm-pendulum"]);
    send(&child, "INT");
    wait_for_end(&mut child);
    assert_eq!(child.wait().expect("an ended run").code(), Some(130));
    assert!(!folder.file("page.html").exists());
}

#[test]
fn a_killed_run_leaves_a_readable_file() {
    let folder = Folder::in_memory();
    let mut child = start_long_run(&folder);
    child.kill().expect("a killed process");
    child.wait().expect("an ended run");
    let result = ResultFile::open(folder.file("long.fxr")).expect("a readable result");
    assert!(!result.complete(), "a killed run must not look finished");
    let table = folder.succeed(&["export", "long.fxr"]);
    assert_eq!(table.lines().count(), result.rows() + 1);
    assert!(result.rows() > 300);
    // Torn in the middle of the last whole batch, then made whole. The kill itself may have come in the middle of a
    // batch, so the bytes that are no rows go first, and the marker behind the rows with them.
    std::fs::copy(folder.file("long.fxr"), folder.file("torn.fxr")).expect("a copied file");
    folder.succeed(&["repair", "torn.fxr"]);
    let bytes = std::fs::read(folder.file("torn.fxr")).expect("a file");
    std::fs::write(folder.file("torn.fxr"), &bytes[..bytes.len() - 100]).expect("a written file");
    let words = folder.succeed(&["repair", "torn.fxr"]);
    has(&words, &["whole rows kept", "bytes dropped"]);
    let whole = ResultFile::open(folder.file("torn.fxr")).expect("a readable result");
    assert!(whole.complete() && whole.rows() > 0 && whole.rows() < result.rows());
    has(&folder.succeed(&["repair", "torn.fxr"]), &["nothing to do"]);
    // The energy of a block on a spring: 1/2 k x^2.
    let energy = result.channel("energy.total").expect("a channel");
    assert!(energy.iter().all(|value| (value - 0.2).abs() < 1e-3));
}

/// A chain so long that one step of a dense method takes many seconds.
fn write_slow_model(folder: &Folder) {
    let text = "[[body]]\nname = \"l{i}\"\nrepeat = 2500\nmass = 1\ninertia = [1, 1, 1]\n[[body.frame]]\nname = \"tip\"\nposition = [1, 0, 0]\n\
                [[joint]]\nname = \"first\"\ntype = \"revolute\"\nbetween = [\"ground.origin\", \"l1.origin\"]\naxis = [0, 1, 0]\n\
                [[joint]]\nname = \"j{i}\"\nrepeat = 2499\ntype = \"revolute\"\nbetween = [\"l{i}.tip\", \"l{i+1}.origin\"]\naxis = [0, 1, 0]\n\
                [simulation]\nend = 1\nmethod = \"rk4\"\nstep = 1e-3\nalgorithm = \"composite-body\"\n[output]\nchannels = [\"energy.total\"]\n";
    folder.write("slow.toml", text);
}

/// Work that looks at no flag for long is answered all the same: by the end of the command, or by what a second Ctrl-C does.
#[test]
fn ctrl_c_is_answered_while_one_step_takes_long() {
    let folder = Folder::in_memory();
    write_slow_model(&folder);
    for command in [&["modes", "slow.toml"][..], &["static", "slow.toml"], &["run", "slow.toml", "-q"]] {
        let mut started = heeding_signals(&folder.command(command));
        let child = started.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let mut guard = Guard(Some(child));
        let begun = Instant::now();
        // A run listens from the moment its file is there.
        while command[0] == "run"
            && !folder.file("slow.fxr").exists()
            && begun.elapsed() < Duration::from_secs(60)
        {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(Duration::from_millis(500));
        assert!(guard.child().try_wait().expect("a status").is_none(), "{command:?} was over too soon");
        send(guard.child(), "INT");
        if command[0] == "run" {
            let mut words = String::new();
            let pipe = guard.child().stderr.take().expect("a pipe");
            BufReader::new(pipe).read_line(&mut words).expect("words");
            has(&words, &["Ctrl-C again ends at once"]);
            send(guard.child(), "INT");
        }
        wait_for_end(guard.child());
    }
}
