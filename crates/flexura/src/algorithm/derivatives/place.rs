//! Where bodies are and how they move, at the inertial origin and in inertial axes.
//!
//! A point at p with classical motion (ω, v), (ω̇, a) has the spatial motion V = [ω; v − ω × p] and A = [ω̇; a − ω̇ × p − ω × v] (ID.6).

use super::{Column, Evaluated, InverseDerivatives};
use crate::algorithm::inverse_dynamics::base_acceleration;
use crate::algorithm::transfer::carrier;
use crate::model::{Model, layout_of};
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, add6, angular, cross, identity3, join, linear, matrix_vector,
    rotate_back6, rotate6, scale6, shift_force, shift_motion, sub,
};

/// A body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// F_k → inertial.
    pub rotation: Matrix3,
    pub position: Vector3,
    /// ω and v of F_k.
    pub spin: Vector3,
    pub velocity: Vector3,
    /// V and A of the point that carries it.
    pub carrier: [Spatial; 2],
    /// What its joint exerts on it.
    pub force: Spatial,
}

impl Default for Place {
    fn default() -> Self {
        let zero = [0.0; 3];
        Self {
            rotation: identity3(),
            position: zero,
            spin: zero,
            velocity: zero,
            carrier: [[0.0; 6]; 2],
            force: [0.0; 6],
        }
    }
}

/// a × b of motions.
pub(super) fn cross_motion(a: &Spatial, b: &Spatial) -> Spatial {
    let (turn, drift) = (angular(a), linear(a));
    join(&cross(&turn, &angular(b)), &add(&cross(&turn, &linear(b)), &cross(&drift, &angular(b))))
}

/// The change of force `f` that turns and moves along the twist `a`.
pub(super) fn cross_force(a: &Spatial, f: &Spatial) -> Spatial {
    let (turn, drift) = (angular(a), linear(a));
    join(&add(&cross(&turn, &angular(f)), &cross(&drift, &linear(f))), &cross(&turn, &linear(f)))
}

impl Place {
    /// A twist at F_k in its axes, at the origin.
    pub fn twist(&self, local: &Spatial) -> Spatial {
        shift_motion(&crate::spatial::negate(&self.position), &rotate6(&self.rotation, local))
    }

    /// A force at F_k in its axes, at the origin.
    pub fn wrench(&self, local: &Spatial) -> Spatial {
        shift_force(&self.position, &rotate6(&self.rotation, local))
    }

    /// A force at the origin, at F_k in its axes.
    pub fn local_wrench(&self, force: &Spatial) -> Spatial {
        rotate_back6(&self.rotation, &shift_force(&crate::spatial::negate(&self.position), force))
    }

    /// The column of a change of ω and of the classical acceleration of F_k, in its axes (ID.9).
    pub fn column(&self, spin: &Vector3, acceleration: &Spatial) -> Column {
        let spin = matrix_vector(&self.rotation, spin);
        let change = rotate6(&self.rotation, acceleration);
        let (turn, p) = (angular(&change), &self.position);
        let carried = add(&cross(&spin, &self.velocity), &cross(&self.spin, &cross(&spin, p)));
        let at_origin = sub(&sub(&linear(&change), &cross(&turn, p)), &carried);
        let velocity = sub(&self.velocity, &cross(&self.spin, p));
        let star = join(&sub(&turn, &cross(&spin, &self.spin)), &sub(&at_origin, &cross(&spin, &velocity)));
        Column { star, spin }
    }
}

impl InverseDerivatives {
    /// Places of all bodies, twists of joints and of the points that carry them.
    pub(super) fn find_places(&mut self, model: &Model, at: &Evaluated<'_>) {
        let (kin, poses) = (&at.motion.kinematics, &at.motion.poses);
        for k in 0..model.body_count() {
            let velocity = rotate6(&poses.rotation[k], &poses.velocity[k]);
            let place = Place {
                rotation: poses.rotation[k],
                position: poses.position[k],
                spin: angular(&velocity),
                velocity: linear(&velocity),
                ..Place::default()
            };
            let force = place.wrench(&at.inverse.joint_force[k]);
            self.places[k] = Place { carrier: self.carrier_motion(model, at, k), force, ..place };
            let range = layout_of(model, k).joint();
            for (slot, column) in self.twists[range.clone()].iter_mut().zip(&kin.subspace[range]) {
                *slot = place.twist(column);
            }
        }
    }

    /// V and A of the point that carries body `k`; leaves the twists of its modes in `carrying`.
    fn carrier_motion(&mut self, model: &Model, at: &Evaluated<'_>, k: usize) -> [Spatial; 2] {
        let kin = &at.motion.kinematics;
        let Some(point) = carrier(model, kin, k) else { return [[0.0; 6], base_acceleration(model)] };
        let (p, place) = (point.body, &self.places[point.body]);
        let part = layout_of(model, p);
        let lever = point.lever.unwrap_or_default();
        let mut velocity = shift_motion(&lever, &at.motion.poses.velocity[p]);
        let mut acceleration = shift_motion(&lever, &at.inverse.acceleration[p]);
        for (twist, &rate) in point.influence.iter().zip(&at.chidot[part.modal_v()]) {
            acceleration = add6(&acceleration, &scale6(rate, twist));
        }
        if point.lever.is_some() {
            let node = &kin.attachments[part.attachment + model.joints[k].outer.attachment];
            let omega = &kin.bodies[p].omega;
            velocity = add6(&velocity, &node.state.rate);
            // Points of rigid bodies have no bias of their own.
            let still = join(&[0.0; 3], &cross(omega, &cross(omega, &lever)));
            acceleration = add6(&acceleration, if part.modes > 0 { &node.bias } else { &still });
        }
        let arm = add(&place.position, &matrix_vector(&place.rotation, &lever));
        let [velocity, acceleration] = [velocity, acceleration].map(|x| rotate6(&place.rotation, &x));
        let turn = angular(&velocity);
        let from = |x: &Spatial| shift_motion(&crate::spatial::negate(&arm), &rotate6(&place.rotation, x));
        let range = self.first_carrying[k]..self.first_carrying[k + 1];
        for (slot, twist) in self.carrying[range].iter_mut().zip(point.influence) {
            *slot = from(twist);
        }
        let spatial = shift_motion(&crate::spatial::negate(&arm), &acceleration);
        [
            shift_motion(&crate::spatial::negate(&arm), &velocity),
            join(&angular(&spatial), &sub(&linear(&spatial), &cross(&turn, &linear(&velocity)))),
        ]
    }
}
