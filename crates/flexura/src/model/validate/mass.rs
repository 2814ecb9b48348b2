//! Masses and inertias that matter can have.

use super::Report;
use super::matrix::{asymmetry, principal};
use crate::model::item::{Item, ItemPath};
use crate::model::words;

/// Relative slack for rounded numbers in a file.
const SLACK: f64 = 1e-6;

/// Which inertias are accepted.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Rule {
    /// All principal moments positive: a rigid body.
    Definite,
    /// Zero moments too: a node.
    Semidefinite,
}

/// Reports a mass that is not positive.
pub(super) fn check_mass(mass: f64, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let help = "give the mass in kilograms; only nodes of a modal body may be massless";
    if mass == 0.0 {
        report.error("zero-mass", path, item, "the mass is zero", help);
    } else if mass < 0.0 {
        let message = format!("the mass is negative: {}", words::number(mass));
        report.error("negative-mass", path, item, message, "give the mass in kilograms");
    }
}

/// Reports an inertia that no distribution of mass has; `about` says about which point.
/// Returns whether it is sound.
pub(super) fn check_inertia(
    inertia: &[[f64; 3]; 3],
    rule: Rule,
    about: &str,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) -> bool {
    if let Some(pair) = asymmetry(inertia.as_flattened(), 3) {
        let message = unequal(inertia, pair);
        report.error("inertia-not-symmetric", path, item, message, "make both equal");
        return false;
    }
    let (moments, directions) = principal(inertia);
    let axes = directions.map(direction);
    let shown = moments.map(words::number);
    if moments[0] < -SLACK * moments[2].abs() || (rule == Rule::Definite && moments[0] <= 0.0) {
        let message = format!(
            "the inertia {about} is not positive: the principal moment about {} is {} (all: {})",
            axes[0],
            shown[0],
            shown.join(", "),
        );
        let help = "each principal moment is a sum of mass times distance squared; check signs and units";
        report.error("inertia-not-positive", path, item, message, help);
        return false;
    }
    if moments[0] + moments[1] < moments[2] * (1.0 - SLACK) {
        let message = format!(
            "the inertia {about} breaks the triangle inequality: {} about {} plus {} about {} \
             is less than {} about {}",
            shown[0], axes[0], shown[1], axes[1], shown[2], axes[2],
        );
        let help = "no distribution of mass has it: each principal moment is at most the sum of \
                    the other two; check the order [Ixx, Iyy, Izz] and the units";
        report.error("inertia-triangle", path, item, message, help);
        return false;
    }
    true
}

fn unequal(inertia: &[[f64; 3]; 3], (row, column): (usize, usize)) -> String {
    let (a, b) = (["x", "y", "z"][row], ["x", "y", "z"][column]);
    let upper = words::number(inertia[row][column]);
    let lower = words::number(inertia[column][row]);
    format!("the inertia is not symmetric: I{a}{b} = {upper}, but I{b}{a} = {lower}")
}

/// The inertia about the centre of mass of a node whose inertia is given about its origin.
pub(super) fn about_center(inertia: &[[f64; 3]; 3], mass: f64, offset: &[f64; 3]) -> [[f64; 3]; 3] {
    let square: f64 = offset.iter().map(|x| x * x).sum();
    let mut shifted = *inertia;
    for i in 0..3 {
        for j in 0..3 {
            let diagonal = if i == j { square } else { 0.0 };
            shifted[i][j] -= mass * (diagonal - offset[i] * offset[j]);
        }
    }
    shifted
}

/// A principal axis in words: a letter where it is a body axis.
fn direction(axis: [f64; 3]) -> String {
    let aligned = (0..3).find(|&k| axis[k].abs() > 1.0 - 1e-9);
    match aligned {
        Some(k) => ["x", "y", "z"][k].to_owned(),
        None => words::numbers(&axis),
    }
}
