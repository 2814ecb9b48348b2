//! Derivatives pulled back through an evaluation: adjoint accelerations and sweeps (AD.1).
//!
//! Results that see accelerations themselves (rows of channels, the power of drivers) are swept first, for their part of the right side of
//! the solve. Cost: one solve with the factors of the run, one sweep or two.
//!
//! Typeset: book/src/theory/adjoint.md (AD.1), (AD.9).

use super::GradientError;
use super::evaluation::{Evaluation, Pulled, Seeds, direct_weights, is_free};
use crate::algorithm::closure::{Response, respond};
use crate::model::Model;
use crate::scalar::{Taped, with_tape};
use crate::workspace::Workspace;

/// Share of a reaction that dependent rows may leave open: rounding is far below it.
const SHARED: f64 = 1e-7;

/// Something that a reverse sweep goes over: the tape, or a recording.
pub(super) trait Sweep {
    /// Derivatives of Σ weights × direct results − Σ solved × residual; either may be left out.
    fn sweep(&mut self, model: &Model, direct: Option<Seeds<'_>>, solved: Option<&[f64]>);
    /// That over acceleration `i` after a sweep; multipliers of rows come behind the accelerations.
    fn over_acceleration(&self, i: usize) -> f64;
    /// Adds those over where the evaluation happened.
    fn gather(&mut self, out: &mut Pulled);
    /// The same of a sweep that is for looking only: nothing over constants and functions of time is counted.
    fn look(&mut self, out: &mut Pulled);
    /// Keeps what has added up over constants; sweeps from here to [`Sweep::let_go`] are for looking.
    fn hold(&mut self);
    /// Puts back what was held.
    fn let_go(&mut self);
}

/// How derivatives come through one evaluation: by the accelerations that it gives, or by those that an implicit step has found with it.
pub(super) trait Through {
    /// Adds the derivatives of the result over where the evaluation happened.
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError>;
    /// What was swept last: weights of the results and adjoint accelerations.
    fn seen(&self) -> (Seeds<'_>, &[f64]);
}

/// Accelerations by the evaluation itself: its workspace, the weights of its results and, with `deep`, whether these see accelerations.
pub(super) struct Explicit<'b> {
    pub adjoint: &'b mut Adjoint,
    pub factors: &'b Workspace,
    pub deep: bool,
    pub seeds: Seeds<'b>,
}

impl Through for Explicit<'_> {
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError> {
        self.adjoint.pull_back(model, (self.factors, self.deep), self.seeds, over, out)
    }

    fn seen(&self) -> (Seeds<'_>, &[f64]) {
        (self.seeds, &self.adjoint.solved)
    }
}

/// The tape with the evaluation on it.
pub(super) struct OnTape<'a> {
    pub evaluation: &'a Evaluation<Taped>,
    pub floor: usize,
    /// Sees the tape after every sweep that counts.
    pub collect: &'a mut dyn FnMut(),
    /// What has added up below the floor, while sweeps are for looking.
    pub held: Vec<f64>,
}

impl OnTape<'_> {
    /// Adds the derivatives that come through new states of sampled controllers.
    pub fn sweep_samples(mut self, seeds: &[f64], out: &mut Pulled) {
        let all: Vec<_> = self.evaluation.state.z.iter().copied().zip(seeds.iter().copied()).collect();
        with_tape(|tape| tape.reverse(self.floor, all.into_iter()));
        self.gather(out);
    }
}

impl Sweep for OnTape<'_> {
    fn sweep(&mut self, model: &Model, direct: Option<Seeds<'_>>, solved: Option<&[f64]>) {
        let evaluation = self.evaluation;
        let mut all: Vec<(Taped, f64)> = Vec::new();
        if let Some(solved) = solved {
            let free = (0..solved.len()).filter(|&i| is_free(model, i));
            all.extend(free.map(|i| (evaluation.residual[i], -solved[i])));
        }
        if let Some(seeds) = direct {
            all.extend(evaluation.direct(model).zip(direct_weights(model, seeds)));
        }
        with_tape(|tape| tape.reverse(self.floor, all.into_iter()));
    }

    fn over_acceleration(&self, i: usize) -> f64 {
        with_tape(|tape| tape.adjoint(self.evaluation.found[i]))
    }

    fn gather(&mut self, out: &mut Pulled) {
        self.look(out);
        (self.collect)();
    }

    fn look(&mut self, out: &mut Pulled) {
        with_tape(|tape| {
            let pairs = self.evaluation.start_q.iter().chain(&self.evaluation.y);
            for (leaf, slot) in pairs.zip(out.start_q.iter_mut().chain(&mut out.y)) {
                *slot += tape.adjoint(*leaf);
            }
        });
    }

    fn hold(&mut self) {
        self.held = with_tape(|tape| tape.below(self.floor));
    }

    fn let_go(&mut self) {
        with_tape(|tape| tape.put_back(&self.held));
    }
}

/// Results of an evaluation alone, whose accelerations nothing asks for.
pub(super) struct Given<'b> {
    pub seeds: Seeds<'b>,
    pub solved: Vec<f64>,
}

impl Through for Given<'_> {
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError> {
        over.sweep(model, Some(self.seeds), None);
        over.gather(out);
        Ok(())
    }

    fn seen(&self) -> (Seeds<'_>, &[f64]) {
        (self.seeds, &self.solved)
    }
}

/// Adjoint accelerations: the solve of (AD.1), with loops of (AD.9).
pub(super) struct Adjoint {
    /// Derivatives over accelerations, then over multipliers of rows.
    right: Vec<f64>,
    /// Adjoint accelerations, then multipliers of Φ̈; nothing over Φ.
    pub solved: Vec<f64>,
    response: Response<f64>,
    bodies: Vec<usize>,
    first_speeds: Vec<usize>,
}

impl Adjoint {
    pub fn new(model: &Model) -> Self {
        let (n, rows) = (model.speed_count(), model.constraint_count());
        Self {
            right: vec![0.0; n + rows],
            solved: vec![0.0; n + 2 * rows],
            response: Response::new(model),
            bodies: (0..model.body_count()).collect(),
            first_speeds: model.layout.bodies.iter().map(|part| part.v).collect(),
        }
    }

    /// Adds the derivatives of the result over where the evaluation happened; `factors` holds the plain one. With `deep`, results
    /// see free accelerations and reactions themselves.
    pub fn pull_back(
        &mut self,
        model: &Model,
        (factors, deep): (&Workspace, bool),
        seeds: Seeds<'_>,
        over: &mut dyn Sweep,
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        let n = model.speed_count();
        self.right.fill(0.0);
        self.right[..n].copy_from_slice(&seeds.rate[n..2 * n]);
        if deep {
            over.sweep(model, Some(seeds), None);
            over.gather(out);
            for i in (0..self.right.len()).filter(|&i| is_free(model, i)) {
                self.right[i] += over.over_acceleration(i);
            }
        }
        for (right, &prescribed) in self.right.iter_mut().zip(&model.prescribed) {
            if prescribed {
                *right = 0.0;
            }
        }
        let tree = (&self.bodies[..], &self.first_speeds[..]);
        let (kin, load) = (&factors.motion.kinematics, &factors.load);
        let (right, work, solved) = (&self.right[..n], &mut self.response, &mut self.solved[..n]);
        respond(model, kin, &factors.articulated, &load.prescribed, tree, right, work, solved);
        if !model.loops.is_empty() {
            self.close(model, factors)?;
        }
        over.sweep(model, (!deep).then_some(seeds), Some(&self.solved));
        over.gather(out);
        Ok(())
    }

    /// M μ + Jᵀν = ā with J μ = −λ̄, from M⁻¹ā in the place of μ.
    fn close(&mut self, model: &Model, factors: &Workspace) -> Result<(), GradientError> {
        let (n, rows, closure) = (model.speed_count(), model.constraint_count(), &factors.closure);
        let (mu, rest) = self.solved.split_at_mut(n);
        let (forces, none) = rest.split_at_mut(rows);
        none.fill(0.0);
        let asked = &self.right[n..];
        for (row, force) in forces.iter_mut().enumerate() {
            *force = closure.jacobian.times(row, mu) + asked[row];
        }
        let size = forces.iter().chain(asked).fold(0.0, |most: f64, x| most.max(x.abs()));
        closure.reflected.clone().solve(forces);
        for (row, &force) in forces.iter().enumerate() {
            closure.response.add_to(row, -force, mu);
        }
        // Of rows that say the same, a reaction alone is a choice, of which nothing is known.
        let left = |row: usize| (closure.jacobian.times(row, mu) + asked[row]).abs();
        match (0..rows).find(|&row| asked.iter().any(|x| *x != 0.0) && left(row) > SHARED * size) {
            Some(row) => {
                let joint = model.loops.iter().find(|joint| joint.row_range().contains(&row));
                Err(GradientError::Shared(joint.map_or(String::new(), |joint| joint.name.clone())))
            }
            None => Ok(()),
        }
    }
}
