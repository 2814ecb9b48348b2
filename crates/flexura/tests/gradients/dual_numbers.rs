//! Every number of ten files, against dual numbers on the same steps.

use crate::models::{FLEXIBLE, PENDULUM};
use crate::{numbers, shipped, short};
use flexura::analysis::{GradientSetup, KeptRun, Parameter, sensitivity};
use flexura::build::Built;
use flexura::file::parameters;

/// A ball that rolls on a pad: contact with friction, closed all along. Steps as tight as those that sensitivities take.
pub const PAD: &str = r#"
[[body]]
name = "ball"
mass = 2.0
inertia = [0.01, 0.01, 0.012]
[[joint]]
name = "way"
type = "free"
between = ["ground.origin", "ball.origin"]
position = [0, 0, 0.0995]
speed = [0, 0.2, 0, 0.3, 0, 0]
[[element]]
name = "pad"
type = "contact"
between = ["ground.origin", "ball.origin"]
radius = 0.1
stiffness = 4e4
exponent = 1.5
dissipation = 0.2
friction = 0.3
friction_speed = 0.1
[simulation]
relative_tolerance = 1e-13
absolute_tolerance = 1e-15
end = 0.01
output_interval = 0.005
"#;

/// Most numbers looked at of one file.
const MOST: usize = 16;

/// Numbers of the file but those of the run itself and counts, spread over it where there are many.
fn of_file(text: &str) -> Vec<Parameter<'_>> {
    let all = parameters(text).expect("numbers");
    let of_run = |path: &str| {
        let words = ["simulation", "output", "view", "segments", "bending", "torsion", "axial", "repeat"];
        path.split('.').any(|part| words.iter().any(|word| part.starts_with(word)))
    };
    let all = all.into_iter().filter(|found| !of_run(&found.path));
    let all: Vec<_> =
        all.filter_map(|found| Parameter::of_file(text, "model.toml", &found.path).ok()).collect();
    let every = all.len().div_ceil(MOST).max(1);
    all.into_iter().step_by(every).collect()
}

/// The parameters over which a gradient can be taken.
fn followed<'a>(text: &'a str, built: &Built, outputs: &[String]) -> Vec<Parameter<'a>> {
    let setup = GradientSetup { channels: outputs.to_vec(), ..Default::default() };
    let known = |one: &Parameter<'_>| {
        let back = KeptRun::new(built, std::slice::from_ref(one), &setup).and_then(|mut run| {
            let weights = vec![1.0; run.rows().len()];
            run.pull_back(&weights)
        });
        back.is_ok()
    };
    of_file(text).into_iter().filter(known).collect()
}

/// Largest difference between gradient and dual numbers relative to the size of the terms that add up, and the parameter; how many
/// there are; runs that the gradient cost.
fn compared(
    built: &Built,
    list: &[Parameter<'_>],
    channels: &[&str],
) -> Result<(f64, String, usize, f64), String> {
    let outputs: Vec<String> = channels.iter().map(|name| (*name).into()).collect();
    let exact = sensitivity(built, list, &outputs).map_err(|error| error.to_string())?;
    let setup = GradientSetup { channels: outputs, ..Default::default() };
    let mut run = KeptRun::new(built, list, &setup).map_err(|error| error.to_string())?;
    assert_eq!(run.times(), exact.times);
    let weights = numbers(exact.values.len(), 7);
    let found = run.pull_back(&weights).map_err(|error| error.to_string())?;
    let (mut worst, mut name) = (0.0_f64, String::new());
    for (j, got) in found.parameters.iter().enumerate() {
        let terms =
            weights.iter().enumerate().map(|(i, weight)| weight * exact.derivatives[i * list.len() + j]);
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term| (sum + term, size + term.abs()));
        // What hardly moves the channels is known to the rounding of these alone.
        let values: f64 =
            weights.iter().zip(&exact.values).map(|(weight, value)| (weight * value).abs()).sum();
        let scale = if list[j].value == 0.0 { 1.0 } else { list[j].value.abs() };
        let size = size.max(1e-5 * values / scale);
        // Dual numbers take the model's own derivative from differences too and say how well they know it.
        let apart = ((got - sum).abs() / size.max(f64::MIN_POSITIVE) - exact.errors[j]).max(0.0);
        if apart > worst {
            (worst, name) =
                (apart, format!("{} ({got} {sum}, estimate {:.0e})", list[j].name, exact.errors[j]));
        }
    }
    Ok((worst, name, list.len(), run.cost().runs()))
}

/// A file, run for `end` by steps given or its own.
fn agree(text: &str, end: f64, step: Option<f64>, channels: &[&str]) {
    let built = short(text, end, 4.0, step);
    let outputs: Vec<String> = channels.iter().map(|name| (*name).into()).collect();
    judge(&built, &followed(text, &built, &outputs), channels);
}

fn judge(built: &Built, list: &[Parameter<'_>], channels: &[&str]) {
    let (worst, parameter, count, runs) = compared(built, list, channels).expect("gradient");
    println!("{worst:.1e} over {count} numbers, {runs:.1} runs; worst {parameter}");
    assert!(worst < 1e-9 && count >= 5, "{worst:.1e} of {count} numbers: {parameter}");
}

#[test]
fn pendulum_with_controller() {
    agree(PENDULUM, 0.1, Some(2e-3), &["elbow.angle", "shoulder.rate_acceleration"]);
}

#[test]
fn sampled_controller_and_prescribed_motion() {
    agree(FLEXIBLE, 4e-3, Some(1e-4), &["arm.tip.position.z", "base.force.x", "wrist.force.y"]);
}

#[test]
fn flexible_arm() {
    agree(&shipped("flexible_arm"), 0.02, None, &["fore.hand.position.?", "energy.work"]);
}

#[test]
fn satellite() {
    agree(&shipped("satellite"), 0.05, None, &["energy.kinetic"]);
}

#[test]
fn spinning_top() {
    agree(&shipped("spinning_top"), 0.02, None, &["energy.kinetic", "*.velocity.?"]);
}

#[test]
fn robot() {
    agree(&shipped("robot_arm"), 0.02, Some(2e-3), &["*.angle"]);
}

#[test]
fn rotor_blade() {
    agree(&shipped("rotor_blade"), 2e-3, Some(1e-4), &["*.eta.?"]);
}

#[test]
fn controlled_arm() {
    agree(&shipped("controlled_arm"), 0.01, None, &["*.tip.position.?"]);
}

#[test]
fn crane() {
    agree(&shipped("gallery/crane"), 0.02, Some(1e-3), &["energy.total"]);
}

#[test]
fn rotor_with_bushing() {
    agree(&shipped("gallery/rotor"), 2e-3, Some(1e-4), &["energy.kinetic", "energy.elements"]);
}

#[test]
fn closed_contact() {
    let built = short(PAD, 4e-3, 4.0, None);
    let paths =
        ["pad.stiffness", "pad.radius", "pad.exponent", "pad.dissipation", "ball.mass", "way.position.3"];
    let list: Vec<Parameter<'_>> =
        paths.iter().map(|path| Parameter::of_file(PAD, "model.toml", path).expect("path")).collect();
    judge(&built, &list, &["ball.position.z"]);
}

/// Terms that the model leaves out at exactly this value: followed by shifted models.
#[test]
fn a_damping_of_zero() {
    let text = PENDULUM.replace("damping = 0.05", "damping = 0.0");
    let built = short(&text, 0.1, 4.0, Some(2e-3));
    let paths = ["elbow.damping", "elbow.stiffness", "upper.mass", "shoulder.position", "pid.integral"];
    let list: Vec<Parameter<'_>> =
        paths.iter().map(|path| Parameter::of_file(&text, "model.toml", path).expect("path")).collect();
    judge(&built, &list, &["elbow.angle"]);
}

/// A ball joint whose orientation is prescribed, and a body that swings from it.
const CARRIED: &str = r#"
[[body]]
name = "platform"
mass = 3.0
inertia = [0.2, 0.3, 0.4]
center_of_mass = [0.02, 0.01, 0]
frame = [{ name = "edge", position = [0.4, 0, 0] }]
[[body]]
name = "bob"
mass = 0.5
inertia = [0.002, 0.003, 0.002]
center_of_mass = [0, 0, -0.25]
[[joint]]
name = "gimbal"
type = "spherical"
between = ["ground.origin", "platform.origin"]
motion = [{ harmonic = { amplitude = 0.3, frequency = 1.5 } }, { polynomial = [0.1, 0.8] }, 0.2]
[[joint]]
name = "hook"
type = "revolute"
axis = [0, 1, 0]
between = ["platform.edge", "bob.origin"]
position = 0.3
damping = 0.02
[simulation]
relative_tolerance = 1e-13
absolute_tolerance = 1e-15
"#;

#[test]
fn prescribed_orientation() {
    agree(CARRIED, 0.1, Some(2e-3), &["hook.angle", "bob.position.z", "energy.kinetic"]);
}
