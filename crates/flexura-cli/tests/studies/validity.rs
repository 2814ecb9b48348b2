//! What a run says about itself: at its end, and where it cannot go on.

use crate::common::{Folder, example, has};
use serde_json::Value;

fn summary(folder: &Folder, arguments: &[&str]) -> Value {
    let text = folder.succeed(&[&["run", "--json"], arguments].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn loops_are_audited() {
    let folder = Folder::new();
    let model = example("four_bar");
    has(&folder.succeed(&["run", &model, "--end", "0.002"]), &["loops: open by up to ", "energy: "]);
    let found = summary(&folder, &[&model, "--end", "0.002"]);
    let gap = found["validity"]["constraint_position"].as_f64().expect("an audit");
    assert!(gap < 1e-12, "{gap}");
    assert!(found["validity"]["constraint_velocity"].as_f64().is_some());
    let text = std::fs::read_to_string(&model).expect("a model").replace("\"constraint.*\", ", "");
    folder.write("few.toml", &text);
    has(
        &folder.succeed(&["run", "few.toml", "--end", "0.002"]),
        &["loops: not audited (record `constraint.*`"],
    );
    // A tree has nothing to audit.
    let found = summary(&folder, &[&example("pendulum"), "--end", "0.1"]);
    assert!(found["validity"]["constraint_position"].is_null());
    assert!(!folder.succeed(&["run", &example("pendulum"), "--end", "0.1"]).contains("loops:"));
}

/// A held cantilever with two modes that do not couple, started at given amplitudes.
fn cantilever(first: f64, second: f64) -> String {
    format!(
        "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"beam\"\nlevel = \"ruthless\"\n\
         beam = {{ length = 1.0, density = 2700, young = 70e9, poisson = 0.33, section = {{ rectangle = [0.01, 0.02] }}, \
         boundary = \"clamped-free\", bending_y = 2, torsion = 1 }}\n\
         [[joint]]\nname = \"clamp\"\ntype = \"weld\"\nbetween = [\"ground.origin\", \"beam.origin\"]\n\
         [simulation]\nend = 0.02\n[[simulation.initial]]\nbody = \"beam\"\nmodal_position = [{first}, {second}, 0]\n"
    )
}

#[test]
fn modes_that_do_not_suffice_are_named() {
    let folder = Folder::new();
    folder.write("bent.toml", &cantilever(1e-3, 1e-5));
    let text = folder.succeed(&["run", "bent.toml"]);
    has(
        &text,
        &["modes: converged, the highest of a family carries at most 0.4 %", "modes: 1 families not judged"],
    );
    folder.write("wavy.toml", &cantilever(1e-3, 1e-4));
    let text = folder.succeed(&["run", "wavy.toml"]);
    has(
        &text,
        &["body `beam`: not converged, the highest of its 2 bending modes along y carries 28 %", "take more"],
    );
    let found = summary(&folder, &["wavy.toml"]);
    let family = &found["validity"]["modes"][0];
    // Stiffness goes with the square of the frequency: (22.0345/3.51602)² = 39.273 for equal modal masses.
    let expected = 39.273e-2 / 1.39273;
    let share = family["highest_share"].as_f64().expect("a share");
    assert!((share / expected - 1.0).abs() < 1e-3, "{share} against {expected}");
    assert_eq!((&family["converged"], &family["count"]), (&Value::Bool(false), &Value::from(2)));
    assert!(found["validity"]["modes"][1]["converged"].is_null(), "one mode alone cannot be judged");
    // Amplitudes survive a restart.
    folder.succeed(&["run", "wavy.toml", "-q", "--checkpoint", "w.fxc", "--checkpoint-interval", "0"]);
    let again = summary(&folder, &["wavy.toml", "--restart", "w.fxc", "-o", "again.fxr"]);
    assert_eq!(again["validity"]["modes"], found["validity"]["modes"]);
}

/// x'' = x³ runs away in finite time.
const RUNAWAY: &str = "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"block\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n\
    [[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbetween = [\"ground.origin\", \"block.origin\"]\naxis = [1, 0, 0]\n\
    position = 1.0\nspeed = 1.0\n[[force]]\nname = \"push\"\nat = \"block.origin\"\nforce = [1, 0, 0]\nscale = 0\n\
    [[controller]]\nname = \"law\"\ntype = \"function\"\nsensors = [\"rail.displacement\"]\nactuators = [\"push\"]\n\
    polynomial = [0, 0, 0, 1]\n[simulation]\nend = 10\n[output]\nchannels = [\"rail.*\", \"energy.*\"]\n";

#[test]
fn a_step_that_shrinks_to_nothing_is_explained() {
    let folder = Folder::new();
    folder.write("runaway.toml", RUNAWAY);
    let text = folder.fail(4, &["run", "runaway.toml"]);
    has(
        &text,
        &[
            "at t = 1.",
            "step size fell below rounding",
            "joint `rail` (body `block`) has the largest acceleration",
        ],
    );
    has(
        &text,
        &["a controller (`law`) may be unstable", "an implicit method", "rows are kept in runaway.fxr"],
    );
    has(&text, &["the last good one at t = 1."]);
}

#[test]
fn a_loop_that_cannot_move_on_is_named() {
    let folder = Folder::new();
    // A crank too long for the linkage: it cannot make a whole turn.
    let text =
        std::fs::read_to_string(example("../crates/flexura-cli/templates/four-bar")).expect("a template");
    folder.write("long.toml", &text.replace("position = [0.2, 0, 0]", "position = [0.6, 0, 0]"));
    let text = folder.fail(4, &["run", "long.toml"]);
    has(&text, &["at t = 0.0", "(body `rocker`) has the largest", "in the loop closed by joint `rockerpin`"]);
    has(&text, &["a position that it cannot pass"]);
    has(&text, &["rows are kept in long.fxr, the last good one at t = 0."]);
}
