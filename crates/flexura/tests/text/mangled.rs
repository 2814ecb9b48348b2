//! Damaged files never cause a panic, whatever is reported.

use flexura::{State, Workspace, evaluate, file};
use proptest::prelude::*;

/// Files that use most of the schema.
const SOURCES: [&str; 5] = [
    include_str!("../../MODEL_FILE.md"),
    include_str!("../broken/partial_motion_of_free_joint.toml"),
    include_str!("../broken/rigid_shape.toml"),
    include_str!("../broken/three_mistakes.toml"),
    include_str!("../../../../book/examples/language.toml"),
];

/// One of the examples.
fn source(which: usize) -> &'static str {
    let page = SOURCES[0];
    let mut examples = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    match which % 8 {
        k @ 0..4 => examples.nth(k).unwrap_or_default(),
        k => SOURCES[k - 3],
    }
}

/// Text that means something, in a place where it does not.
const TOKENS: [&str; 38] = [
    "nan",
    "-inf",
    "1e999",
    "-1",
    "0",
    "0x7f",
    "99999999999999999999",
    "\"\"",
    "\"ground.origin\"",
    "[]",
    "[[]]",
    "[[[1]]]",
    "{}",
    "{ a = { b = 1 } }",
    "true",
    "1979-05-27",
    "\"free\"",
    "[nan]",
    "1e-320",
    "[1, \"x\"]",
    "\n[body]\n",
    "\n[[body]]\n",
    "\n[[joint]]\n",
    "\n[body.beam]\n",
    "\n[body.modal]\n",
    "\n[[body.frame]]\n",
    "\n[[element]]\n",
    "é",
    "\t",
    "\"a.b.c\"",
    "[[1, 2], [3]]",
    "\"= 1/0\"",
    "\"= n*i\"",
    "\"= [\"",
    "\"{i}{\"",
    "\nrepeat = 3\n",
    "\n[let]\n",
    "\n[[use]]\nname = \"u\"\nfile = \"damaged.toml\"\n",
];

#[derive(Clone, Debug)]
enum Damage {
    Delete(usize, usize),
    Insert(usize, String),
    Token(usize, usize),
    RepeatLine(usize, usize),
    SwapValues(usize, usize),
    ReplaceValue(usize, usize),
    Number(usize, f64),
    Truncate(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<usize>;
    prop_oneof![
        (at(), 1..20usize).prop_map(|(place, length)| Damage::Delete(place, length)),
        (at(), ".{0,6}").prop_map(|(place, text)| Damage::Insert(place, text)),
        (at(), at()).prop_map(|(place, token)| Damage::Token(place, token)),
        (at(), at()).prop_map(|(from, to)| Damage::RepeatLine(from, to)),
        (at(), at()).prop_map(|(first, second)| Damage::SwapValues(first, second)),
        (at(), at()).prop_map(|(line, token)| Damage::ReplaceValue(line, token)),
        (at(), any::<f64>()).prop_map(|(line, number)| Damage::Number(line, number)),
        at().prop_map(Damage::Truncate),
    ]
}

/// Damage that leaves the syntax alone, so that what is behind it is reached.
fn wrong_value() -> impl Strategy<Value = Damage> {
    let at = any::<usize>;
    prop_oneof![
        (at(), at()).prop_map(|(first, second)| Damage::SwapValues(first, second)),
        (at(), at()).prop_map(|(line, token)| Damage::ReplaceValue(line, token)),
        (at(), any::<f64>()).prop_map(|(line, number)| Damage::Number(line, number)),
    ]
}

/// The nearest character boundary at or before `place`, wrapped into the text.
fn boundary(text: &str, place: usize) -> usize {
    let mut place = place % (text.len() + 1);
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

fn set_value(lines: &mut [String], line: usize, value: &str) {
    let line = line % lines.len();
    if let Some((key, _)) = lines[line].split_once(" = ") {
        lines[line] = format!("{key} = {value}");
    }
}

fn apply(text: &str, damage: &Damage) -> String {
    let mut text = text.to_owned();
    match damage {
        Damage::Delete(place, length) => {
            let start = boundary(&text, *place);
            let end = boundary(&text, (start + length).min(text.len()));
            text.replace_range(start.min(end)..end, "");
        }
        Damage::Insert(place, more) => text.insert_str(boundary(&text, *place), more),
        Damage::Token(place, token) => text.insert_str(boundary(&text, *place), chosen(*token)),
        Damage::Truncate(place) => text.truncate(boundary(&text, *place)),
        _ => return apply_to_lines(&text, damage),
    }
    text
}

fn chosen(token: usize) -> &'static str {
    TOKENS[token % TOKENS.len()]
}

fn apply_to_lines(text: &str, damage: &Damage) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.push(String::new());
    let count = lines.len();
    match damage {
        Damage::RepeatLine(from, to) => lines.insert(to % count, lines[from % count].clone()),
        Damage::SwapValues(first, second) => {
            let value = |line: usize| {
                let value = lines[line % count].split_once(" = ").map(|(_, value)| value);
                value.unwrap_or("1").to_owned()
            };
            let (a, b) = (value(*first), value(*second));
            set_value(&mut lines, *first, &b);
            set_value(&mut lines, *second, &a);
        }
        Damage::ReplaceValue(line, token) => set_value(&mut lines, *line, chosen(*token)),
        Damage::Number(line, number) => set_value(&mut lines, *line, &format!("{number:e}")),
        _ => {}
    }
    lines.join("\n")
}

/// Reads, validates and builds a damaged file, evaluates what is left of it, and renders the findings.
fn check(sound: &str, damages: &[Damage]) {
    let text = damages.iter().fold(sound.to_owned(), |text, damage| apply(&text, damage));
    match file::build_text(&text, "damaged.toml") {
        Ok(loaded) => {
            drop(file::render_all(&loaded.warnings, &loaded.spans));
            let model = &loaded.built.model;
            let (state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
            // A damaged model may be singular: that must be an error, not a panic.
            let _ = evaluate(model, &state, &mut work);
        }
        Err(errors) => assert!(errors.to_string().contains("error[")),
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        // The same damage in every run: a failure can be repeated.
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_261_115),
        ..ProptestConfig::default()
    })]

    #[test]
    fn damaged_files_never_panic(
        which in any::<usize>(),
        damages in prop::collection::vec(damage(), 1..5),
    ) {
        check(source(which), &damages);
    }

    #[test]
    fn wrong_values_never_panic(
        which in any::<usize>(),
        damages in prop::collection::vec(wrong_value(), 1..8),
    ) {
        check(source(which), &damages);
    }

    #[test]
    fn arbitrary_text_never_panics(text in "(\\PC|\n){0,200}") {
        if let Err(errors) = file::check(&text, "text.toml") {
            prop_assert!(!errors.to_string().is_empty());
        }
    }
}
