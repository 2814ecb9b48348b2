//! Preallocated scratch of every algorithm, collected for one model.

use crate::algorithm::accelerations::Accelerations;
use crate::algorithm::articulated_body::{ArticulatedBody, FlexibleRoute, articulated_body};
use crate::algorithm::body_inertia::{BodyInertias, evaluate_bodies};
use crate::algorithm::closure::{Closure, LoopParts};
use crate::algorithm::composite_body::{CompositeBody, composite_body};
use crate::algorithm::conjugate_gradient::{ConjugateGradient, conjugate_gradient};
use crate::algorithm::divide_and_conquer::{
    DivideAndConquer, Par, Residual, Share, Threads, add_power, divide_and_conquer, evaluate_motion,
    evaluate_poses, forces_into, put, refine, take,
};
use crate::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics, outward_acceleration};
use crate::error::DynamicsError;
use crate::force::power::AppliedPower;
use crate::model::description::AlgorithmDescription;
use crate::model::{Model, layout_of};
use crate::motion::Motion;
use crate::motion::kinematics::{Kinematics, outward_velocity};
use crate::motion::observe::outward_pose;
use crate::scalar::Scalar;
use crate::state::{ControlWork, Load, State};
use std::sync::Arc;

/// Divide and conquer in place of articulated bodies.
#[derive(Clone, Debug)]
pub(crate) struct Divided<S> {
    pub(crate) solver: DivideAndConquer<S>,
    pub(crate) threads: Arc<Threads>,
    pub(crate) refinement: Option<Refinement<S>>,
}

/// Steps of refinement after every solution.
#[derive(Clone, Debug)]
pub(crate) struct Refinement<S> {
    pub(crate) steps: usize,
    pub(crate) scratch: Residual<S>,
}

/// An algorithm of open trees in place of articulated bodies.
#[derive(Clone, Debug)]
enum OfTrees<S> {
    Composite(Box<CompositeBody<S>>),
    Gradients(Box<ConjugateGradient<S>>),
}

impl<S: Scalar> OfTrees<S> {
    /// Accelerations for the current load, left in `found`.
    fn solve(
        &mut self,
        model: &Model,
        (kin, inertias, load): (&Kinematics<S>, &BodyInertias<S>, &Load<S>),
        inverse: &mut InverseDynamics<S>,
        found: &mut Accelerations<S>,
    ) -> Result<(), DynamicsError> {
        match self {
            Self::Composite(composite) => {
                composite_body(model, kin, inertias, load, composite)?;
                found.chidot.copy_from_slice(&composite.chidot);
                found.driving.copy_from_slice(&composite.driving);
                outward_acceleration(model, kin, &found.chidot, Terms::All, inverse);
                found.acceleration.copy_from_slice(&inverse.acceleration);
            }
            Self::Gradients(gradients) => {
                conjugate_gradient(model, kin, inertias, load, gradients)?;
                found.chidot.copy_from_slice(&gradients.chidot);
                found.driving.copy_from_slice(&gradients.driving);
                found.acceleration.copy_from_slice(&gradients.inverse.acceleration);
            }
        }
        Ok(())
    }
}

/// Equations of motion from elsewhere, in place of the recursions: the seam between an evaluation and a formulation above it.
#[doc(hidden)]
pub trait Substitute<S>: std::fmt::Debug + Send + Sync {
    /// Accelerations, driving forces and reactions at `state`, left in `work` as [`crate::evaluate`] leaves them. No allocation.
    fn evaluate(
        &mut self,
        model: &Model,
        state: &State<S>,
        work: &mut Workspace<S>,
    ) -> Result<(), DynamicsError>;

    /// Puts a state back on its constraints, positions and speeds. No allocation.
    fn project(
        &mut self,
        model: &Model,
        state: &mut State<S>,
        work: &mut Workspace<S>,
    ) -> Result<(), DynamicsError>;

    /// The same for another workspace.
    fn copy(&self) -> Box<dyn Substitute<S>>;
}

impl<S> Clone for Box<dyn Substitute<S>> {
    fn clone(&self) -> Self {
        (**self).copy()
    }
}

/// Everything an evaluation of the dynamics needs, allocated once.
///
/// Each algorithm declares its scratch beside its code; this type only collects
/// them. Fields are valid after the method that fills them.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    /// Filled by [`Workspace::kinematics`] and [`Workspace::poses`].
    pub motion: Motion<S>,
    /// Filled by [`Workspace::kinematics`].
    pub inertias: BodyInertias<S>,
    /// Filled by [`Workspace::loads`], or by the caller.
    pub load: Load<S>,
    /// Filled by [`Workspace::accelerations`].
    pub accelerations: Accelerations<S>,
    /// Factors of the articulated-body algorithm at the last evaluation that used it.
    pub articulated: ArticulatedBody<S>,
    /// Filled by [`crate::evaluate`] where the model has loops.
    pub closure: Closure<S>,
    /// Filled by [`Workspace::reactions`].
    pub inverse: InverseDynamics<S>,
    /// Filled by [`Workspace::loads`]: controller outputs and state rates.
    pub control: ControlWork<S>,
    /// Power of the applied forces at the last [`Workspace::loads`].
    pub power: AppliedPower<S>,
    /// Finds the accelerations where chosen.
    pub(crate) divided: Option<Box<Divided<S>>>,
    /// Finds the accelerations where chosen.
    of_trees: Option<OfTrees<S>>,
    /// Finds them in place of all others.
    pub(crate) substitute: Option<Box<dyn Substitute<S>>>,
}

impl<S: Scalar> Workspace<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        Self::with_route(model, FlexibleRoute::Automatic)
    }

    /// Scratch with a chosen elimination of constant modal blocks.
    pub fn with_route(model: &Model, route: FlexibleRoute) -> Self {
        Self {
            motion: Motion::new(model),
            inertias: BodyInertias::new(model),
            load: Load::new(model),
            accelerations: Accelerations::new(model),
            articulated: ArticulatedBody::new(model, route),
            closure: Closure::new(model),
            inverse: InverseDynamics::new(model),
            control: ControlWork::new(model),
            power: AppliedPower::ZERO,
            divided: None,
            of_trees: None,
            substitute: None,
        }
    }

    /// Finds accelerations by `algorithm` from now on; fails when the system cannot give the threads, or the memory of a dense
    /// mass matrix, or where these numbers take articulated bodies only.
    pub fn choose(&mut self, model: &Model, algorithm: AlgorithmDescription) -> std::io::Result<()> {
        self.of_trees = None;
        if !S::EVERY_ALGORITHM {
            self.divided = None;
            return match algorithm {
                AlgorithmDescription::ArticulatedBody | AlgorithmDescription::Automatic => Ok(()),
                _ => Err(std::io::Error::other("derivatives come from articulated bodies alone")),
            };
        }
        self.divided = match algorithm {
            // Where nobody has counted, the usual one.
            AlgorithmDescription::ArticulatedBody | AlgorithmDescription::Automatic => None,
            AlgorithmDescription::CompositeBody => {
                let composite = CompositeBody::new(model).map_err(std::io::Error::other)?;
                self.of_trees = Some(OfTrees::Composite(Box::new(composite)));
                None
            }
            AlgorithmDescription::ConjugateGradient => {
                self.of_trees = Some(OfTrees::Gradients(Box::new(ConjugateGradient::new(model))));
                None
            }
            AlgorithmDescription::DivideAndConquer { threads, leaf, refinements } => {
                let threads = Arc::new(Threads::new(threads)?);
                let solver = match leaf {
                    0 => DivideAndConquer::new(model),
                    leaf => DivideAndConquer::with_leaf(model, leaf),
                };
                let scratch = || Residual::new(model, &solver);
                let refinement =
                    (refinements > 0).then(|| Refinement { steps: refinements, scratch: scratch() });
                Some(Box::new(Divided { solver, threads, refinement }))
            }
        };
        Ok(())
    }

    /// Finds accelerations by other equations from now on.
    #[doc(hidden)]
    pub fn substitute(&mut self, equations: Box<dyn Substitute<S>>) {
        self.substitute = Some(equations);
    }

    /// Divides evaluations among `threads` from now on, where divide and conquer is chosen.
    pub fn use_threads(&mut self, threads: &Arc<Threads>) {
        if let Some(divided) = &mut self.divided {
            divided.threads = Arc::clone(threads);
        }
    }

    /// Relative kinematics and mass blocks at `state`.
    pub fn kinematics(&mut self, model: &Model, state: &State<S>) {
        let (kin, inertias) = (&mut self.motion.kinematics, &mut self.inertias);
        if S::EVERY_ALGORITHM
            && let Some(Divided { solver, threads, .. }) = self.divided.as_deref_mut()
        {
            return evaluate_motion(model, state, kin, inertias, solver, Par::Threads(threads));
        }
        outward_velocity(model, state, kin);
        evaluate_bodies(model, state, kin, inertias);
    }

    /// Inertial poses and velocities; after [`Workspace::kinematics`].
    pub fn poses(&mut self, model: &Model, state: &State<S>) {
        let Motion { kinematics: kin, poses } = &mut self.motion;
        if S::EVERY_ALGORITHM
            && let Some(Divided { solver, threads, .. }) = self.divided.as_deref_mut()
        {
            return evaluate_poses(model, state, kin, poses, solver, Par::Threads(threads));
        }
        outward_pose(model, state, kin, poses);
    }

    /// What closing loops reads and writes.
    pub fn loop_parts(&mut self) -> LoopParts<'_, S> {
        LoopParts {
            motion: &self.motion,
            inertias: &self.inertias,
            load: &mut self.load,
            closure: &mut self.closure,
        }
    }

    /// Accelerations of the tree for the current load, by the algorithm chosen.
    pub fn accelerations(&mut self, model: &Model) -> Result<&[S], DynamicsError> {
        if S::EVERY_ALGORITHM
            && let Some(divided) = &mut self.divided
        {
            let Divided { solver, threads, refinement } = &mut **divided;
            let (kin, load, par) = (&self.motion.kinematics, &self.load, Par::Threads(threads));
            divide_and_conquer(model, kin, &self.inertias, load, solver, par)?;
            if let Some(Refinement { steps, scratch }) = refinement {
                for _ in 0..*steps {
                    refine(model, kin, &self.inertias, load, solver, scratch, par)?;
                }
            }
            self.articulated.outdate();
            solver.give_results(model, &mut self.accelerations, par);
            return Ok(&self.accelerations.chidot);
        }
        let (kin, found) = (&self.motion.kinematics, &mut self.accelerations);
        if S::EVERY_ALGORITHM
            && let Some(algorithm) = &mut self.of_trees
        {
            let given = (kin, &self.inertias, &self.load);
            algorithm.solve(model, given, &mut self.inverse, found)?;
            self.articulated.outdate();
            return Ok(&self.accelerations.chidot);
        }
        articulated_body(model, kin, &self.inertias, &self.load, &mut self.articulated, found)?;
        Ok(&self.accelerations.chidot)
    }

    /// Σ over all bodies along the assembly tree, wherever they are; `None` where no algorithm is chosen that divides.
    pub(crate) fn sum_divided<const N: usize>(
        &mut self,
        model: &Model,
        leaf: &(impl Fn(&[usize]) -> [S; N] + Sync),
    ) -> Option<[S; N]> {
        if !S::EVERY_ALGORITHM {
            return None;
        }
        let Divided { solver, threads, .. } = self.divided.as_deref_mut()?;
        let par = Par::Threads(threads);
        let parallel = par.divides(model);
        Some(par.run(parallel, || solver.sum(parallel, leaf)))
    }

    /// Power of what prescribes motions in the tree (W), at an evaluation of `state`.
    pub(crate) fn driver_power(&mut self, model: &Model, state: &State<S>) -> S {
        let driving = std::mem::take(&mut self.accelerations.driving);
        let leaf = |bodies: &[usize]| {
            let mut sum = [S::ZERO];
            bodies.iter().for_each(|&k| add_power(model, state, &driving, k, &mut sum[0]));
            sum
        };
        let undriven = self.share().is_some_and(|share| !share.whole.driven);
        let sum = if undriven { Some([S::ZERO]) } else { self.sum_divided(model, &leaf) };
        let in_sequence = || driving.iter().zip(&state.v).fold(S::ZERO, |sum, (&f, &v)| sum + f * v);
        let power = sum.map_or_else(in_sequence, |[power]| power);
        self.accelerations.driving = driving;
        power
    }

    /// What this rank knows of the others, where there are some.
    pub(crate) fn share(&self) -> Option<&Share> {
        if !S::EVERY_ALGORITHM {
            return None;
        }
        self.divided.as_ref().and_then(|divided| divided.solver.share.as_deref())
    }

    /// Whether a run stops: at once where this rank `wants` it and there is no other, else where all have heard of it.
    pub(crate) fn all_stop(&mut self, wants: bool) -> bool {
        match self.divided.as_mut().and_then(|divided| divided.solver.share.as_deref_mut()) {
            None => wants,
            Some(share) => {
                share.stop_wanted |= wants;
                share.stopped
            }
        }
    }

    /// Accelerations of shared bodies in `rate`, from the ranks that own them. `trouble` is what this rank found: all ranks
    /// fail where one does. Without other ranks, nothing but that.
    pub(crate) fn agree(
        &mut self,
        model: &Model,
        trouble: Option<DynamicsError>,
        rate: &mut [S],
    ) -> Result<(), DynamicsError> {
        if !S::EVERY_ALGORITHM {
            return trouble.map_or(Ok(()), Err);
        }
        let share = self.divided.as_mut().and_then(|divided| divided.solver.share.as_deref_mut());
        let Some(share) = share else { return trouble.map_or(Ok(()), Err) };
        let speeds = |body: usize| layout_of(model, body).speeds();
        let own = f64::from(u8::from(trouble.is_some())) + 2.0 * f64::from(u8::from(share.stop_wanted));
        let (mut failed, mut stopped) = (None, false);
        share.exchange_bodies(
            |body| 1 + speeds(body).len(),
            &mut (rate, &mut failed, &mut stopped),
            |(rate, ..), body, out| {
                out[0] = own;
                put(&mut out[1..], &rate[speeds(body)]);
            },
            |(rate, failed, stopped), body, numbers| {
                take(&numbers[1..], &mut rate[speeds(body)]);
                **failed = failed.or((numbers[0] % 2.0 != 0.0).then_some(body));
                **stopped |= numbers[0] >= 2.0;
            },
        );
        share.stopped |= stopped;
        share.check()?;
        match (trouble, failed) {
            (Some(own), _) => Err(own),
            (None, Some(body)) => Err(DynamicsError::Elsewhere { rank: share.owner_of(body) }),
            (None, None) => Ok(()),
        }
    }

    /// All joint forces for the accelerations last found; after [`Workspace::accelerations`].
    pub fn reactions(&mut self, model: &Model) {
        // With other ranks there is no recursion over the whole model.
        if self.share().is_none() {
            inverse_dynamics(
                model,
                &self.motion.kinematics,
                &self.inertias,
                &self.accelerations.chidot,
                &self.load.wrench,
                Terms::All,
                &mut self.inverse,
            );
        }
        // Assemblies have found the forces between them; those of one process and of several ranks are the same.
        if S::EVERY_ALGORITHM
            && let Some(divided) = self.divided.as_ref().filter(|divided| divided.solver.forces_stand())
        {
            let Accelerations { chidot, acceleration, .. } = &self.accelerations;
            let found = (&chidot[..], |body: usize| acceleration[body]);
            let (kin, out) = (&self.motion.kinematics, &mut self.inverse.joint_force);
            forces_into(model, kin, &self.inertias, &self.load, found, &divided.solver, out);
        }
    }
}
