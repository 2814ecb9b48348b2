//! The equations of motion at a state: kinematics, loads with controllers, accelerations, closed loops.

mod automatic;

pub use automatic::{AlgorithmChoice, AlgorithmWork, choose_algorithm};

use crate::algorithm::divide_and_conquer::{Par, close_loops, evaluate_loads, refine_loops};
use crate::constraint::close;
use crate::constraint::nonholonomic::check_discs;
use crate::error::DynamicsError;
use crate::force::applied::{fill_load, needs_poses};
use crate::model::Model;
use crate::scalar::Scalar;
use crate::state::State;
use crate::workspace::{Divided, Refinement, Workspace};
use std::sync::Arc;

impl<S: Scalar> Workspace<S> {
    /// Springs, dampers, efforts and applied forces; after [`Workspace::kinematics`].
    pub fn loads(&mut self, model: &Model, state: &State<S>) {
        let needs_poses = self.share().map_or_else(|| needs_poses(model), |share| share.whole.posed);
        if needs_poses || !model.loops.is_empty() || !model.controllers.is_empty() {
            self.poses(model, state);
        }
        let (motion, load) = (&self.motion, &mut self.load);
        self.power = if S::EVERY_ALGORITHM
            && let Some(Divided { solver, threads, .. }) = self.divided.as_deref_mut()
        {
            evaluate_loads(model, state, motion, load, solver, Par::Threads(threads))
        } else {
            fill_load(model, state, motion, load)
        };
        crate::control::apply(model, state, self);
    }
}

/// Accelerations at `state` with all model loads: the right side of the equations of motion.
///
/// Prescribed accelerations must be in `work.load` (see [`crate::state::prescribe`]).
pub fn evaluate<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    if let Some(mut substitute) = work.substitute.take() {
        let result = substitute.evaluate(model, state, work);
        work.substitute = Some(substitute);
        return result.and_then(|()| check_discs(model, state, work));
    }
    if !S::EVERY_ALGORITHM {
        return evaluate_here(model, state, work);
    }
    let Some(divided) = &work.divided else { return evaluate_here(model, state, work) };
    // All passes in one visit to the pool: threads stay awake between them. Controllers may call code of
    // the user, which belongs on the thread of the caller.
    let threads = Arc::clone(&divided.threads);
    let par = Par::Threads(&threads);
    let together = par.divides(model) && model.controllers.is_empty();
    par.run(together, || evaluate_here(model, state, work))
}

fn evaluate_here<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    work.kinematics(model, state);
    work.loads(model, state);
    if S::EVERY_ALGORITHM
        && !model.loops.is_empty()
        && let Some(mut divided) = work.divided.take()
    {
        let result = close_divided(model, state, &mut divided, work);
        work.articulated.outdate();
        divided.solver.give_results(model, &mut work.accelerations, Par::Threads(&divided.threads));
        work.divided = Some(divided);
        return result.and_then(|()| check_discs(model, state, work));
    }
    work.accelerations(model)?;
    if model.loops.is_empty() {
        return Ok(());
    }
    close(model, state, work)?;
    check_discs(model, state, work)
}

impl Workspace {
    /// Driving forces: what inverse dynamics needs beyond the loads, at prescribed speeds; after [`Workspace::reactions`].
    pub(crate) fn take_driving_forces(&mut self) {
        let needed = self.inverse.generalized.iter().zip(&self.load.generalized);
        let given = needed.zip(&self.load.prescribed);
        for (driving, ((needed, load), &prescribed)) in self.accelerations.driving.iter_mut().zip(given) {
            *driving = if prescribed { needed - load } else { 0.0 };
        }
    }
}

/// Loops closed inside the assemblies, and the solution refined where that is asked for.
fn close_divided<S: Scalar>(
    model: &Model,
    state: &State<S>,
    divided: &mut Divided<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
    let Divided { solver, threads, refinement } = divided;
    let (par, mut parts) = (Par::Threads(threads), work.loop_parts());
    close_loops(model, state, &mut parts, solver, par)?;
    if let Some(Refinement { steps, scratch }) = refinement {
        for _ in 0..*steps {
            refine_loops(model, state, &mut parts, solver, scratch, par)?;
        }
    }
    Ok(())
}
