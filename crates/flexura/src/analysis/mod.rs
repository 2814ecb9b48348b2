//! What is asked about a model besides its motion: linear systems, modes,
//! frequency response, equilibrium. Offline work: allocation is allowed here.

mod adjoint;
mod balance;
mod campbell;
mod closed_equilibrium;
mod column_solver;
mod drift;
mod dynamics_derivatives;
mod eigen;
mod equilibrium;
mod fit;
mod frequency_response;
mod labels;
mod linearize;
mod manifold;
mod mass_matrices;
mod mode_shape;
mod motion_series;
mod neglected_stiffening;
mod optimum;
mod partials;
mod probe;
mod relaxation;
mod required_forces;
mod rotor;
mod sensitivity;
mod whirl;

pub use crate::constraint::{Mobility, mobility};
pub use crate::model::body::held_frequencies;
pub use adjoint::{Cost, Gradient, GradientError, GradientSetup, KeptRun, Objective, Term};
pub use balance::{Imbalance, imbalance};
pub use campbell::{modal_assurance, track_modes};
pub use drift::keep_free_speeds;
pub use dynamics_derivatives::DynamicsDerivatives;
pub use eigen::{Mode, eigenvalues, modes};
pub use equilibrium::{Equilibrium, EquilibriumOptions, equilibrium};
pub use fit::{Estimate, FitError, FitOptions, FitProgress, Fitted, Measured, Unseen, fit};
pub use frequency_response::frequency_response;
pub use labels::{SpeedLabel, find_speed, speed_labels};
pub use linearize::{LinearSystem, input_unit, linearize};
pub use mass_matrices::{MassMatrices, log_determinant_of_mass, mass_matrices};
pub use mode_shape::{MODE_PHASES, mode_state, sound_amplitude, visible_amplitude};
pub use motion_series::MotionSeries;
pub use neglected_stiffening::{NeglectedStiffening, neglected_stiffening};
pub use optimum::{Found, Optimum, OptimumError, OptimumOptions, OptimumProgress, optimum};
pub use partials::{Along, Partials};
pub use required_forces::InverseProblem;
pub use rotor::{RotorMethod, RotorMode, RotorModes, RotorPattern, rotor_modes, suited_rotor_method};
pub use sensitivity::{Parameter, Sensitivity, SensitivityError, acceleration_sensitivity, sensitivity};
pub use whirl::{AzimuthDependence, Spin, WHIRL_OUTPUTS, Whirl, WhirlDirection, azimuth_dependence, spin};

/// Why an analysis cannot give an answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// An input or output name is unknown.
    #[error("{0}")]
    Name(String),
    /// The dynamics cannot be evaluated.
    #[error(transparent)]
    Dynamics(#[from] crate::error::DynamicsError),
    /// The iteration for equilibrium did not converge.
    #[error("no equilibrium found: residual {residual:.3e} after {iterations} iterations{}", unheld_text(.unheld))]
    NoEquilibrium {
        /// Largest residual force relative to the largest force (1).
        residual: f64,
        /// Newton iterations taken.
        iterations: usize,
        /// Coordinates that nothing holds.
        unheld: Vec<String>,
    },
    /// A matrix of the linear system or a force has an entry that is not a number.
    #[error(
        "forces or inertias are not finite at this state: look for a number of the model that is far too large or too small"
    )]
    NotFinite,
    /// The eigenvalue iteration did not converge.
    #[error("the eigenvalue iteration did not converge")]
    Eigenvalues,
}

/// Refuses constraints on speeds alone, for which `who` has no manifold of positions: what is at rest there is not determined by
/// forces, and neighbouring positions are not reached along the directions of small motion.
fn refuse_speed_constraints(model: &crate::model::Model, who: &str) -> Result<(), AnalysisError> {
    match crate::constraint::nonholonomic::refusal(model, who) {
        Some(text) => Err(AnalysisError::Name(format!("{text}: look at a run over time instead"))),
        None => Ok(()),
    }
}

fn unheld_text(unheld: &[String]) -> String {
    if unheld.is_empty() {
        return String::new();
    }
    format!("; not held by any stiffness: {}", unheld.join(", "))
}
