//! Point masses welded to a body become part of it before the tree is built.
//!
//! A point mass has no rotary inertia, so a weld is the only way to let it turn
//! with a body. On a rigid body the mass is added to its inertia; on a flexible
//! one it becomes a mass node at the frame that carries it. (At level
//! `gram` such a node differs at second order in the deformation from the same
//! mass carried as a body of its own, at `consistent` at first order:
//! book/src/theory/inertia.md.)

use crate::model::description::{BodyKind, Description, JointKindDescription, Place};
use std::collections::{HashMap, HashSet};

/// A point mass moved into its host.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MergedMass {
    /// Index of the point mass in the description.
    pub guest: usize,
    /// Index of the host body in the description.
    pub host: usize,
    /// Name of the host's frame that carries it.
    pub frame: String,
    /// Mass (kg).
    pub mass: f64,
    /// Where on the host it sits.
    pub place: Place,
    /// Offset from that place (m).
    pub position: [f64; 3],
}

/// Finds the welded point masses: (merged, indices of removed bodies, removed joints).
pub(super) fn welded_point_masses(
    description: &Description,
) -> (Vec<MergedMass>, HashSet<usize>, HashSet<usize>) {
    let index: HashMap<&str, usize> =
        description.bodies.iter().enumerate().map(|(i, body)| (body.name.as_str(), i)).collect();
    let mut joints_on = vec![0usize; description.bodies.len()];
    for joint in &description.joints {
        for end in &joint.between {
            if let Some(&body) = end.rsplit_once('.').and_then(|(name, _)| index.get(name)) {
                joints_on[body] += 1;
            }
        }
    }
    let (mut merged, mut bodies, mut joints) = (Vec::new(), HashSet::new(), HashSet::new());
    for (j, joint) in description.joints.iter().enumerate() {
        if joint.kind != JointKindDescription::Weld {
            continue;
        }
        for (guest_end, host_end) in [(1, 0), (0, 1)] {
            let body_of = |end: usize| {
                let (name, frame) = joint.between[end].rsplit_once('.')?;
                Some((*index.get(name)?, frame))
            };
            let (Some((guest, guest_frame)), Some((host, host_frame))) =
                (body_of(guest_end), body_of(host_end))
            else {
                continue;
            };
            let BodyKind::PointMass { mass } = description.bodies[guest].kind else { continue };
            let simple = joints_on[guest] == 1
                && guest_frame == "origin"
                && description.bodies[guest].frames.is_empty();
            if !simple || matches!(description.bodies[host].kind, BodyKind::PointMass { .. }) {
                continue;
            }
            let frame = description.bodies[host].frames.iter().find(|frame| frame.name == host_frame);
            let (place, position) =
                frame.map_or((Place::Origin, [0.0; 3]), |f| (f.place.clone(), f.position));
            merged.push(MergedMass { guest, host, frame: host_frame.to_string(), mass, place, position });
            bodies.insert(guest);
            joints.insert(j);
            break;
        }
    }
    (merged, bodies, joints)
}
