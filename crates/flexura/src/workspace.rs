//! Preallocated scratch of every algorithm, collected for one model.

use crate::algorithm::articulated_body::{ArticulatedBody, FlexibleRoute, articulated_body};
use crate::algorithm::body_inertia::{BodyInertias, evaluate_bodies};
use crate::algorithm::closure::{Closure, close};
use crate::algorithm::divide_and_conquer::{
    DivideAndConquer, Par, Threads, close_loops, divide_and_conquer, evaluate_loads, evaluate_motion,
    evaluate_poses,
};
use crate::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use crate::algorithm::kinematics::{Kinematics, outward_velocity};
use crate::algorithm::observe::{Poses, outward_pose};
use crate::control::ControlWork;
use crate::error::DynamicsError;
use crate::load::Load;
use crate::loads::{AppliedPower, fill_load, needs_poses};
use crate::model::Model;
use crate::model::description::AlgorithmDescription;
use crate::scalar::Scalar;
use crate::state::State;
use std::sync::Arc;

/// Divide and conquer in place of articulated bodies.
#[derive(Clone, Debug)]
struct Divided<S> {
    solver: DivideAndConquer<S>,
    threads: Arc<Threads>,
}

/// Everything an evaluation of the dynamics needs, allocated once.
///
/// Each algorithm declares its scratch beside its code; this type only collects
/// them. Fields are valid after the method that fills them.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    /// Filled by [`Workspace::kinematics`].
    pub kinematics: Kinematics<S>,
    /// Filled by [`Workspace::kinematics`].
    pub inertias: BodyInertias<S>,
    /// Filled by [`Workspace::poses`].
    pub poses: Poses<S>,
    /// Filled by [`Workspace::loads`], or by the caller.
    pub load: Load<S>,
    /// Filled by [`Workspace::accelerations`].
    pub articulated: ArticulatedBody<S>,
    /// Filled by [`evaluate`] where the model has loops.
    pub closure: Closure<S>,
    /// Filled by [`Workspace::reactions`].
    pub inverse: InverseDynamics<S>,
    /// Filled by [`Workspace::loads`]: controller outputs and state rates.
    pub control: ControlWork<S>,
    /// Power of the applied forces at the last [`Workspace::loads`].
    pub power: AppliedPower<S>,
    /// Finds the accelerations where chosen; its results are copied to `articulated`.
    divided: Option<Box<Divided<S>>>,
}

impl<S: Scalar> Workspace<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self::with_route(model, FlexibleRoute::Automatic)
    }

    /// Scratch with a chosen elimination of constant modal blocks.
    pub fn with_route(model: &Model, route: FlexibleRoute) -> Self {
        // Closure forces need the factors of the whole mass matrix.
        let route = if model.loops.is_empty() { route } else { FlexibleRoute::Direct };
        Self {
            kinematics: Kinematics::new(model),
            inertias: BodyInertias::new(model),
            poses: Poses::new(model),
            load: Load::new(model),
            articulated: ArticulatedBody::new(model, route),
            closure: Closure::new(model),
            inverse: InverseDynamics::new(model),
            control: ControlWork::new(model),
            power: AppliedPower::ZERO,
            divided: None,
        }
    }

    /// Finds accelerations by `algorithm` from now on; fails when the system cannot give the threads.
    pub fn choose(&mut self, model: &Model, algorithm: AlgorithmDescription) -> std::io::Result<()> {
        self.divided = match algorithm {
            AlgorithmDescription::ArticulatedBody => None,
            AlgorithmDescription::DivideAndConquer { threads, leaf } => {
                let threads = Arc::new(Threads::new(threads)?);
                let solver = match leaf {
                    0 => DivideAndConquer::new(model),
                    leaf => DivideAndConquer::with_leaf(model, leaf),
                };
                Some(Box::new(Divided { solver, threads }))
            }
        };
        Ok(())
    }

    /// Divides evaluations among `threads` from now on, where divide and conquer is chosen.
    pub fn use_threads(&mut self, threads: &Arc<Threads>) {
        if let Some(divided) = &mut self.divided {
            divided.threads = Arc::clone(threads);
        }
    }

    /// Relative kinematics and mass blocks at `state`.
    pub fn kinematics(&mut self, model: &Model, state: &State<S>) {
        let (kin, inertias) = (&mut self.kinematics, &mut self.inertias);
        if let Some(Divided { solver, threads }) = self.divided.as_deref_mut() {
            return evaluate_motion(model, state, kin, inertias, solver, Par::Threads(threads));
        }
        outward_velocity(model, state, kin);
        evaluate_bodies(model, state, kin, inertias);
    }

    /// Inertial poses and velocities; after [`Workspace::kinematics`].
    pub fn poses(&mut self, model: &Model, state: &State<S>) {
        let (kin, poses) = (&self.kinematics, &mut self.poses);
        match self.divided.as_deref_mut() {
            Some(Divided { solver, threads }) => {
                evaluate_poses(model, state, kin, poses, solver, Par::Threads(threads));
            }
            None => outward_pose(model, state, kin, poses),
        }
    }

    /// Springs, dampers, efforts and applied forces; after [`Workspace::kinematics`].
    pub fn loads(&mut self, model: &Model, state: &State<S>) {
        if needs_poses(model) || !model.loops.is_empty() || !model.controllers.is_empty() {
            self.poses(model, state);
        }
        let (kin, poses, load) = (&self.kinematics, &self.poses, &mut self.load);
        self.power = match &self.divided {
            Some(divided) => evaluate_loads(model, state, kin, poses, load, Par::Threads(&divided.threads)),
            None => fill_load(model, state, kin, poses, load),
        };
        crate::control::apply(model, state, self);
    }

    /// Accelerations of the tree for the current load, by the algorithm chosen.
    pub fn accelerations(&mut self, model: &Model) -> Result<&[S], DynamicsError> {
        if let Some(divided) = &mut self.divided {
            let (kin, load, par) = (&self.kinematics, &self.load, Par::Threads(&divided.threads));
            divide_and_conquer(model, kin, &self.inertias, load, &mut divided.solver, par)?;
            self.articulated.take_over(model, &mut divided.solver, par);
            return Ok(&self.articulated.chidot);
        }
        articulated_body(model, &self.kinematics, &self.inertias, &self.load, &mut self.articulated)?;
        Ok(&self.articulated.chidot)
    }

    /// All joint forces for the accelerations last found; after [`Workspace::accelerations`].
    pub fn reactions(&mut self, model: &Model) {
        inverse_dynamics(
            model,
            &self.kinematics,
            &self.inertias,
            &self.articulated.chidot,
            &self.load.wrench,
            Terms::All,
            &mut self.inverse,
        );
    }
}

/// Accelerations at `state` with all model loads: the right side of the equations of motion.
///
/// Prescribed accelerations must be in `work.load` (see [`crate::prescribe`]).
pub fn evaluate<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
) -> Result<(), DynamicsError> {
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
    if !model.loops.is_empty()
        && let Some(mut divided) = work.divided.take()
    {
        let par = Par::Threads(&divided.threads);
        let result = close_loops(model, state, work, &mut divided.solver, par);
        work.articulated.take_over(model, &mut divided.solver, par);
        work.divided = Some(divided);
        return result;
    }
    work.accelerations(model)?;
    if model.loops.is_empty() { Ok(()) } else { close(model, state, work) }
}
