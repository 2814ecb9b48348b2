//! Equilibria, modes, linear systems and sensitivities.

#[path = "../common/mod.rs"]
mod common;

mod analysis;
mod closed_analysis;
mod disturbed_motion;
mod eigenvalues;
mod equilibrium_of_driven_loops;
mod fitting;
mod inverse_problem;
mod linear_simulation;
mod mass_matrices;
mod mode_shapes;
mod models;
mod sensitivity;
mod sensitivity_method;
mod sensitivity_of_contacts;
mod steady_states;
mod turning_rotor;
