//! Every kind of element, joint, law, driver, force, load, controller and event, in every choice of coordinates, by every
//! method and formulation: it is felt, and felt alike, or refused by name.
//!
//! The kinds are those of the schema of model files, so that a new one without a row here fails.

mod routes;
mod rows;
mod scene;
mod schema;

use flexura::Recording;
use rayon::prelude::*;
use routes::{ROUTES, compute, differences, sizes};
use scene::{Row, TREES, Tree};
use std::collections::BTreeMap;

/// Share of its effect by which two computations of a kind may differ: steps of 1 ms leave 1e-4 of it, the motion without
/// the kind all of it.
const SHARE: f64 = 0.02;
/// A kind must change speeds by so much (m/s).
const FELT: f64 = 0.02;

/// The right answer to a row, and what the kind does to it.
struct Standard {
    expected: Recording,
    effect: BTreeMap<&'static str, (f64, String)>,
    size: BTreeMap<&'static str, f64>,
}

/// The reference of an open chain or a closed loop; a kind that is not felt is a fault.
fn standard(row: &Row, closed: bool) -> Result<Standard, String> {
    let tree = TREES.iter().find(|tree| tree.closed == closed).ok_or("no such tree")?;
    let [with, without] = [true, false].map(|acts| compute(row, tree, ROUTES[0], acts));
    let (expected, plain) = (with?.0, without?.0);
    let (effect, size) = (differences(&expected, &plain), sizes(&expected));
    let felt = effect.get("m/s").map_or(0.0, |(most, _)| *most);
    if felt >= FELT {
        Ok(Standard { expected, effect, size })
    } else {
        Err(format!("{}: not felt: speeds change by {felt:.1e} m/s", tree.words))
    }
}

/// Whether a route is one of trees only, and this coordinate choice cuts a joint.
fn needs_open_tree(tree: &Tree, route: &str) -> bool {
    ["composite-body", "conjugate-gradient"].iter().any(|word| route.contains(word))
        && tree.words != TREES[0].words
}

/// What is wrong with a row in one tree by one route.
fn fault(row: &Row, tree: &Tree, route: &str, standard: &Standard) -> Option<String> {
    if needs_open_tree(tree, route) {
        let message = "does not know closed loops";
        return match compute(row, tree, route, true) {
            Err(error) if error.contains(message) => None,
            // What the row itself is refused for may come first.
            Err(_) if !row.refused.is_empty() => None,
            Err(error) => Some(format!("refused: {error}")),
            Ok(_) => Some("should be refused".into()),
        };
    }
    let here = |word: &str| tree.words.contains(word) || route.contains(word);
    let refusals: Vec<&str> =
        row.refused.iter().filter(|(word, _)| here(word)).map(|(_, message)| *message).collect();
    match compute(row, tree, route, true) {
        Ok(_) if !refusals.is_empty() => Some("should be refused".into()),
        Ok((found, _)) => disagreement(standard, &found, share(row, route)),
        Err(error) => {
            let named = error.contains(row.item) && refusals.iter().any(|word| error.contains(word));
            (!named).then(|| format!("refused: {error}"))
        }
    }
}

/// What energy-decaying steps take from vibrations is part of the method: of first order in the step, and speeds of
/// flexible loops feel it.
fn share(row: &Row, route: &str) -> f64 {
    let decays = row.bob != scene::RIGID && route.contains("energy-decaying");
    if decays { 5.0 * SHARE } else { SHARE }
}

/// The first channel that is off by more than a share of the effect.
fn disagreement(standard: &Standard, found: &Recording, share: f64) -> Option<String> {
    let Standard { expected, effect, size } = standard;
    differences(expected, found).into_iter().find_map(|(unit, (difference, channel))| {
        let effect = effect.get(unit).map_or(size[unit], |(most, _)| *most);
        // Rounding and error control where the kind hardly acts.
        let agrees = difference <= share * effect + 1e-6 * size[unit].max(1e-3);
        (!agrees).then(|| format!("{channel} is off by {difference:.2e} {unit}, effect {effect:.2e}"))
    })
}

fn agree(rows: &[Row]) {
    let cases: Vec<(&Row, bool)> = rows.iter().flat_map(|row| [(row, false), (row, true)]).collect();
    let faults = cases.par_iter().flat_map_iter(|(row, closed)| match standard(row, *closed) {
        Err(error) => vec![format!("{}: {error}", row.name)],
        Ok(standard) => {
            let trees = TREES.iter().filter(|tree| tree.closed == *closed);
            let places = trees.flat_map(|tree| ROUTES.map(|route| (tree, route)));
            let words = |tree: &Tree, route: &str, what| {
                format!("{}; {}; {}: {what}", row.name, tree.words, route.replace('\n', ", "))
            };
            places
                .filter_map(|(tree, route)| {
                    fault(row, tree, route, &standard).map(|what| words(tree, route, what))
                })
                .collect()
        }
    });
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn constraints_on_speeds_agree() {
    agree(rows::ON_SPEEDS);
}

#[test]
fn elements_agree() {
    agree(rows::ELEMENTS);
}

#[test]
fn laws_agree() {
    agree(rows::LAWS);
}

#[test]
fn drivers_agree() {
    agree(rows::DRIVERS);
}

#[test]
fn joints_agree() {
    agree(rows::JOINTS);
}

#[test]
fn forces_agree() {
    agree(rows::FORCES);
}

#[test]
fn loads_agree() {
    agree(rows::LOADS);
}

#[test]
fn controllers_agree() {
    agree(rows::CONTROLLERS);
}

/// Crossings are found at the same instant, in the wanted direction only, and a run ends there if asked to.
#[test]
fn events_agree() {
    let cases = rows::EVENTS.iter().flat_map(|row| [(row, false), (row, true)]);
    cases.collect::<Vec<_>>().par_iter().for_each(|((row, happens, stops), closed)| {
        let mut expected = None;
        for (tree, route) in TREES.iter().flat_map(|tree| ROUTES.map(|route| (tree, route))) {
            if tree.closed != *closed || needs_open_tree(tree, route) {
                continue;
            }
            let place = format!("{}; {}; {route}", row.name, tree.words);
            let (_, found) =
                compute(row, tree, route, true).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(found.events.len(), usize::from(*happens), "{place}");
            assert_eq!(found.stopped_by.as_deref(), stops.then_some("it"), "{place}");
            if let Some(event) = found.events.first() {
                // Steps of second order are off by 1e-6 m at 0.5 m/s.
                let expected = *expected.get_or_insert(event.time);
                assert!((event.time - expected).abs() < 1e-5, "{place}: {} and {expected} s", event.time);
            }
        }
    });
}
