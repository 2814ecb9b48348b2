//! Counting freedoms from the topology alone (Grübler, Kutzbach).
//!
//! bodies × 6 − constraints, where a joint with f freedoms constrains 6 − f. The
//! count knows no geometry: where constraints repeat each other (every planar loop
//! in space) it is too low, and only the rank of the constraint Jacobian tells.
//!
//! Typeset: book/src/theory/linear_graph.md (GR.2).

use super::linear_graph::GraphError;
use super::system::SystemGraph;
use crate::model::description::{BodyKind, Description};

/// A loop of joints that no other loops make up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KinematicLoop {
    /// Joints (numbers in the description) around the loop; the first one is not in the tree.
    pub joints: Vec<usize>,
    /// Sum of the freedoms of its joints; a loop takes 6 of them.
    pub freedoms: usize,
}

/// Freedoms as the topology counts them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrueblerCount {
    /// Number of bodies.
    pub bodies: usize,
    /// Constraints of all joints.
    pub constraints: usize,
    /// Joint coordinates whose motion is prescribed.
    pub prescribed: usize,
    /// Modal coordinates.
    pub modal: usize,
    /// Independent loops.
    pub loops: Vec<KinematicLoop>,
}

impl GrueblerCount {
    /// 6 × bodies − constraints: freedoms of the joints, before motions are prescribed and without modes.
    pub fn degrees_of_freedom(&self) -> i64 {
        6 * self.bodies as i64 - self.constraints as i64
    }
}

/// Counts the freedoms of a valid description; bodies that no joint holds count six.
pub fn gruebler(description: &Description) -> Result<GrueblerCount, GraphError> {
    let system = SystemGraph::new(description);
    let tree = system.graph.tree()?;
    let free = |joint: &usize| description.joints[*joint].kind.freedoms();
    let coordinates = description.joints.iter().flat_map(|joint| &joint.coordinates);
    let around = |joints: Vec<usize>| KinematicLoop { freedoms: joints.iter().map(free).sum(), joints };
    Ok(GrueblerCount {
        bodies: description.bodies.len(),
        constraints: (0..description.joints.len()).map(|joint| 6 - free(&joint)).sum(),
        prescribed: coordinates.filter(|coordinate| coordinate.motion.is_some()).count(),
        modal: description.bodies.iter().map(|body| modes(&body.kind)).sum(),
        loops: system.loops(&tree).into_iter().map(around).collect(),
    })
}

fn modes(kind: &BodyKind) -> usize {
    match kind {
        BodyKind::Modal(modal) => modal.modes,
        BodyKind::Beam(beam) => beam.modes.len(),
        BodyKind::Rigid(_) | BodyKind::PointMass { .. } | BodyKind::FiniteElements { .. } => 0,
    }
}
