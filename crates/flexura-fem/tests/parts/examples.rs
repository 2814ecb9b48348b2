//! The example runs: it judges itself.

#[path = "../../examples/reduced_part.rs"]
mod reduced_part;

#[test]
fn a_part_is_reduced_and_swings() {
    reduced_part::main().expect("the example runs");
}
