//! Hashes of the emulated kernels: a device must give the same (`device_report bits`), and so must any compiler here.
//! `FLEXURA_UPDATE=1` writes the list anew, which needs a reason in the change that does it.

#[path = "../examples/device_report/cases.rs"]
mod cases;

use cases::{COMMITTED, cases};
use flexura_gpu::Choice;

#[test]
fn evaluations_and_steps_have_the_bits_they_had() {
    let line = |case: &cases::Case| {
        let hash = (case.hash)(Choice::Emulated).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        format!("{hash:016x} {}", case.name)
    };
    let found: Vec<String> = cases().iter().map(line).collect();
    if std::env::var_os("FLEXURA_UPDATE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bits.txt");
        std::fs::write(path, found.join("\n") + "\n").expect("written");
        return;
    }
    assert_eq!(found, COMMITTED.lines().collect::<Vec<_>>());
}
