//! A slice of the energy audit (`scripts/energy_audit.py` makes the whole of it): shipped models pass `--strict` as they are and
//! with other methods; what rests and what is driven is not alarmed; what is wrong is.

use crate::common::{Folder, example, has};

/// The model `name` with other settings in place of its own, until `end`.
fn with_settings(name: &str, settings: &str, end: f64) -> String {
    let text = std::fs::read_to_string(example(name)).expect("a model");
    let (head, rest) = text.split_once("[simulation]").expect("settings");
    let tail = rest.find("\n[").map_or("", |start| &rest[start..]);
    format!("{head}[simulation]\nend = {end}\n{settings}\n{tail}")
}

#[test]
fn shipped_models_pass_strict() {
    let folder = Folder::new();
    for name in ["pendulum", "four_bar", "flexible_arm", "spinning_top", "../book/examples/motion"] {
        folder.succeed(&["run", &example(name), "--strict", "-q", "--end", "0.02", "-o", "x.fxr"]);
    }
    let methods = [
        "method = \"radau\"",
        "method = \"trapezoidal\"\nstep = 1e-4",
        "method = \"trapezoidal\"\nstep = 1e-3\ntolerance = 1e-5",
        "method = \"generalized-alpha\"\nstep = 1e-4",
        "method = \"energy-preserving\"\nstep = 1e-4",
    ];
    for name in ["pendulum", "four_bar"] {
        for method in methods {
            folder.write("m.toml", &with_settings(name, method, 0.01));
            folder.succeed(&["run", "m.toml", "--strict", "-q"]);
        }
    }
}

#[test]
fn driven_models_sum_up_their_work_with_tolerances() {
    // Nothing is free, so no error is seen: steps without bound lost all of the work of the drive.
    let folder = Folder::new();
    let method = "method = \"trapezoidal\"\nstep = 2e-3\ntolerance = 1e-5";
    folder.write("m.toml", &with_settings("../book/examples/motion", method, 2.0));
    folder.succeed(&["run", "m.toml", "--strict", "-q"]);
    // A drive that begins and ends at rest was passed in one step.
    folder.write("m.toml", &with_settings("../crates/flexura-cli/templates/arm", method, 3.0));
    folder.succeed(&["run", "m.toml", "--strict", "-q"]);
}

/// A block that is held.
const RESTING: &str = "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"block\"\nmass = 0.7\ninertia = [0.1, 0.1, 0.1]\n\
    [[joint]]\nname = \"rail\"\ntype = \"prismatic\"\naxis = [0, 0, 1]\nbetween = [\"ground.origin\", \"block.origin\"]\n\
    motion = 0\n[simulation]\nend = 1\nmethod = \"rk4\"\nstep = 0.01\n";

#[test]
fn what_rests_is_not_alarmed() {
    let folder = Folder::new();
    folder.write("rest.toml", RESTING);
    has(&folder.succeed(&["run", "rest.toml", "--strict"]), &["energy: 0.00e0 J unaccounted for"]);
}

#[test]
fn what_is_wrong_is_alarmed() {
    let folder = Folder::new();
    // A stiff spring at a step far too long for Runge-Kutta, but not for it to blow up within a few steps.
    let text =
        RESTING.replace("motion = 0", "stiffness = 7e4\nposition = 0.1").replace("end = 1", "end = 0.05");
    folder.write("stiff.toml", &text.replace("step = 0.01", "step = 0.006"));
    has(
        &folder.fail(1, &["run", "stiff.toml", "--strict", "-q"]),
        &["--strict: the integration created or lost"],
    );
}
