//! Instances of FMUs without their C interface: the rows of a run, inputs, parameters, stored states, refusals.

use flexura::file::{build_text, check};
use flexura_exchange::fmi::{FmuOptions, Interface, Version, contents, token};
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
    let folder = std::env::temp_dir().join(format!("flexura-fmu-{name}-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("resources")).expect("a folder");
    let description = check(text, "m.toml").expect("a description").description;
    let model = build_text(text, "m.toml").expect("a model").built.model;
    let inputs = inputs.iter().map(|name| (*name).to_owned()).collect();
    let options =
        FmuOptions { version: Version::Three, inputs, outputs: vec!["*.angle".into(), "wrist.q?".into()] };
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
fn steps_on_the_grid_of_rows_are_those_of_one_run_to_rounding() {
    for method in ["\"rk4\"", "\"trapezoidal\""] {
        let text = ARM.replace("\"rk4\"", method);
        let (resources, face, token) = unpacked(&text, &format!("bits-{}", method.len()), &[]);
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
                // A step that ends a piece is cut off at its end, which may be one rounding of time away.
                let difference = (found - known[k as usize]).abs();
                assert!(difference < 1e-12, "{method} {name} row {k}: {difference:e}");
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
