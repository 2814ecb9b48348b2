//! Whether a mechanism moves in one plane, so that two components per element suffice.
//!
//! The published count of coordinates (Lugrís et al. 2007, Table 1) is a planar one:
//! points and in-plane unit vectors have two components, the normal is a constant.
//! A model is planar if all joints leave its bodies in their planes, and weight,
//! loads and modes have no part across them. Reactions across the plane do no work
//! and are not found.

use super::joint_ends::{End, JointEnds};
use super::pose::{BodyMotion, frame_motion, ground_frame};
use crate::model::element::ElementKind;
use crate::model::joint::JointKind;
use crate::model::{Frame, Model};
use crate::spatial::{Vector3, cross, dot, matrix_vector, norm, transposed_matrix_vector};
use crate::state::State;

/// Largest component across the plane that counts as none, relative to unit vectors (or m).
const FLAT: f64 = 1e-9;

/// A plane of motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// Unit normal.
    pub normal: Vector3,
    /// Two unit vectors in the plane.
    pub directions: [Vector3; 2],
}

/// What is known about the model at its initial state.
pub(super) struct Survey<'a> {
    pub model: &'a Model,
    pub state: &'a State,
    pub motions: &'a [BodyMotion],
    pub joints: &'a [JointEnds],
    /// Subtracted from every position (m).
    pub origin: Vector3,
}

impl Survey<'_> {
    /// Motion of one end of a joint.
    pub fn end_motion(&self, end: &End) -> BodyMotion {
        match end.body {
            None => ground_frame(&end.mount),
            Some(k) => frame_motion(self.model, (Some(k), &self.motions[k]), &end.mount, self.state),
        }
    }

    fn frame(&self, frame: &Frame) -> BodyMotion {
        self.end_motion(&End { body: frame.body.map(|body| body.0), mount: frame.mount.clone() })
    }

    /// The plane in which everything moves, if there is one.
    pub fn plane(&self) -> Option<Plane> {
        let normal = self.joints.iter().find_map(|joint| {
            let first = self.end_motion(&joint.ends[0]);
            match joint.kind {
                JointKind::Revolute { axis } => Some(matrix_vector(&first.rotation, &axis)),
                _ => None,
            }
        })?;
        let flat = self.joints.iter().all(|joint| self.joint_is_flat(joint, &normal))
            && across(&self.model.gravity, &normal)
            && (0..self.model.body_count()).all(|k| self.body_is_flat(k, &normal))
            && self.loads_are_flat(&normal);
        let directions = directions_in(&normal);
        flat.then_some(Plane { normal, directions })
    }

    fn joint_is_flat(&self, joint: &JointEnds, normal: &Vector3) -> bool {
        joint.ends.iter().all(|end| {
            let motion = self.end_motion(end);
            let world = |axis: &Vector3| matrix_vector(&motion.rotation, axis);
            match &joint.kind {
                JointKind::Weld => true,
                JointKind::Revolute { axis } => parallel(&world(axis), normal),
                JointKind::Prismatic { axis } => across(&world(axis), normal),
                JointKind::Planar => parallel(&world(&[0.0, 0.0, 1.0]), normal),
                _ => false,
            }
        })
    }

    fn body_is_flat(&self, k: usize, normal: &Vector3) -> bool {
        let (body, motion) = (&self.model.bodies[k], &self.motions[k]);
        let local = transposed_matrix_vector(&motion.rotation, normal);
        // Sums do not tell which way every piece of the mass moves.
        if body.modes > 0 && body.sums.is_some() {
            return false;
        }
        let moves = parallel(&motion.spin, normal) && across(&motion.velocity, normal);
        let shapes =
            body.nodes.iter().map(|node| &node.shape).chain(body.attachments.iter().map(|a| &a.shape));
        let mut bends = shapes.flat_map(|shape| {
            let slopes = shape.slopes.iter().all(|slope| parallel(slope, &local));
            let slides = shape.translations.iter().chain(&shape.quadratic).all(|v| across(v, &local));
            [slopes, slides]
        });
        moves && bends.all(|flat| flat)
    }

    fn loads_are_flat(&self, normal: &Vector3) -> bool {
        let forces = self.model.forces.iter().all(|force| {
            let motion = self.frame(&self.model.frames[force.frame.0]);
            let turned = |v: Vector3| if force.inertial { v } else { matrix_vector(&motion.rotation, &v) };
            let (moment, push) =
                (crate::spatial::angular(&force.wrench), crate::spatial::linear(&force.wrench));
            parallel(&turned(moment), normal) && across(&turned(push), normal)
        });
        // A line between two points of different height pulls across the plane.
        let elements = self.model.elements.iter().all(|element| {
            let height = element.frames.map(|id| dot(normal, &self.frame(&self.model.frames[id.0]).position));
            let along_line = match &element.kind {
                ElementKind::SpringDamper(spring) => spring.axis.is_none(),
                kind => matches!(kind, ElementKind::Rod(_)),
            };
            along_line && (height[0] - height[1]).abs() < FLAT
        });
        forces && elements
    }
}

/// In-plane axes: the projections of the inertial axes where the normal is one of them.
fn directions_in(normal: &Vector3) -> [Vector3; 2] {
    let least = (0..3).rev().fold(2, |best, i| if normal[i].abs() <= normal[best].abs() { i } else { best });
    let mut first = [0.0; 3];
    first[least] = 1.0;
    let height = dot(&first, normal);
    let first: Vector3 = std::array::from_fn(|i| first[i] - height * normal[i]);
    let first = first.map(|x| x / norm(&first));
    [first, cross(normal, &first)]
}

fn across(v: &Vector3, normal: &Vector3) -> bool {
    dot(v, normal).abs() <= FLAT * norm(v).max(1.0)
}

fn parallel(v: &Vector3, normal: &Vector3) -> bool {
    norm(&cross(v, normal)) <= FLAT * norm(v).max(1.0)
}
