//! Makes a failing model smaller as long as it fails in the same way at the same place.
//!
//! Greedy: whole items with all that refers to them first, then bodies whose neighbours are moved to the ground, then single
//! keys. A model that is refused does not fail, so that nothing has to be known about what belongs together.

use super::document::{Document, name, refers};
use super::judge::{Fault, Place, Verdict, judge, reference};
use std::time::{Duration, Instant};
use toml::Value;

/// Runs spent on one model.
const MOST_RUNS: usize = 600;
/// Time after which no further run is begun.
const LONGEST: Duration = Duration::from_secs(90);
/// Sections in the order in which they are thinned out.
const SECTIONS: [&str; 7] = ["controller", "load", "force", "element", "joint", "body", "simulation"];
/// Keys without which an item is none.
const KEPT: [&str; 6] = ["name", "type", "between", "body", "at", "end"];

/// The fault of `document` at `place`, if there is one.
pub fn fault_at(document: &Document, place: &Place) -> Option<Fault> {
    let (expected, redundant) = reference(document).ok()?;
    match judge(document, &expected, redundant, place) {
        Verdict::Fault(fault) => Some(fault),
        _ => None,
    }
}

/// The smallest model found that fails like `fault`, and its fault; `examine` finds the fault of a model.
pub fn shrink(
    document: &Document,
    fault: &Fault,
    examine: &mut dyn FnMut(&Document) -> Option<Fault>,
) -> (Document, Fault) {
    let mut best = (document.clone(), fault.clone());
    let (mut runs, started) = (0, Instant::now());
    loop {
        let mut smaller = false;
        let mut at = 0;
        // Candidates are made anew after each success; those before `at` have been tried.
        while let Some(candidate) = candidates(&best.0).into_iter().nth(at) {
            runs += 1;
            if runs > MOST_RUNS || started.elapsed() > LONGEST {
                return best;
            }
            match examine(&candidate) {
                Some(found) if found.is_like(fault) => {
                    best = (candidate, found);
                    smaller = true;
                }
                _ => at += 1,
            }
        }
        if !smaller {
            return best;
        }
    }
}

/// Smaller models, the smallest first.
fn candidates(document: &Document) -> Vec<Document> {
    let mut list = Vec::new();
    for section in SECTIONS {
        let count = document.get(section).and_then(Value::as_array).map_or(0, Vec::len);
        for i in 0..count {
            list.extend(without(document, section, i));
        }
    }
    for section in SECTIONS.into_iter().chain(["model", "ground"]) {
        if document.get(section).and_then(Value::as_array).is_some_and(Vec::is_empty) {
            let mut document = document.clone();
            document.remove(section);
            list.push(document);
        }
        without_keys(document.get(section), &mut |smaller| {
            let mut document = document.clone();
            document.insert(section.into(), smaller);
            list.push(document);
        });
    }
    list
}

/// Without one item and all that refers to it; a body also with its neighbours moved to the ground.
fn without(document: &Document, section: &str, i: usize) -> Vec<Document> {
    let mut document = document.clone();
    let Some(items) = document.get_mut(section).and_then(Value::as_array_mut) else { return Vec::new() };
    let gone = name(&items.remove(i)).to_string();
    let mut moved = document.clone();
    if let Some(joints) = moved.get_mut("joint") {
        ground(joints, &gone);
    }
    drop_references(&mut document, &gone);
    drop_references(&mut moved, &gone);
    if section == "body" { vec![document, moved] } else { vec![document] }
}

/// References to a body become the ground.
fn ground(value: &mut Value, body: &str) {
    match value {
        Value::String(text) if text.strip_prefix(body).is_some_and(|rest| rest.starts_with('.')) => {
            *text = "ground.origin".into();
        }
        Value::Array(list) => list.iter_mut().for_each(|one| ground(one, body)),
        Value::Table(table) => table.iter_mut().for_each(|(_, one)| ground(one, body)),
        _ => {}
    }
}

fn drop_references(document: &mut Document, gone: &str) {
    let mut further = Vec::new();
    for section in SECTIONS {
        let items = match document.get_mut(section) {
            Some(Value::Array(items)) => items,
            Some(Value::Table(table)) => match table.get_mut("initial").and_then(Value::as_array_mut) {
                Some(items) => items,
                None => continue,
            },
            _ => continue,
        };
        items.retain(|item| {
            let stays = !refers(item, gone);
            if !stays && !name(item).is_empty() {
                further.push(name(item).to_string());
            }
            stays
        });
    }
    for name in further {
        drop_references(document, &name);
    }
}

/// Hands on `value` without each of the keys and entries of lists of tables in it.
fn without_keys(value: Option<&Value>, hand_on: &mut dyn FnMut(Value)) {
    match value {
        Some(Value::Table(table)) => {
            for key in table.keys().filter(|key| !KEPT.contains(&key.as_str())) {
                let mut smaller = table.clone();
                smaller.remove(key);
                hand_on(Value::Table(smaller));
            }
            for (key, inner) in table {
                without_keys(Some(inner), &mut |smaller| {
                    let mut table = table.clone();
                    table.insert(key.clone(), smaller);
                    hand_on(Value::Table(table));
                });
            }
        }
        Some(Value::Array(list)) if list.iter().any(Value::is_table) => {
            for (i, inner) in list.iter().enumerate() {
                let mut fewer = list.clone();
                fewer.remove(i);
                hand_on(Value::Array(fewer));
                without_keys(Some(inner), &mut |smaller| {
                    let mut list = list.clone();
                    list[i] = smaller;
                    hand_on(Value::Array(list));
                });
            }
        }
        _ => {}
    }
}
