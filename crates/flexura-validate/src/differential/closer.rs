//! A second look at a disagreement: is it of the model, of the step, or of the engine?
//!
//! Errors of a method vanish with its step and its tolerance, those of the engine do not. A run that differs is therefore repeated with
//! steps and tolerances ever finer, against a reference that is finer as well: where it then agrees (within allowances that shrink with
//! the step), it was the method. Where the reference itself moves by more than is allowed, or where the motion has taken a law over angles to
//! where it ends, there is nothing to compare with. All other disagreements stay.

use super::attempt::{Attempt, attempt_with};
use super::compare::{compare, unresolved};
use super::document::Document;
use super::judge::{Check, Fault, Place, Verdict};
use super::routes::{ROUTES, Route, Tree};
use flexura::record::Recording;
use toml::Value;

/// Steps are halved so often, one after the other.
const HALVED: [i32; 4] = [2, 4, 6, 8];
/// Tolerances are divided by this.
const TIGHTER: f64 = 10.0;
/// Rows between two rows, so that a law is seen where it is left.
const CLOSER_ROWS: f64 = 20.0;

/// What is left of `fault`, found at `place`.
pub fn look(document: &Document, place: &Place, fault: Fault) -> Verdict {
    let Check::Route(route) = place.check else { return Verdict::Fault(fault) };
    // Panics, bits and other starts are faults of the engine whatever the motion does.
    if !matches!(fault, Fault::Channel(_) | Fault::GaveUp(_)) {
        return Verdict::Fault(fault);
    }
    if let Some(law) = law_left(document) {
        return Verdict::Refused(format!("a law was left: {law}"));
    }
    let Some((expected, redundant)) = done(document, &Tree::Joint, &tighter(&ROUTES[0]), 0) else {
        return Verdict::Fault(fault);
    };
    if let Some((first, _)) = done(document, &Tree::Joint, &ROUTES[0], 0)
        && compare(&expected, &first, None, redundant).is_some()
    {
        return Verdict::Refused("the reference does not settle".into());
    }
    let (tree, route) = (&place.tree, &ROUTES[route]);
    let agrees = if route.step == 0.0 {
        let found = done(document, tree, &tighter(route), 0);
        found.is_some_and(|(found, more)| compare(&expected, &found, None, redundant || more).is_none())
    } else {
        HALVED.iter().any(|&halved| agrees_at(document, (tree, route), halved, (&expected, redundant)))
    };
    if agrees { Verdict::AgreesCloser } else { Verdict::Fault(fault) }
}

/// Whether steps halved so often, and once more, agree.
fn agrees_at(
    document: &Document,
    (tree, route): (&Tree, &Route),
    halved: i32,
    (expected, redundant): (&Recording, bool),
) -> bool {
    let run = |halved| done(document, tree, route, halved);
    let (Some((coarse, _)), Some((fine, more))) = (run(halved), run(halved + 1)) else { return false };
    // Allowances grow with what a halved step changes: where that is the motion itself, all would agree.
    !unresolved(&coarse, &fine) && compare(expected, &fine, Some(&coarse), redundant || more).is_none()
}

/// The rows of a run that ends well.
fn done(document: &Document, tree: &Tree, route: &Route, halved: i32) -> Option<(Recording, bool)> {
    match attempt_with(document, tree, route, halved).0 {
        Attempt::Done(recording, redundant) => Some((recording, redundant)),
        _ => None,
    }
}

/// A route with smaller tolerances, where it has any.
fn tighter(route: &Route) -> Route {
    Route { tighter: TIGHTER, ..*route }
}

/// The law that the reference motion takes to its end, if any.
fn law_left(document: &Document) -> Option<String> {
    let mut document = document.clone();
    let simulation = document.get_mut("simulation")?.as_table_mut()?;
    let interval = simulation
        .get("output_interval")
        .and_then(|given| given.as_float().or_else(|| given.as_integer().map(|whole| whole as f64)));
    let interval = interval.unwrap_or(0.01);
    simulation.insert("output_interval".into(), Value::Float(interval / CLOSER_ROWS));
    attempt_with(&document, &Tree::Joint, &ROUTES[0], 0).1
}
