//! A start that is put back on closed loops, gone back over.
//!
//! A start lies on the loops: P puts it back, positions by the shortest way of the masses, then speeds (book/src/theory/loops.md (LO.6)), and
//! leaves one that is there where it is. There its derivative is
//!
//! δq̂ = δq − M⁻¹Jᵀ(J M⁻¹Jᵀ)⁺ δΦ,  δv̂ = δv − M⁻¹Jᵀ(J M⁻¹Jᵀ)⁺ δΦ̇
//!
//! with what moves Φ and Φ̇: coordinates, speeds and numbers of the model. Backwards κ = (J M⁻¹Jᵀ)⁺J M⁻¹v̄ over Φ̇ first, then the same over Φ,
//! and one sweep of −κᵀΦ (`loops.rs`). Cost: a factorisation, two sweeps, once in a way back.
//!
//! Typeset: book/src/theory/adjoint.md (AD.11).

use super::GradientError;
use super::evaluation::{Place, Pulled, Seeds};
use super::loops::LoopPlaces;
use super::sweep::{Sweep, Through};
use super::taping::Taping;
use super::twist_chart::TwistChart;
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::constraint::prepare_at;
use crate::error::SimulationError;
use crate::model::Model;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::workspace::Workspace;

/// The way back over a projection of the start.
struct Start<'b> {
    factors: Workspace,
    chart: TwistChart,
    bar: &'b Pulled,
    /// Whether what the rows have of numbers of the model is wanted.
    counts: bool,
    nothing: Vec<f64>,
    solved: Vec<f64>,
}

/// Derivatives over `start`, a state on the loops, become those over a start that is put back on them. Numbers of the model enter by the
/// rows where the start is given (`counts`); a start of the model's own moves with them otherwise.
pub(super) fn put_back(
    model: &Model,
    start: &State,
    bar: &mut Pulled,
    taping: &mut Taping<'_>,
    counts: bool,
) -> Result<(), GradientError> {
    let (n, places) = (model.speed_count(), LoopPlaces::new(model));
    let mut state = start.clone();
    state.side = Side::After;
    let mut factors = Workspace::with_route(model, FlexibleRoute::Direct);
    apply_prescribed(model, &mut state, Some(&mut factors.load));
    prepare_at(model, &state, &mut factors).map_err(|error| SimulationError::dynamics(state.time, error))?;
    let mut y = vec![0.0; bar.y.len()];
    y[n..2 * n].copy_from_slice(&state.v);
    let instant = (state.time, Side::After);
    let at = Place { instant, turns: &state.turns, start_q: &state.q, y: &y };
    let mut more = Pulled::new(model, y.len());
    let chart = TwistChart::new(model, &state.q, &vec![0.0; n]);
    let (nothing, solved) = (vec![0.0; y.len()], vec![0.0; places.left()]);
    let mut through = Start { factors, chart, bar, counts, nothing, solved };
    taping.loops(model, at, &vec![0.0; places.given()], &mut through, &mut more)?;
    bar.start_q.iter_mut().zip(&more.start_q).for_each(|(sum, x)| *sum += x);
    bar.y[n..2 * n].iter_mut().zip(&more.y[n..2 * n]).for_each(|(sum, x)| *sum += x);
    Ok(())
}

impl Start<'_> {
    /// (J M⁻¹Jᵀ)⁺J M⁻¹ of derivatives over speeds, or over displacements along them.
    fn forces(&mut self, model: &Model, bar: &[f64]) -> Vec<f64> {
        let closure = &mut self.factors.closure;
        let mut forces: Vec<f64> =
            (0..model.constraint_count()).map(|row| closure.response.times(row, bar)).collect();
        closure.solve_reflected(&mut forces);
        forces
    }
}

impl Through for Start<'_> {
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError> {
        let (n, places) = (model.speed_count(), LoopPlaces::new(model));
        self.solved.fill(0.0);
        let bar = self.bar;
        let forces = self.forces(model, &bar.y[n..2 * n]);
        self.solved[places.level(1)].copy_from_slice(&forces);
        over.hold();
        over.sweep(model, None, Some(&self.solved));
        let mut looked = Pulled { start_q: self.bar.start_q.clone(), y: vec![0.0; out.y.len()] };
        over.look(&mut looked);
        let displacement = self.chart.over_twist(model, &looked.start_q);
        let forces = self.forces(model, &displacement);
        self.solved[places.level(0)].copy_from_slice(&forces);
        if self.counts {
            over.let_go();
            over.sweep(model, None, Some(&self.solved));
            over.gather(out);
        } else {
            over.sweep(model, None, Some(&self.solved));
            over.look(out);
            over.let_go();
            self.solved.fill(0.0);
        }
        Ok(())
    }

    fn seen(&self) -> (Seeds<'_>, &[f64]) {
        (Seeds { rate: &self.nothing, row: &[] }, &self.solved)
    }
}
