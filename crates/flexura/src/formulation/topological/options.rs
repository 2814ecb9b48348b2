//! Choices of the formulation, for comparisons; the defaults are the fastest that are exact.

use crate::model::description::{ConstraintChoices, ProjectionChoice};

/// How the mass matrix of the opened tree is formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MassRoute {
    /// Recursive accumulation of inertias.
    #[default]
    Accumulated,
    /// The product RᵀM̄R multiplied out.
    DirectProduct,
}

/// Tangent of Newton's iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TangentRoute {
    /// The approximate one; the exact one where it is slow.
    #[default]
    Automatic,
    /// M + γ'h C + β'h²(K + JᵀαJ) with modal and joint stiffness and damping, once per step.
    Approximate,
    /// All derivatives by dual numbers, in every iteration.
    Exact,
}

/// What is done with velocities and accelerations after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ProjectionRoute {
    /// Projected with multipliers until the constraints hold.
    #[default]
    Iterated,
    /// One pass, as printed in the paper.
    OnePass,
    /// Left as the integrator gives them.
    None,
}

/// Choices of the topological formulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopologicalOptions {
    /// Mass matrix.
    pub mass: MassRoute,
    /// Newton tangent.
    pub tangent: TangentRoute,
    /// Projections.
    pub projection: ProjectionRoute,
    /// Penalty relative to the inertia that a constraint feels, β'h²α J M⁻¹Jᵀ; free of units and of the step.
    pub penalty: f64,
    /// Newton's remaining error relative to the motion of a step: the most, where the step itself errs by much more.
    pub tolerance: f64,
    /// Most Newton iterations with one tangent.
    pub iterations: usize,
    /// Whether a step ends after that many iterations whatever is left, for work that is bounded.
    pub bounded: bool,
}

impl Default for TopologicalOptions {
    fn default() -> Self {
        Self {
            mass: MassRoute::default(),
            tangent: TangentRoute::default(),
            projection: ProjectionRoute::default(),
            penalty: 1e7,
            tolerance: 1e-4,
            iterations: 25,
            bounded: false,
        }
    }
}

impl TopologicalOptions {
    /// The defaults with what a description chooses.
    pub fn chosen(choices: &ConstraintChoices) -> Self {
        let usual = Self::default();
        let projection = match choices.projections {
            None => usual.projection,
            Some(ProjectionChoice::Iterated) => ProjectionRoute::Iterated,
            Some(ProjectionChoice::OnePass) => ProjectionRoute::OnePass,
            Some(ProjectionChoice::None) => ProjectionRoute::None,
        };
        Self { projection, penalty: choices.penalty.unwrap_or(usual.penalty), ..usual }
    }
}

/// What the formulation has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TopologicalCounts {
    /// Newton iterations.
    pub iterations: u64,
    /// Corrections of positions alone, where the forces balance already.
    pub closings: u64,
    /// Approximate tangents factorised.
    pub tangents: u64,
    /// Exact tangents factorised.
    pub exact_tangents: u64,
    /// Back-substitutions of the projections.
    pub projections: u64,
    /// Steps ended by the bound on iterations.
    pub unfinished: u64,
}
