//! Closed loops in `flexura check`.

use crate::common::{Folder, example, has};
use serde_json::Value;

#[test]
fn check_says_what_was_cut_and_why() {
    let folder = Folder::new();
    let text = folder.succeed(&["check", &example("four_bar")]);
    has(
        &text,
        &[
            "closed loops        1: 5 constraints, 2 independent",
            "mobility            4 by rank, 1 by counting",
            "redundant           `b` 3 of 5",
            "assembly            a gap of",
            "b (revolute, 5 constraints; farthest from the ground among its like): b, c, drive, a",
        ],
    );
    let text = folder.succeed(&["check", &example("squeezer")]);
    has(
        &text,
        &["closed loops        3: 15 constraints, 6 independent", "moved `theta` by 0.1", "cut by [graph]"],
    );
}

#[test]
fn check_counts_the_freedoms_of_bricard() {
    let text = Folder::new().succeed(&["check", &example("bricard"), "--json"]);
    let json: Value = serde_json::from_str(&text).expect("valid JSON");
    let loops = &json["loops"];
    assert_eq!(loops["constraints"], 5);
    assert_eq!(loops["independent"], 4);
    assert_eq!(loops["freedoms_by_rank"], 1);
    assert_eq!(loops["freedoms_by_counting"], 0);
    assert_eq!(loops["list"][0]["joint"], "j3");
    assert_eq!(loops["list"][0]["redundant"], 1);
    assert_eq!(loops["list"][0]["members"].as_array().map(Vec::len), Some(6));
    let text = Folder::new().succeed(&["check", &example("pendulum"), "--json"]);
    let json: Value = serde_json::from_str(&text).expect("valid JSON");
    assert!(json["loops"].is_null());
}

/// One model in two formulations by a flag, with the same motion to the error of the steps; others are refused.
#[test]
fn formulations_are_chosen_by_name() {
    let folder = Folder::new();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/four_bar.toml");
    let text = std::fs::read_to_string(model).expect("the model");
    let settings =
        "[simulation]\nmethod = \"trapezoidal\"\nstep = 1e-4\nend = 0.02\noutput_interval = 0.002\n";
    let start = text.find("[simulation]").expect("settings");
    folder.write("four_bar.toml", &format!("{}{settings}", &text[..start]));
    let last = |word: &str| {
        let output = format!("{word}.fxr");
        let run = folder
            .command(&["run", "four_bar.toml", "--formulation", word, "-o", &output])
            .output()
            .expect("runs");
        assert!(run.status.success(), "{word}: {}", String::from_utf8_lossy(&run.stderr));
        let file = flexura_results::ResultFile::open(folder.file(&output)).expect("a result");
        *file.channel("b.angle").expect("recorded").last().expect("rows")
    };
    let (topological, global) = (last("topological"), last("global"));
    // Steps of 1e-4 s on vibrations of flexible bars: each formulation is a few 1e-6 rad from the motion.
    assert!((topological - global).abs() < 1e-5, "{topological} {global}");
    let refused =
        folder.command(&["run", "four_bar.toml", "--formulation", "recursive"]).output().expect("runs");
    let words = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{words}");
    assert!(
        words.contains("implicit steps of closed loops are taken in the topological formulation"),
        "{words}"
    );
    let check = folder.command(&["check", "four_bar.toml"]).output().expect("runs");
    let words = String::from_utf8_lossy(&check.stdout).into_owned();
    assert!(words.contains("formulation topological (implicit steps of closed loops)"), "{words}");
}
