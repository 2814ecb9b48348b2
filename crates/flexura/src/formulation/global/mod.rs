//! Global formulation in natural coordinates.
//!
//! Sources: García de Jalón and Bayo (1994) for the coordinates; Cuadrado, Gutiérrez,
//! Naya and Morer (2001) for flexible bodies in them; Lugrís, Cuadrado, González and
//! Luaces (2007), eqs 1-5, 13-19, 35-39, for the equations and their integration:
//! index-3 augmented Lagrangian, trapezoidal rule, projection of velocities and
//! accelerations with the same factorised matrix.
//!
//! Bodies are described by points and unit vectors that neighbours share
//! (`sharing`; a model may choose them, `chosen`), each body by a frame linear in them (`base`, `frame`), flexible ones
//! by modal amplitudes besides. The only nonlinear equations are products of two
//! vectors (`equation`). Nothing here uses the recursive algorithms of the engine:
//! kinematics, inertia and bias start from nodes and modes, so that agreement
//! with the other formulations is evidence.
//!
//! Typeset: book/src/theory/global.md (GL.1) to (GL.9).

mod assembled;
mod assembly;
mod base;
mod build;
mod chosen;
mod constraints;
mod conversion;
mod deformation;
mod equation;
mod evaluation;
mod forces;
mod frame;
mod gram;
mod inertia;
mod integrator;
mod invariants;
mod joint_ends;
mod natural;
mod nodal;
mod operand;
mod plane;
mod pose;
mod projection;
mod rule;
mod sharing;
mod start;

use crate::model::description::{ConstraintChoices, InertiaChoice, ProjectionChoice};

pub use build::{GlobalError, GlobalModel};
pub use deformation::VectorRule;
pub use inertia::InertiaRoute;
pub use integrator::{GlobalIntegrator, StepReport};
pub use natural::Natural;
pub use plane::Plane;
pub use pose::BodyMotion;
pub use rule::Rule;

/// Which components the natural coordinates have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Dimensions {
    /// Two where everything moves in one plane, otherwise three.
    #[default]
    Automatic,
    /// Always three.
    Three,
}

/// How velocities and accelerations are brought onto the constraints after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Projection {
    /// With multipliers, repeated until the residual is met.
    #[default]
    Iterated,
    /// One solution per level, as published (eq. 39).
    OnePass,
    /// Not at all.
    None,
}

/// Choices of the formulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GlobalOptions {
    /// Components per point and vector.
    pub dimensions: Dimensions,
    /// Inertia of flexible bodies.
    pub inertia: InertiaRoute,
    /// Unit vectors on flexible bodies.
    pub vectors: VectorRule,
    /// Projection of velocities and accelerations.
    pub projection: Projection,
    /// Penalty: α Δt²/4 in units of the largest mass, whatever the step.
    pub penalty: f64,
    /// Error of a coordinate (m, 1) with which the iteration may end; less where the steps are more exact.
    pub tolerance: f64,
    /// Most iterations per step.
    pub largest_iterations: usize,
}

impl Default for GlobalOptions {
    fn default() -> Self {
        Self {
            dimensions: Dimensions::default(),
            inertia: InertiaRoute::default(),
            vectors: VectorRule::default(),
            projection: Projection::default(),
            penalty: 1e6,
            tolerance: 1e-11,
            largest_iterations: 40,
        }
    }
}

impl GlobalOptions {
    /// The defaults with what a description chooses.
    pub fn chosen(choices: &ConstraintChoices) -> Self {
        let usual = Self::default();
        let projection = match choices.projections {
            None => usual.projection,
            Some(ProjectionChoice::Iterated) => Projection::Iterated,
            Some(ProjectionChoice::OnePass) => Projection::OnePass,
            Some(ProjectionChoice::None) => Projection::None,
        };
        let inertia = match choices.inertia {
            None => usual.inertia,
            Some(InertiaChoice::Invariants) => InertiaRoute::Invariants,
            Some(InertiaChoice::Nodal) => InertiaRoute::Nodal,
            Some(InertiaChoice::Assembled) => InertiaRoute::Assembled,
        };
        Self { projection, inertia, penalty: choices.penalty.unwrap_or(usual.penalty), ..usual }
    }
}

impl GlobalState {
    /// All zero, for the coordinates of `global`.
    pub fn new(global: &GlobalModel) -> Self {
        let zero = || vec![0.0; global.coordinate_count()];
        let (multipliers, measured) = (vec![0.0; global.constraint_count()], vec![0.0; global.laws.len()]);
        Self { time: 0.0, q: zero(), v: zero(), a: zero(), mean: zero(), error: 0.0, multipliers, measured }
    }
}

/// Natural and modal coordinates with their rates, and the multipliers of the constraints.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalState {
    /// Time (s).
    pub time: f64,
    /// Coordinates: natural ones (m, 1), then modal amplitudes body by body.
    pub q: Vec<f64>,
    /// Rates.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
    /// Mean accelerations of the last step, which do not ring with what it does not resolve; those at the start
    /// before.
    pub mean: Vec<f64>,
    /// Estimated error of the coordinates in the last step (m, 1).
    pub error: f64,
    /// Lagrange multipliers of the constraints.
    pub multipliers: Vec<f64>,
    /// Measured joint coordinates with laws, continued over whole turns.
    pub measured: Vec<f64>,
}

impl GlobalState {
    /// Takes over all values of `other`, which belongs to the same model.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        (self.time, self.error) = (other.time, other.error);
        let own = [
            &mut self.q,
            &mut self.v,
            &mut self.a,
            &mut self.mean,
            &mut self.multipliers,
            &mut self.measured,
        ];
        let theirs = [&other.q, &other.v, &other.a, &other.mean, &other.multipliers, &other.measured];
        own.into_iter().zip(theirs).for_each(|(own, other)| own.copy_from_slice(other));
    }
}
