//! Columns of joints, and of the laws along them.
//!
//! Where the axes of a joint stand still in the body that it moves (all but universal and planar joints, and joints described from the
//! other side), a displacement along J turns what carries it the other way as seen by all that is carried: s = A × J + V × (V × J), δω = (V × J)_ω;
//! a speed gives s = (V + V') × J, δω = J_ω, V and V' before and behind the joint (ID.10). The others take dual numbers through the joint.

use super::bodies::{DualBodies, part};
use super::place::{cross_force, cross_motion};
use super::seeds::{Number, WIDTH};
use super::{Column, Evaluated, InverseDerivatives, Over};
use crate::force::applied::modal_damping;
use crate::force::power::AppliedPower;
use crate::force::tree_joint::joint_efforts;
use crate::model::joint::{Joint, JointKind};
use crate::model::{Coordinate, Model, layout_of};
use crate::motion::kinematics::move_joint;
use crate::scalar::Scalar;
use crate::spatial::{add6, angular, dot6, scale6};

/// Whether the axes of `joint` stand still in the body that it moves.
pub(super) fn stands_still(joint: &Joint) -> bool {
    let turning = matches!(joint.kind, JointKind::Universal { .. } | JointKind::Planar);
    !turning && !joint.reversed
}

impl InverseDerivatives {
    /// Columns over the joint of body `k` and its speeds.
    pub(super) fn joint_columns(&mut self, model: &Model, at: &Evaluated<'_>, k: usize) {
        if stands_still(&model.joints[k].joint) {
            return self.still_columns(model, at, k);
        }
        let q = &at.state.q;
        for over in [Over::Position, Over::Speed] {
            for first in (0..layout_of(model, k).joint_v).step_by(WIDTH) {
                let group = first..layout_of(model, k).joint_v.min(first + WIDTH);
                self.dual.seed_joint(model, k, over, group.clone(), q);
                self.turning_group(model, at, k, over, group);
                self.dual.clear_joint(model, k, q);
            }
        }
        let DualBodies { state, kin, .. } = &mut *self.dual;
        move_joint(model, state, kin, k);
    }

    fn still_columns(&mut self, model: &Model, at: &Evaluated<'_>, k: usize) {
        let (own, place) = (layout_of(model, k), self.places[k]);
        let [before, acceleration] = place.carrier;
        let speeds = at.state.v[own.joint_v()].iter();
        let moves = self.twists[own.joint()].iter().zip(speeds);
        let behind = moves.fold(before, |sum, (twist, &u)| add6(&sum, &scale6(u, twist)));
        for i in 0..own.joint_v {
            let (speed, twist) = (own.v + own.modes + i, self.twists[own.joint + i]);
            let seen = cross_motion(&before, &twist);
            let star = add6(&cross_motion(&acceleration, &twist), &cross_motion(&before, &seen));
            let moved = Column { star, spin: angular(&seen) };
            let turned = cross_force(&twist, &place.force);
            let change = add6(&self.answers[k].apply(&moved), &turned);
            self.put_carried(model, k, (Over::Position, speed), &moved);
            self.put_carriers(model, k, (Over::Position, speed), &change);
            let star = cross_motion(&add6(&before, &behind), &twist);
            let faster = Column { star, spin: angular(&twist) };
            let change = self.answers[k].apply(&faster);
            self.put_carried(model, k, (Over::Speed, speed), &faster);
            self.put_carriers(model, k, (Over::Speed, speed), &change);
        }
    }

    /// Columns over directions of a joint whose axes turn, which the state has derivatives along.
    fn turning_group(
        &mut self,
        model: &Model,
        at: &Evaluated<'_>,
        k: usize,
        over: Over,
        group: std::ops::Range<usize>,
    ) {
        let own = layout_of(model, k);
        let DualBodies { state, kin, .. } = &mut *self.dual;
        move_joint(model, state, kin, k);
        let motion = self.dual.acceleration(model, at, k, None);
        let spin = self.dual.kin.bodies[k].omega;
        let mut force = at.inverse.joint_force[k].map(Number::from_f64);
        for (d, i) in group.clone().enumerate() {
            let column = self.places[k].column(&part(&spin, d), &part(&motion, d));
            let answer = self.places[k].local_wrench(&self.answers[k].apply(&column));
            force.iter_mut().zip(&answer).for_each(|(slot, &x)| slot.eps[d] = x);
            self.put_carried(model, k, (over, own.v + own.modes + i), &column);
        }
        let on_parent = self.dual.force_on_parent(model, k, &force);
        for (d, i) in group.enumerate() {
            let speed = own.v + own.modes + i;
            if let Some(parent) = model.joints[k].parent {
                let change = self.places[parent].wrench(&part(&on_parent, d));
                self.put_carriers(model, k, (over, speed), &change);
            }
            for j in 0..own.joint_v {
                let value = dot6(&self.dual.kin.subspace[own.joint + j], &force).eps[d];
                self.column(over, speed)[own.v + own.modes + j] = value;
            }
        }
    }

    /// Takes away what springs, dampers, friction and efforts of the joint of body `k` and the damping of its modes add.
    pub(super) fn subtract_laws(&mut self, model: &Model, at: &Evaluated<'_>, k: usize) {
        let own = layout_of(model, k);
        let q = &at.state.q;
        let acting = model.joints[k].coordinates.iter().any(Coordinate::is_passive);
        let laws = if acting { own.joint_v } else { 0 };
        for over in [Over::Position, Over::Speed] {
            for first in (0..laws).step_by(WIDTH) {
                let group = first..own.joint_v.min(first + WIDTH);
                self.dual.seed_joint(model, k, over, group.clone(), q);
                self.subtract_group(model, k, over, own.modes + group.start..own.modes + group.end);
                self.dual.clear_joint(model, k, q);
            }
        }
        for first in (0..own.modes).step_by(WIDTH) {
            let group = first..own.modes.min(first + WIDTH);
            self.dual.seed_modes(model, k, Over::Speed, group.clone());
            self.subtract_group(model, k, Over::Speed, group.clone());
            self.dual.clear_modes(model, k, group);
        }
    }

    fn subtract_group(&mut self, model: &Model, k: usize, over: Over, group: std::ops::Range<usize>) {
        let own = layout_of(model, k);
        let count = own.modes + own.joint_v;
        let DualBodies { state, forces, .. } = &mut *self.dual;
        forces[..count].fill(Number::ZERO);
        let mut power = AppliedPower::ZERO;
        joint_efforts(model, state, k, &mut forces[..count], &mut power);
        modal_damping(model, state, k, &mut forces[..count], &mut power);
        for (d, direction) in group.enumerate() {
            for i in 0..count {
                let change = self.dual.forces[i].eps[d];
                self.column(over, own.v + direction)[own.v + i] -= change;
            }
        }
    }
}
