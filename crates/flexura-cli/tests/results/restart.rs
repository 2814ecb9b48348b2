//! Checkpoints and restarts, and destinations that cannot be written.
#![cfg(unix)]

use crate::common::{Folder, block_on_spring, errors, example, has};
use flexura_results::ResultFile;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A flexible arm with a controller, long enough to be killed in the middle.
fn model(folder: &Folder) -> &'static str {
    let text = std::fs::read_to_string(example("controlled_arm")).expect("an example");
    folder.write("arm.toml", &text);
    "arm.toml"
}

/// Every number of a result, as bits.
fn bits(path: &Path) -> Vec<Vec<u64>> {
    let result = ResultFile::open(path).expect("a readable result");
    assert!(result.complete());
    let column = |name: &str| result.channel(name).expect("a channel");
    result.channel_names().map(|name| column(name).iter().map(|value| value.to_bits()).collect()).collect()
}

fn wait_for(path: &Path) {
    let start = Instant::now();
    while !path.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "{} is not there after a minute", path.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_killed_run_goes_on_with_the_same_bits() {
    let folder = Folder::new();
    let model = model(&folder);
    folder.succeed(&["run", model, "-q", "--end", "2", "--output", "whole.fxr"]);
    let whole = bits(&folder.file("whole.fxr"));
    let mut interrupted = 0;
    for round in 0..4u64 {
        let (result, mark) = (format!("part{round}.fxr"), format!("part{round}.fxc"));
        let arguments = [
            "run",
            model,
            "-q",
            "--end",
            "2",
            "--output",
            &result,
            "--checkpoint",
            &mark,
            "--checkpoint-interval",
            "0",
        ];
        let mut command = folder.command(&arguments);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
        wait_for(&folder.file(&mark));
        std::thread::sleep(Duration::from_millis(7 + 31 * round));
        child.kill().expect("a killed process");
        child.wait().expect("an ended run");
        let early = ResultFile::open(folder.file(&result)).expect("a readable result").rows();
        interrupted += usize::from(early < whole[0].len());
        let joined = format!("joined{round}.fxr");
        folder.succeed(&["run", model, "-q", "--end", "2", "--restart", &mark, "--output", &joined]);
        assert!(bits(&folder.file(&joined)) == whole, "killed after {early} rows: the bits differ");
    }
    assert!(interrupted >= 2, "only {interrupted} runs were killed before their end");
}

#[test]
fn restarts_that_make_no_sense_are_explained() {
    let folder = Folder::new();
    let model = model(&folder);
    let run = ["run", model, "-q", "--end", "0.3", "--output", "a.fxr", "--checkpoint", "a.fxc"];
    folder.succeed(&[&run[..], &["--checkpoint-interval", "0"]].concat());
    let again = |output: &'static str| {
        vec!["run", model, "-q", "--end", "0.3", "--restart", "a.fxc", "--output", output]
    };
    has(&folder.fail(2, &again("a.fxr")), &["name another file with --output"]);
    folder.succeed(&again("b.fxr"));
    folder.write("other.toml", &block_on_spring("40.0", ""));
    has(&folder.fail(2, &["run", "other.toml", "--restart", "a.fxc"]), &["the model has changed since"]);
    let bytes = std::fs::read(folder.file("a.fxc")).expect("a checkpoint");
    for (name, cut) in [("short", &bytes[..bytes.len() - 9]), ("empty", &[][..])] {
        std::fs::write(folder.file(name), cut).expect("a written file");
        has(&folder.fail(5, &["run", model, "--restart", name, "--output", "c.fxr"]), &["is no checkpoint"]);
    }
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    std::fs::write(folder.file("flipped"), flipped).expect("a written file");
    has(&folder.fail(5, &["run", model, "--restart", "flipped", "--output", "c.fxr"]), &["damaged"]);
}

#[test]
fn a_full_disk_and_a_read_only_folder_are_explained() {
    let folder = Folder::new();
    folder.write("long.toml", &block_on_spring("40.0", "[simulation]\nend = 1e5\n"));
    // A file that may not grow beyond 1 MiB stands for a disk without room.
    let script =
        format!("trap '' XFSZ; ulimit -f 1024; exec {} run long.toml", env!("CARGO_BIN_EXE_flexura"));
    let mut command = Command::new("bash");
    let output = command.args(["-c", &script]).current_dir(folder.path()).output().expect("a shell");
    let text = errors(&output);
    assert_eq!(output.status.code(), Some(5), "{text}");
    has(&text, &["writing results to `long.fxr` failed", "File too large"]);
    assert!(ResultFile::open(folder.file("long.fxr")).expect("a readable result").rows() > 0);
    let text = folder.fail(5, &["run", "long.toml", "--output", "/sys/long.fxr"]);
    has(&text, &["cannot create `/sys/long.fxr`"]);
    let text = folder.fail(
        5,
        &["run", "long.toml", "--end", "10", "--checkpoint", "/sys/a", "--checkpoint-interval", "0"],
    );
    has(&text, &["cannot write the checkpoint /sys/a"]);
}

#[test]
fn the_end_of_a_run_says_how_far_to_trust_it() {
    let folder = Folder::new();
    let text = folder.succeed(&["run", &example("flexible_arm"), "--end", "0.5"]);
    has(&text, &["energy: ", "unaccounted for", "body `upper`: slopes up to ", "deflection up to"]);
    let text = folder.succeed(&["run", &example("flexible_arm"), "--end", "0.5", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let bodies = value["validity"]["bodies"].as_array().expect("bodies");
    assert_eq!((value["rows"].as_u64(), bodies.len(), value["stopped_by"].is_null()), (Some(51), 2, true));
    let share = value["validity"]["energy_error_share"].as_f64().expect("an audit");
    assert!(share > 0.0 && share < 1e-6, "{share}");
    // Slopes of the bodies against the recorded modal coordinates: never above the bound.
    let upper = bodies.iter().find(|body| body["body"] == "upper").expect("the upper arm");
    assert!((0.0..0.2).contains(&upper["slope_rad"].as_f64().expect("a number")));
    folder.write("few.toml", &block_on_spring("40.0", "[output]\nchannels = [\"rail.*\"]\n"));
    has(&folder.succeed(&["run", "few.toml"]), &["energy: ", "unaccounted for"]);
}
