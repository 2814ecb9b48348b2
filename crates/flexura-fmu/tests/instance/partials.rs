//! Derivatives of models with closed loops and with motions as inputs, what states come to, and the global formulation.

use super::exchange::{Importer, LINKAGE, derivatives_are_those_of_differences, run};
use super::{begun, get, reference, unpacked_with};
use flexura::file::{build_text, check};
use flexura_exchange::fmi::{Causality, FmuOptions, Version, contents};
use flexura_fmu::{Instance, Mode, Snapshot};

/// A servo that acts continuously on the crank of the linkage.
const STEERED: &str = r#"
[[controller]]
name = "servo"
type = "pid"
sensors = ["right.angle"]
reference = 1.2
actuators = ["left.effort"]
proportional = 0.3
integral = 0.2
derivative = 0.03
filter = 0.02
"#;

/// A crank, a coupler between two balls and a flexible rocker about another axis: quaternions and modes in a loop.
const SPATIAL: &str = r#"
[model]
gravity = [0.3, -0.2, -9.81]
[[ground.frame]]
name = "pivot"
position = [0.5, 0.1, 0]
[[body]]
name = "crank"
mass = 1.0
inertia = [0.001, 0.02, 0.02]
center_of_mass = [0.05, 0, 0]
frame = [{ name = "tip", position = [0.15, 0, 0] }]
[[body]]
name = "coupler"
mass = 0.8
inertia = [0.02, 0.03, 0.025]
center_of_mass = [0.3, 0.02, 0.01]
frame = [{ name = "tip", position = [0.55, 0, 0] }]
[[body]]
name = "rocker"
frame = [{ name = "tip", station = "tip" }]
[body.beam]
length = 0.3
density = 2700.0
young = 7e10
poisson = 0.3
section = { rectangle = [0.012, 0.02] }
boundary = "clamped-free"
bending_y = 2
bending_z = 1
[[joint]]
name = "drive"
type = "revolute"
between = ["ground.origin", "crank.origin"]
axis = [0, 0, 1]
position = 0.4
speed = 6.0
[[joint]]
name = "ball"
type = "spherical"
between = ["crank.tip", "coupler.origin"]
damping = [0.01, 0.02, 0.03]
[[joint]]
name = "swing"
type = "revolute"
between = ["ground.pivot", "rocker.origin"]
axis = [0.8, 0, 0.6]
stiffness = 3.0
[[joint]]
name = "closing"
type = "spherical"
between = ["coupler.tip", "rocker.tip"]
[simulation]
end = 0.1
method = "rk4"
step = 0.0005
output_interval = 0.02
"#;

#[test]
fn loops_have_derivatives_over_states_controllers_and_inputs() {
    let text = format!("{LINKAGE}{STEERED}");
    let closing = build_text(&text, "m.toml").expect("a model").built.model.loops[0].name.clone();
    let inputs = ["*.effort".to_owned(), "servo.reference".to_owned()];
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let mut importer = Importer::new(&text, "looped", &inputs);
    let names: Vec<&String> = importer.face.variables.iter().map(|variable| &variable.name).collect();
    assert!(names.contains(&&format!("{closing}.effort")), "an effort that acts along the loop");
    // Where the crank is elsewhere, and its joint that closes has been round.
    importer.go(0.33, 5e-4);
    let idle = derivatives_are_those_of_differences(&mut importer, 1e-4, 1e-6);
    assert!(idle.is_empty(), "nothing follows {idle:?}");
}

#[test]
fn loops_in_space_have_derivatives_across_the_constraints_as_well() {
    let mut importer = Importer::new(SPATIAL, "spatial", &["drive.effort", "ball.effort.2"]);
    importer.go(0.06, 1e-4);
    let idle = derivatives_are_those_of_differences(&mut importer, 1e-4, 1e-5);
    assert!(idle.is_empty(), "nothing follows {idle:?}");
    // Away from them what is put back turns with the change itself.
    let mut states = importer.instance.states().expect("states");
    states.iter_mut().enumerate().for_each(|(k, x)| *x += 2e-3 * (1.0 + k as f64).sin());
    importer.instance.set_states(&states).expect("states");
    assert!(importer.output("constraint.position") < 1e-12);
    let idle = derivatives_are_those_of_differences(&mut importer, 1e-4, 1e-5);
    assert!(idle.is_empty(), "nothing follows {idle:?}");
    // ⟨w, J s⟩ = ⟨Jᵀ w, s⟩.
    let of = |wanted: fn(Causality) -> bool| -> Vec<u32> {
        let all = importer.face.variables.iter().enumerate();
        all.filter(|(_, variable)| wanted(variable.causality)).map(|(k, _)| k as u32).collect()
    };
    let unknowns = of(|kind| matches!(kind, Causality::Derivative(_)));
    let knowns = of(|kind| matches!(kind, Causality::State | Causality::Input));
    let seed: Vec<f64> = (0..knowns.len()).map(|k| (1.0 + 0.7 * k as f64).sin()).collect();
    let weights: Vec<f64> = (0..unknowns.len()).map(|k| (0.3 + 1.1 * k as f64).cos()).collect();
    let (mut found, mut back) = (vec![0.0; unknowns.len()], vec![0.0; knowns.len()]);
    importer.instance.directional_derivative((&unknowns, &knowns), &seed, &mut found).expect("J s");
    importer.instance.adjoint_derivative((&unknowns, &knowns), &weights, &mut back).expect("Jᵀ w");
    let sums = [weights.iter().zip(&found), back.iter().zip(&seed)];
    let [left, right] = sums.map(|pairs| pairs.map(|(a, b)| a * b).sum::<f64>());
    assert!((left - right).abs() < 1e-9 * left.abs().max(1.0), "{left} against {right}");
}

/// A cart that is driven, with a pendulum; the cart's place is written as a constant.
const CARRIER: &str = r#"
[[body]]
name = "cart"
mass = 2
inertia = [1, 1, 1]
[[body]]
name = "bob"
mass = 1
inertia = [0.01, 0.01, 0.01]
center_of_mass = [0, 0, -0.5]
[[joint]]
name = "rail"
type = "prismatic"
between = ["ground.origin", "cart.origin"]
axis = [1, 0, 0]
motion = 0.25
[[joint]]
name = "hinge"
type = "revolute"
between = ["cart.origin", "bob.origin"]
axis = [0, 1, 0]
position = 0.3
[simulation]
end = 0.6
method = "rk4"
step = 0.001
output_interval = 0.02
"#;

/// The importer integrates position and speed of the motion, from the acceleration he sets: as co-simulation does, whose motions are tested by themselves.
#[test]
fn motions_are_states_with_accelerations_as_inputs() {
    let cranked = LINKAGE.replace("position = 1.0\nspeed = 25.0\nstiffness = 0.01", "motion = 1.0");
    assert!(cranked.contains("motion = 1.0"));
    for (text, name, input) in
        [(CARRIER, "carrier", "rail.acceleration"), (&cranked, "cranked", "left.acceleration")]
    {
        let mut importer = Importer::new(text, name, &[input]);
        let mut other = begun(&importer.resources, &importer.token);
        let reference = |name: &str| reference(&importer.face, name);
        let acceleration = reference(input);
        let outputs: Vec<(u32, String)> = importer
            .face
            .variables
            .iter()
            .enumerate()
            .filter(|(_, variable)| variable.causality == Causality::Output)
            .map(|(k, variable)| (k as u32, variable.name.clone()))
            .collect();
        for row in 0..30 {
            let value = [0.0, 30.0, -12.0][(row / 10) as usize];
            importer.instance.set(&[acceleration], &[value]).expect("an input");
            other.set(&[acceleration], &[value]).expect("an input");
            let time = 0.02 * f64::from(row);
            other.do_step(time, 0.02).expect("a step");
            importer.go(time + 0.02, 1e-3);
            for (place, name) in &outputs {
                let [found, known] = [&mut importer.instance, &mut other].map(|at| get(at, *place));
                assert!(
                    (found - known).abs() < 1e-7 * (1.0 + known.abs()),
                    "{name} at row {row}: {found} against {known}"
                );
            }
        }
        // 0.2 s at 30, then 0.2 s at -12 of the unit per second squared.
        let moved = 0.5 * 30.0 * 0.04 + 6.0 * 0.2 - 0.5 * 12.0 * 0.04;
        let (coordinate, start) =
            if name == "carrier" { ("rail.displacement", 0.25) } else { ("left.angle", 1.0) };
        assert!(
            (importer.output(coordinate) - start - moved).abs() < 1e-12,
            "{}",
            importer.output(coordinate)
        );
        // A linkage of one freedom that is driven: all other angles follow, whatever the importer has made of them.
        let idle = derivatives_are_those_of_differences(&mut importer, 1e-4, 1e-6);
        let followers: &[&str] = if name == "carrier" { &[] } else { &["state.right", "state.other_knee"] };
        let known = |name: &String| followers.iter().any(|joint| name.starts_with(joint));
        assert!(idle.iter().all(known) && idle.len() == 2 * followers.len(), "{idle:?}");
        // Stored states know where the motion is.
        let bytes = importer.instance.snapshot().to_bytes();
        let mut again = Importer::new(text, &format!("{name}-again"), &[input]);
        again.instance.restore(&Snapshot::from_bytes(&bytes).expect("a state")).expect("restored");
        for (place, name) in &outputs {
            let [found, known] = [&mut again.instance, &mut importer.instance].map(|at| get(at, *place));
            assert_eq!(found.to_bits(), known.to_bits(), "{name}");
        }
        assert_eq!(again.instance.derivatives(), importer.instance.derivatives());
    }
}

#[test]
fn modes_say_how_small_they_are() {
    let importer = Importer::new(SPATIAL, "nominals", &[]);
    let (face, nominals) = (&importer.face, importer.instance.nominals());
    assert_eq!(nominals.len(), face.states);
    let of = |name: &str| nominals[reference(face, name) as usize - face.first_state()];
    // The first bending frequency of a clamped beam, in the thin direction.
    let (height, modulus, density, length) = (0.012_f64, 7e10_f64, 2700.0_f64, 0.3_f64);
    let first = 1.875_104_f64.powi(2) / (length * length) * height * (modulus / (12.0 * density)).sqrt();
    assert!((of("state.rocker.eta.1") * first * first - 1.0).abs() < 0.02, "{}", of("state.rocker.eta.1"));
    assert!((of("state.rocker.eta_rate.1") * first - 1.0).abs() < 0.01);
    assert_eq!((of("state.drive.q.1"), of("state.ball.v.2")), (1.0, 1.0));
    let description = check(SPATIAL, "m.toml").expect("a description").description;
    let model = build_text(SPATIAL, "m.toml").expect("a model").built.model;
    for version in [Version::Two, Version::Three] {
        let options = FmuOptions { version, inputs: Vec::new(), outputs: vec!["*".into()] };
        let made = contents(SPATIAL, &description, &model, Vec::new(), &options).expect("contents");
        let xml = String::from_utf8(made.files[0].1.clone()).expect("text");
        assert_eq!(xml.matches("nominal=\"").count(), 6, "three modes, coordinates and speeds");
        assert!(xml.contains(&format!("nominal=\"{:?}\"", of("state.rocker.eta.3"))));
        assert!(xml.contains("providesDirectionalDerivative") && !xml.contains("Derivative=\"false\""));
    }
}

#[test]
fn the_global_formulation_is_for_co_simulation() {
    let settings = "end = 0.1\nmethod = \"trapezoidal\"\nformulation = \"global\"\nstep = 0.002";
    let text = LINKAGE.replace("end = 0.6\nmethod = \"rk4\"\nstep = 0.0005", settings);
    assert!(text.contains(settings));
    let run = run(&text);
    let (resources, face, token) = unpacked_with(&text, "global", &["left.effort"], &["*"]);
    let mut instance = begun(&resources, &token);
    let mut kept = None;
    for row in 0..=5_u32 {
        if row > 0 {
            instance.do_step(0.02 * f64::from(row - 1), 0.02).expect("a step");
        }
        for name in run.names().iter().skip(1) {
            let found = get(&mut instance, reference(&face, name));
            assert_eq!(
                found.to_bits(),
                run.channel(name).expect(name)[row as usize].to_bits(),
                "{name} row {row}"
            );
        }
        if row == 2 {
            kept = Some(instance.snapshot().to_bytes());
        }
    }
    // Another effort leads elsewhere, and a stored state back to the same bits.
    instance.restore(&Snapshot::from_bytes(&kept.expect("a state")).expect("a state")).expect("restored");
    let stored = instance.snapshot();
    let at = reference(&face, "crank.tip.position.x");
    (2..5).for_each(|row| drop(instance.do_step(0.02 * f64::from(row), 0.02).expect("a step")));
    assert_eq!(
        get(&mut instance, at),
        *run.channel("crank.tip.position.x").expect("a channel").last().expect("rows")
    );
    instance.restore(&stored).expect("restored");
    instance.set(&[reference(&face, "left.effort")], &[3.0]).expect("an input");
    (2..5).for_each(|row| drop(instance.do_step(0.02 * f64::from(row), 0.02).expect("a step")));
    assert!(
        (get(&mut instance, at) - run.channel("crank.tip.position.x").expect("a channel")[5]).abs() > 1e-4
    );
    assert!(
        Instance::new(&resources, &token, Mode::Exchange)
            .is_err_and(|told| told.contains("co-simulation only"))
    );
    let description = check(&text, "m.toml").expect("a description").description;
    let model = build_text(&text, "m.toml").expect("a model").built.model;
    let options = FmuOptions { version: Version::Three, inputs: Vec::new(), outputs: Vec::new() };
    let made = contents(&text, &description, &model, Vec::new(), &options).expect("contents");
    let told = made.notices.join("\n");
    assert!(
        told.contains("co-simulation only") && told.contains("without `formulation = \"global\"`"),
        "{told}"
    );
    std::fs::remove_dir_all(resources.parent().expect("a folder")).expect("removed");
}
