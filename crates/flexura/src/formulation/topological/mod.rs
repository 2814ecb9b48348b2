//! Topological formulation: relative coordinates of the opened tree, loops closed
//! by an index-3 augmented Lagrangian.
//!
//! Source: Lugrís, Cuadrado, González & Luaces, Efficiency of topological and
//! global formulations for small and large flexible multibody systems (2007), with
//! the errata of book/src/theory/errata.md:
//!
//! | step | equations | file |
//! |---|---|---|
//! | unknowns, order of elimination | 20, 26-27 | `structure` |
//! | mass matrix by recursive accumulation | 30-31 | `tangent` (`algorithm::composite_body`) |
//! | the same multiplied out | 25, 28 | `direct_product` |
//! | constraint rows Φ, Φ̇, Φ̈ | | `constraints`, `idle_rows` |
//! | Jacobian by recursion | 34 | `jacobian` |
//! | tangent, penalties, factors | 37 | `tangent`, `elements`, `linear::skyline` |
//! | forces and residual by recursive accumulation | 1, 32-33 | `algorithm::inverse_dynamics` |
//! | multipliers | 2 | here |
//! | projections | 39 | `projection`, `end_of_step` |
//! | first accelerations and multipliers | | `start` |
//! | trapezoidal rule, generalised-α | 35-36 | `integrate::closed_step` |
//!
//! Velocities are referred to the bodies themselves, not to the global origin
//! (eq. 6), so that digits are not lost with travelled distance. Unknowns are
//! accelerations; with Δq = β'h² Δv̇ this is the paper's system in positions.
//! Reactions have the sign of `algorithm::closure`: a coefficient μ = −λ* along
//! the unit reaction of each row.
//!
//! Typeset: book/src/theory/topological.md (TO.1) to (TO.6).

mod constraints;
mod direct_product;
mod elements;
mod end_of_step;
mod idle_rows;
mod inspect;
mod jacobian;
mod options;
mod projection;
mod start;
mod structure;
mod tangent;

pub(crate) use crate::linear::Skyline;
pub(crate) use constraints::Constraints;
pub(crate) use end_of_step::EndOfStep;
pub use options::{MassRoute, ProjectionRoute, TangentRoute, TopologicalCounts, TopologicalOptions};

use crate::algorithm::inverse_dynamics::{Terms, outward_acceleration};
use crate::algorithm::structured_tangent::TangentWeights;
use crate::model::Model;
use crate::motion::kinematics::outward_velocity;
use crate::state::State;
use crate::workspace::Workspace;
use jacobian::Jacobian;
use projection::Level;
use structure::Structure;
use tangent::Inertia;

/// Scratch and memory of the formulation for one model.
#[derive(Clone, Debug)]
pub struct Topological {
    /// Choices.
    pub options: TopologicalOptions,
    /// What was done so far.
    pub counts: TopologicalCounts,
    /// Φ, Φ̇, Φ̈ and unit reactions at the last evaluation.
    pub(crate) rows: Constraints,
    /// μ of every row (N or N m).
    pub(crate) multipliers: Vec<f64>,
    /// α of every row.
    pub(crate) penalty: Vec<f64>,
    /// Error of the positions of the last step relative to what moved in it; zero before the first.
    pub(crate) step_error: f64,
    /// μ at the start of the step.
    remembered: Vec<f64>,
    structure: Structure,
    /// J of the factors.
    jacobian: Jacobian,
    /// J where velocities are projected.
    here: Jacobian,
    inertia: Inertia,
    matrix: Skyline,
    /// β'h² of the factors (s²).
    scale: f64,
    /// Right side over the unknowns and one place for what is prescribed.
    right: Vec<f64>,
    /// A row of an element.
    row: Vec<f64>,
    /// Steps end at rounding, and how they end is kept.
    end: Option<Box<EndOfStep>>,
}

impl Topological {
    /// Scratch for `model`.
    pub fn new(model: &Model, options: TopologicalOptions) -> Self {
        let (mut structure, matrix) = Structure::new(model);
        let rows = model.constraint_count();
        idle_rows::leave_out(model, &mut structure);
        let mut constraints = Constraints::new(model);
        constraints.keep(structure.loops.iter().map(|part| part.active.clone()));
        Self {
            options,
            counts: TopologicalCounts::default(),
            rows: constraints,
            multipliers: vec![0.0; rows],
            penalty: vec![0.0; rows],
            step_error: 0.0,
            remembered: vec![0.0; rows],
            jacobian: Jacobian::new(&structure),
            here: Jacobian::new(&structure),
            inertia: Inertia::new(model, &structure, &matrix, options.mass),
            scale: 0.0,
            right: vec![0.0; structure.speeds.len() + 1],
            row: vec![0.0; structure.widest_element()],
            end: None,
            structure,
            matrix,
        }
    }

    /// Largest violation of positions, velocities and accelerations at the end of the last step.
    pub fn violations(&self) -> [f64; 3] {
        let worst = |list: &[f64]| list.iter().fold(0.0, |best: f64, x| best.max(x.abs()));
        [worst(&self.rows.residual), worst(&self.rows.rate), worst(&self.rows.acceleration)]
    }

    /// Number of unknown accelerations: relative and modal coordinates that are not prescribed.
    pub fn unknown_count(&self) -> usize {
        self.structure.speeds.len()
    }

    /// Entries of the factorised matrix.
    pub fn envelope(&self) -> usize {
        self.matrix.entries()
    }

    /// Whether a speed belongs to a coordinate that a step of weight β'h² (s²) does not resolve.
    pub(crate) fn is_stiff(&self, speed: usize, weight: f64) -> bool {
        weight * self.inertia.stiff_rate[speed] > 0.25
    }

    /// What lasts from one step to the next: multipliers, and the factors that serve the next first correction.
    pub(crate) fn remember(&mut self, tape: &mut crate::checkpoint::Tape) {
        tape.number(&mut self.scale);
        tape.number(&mut self.step_error);
        for part in [&mut self.multipliers, &mut self.penalty, &mut self.jacobian.values] {
            tape.numbers(part);
        }
        tape.numbers(self.matrix.values_mut());
    }

    /// Whether there are factors of a step with these weights.
    #[doc(hidden)]
    pub fn has_factors(&self, weights: TangentWeights) -> bool {
        self.scale == weights.stiffness
    }

    /// The factors belong to a step that failed.
    pub(crate) fn forget_factors(&mut self) {
        self.scale = 0.0;
    }

    /// Keeps the multipliers of the start of a step.
    pub(crate) fn remember_multipliers(&mut self) {
        self.remembered.copy_from_slice(&self.multipliers);
    }

    /// Goes back to the multipliers of the start of the step.
    pub(crate) fn recall_multipliers(&mut self) {
        self.multipliers.copy_from_slice(&self.remembered);
    }

    /// J where the workspace stands.
    #[doc(hidden)]
    pub fn refresh_jacobian(&mut self, model: &Model, work: &Workspace) {
        self.jacobian.fill(model, &self.structure, &work.motion, &self.rows);
    }

    /// Largest distance of a loop frame's body from the origin (m): the unit of rounding in positions.
    pub(crate) fn extent(&self, model: &Model, work: &Workspace) -> f64 {
        let frames = model.loops.iter().flat_map(|joint| joint.frames);
        let bodies = frames.filter_map(|id| model.frames[id.0].body);
        bodies.flat_map(|body| work.motion.poses.position[body.0]).fold(0.0, |best: f64, x| best.max(x.abs()))
    }

    /// Rows at the configuration of the workspace.
    #[doc(hidden)]
    pub fn evaluate_rows(&mut self, model: &Model, state: &State, work: &Workspace) {
        self.rows.evaluate(model, (state.time, state.side), &work.motion, None);
    }

    /// Adds the reactions μ to the loads; rows must be current.
    pub(crate) fn react(&self, model: &Model, work: &mut Workspace) {
        let force = |row: usize| self.multipliers[row];
        self.rows.react(model, &work.motion, force, &mut work.load);
    }

    /// Adds JᵀαΦ to the residual over all speeds, with the J of the factors: off their row space the penalties
    /// would act without the stiffness that belongs to them.
    pub(crate) fn add_penalty_forces(&mut self, model: &Model, residual: &mut [f64]) {
        let right = &mut self.right;
        right.fill(0.0);
        let (penalty, rows) = (&self.penalty, &self.rows);
        self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
            let force = penalty[index] * rows.residual[index];
            for (&x, &u) in row.iter().zip(unknowns) {
                right[u] += x * force;
            }
        });
        for (&speed, &x) in self.structure.speeds.iter().zip(&*right) {
            residual[speed] += x;
        }
    }

    /// Solves A x = `residual` for the unknowns, zero elsewhere.
    pub(crate) fn solve(&mut self, residual: &[f64], correction: &mut [f64]) {
        let n = self.structure.speeds.len();
        for (slot, &speed) in self.right.iter_mut().zip(&self.structure.speeds) {
            *slot = residual[speed];
        }
        self.matrix.solve(&mut self.right[..n]);
        correction.fill(0.0);
        for (&speed, &x) in self.structure.speeds.iter().zip(&self.right) {
            correction[speed] = x;
        }
    }

    /// Multiplier iteration (2): μ −= αΦ with the Φ that a change of −`correction` leaves to first order.
    ///
    /// The Φ found after the change would do too, but its second-order part is no force.
    pub(crate) fn update_multipliers(&mut self, model: &Model, correction: &[f64]) {
        let n = self.structure.speeds.len();
        for (slot, &speed) in self.right.iter_mut().zip(&self.structure.speeds) {
            *slot = correction[speed];
        }
        self.right[n] = 0.0;
        let (scale, right) = (self.scale, &self.right);
        let (rows, penalty, multipliers) = (&self.rows, &self.penalty, &mut self.multipliers);
        self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
            let moved: f64 = row.iter().zip(unknowns).map(|(&x, &u)| x * right[u]).sum();
            multipliers[index] -= penalty[index] * (rows.residual[index] - scale * moved);
        });
    }

    /// Multipliers that balance what is left of the equations of motion after the projections: W x + Jᵀν = r with
    /// J x = 0, by the same multiplier iteration; μ += ν.
    pub(crate) fn settle_multipliers(&mut self, model: &Model, residual: &[f64]) {
        let n = self.structure.speeds.len();
        let (scale, penalty, multipliers) = (self.scale, &self.penalty, &mut self.multipliers);
        for _ in 0..2 {
            let right = &mut self.right;
            for (slot, &speed) in right.iter_mut().zip(&self.structure.speeds) {
                *slot = residual[speed];
            }
            // The remembered multipliers of a step that has succeeded are not needed any more: those at its call.
            self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
                let force = multipliers[index] - self.remembered[index];
                for (&x, &u) in row.iter().zip(unknowns) {
                    right[u] -= x * force;
                }
            });
            self.matrix.solve(&mut right[..n]);
            right[n] = 0.0;
            self.jacobian.for_rows(model, &self.structure, |index, row, unknowns| {
                let moved: f64 = row.iter().zip(unknowns).map(|(&x, &u)| x * right[u]).sum();
                multipliers[index] += scale * penalty[index] * moved;
            });
        }
    }

    /// Largest |Φ| at the last evaluation of the rows.
    pub(crate) fn largest_residual(&self) -> f64 {
        self.violations()[0]
    }

    /// Projects speeds and accelerations at the positions of `state`, whose kinematics, poses and rows are
    /// current; leaves the workspace at the projected speeds.
    #[doc(hidden)]
    pub fn project(&mut self, model: &Model, state: &mut State, w: &mut [f64], work: &mut Workspace) {
        let once = self.options.projection == ProjectionRoute::OnePass;
        if self.options.projection == ProjectionRoute::None {
            work.loads(model, state);
            return;
        }
        // The factors are those of the predictor, the rows those of here.
        self.here.fill(model, &self.structure, &work.motion, &self.rows);
        self.project_level(model, Level::Velocity, once, &mut state.v);
        outward_velocity(model, state, &mut work.motion.kinematics);
        work.loads(model, state);
        outward_acceleration(model, &work.motion.kinematics, w, Terms::All, &mut work.inverse);
        let accelerations = Some((&work.inverse.acceleration[..], &*w));
        self.rows.evaluate(model, (state.time, state.side), &work.motion, accelerations);
        self.project_level(model, Level::Acceleration, once, w);
    }

    /// Power of the drivers of loop-closing joints (W).
    pub(crate) fn driver_power(&self, model: &Model, state: &State) -> f64 {
        crate::algorithm::closure::driver_power(model, state.time, state.side, &self.multipliers)
    }
}
