//! One evaluation of the equations of motion in numbers that are followed: on the tape, or written down.
//!
//! Accelerations a are those that the run has found; they solve r(x, a; p) = ID(x, a) − Q(x) = 0 on the free speeds, with ID
//! inverse dynamics and Q the loads. With λ the derivative of a result over a, and M = ∂r/∂a the mass matrix,
//!
//! λᵀ da = −(M⁻¹λ)ᵀ (∂r/∂x dx + ∂r/∂p dp)   (AD.1)
//!
//! so that no factorisation is ever followed: one solve on the factors that the run left behind, and one sweep over inverse
//! dynamics, kinematics, loads and controllers (`sweep.rs`). Where loops close, multipliers λ of their rows are found with a, and r has
//! the reactions: r = ID − Q − Jᵀλ, with Φ̈(x, a) = 0 beside it; the rows Φ stand behind for those who solve for positions.
//!
//! Typeset: book/src/theory/adjoint.md (AD.1) to (AD.3), (AD.9).

use crate::algorithm::articulated_body::FlexibleRoute;
use crate::algorithm::closure::apply_reactions;
use crate::constraint::fill_rows;
use crate::integrate::{increment_rates, place};
use crate::measure::Snapshot;
use crate::model::Model;
use crate::model::channel::Channel;
use crate::scalar::{Meaning, Scalar, Taped, Traced};
use crate::simulate::sample_with;
use crate::state::prescribe::apply_prescribed;
use crate::state::{State, Turns};
use crate::time_function::Side;
use crate::workspace::Workspace;

/// Where an evaluation happens: its instant, turns of joints that close loops near it, the coordinates a step began at, and increments,
/// speeds, controller states and work.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub instant: (f64, Side),
    pub turns: &'a Turns,
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

    /// The largest difference to `other`, relative to the largest number of that.
    pub fn apart(&self, other: &Self) -> f64 {
        let pairs = || self.start_q.iter().chain(&self.y).zip(other.start_q.iter().chain(&other.y));
        // The larger of a number and none is the number: those that are none have to be looked for.
        if pairs().any(|(a, b)| !(a - b).is_finite()) {
            return f64::INFINITY;
        }
        let (apart, size) = pairs()
            .fold((0.0_f64, 0.0_f64), |(apart, size), (a, b)| (apart.max((a - b).abs()), size.max(b.abs())));
        apart / size.max(f64::MIN_POSITIVE)
    }

    pub fn clear(&mut self) {
        self.start_q.fill(0.0);
        self.y.fill(0.0);
    }
}

/// Numbers that an evaluation can be followed with.
pub(super) trait Followed: Scalar {
    /// A number that derivatives are asked over.
    fn leaf(value: f64, meaning: Meaning) -> Self;
    /// A number that changes from evaluation to evaluation, and that nothing is asked over.
    fn held(value: f64, meaning: Meaning) -> Self;
    /// A number that never changes and is no constant of the model.
    fn plain(value: f64) -> Self;
}

impl Followed for Taped {
    fn leaf(value: f64, _: Meaning) -> Self {
        Self::leaf(value)
    }
    fn held(value: f64, _: Meaning) -> Self {
        Self::plain(value)
    }
    fn plain(value: f64) -> Self {
        Self::plain(value)
    }
}

impl Followed for f64 {
    fn leaf(value: f64, _: Meaning) -> Self {
        value
    }
    fn held(value: f64, _: Meaning) -> Self {
        value
    }
    fn plain(value: f64) -> Self {
        value
    }
}

impl Followed for Traced {
    fn leaf(value: f64, meaning: Meaning) -> Self {
        Self::leaf(value, meaning)
    }
    fn held(value: f64, meaning: Meaning) -> Self {
        Self::leaf(value, meaning)
    }
    fn plain(value: f64) -> Self {
        Self::plain(value)
    }
}

/// An evaluation in numbers that are followed.
pub(super) struct Evaluation<S = Taped> {
    pub state: State<S>,
    pub work: Workspace<S>,
    pub start_q: Vec<S>,
    pub y: Vec<S>,
    /// r over the speeds, then Φ̈ and Φ of the rows of loops; or what the evaluation of a projection leaves (`loops.rs`).
    pub residual: Vec<S>,
    /// Accelerations, then multipliers of the rows of loops.
    pub found: Vec<S>,
    slopes: Vec<S>,
    power: S,
    row: Vec<S>,
    /// Whether accelerations are leaves.
    deep: bool,
}

impl<S: Followed> Evaluation<S> {
    /// Scratch for `model`; its constants are met on the way.
    pub fn new(model: &Model, size: usize) -> Self {
        let (n, zero) = (model.speed_count(), S::ZERO);
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
            residual: Vec::new(),
            found: Vec::new(),
            slopes: vec![zero; n],
            power: zero,
            row: Vec::new(),
            deep: false,
        }
    }

    /// Rates at `at`, where the run has found the accelerations `found`; with `deep`, results may depend on these.
    pub fn rates(&mut self, model: &Model, at: Place<'_>, found: &[f64], deep: bool) {
        self.deep = deep;
        self.row.clear();
        self.lift(at, true);
        place(model, &self.start_q, &self.y, &mut self.state);
        if !model.loops.is_empty() {
            // Coordinates are given as they were put back on the loops: increments have a part in their own rates alone.
            self.state.q.copy_from_slice(&self.start_q);
        }
        self.evaluate(model, found);
        increment_rates(model, &self.state, &self.y, &mut self.slopes);
        if !deep {
            // No result sees it.
            self.power = S::ZERO;
        }
    }

    /// Channels at `at`, whose increments are zero.
    pub fn channels(&mut self, model: &Model, at: Place<'_>, found: &[f64], channels: &[Channel]) {
        self.deep = true;
        self.lift(at, false);
        place(model, &self.start_q, &self.y, &mut self.state);
        self.evaluate(model, found);
        self.slopes.fill(S::ZERO);
        self.work.poses(model, &self.state);
        self.row.resize(channels.len(), S::ZERO);
        let done = self.y[self.y.len() - 1];
        Snapshot::new(model, &self.state, &self.work, done, S::ZERO).fill(channels, &mut self.row);
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

    /// Leaves at `at`, whose increments are zero, for [`Evaluation::loops`].
    pub fn begin_loops(&mut self, at: Place<'_>) {
        self.deep = false;
        self.row.clear();
        self.power = S::ZERO;
        self.lift(at, false);
    }

    /// Leaves at `at`; increments are leaves where asked for.
    fn lift(&mut self, at: Place<'_>, increments: bool) {
        (self.state.time, self.state.side) = at.instant;
        self.state.turns.copy_from(at.turns);
        let n = self.state.v.len();
        for (i, (slot, &value)) in self.start_q.iter_mut().zip(at.start_q).enumerate() {
            *slot = S::leaf(value, Meaning::Start(i));
        }
        for (i, (slot, &value)) in self.y.iter_mut().zip(at.y).enumerate() {
            *slot = if i >= n || increments { S::leaf(value, Meaning::Vector(i)) } else { S::plain(value) };
        }
    }

    /// Everything an evaluation fills, accelerations given.
    fn evaluate(&mut self, model: &Model, found: &[f64]) {
        let (state, work) = (&mut self.state, &mut self.work);
        apply_prescribed(model, state, Some(&mut work.load));
        // What the tape held before is gone.
        work.accelerations.chidot.fill(S::ZERO);
        work.accelerations.acceleration.fill([S::ZERO; 6]);
        work.closure.multipliers.fill(S::ZERO);
        work.kinematics(model, state);
        work.loads(model, state);
        let (n, rows) = (state.v.len(), model.constraint_count());
        if rows > 0 {
            // Unit reactions; the rows themselves want accelerations and come below.
            fill_rows(model, state, work);
        }
        self.found.clear();
        for (i, &value) in found[..n + rows].iter().enumerate() {
            let number = match (model.prescribed.get(i), self.deep) {
                (Some(true), _) => work.load.acceleration[i],
                (_, true) => S::leaf(value, Meaning::Acceleration(i)),
                (_, false) => S::held(value, Meaning::Acceleration(i)),
            };
            self.found.push(number);
        }
        work.accelerations.chidot.copy_from_slice(&self.found[..n]);
        work.closure.multipliers.copy_from_slice(&self.found[n..]);
        if rows > 0 {
            apply_reactions(model, (state.time, state.side), &mut work.loop_parts());
        }
        work.reactions(model);
        work.accelerations.acceleration.copy_from_slice(&work.inverse.acceleration);
        self.power = work.power.total();
        self.residual.clear();
        for i in 0..n {
            let residual = work.inverse.generalized[i] - work.load.generalized[i];
            self.residual.push(residual);
            let driven = if model.prescribed[i] { residual } else { S::ZERO };
            work.accelerations.driving[i] = driven;
            self.power += driven * state.v[i];
        }
        if rows > 0 {
            fill_rows(model, state, work);
            self.residual.extend_from_slice(&work.closure.acceleration);
            self.residual.extend_from_slice(&work.closure.residual);
        }
    }

    /// What the result sees besides free accelerations, in the order of [`direct_weights`].
    pub fn direct<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = S> + 'a {
        let driven = (0..model.speed_count()).filter(|&i| model.prescribed[i]);
        let driven = driven.map(|i| self.work.accelerations.chidot[i]);
        let control = self.work.control.rates.iter().copied();
        let slopes = self.slopes.iter().copied();
        slopes.chain(driven).chain(control).chain(std::iter::once(self.power)).chain(self.row.iter().copied())
    }

    /// What the result sees of the values, with adjoint accelerations `solved`.
    pub fn seen(&self, model: &Model, seeds: Seeds<'_>, solved: &[f64]) -> f64 {
        let pairs = self.direct(model).zip(direct_weights(model, seeds));
        let direct: f64 = pairs.map(|(number, weight)| number.value() * weight).sum();
        let free = (0..solved.len()).filter(|&i| is_free(model, i));
        direct - free.map(|i| self.residual[i].value() * solved[i]).sum::<f64>()
    }

    /// What the result sees of new states of controllers.
    pub fn seen_samples(&self, seeds: &[f64]) -> f64 {
        self.state.z.iter().zip(seeds).map(|(number, weight)| number.value() * weight).sum()
    }
}

/// Whether entry `i` of a residual is asked to vanish: rows always, speeds where they are not prescribed.
pub(super) fn is_free(model: &Model, i: usize) -> bool {
    model.prescribed.get(i) != Some(&true)
}

/// Weights of what the result sees besides free accelerations: slopes, driven accelerations, states of controllers, power, channels.
pub(super) fn direct_weights<'a>(model: &'a Model, seeds: Seeds<'a>) -> impl Iterator<Item = f64> + 'a {
    let (n, last) = (model.speed_count(), seeds.rate.len() - 1);
    let slopes = seeds.rate[..n].iter().copied();
    let driven = (0..n).filter(|&i| model.prescribed[i]).map(move |i| seeds.rate[n + i]);
    let control = seeds.rate[2 * n..last].iter().copied();
    slopes
        .chain(driven)
        .chain(control)
        .chain(std::iter::once(seeds.rate[last]))
        .chain(seeds.row.iter().copied())
}
