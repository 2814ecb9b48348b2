//! A failure must be seen everywhere: in the exit code, in the table, on the page, in the chapter.

use super::{chapter, html, json_lines, verdict, words};
use flexura_validate::{CASES, CaseOutcome, Quantity, Trust};

/// Three quantities: one passes, one fails as it must, one has no reference; and one more that fails if `fails`.
fn outcome(fails: bool) -> CaseOutcome {
    let new = |name: &str, value: f64| Quantity::new(name, "m", value).source("a book", Trust::T1);
    let mut quantities = vec![
        new("right", 1.0).relative(1.0, 0.01, "digits of the book"),
        new("wrong as expected", 2.0).relative(1.0, 0.01, "digits of the book").expected_to_fail(),
        new("unknown", 3.0).without_reference("lost"),
        new("as before", 4.0).relative(4.0, 0.01, "earlier run").regression(),
    ];
    if fails {
        quantities.push(new("off by little", 1.02).relative(1.0, 0.01, "digits of the book"));
    }
    CaseOutcome {
        id: CASES[0].id,
        quantities,
        figures: Vec::new(),
        tables: Vec::new(),
        timings: Vec::new(),
        notes: Vec::new(),
        seconds: 0.5,
    }
}

#[test]
fn one_failure_decides_the_exit_code() {
    assert!(verdict(&[outcome(false)]).is_ok());
    let failure = verdict(&[outcome(false), outcome(true)]).expect_err("a failure");
    assert_eq!(failure.code(), 1);
    assert!(format!("{failure:?}").contains(CASES[0].id), "{failure:?}");
}

#[test]
fn the_table_names_what_fails() {
    let good = words::table(&[outcome(false)], false);
    assert!(good.ends_with("4 quantities of 1 case, 0 failed\n"), "{good}");
    assert!(good.contains("2 pass, 1 expected_failure, 1 no_reference"), "{good}");
    let bad = words::table(&[outcome(false), outcome(true)], false);
    assert!(bad.ends_with("9 quantities of 2 cases, 1 failed\n"), "{bad}");
    let line = "fail             off by little: 1.02 m (reference 1 m, error 2 %, tolerance 1 %): digits of the book";
    assert!(bad.contains(line), "{bad}");
    assert!(!bad.contains("unknown"), "only failures: {bad}");
}

#[test]
fn pages_and_chapters_show_every_verdict() {
    let page = html::page(&[outcome(true)], false);
    let folder = std::env::temp_dir().join(format!("flexura-chapter-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let path = folder.join("chapter.md");
    chapter::write(&path, &[outcome(true)]).expect("written");
    let chapter = std::fs::read_to_string(&path).expect("a chapter");
    std::fs::remove_dir_all(&folder).expect("removed");
    for (name, class, word) in [
        ("right", "pass", "pass"),
        ("wrong as expected", "expected_failure", "expected failure"),
        ("unknown", "no_reference", "no reference"),
        ("as before", "pass", "pass"),
        ("off by little", "fail", "fail"),
    ] {
        let row = page.split("<tr>").find(|row| row.starts_with(&format!("<td>{name}<"))).expect(name);
        assert!(row.contains(&format!("class=\"badge {class}\">{word}<")), "{row}");
        let row = chapter.lines().find(|line| line.starts_with(&format!("| {name} |"))).expect(name);
        assert!(row.ends_with(&format!("| {word} |")), "{row}");
    }
    assert!(page.contains("Regression: against Flexura itself"));
    assert!(page.contains("1 fail<"), "the summary counts failures");
    assert!(chapter.contains("2 pass, 1 fail, 1 expected failure, 1 no reference"), "{chapter}");
}

#[test]
fn lines_for_programs_keep_what_is_no_number() {
    let mut outcome = outcome(false);
    outcome.quantities = vec![Quantity::new("broken", "m", f64::NAN).relative(1.0, 0.5, "why")];
    let text = json_lines(&[outcome]);
    let line: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&line["value"], &line["error"], &line["verdict"]),
        (&"NaN".into(), &"NaN".into(), &"fail".into())
    );
}
