//! Modes of beams against the joints that hold them.
//!
//! Assumed modes have their supports built in, measured from the reference frame: clamped at the root, pinned at both
//! ends (the frame is the chord), or free (the frame is the mean of the beam). A joint on the reference frame that
//! holds what the modes need free changes the supports without a word; one on a `station` does not.

use super::Report;
use crate::beam::{BeamMode, ModeKind, Shape};
use crate::model::description::{
    BeamDescription, BodyDescription, BodyKind, Description, ElementKindDescription, JointDescription,
    JointKindDescription as Kind, Place,
};
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::rotation_matrix;
use crate::spatial::{Matrix3, Vector3, dot, identity3, matrix_vector, scale, sub};
use std::collections::HashMap;

/// Sine of the angle below which an axis counts as one of the beam's.
const ALIGNED: f64 = 1e-6;

/// Warns of beams whose modes contradict their joints, or lack half of a support.
pub(super) fn check(description: &Description, report: &mut Report) {
    let list = ROOT.key("body");
    // Joints by the body that carries an end: models of many beams have as many joints.
    let mut ends: HashMap<&str, Vec<(&JointDescription, &str)>> = HashMap::new();
    for joint in &description.joints {
        for end in &joint.between {
            if let Some((owner, _)) = end.split_once('.') {
                ends.entry(owner).or_default().push((joint, end));
            }
        }
    }
    for (i, body) in description.bodies.iter().enumerate() {
        let BodyKind::Beam(beam) = &body.kind else { continue };
        let (path, item) = (list.index(i), Item::named("body", &body.name, i));
        let path = path.key("beam");
        check_tip_shapes(&beam.modes, &path, &item, report);
        for (joint, end) in ends.get(body.name.as_str()).into_iter().flatten() {
            let Some(turned) = on_reference_frame(body, end) else { continue };
            let freedom = Freedom::of(&joint.kind, &turned);
            check_free_ends(beam, &freedom, &joint.name, &path, &item, report);
            check_chord(description, body, beam, &freedom, &joint.name, &path, &item, report);
        }
    }
}

/// A tip that moves without turning: the second static shape is missing.
fn check_tip_shapes(modes: &[BeamMode], path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    for (kind, key) in [(ModeKind::BendingY, "bending_y"), (ModeKind::BendingZ, "bending_z")] {
        let has = |shape: Shape| modes.iter().any(|mode| mode.kind == kind && mode.shape == shape);
        if has(Shape::TipDisplacement) && !has(Shape::TipRotation) {
            let message = format!(
                "`{key} = 1` of \"interface-static\" moves the tip without turning it: a force at the tip meets four times \
                 the stiffness of the beam"
            );
            let help = format!("give {key} = 2 or more, or boundary = \"clamped-free\"");
            report.warning("tip-cannot-turn", &path.key(key), item, message, help);
        }
    }
}

/// The orientation of the frame `end` where it is fixed to the reference frame of `body`.
fn on_reference_frame(body: &BodyDescription, end: &str) -> Option<Matrix3> {
    let (owner, frame) = end.split_once('.')?;
    if owner != body.name {
        return None;
    }
    if frame == "origin" {
        return Some(identity3());
    }
    let found = body.frames.iter().find(|known| known.name == frame)?;
    (found.place == Place::Origin).then(|| rotation_matrix(&found.rotation))
}

/// Directions that a joint leaves free, in the axes of the beam.
struct Freedom {
    turns: Vec<Vector3>,
    shifts: Vec<Vector3>,
}

impl Freedom {
    fn of(kind: &Kind, turned: &Matrix3) -> Self {
        let all = || vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let plane = || vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let (turns, shifts) = match kind {
            Kind::Weld => (vec![], vec![]),
            Kind::Revolute { axis } | Kind::Helical { axis, .. } => (vec![*axis], vec![]),
            Kind::Prismatic { axis } => (vec![], vec![*axis]),
            Kind::Cylindrical { axis } => (vec![*axis], vec![*axis]),
            Kind::Universal { axis, axis2 } => (vec![*axis, *axis2], vec![]),
            Kind::Spherical => (all(), vec![]),
            Kind::Planar => (vec![[0.0, 0.0, 1.0]], plane()),
            Kind::Translational => (vec![], all()),
            // Rows on speeds hold no frame in its place.
            Kind::Free | Kind::Rolling { .. } | Kind::Blade { .. } => (all(), all()),
        };
        let in_beam = |axes: Vec<Vector3>| axes.iter().map(|axis| matrix_vector(turned, axis)).collect();
        Self { turns: in_beam(turns), shifts: in_beam(shifts) }
    }
}

/// Whether `axis` (0 is x) lies in the span of `free`.
fn spans(free: &[Vector3], axis: usize) -> bool {
    let mut rest = [0.0; 3];
    rest[axis] = 1.0;
    let mut basis: Vec<Vector3> = Vec::new();
    for direction in free {
        let own = basis.iter().fold(*direction, |v, known| sub(&v, &scale(dot(&v, known), known)));
        let size = dot(&own, &own).sqrt();
        if size > ALIGNED {
            basis.push(scale(1.0 / size, &own));
        }
    }
    let rest = basis.iter().fold(rest, |v, known| sub(&v, &scale(dot(&v, known), known)));
    dot(&rest, &rest).sqrt() < ALIGNED
}

/// Axis along which a family moves the beam, and the one about which it turns it.
fn axes(kind: ModeKind) -> (Option<usize>, Option<usize>) {
    match kind {
        ModeKind::Axial => (Some(0), None),
        ModeKind::BendingY => (Some(1), Some(2)),
        ModeKind::BendingZ => (Some(2), Some(1)),
        ModeKind::Torsion => (None, Some(0)),
    }
}

/// Free-free modes on a joint that holds the mean of the beam.
fn check_free_ends(
    beam: &BeamDescription,
    freedom: &Freedom,
    joint: &str,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let free = |shape: &Shape| matches!(shape, Shape::FreeFreeBending(_) | Shape::Cosine(_));
    let held = |kind: ModeKind| {
        let (shift, turn) = axes(kind);
        let missing = |axis: Option<usize>, given: &[Vector3]| axis.is_some_and(|axis| !spans(given, axis));
        missing(shift, &freedom.shifts) || missing(turn, &freedom.turns)
    };
    if beam.modes.iter().any(|mode| free(&mode.shape) && held(mode.kind)) {
        let message = format!(
            "joint `{joint}` holds the reference frame, which for free-free modes is the mean of the beam and none of its \
             points: the beam is far too stiff"
        );
        let help = "boundary = \"clamped-free\", or a frame with `station` for the joint";
        report.warning("boundary-contradicts-joint", &path.key("boundary"), item, message, help);
    }
}

/// Pinned-pinned modes on a joint that holds the chord: both ends are supported, also one that is loaded or looked at.
fn check_chord(
    description: &Description,
    body: &BodyDescription,
    beam: &BeamDescription,
    freedom: &Freedom,
    joint: &str,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let pinned = |mode: &BeamMode| {
        let turn = axes(mode.kind).1;
        let bending = matches!(mode.kind, ModeKind::BendingY | ModeKind::BendingZ);
        bending
            && matches!(mode.shape, Shape::Sine(_))
            && turn.is_some_and(|axis| !spans(&freedom.turns, axis))
    };
    let tips: Vec<String> = body
        .frames
        .iter()
        .filter(
            |frame| matches!(frame.place, Place::Station(x) if (x - beam.length).abs() < 1e-9 * beam.length),
        )
        .map(|frame| format!("{}.{}", body.name, frame.name))
        .collect();
    // A shaft that turns about its axis runs in two bearings; then only what pushes its end is lost.
    let shaft = spans(&freedom.turns, 0);
    if beam.modes.iter().any(pinned) && !tips.is_empty() && (!shaft || is_pushed(description, &tips)) {
        let message = format!(
            "joint `{joint}` holds the line through both ends, to which pinned-pinned modes are pinned: the tip cannot \
             move sideways, and a force there bends nothing"
        );
        let help = "for a beam held at its root give boundary = \"clamped-free\"; pinned-pinned modes want joints that let the \
                    beam turn";
        report.warning("boundary-contradicts-joint", &path.key("boundary"), item, message, help);
    }
}

/// Whether a force or an element acts on one of `frames`.
fn is_pushed(description: &Description, frames: &[String]) -> bool {
    let element = |between: &[String; 2]| between.iter().any(|end| frames.contains(end));
    let acts = |kind: &ElementKindDescription| matches!(kind, ElementKindDescription::Frames(_));
    description.forces.iter().any(|force| frames.contains(&force.at))
        || description.elements.iter().any(|found| acts(&found.kind) && element(&found.between))
}
