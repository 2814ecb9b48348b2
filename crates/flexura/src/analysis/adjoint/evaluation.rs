//! One evaluation of the equations of motion on the tape, and derivatives pulled back through it.
//!
//! Accelerations a are those that the run has found; they solve r(x, a; p) = ID(x, a) − Q(x) = 0 on the free speeds, with ID
//! inverse dynamics and Q the loads. With λ the derivative of a result over a, and M = ∂r/∂a the mass matrix,
//!
//! λᵀ da = −(M⁻¹λ)ᵀ (∂r/∂x dx + ∂r/∂p dp)   (AD.1)
//!
//! so that no factorisation is ever taped: one solve on the factors that the run left behind, and one sweep over inverse
//! dynamics, kinematics, loads and controllers. Results that see accelerations themselves (rows of channels, the power of
//! drivers) are swept first, for their part of λ. Cost: one taped evaluation without factorisation and one or two sweeps.
//!
//! Typeset: book/src/theory/adjoint.md (AD.1) to (AD.3).

use crate::algorithm::articulated_body::FlexibleRoute;
use crate::algorithm::closure::{Response, respond};
use crate::integrate::{increment_rates, place};
use crate::measure::Snapshot;
use crate::model::Model;
use crate::model::channel::Channel;
use crate::scalar::{Scalar, Taped, with_tape};
use crate::simulate::sample_with;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Where an evaluation happens: its instant, the coordinates a step began at, and increments, speeds, controller states and work.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub instant: (f64, Side),
    pub start_q: &'a [f64],
    pub y: &'a [f64],
}

/// Derivatives of the result over what an evaluation gives.
#[derive(Clone, Copy)]
pub(super) struct Seeds<'a> {
    /// Over rates: increments, accelerations, controller states, work.
    pub rate: &'a [f64],
    /// Over channels.
    pub row: &'a [f64],
}

/// Derivatives of the result over where an evaluation happened.
#[derive(Clone, Debug)]
pub(super) struct Pulled {
    pub start_q: Vec<f64>,
    pub y: Vec<f64>,
}

impl Pulled {
    pub fn new(model: &Model, size: usize) -> Self {
        Self { start_q: vec![0.0; model.initial_q.len()], y: vec![0.0; size] }
    }

    pub fn clear(&mut self) {
        self.start_q.fill(0.0);
        self.y.fill(0.0);
    }
}

/// Numbers on the tape.
pub(super) struct Evaluation {
    state: State<Taped>,
    work: Workspace<Taped>,
    start_q: Vec<Taped>,
    y: Vec<Taped>,
    residual: Vec<Taped>,
    slopes: Vec<Taped>,
    power: Taped,
    row: Vec<Taped>,
    /// Whether accelerations are leaves.
    deep: bool,
    /// Adjoint accelerations, and their right sides.
    right: Vec<f64>,
    solved: Vec<f64>,
    response: Response<f64>,
    bodies: Vec<usize>,
    first_speeds: Vec<usize>,
}

impl Evaluation {
    /// Scratch for `model`; its constants are met on the way.
    pub fn new(model: &Model, size: usize) -> Self {
        let (n, zero) = (model.speed_count(), Taped::ZERO);
        let plain = State::unprescribed(model, 0.0);
        let state = State {
            time: 0.0,
            side: Side::After,
            q: vec![zero; plain.q.len()],
            v: vec![zero; n],
            z: vec![zero; plain.z.len()],
            turns: plain.turns,
        };
        Self {
            start_q: state.q.clone(),
            state,
            work: Workspace::with_route(model, FlexibleRoute::Direct),
            y: vec![zero; size],
            residual: vec![zero; n],
            slopes: vec![zero; n],
            power: zero,
            row: Vec::new(),
            deep: false,
            right: vec![0.0; n],
            solved: vec![0.0; n],
            response: Response::new(model),
            bodies: (0..model.body_count()).collect(),
            first_speeds: model.layout.bodies.iter().map(|part| part.v).collect(),
        }
    }

    /// Rates at `at`, where the run has found the accelerations `found`; with `deep`, results may depend on these.
    pub fn rates(&mut self, model: &Model, at: Place<'_>, found: &[f64], deep: bool) {
        self.deep = deep;
        self.lift(at, true);
        place(model, &self.start_q, &self.y, &mut self.state);
        self.evaluate(model, found);
        increment_rates(model, &self.state, &self.y, &mut self.slopes);
    }

    /// Channels at `at`, whose increments are zero.
    pub fn channels(&mut self, model: &Model, at: Place<'_>, found: &[f64], channels: &[Channel]) {
        self.deep = true;
        self.lift(at, false);
        place(model, &self.start_q, &self.y, &mut self.state);
        self.evaluate(model, found);
        self.slopes.fill(Taped::ZERO);
        self.work.poses(model, &self.state);
        self.row.resize(channels.len(), Taped::ZERO);
        let done = self.y[self.y.len() - 1];
        Snapshot::new(model, &self.state, &self.work, done, Taped::ZERO).fill(channels, &mut self.row);
    }

    /// New controller states of the controllers that are `due`.
    pub fn samples(&mut self, model: &Model, at: Place<'_>, due: &[bool]) {
        self.deep = false;
        self.lift(at, false);
        place(model, &self.start_q, &self.y, &mut self.state);
        self.state.side = Side::After;
        apply_prescribed(model, &mut self.state, Some(&mut self.work.load));
        // Only positions and speeds are measured here: nothing can fail.
        let _ = sample_with(model, &mut self.state, &mut self.work, |i| due[i], |_, _, _, _, _| Ok(()));
    }

    /// Leaves at `at`; increments are leaves where asked for.
    fn lift(&mut self, at: Place<'_>, increments: bool) {
        (self.state.time, self.state.side) = at.instant;
        let n = self.residual.len();
        for (slot, &value) in self.start_q.iter_mut().zip(at.start_q) {
            *slot = Taped::leaf(value);
        }
        for (i, (slot, &value)) in self.y.iter_mut().zip(at.y).enumerate() {
            *slot = if i >= n || increments { Taped::leaf(value) } else { Taped::plain(value) };
        }
    }

    /// Everything an evaluation fills, accelerations given.
    fn evaluate(&mut self, model: &Model, found: &[f64]) {
        let (state, work) = (&mut self.state, &mut self.work);
        apply_prescribed(model, state, Some(&mut work.load));
        // What the tape held before is gone.
        work.accelerations.chidot.fill(Taped::ZERO);
        work.accelerations.acceleration.fill([Taped::ZERO; 6]);
        work.kinematics(model, state);
        work.loads(model, state);
        for (i, &value) in found.iter().enumerate() {
            work.accelerations.chidot[i] = match (model.prescribed[i], self.deep) {
                (true, _) => work.load.acceleration[i],
                (false, true) => Taped::leaf(value),
                (false, false) => Taped::plain(value),
            };
        }
        work.reactions(model);
        work.accelerations.acceleration.copy_from_slice(&work.inverse.acceleration);
        self.power = work.power.total();
        for i in 0..found.len() {
            self.residual[i] = work.inverse.generalized[i] - work.load.generalized[i];
            let driven = if model.prescribed[i] { self.residual[i] } else { Taped::ZERO };
            work.accelerations.driving[i] = driven;
            self.power += driven * state.v[i];
        }
    }

    /// Adds the derivatives of the result over where the evaluation happened; `factors` holds the plain one. `collect` sees the
    /// tape after every sweep.
    pub fn pull_back(
        &mut self,
        model: &Model,
        (factors, floor): (&Workspace, usize),
        seeds: Seeds<'_>,
        out: &mut Pulled,
        collect: &mut dyn FnMut(),
    ) {
        let n = self.residual.len();
        let free = |i: &usize| !model.prescribed[*i];
        self.right.copy_from_slice(&seeds.rate[n..2 * n]);
        if self.deep {
            let seeds: Vec<(Taped, f64)> = self.direct_seeds(model, seeds).collect();
            with_tape(|tape| tape.reverse(floor, seeds.into_iter()));
            self.gather(out);
            collect();
            for i in (0..n).filter(free) {
                let leaf = self.work.accelerations.chidot[i];
                self.right[i] += with_tape(|tape| tape.adjoint(leaf));
            }
        }
        for i in 0..n {
            self.right[i] = if model.prescribed[i] { 0.0 } else { self.right[i] };
        }
        let tree = (&self.bodies[..], &self.first_speeds[..]);
        let (kin, load) = (&factors.motion.kinematics, &factors.load);
        let (right, work, solved) = (&self.right, &mut self.response, &mut self.solved);
        respond(model, kin, &factors.articulated, &load.prescribed, tree, right, work, solved);
        let residual = (0..n).filter(free).map(|i| (self.residual[i], -self.solved[i]));
        if self.deep {
            let residual: Vec<_> = residual.collect();
            with_tape(|tape| tape.reverse(floor, residual.into_iter()));
        } else {
            let all: Vec<_> = residual.chain(self.direct_seeds(model, seeds)).collect();
            with_tape(|tape| tape.reverse(floor, all.into_iter()));
        }
        self.gather(out);
        collect();
    }

    /// Like [`Evaluation::pull_back`] for sampled controllers: `seeds` are over their new states.
    pub fn pull_back_samples(
        &mut self,
        floor: usize,
        seeds: &[f64],
        out: &mut Pulled,
        collect: &mut dyn FnMut(),
    ) {
        let seeds: Vec<_> = self.state.z.iter().copied().zip(seeds.iter().copied()).collect();
        with_tape(|tape| tape.reverse(floor, seeds.into_iter()));
        self.gather(out);
        collect();
    }

    /// What the result sees of the values, with adjoint accelerations `solved`.
    pub fn seen(&self, model: &Model, seeds: Seeds<'_>, solved: &[f64]) -> f64 {
        let direct: f64 =
            self.direct_seeds(model, seeds).map(|(number, weight)| number.value() * weight).sum();
        let free = (0..solved.len()).filter(|&i| !model.prescribed[i]);
        direct - free.map(|i| self.residual[i].value() * solved[i]).sum::<f64>()
    }

    /// What the result sees of new states of controllers.
    pub fn seen_samples(&self, seeds: &[f64]) -> f64 {
        self.state.z.iter().zip(seeds).map(|(number, weight)| number.value() * weight).sum()
    }

    /// Adjoint accelerations of the last [`Evaluation::pull_back`].
    pub fn solved(&self) -> &[f64] {
        &self.solved
    }

    /// What the result sees besides free accelerations.
    fn direct_seeds<'a>(
        &'a self,
        model: &'a Model,
        seeds: Seeds<'a>,
    ) -> impl Iterator<Item = (Taped, f64)> + 'a {
        let n = self.residual.len();
        let last = seeds.rate.len() - 1;
        let slopes = self.slopes.iter().copied().zip(seeds.rate[..n].iter().copied());
        let driven = (0..n).filter(|&i| model.prescribed[i]);
        let driven = driven.map(move |i| (self.work.accelerations.chidot[i], seeds.rate[n + i]));
        let control = self.work.control.rates.iter().copied().zip(seeds.rate[2 * n..last].iter().copied());
        let power = std::iter::once((self.power, seeds.rate[last]));
        let row = self.row.iter().copied().zip(seeds.row.iter().copied());
        slopes.chain(driven).chain(control).chain(power).chain(row)
    }

    /// Adds the derivatives over the leaves.
    fn gather(&self, out: &mut Pulled) {
        with_tape(|tape| {
            let pairs = self.start_q.iter().chain(&self.y);
            for (leaf, slot) in pairs.zip(out.start_q.iter_mut().chain(&mut out.y)) {
                *slot += tape.adjoint(*leaf);
            }
        });
    }
}
