//! `flexura sweep`, `flexura new` and `flexura schema`.

use crate::common::{Folder, block_on_spring, errors, has};
use flexura_results::ResultFile;
use std::process::Stdio;
use std::time::{Duration, Instant};

const SHORT: &str = "[simulation]\nend = 0.5\n";

/// Fields of every line of a summary.
fn summary(folder: &Folder, path: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.file(path)).expect("a summary");
    text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

#[test]
fn a_sweep_gives_what_single_runs_give() {
    let folder = Folder::new();
    folder.write("m.toml", &block_on_spring("40.0", SHORT));
    let sets = ["--set", "rail.stiffness=20,40,80", "--set", "block.mass=1:2:2"];
    let table =
        folder.succeed(&[&["sweep", "m.toml"], &sets[..], &["-c", "rail.displacement", "-j", "3"]].concat());
    has(
        &table,
        &["rail.stiffness", "block.mass", "rail.displacement final", "6 cases in m-sweep/summary.csv"],
    );
    let lines = summary(&folder, "m-sweep/summary.csv");
    assert_eq!(lines.len(), 7);
    for line in &lines[1..] {
        let set = [format!("rail.stiffness={}", line[1]), format!("block.mass={}", line[2])];
        folder.succeed(&["run", "m.toml", "--set", &set[0], "--set", &set[1], "-o", "one.fxr"]);
        let values = ResultFile::open(folder.file("one.fxr")).expect("a result");
        let values = values.channel("rail.displacement").expect("a channel");
        let (least, most) = values.iter().fold((f64::MAX, f64::MIN), |(a, b), &v| (a.min(v), b.max(v)));
        let expected = [*values.last().expect("rows"), least, most];
        let found: Vec<f64> = line[5..8].iter().map(|text| text.parse().expect("a number")).collect();
        // The same bits, not nearly the same.
        assert_eq!(found, expected, "case {}", line[0]);
    }
    // One thread or three, and a second time from the journal: the same file.
    let first = std::fs::read(folder.file("m-sweep/summary.csv")).expect("a file");
    let again = folder.flexura(&[&["sweep", "m.toml"], &sets[..], &["-c", "rail.displacement"]].concat());
    has(&errors(&again), &["6 of 6 cases are known"]);
    folder.succeed(
        &[&["sweep", "m.toml"], &sets[..], &["-c", "rail.displacement", "-j", "1", "-o", "b"]].concat(),
    );
    for path in ["m-sweep/summary.csv", "b/summary.csv"] {
        assert!(first == std::fs::read(folder.file(path)).expect("a file"), "{path} differs");
    }
}

/// A hundred vehicles of different mass and speed on all cores: the bits of single runs.
#[test]
fn a_hundred_vehicles_give_what_single_runs_give() {
    let folder = Folder::new();
    let vehicle = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/vehicle/iltis_stepped_road.toml");
    let sets = [
        "--set",
        "chassis.mass=1100:1400:10",
        "--set",
        "ride.speed.4=4:6:10",
        "--set",
        "simulation.end=0.05",
        "-c",
        "ride.z",
        "tyre_fl.force.z",
        "-q",
    ];
    for (jobs, output) in [("8", "many"), ("1", "one")] {
        folder.succeed(&[&["sweep", vehicle], &sets[..], &["-j", jobs, "-o", output]].concat());
    }
    let read = |path: &str| std::fs::read(folder.file(path)).expect("a summary");
    assert!(read("many/summary.csv") == read("one/summary.csv"), "the number of threads changes the result");
    let lines = summary(&folder, "many/summary.csv");
    assert_eq!(lines.len(), 101);
    let column = lines[0].iter().position(|name| name.contains("ride.z")).expect("a column");
    for line in lines[1..].iter().step_by(11) {
        let set = [("chassis.mass", &line[1]), ("ride.speed.4", &line[2]), ("simulation.end", &line[3])];
        let set = set.map(|(path, value)| format!("{path}={value}"));
        let words = ["run", vehicle, "--set", &set[0], "--set", &set[1], "--set", &set[2], "-o", "one.fxr"];
        folder.succeed(&words);
        let result = ResultFile::open(folder.file("one.fxr")).expect("a result");
        let height = *result.channel("ride.z").expect("a channel").last().expect("rows");
        assert_eq!(line[column].parse::<f64>().expect("a number"), height, "case {}", line[0]);
    }
}

#[test]
fn cases_come_from_a_table_and_failures_stand_in_it() {
    let folder = Folder::new();
    folder.write(
        "m.toml",
        &block_on_spring("40.0", "[simulation]\nend = 0.5\nmethod = \"rk4\"\nstep = 0.01\n"),
    );
    folder.write("cases.csv", "block.mass, rail.stiffness\n1, 40\n-1, 40\n1, 1e9\n\n2, 40\n");
    let args = ["sweep", "m.toml", "--cases", "cases.csv", "-c", "energy.*", "--results"];
    let text = folder.fail(4, &args);
    has(&text, &["2 of 4 cases failed", "summary.csv says why"]);
    let lines = summary(&folder, "m-sweep/summary.csv");
    assert_eq!(lines[1][3], "done");
    has(&lines[2].join(","), &["failed", "mass"]);
    has(&lines[3].join(","), &["failed", "finite number"]);
    assert_eq!(lines[4][3], "done");
    assert_eq!(ResultFile::open(folder.file("m-sweep/0004.fxr")).expect("a result").rows(), 51);
    folder.write("cases.csv", "block.mass\n1\n1,2\n");
    has(&folder.fail(2, &args), &["cases.csv:3", "2 numbers for 1 paths"]);
    folder.write("cases.csv", "block.mas\n1\n");
    has(&folder.fail(2, &args), &["block.mas", "did you mean `block.mass`"]);
    has(
        &folder.fail(2, &["sweep", "m.toml", "--set", "block.mass=1,x", "-c", "energy.*"]),
        &["PATH=A,B,C or PATH=FROM:TO:COUNT"],
    );
    has(&folder.fail(2, &["sweep", "m.toml", "--set", "block.mass=1", "-c", "nothing"]), &["nothing"]);
}

#[test]
fn an_interrupted_sweep_goes_on() {
    let folder = Folder::new();
    // Long enough that no more than a few of the cases are done when the interrupt comes.
    let tail = "[simulation]\nend = 150.0\nmethod = \"rk4\"\nstep = 0.002\noutput_interval = 0.5\n";
    folder.write("m.toml", &block_on_spring("40.0", tail));
    let args = ["sweep", "m.toml", "--set", "rail.stiffness=20:80:8", "-c", "rail.displacement", "-j", "1"];
    let mut child =
        folder.command(&args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().expect("a start");
    let journal = folder.file("m-sweep/journal.jsonl");
    let started = Instant::now();
    while std::fs::read_to_string(&journal).map_or(0, |text| text.lines().count()) < 2 {
        assert!(started.elapsed() < Duration::from_secs(120), "no case was finished");
        std::thread::sleep(Duration::from_millis(2));
    }
    let kill = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
    let code = child.wait().expect("an end").code();
    let known = std::fs::read_to_string(&journal).expect("a journal").lines().count();
    assert_eq!(code, Some(130));
    assert!((2..8).contains(&known), "{known} cases before the interrupt");
    // What a crash leaves of a line is computed again.
    let mut torn = std::fs::read(&journal).expect("a journal");
    torn.extend_from_slice(b"{\"key\": \"half a li");
    std::fs::write(&journal, torn).expect("a file");
    let again = folder.flexura(&args);
    assert_eq!(again.status.code(), Some(0), "{}", errors(&again));
    has(&errors(&again), &[&format!("{known} of 8 cases are known")]);
    folder.succeed(&[&args[..], &["-o", "whole"]].concat());
    let read = |path: &str| std::fs::read(folder.file(path)).expect("a file");
    assert!(read("m-sweep/summary.csv") == read("whole/summary.csv"), "the interruption shows");
}

#[test]
fn every_template_checks_and_runs() {
    let folder = Folder::new();
    let list = folder.succeed(&["new", "--list"]);
    let names: Vec<&str> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 4, "{list}");
    for name in names {
        folder.succeed(&["new", &format!("my-{name}"), "--template", name]);
        let path = format!("my-{name}.toml");
        let text = std::fs::read_to_string(folder.file(&path)).expect("a model");
        assert!(!text.contains("MODEL") && text.contains(&path), "{text}");
        let output = folder.flexura(&[if name == "part" { "reduce" } else { "run" }, &path]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", errors(&output));
        assert!(!errors(&output).contains("warning"), "{name}: {}", errors(&output));
    }
    let before = std::fs::read(folder.file("my-arm.toml")).expect("a model");
    has(&folder.fail(5, &["new", "my-arm"]), &["my-arm.toml exists and is left alone"]);
    assert_eq!(before, std::fs::read(folder.file("my-arm.toml")).expect("a model"));
    has(&folder.fail(2, &["new", "x", "-t", "robot"]), &["choose one of", "pendulum"]);
    has(&folder.fail(5, &["new", "no/such/folder"]), &["cannot write no/such/folder.toml"]);
}

/// A user makes three mistakes in a starter model and mends each by what the message says, nothing else.
#[test]
fn three_mistakes_are_mended_from_their_messages() {
    let folder = Folder::new();
    folder.succeed(&["new", "swing"]);
    let good = std::fs::read_to_string(folder.file("swing.toml")).expect("a model");
    let broken = good
        .replace("mass = 1.0 ", "mas = 1.0 ")
        .replace("\"rod.origin\"]", "\"rod.orign\"]")
        .replace("type = \"revolute\" ", "type = \"revolut\" ");
    assert_ne!(broken, good);
    folder.write("swing.toml", &broken);
    let mut mended = 0;
    for _ in 0..5 {
        let output = folder.flexura(&["check", "swing.toml"]);
        if output.status.success() {
            break;
        }
        let text = errors(&output);
        has(&text, &["swing.toml:", "did you mean"]);
        // What a reader does: go to the line, put what is proposed in place of what is refused.
        let mut model = std::fs::read_to_string(folder.file("swing.toml")).expect("a model");
        for (line, wrong, right) in proposals(&text) {
            let mut lines: Vec<String> = model.lines().map(str::to_owned).collect();
            assert!(lines[line - 1].contains(&wrong), "line {line} has no `{wrong}`:\n{text}");
            lines[line - 1] = lines[line - 1].replacen(&wrong, &right, 1);
            model = lines.join("\n") + "\n";
            mended += 1;
        }
        folder.write("swing.toml", &model);
    }
    assert_eq!(mended, 3);
    assert_eq!(std::fs::read_to_string(folder.file("swing.toml")).expect("a model"), good);
    folder.succeed(&["run", "swing.toml"]);
}

/// Line, underlined text and proposed text of every finding with a proposal.
fn proposals(text: &str) -> Vec<(usize, String, String)> {
    let mut found = Vec::new();
    let (mut line, mut shown, mut wrong) = (0, "", String::new());
    for row in text.lines() {
        if let Some((_, place)) = row.split_once("--> swing.toml:") {
            line = place.split(':').next().and_then(|number| number.parse().ok()).unwrap_or(0);
        } else if let (Some(start), Some(end)) = (row.find('^'), row.rfind('^')) {
            wrong = shown.get(start..=end).unwrap_or_default().trim_matches('"').to_owned();
        } else if let Some((_, help)) = row.split_once("did you mean ") {
            let right = help.split(['`', '"']).nth(1).unwrap_or_default();
            found.push((line, wrong.clone(), right.to_owned()));
        }
        shown = row;
    }
    found
}

#[test]
fn the_schema_that_is_printed_has_the_keys_of_the_repository_and_the_language() {
    let text = Folder::new().succeed(&["schema"]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../flexura/model.schema.json");
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let (printed, plain) = (read(&text), read(&std::fs::read_to_string(path).expect("the schema")));
    for (name, definition) in plain["$defs"].as_object().expect("definitions") {
        for (key, _) in definition["properties"].as_object().into_iter().flatten() {
            assert!(printed["$defs"][name]["properties"][key].is_object(), "{name}.{key}");
        }
    }
    assert!(printed["$defs"]["joint"]["properties"]["repeat"].is_object());
}
