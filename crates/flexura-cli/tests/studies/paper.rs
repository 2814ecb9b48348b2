//! `flexura paper`: lists, entries with errata and code, checks.

use crate::common::{Folder, has};
use serde_json::Value;

#[test]
fn papers_and_their_equations_are_listed() {
    let folder = Folder::new();
    has(&folder.succeed(&["paper"]), &["jpl-90-26", "fdca", "lugris-2007", "richard-2012"]);
    has(&folder.succeed(&["paper", "jpl-90-26"]), &["(7.8-7.12)", "articulated bodies"]);
    let text = folder.succeed(&["paper", "jpl-90-26", "7.10"]);
    has(
        &text,
        &[
            "jpl-90-26 (7.8-7.12)",
            "erratum A2 (E), eqs 7.9, 7.10",
            "crates/flexura/src/algorithm/articulated_body.rs: articulated_body",
            "accelerations by articulated bodies against the dense mass matrix",
            ": holds",
        ],
    );
    let json: Value =
        serde_json::from_str(&folder.succeed(&["paper", "richard-2012", "42", "--json"])).expect("JSON");
    assert_eq!(json[0]["check"][0]["holds"], true);
}

#[test]
fn what_is_not_there_is_said_with_what_is() {
    let folder = Folder::new();
    has(&folder.fail(2, &["paper", "jpl-90-27"]), &["no paper", "did you mean `jpl-90-26`?"]);
    has(&folder.fail(2, &["paper", "jpl-90-26", "99.1"]), &["no entry for (99.1)", "3.5-3.6", "and 27 more"]);
}
