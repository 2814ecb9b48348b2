//! Sensitivities where a method has no tableau of its own, where contacts open and close, and where part of a joint
//! is prescribed: against closed forms, other methods and differences of whole runs.

use flexura::State;
use flexura::analysis::{Parameter, SensitivityError, sensitivity};
use flexura::file::{build_text, set_parameter};
use flexura::record::{Recorder, Recording};
use flexura::simulate::run_from;

/// Rows of (value, derivative) of one channel over one parameter.
fn derivatives(text: &str, path: &str, channel: &str) -> Result<Vec<[f64; 2]>, SensitivityError> {
    let built = build_text(text, "model.toml").unwrap_or_else(|error| panic!("{error}")).built;
    let parameter = Parameter::of_file(text, "model.toml", path).expect("a number of the file");
    let found = sensitivity(&built, &[parameter], &[channel.to_string()])?;
    Ok((0..found.times.len()).map(|row| [found.values[row], found.derivative(row, 0, 0)]).collect())
}

fn ball(height: f64, stiffness: f64, settings: &str) -> String {
    format!(
        "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"ball\"\nmass = 2\ninertia = [1, 1, 1]\n[[joint]]\n\
         name = \"fall\"\ntype = \"prismatic\"\naxis = [0, 0, 1]\nbetween = [\"ground.origin\", \"ball.origin\"]\n\
         position = {height:?}\n[[element]]\nname = \"floor\"\ntype = \"contact\"\n\
         between = [\"ground.origin\", \"ball.origin\"]\nstiffness = {stiffness:?}\nexponent = 1\n[simulation]\nend = 1.1\n\
         output_interval = 0.1\n{settings}\n"
    )
}

/// Height of a ball that bounces on a linear spring: parabola, sine, parabola.
fn height(start: f64, stiffness: f64, time: f64) -> f64 {
    let (g, rate) = (9.81, (stiffness / 2.0_f64).sqrt());
    let sag = g / (rate * rate);
    let (fall, speed) = ((2.0 * start / g).sqrt(), (2.0 * start * g).sqrt());
    // z + sag = sag cos(ωt) − (v/ω) sin(ωt) until it is sag again, rising.
    let inside = 2.0 * (std::f64::consts::PI - (speed / rate).atan2(sag)) / rate;
    let t = time - fall;
    if t < 0.0 {
        start - 0.5 * g * time * time
    } else if t < inside {
        sag * (rate * t).cos() - speed / rate * (rate * t).sin() - sag
    } else {
        let t = t - inside;
        speed * t - 0.5 * g * t * t
    }
}

/// The closed form itself, differentiated over its smooth parts.
fn exact(start: f64, stiffness: f64, time: f64, over: usize) -> f64 {
    let size = 1e-6;
    let at = |sign: f64| match over {
        0 => height(start * (1.0 + sign * size), stiffness, time) / start,
        _ => height(start, stiffness * (1.0 + sign * size), time) / stiffness,
    };
    (at(1.0) - at(-1.0)) / (2.0 * size)
}

/// Default tolerances passed the first touch in one step and were a fifth off.
#[test]
fn derivatives_pass_a_contact() {
    let (start, stiffness) = (1.0, 1e5);
    for settings in ["", "method = \"rk4\"\nstep = 1e-4", "method = \"energy-preserving\"\nstep = 1e-4"] {
        for (over, path) in ["fall.position", "floor.stiffness"].iter().enumerate() {
            let rows = derivatives(&ball(start, stiffness, settings), path, "fall.displacement");
            let rows = rows.unwrap_or_else(|error| panic!("{error}"));
            let largest = (0..rows.len()).map(|i| exact(start, stiffness, 0.1 * i as f64, over).abs());
            let largest = largest.fold(0.0, f64::max);
            for (i, [value, slope]) in rows.iter().enumerate() {
                let time = 0.1 * i as f64;
                assert!(
                    (value - height(start, stiffness, time)).abs() < 1e-7,
                    "{settings} t = {time}: {value}"
                );
                let wanted = exact(start, stiffness, time, over);
                // Errors at a kink fall with the square root of the tolerance.
                assert!(
                    (slope - wanted).abs() < 2e-3 * largest,
                    "{settings} {path} t = {time}: {slope} {wanted}"
                );
            }
        }
    }
}

/// A wall so hard that no tolerance resolves it is refused by name.
#[test]
fn contacts_too_hard_for_derivatives_are_refused() {
    let error = derivatives(&ball(1.0, 1e13, ""), "fall.position", "fall.displacement").expect_err("a wall");
    assert!(matches!(&error, SensitivityError::Contact { element, .. } if element == "floor"), "{error}");
}

#[test]
fn roads_with_edges_are_refused() {
    let text = "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"hub\"\nmass = 20\ninertia = [1, 1, 1]\n[[joint]]\n\
                name = \"slide\"\ntype = \"planar\"\nbetween = [\"ground.origin\", \"hub.origin\"]\n\
                position = [0, 0.3, 0]\n[[element]]\nname = \"wheel\"\ntype = \"tyre\"\n\
                between = [\"ground.origin\", \"hub.origin\"]\nradius = 0.3\nstiffness = 2e5\n\
                road = [{ step = { at = 1, height = 0.05 } }]\n[simulation]\nend = 0.1\n";
    let error = derivatives(text, "hub.mass", "slide.x").expect_err("a road with an edge");
    assert!(matches!(&error, SensitivityError::Road(name) if name == "wheel"), "{error}");
}

const PENDULUM: &str = r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "rod"
mass = 1
center_of_mass = [0, 0.1, -0.5]
inertia = [0.1, 0.2, 0.15]
[[joint]]
name = "hinge"
type = "spherical"
between = ["ground.origin", "rod.origin"]
speed = [1, 3, 2]
[simulation]
end = 1
output_interval = 0.1
"#;

/// Every method gives the derivatives of the motion, not of steps that it does not take.
#[test]
fn derivatives_do_not_depend_on_the_method() {
    let tight = "method = \"dormand-prince\"\nrelative_tolerance = 1e-10\nabsolute_tolerance = 1e-12";
    let pendulum = PENDULUM.replace("[1, 3, 2]", "[4, 12, 8]");
    let reference = derivatives(&format!("{pendulum}{tight}"), "rod.mass", "hinge.wy").expect("smooth");
    for method in [
        "method = \"energy-preserving\"\nstep = 0.1",
        "method = \"energy-decaying\"\nspectral_radius = 0.8\nstep = 0.1",
        "method = \"trapezoidal\"\nstep = 0.1",
        "method = \"radau\"",
        "method = \"rk4\"\nstep = 5e-4",
    ] {
        let found = derivatives(&format!("{pendulum}{method}"), "rod.mass", "hinge.wy").expect("smooth");
        for (row, (a, b)) in found.iter().zip(&reference).enumerate() {
            assert!(
                (a[0] - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-6,
                "{method} row {row}: {a:?} {b:?}"
            );
        }
    }
}

fn last_value(text: &str, channel: &str) -> f64 {
    let built = build_text(text, "model.toml").unwrap_or_else(|error| panic!("{error}")).built;
    let mut recorder = Recorder::new(&built.model, &[channel.to_string()]).expect("channel");
    let mut rows = Recording::new(recorder.channels());
    let start = State::initial(&built.model, 0.0);
    run_from(&built.model, &built.description.simulation, start, &mut recorder, &mut rows, &mut |_| true)
        .expect("run");
    rows.last(channel).expect("a row")
}

/// A position that is prescribed while the body turns freely.
#[test]
fn derivatives_where_part_of_a_free_joint_is_prescribed() {
    let text = PENDULUM.replace("type = \"spherical\"", "type = \"free\"").replace(
        "speed = [1, 3, 2]",
        "speed = [1, 3, 2, 0, 0, 0]\nmotion = [\"free\", \"free\", \"free\", { harmonic = { amplitude = 0.4, angular_frequency = 7 } }, { polynomial = [0, 2, 1.5] }, { polynomial = [0.1, -1] }]",
    ) + "method = \"rk4\"\nstep = 1e-3\n";
    for (path, value) in [("rod.center_of_mass.2", 0.1), ("rod.inertia.1", 0.1)] {
        let found = derivatives(&text, path, "hinge.wx").expect("smooth");
        let size = 1e-5;
        let at = |value: f64| {
            last_value(&set_parameter(&text, path, &format!("{value:?}")).expect("set"), "hinge.wx")
        };
        let wanted = (at(value + size) - at(value - size)) / (2.0 * size);
        let last = found.last().expect("rows")[1];
        assert!((last - wanted).abs() < 1e-6 * (1.0 + wanted.abs()), "{path}: {last} {wanted}");
    }
}
