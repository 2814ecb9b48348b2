//! Time integration on the manifold of joint coordinates.
//!
//! Within a step, coordinates are written as q = q₀ ⊕ δ with a local increment δ
//! (one entry per speed), so that any Runge-Kutta method works on plain vectors
//! y = (δ, v, work) and quaternions stay unit (Munthe-Kaas). The last entry
//! integrates the power of all non-conservative forces and drivers.

mod alpha_coefficients;
mod alpha_ends;
mod alpha_memory;
mod automatic;
mod closed_step;
mod dense;
mod dopri5;
mod energy_momentum;
mod event;
mod exact_tangent;
mod fixed_step;
mod flow;
mod found;
mod generalized_alpha;
mod global_step;
mod inside;
mod jump;
mod lu;
mod norms;
mod radau5;
mod real_time;
mod rk4;
mod step_control;
mod stepper;
mod tree_step;
mod trial;
mod turns;

pub use alpha_coefficients::AlphaCoefficients;
pub(crate) use alpha_memory::AlphaMemory;
use automatic::Automatic;
pub use dense::Dense;
pub use dopri5::DormandPrince;
pub(crate) use dopri5::{DORMAND_PRINCE_NODES, DORMAND_PRINCE_STAGES};
pub use energy_momentum::EnergyMomentum;
pub(crate) use energy_momentum::refusal as energy_refusal;
pub(crate) use event::locate_crossing;
pub use exact_tangent::ExactTangent;
pub(crate) use flow::Flow;
pub(crate) use flow::{increment_rates, place};
pub(crate) use generalized_alpha::GeneralizedAlpha;
pub(crate) use global_step::GlobalSteps;
pub(crate) use inside::{NODES, TurningPoints, least_between};
pub use radau5::RadauOptions;
pub(crate) use radau5::{
    Factors as RadauFactors, RADAU_NODES, Radau5, SETTLED as STAGES_SETTLED, radau_weights,
};
pub use real_time::{RealTime, RealTimeReport};
pub(crate) use rk4::RungeKutta4;
pub(crate) use step_control::StepControl;
pub use step_control::StepStatistics;
pub(crate) use turns::follow_turns;

use crate::checkpoint::Tape;
use crate::constraint::project;
use crate::error::SimulationError;
use crate::formulation::global::GlobalOptions;
use crate::formulation::topological::{Topological, TopologicalOptions};
use crate::model::Model;
use crate::model::description::{ConstraintChoices, MethodDescription, SimulationDescription};
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;
use jump::follow_jump;
pub(crate) use jump::loops_jump;
use stepper::End;
use turns::count_turns;

/// Memory of an integrator: what a step needs besides state and workspace.
#[derive(Clone, Debug)]
pub struct Integrator {
    method: Method,
    flow: Flow,
    /// Interpolant over the last step.
    pub dense: Dense,
    /// Work done on the system by drivers and non-conservative forces since the start (J).
    pub work_done: f64,
    /// Whether what the last step left behind is an evaluation of the state it ended in.
    stands: bool,
    /// End of the run, where inputs are taken from the left: nothing comes after it (s).
    pub end: f64,
}

#[derive(Clone, Debug)]
enum Method {
    Rk4(RungeKutta4),
    DormandPrince(DormandPrince),
    Radau(Box<Radau5>),
    Automatic(Box<Automatic>),
    Alpha(Box<GeneralizedAlpha>),
    Global(Box<GlobalSteps>),
    Energy(Box<EnergyMomentum>),
}

impl Integrator {
    /// An integrator for `model` with the method of a description.
    pub fn new(model: &Model, method: &MethodDescription) -> Self {
        let size = Flow::size(model);
        let method = match *method {
            MethodDescription::Rk4 { step } => Method::Rk4(RungeKutta4::new(size, step)),
            MethodDescription::DormandPrince {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            } => Method::DormandPrince(DormandPrince::new(
                size,
                StepControl::new(relative_tolerance, absolute_tolerance, initial_step, largest_step),
            )),
            MethodDescription::Radau {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            } => {
                let options =
                    RadauOptions { relative_tolerance, absolute_tolerance, initial_step, largest_step };
                Method::Radau(Box::new(Radau5::new(model, options)))
            }
            MethodDescription::Automatic {
                relative_tolerance,
                absolute_tolerance,
                initial_step,
                largest_step,
            } => {
                let control =
                    StepControl::new(relative_tolerance, absolute_tolerance, initial_step, largest_step);
                let options =
                    RadauOptions { relative_tolerance, absolute_tolerance, initial_step, largest_step };
                let (explicit, implicit) = (DormandPrince::new(size, control), Radau5::new(model, options));
                Method::Automatic(Box::new(Automatic::new(size, explicit, implicit)))
            }
            MethodDescription::Global { step } => Method::Global(Box::new(GlobalSteps::new(model, step))),
            MethodDescription::Implicit { damping, step, tolerance } => {
                let coefficients = AlphaCoefficients::of(damping);
                let largest = largest_step(model, step);
                let control =
                    (tolerance > 0.0).then(|| StepControl::new(tolerance, tolerance, step, largest));
                Method::Alpha(Box::new(GeneralizedAlpha::new(model, coefficients, step, control)))
            }
            MethodDescription::EnergyMomentum { step, spectral_radius } => {
                Method::Energy(Box::new(EnergyMomentum::new(model, step, spectral_radius)))
            }
        };
        let (flow, dense) = (Flow::new(model), Dense::new(size));
        Self { method, flow, dense, work_done: 0.0, stands: false, end: f64::INFINITY }
    }

    /// Has Radau's method solve its stages to this share of the tolerance; the other methods have none.
    #[doc(hidden)]
    pub fn solve_stages_to(&mut self, share: f64) {
        if let Method::Radau(method) = &mut self.method {
            method.solve_stages_to(share);
        }
    }

    /// Advances `state` by one step that does not pass `limit` (s). No allocation.
    ///
    /// `limit` must be a break point of the inputs, or lie before the next one.
    pub fn step(
        &mut self,
        model: &Model,
        state: &mut State,
        work: &mut Workspace,
        limit: f64,
    ) -> Result<(), SimulationError> {
        if !state.turns.measured {
            follow_turns(model, state, work);
        }
        self.flow.begin(state, self.work_done);
        self.stands = false;
        self.method.stepper().step(model, &mut self.flow, work, limit, &mut self.dense)?;
        let side = self.side_at(self.dense.end());
        let reached = (self.dense.end(), self.dense.end_values());
        // Inputs may jump at a limit: what was seen from the left is not what follows.
        let at_limit = reached.0 == limit && side == Side::After;
        let end = self.method.seen().end();
        self.stands = !at_limit && matches!(end, End::Evaluated | End::Balanced);
        if self.stands && end == End::Evaluated {
            self.work_done = self.flow.take_stage(reached, side, state);
            count_turns(model, state, &work.motion);
            return Ok(());
        }
        self.work_done = self.flow.finish(model, reached, side, state);
        if at_limit && self.method.seen().carries_speeds() && loops_jump(model, limit) {
            follow_jump(model, state, work)?;
        } else if matches!(end, End::Evaluated | End::Open) {
            // Others end on the constraints; a projection would change the energy that a step has kept.
            put_back(model, state, work)?;
        }
        follow_turns(model, state, work);
        Ok(())
    }

    /// Nothing comes after the end of the run: inputs there are those up to it.
    pub(crate) fn side_at(&self, time: f64) -> Side {
        if time >= self.end { Side::Before } else { Side::After }
    }

    /// State and work at `time` inside the last step.
    pub fn interpolate(&mut self, model: &Model, time: f64, state: &mut State) -> f64 {
        let side = self.side_at(time);
        self.flow.interpolate(model, &self.dense, time, side, state)
    }

    /// Like [`Integrator::interpolate`], with closed loops put back on their constraints.
    pub fn interpolate_closed(
        &mut self,
        model: &Model,
        time: f64,
        state: &mut State,
        work: &mut Workspace,
    ) -> Result<f64, SimulationError> {
        let done = self.interpolate(model, time, state);
        let whole = time == self.dense.end() && matches!(self.method, Method::Energy(_));
        if !whole {
            put_back(model, state, work)?;
        }
        Ok(done)
    }

    /// The topological formulation that closes the loops of implicit steps.
    pub fn topological(&self) -> Option<&Topological> {
        match &self.method {
            Method::Alpha(method) => method.closed.as_deref(),
            _ => None,
        }
    }

    /// Accelerations at the end of the last implicit step, projected where the model has loops.
    pub fn accelerations(&self) -> Option<&[f64]> {
        match &self.method {
            Method::Alpha(method) => Some(&method.acceleration),
            _ => None,
        }
    }

    /// Replaces the choices of the topological formulation, before the first step.
    pub fn set_topological(&mut self, model: &Model, options: TopologicalOptions) {
        if let Method::Alpha(method) = &mut self.method
            && let Some(closed) = &mut method.closed
        {
            **closed = Topological::new(model, options);
        }
    }

    /// Takes over what a description chooses inside the formulation, before the first step; others have no such choices.
    pub(crate) fn adopt(&mut self, model: &Model, settings: &SimulationDescription) {
        let choices = &settings.constraints;
        if *choices == ConstraintChoices::default() {
            return;
        }
        self.set_topological(model, TopologicalOptions::chosen(choices));
        if let (Method::Global(steps), MethodDescription::Global { step }) =
            (&mut self.method, &settings.method)
        {
            **steps = GlobalSteps::with(model, *step, &GlobalOptions::chosen(choices));
        }
    }

    /// Forgets what was learnt of the solution (after an input jumped).
    pub fn restart(&mut self) {
        self.stands = false;
        self.method.stepper().restart();
    }

    /// The last step was taken back: what was learnt of its end is forgotten, the step size is kept.
    pub fn take_back(&mut self) {
        self.stands = false;
        self.method.stepper().take_back();
    }

    /// Forgets a step that has failed: the next one starts where it did.
    pub(crate) fn give_up(&mut self) {
        self.stands = false;
        self.method.stepper().give_up();
    }

    /// Forgets the last step: the next one starts where it did.
    pub(crate) fn undo(&mut self) {
        self.stands = false;
        self.method.stepper().undo();
    }

    /// Forgets the last step: the next one starts inside it, behind an edge where forces jump.
    pub(crate) fn cross_edge(&mut self) {
        self.stands = false;
        self.method.stepper().cross_edge();
    }

    /// Accelerations may have jumped, with a controller's output or at the edge of a road; the step size is kept.
    pub fn refresh(&mut self) {
        self.stands = false;
        self.method.stepper().refresh();
    }

    /// Length of the steps, where they all have the same (s).
    pub(crate) fn step_length(&self) -> Option<f64> {
        self.method.seen().fixed().map(|steps| steps.length)
    }

    /// Length of the steps, where they all have the same (s), and the end of one from `start` on that `time` means to rounding.
    pub(crate) fn step_end_near(&self, start: f64, time: f64) -> Option<(f64, f64)> {
        let steps = self.method.seen().fixed()?;
        steps.end_near(start, time).map(|end| (steps.length, end))
    }

    /// What lasts from one step to the next, written to or read from a checkpoint.
    pub(crate) fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.work_done);
        self.method.stepper().remember(tape);
    }

    /// Whether the next step takes over what one of the generalised-α family has handed on.
    pub(crate) fn has_memory(&self) -> bool {
        matches!(&self.method, Method::Alpha(method) if method.started)
    }

    /// Has every implicit step of closed loops, and stages of Radau's method, end at rounding, as a smooth function of its start.
    pub(crate) fn settle(&mut self, model: &Model) {
        match &mut self.method {
            Method::Alpha(method) => method.settle(model),
            Method::Radau(method) => method.solve_stages_to(STAGES_SETTLED),
            _ => {}
        }
    }

    /// What the next step of the generalised-α family takes over; `None` where it begins anew, and for other methods.
    pub(crate) fn memory(&self) -> Option<AlphaMemory> {
        match &self.method {
            Method::Alpha(method) => method.memory(),
            _ => None,
        }
    }

    /// Steps taken so far.
    pub fn statistics(&self) -> StepStatistics {
        self.method.seen().statistics()
    }
}

/// Longest step of an implicit method that follows errors (s). The error is that of free speeds at the end of a step: a drive that
/// begins and ends at rest would be passed in one, and where everything is driven there is no error, but work to sum up.
fn largest_step(model: &Model, step: f64) -> f64 {
    const GROWTH: f64 = 10.0;
    match (model.free_speed_count(), model.prescribed.contains(&true)) {
        (0, _) => step,
        (_, true) => GROWTH * step,
        (_, false) => f64::INFINITY,
    }
}

/// Projects a state with loops on its constraints; positions first, then speeds.
fn put_back(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), SimulationError> {
    if model.loops.is_empty() {
        return Ok(());
    }
    project(model, state, work).map_err(|error| SimulationError::dynamics(state.time, error))
}
