//! Stages of explicit steps that are put back on closed loops, and the way back over that.
//!
//! A stage q with speeds v is put back by the shortest way of the masses M and rows J at q, then its speeds where it came to
//! (book/src/theory/loops.md (LO.6)):
//!
//! M x + Jᵀσ = 0, q̂ = q exp x, Φ(q̂) = 0;  M̂ y + Ĵᵀτ = 0, v̂ = v + y, Φ̇(q̂, v̂) = 0   (AD.12)
//!
//! Backwards the speeds first: κ̂ = (Ĵ M̂⁻¹Ĵᵀ)⁺Ĵ M̂⁻¹v̄ and η̂ = M̂⁻¹(v̄ − Ĵᵀκ̂) go with their lines. Then J η = 0 and M η = Dᵀ(q̄ − Ĵᵀκ), in which D carries
//! a change of x to one of q̂: near one, so that κ follows by corrections with the factors of the stage. What masses and rows depend on is seen
//! through these multipliers (`loops.rs`). Rows say everything, dependent ones included, by least norm. Cost: two evaluations
//! without accelerations, three sweeps.
//!
//! Typeset: book/src/theory/adjoint.md (AD.12).

use super::GradientError;
use super::evaluation::{Place, Pulled, Seeds};
use super::loops::LoopPlaces;
use super::sweep::{Sweep, Through};
use super::taping::Taping;
use super::twist_chart::TwistChart;
use crate::algorithm::articulated_body::FlexibleRoute;
use crate::algorithm::closure::{Response, respond};
use crate::constraint::{POSITION_TOLERANCE, QUICK, extent, largest_gap, open_loop, prepare_at};
use crate::error::SimulationError;
use crate::model::Model;
use crate::motion::retract::move_by_twist;
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

/// Corrections of the position, with the factors of the stage, and of multipliers on the way back.
const CORRECTIONS: usize = 50;
/// Change of multipliers, relative to them, that is rounding.
const SETTLED: f64 = 1e-15;
/// Share of the derivatives that the last change still moves, from which multipliers are not found.
const UNSETTLED: f64 = 1e-9;

/// A stage before and after.
pub(super) struct ClosedStage {
    /// Where it was.
    before: State,
    /// Where it came to.
    pub state: State,
    /// Masses and rows there, after an evaluation with its accelerations too.
    pub work: Workspace,
    /// Those where it was.
    factors: Workspace,
    /// x and σ, y and τ.
    position: [Vec<f64>; 2],
    speed: [Vec<f64>; 2],
}

impl ClosedStage {
    pub fn new(model: &Model) -> Self {
        let work = Workspace::with_route(model, FlexibleRoute::Direct);
        let state = State::unprescribed(model, 0.0);
        let none = [vec![0.0; model.speed_count()], vec![0.0; model.constraint_count()]];
        Self {
            before: state.clone(),
            state,
            factors: work.clone(),
            work,
            position: none.clone(),
            speed: none,
        }
    }

    /// Puts `state` back on the loops. Prescribed coordinates are those of its instant.
    pub fn put_back(&mut self, model: &Model, state: &State) -> Result<(), GradientError> {
        let fail = |error| GradientError::from(SimulationError::dynamics(state.time, error));
        self.before.copy_from(state);
        apply_prescribed(model, &mut self.before, Some(&mut self.factors.load));
        prepare_at(model, &self.before, &mut self.factors).map_err(fail)?;
        self.state.copy_from(&self.before);
        apply_prescribed(model, &mut self.state, Some(&mut self.work.load));
        let [change, forces] = &mut self.position;
        change.fill(0.0);
        forces.fill(0.0);
        let mut last = f64::INFINITY;
        for correction in 0..=CORRECTIONS {
            let gap = largest_gap(model, &self.state, &mut self.work);
            let rounding = POSITION_TOLERANCE * (1.0 + extent(model, &self.work));
            if gap <= rounding || (gap < 1e3 * rounding && gap > 0.5 * last) {
                break;
            }
            if correction == CORRECTIONS || !gap.is_finite() {
                return Err(fail(open_loop(model, &self.work)));
            }
            if gap > QUICK * last && gap > 1e3 * rounding {
                return Err(GradientError::Loops(format!(
                    "at {} s a step leaves them by so much that putting it back takes more than one set of masses and rows: take shorter steps",
                    state.time
                )));
            }
            last = gap;
            let wrong = self.work.closure.residual.clone();
            add_correction(&mut self.factors, wrong, change, forces);
            move_by_twist(model, &self.before.q, change, &mut self.state.q);
            apply_prescribed(model, &mut self.state, Some(&mut self.work.load));
        }
        prepare_at(model, &self.state, &mut self.work).map_err(fail)?;
        let [change, forces] = &mut self.speed;
        change.fill(0.0);
        forces.fill(0.0);
        let wrong = self.work.closure.rate.clone();
        add_correction(&mut self.work, wrong, change, forces);
        self.state.v.iter_mut().zip(&*change).for_each(|(v, y)| *v += y);
        Ok(())
    }

    /// Derivatives over where the stage came to, coordinates `bar.start_q` and speeds in `bar.y`, become those over where it was.
    pub fn reverse(
        &mut self,
        model: &Model,
        bar: &mut Pulled,
        taping: &mut Taping<'_>,
    ) -> Result<(), GradientError> {
        let (n, places) = (model.speed_count(), LoopPlaces::new(model));
        let size = bar.y.len();
        let mut given = vec![0.0; places.given()];
        let mut y = vec![0.0; size];
        y[n..2 * n].copy_from_slice(&self.state.v);
        given[places.change(0)].copy_from_slice(&self.speed[0]);
        given[places.forces(0)].copy_from_slice(&self.speed[1]);
        let (instant, turns) = ((self.state.time, self.state.side), &self.state.turns);
        let at = Place { instant, turns, start_q: &self.state.q, y: &y };
        let charts = [
            TwistChart::new(model, &self.before.q, &self.position[0]),
            TwistChart::new(model, &self.state.q, &vec![0.0; n]),
        ];
        let (nothing, solved, balance) = (vec![0.0; size], vec![0.0; places.left()], vec![0.0; n]);
        let mut reached = Reached {
            here: &mut self.work,
            there: &mut self.factors,
            charts,
            bar,
            nothing,
            solved,
            time: instant.0,
            balance,
        };
        let mut more = Pulled::new(model, size);
        taping.loops(model, at, &given, &mut reached, &mut more)?;
        let balance = std::mem::take(&mut reached.balance);
        bar.start_q.iter_mut().zip(&more.start_q).for_each(|(sum, x)| *sum += x);
        bar.y[n..2 * n].iter_mut().zip(&more.y[n..2 * n]).for_each(|(sum, x)| *sum += x);
        let end_q = bar.start_q.clone();
        let from = (&self.before.q[..], &self.position[0][..]);
        TwistChart::pull_back(model, taping.floor, from, &end_q, &mut bar.start_q);
        given.fill(0.0);
        given[places.change(0)].copy_from_slice(&self.position[0]);
        given[places.forces(0)].copy_from_slice(&self.position[1]);
        y[n..2 * n].copy_from_slice(&self.before.v);
        let at = Place { instant, turns, start_q: &self.before.q, y: &y };
        let mut solved = vec![0.0; places.left()];
        solved[places.balance(0)].copy_from_slice(&balance);
        more.clear();
        let mut left = Left { solved, nothing: vec![0.0; size] };
        taping.loops(model, at, &given, &mut left, &mut more)?;
        bar.start_q.iter_mut().zip(&more.start_q).for_each(|(sum, x)| *sum += x);
        Ok(())
    }
}

/// Adds M⁻¹Jᵀλ with λ = −(J M⁻¹Jᵀ)⁺ `wrong` to a change, and −λ to its forces.
fn add_correction(factors: &mut Workspace, mut wrong: Vec<f64>, change: &mut [f64], forces: &mut [f64]) {
    factors.closure.solve_reflected(&mut wrong);
    for (row, (&force, total)) in wrong.iter().zip(forces).enumerate() {
        factors.closure.response.add_to(row, -force, change);
        *total += force;
    }
}

/// (J M⁻¹Jᵀ)⁺J M⁻¹ of derivatives over speeds.
fn forces_of(factors: &mut Workspace, bar: &[f64], rows: usize) -> Vec<f64> {
    let closure = &mut factors.closure;
    let mut forces: Vec<f64> = (0..rows).map(|row| closure.response.times(row, bar)).collect();
    closure.solve_reflected(&mut forces);
    forces
}

/// M⁻¹ `right`.
fn accelerations(model: &Model, factors: &Workspace, right: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; right.len()];
    let bodies: Vec<usize> = (0..model.body_count()).collect();
    let first: Vec<usize> = model.layout.bodies.iter().map(|part| part.v).collect();
    let free: Vec<f64> =
        right.iter().zip(&model.prescribed).map(|(&x, &held)| if held { 0.0 } else { x }).collect();
    let (kin, load) = (&factors.motion.kinematics, &factors.load);
    let (tree, mut work) = ((&bodies[..], &first[..]), Response::new(model));
    respond(model, kin, &factors.articulated, &load.prescribed, tree, &free, &mut work, &mut found);
    found
}

/// Where a stage came to: rows of positions and of speeds.
struct Reached<'b> {
    here: &'b mut Workspace,
    there: &'b mut Workspace,
    /// What x and what a turn at the end make of the coordinates there.
    charts: [TwistChart; 2],
    bar: &'b Pulled,
    nothing: Vec<f64>,
    solved: Vec<f64>,
    /// Its instant (s).
    time: f64,
    /// η.
    balance: Vec<f64>,
}

impl Through for Reached<'_> {
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError> {
        let (n, rows, places) = (model.speed_count(), model.constraint_count(), LoopPlaces::new(model));
        let speeds = &self.bar.y[n..2 * n];
        let forces = forces_of(self.here, speeds, rows);
        let mut left = speeds.to_vec();
        take_off(self.here, &forces, &mut left);
        self.solved.fill(0.0);
        self.solved[places.balance(0)].copy_from_slice(&accelerations(model, self.here, &left));
        self.solved[places.level(1)].copy_from_slice(&forces);
        over.hold();
        over.sweep(model, None, Some(&self.solved));
        let mut looked = Pulled { start_q: self.bar.start_q.clone(), y: vec![0.0; out.y.len()] };
        over.look(&mut looked);
        over.let_go();
        // J M⁻¹Dᵀ(q̄ − Ĵᵀκ) = 0.
        let [moved, turned] = &self.charts;
        let mut left = moved.over_twist(model, &looked.start_q);
        let mut forces = vec![0.0; rows];
        let size = |list: &[f64]| list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let whole = size(&left);
        let (mut last, mut still) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..CORRECTIONS {
            let more = forces_of(self.there, &left, rows);
            forces.iter_mut().zip(&more).for_each(|(force, x)| *force += x);
            let mut reaction = vec![0.0; n];
            take_off(self.here, &more, &mut reaction);
            let carried = moved.over_twist(model, &turned.lift(model, &reaction));
            still = size(&carried) / whole.max(f64::MIN_POSITIVE);
            left.iter_mut().zip(carried).for_each(|(x, reaction)| *x += reaction);
            let change = size(&more);
            if change <= SETTLED * size(&forces) || change > 0.5 * last {
                break;
            }
            last = change;
        }
        // No number is more than any limit too.
        let settled = still <= UNSETTLED;
        if !settled {
            return Err(GradientError::Adjoint(self.time));
        }
        self.balance = accelerations(model, self.there, &left);
        self.solved[places.level(0)].copy_from_slice(&forces);
        over.sweep(model, None, Some(&self.solved));
        over.gather(out);
        Ok(())
    }

    fn seen(&self) -> (Seeds<'_>, &[f64]) {
        (Seeds { rate: &self.nothing, row: &[] }, &self.solved)
    }
}

/// `out` −= Jᵀ `forces`.
fn take_off(factors: &Workspace, forces: &[f64], out: &mut [f64]) {
    forces.iter().enumerate().for_each(|(row, &force)| factors.closure.jacobian.add_to(row, -force, out));
}

/// Where a stage was: masses and rows along what they moved it by.
struct Left {
    solved: Vec<f64>,
    nothing: Vec<f64>,
}

impl Through for Left {
    fn pull(&mut self, model: &Model, over: &mut dyn Sweep, out: &mut Pulled) -> Result<(), GradientError> {
        over.sweep(model, None, Some(&self.solved));
        over.gather(out);
        Ok(())
    }

    fn seen(&self) -> (Seeds<'_>, &[f64]) {
        (Seeds { rate: &self.nothing, row: &[] }, &self.solved)
    }
}
