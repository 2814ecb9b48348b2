//! Beams split into segments: whether the shapes can carry them.

use super::Report;
use crate::beam::{BeamMode, ModeKind, PreparedShape};
use crate::model::description::BeamDescription;
use crate::model::item::{Item, ItemPath};

/// More segments than this are a slip of the keyboard.
const MOST_SEGMENTS: usize = 10_000;
/// Tip strain relative to the largest one below which a shape cannot pass a force on.
const NO_STRAIN: f64 = 1e-6;
/// Points at which the largest strain of a shape is looked for.
const SAMPLES: usize = 64;

/// Checks how a beam is split; `path` is that of its `beam` table.
pub(super) fn check(beam: &BeamDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let key = path.key("segments");
    if !(1..=MOST_SEGMENTS).contains(&beam.segments) {
        let message = format!("{} segments are not between 1 and {MOST_SEGMENTS}", beam.segments);
        report.error("bad-count", &key, item, message, "give segments = 8, or leave it out for one body");
        return;
    }
    if beam.arc != [0.0; 2] && beam.segments < 2 {
        let message = "an arc is made of straight segments, but this beam is one body";
        report.error("arc-of-one-body", &path.key("arc"), item, message, "give segments = 8 or more");
    }
    if beam.segments < 2 || beam.length <= 0.0 {
        return;
    }
    let shapes: Vec<(ModeKind, PreparedShape)> =
        beam.modes.iter().filter_map(|mode| prepared(beam, mode)).collect();
    if let Some(mode) = shapes.iter().position(|(kind, shape)| !is_clamped(*kind, shape, beam.length)) {
        let message =
            format!("mode {} moves or turns the root, to which the segment before is welded", mode + 1);
        let help =
            "segments need shapes clamped at the root: leave `boundary` out, or use \"interface-static\"";
        report.error("segment-root", &key, item, message, help);
        return;
    }
    for (kind, word) in KINDS {
        let of_kind: Vec<&PreparedShape> =
            shapes.iter().filter(|(k, _)| *k == kind).map(|(_, s)| s).collect();
        if !of_kind.is_empty() && of_kind.iter().all(|shape| has_no_tip_strain(kind, shape, beam.length)) {
            let message = format!(
                "no {word} mode has a strain at the end of a segment: what is welded there passes on no {}, and \
                 more segments do not converge",
                if kind == ModeKind::Axial { "force" } else { "moment" }
            );
            let help = "leave `boundary` out (or \"interface-static\"); more modes per segment help slowly";
            report.warning("segments-without-strain", &key, item, message, help);
        }
    }
}

/// Refuses a frame whose channels would have the names of a segment.
pub(super) fn check_frame(
    beam: &BeamDescription,
    frame: &str,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    let number = frame.parse::<usize>().is_ok_and(|number| (1..=beam.segments).contains(&number));
    if beam.segments > 1 && number {
        let message = format!("a number names a segment: channels of segment {frame} are called so");
        report.error("reserved-name", path, item, message, "choose another name");
    }
}

const KINDS: [(ModeKind, &str); 4] = [
    (ModeKind::Axial, "axial"),
    (ModeKind::BendingY, "bending_y"),
    (ModeKind::BendingZ, "bending_z"),
    (ModeKind::Torsion, "torsion"),
];

fn prepared(beam: &BeamDescription, mode: &BeamMode) -> Option<(ModeKind, PreparedShape)> {
    mode.shape.prepare(beam.length).ok().map(|shape| (mode.kind, shape))
}

fn is_bending(kind: ModeKind) -> bool {
    matches!(kind, ModeKind::BendingY | ModeKind::BendingZ)
}

/// Whether the root stays where it is, and in bending keeps its direction.
fn is_clamped(kind: ModeKind, shape: &PreparedShape, length: f64) -> bool {
    const ROUNDING: f64 = 1e-9;
    let root = shape.at(0.0);
    let turned = if is_bending(kind) { root.slope * length } else { 0.0 };
    root.value.abs().max(turned.abs()) <= ROUNDING * length.max(1.0)
}

fn has_no_tip_strain(kind: ModeKind, shape: &PreparedShape, length: f64) -> bool {
    let strain = |x: f64| {
        let value = shape.at(x);
        if is_bending(kind) { value.curvature.abs() } else { value.slope.abs() }
    };
    let largest = (0..=SAMPLES).map(|i| strain(length * i as f64 / SAMPLES as f64)).fold(0.0, f64::max);
    strain(length) <= NO_STRAIN * largest
}
