//! `flexura run --device`: the emulated device against the processor, refusals, machines without a GPU.

use crate::common::{Folder, example};
use flexura_results::ResultFile;

/// Tip, joint and energy of two flexible links: same rows, differences far below the tolerance, energy in balance.
#[test]
fn a_flexible_arm_moves_on_the_device_as_on_the_processor() {
    let folder = Folder::new();
    let path = example("flexible_arm");
    folder.succeed(&["run", &path, "--end", "0.3", "--output", "here.fxr"]);
    let report = folder.succeed(&[
        "run",
        &path,
        "--end",
        "0.3",
        "--output",
        "there.fxr",
        "--device",
        "emulated",
        "--json",
    ]);
    assert!(report.contains("\"rows\""), "{report}");
    let [here, there] =
        ["here.fxr", "there.fxr"].map(|name| ResultFile::open(folder.file(name)).expect("a result"));
    for name in ["elbow.angle", "fore.hand.position.x", "fore.hand.position.z"] {
        let (a, b) = (here.channel(name).expect("recorded"), there.channel(name).expect("recorded"));
        assert_eq!(a.len(), b.len());
        let worst = a.iter().zip(&b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(worst < 1e-6, "{name}: {worst:.1e}");
        assert!(a.iter().zip(&b).any(|(a, b)| a != b), "{name}: the device took no step");
    }
}

#[test]
fn what_a_device_cannot_run_is_named_and_no_file_is_touched() {
    let folder = Folder::new();
    folder.write("four_bar.fxr", "an earlier result");
    let text = folder.fail(4, &["run", &example("four_bar"), "--device", "emulated"]);
    assert!(text.contains("closes a loop") && text.contains("joint `"), "{text}");
    let kept = std::fs::read_to_string(folder.file("four_bar.fxr")).expect("still there");
    assert_eq!(kept, "an earlier result");
    let rows = ["--set", "simulation.output_interval=0", "--output", "four_bar.fxr", "--device", "emulated"];
    let text = folder.fail(4, &[&["run", &example("pendulum")][..], &rows].concat());
    assert!(text.contains("output_interval"), "{text}");
    let kept = std::fs::read_to_string(folder.file("four_bar.fxr")).expect("still there");
    assert_eq!(kept, "an earlier result");
    let text = folder.fail(2, &["run", &example("pendulum"), "--device", "gpu"]);
    assert!(text.contains("choose cuda"), "{text}");
    let text = folder.fail(2, &["run", &example("pendulum"), "--device", "cuda", "--threads", "2"]);
    assert!(text.contains("--threads"), "{text}");
}

/// A checkpoint of a run on the device: another run goes on from it with the same bits, one on the processor refuses it.
#[test]
fn runs_on_a_device_go_on_from_their_checkpoints() {
    let folder = Folder::new();
    let path = example("flexible_arm");
    let on_device = ["run", path.as_str(), "--device", "emulated"];
    folder.succeed(&[&on_device[..], &["--output", "whole.fxr", "--end", "0.2"]].concat());
    // Due after every step: the last one stands at the end of the shorter run.
    let kept =
        ["--output", "half.fxr", "--end", "0.1", "--checkpoint", "c.fxc", "--checkpoint-interval", "0"];
    folder.succeed(&[&on_device[..], &kept].concat());
    let rest = ["--output", "rest.fxr", "--end", "0.2", "--restart", "c.fxc"];
    folder.succeed(&[&on_device[..], &rest].concat());
    let [whole, rest] =
        ["whole.fxr", "rest.fxr"].map(|name| ResultFile::open(folder.file(name)).expect("a result"));
    for name in whole.layout().channel_names() {
        let bits = |file: &ResultFile| -> Vec<u64> {
            file.channel(name).expect("recorded").iter().map(|x| x.to_bits()).collect()
        };
        assert_eq!(bits(&whole), bits(&rest), "{name}");
    }
    // Neither goes on with the other's memory, and an earlier result stays what it was.
    folder.write("here.fxr", "an earlier result");
    let here = ["run", &path, "--restart", "c.fxc", "--output", "here.fxr", "--end", "0.2"];
    let text = folder.fail(2, &here);
    assert!(text.contains("of a run on a device: give --device"), "{text}");
    let kept = std::fs::read_to_string(folder.file("here.fxr")).expect("still there");
    assert_eq!(kept, "an earlier result");
}

#[test]
fn machines_without_a_device_say_so() {
    let folder = Folder::new();
    let text = folder.succeed(&["devices"]);
    assert!(text.to_lowercase().contains("cuda"), "{text}");
    let listed = folder.succeed(&["devices", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    assert!(value["devices"].is_array());
    if value["devices"].as_array().is_some_and(Vec::is_empty) {
        let text = folder.fail(2, &["run", &example("pendulum"), "--device", "cuda"]);
        assert!(text.contains("no CUDA device") && text.contains("flexura devices"), "{text}");
    }
}

/// The same cases on the device and on the processor: equal summaries to rounding; the journal knows them apart, a second call computes nothing.
#[test]
fn sweeps_run_their_cases_side_by_side() {
    let folder = Folder::new();
    let path = example("flexible_arm");
    let cases =
        ["--set", "payload.mass=1:3:5", "--set", "simulation.end=0.2", "--channels", "fore.hand.position.*"];
    folder.succeed(&[&["sweep", &path, "-o", "here"][..], &cases].concat());
    let there =
        [&["sweep", &path, "-o", "there", "--device", "emulated", "--batch", "3"][..], &cases].concat();
    folder.succeed(&there);
    let read = |name: &str| std::fs::read_to_string(folder.file(name)).expect("a summary");
    let (here, first) = (read("here/summary.csv"), read("there/summary.csv"));
    assert_eq!(first.lines().count(), 6, "{first}");
    for (a, b) in here.lines().zip(first.lines()).skip(1) {
        for (a, b) in a.split(',').zip(b.split(',')).skip(4) {
            let (a, b): (f64, f64) = (a.parse().expect("a number"), b.parse().expect("a number"));
            // The same method and tolerances on both: their steps differ by rounding alone (9e-14 m on a GPU).
            assert!((a - b).abs() < 1e-11, "{a} {b}");
        }
    }
    let journal = read("there/journal.jsonl");
    folder.succeed(&there);
    assert_eq!(read("there/journal.jsonl"), journal, "nothing is computed twice");
    // A case that is no model is a line that says so; its neighbours run.
    let torn = ["--set", "payload.mass=1,-1", "--set", "simulation.end=0.05", "--channels", "elbow.angle"];
    folder.fail(4, &[&["sweep", &path, "-o", "torn", "--device", "emulated"][..], &torn].concat());
    let torn = read("torn/summary.csv");
    let lines: Vec<&str> = torn.lines().collect();
    assert!(lines[1].contains(",done,") && lines[2].contains("failed"), "{torn}");
    let text = folder.fail(
        4,
        &[
            "sweep",
            &example("four_bar"),
            "--set",
            "crank.mass=1,2",
            "--channels",
            "b.angle",
            "--device",
            "emulated",
        ],
    );
    assert!(text.contains("closes a loop"), "{text}");
}
