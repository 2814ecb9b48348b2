//! The example runs, and files and pages come out of it.

#[path = "../examples/result_file.rs"]
mod result_file;

#[test]
fn a_run_goes_into_a_file_and_a_page() {
    result_file::main().expect("the example runs");
}
