//! Closed loops, coordinates, assembly and the formulations that run them; the linear graph.

#[path = "../common/mod.rs"]
mod common;

mod assembly;
mod closed_cases;
mod closed_implicit;
mod closed_loop_algebra;
mod closed_loop_trees;
mod closed_loops;
mod closed_runs;
mod complete;
mod given_values;
mod global_formulation;
mod graph_equations;
mod graph_runs;
mod graph_symbolic;
mod linear_graph;
mod loop_power;
mod low_rank_closure;
mod natural_choice;
mod nonholonomic;
mod one_joint_law;
mod ruthless_loops;
mod system_graph;
mod topological_parts;
mod turns;
