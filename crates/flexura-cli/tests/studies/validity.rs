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

/// A held cantilever with `modes`, bent by a moment at its tip.
fn cantilever(modes: &str) -> String {
    format!(
        "[model]\ngravity = [0, 0, 0]\n[[body]]\nname = \"beam\"\n\
         beam = {{ length = 1.0, density = 2700, young = 70e9, poisson = 0.33, section = {{ rectangle = [0.01, 0.02] }}, {modes} }}\n\
         frame = [{{ name = \"tip\", station = \"tip\" }}]\n\
         [[joint]]\nname = \"clamp\"\ntype = \"weld\"\nbetween = [\"ground.origin\", \"beam.origin\"]\n\
         [[force]]\nname = \"turn\"\nat = \"beam.tip\"\nmoment = [0, 0, 1]\n[simulation]\nend = 0.2\n"
    )
}

#[test]
fn modes_that_do_not_suffice_are_named() {
    let folder = Folder::new();
    folder.write("enough.toml", &cantilever("boundary = \"interface-static\", bending_y = 2"));
    has(&folder.succeed(&["run", "enough.toml"]), &["modes: they carry what acts on them, at most 0.0 %"]);
    folder.write("few.toml", &cantilever("boundary = \"clamped-free\", bending_y = 2"));
    let words = ["body `beam`: its 2 bending modes along y lack ", "under what acts at `beam.tip`"];
    has(&folder.succeed(&["run", "few.toml"]), &words);
    has(&folder.succeed(&["run", "few.toml"]), &["give boundary = \"interface-static\" with bending_y = 2"]);
    // Before the run too, from what acts at its start.
    has(
        &folder.succeed(&["check", "few.toml"]),
        &["at the start, body `beam`: its 2 bending modes along y lack "],
    );
    assert!(!folder.succeed(&["check", "enough.toml"]).contains(" lack "));
    let found = summary(&folder, &["few.toml"]);
    let family = &found["validity"]["modes"][0];
    // The tip turns by M L/EI, each mode by M f'(L)²/k: two modes leave 21.7 %; applied at once, it counts half.
    let share = family["missing_share"].as_f64().expect("a share");
    assert!((share / (0.5 * 0.217) - 1.0).abs() < 0.1, "{share}");
    assert_eq!((&family["sufficient"], &family["count"]), (&Value::Bool(false), &Value::from(2)));
    // Extremes survive a restart.
    folder.succeed(&["run", "few.toml", "-q", "--checkpoint", "w.fxc", "--checkpoint-interval", "0"]);
    let again = summary(&folder, &["few.toml", "--restart", "w.fxc", "-o", "again.fxr"]);
    assert_eq!(again["validity"]["modes"], found["validity"]["modes"]);
}

#[test]
fn accelerations_that_steps_do_not_follow_are_marked() {
    let folder = Folder::new();
    let text = cantilever("boundary = \"clamped-free\", bending_y = 2");
    let steps = |step: &str| {
        format!("{text}method = \"trapezoidal\"\nstep = {step}\n[output]\nchannels = [\"beam.*\"]\n")
    };
    folder.write("coarse.toml", &steps("0.01"));
    has(
        &folder.succeed(&["run", "coarse.toml"]),
        &["body `beam`: steps of 1.00e-2 s do not follow 1 of its 2 modes"],
    );
    let found = summary(&folder, &["coarse.toml"]);
    let marked = &found["validity"]["unresolved_accelerations"][0];
    assert_eq!(marked["body"], "beam");
    assert!(
        marked["channels"]
            .as_array()
            .is_some_and(|list| list.iter().any(|name| name == "beam.tip.acceleration.y"))
    );
    folder.write("fine.toml", &steps("0.001"));
    assert_eq!(
        summary(&folder, &["fine.toml"])["validity"]["unresolved_accelerations"],
        Value::Array(vec![])
    );
}

#[test]
fn a_start_that_fails_is_explained_by_run_as_by_check() {
    let folder = Folder::new();
    // A beam without inertia about its axis, free to roll.
    let text = "[[body]]\nname = \"rod\"\nlevel = \"full\"\nbeam = { length = 1, properties = { axial = 1e6, bending_y = 100, \
        bending_z = 100, torsion = 50, mass = 1.2 }, boundary = \"clamped-free\", bending_y = 1 }\n\
        [[joint]]\nname = \"ball\"\ntype = \"spherical\"\nbetween = [\"ground.origin\", \"rod.origin\"]\n[simulation]\nend = 1\n";
    folder.write("rod.toml", text);
    let why = "no body is deformed: give the body mass and inertia about every direction";
    has(&folder.fail(3, &["check", "rod.toml"]), &[why]);
    has(&folder.fail(4, &["run", "rod.toml"]), &[why]);
}

#[test]
fn energy_is_a_number_whatever_is_recorded() {
    let folder = Folder::new();
    let text = cantilever("boundary = \"clamped-free\", bending_y = 2");
    folder.write("balance.toml", &format!("{text}[output]\nchannels = [\"energy.balance\"]\n"));
    let found = summary(&folder, &["balance.toml"]);
    assert!(found["validity"]["energy_error_share"].as_f64().is_some_and(|share| share < 1e-3));
    assert!(!folder.succeed(&["run", "balance.toml"]).contains("inf"));
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
