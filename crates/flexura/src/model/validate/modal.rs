//! Modal bodies: sizes, stiffness and nodes.

use std::collections::HashSet;

use super::mass::{Rule, about_center, check_inertia};
use super::matrix::{asymmetry, lost_definiteness};
use super::{Report, damping, names};
use crate::model::description::{ModalDescription, ModalInvariants, NodeDescription};
use crate::model::item::{Item, ItemPath};
use crate::model::words;

/// A pivot this small against its diagonal entry counts as zero.
const SINGULAR: f64 = 1e-12;

/// Checks a modal body; `path` is that of its `modal` table.
pub(super) fn check(modal: &ModalDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if modal.modes == 0 {
        let message = "there are no modes: the body behaves as rigid";
        report.warning("no-modes", &path.key("stiffness"), item, message, "give the stiffness of each mode");
    }
    check_stiffness(modal, &path.key("stiffness"), item, report);
    damping::check(&modal.damping, modal.modes, &path.key("damping"), item, report);
    let list = path.key("node");
    if let Some(invariants) = &modal.invariants {
        check_invariants(invariants, modal.modes, path, item, report);
    } else if modal.nodes.is_empty() {
        report.error("no-nodes", &list, item, "the body has no nodes", "add [[body.modal.node]] tables");
    } else if modal.nodes.iter().all(|node| node.mass == 0.0) {
        let message = "all nodes are massless";
        report.error("zero-mass", &list, item, message, "give at least one node a mass");
    }
    check_nodes(modal, &list, item, report);
}

fn check_invariants(
    invariants: &ModalInvariants,
    modes: usize,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    if !invariants.fits(modes) {
        let message = format!("the invariants do not have the sizes for {}", words::count(modes, "mode"));
        report.error("invariants-size", path, item, message, "reduce the finite element model again");
    } else if invariants.numbers().any(|x| !x.is_finite()) {
        let message = "the invariants hold a number that is not finite";
        report.error("not-finite", path, item, message, "reduce the finite element model again");
    } else if invariants.mass <= 0.0 {
        let message = "the invariants have no mass";
        report.error("zero-mass", path, item, message, "give the body a density");
    }
}

fn check_nodes(modal: &ModalDescription, list: &ItemPath<'_>, owner: &Item<'_>, report: &mut Report) {
    let mut seen = HashSet::new();
    for (k, node) in modal.nodes.iter().enumerate() {
        let (path, item) = (list.index(k), Item::named("node", &node.name, k).of(owner));
        if !node.name.is_empty() {
            let path = path.key("name");
            names::well_formed(&node.name, &path, &item, report);
            if !seen.insert(&node.name) {
                let message = format!("the name `{}` is used by an earlier node", node.name);
                let help = "give each node its own name";
                report.error("duplicate-node", &path, &item, message, help);
            }
        }
        check_node_mass(node, &path, &item, report);
        check_shapes(node, modal.modes, &path, &item, report);
        check_quadratic(node, modal.modes, &path.key("quadratic"), &item, report);
    }
}

fn check_stiffness(modal: &ModalDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let (n, matrix) = (modal.modes, &modal.stiffness);
    if matrix.len() != n * n {
        let (found, modes, needed) = (matrix.len(), words::count(n, "mode"), n * n);
        let message = format!("the stiffness has {found} entries, but {modes} need {needed}");
        let help = "give one row per mode, one entry per mode in it";
        report.error("stiffness-size", path, item, message, help);
        return;
    }
    if let Some((row, column)) = asymmetry(matrix, n) {
        let entry = |row: usize, column: usize| words::number(matrix[row * n + column]);
        let (a, b) = (row + 1, column + 1);
        let (upper, lower) = (entry(row, column), entry(column, row));
        let message = format!("the stiffness is not symmetric: k{a}{b} = {upper}, but k{b}{a} = {lower}");
        report.error("stiffness-not-symmetric", path, item, message, "make both equal");
        return;
    }
    if !check_diagonal(modal, path, item, report) {
        return;
    }
    if let Some(mode) = lost_definiteness(matrix, n, SINGULAR) {
        let message = format!(
            "the stiffness is not positive definite: a mix of mode {} and the modes before it \
             has none",
            mode + 1,
        );
        report.error("mode-without-stiffness", &path.index(mode), item, message, RIGID_MOTION);
    }
}

/// Reports modes without stiffness of their own; returns whether there are none.
fn check_diagonal(
    modal: &ModalDescription,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) -> bool {
    let before = report.0.len();
    for mode in 0..modal.modes {
        let (number, stiffness) = (mode + 1, modal.stiffness[mode * modal.modes + mode]);
        let (message, help) = match stiffness {
            0.0 => (format!("mode {number} has no stiffness"), RIGID_MOTION),
            _ if stiffness < 0.0 => {
                let stiffness = words::number(stiffness);
                let message = format!("mode {number} has the negative stiffness {stiffness}");
                (message, "check the sign: a mode that softens cannot be simulated")
            }
            _ => continue,
        };
        report.error("mode-without-stiffness", &path.index(mode), item, message, help);
    }
    report.0.len() == before
}

const RIGID_MOTION: &str = "a shape without stiffness is a rigid motion: leave it out, the \
                            joint of the body already moves it";

fn check_node_mass(node: &NodeDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if node.mass < 0.0 {
        let message = format!("the mass is negative: {}", words::number(node.mass));
        let help = "give kilograms, or zero for an attachment point";
        report.error("negative-mass", &path.key("mass"), item, message, help);
        return;
    }
    let path = path.key("inertia");
    let (inertia, about) = (&node.inertia, "about the node origin");
    let centered = node.offset == [0.0; 3];
    if check_inertia(inertia, Rule::Semidefinite, about, &path, item, report) && !centered {
        let about = format!("about the centre of mass (offset {})", words::numbers(&node.offset));
        let mut shifted = about_center(inertia, node.mass, &node.offset);
        // Rounding of the difference must not look like a negative moment.
        let rounding = 1e-12 * inertia.as_flattened().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        (0..3).for_each(|k| shifted[k][k] += rounding);
        let before = report.0.len();
        check_inertia(&shifted, Rule::Semidefinite, &about, &path, item, report);
        if let Some(found) = report.0.get_mut(before) {
            found.help = "the inertia of a node is about its origin, not its centre of mass: add \
                          mass × offset² to it, or set the offset to zero"
                .into();
        }
    }
}

fn check_shapes(
    node: &NodeDescription,
    modes: usize,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    for (key, found) in [("slopes", node.slopes.len()), ("translations", node.translations.len())] {
        if found != modes {
            let message = format!(
                "`{key}` has {}, but the body has {}",
                words::count(found, "vector"),
                words::count(modes, "mode"),
            );
            let help = "give one vector [x, y, z] per mode, in the order of the stiffness";
            report.error("mode-count", &path.key(key), item, message, help);
        }
    }
}

fn check_quadratic(
    node: &NodeDescription,
    modes: usize,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let quadratic = &node.quadratic;
    if quadratic.is_empty() {
        return;
    }
    if quadratic.len() != modes * modes {
        let (found, needed) = (words::count(quadratic.len(), "vector"), modes * modes);
        let modes = words::count(modes, "mode");
        let message = format!("`quadratic` has {found}, but {modes} need {needed}");
        report.error("mode-count", path, item, message, "give one vector per pair of modes");
        return;
    }
    let component = |axis: usize| quadratic.iter().map(|vector| vector[axis]).collect::<Vec<_>>();
    let pair = (0..3).find_map(|axis| asymmetry(&component(axis), modes));
    if let Some((row, column)) = pair {
        let (a, b) = (row + 1, column + 1);
        let upper = words::numbers(&quadratic[row * modes + column]);
        let lower = words::numbers(&quadratic[column * modes + row]);
        let message =
            format!("`quadratic` is not symmetric: {upper} for modes {a}, {b}, but {lower} for {b}, {a}");
        report.error("quadratic-not-symmetric", path, item, message, "make both equal");
    }
}
