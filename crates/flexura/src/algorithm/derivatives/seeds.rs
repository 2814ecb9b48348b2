//! Directions along which the numbers of one body have derivatives.

use super::Over;
use super::bodies::DualBodies;
use crate::model::{Model, layout_of};
use crate::scalar::{Dual, Scalar};
use std::ops::Range;

/// Directions at once.
pub(super) const WIDTH: usize = 4;
pub(super) type Number = Dual<WIDTH>;

impl DualBodies {
    /// Along the modes `group` of body `k`, or their rates.
    pub fn seed_modes(&mut self, model: &Model, k: usize, over: Over, group: Range<usize>) {
        let part = layout_of(model, k);
        let slots = match over {
            Over::Position => &mut self.state.q[part.modal_q()],
            Over::Speed => &mut self.state.v[part.modal_v()],
        };
        slots[group].iter_mut().enumerate().for_each(|(d, slot)| slot.eps[d] = 1.0);
    }

    /// Without derivatives over the modes `group` of body `k` again.
    pub fn clear_modes(&mut self, model: &Model, k: usize, group: Range<usize>) {
        let part = layout_of(model, k);
        let (q, v) = (&mut self.state.q[part.modal_q()], &mut self.state.v[part.modal_v()]);
        let slots = q[group.clone()].iter_mut().chain(&mut v[group]);
        slots.for_each(|slot| slot.eps = [0.0; WIDTH]);
    }

    /// Along the directions `group` of the joint of body `k`, as twists in the axes of its speeds, or along those speeds; at `q`.
    pub fn seed_joint(&mut self, model: &Model, k: usize, over: Over, group: Range<usize>, q: &[f64]) {
        let part = layout_of(model, k);
        if over == Over::Speed {
            let slots = &mut self.state.v[part.joint_v()][group];
            slots.iter_mut().enumerate().for_each(|(d, slot)| slot.eps[d] = 1.0);
            return;
        }
        let mut step = [Number::ZERO; 6];
        step[group].iter_mut().enumerate().for_each(|(d, slot)| slot.eps[d] = 1.0);
        let mut start = [Number::ZERO; 7];
        let start = &mut start[..part.joint_q];
        start.iter_mut().zip(&q[part.joint_q()]).for_each(|(slot, &x)| *slot = Number::from_f64(x));
        let kind = &model.joints[k].joint.kind;
        kind.move_by_twist(start, &step[..part.joint_v], &mut self.state.q[part.joint_q()]);
    }

    /// The joint of body `k` at `q` without derivatives again.
    pub fn clear_joint(&mut self, model: &Model, k: usize, q: &[f64]) {
        let part = layout_of(model, k);
        let slots = self.state.q[part.joint_q()].iter_mut().zip(&q[part.joint_q()]);
        slots.for_each(|(slot, &x)| *slot = Number::from_f64(x));
        self.state.v[part.joint_v()].iter_mut().for_each(|slot| slot.eps = [0.0; WIDTH]);
    }
}
