//! `flexura validate`: lines for programs, a page that needs nothing else, a chapter with figures, exit codes.

use crate::common::{Folder, has};

const KEYS: [&str; 13] = [
    "case",
    "quantity",
    "unit",
    "value",
    "reference",
    "error",
    "tolerance",
    "measure",
    "verdict",
    "source",
    "trust",
    "group",
    "reason",
];

#[test]
fn one_line_of_json_per_quantity() {
    let folder = Folder::new();
    let text = folder.succeed(&["validate", "iftomm-pendulum", "--quick", "--json"]);
    assert!(text.lines().count() > 10, "{text}");
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert!(KEYS.iter().all(|key| value.get(key).is_some_and(|found| !found.is_null())), "{line}");
        assert_eq!(value["case"], "iftomm-pendulum");
        assert_eq!(value["verdict"], "pass");
    }
}

#[test]
fn the_report_needs_nothing_else() {
    let folder = Folder::new();
    let arguments =
        ["validate", "iftomm-pendulum", "--quick", "--report", "page.html", "--chapter", "chapter.md"];
    let text = folder.succeed(&arguments);
    has(&text, &["iftomm-pendulum", "pass", "0 failed"]);
    let page = std::fs::read_to_string(folder.file("page.html")).expect("a page");
    has(&page, &["id=\"iftomm-pendulum\"", "<svg", "Position of the mass.", "prefers-color-scheme: dark"]);
    let loads = ["src=", "<script", "@import", "url("];
    assert!(loads.iter().all(|word| !page.contains(word)), "the page loads something");
    let chapter = std::fs::read_to_string(folder.file("chapter.md")).expect("a chapter");
    has(&chapter, &["<a id=\"iftomm-pendulum\"></a>", "](chapter/iftomm-pendulum-1.svg)", "| period |"]);
    assert!(folder.file("chapter/iftomm-pendulum-1.svg").exists());
}

#[test]
fn the_fast_part_is_a_part() {
    let folder = Folder::new();
    let lines = |arguments: &[&str]| folder.succeed(arguments).lines().count();
    let (part, whole) =
        (lines(&["validate", "bend-45", "--quick", "--json"]), lines(&["validate", "bend-45", "--json"]));
    assert!(part > 0 && part < whole, "{part} of {whole}");
}

/// Tables beside those of the paper; times decide nothing.
#[test]
fn tables_of_times_are_measured() {
    let folder = Folder::new();
    let text = folder.succeed(&["validate", "lugris-double-four-bar", "--timing", "--report", "times.html"]);
    has(&text, &["Table 2", "global, the paper (s)", "15.2", "topological, here (ms)", "nothing is judged"]);
    let row = |name: &str| text.lines().find(|line| line.trim_start().starts_with(name)).expect(name);
    let coordinates: Vec<&str> = row("global, coordinates").split_whitespace().skip(2).collect();
    assert_eq!(coordinates, ["6", "13", "20", "27", "34", "41"]);
    let here = row("topological, here (ms)").split_whitespace().skip(3);
    assert!(here.map(|x| x.parse::<f64>().expect("a time")).filter(|x| *x > 0.0).count() == 6, "{text}");
    has(&std::fs::read_to_string(folder.file("times.html")).expect("a page"), &["Table 2", "20.9"]);
    let refused = folder.fail(2, &["validate", "iftomm-pendulum", "--timing"]);
    has(&refused, &["no table of computing times", "lugris-vehicle"]);
}

#[test]
fn cases_are_listed_and_unknown_ones_refused() {
    let folder = Folder::new();
    let list = folder.succeed(&["validate", "--list"]);
    assert!(list.lines().count() >= 28, "{list}");
    has(&list, &["fdca-bar", "right-angle-cantilever"]);
    has(&folder.fail(2, &["validate", "no-such-case"]), &["no case `no-such-case`", "iftomm-pendulum"]);
}
