//! Motion over time: methods, events, controllers, elements, vehicles.

#[path = "../common/mod.rs"]
mod common;

mod automatic;
mod checkpoint;
mod checkpoint_misfit;
mod control;
mod convergence;
mod decaying_loops;
mod element_runs;
mod elements;
mod energy_momentum;
mod far_from_origin;
mod fixed_touches;
mod force_tables;
mod found_rows;
mod half_turns;
mod implicit;
mod inside_steps;
mod kinds;
mod loop_speeds;
mod radau;
mod radau_order;
mod road_edges;
mod rows_between_steps;
mod spans;
mod step_ends;
mod stepping;
mod time_function;
mod unresolved_steps;
mod vehicle;
mod vehicle_handling;
