//! Columns of modes, by dual numbers through one body and the joints on it (ID.11).
//!
//! A mode bends its own body, moves the points that carry others, and the frame of the body where it moves the inboard point. What that does to
//! the base of each body carried is a column for that body and all it carries; the force it answers with comes back through its joint.

use super::joints::stands_still;
use super::seeds::{Number, WIDTH};
use super::{Evaluated, InverseDerivatives, Over};
use crate::algorithm::body_inertia::{BodyInertias, evaluate_body};
use crate::algorithm::inverse_dynamics::{Terms, base_acceleration, body_force};
use crate::algorithm::transfer::{carrier, force_to_parent, motion_from_parent};
use crate::model::{Model, layout_of};
use crate::motion::kinematics::{Kinematics, move_body, move_joint};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, Vector3, add6, dot6, scale6};
use crate::state::State;

/// The model in dual numbers, all of them constants but those of one body.
#[derive(Clone, Debug)]
pub(super) struct DualBodies {
    pub state: State<Number>,
    pub kin: Kinematics<Number>,
    inertias: BodyInertias<Number>,
    chidot: Vec<Number>,
    /// Generalised forces of one body.
    pub forces: Vec<Number>,
    on_parent: Vec<Number>,
    slopes: Vec<Vector3>,
    /// Whether any body has modes, or a joint whose axes turn: all others are written out.
    needs_motion: bool,
}

/// Derivatives along direction `d`.
pub(super) fn part<const N: usize>(values: &[Number; N], d: usize) -> [f64; N] {
    values.each_ref().map(|x| x.eps[d])
}

fn lift(values: &Spatial) -> Spatial<Number> {
    values.map(Number::from_f64)
}

impl DualBodies {
    pub fn new(model: &Model) -> Self {
        let zero = Number::ZERO;
        let widest = model.layout.bodies.iter().map(|part| part.modes + part.joint_v).max().unwrap_or(0);
        Self {
            state: State::lift(&State::unprescribed(model, 0.0)),
            kin: Kinematics::new(model),
            inertias: BodyInertias::new(model),
            chidot: vec![zero; model.speed_count()],
            forces: vec![zero; widest],
            on_parent: vec![zero; widest],
            slopes: vec![[0.0; 3]; widest],
            needs_motion: model.layout.modal > 0 || !model.joints.iter().all(|j| stands_still(&j.joint)),
        }
    }

    /// Takes over the state and the accelerations, and moves all bodies, without derivatives.
    pub fn prepare(&mut self, model: &Model, at: &Evaluated<'_>) {
        (self.state.time, self.state.side) = (at.state.time, at.state.side);
        self.state.turns.copy_from(&at.state.turns);
        let copy = |slots: &mut [Number], values: &[f64]| {
            slots.iter_mut().zip(values).for_each(|(slot, &x)| *slot = Number::from_f64(x));
        };
        copy(&mut self.state.q, &at.state.q);
        copy(&mut self.state.v, &at.state.v);
        copy(&mut self.state.z, &at.state.z);
        copy(&mut self.chidot, at.chidot);
        if self.needs_motion {
            (0..model.body_count()).for_each(|k| move_body(model, &self.state, &mut self.kin, k));
        }
    }

    /// ∂/∂ω of the biases of body `k`: of its frame, direction by direction, and of its modes.
    pub fn spin_slopes(&mut self, model: &Model, k: usize) -> ([Spatial; 3], &[Vector3]) {
        let range = layout_of(model, k).modal();
        let mut omega = self.kin.bodies[k].omega;
        (0..3).for_each(|i| omega[i].eps[i] = 1.0);
        let inboard = &self.kin.inboard[range.clone()];
        evaluate_body(model, &self.state, &omega, inboard, k, &mut self.inertias.block(model, k));
        for (slot, bias) in self.slopes.iter_mut().zip(&self.inertias.bias_modal[range.clone()]) {
            slot.copy_from_slice(&bias.eps[..3]);
        }
        let rigid = &self.inertias.bias_rigid[k];
        (std::array::from_fn(|d| part(rigid, d)), &self.slopes[..range.len()])
    }

    /// α of body `k`, `inherited` where its parent changes.
    pub fn acceleration(
        &self,
        model: &Model,
        at: &Evaluated<'_>,
        k: usize,
        inherited: Option<&Spatial<Number>>,
    ) -> Spatial<Number> {
        let (kin, part) = (&self.kin, layout_of(model, k));
        let mut alpha = match carrier(model, kin, k) {
            Some(point) => {
                let parent = inherited.copied().unwrap_or_else(|| lift(&at.inverse.acceleration[point.body]));
                let modal = &self.chidot[layout_of(model, point.body).modal_v()];
                motion_from_parent(kin, &point, k, &parent, modal)
            }
            None => crate::spatial::rotate_back6(&kin.bodies[k].rotation, &base_acceleration(model)),
        };
        for (column, &x) in kin.subspace[part.joint()].iter().zip(&self.chidot[part.joint_v()]) {
            alpha = add6(&alpha, &scale6(x, column));
        }
        add6(&alpha, &kin.bodies[k].bias)
    }

    /// The force of body `k` on its parent, in the parent's frame and axes; none on the ground.
    pub fn force_on_parent(&mut self, model: &Model, k: usize, force: &Spatial<Number>) -> Spatial<Number> {
        let mut out = [Number::ZERO; 6];
        if let Some(point) = carrier(model, &self.kin, k) {
            force_to_parent(&self.kin, &point, k, force, &mut out, &mut self.on_parent);
        }
        out
    }
}

impl InverseDerivatives {
    /// Columns over the modes of body `k` and their rates.
    pub(super) fn modal_columns(&mut self, model: &Model, at: &Evaluated<'_>, k: usize) {
        let modes = layout_of(model, k).modes;
        for over in [Over::Position, Over::Speed] {
            for first in (0..modes).step_by(WIDTH) {
                let group = first..modes.min(first + WIDTH);
                self.dual.seed_modes(model, k, over, group.clone());
                self.modal_group(model, at, k, over, group.clone());
                self.dual.clear_modes(model, k, group);
            }
        }
        if modes > 0 {
            let DualBodies { state, kin, .. } = &mut *self.dual;
            move_body(model, state, kin, k);
            self.order.children(k).iter().for_each(|&child| move_joint(model, state, kin, child));
        }
    }

    /// Those of the modes `group`, which the state has derivatives along.
    fn modal_group(
        &mut self,
        model: &Model,
        at: &Evaluated<'_>,
        k: usize,
        over: Over,
        group: std::ops::Range<usize>,
    ) {
        let own = layout_of(model, k);
        let DualBodies { state, kin, inertias, .. } = &mut *self.dual;
        move_body(model, state, kin, k);
        let inboard = &kin.inboard[own.modal()];
        evaluate_body(model, state, &kin.bodies[k].omega, inboard, k, &mut inertias.block(model, k));
        let alpha = self.dual.acceleration(model, at, k, None);
        let wrench = lift(&at.wrench[k]);
        let DualBodies { inertias, chidot, forces, .. } = &mut *self.dual;
        let mut force = body_force(model, inertias, chidot, (&alpha, &wrench), Terms::All, k, forces);
        for place in 0..self.order.children(k).len() {
            let child = self.order.children(k)[place];
            self.answer_of_child(model, at, (child, &alpha), over, (k, &group), &mut force);
        }
        let on_parent = self.dual.force_on_parent(model, k, &force);
        for (d, r) in group.enumerate() {
            let speed = own.v + r;
            if let Some(parent) = model.joints[k].parent {
                let change = self.places[parent].wrench(&part(&on_parent, d));
                self.put_carriers(model, k, (over, speed), &change);
            }
            for j in 0..own.modes {
                self.column(over, speed)[own.v + j] = self.dual.forces[j].eps[d];
            }
            for j in 0..own.joint_v {
                let value = dot6(&self.dual.kin.subspace[own.joint + j], &force).eps[d];
                self.column(over, speed)[own.v + own.modes + j] = value;
            }
        }
    }

    /// What the modes `group` of body `k`, which moves at `alpha`, do to `child` and all it carries; adds the force it answers with.
    fn answer_of_child(
        &mut self,
        model: &Model,
        at: &Evaluated<'_>,
        (child, alpha): (usize, &Spatial<Number>),
        over: Over,
        (k, group): (usize, &std::ops::Range<usize>),
        force: &mut Spatial<Number>,
    ) {
        let DualBodies { state, kin, .. } = &mut *self.dual;
        move_joint(model, state, kin, child);
        let motion = self.dual.acceleration(model, at, child, Some(alpha));
        let spin = self.dual.kin.bodies[child].omega;
        let mut from_child = lift(&at.inverse.joint_force[child]);
        for (d, r) in group.clone().enumerate() {
            let column = self.places[child].column(&part(&spin, d), &part(&motion, d));
            let answer = self.places[child].local_wrench(&self.answers[child].apply(&column));
            from_child.iter_mut().zip(&answer).for_each(|(slot, &x)| slot.eps[d] = x);
            self.put_carried(model, child, (over, layout_of(model, k).v + r), &column);
        }
        let DualBodies { kin, forces, .. } = &mut *self.dual;
        if let Some(point) = carrier(model, kin, child) {
            force_to_parent(kin, &point, child, &from_child, force, forces);
        }
    }
}
