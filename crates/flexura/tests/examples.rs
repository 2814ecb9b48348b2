//! The examples run and keep what they say: each judges itself, here they are called.

#[path = "../examples/checkpoints.rs"]
mod checkpoints;
#[path = "../examples/flexible_arm.rs"]
mod flexible_arm;
#[path = "../examples/four_bar.rs"]
mod four_bar;
#[path = "../examples/gradient.rs"]
mod gradient;
#[path = "../examples/large_model.rs"]
mod large_model;
#[path = "../examples/long_chain.rs"]
mod long_chain;
#[path = "../examples/model_file.rs"]
mod model_file;
#[path = "../examples/pendulum.rs"]
mod pendulum;
#[path = "../examples/statics_and_modes.rs"]
mod statics_and_modes;
#[path = "../examples/sweep.rs"]
mod sweep;

use std::collections::BTreeSet;
use std::path::Path;

/// A test for each example, and the list of their names.
macro_rules! examples {
    ($($name:ident),*) => {
        mod runs {
            $(#[test]
            fn $name() {
                super::$name::main().expect("an example runs");
            })*
        }
        const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

examples!(
    checkpoints,
    flexible_arm,
    four_bar,
    gradient,
    large_model,
    long_chain,
    model_file,
    pendulum,
    statics_and_modes,
    sweep
);

/// Names of the examples of a crate.
fn examples_of(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder.join("examples")).into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.path().file_stem().map(|name| name.to_string_lossy().into_owned()))
        .collect()
}

#[test]
fn no_example_is_left_out() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(examples_of(here), NAMES.iter().map(|&name| name.to_owned()).collect());
    let page = std::fs::read_to_string(here.join("../../book/src/rust.md")).expect("the page of examples");
    for folder in ["flexura", "flexura-fem", "flexura-output"] {
        for name in examples_of(&here.join("..").join(folder)) {
            let path = format!("crates/{folder}/examples/{name}.rs");
            assert!(page.contains(&path), "{path} stands on no page of the book");
        }
    }
}
