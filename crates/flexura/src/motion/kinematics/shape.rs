//! Points of one flexible body: where its modes carry them, and how fast.
//!
//! Source: book/src/theory/kinematics.md (KI.12), (KI.13); referred to the hinge (see `algorithm`).

use super::AttachmentMotion;
use crate::model::body::AttachmentState;
use crate::model::{Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, Vector3, add, angular, cross, join, negate, negate6, shift_motion, sub6};
use crate::state::State;

/// Attachments of one body and their Jacobians.
pub(crate) struct Shape<'a, S> {
    pub attachments: &'a mut [AttachmentMotion<S>],
    /// Π' of every attachment; columns over modes.
    pub influence: &'a mut [Spatial<S>],
    /// Pd.
    pub inboard: &'a mut [Spatial<S>],
}

impl<S: Scalar> Shape<'_, S> {
    /// Frames, rates and Jacobians of the points that dynamics follows.
    pub fn evaluate(&mut self, model: &Model, state: &State<S>, k: usize) {
        let (part, body, joint) = (layout_of(model, k), &model.bodies[k], &model.joints[k]);
        let inner = joint.inner.attachment;
        if joint.fixed.is_none() {
            self.evaluate_point(model, state, k, inner);
        }
        for index in 1..body.attachments.len() {
            let attachment = &body.attachments[index];
            if !attachment.active {
                continue;
            }
            if attachment.constant {
                self.attachments[index].state.rate = attachment.frozen_rate(&state.v[part.modal_v()]);
            } else if index != inner || joint.fixed.is_some() {
                self.evaluate_point(model, state, k, index);
            }
        }
        // Pd of a frozen or rigid inboard point never changes.
        if !body.attachments[inner].constant {
            self.refer_to_hinge(model, k);
        }
    }

    fn evaluate_point(&mut self, model: &Model, state: &State<S>, k: usize, index: usize) {
        let (part, body) = (layout_of(model, k), &model.bodies[k]);
        let attachment = &body.attachments[index];
        if attachment.rigid {
            return;
        }
        let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
        let influence = &mut self.influence[index * part.modes..(index + 1) * part.modes];
        self.attachments[index].state = attachment.evaluate(body.rule, eta, rate, influence);
    }

    /// Pd = phi*(d,k) Π^d, then Π' = Π − phi*(k,t) Pd for the other attachments.
    pub fn refer_to_hinge(&mut self, model: &Model, k: usize) {
        let (body, n) = (&model.bodies[k], layout_of(model, k).modes);
        let inner = model.joints[k].inner.attachment;
        let back = negate(&self.attachments[inner].state.position);
        for r in 0..n {
            let carried = shift_motion(&back, &self.influence[inner * n + r]);
            self.inboard[r] = carried;
            // The reference frame itself moves by −Pd η̇ when the hinge is held.
            self.influence[r] = negate6(&carried);
        }
        for (index, attachment) in body.attachments.iter().enumerate().skip(1) {
            if index == inner || !attachment.active {
                continue;
            }
            let position = self.attachments[index].state.position;
            for r in 0..n {
                let carried = shift_motion(&position, &self.inboard[r]);
                let column = &mut self.influence[index * n + r];
                *column = sub6(column, &carried);
            }
        }
    }

    /// Angular velocities and biases of the points when the body turns at `omega`.
    pub fn follow(&mut self, model: &Model, k: usize, omega: &Vector3<S>) {
        for (point, attachment) in self.attachments.iter_mut().zip(&model.bodies[k].attachments).skip(1) {
            if !attachment.active {
                continue;
            }
            let state: &AttachmentState<S> = &point.state;
            point.omega = add(omega, &angular(&state.rate));
            point.bias = if attachment.constant {
                join(&[S::ZERO; 3], &cross(omega, &cross(omega, &state.position)))
            } else {
                state.bias(omega)
            };
        }
    }
}
