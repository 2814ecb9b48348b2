//! Models and checks that tests, benches and validation cases of several crates share: one description of a counted or
//! published system, one reading of the schemas. What is wrong here is a mistake of ours, so functions panic as tests do.

pub mod chains;
pub mod golden_case;
pub mod json_schema;
pub mod loaded;
pub mod looped_tree;
pub mod random_model;
pub mod random_state;
pub mod slider_rod;
