//! Parts: decks, matrices, reduction, recovery, and their way into the engine.

#[path = "../common/mod.rs"]
mod common;

mod assembled;
mod beam_cards;
mod calculix;
mod decks;
mod engine;
mod enough;
mod examples;
mod four_bar;
mod group_meshes;
mod import;
mod instances;
mod invariants;
mod judged_parts;
mod layers;
mod mangled;
mod mangled_files;
mod matrix_files;
mod nodal;
mod part;
mod part_schema;
mod plane;
mod recovery;
mod reduction;
mod sid;
mod sid_of_others;
mod stress_history;
