//! What acts on joint coordinates: signs, and which may be prescribed together.

use super::{Report, overshoot};
use crate::model::description::{CoordinateDescription, JointDescription, JointKindDescription as Kind};
use crate::model::item::{Item, ItemPath};
use crate::model::words;

/// Jump of a motion or its rate below which it counts as smooth, relative.
const SMOOTH: f64 = 1e-9;

/// Checks the springs, dampers, frictions, efforts and motions of a joint in a run over `span` (s).
pub(super) fn check(
    joint: &JointDescription,
    span: (f64, f64),
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    for (k, coordinate) in joint.coordinates.iter().enumerate() {
        check_signs(coordinate, k, path, item, report);
        check_functions(coordinate, k, path, item, report);
        check_idle(coordinate, k, path, item, report);
        check_jumps(coordinate, span, &path.key("motion").index(k), item, report);
    }
    check_turns(joint, &path.key("position"), item, report);
    if joint.coordinates.len() == joint.kind.degrees_of_freedom() {
        check_groups(joint, &path.key("motion"), item, report);
    }
}

fn check_signs(
    coordinate: &CoordinateDescription,
    k: usize,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let mut not_negative = |key: &str, value: f64, code, help: &str| {
        if value < 0.0 {
            let message = format!("`{key}` is negative: {}", words::number(value));
            report.error(code, &path.key(key).index(k), item, message, help);
        }
    };
    let spring = "a spring of negative stiffness pushes away from its rest; give zero or more";
    let damper = "negative damping feeds energy in; give zero or a positive number";
    let friction = "give the magnitude; its direction follows the motion";
    not_negative("stiffness", coordinate.stiffness, "negative-stiffness", spring);
    not_negative("damping", coordinate.damping, "negative-damping", damper);
    not_negative("friction", coordinate.friction, "negative-friction", friction);
    not_negative("friction_speed", coordinate.friction_speed, "negative-friction", friction);
}

/// Warns about a start of several turns: degrees are a common slip.
fn check_turns(joint: &JointDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if let (Kind::Revolute { .. }, &[angle]) = (&joint.kind, joint.position.as_slice())
        && angle.is_finite()
        && angle.abs() > std::f64::consts::TAU
    {
        let message = format!("starts at {} rad, more than a whole turn", words::number(angle));
        let help = format!(
            "angles are in rad: {} degrees are {}",
            words::number(angle),
            words::number(angle.to_radians())
        );
        report.warning("many-turns", path, item, message, help);
    }
}

fn check_functions(
    coordinate: &CoordinateDescription,
    k: usize,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    for (key, function) in [("effort", &coordinate.effort), ("motion", &coordinate.motion)] {
        overshoot::check(function.as_ref(), &path.key(key).index(k), item, report);
        let Some(Err(fault)) = function.as_ref().map(|function| function.validate()) else {
            continue;
        };
        let help = format!("correct the function of time in `{key}`");
        report.error("time-function", &path.key(key).index(k), item, fault.to_string(), help);
    }
}

/// Warns about what acts on a coordinate whose motion is given.
fn check_idle(
    coordinate: &CoordinateDescription,
    k: usize,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    if coordinate.motion.is_none() {
        return;
    }
    let acting = [
        ("effort", coordinate.effort.is_some()),
        ("stiffness", coordinate.stiffness != 0.0),
        ("damping", coordinate.damping != 0.0),
        ("friction", coordinate.friction != 0.0),
    ];
    for (key, _) in acting.into_iter().filter(|(_, acts)| *acts) {
        let message = format!(
            "`{key}` acts on a coordinate with prescribed `motion`: it does not change the motion, \
             only the driving force"
        );
        let help = format!("remove `{key}` or `motion`");
        report.warning("idle-effort", &path.key(key).index(k), item, message, help);
    }
}

/// Warns where a motion or its rate jumps: no finite force drives it, so the energy would not balance.
fn check_jumps(
    coordinate: &CoordinateDescription,
    span: (f64, f64),
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let Some(motion) = coordinate.motion.as_ref().filter(|motion| motion.validate().is_ok()) else { return };
    let mut breaks = Vec::new();
    motion.break_points(&mut breaks);
    let jumps = |a: f64, b: f64| (a - b).abs() > SMOOTH * (1.0 + a.abs().max(b.abs()));
    for &time in breaks.iter().filter(|&&time| span.0 < time && time < span.1) {
        let (left, right) = (motion.sample_before(time), motion.sample(time));
        let (what, from, to) = if jumps(left.value, right.value) {
            ("value", left.value, right.value)
        } else if jumps(left.rate, right.rate) {
            ("rate", left.rate, right.rate)
        } else {
            continue;
        };
        let (from, to) = (words::number(from), words::number(to));
        let message =
            format!("the {what} of `motion` jumps from {from} to {to} at t = {} s", words::number(time));
        let help = "only an impulse could do that, and none is applied: use a smooth transition (cycloidal), \
                    or a table with start_rate and end_rate";
        report.warning("motion-jump", path, item, message, help);
        return;
    }
}

/// Rotations in space are prescribed together: their components do not commute.
fn check_groups(joint: &JointDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let groups: &[(std::ops::Range<usize>, &str)] = match joint.kind {
        Kind::Spherical => &[(0..3, "components of the rotation vector")],
        Kind::Free => &[(0..3, "components of the rotation vector"), (3..6, "translations")],
        _ => return,
    };
    for (range, words) in groups {
        let given = joint.coordinates[range.clone()].iter().filter(|one| one.motion.is_some()).count();
        if given != 0 && given != 3 {
            let message = format!("`motion` is given for {given} of the three {words}");
            let help = "give all three or none; for single axes use a chain of revolute or \
                        prismatic joints";
            report.error("partial-motion", path, item, message, help);
        }
    }
}
