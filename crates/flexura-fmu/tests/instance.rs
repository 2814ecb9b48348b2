//! Instances of FMUs without their C interface: the rows of a run, inputs, parameters, stored states, refusals.

#[path = "instance/controller.rs"]
mod controller;
#[path = "instance/events.rs"]
mod events;
#[path = "instance/exchange.rs"]
mod exchange;
#[path = "instance/partials.rs"]
mod partials;

use flexura::file::{build_text, check};
use flexura_exchange::fmi::{Causality, FmuOptions, Interface, Version, contents, token};
use flexura_fmu::{Instance, Mode, Snapshot};
use std::path::PathBuf;

const ARM: &str = r#"
[[body]]
name = "rod"
mass = 1.0
inertia = [0.001, 0.02, 0.02]
center_of_mass = [0.3, 0, 0]
[[body.frame]]
name = "end"
position = [0.6, 0, 0]
[[body]]
name = "ball"
mass = 0.5
inertia = [0.01, 0.02, 0.015]
center_of_mass = [0.1, 0.05, 0]
[[joint]]
name = "hinge"
type = "revolute"
between = ["ground.origin", "rod.origin"]
axis = [0, 1, 0]
effort = 0.5
[[joint]]
name = "wrist"
type = "spherical"
between = ["rod.end", "ball.origin"]
speed = [1, 2, 3]
damping = [0.01, 0.01, 0.01]
[simulation]
end = 0.5
method = "rk4"
step = 0.001
output_interval = 0.01
"#;

/// The resources of an FMU in a folder of their own, its variables and its token.
fn unpacked(text: &str, name: &str, inputs: &[&str]) -> (PathBuf, Interface, String) {
    unpacked_with(text, name, inputs, &["*.angle", "wrist.q?"])
}

fn unpacked_with(text: &str, name: &str, inputs: &[&str], outputs: &[&str]) -> (PathBuf, Interface, String) {
    let folder = std::env::temp_dir().join(format!("flexura-fmu-{name}-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("resources")).expect("a folder");
    let description = check(text, "m.toml").expect("a description").description;
    let model = build_text(text, "m.toml").expect("a model").built.model;
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
    let options = FmuOptions { version: Version::Three, inputs: names(inputs), outputs: names(outputs) };
    let made = contents(text, &description, &model, Vec::new(), &options).expect("contents");
    for (path, bytes) in made.files.iter().filter(|(path, _)| path.starts_with("resources/")) {
        std::fs::write(folder.join(path), bytes).expect("written");
    }
    let token = token(text, &made.interface);
    (folder.join("resources"), made.interface, token)
}

fn reference(face: &Interface, name: &str) -> u32 {
    face.variables.iter().position(|variable| variable.name == name).expect(name) as u32
}

fn begun(resources: &std::path::Path, token: &str) -> Instance {
    let mut instance = Instance::new(resources, token, Mode::CoSimulation).expect("an instance");
    instance.enter_initialization(0.0, None).expect("initialising");
    instance.exit_initialization().expect("initialised");
    instance
}

fn get(instance: &mut Instance, reference: u32) -> f64 {
    let mut value = [0.0];
    instance.get(&[reference], &mut value).expect("a value");
    value[0]
}

#[test]
fn steps_on_the_grid_of_rows_are_those_of_one_run_bit_by_bit() {
    for (method, step) in [("\"rk4\"", "0.001"), ("\"trapezoidal\"", "0.001"), ("\"rk4\"", "0.0005")] {
        let text = ARM.replace("\"rk4\"", method).replace("step = 0.001", &format!("step = {step}"));
        let (resources, face, token) = unpacked(&text, &format!("bits-{}-{step}", method.len()), &[]);
        let run = build_text(&text, "m.toml").expect("a model").built.simulate().expect("a run");
        let mut instance = begun(&resources, &token);
        for name in ["hinge.angle", "wrist.qx"] {
            assert_eq!(get(&mut instance, reference(&face, name)), run.channel(name).expect(name)[0]);
        }
        for k in 1..=50 {
            // As an importer counts: time and step with roundings of their own.
            assert_eq!(instance.do_step(0.01 * f64::from(k - 1), 0.01), Ok(None));
            for name in ["hinge.angle", "wrist.qx"] {
                let (found, known) =
                    (get(&mut instance, reference(&face, name)), run.channel(name).expect(name));
                assert_eq!(found.to_bits(), known[k as usize].to_bits(), "{method} {step} {name} row {k}");
            }
        }
        std::fs::remove_dir_all(resources.parent().expect("a folder")).expect("removed");
    }
}

#[test]
fn inputs_numbers_and_stored_states_do_what_they_say() {
    let (resources, face, token) = unpacked(ARM, "inputs", &["hinge.effort"]);
    let (effort, angle) = (reference(&face, "hinge.effort"), reference(&face, "hinge.angle"));
    let mass = reference(&face, "parameter.body.rod.mass");
    let mut instance = begun(&resources, &token);
    assert_eq!(get(&mut instance, effort), 0.5, "the start is that of the file");
    instance.do_step(0.0, 0.1).expect("a step");
    let kept = instance.snapshot();
    instance.do_step(0.1, 0.1).expect("a step");
    let free = get(&mut instance, angle);
    // Taken back, as bytes: the same step has the same bits, another effort another angle.
    let read = Snapshot::from_bytes(&kept.to_bytes()).expect("a state");
    instance.restore(&read).expect("restored");
    instance.do_step(0.1, 0.1).expect("a step");
    assert_eq!(get(&mut instance, angle).to_bits(), free.to_bits());
    instance.restore(&read).expect("restored");
    instance.set(&[effort], &[20.0]).expect("an input");
    instance.do_step(0.1, 0.1).expect("a step");
    assert!((get(&mut instance, angle) - free).abs() > 1e-3);
    // A number of the file, set before the start, is that of a model with it.
    let mut heavy = Instance::new(&resources, &token, Mode::CoSimulation).expect("an instance");
    heavy.set(&[mass], &[3.0]).expect("a number");
    heavy.enter_initialization(0.0, None).expect("initialising");
    heavy.exit_initialization().expect("initialised");
    heavy.do_step(0.0, 0.1).expect("a step");
    let text = ARM.replace("mass = 1.0", "mass = 3.0").replace("end = 0.5", "end = 0.1");
    let run = build_text(&text, "m.toml").expect("a model").built.simulate().expect("a run");
    assert_eq!(get(&mut heavy, angle), *run.channel("hinge.angle").expect("angle").last().expect("rows"));
    for (told, why) in [
        (heavy.set(&[mass], &[1.0]), "fixed once the run has begun"),
        (heavy.set(&[angle], &[1.0]), "cannot be set"),
        (heavy.set(&[effort], &[f64::NAN]), "cannot be NaN"),
        (heavy.set(&[9999], &[1.0]), "no variable has the reference"),
        (heavy.do_step(0.5, 0.1).map(|_| ()), "the run is at"),
        (heavy.do_step(0.1, -0.1).map(|_| ()), "a step of"),
    ] {
        let text = told.expect_err(why);
        assert!(text.contains(why), "{text}");
    }
    assert!(Instance::new(&resources, "{other}", Mode::CoSimulation).is_err());
    assert!(Snapshot::from_bytes(&[1, 2, 3]).is_none());
    std::fs::remove_dir_all(resources.parent().expect("a folder")).expect("removed");
}

#[test]
fn derivatives_are_those_of_the_states_over_time() {
    let (resources, face, token) = unpacked(ARM, "exchange", &[]);
    let mut instance = Instance::new(&resources, &token, Mode::Exchange).expect("an instance");
    instance.enter_initialization(0.0, None).expect("initialising");
    instance.exit_initialization().expect("initialised");
    let start = instance.states().expect("states");
    assert_eq!(start.len(), face.states);
    let rates = instance.derivatives().expect("derivatives");
    // One step of the file's own method, a thousandth long: states move by their derivatives, to second order.
    let run = build_text(&ARM.replace("output_interval = 0.01", "output_interval = 0.001"), "m.toml")
        .expect("a model");
    let run = run.built.simulate().expect("a run");
    for (place, name) in [(0, "hinge.angle"), (1, "wrist.qw"), (2, "wrist.qx"), (3, "wrist.qy")] {
        let rows = run.channel(name).expect(name);
        assert_eq!(rows[0], start[place], "{name}");
        let slope = (-3.0 * rows[0] + 4.0 * rows[1] - rows[2]) / 0.002;
        assert!((slope - rates[place]).abs() < 1e-3, "{name}: {slope} against {}", rates[place]);
    }
    assert!(rates[2].abs() > 0.1, "it turns: {rates:?}");
    std::fs::remove_dir_all(resources.parent().expect("a folder")).expect("removed");
}

/// A body that floats and turns, thrown on a spring, with an input and an event.
const FLOATING: &str = r#"
[[body]]
name = "box"
mass = 2.0
inertia = [0.1, 0.2, 0.15]
center_of_mass = [0.05, 0.02, 0.1]
[[body.frame]]
name = "side"
position = [0.3, 0.1, 0]
[[body]]
name = "ball"
mass = 0.5
inertia = [0.01, 0.02, 0.015]
center_of_mass = [0.1, 0.05, 0]
[[joint]]
name = "flight"
type = "free"
between = ["ground.origin", "box.origin"]
position = [0.1, 0.2, 0.5]
orientation = { axis = [1, 2, -1], angle = 0.7 }
speed = [1, -2, 0.5, 0.4, 0.7, 3]
[[joint]]
name = "neck"
type = "spherical"
between = ["box.side", "ball.origin"]
speed = [1, 2, 3]
damping = [0.01, 0.02, 0.03]
[[element]]
name = "spring"
type = "spring-damper"
between = ["ground.origin", "ball.origin"]
stiffness = 30.0
damping = 0.4
free_length = 0.3
[[force]]
name = "push"
at = "box.side"
force = [1.0, 2.0, -1.0]
axes = "frame"
[simulation]
end = 0.5
method = "rk4"
step = 0.001
output_interval = 0.01
[[simulation.event]]
name = "top"
channel = "box.velocity.z"
value = 0.0
direction = "falling"
action = "stop"
"#;

#[test]
fn states_of_bodies_that_float_move_by_their_derivatives() {
    let (resources, face, token) = unpacked(FLOATING, "floating", &[]);
    let mut instance = Instance::new(&resources, &token, Mode::Exchange).expect("an instance");
    instance.enter_initialization(0.0, None).expect("initialising");
    instance.exit_initialization().expect("initialised");
    let (start, rates) = (instance.states().expect("states"), instance.derivatives().expect("derivatives"));
    let run = build_text(&FLOATING.replace("output_interval = 0.01", "output_interval = 0.001"), "m.toml");
    let run = run.expect("a model").built.simulate().expect("a run");
    let names = ["qw", "qx", "qy", "qz", "x", "y", "z"];
    for (place, name) in names.iter().enumerate() {
        let rows = run.channel(&format!("flight.{name}")).expect(name);
        assert!((rows[0] - start[place]).abs() < 1e-15, "{name}");
        let slope = (-11.0 * rows[0] + 18.0 * rows[1] - 9.0 * rows[2] + 2.0 * rows[3]) / 0.006;
        assert!((slope - rates[place]).abs() < 1e-5, "{name}: {slope} against {}", rates[place]);
    }
    assert_eq!(face.states, 7 + 4 + 6 + 3);
    std::fs::remove_dir_all(resources.parent().expect("a folder")).expect("removed");
}

/// Sets all states and inputs, and has all derivatives and outputs back.
fn answers(instance: &mut Instance, states: &[f64], inputs: (&[u32], &[f64]), unknowns: &[u32]) -> Vec<f64> {
    instance.set_states(states).expect("states");
    instance.set(inputs.0, inputs.1).expect("inputs");
    let mut values = vec![0.0; unknowns.len()];
    instance.get(unknowns, &mut values).expect("values");
    values
}

#[test]
fn directional_and_adjoint_derivatives_are_those_of_differences() {
    let (resources, face, token) =
        unpacked_with(FLOATING, "partials", &["push.scale", "neck.effort.2"], &["*"]);
    let mut instance = Instance::new(&resources, &token, Mode::Exchange).expect("an instance");
    instance.enter_initialization(0.0, None).expect("initialising");
    instance.exit_initialization().expect("initialised");
    let start = instance.states().expect("states");
    let of = |wanted: &dyn Fn(&str, Causality) -> bool| -> Vec<u32> {
        let all = face.variables.iter().enumerate();
        all.filter(|(_, variable)| wanted(&variable.name, variable.causality))
            .map(|(k, _)| k as u32)
            .collect()
    };
    let unknowns = of(&|_, kind| matches!(kind, Causality::Derivative(_) | Causality::Output));
    let (states, inputs) = (of(&|_, kind| kind == Causality::State), of(&|_, kind| kind == Causality::Input));
    let knowns = [states.clone(), inputs.clone()].concat();
    // A direction with no symmetry.
    let seed: Vec<f64> = (0..knowns.len()).map(|k| (1.0 + 0.7 * k as f64).sin()).collect();
    let mut found = vec![0.0; unknowns.len()];
    instance.directional_derivative((&unknowns, &knowns), &seed, &mut found).expect("a derivative");
    let given = [1.0, 0.0];
    let mut moved = |h: f64| {
        let states: Vec<f64> = start.iter().zip(&seed).map(|(x, s)| x + h * s).collect();
        let values: Vec<f64> = given.iter().zip(&seed[start.len()..]).map(|(x, s)| x + h * s).collect();
        answers(&mut instance, &states, (&inputs, &values), &unknowns)
    };
    let h = 1e-3;
    let (far, near) = ([moved(2.0 * h), moved(-2.0 * h)], [moved(h), moved(-h)]);
    for (k, &reference) in unknowns.iter().enumerate() {
        // Fourth order: h⁴ of smooth functions of size 1 to 100, and rounding over h.
        let slope = (8.0 * (near[0][k] - near[1][k]) - (far[0][k] - far[1][k])) / (12.0 * h);
        let name = &face.variables[reference as usize].name;
        let allowed = 2e-7 * (1.0 + found[k].abs() + near[0][k].abs());
        assert!((slope - found[k]).abs() < allowed, "{name}: {} against {slope}", found[k]);
    }
    assert!(found.iter().filter(|x| x.abs() > 1e-3).count() > 60, "most of them change");
    // ⟨w, J s⟩ = ⟨Jᵀ w, s⟩.
    answers(&mut instance, &start, (&inputs, &given), &unknowns);
    let weights: Vec<f64> = (0..unknowns.len()).map(|k| (0.3 + 1.1 * k as f64).cos()).collect();
    let mut back = vec![0.0; knowns.len()];
    instance.adjoint_derivative((&unknowns, &knowns), &weights, &mut back).expect("a derivative");
    let sums = [weights.iter().zip(&found), back.iter().zip(&seed)];
    let [left, right] = sums.map(|pairs| pairs.map(|(a, b)| a * b).sum::<f64>());
    assert!((left - right).abs() < 1e-10 * left.abs().max(1.0), "{left} against {right}");
    let mass = reference(&face, "parameter.body.box.mass");
    for (unknown, known, why) in
        [(states[0], states[1], "is no output"), (unknowns[0], mass, "is no state and no input")]
    {
        let told = instance.directional_derivative((&[unknown], &[known]), &[1.0], &mut [0.0]);
        assert!(told.expect_err(why).contains(why));
    }
    let short = instance.directional_derivative((&unknowns, &knowns), &[1.0], &mut found);
    assert!(short.expect_err("one seed").contains("1 seeds"));
    std::fs::remove_dir_all(resources.parent().expect("a folder")).expect("removed");
}

#[test]
fn events_that_stop_a_run_are_indicators_of_model_exchange() {
    let (resources, face, token) = unpacked(FLOATING, "events", &[]);
    let mut instance = Instance::new(&resources, &token, Mode::Exchange).expect("an instance");
    instance.enter_initialization(0.0, None).expect("initialising");
    instance.exit_initialization().expect("initialised");
    assert_eq!((instance.indicator_count(), face.events.len()), (1, 1));
    let run = build_text(FLOATING, "m.toml").expect("a model").built.simulate().expect("a run");
    let rising = instance.event_indicators().expect("indicators")[0];
    assert_eq!(rising, run.channel("box.velocity.z").expect("a channel")[0]);
    assert_eq!(instance.stopping_event(), Ok(None));
    let mut states = instance.states().expect("states");
    // Upwards is the last speed of the free joint where the box is not turned: all speeds about face the other way.
    states[11..].iter_mut().for_each(|speed| *speed = -*speed);
    instance.set_states(&states).expect("states");
    assert!(rising > 0.0 && instance.event_indicators().expect("indicators")[0] < 0.0);
    assert_eq!(instance.stopping_event(), Ok(Some("top".into())));
    // The way back is not the wanted one.
    states[11..].iter_mut().for_each(|speed| *speed = -*speed);
    instance.set_states(&states).expect("states");
    assert_eq!(instance.stopping_event(), Ok(None));
    std::fs::remove_dir_all(resources.parent().expect("a folder")).expect("removed");
}
