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
