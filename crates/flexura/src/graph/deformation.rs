//! Which frames of a body move with its deformation.

use crate::beam::{ModeKind, PreparedShape};
use crate::model::description::{
    AttachmentRule, BodyDescription, BodyKind, InertiaLevel, NodeDescription, Place,
};
use std::collections::HashMap;

/// What is needed to say it for every frame of one body.
pub(super) enum Deformation<'a> {
    /// Nothing moves.
    Rigid,
    /// Named nodes.
    Nodes(HashMap<&'a str, &'a NodeDescription>),
    /// A beam by its modes and its length (m).
    Beam(Vec<(ModeKind, PreparedShape)>, f64),
}

/// Part of its largest motion below which a point of a beam stands still: rounding of the shapes.
const STILL: f64 = 1e-9;

impl<'a> Deformation<'a> {
    /// For `body`; attachments that the dynamics freeze do not move.
    pub fn new(body: &'a BodyDescription) -> Self {
        let ruthless = body.level == Some(InertiaLevel::Ruthless);
        let frozen = body.attachments.map_or(ruthless, |rule| rule == AttachmentRule::Frozen);
        match &body.kind {
            _ if frozen => Self::Rigid,
            BodyKind::Modal(modal) => {
                Self::Nodes(modal.nodes.iter().map(|node| (node.name.as_str(), node)).collect())
            }
            BodyKind::Beam(beam) => {
                let shapes = beam
                    .modes
                    .iter()
                    .filter_map(|mode| mode.shape.prepare(beam.length).ok().map(|shape| (mode.kind, shape)));
                Self::Beam(shapes.collect(), beam.length)
            }
            BodyKind::Rigid(_) | BodyKind::PointMass { .. } | BodyKind::FiniteElements { .. } => Self::Rigid,
        }
    }

    /// Whether a mode displaces or turns `place`.
    pub fn moves(&self, place: &Place) -> bool {
        match (self, place) {
            (Self::Nodes(nodes), Place::Node(name)) => nodes.get(name.as_str()).is_some_and(|node| {
                let all = [&node.slopes, &node.translations, &node.quadratic];
                all.into_iter().flatten().any(|vector| *vector != [0.0; 3])
            }),
            (Self::Beam(modes, length), Place::Station(x)) => modes.iter().any(|(kind, shape)| {
                let motion = |x: f64| largest_motion(*kind, shape, x, *length);
                let largest = (0..=4).map(|i| motion(0.25 * f64::from(i) * length)).fold(0.0, f64::max);
                motion(*x) > STILL * largest
            }),
            _ => false,
        }
    }
}

/// Displacement of a point of a beam, or rotation times the length, whichever is larger.
fn largest_motion(kind: ModeKind, shape: &PreparedShape, x: f64, length: f64) -> f64 {
    let at = shape.at(x);
    match kind {
        ModeKind::BendingY | ModeKind::BendingZ => at.value.abs().max(at.slope.abs() * length),
        ModeKind::Axial | ModeKind::Torsion => at.value.abs(),
    }
}
