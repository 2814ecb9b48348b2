//! Time integration on the manifold of joint coordinates.
//!
//! Within a step, coordinates are written as q = q₀ ⊕ δ with a local increment δ
//! (one entry per speed), so that any Runge-Kutta method works on plain vectors
//! y = (δ, v, work) and quaternions stay unit (Munthe-Kaas). The last entry
//! integrates the power of all non-conservative forces and drivers.

mod dense;
mod dopri5;
mod energy_momentum;
mod event;
mod exact_tangent;
mod flow;
mod generalized_alpha;
mod rk4;
mod step_control;

pub use dense::Dense;
pub use dopri5::DormandPrince;
pub use energy_momentum::EnergyMomentum;
pub use event::{Crossing, locate_crossing};
pub use exact_tangent::{ExactTangent, LARGEST_DENSE};
pub use flow::Flow;
pub use generalized_alpha::{AlphaCoefficients, GeneralizedAlpha};
pub use rk4::RungeKutta4;
pub use step_control::{StepControl, StepStatistics};

use crate::algorithm::closure::project;
use crate::error::SimulationError;
use crate::model::Model;
use crate::model::description::{DampingChoice, MethodDescription};
use crate::state::State;
use crate::workspace::Workspace;

/// Memory of an integrator: what a step needs besides state and workspace.
#[derive(Clone, Debug)]
pub struct Integrator {
    method: Method,
    flow: Flow,
    /// Interpolant over the last step.
    pub dense: Dense,
    /// Work done on the system by drivers and non-conservative forces since the start (J).
    pub work_done: f64,
}

#[derive(Clone, Debug)]
enum Method {
    Rk4(RungeKutta4),
    DormandPrince(DormandPrince),
    Alpha(Box<GeneralizedAlpha>),
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
            MethodDescription::Implicit { damping, step, tolerance } => {
                let coefficients = match damping {
                    DampingChoice::None => AlphaCoefficients::trapezoidal(),
                    DampingChoice::SpectralRadius(rho) => AlphaCoefficients::generalized(rho),
                    DampingChoice::Hht(alpha) => AlphaCoefficients::hht(alpha),
                };
                let control =
                    (tolerance > 0.0).then(|| StepControl::new(tolerance, tolerance, step, f64::INFINITY));
                Method::Alpha(Box::new(GeneralizedAlpha::new(model, coefficients, step, control)))
            }
            MethodDescription::EnergyMomentum { step, spectral_radius } => {
                Method::Energy(Box::new(EnergyMomentum::new(model, step, spectral_radius)))
            }
        };
        Self { method, flow: Flow::new(model), dense: Dense::new(size), work_done: 0.0 }
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
        self.flow.begin(state, self.work_done);
        match &mut self.method {
            Method::Rk4(method) => method.step(model, &mut self.flow, work, limit, &mut self.dense)?,
            Method::DormandPrince(method) => {
                method.step(model, &mut self.flow, work, limit, &mut self.dense)?
            }
            Method::Alpha(method) => method.step(model, &mut self.flow, work, limit, &mut self.dense)?,
            Method::Energy(method) => method.step(model, &mut self.flow, work, limit, &mut self.dense)?,
        }
        self.work_done = self.flow.finish(model, self.dense.end(), self.dense.end_values(), state);
        // A projection of the speeds would change the energy that the step has kept.
        if matches!(self.method, Method::Energy(_)) { Ok(()) } else { put_back(model, state, work) }
    }

    /// State and work at `time` inside the last step.
    pub fn interpolate(&mut self, model: &Model, time: f64, state: &mut State) -> f64 {
        self.flow.interpolate(model, &self.dense, time, state)
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

    /// Forgets what was learnt of the solution (after an input jumped).
    pub fn restart(&mut self) {
        match &mut self.method {
            Method::Rk4(_) => {}
            Method::DormandPrince(method) => method.restart(),
            Method::Alpha(method) => method.restart(),
            Method::Energy(method) => method.restart(),
        }
    }

    /// Accelerations may have jumped with a controller's output; the step size is kept.
    pub fn refresh(&mut self) {
        if let Method::Alpha(method) = &mut self.method {
            method.restart();
        }
    }

    /// Steps taken so far.
    pub fn statistics(&self) -> StepStatistics {
        match &self.method {
            Method::Rk4(method) => method.statistics,
            Method::DormandPrince(method) => method.statistics,
            Method::Alpha(method) => method.statistics,
            Method::Energy(method) => method.statistics,
        }
    }
}

/// Projects a state with loops on its constraints; positions first, then speeds.
fn put_back(model: &Model, state: &mut State, work: &mut Workspace) -> Result<(), SimulationError> {
    if model.loops.is_empty() {
        return Ok(());
    }
    work.load.before = false;
    project(model, state, work).map_err(|error| SimulationError::dynamics(state.time, error))
}
