//! Manoeuvres of the Iltis, anti-roll bars and tyres that bounce: balance of momentum, understeer, load transfer, events.

use flexura::analysis::{EquilibriumOptions, equilibrium, keep_free_speeds};
use flexura::build::Built;
use flexura::model::description::BodyKind;
use flexura::simulate::run_from;
use flexura::spatial::{cross, dot};
use flexura::{Recorder, Recording, State, Workspace};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/vehicle/");
const WHEELS: [&str; 4] = ["fl", "fr", "rl", "rr"];

fn text(name: &str) -> String {
    std::fs::read_to_string(format!("{FOLDER}{name}")).unwrap()
}

fn built(text: &str) -> Built {
    flexura::file::build_text(text, "vehicle.toml").unwrap_or_else(|errors| panic!("{errors}")).built
}

/// The run from the equilibrium, rolling.
fn drive(text: &str) -> (Built, Recording) {
    let built = built(text);
    let model = &built.model;
    let start = State::initial(model, 0.0);
    let mut rest = equilibrium(model, &start, &EquilibriumOptions::default()).unwrap().state;
    keep_free_speeds(model, &start, &mut rest);
    let wanted = ["ride.*", "*.position.*", "*.quaternion.*", "chassis.omega.*", "tyre_*.*", "momentum.*"];
    let mut recorder = Recorder::new(model, &wanted.map(String::from)).unwrap();
    let mut recording = Recording::new(recorder.channels());
    let settings = &built.description.simulation;
    run_from(model, settings, rest, &mut recorder, &mut recording, &mut |_| true).unwrap();
    (built, recording)
}

/// Columns of a recording at one row.
struct Row<'a>(&'a Recording, usize);

impl Row<'_> {
    fn number(&self, name: &str) -> f64 {
        self.0.channel(name).unwrap_or_else(|_| panic!("no channel {name}"))[self.1]
    }

    fn vector(&self, name: &str) -> [f64; 3] {
        ["x", "y", "z"].map(|axis| self.number(&format!("{name}.{axis}")))
    }

    /// The axis y of a body in the inertial frame.
    fn axle(&self, body: &str) -> [f64; 3] {
        let [w, x, y, z] = ["w", "x", "y", "z"].map(|part| self.number(&format!("{body}.quaternion.{part}")));
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)]
    }

    /// Direction of travel of a body whose axis y points to the left (rad).
    fn heading(&self, body: &str) -> f64 {
        let axle = self.axle(body);
        (-axle[0]).atan2(axle[1])
    }

    /// A vector of a body's axes in the inertial frame.
    fn turned(&self, body: &str, v: [f64; 3]) -> [f64; 3] {
        let [w, x, y, z] = ["w", "x", "y", "z"].map(|part| self.number(&format!("{body}.quaternion.{part}")));
        let axis = [x, y, z];
        let once = cross(&axis, &v);
        let twice = cross(&axis, &once);
        std::array::from_fn(|i| v[i] + 2.0 * (w * once[i] + twice[i]))
    }

    /// Force on the vehicle and its moment about the inertial origin: weight and road.
    fn loads(&self, built: &Built) -> ([f64; 3], [f64; 3]) {
        let (mut force, mut moment) = ([0.0; 3], [0.0; 3]);
        let mut add = |at: [f64; 3], push: [f64; 3], twist: [f64; 3]| {
            let arm = cross(&at, &push);
            for i in 0..3 {
                force[i] += push[i];
                moment[i] += arm[i] + twist[i];
            }
        };
        for body in &built.description.bodies {
            let BodyKind::Rigid(rigid) = &body.kind else { panic!("{} is not rigid", body.name) };
            let (origin, arm) = (
                self.vector(&format!("{}.position", body.name)),
                self.turned(&body.name, rigid.center_of_mass),
            );
            let center = std::array::from_fn(|i| origin[i] + arm[i]);
            add(center, [0.0, 0.0, -9.81 * rigid.mass], [0.0; 3]);
        }
        for wheel in WHEELS {
            let tyre = format!("tyre_{wheel}");
            add(
                self.vector(&format!("hub_{wheel}.position")),
                self.vector(&format!("{tyre}.force")),
                self.vector(&format!("{tyre}.moment")),
            );
        }
        (force, moment)
    }
}

/// Rates of linear and angular momentum at a row by central differences.
fn momentum_rates(recording: &Recording, row: usize) -> ([f64; 3], [f64; 3]) {
    let time = recording.time();
    let span = time[row + 1] - time[row - 1];
    let rate = |name: &str| {
        let (after, before) = (Row(recording, row + 1).vector(name), Row(recording, row - 1).vector(name));
        std::array::from_fn(|i| (after[i] - before[i]) / span)
    };
    (rate("momentum.linear"), rate("momentum.angular"))
}

/// Road forces balance the momenta: returns the errors of the lateral force and of the rolling moment about the
/// direction of travel, over weight and weight times half the track.
fn imbalance(built: &Built, recording: &Recording, row: usize) -> [f64; 2] {
    let here = Row(recording, row);
    let (force, moment) = here.loads(built);
    let (linear, angular) = momentum_rates(recording, row);
    let psi = here.heading("chassis");
    let (along, across) = ([psi.cos(), psi.sin(), 0.0], [-psi.sin(), psi.cos(), 0.0]);
    let weight = 9.81 * built.model.bodies.iter().map(|body| body.mass()).sum::<f64>();
    let missing = |found: [f64; 3], expected: [f64; 3]| std::array::from_fn(|i| found[i] - expected[i]);
    let side = dot(&missing(force, linear), &across).abs() / weight;
    let roll = dot(&missing(moment, angular), &along).abs() / (0.615 * weight);
    [side, roll]
}

/// Cornering and camber stiffness (N/rad) and pneumatic trail (m) of the benchmark's Calspan tyre for small angles under
/// a load (N), from its published coefficients.
fn linear_tyre(load: f64) -> (f64, f64, f64) {
    let cornering = 2625.0 + 14.47 * load * (1.0 - load / 12930.0);
    let camber = 2.29 * load * (18175.0 - load) / 18175.0;
    (cornering, camber, 1.71e-5 * load)
}

/// Yaw rate of the linear bicycle model with measured loads, steer and camber: each wheel has the side force
/// −C_α α − C_γ γ, its pneumatic trail behind. With `single`, both wheels of an axle count with the mean of loads and
/// angles, as in the textbook formula r = V δ/(L + K V²).
fn bicycle_yaw_rate(built: &Built, row: &Row<'_>, speed: f64, single: bool) -> f64 {
    let mass: f64 = built.model.bodies.iter().map(|body| body.mass()).sum();
    let center = (mass - 1260.0) * 0.5 * (0.97 - 1.047) / mass;
    let measured = |wheel: &str| {
        let hub = format!("hub_{wheel}");
        let steer = row.heading(&hub) - row.heading("chassis");
        [row.number(&format!("tyre_{wheel}.force.z")), steer, row.axle(&hub)[2].asin()]
    };
    let (mut matrix, mut right) = ([[0.0; 2]; 2], [0.0; 2]);
    for (place, wheels) in [(0.97 - center, ["fl", "fr"]), (-1.047 - center, ["rl", "rr"])] {
        let mut both = wheels.map(measured);
        if single {
            both = [std::array::from_fn(|i| 0.5 * (both[0][i] + both[1][i])); 2];
        }
        for [load, steer, lean] in both {
            let (cornering, camber, trail) = linear_tyre(load);
            // F = −C (β + x r/V − δ) − C_γ γ; unknowns β and r.
            for (k, arm) in [1.0, place - trail].into_iter().enumerate() {
                matrix[k][0] -= arm * cornering;
                matrix[k][1] -= arm * cornering * place / speed;
                right[k] -= arm * (cornering * steer - camber * lean);
            }
        }
    }
    matrix[0][1] -= mass * speed;
    let determinant = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
    (matrix[0][0] * right[1] - matrix[1][0] * right[0]) / determinant
}

#[test]
fn a_steady_turn_follows_the_understeer_of_the_bicycle_model() {
    // A quarter of the steering of the file: 0.08 g, where the Calspan law has lost 2.5% of its initial slope. A
    // fifth of the yaw rate hangs on that slope, the rest on geometry: 1% is a generous bound.
    let (built, run) = drive(&text("iltis_ramp_steer.toml").replace("to = -0.003", "to = -0.00075"));
    let row = run.time().len() - 2;
    let last = Row(&run, row);
    let (speed, rate) = (last.number("ride.vx"), last.number("chassis.omega.z"));
    let expected = bicycle_yaw_rate(&built, &last, speed, false);
    let textbook = bicycle_yaw_rate(&built, &last, speed, true);
    for wheel in WHEELS {
        let hub = format!("hub_{wheel}");
        let steer = (last.heading(&hub) - last.heading("chassis")).to_degrees();
        let (camber, load) =
            (last.axle(&hub)[2].asin().to_degrees(), last.number(&format!("tyre_{wheel}.force.z")));
        println!("{wheel}: steer {steer:.4}°, camber {camber:.4}°, {load:.0} N");
    }
    let imbalance = imbalance(&built, &run, row);
    println!(
        "{speed:.3} m/s, yaw rate {rate:.5} rad/s (wheel by wheel {expected:.5}, axle by axle {textbook:.5}), {:.3} g",
        speed * rate / 9.81
    );
    println!("balance of side force and rolling moment: {imbalance:?}");
    assert!((rate / expected - 1.0).abs() < 0.01, "{rate} instead of {expected}");
    assert!(imbalance.iter().all(|error| *error < 1e-5), "{imbalance:?}");
    // Steady: the rate has not changed for half a second.
    let before = Row(&run, row - 50).number("chassis.omega.z");
    assert!((rate / before - 1.0).abs() < 1e-3);
}

#[test]
fn a_lane_change_balances_momenta_all_along() {
    let (built, run) = drive(&text("iltis_lane_change.toml"));
    let rows = run.time().len();
    let (mut worst, mut most, mut lightest) = ([0.0_f64; 2], 0.0_f64, f64::MAX);
    for row in 1..rows - 1 {
        let found = imbalance(&built, &run, row);
        worst = [worst[0].max(found[0]), worst[1].max(found[1])];
        let here = Row(&run, row);
        most = most.max((here.number("ride.vx") * here.number("chassis.omega.z")).abs() / 9.81);
        for wheel in WHEELS {
            lightest = lightest.min(here.number(&format!("tyre_{wheel}.force.z")));
        }
    }
    let end = Row(&run, rows - 1);
    let (aside, heading) = (end.number("chassis.position.y"), end.heading("chassis"));
    println!(
        "{aside:.2} m aside, heading {:.2}°, up to {most:.2} g, lightest wheel {lightest:.0} N",
        heading.to_degrees()
    );
    println!("largest imbalance of side force and rolling moment: {worst:?}");
    // Central differences over 20 ms of a wave of 2 s with wheel hop at 12 Hz: 1% of the weight.
    assert!(worst.iter().all(|error| *error < 0.01), "{worst:?}");
    assert!((2.0..6.0).contains(&aside) && heading.abs() < 0.1, "{aside} m, {heading} rad");
    assert!(lightest > 0.0, "no wheel lifts: {lightest} N");
}

#[test]
fn an_anti_roll_bar_leaves_heave_alone_and_stiffens_roll() {
    let file = text("anti_roll_bar.toml");
    let together = file.replace("force = [0, 0, -20]", "force = [0, 0, 20]");
    for (name, text, stiffness) in [("roll", &file, 25e3 + 27e3), ("heave", &together, 25e3)] {
        let model = built(text).model;
        // At 1 s the forces act in full.
        let rest = equilibrium(&model, &State::initial(&model, 1.0), &EquilibriumOptions::default()).unwrap();
        let mut recorder =
            Recorder::new(&model, &["arm_left.wheel.position.z".into(), "torsion.angle".into()]).unwrap();
        let mut row = [0.0; 3];
        recorder.sample(&model, &rest.state, 0.0, &mut Workspace::new(&model), &mut row).unwrap();
        let (height, expected) = (row[1], 20.0 / stiffness);
        println!("{name}: wheel {height:.6e} m (expected {expected:.6e}), twist {:.3e} rad", row[2]);
        // Links of 1e8 N/m give way by 3e-4 of the bar, angles of a milliradian err by their squares.
        assert!((height / expected - 1.0).abs() < 1e-3);
        assert!(name == "roll" || row[2].abs() < 1e-9, "heave twists the bar by {}", row[2]);
    }
    let run = built(&file).simulate().unwrap_or_else(|error| panic!("{error}"));
    let balance = run.channel("energy.balance").unwrap().iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    assert!(balance < 1e-6, "energy balance {balance} J");
}

/// A wheel of 60 kg over a level road, 0.1 m above contact.
const BOUNCING: &str = r#"
[model]
name = "bouncing wheel"
gravity = [0, 0, -9.81]

[[body]]
name = "wheel"
mass = 60
inertia = [1, 1, 1]

[[joint]]
name = "guide"
type = "prismatic"
axis = [0, 0, 1]
between = ["ground.origin", "wheel.origin"]
position = 0.46

[[element]]
name = "tyre"
type = "tyre"
between = ["ground.origin", "wheel.origin"]
radius = 0.36
stiffness = 4.6e5

[simulation]
end = 3

[[simulation.event]]
name = "lands"
channel = "tyre.deflection"
direction = "rising"

[[simulation.event]]
name = "leaves"
channel = "tyre.deflection"
direction = "falling"

[output]
channels = ["tyre.*", "energy.*"]
"#;

/// Contacts are lost and found at their instants, once each.
#[test]
fn a_bouncing_tyre_meets_and_leaves_the_road_once_per_bounce() {
    let built = built(BOUNCING);
    let settings = &built.description.simulation;
    let mut recorder = Recorder::new(&built.model, &built.description.output.channels).unwrap();
    let mut recording = Recording::new(recorder.channels());
    let start = State::initial(&built.model, 0.0);
    let outcome =
        run_from(&built.model, settings, start, &mut recorder, &mut recording, &mut |_| true).unwrap();
    // Free fall from 0.1 m, then half a swing about the equilibrium, and up again.
    let (gravity, omega) = (9.81_f64, (4.6e5_f64 / 60.0).sqrt());
    let fall = (2.0 * 0.1 / gravity).sqrt();
    let contact = 2.0 / omega * (std::f64::consts::PI - (gravity * fall * omega / gravity).atan());
    let mut expected = Vec::new();
    let mut time = fall;
    while time < 3.0 {
        expected.push(("lands", time));
        expected.push(("leaves", time + contact));
        time += contact + 2.0 * fall;
    }
    expected.retain(|(_, time)| *time < 3.0);
    assert_eq!(outcome.events.len(), expected.len(), "{:?}", outcome.events);
    for (found, (name, time)) in outcome.events.iter().zip(&expected) {
        assert!(found.name == *name && (found.time - time).abs() < 1e-5, "{found:?}: {name} at {time}");
    }
    println!("{} events, the last {:.1e} s off", expected.len(), {
        let last = outcome.events.len() - 1;
        (outcome.events[last].time - expected[last].1).abs()
    });
}
