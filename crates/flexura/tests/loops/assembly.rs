//! Assembly: from what a description says to a state that closes every loop.
use crate::common::four_bars::four_bar_chain;
use crate::common::mechanisms::*;
use flexura::build::Built;
use flexura::constraint::prepare_at;
use flexura::model::description::*;
use flexura::{State, Workspace};

fn built(description: Description) -> Built {
    description.build().unwrap_or_else(|e| panic!("{e}"))
}

/// Largest violation and its rate at the initial state.
fn violations(built: &Built) -> (f64, f64) {
    let mut work = Workspace::new(&built.model);
    prepare_at(&built.model, &State::initial(&built.model, 0.0), &mut work).expect("regular");
    (work.closure.largest_residual(), work.closure.largest_rate())
}

/// Coordinates and speeds of a joint of the tree.
fn of(built: &Built, joint: &str) -> (Vec<f64>, Vec<f64>) {
    let k = built.model.joint(joint).expect("a branch").0;
    let part = &built.model.layout.bodies[k];
    (built.model.initial_q[part.joint_q()].to_vec(), built.model.initial_v[part.joint_v()].to_vec())
}

/// Whether the loops let the joint called `name` move: its part of e − M⁻¹J*(J M⁻¹J*)⁺J e.
fn can_move(built: &Built, name: &str) -> bool {
    let (model, state) = (&built.model, State::initial(&built.model, 0.0));
    let mut work = Workspace::new(model);
    prepare_at(model, &state, &mut work).expect("regular masses");
    let speed = model.layout.bodies[model.joint(name).expect("a branch").0].joint_v().start;
    let rows = model.constraint_count();
    let mut right: Vec<f64> = (0..rows).map(|r| work.closure.jacobian.entry(r, speed)).collect();
    work.closure.solve_reflected(&mut right);
    let taken: f64 = (0..rows).map(|r| work.closure.response.entry(r, speed) * right[r]).sum();
    (1.0 - taken).abs() > 1e-9
}

fn set(description: &mut Description, name: &str, position: &[f64], speed: &[f64]) {
    let joint = description.joints.iter_mut().find(|joint| joint.name == name).expect("exists");
    (joint.position, joint.speed) = (position.to_vec(), speed.to_vec());
}

#[test]
fn loops_close_from_bad_guesses_and_what_can_be_kept_is_kept() {
    for guess in [-2.0, -0.7, 0.4, 1.3, 2.5] {
        let mut description = four_bar_chain(1);
        set(&mut description, "ground0", &[1.2], &[-0.5]);
        set(&mut description, "left1", &[], &[]);
        set(&mut description, "ground1", &[guess], &[]);
        let built = built(description);
        let (gap, rate) = violations(&built);
        assert!(gap < 1e-12 && rate < 1e-12, "from {guess}: {gap:.1e}, {rate:.1e}");
        let moved = &built.assembly.moved;
        println!(
            "from {guess}: {} steps, {} starts, moved {moved:?}",
            built.assembly.steps, built.assembly.starts
        );
        // Some guesses lead into a folded position, where the crank cannot move at all.
        if can_move(&built, "ground0") {
            assert_eq!(of(&built, "ground0").1, [-0.5], "a given speed that fits is kept");
        }
    }
}

#[test]
fn held_joints_stay_and_the_others_give_way() {
    let built = built(squeezer());
    assert_eq!(of(&built, "beta"), (vec![-0.0617138900142764], vec![0.0]));
    assert!(violations(&built).0 < 1e-14);
    let moved: Vec<&str> = built.assembly.moved.iter().map(|(name, _)| name.as_str()).collect();
    assert!(moved.contains(&"theta") && !moved.contains(&"beta"), "{moved:?}");
    // Initial values of the test set.
    let expected =
        [0.0, 0.455279819163070, 0.222668390165885, 0.487364979543842, -0.222668390165885, 1.23054744454982];
    for (name, expected) in SQUEEZER_ANGLES[1..].iter().zip(expected) {
        let found = of(&built, name).0[0];
        assert!((found - expected).abs() < 1e-12, "{name}: {found}");
    }
}

/// Deformation is the last thing to give way: joints given with three digits move instead.
/// The axes of a universal joint stand across each other: a closed position is right whichever way round its second
/// axis points, and assembly must not look for another one.
#[test]
fn a_cross_that_closes_a_loop_may_stand_any_way_round() {
    let drive = flexura::time_function::TimeFunction::Polynomial { coefficients: vec![0.0, 6.0] };
    let mut held = crossed_slider_crank();
    held.graph.hold = vec!["drive".into()];
    let mut driven = crossed_slider_crank();
    driven.joints[0] = driven.joints[0].clone().motion(drive);
    for description in [crossed_slider_crank(), held, driven] {
        let built = built(description);
        assert_eq!((built.assembly.starts, of(&built, "drive").0[0]), (1, 0.0), "{:?}", built.assembly);
        let (gap, rate) = violations(&built);
        assert!(gap < 1e-13 && rate < 1e-12, "{gap:e} {rate:e}");
    }
}

#[test]
fn rounded_positions_do_not_deform_bodies() {
    let mut description = flexible_four_bar();
    set(&mut description, "a", &[0.723], &[]);
    set(&mut description, "c", &[1.445], &[]);
    let built = built(description);
    for part in &built.model.layout.bodies {
        let bent = built.model.initial_q[part.modal_q()].iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(bent == 0.0, "deformed by {bent:.1e}");
    }
    assert!(violations(&built).0 < 1e-12);
}

/// A value given for the joint that closes a loop is a guess like any other: keeping it must not bend a body. A rod of 0.15 m was
/// pressed to 4 mm, without a word, so that its crank pin kept an angle.
#[test]
fn guesses_for_a_chord_do_not_deform_bodies() {
    let text = |chord: &str| {
        format!(
            "[[body]]\nname = \"crank\"\nmass = 3.2\ninertia = [3.1e-3, 6.0e-3, 3.6e-3]\n\
             frame = [{{ name = \"pin\", position = [0.04, 0, 0] }}]\n\
             [[body]]\nname = \"rod\"\nbeam = {{ length = 0.15, density = 7850, young = 2.1e11, poisson = 0.3, \
             section = {{ rectangle = [0.01, 0.02] }}, bending_y = 2, bending_z = 2, axial = 1, boundary = \"interface-static\" }}\n\
             frame = [{{ name = \"small\", station = \"tip\" }}]\n\
             [[body]]\nname = \"piston\"\nmass = 0.35\ninertia = [2.4e-4, 2.4e-4, 2.9e-4]\n\
             [[joint]]\nname = \"drive\"\ntype = \"revolute\"\nbetween = [\"ground.origin\", \"crank.origin\"]\n\
             axis = [0, 1, 0]\nmotion = {{ polynomial = [-1.2, 314.159265] }}\n\
             [[joint]]\nname = \"crankpin\"\ntype = \"cylindrical\"\nbetween = [\"crank.pin\", \"rod.origin\"]\n\
             axis = [0, 1, 0]\n{chord}\n\
             [[joint]]\nname = \"guide\"\ntype = \"prismatic\"\nbetween = [\"ground.origin\", \"piston.origin\"]\n\
             axis = [0, 0, 1]\nposition = 0.18\n\
             [[joint]]\nname = \"wristpin\"\ntype = \"spherical\"\nbetween = [\"rod.small\", \"piston.origin\"]\n"
        )
    };
    for chord in ["", "position = [-0.475, 0]", "position = [-0.3, 0]\nspeed = [5.0, 0.0]"] {
        let built = flexura::file::build_text(&text(chord), "engine.toml").unwrap().built;
        assert!(built.model.joint("crankpin").is_none(), "the crank pin closes the loop");
        for part in &built.model.layout.bodies {
            let bent = |values: &[f64]| values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let (at, by) =
                (bent(&built.model.initial_q[part.modal_q()]), bent(&built.model.initial_v[part.modal_v()]));
            assert!(at == 0.0 && by == 0.0, "with `{chord}` deformed by {at:.1e}, at a rate of {by:.1e}");
        }
        assert!(violations(&built).0 < 1e-12 && violations(&built).1 < 1e-9);
    }
}

/// Position and speed given for the joint that closes the loop decide where the others go.
#[test]
fn values_given_for_a_chord_are_kept() {
    let mut description = slider_crank();
    description.graph.cut = vec!["slide".into()];
    set(&mut description, "drive", &[], &[]);
    set(&mut description, "slide", &[0.26], &[0.3]);
    let built = built(description);
    let recording = built.simulate().expect("runs");
    let (x, v) = (
        recording.channel("slide.displacement").expect("recorded"),
        recording.channel("slide.speed").expect("recorded"),
    );
    assert!((x[0] - 0.26).abs() < 1e-12 && (v[0] - 0.3).abs() < 1e-12, "{} m, {} m/s", x[0], v[0]);
}

#[test]
fn a_loop_that_cannot_close_is_named_with_its_gap() {
    let mut description = four_bar_chain(1);
    description.ground_frames[1].position = [4.5, 0.0, 0.0];
    let error = description.build().expect_err("three bars of 1 m cannot span 4.5 m");
    let found = error.diagnostics.iter().find(|d| d.code == "open-loop").expect("named");
    assert!(found.message.contains("`right1`") && found.message.contains("`ground0`"), "{}", found.message);
    let gap: f64 = found
        .message
        .split("a gap of ")
        .nth(1)
        .and_then(|text| text.split(' ').next())
        .and_then(|x| x.parse().ok())
        .expect("a number");
    assert!((gap - 1.5).abs() < 0.05, "1.5 m are missing, said {gap}");
}

#[test]
fn singular_positions_are_reported() {
    let mut flat = four_bar_chain(1);
    set(&mut flat, "ground0", &[0.0], &[]);
    set(&mut flat, "left1", &[0.0], &[]);
    set(&mut flat, "ground1", &[0.0], &[]);
    let warnings = built(flat).warnings;
    assert!(warnings.iter().any(|w| w.code == "singular-position"), "{warnings:?}");
    let upright = built(four_bar_chain(1)).warnings;
    assert!(!upright.iter().any(|w| w.code == "singular-position"), "{upright:?}");
}
