//! The Iltis with flexible parts under sine steer, from rest on its springs: both formulations, and the rigid vehicle.

use flexura::State;
use flexura::analysis::{EquilibriumOptions, equilibrium, keep_free_speeds};
use flexura::build::Built;
use flexura::simulate::run_from;
use flexura::{Recorder, Recording};
use flexura_validate::vehicle::{VEHICLE, VEHICLE_FLEXIBLE, built};

/// The front rods hang on a driven rack: its frames are those that the rods have on the chassis.
const RACK: &str = r#"
[[body]]
name = "rack"
mass = 0.1
inertia = [1e-3, 1e-3, 1e-3]
frame = [
    { name = "rod_fl", position = [0, -0.07, 0], rotation = { matrix = [[0, 0, 1], [-0.9837447502, 0.1795724544, 0], [-0.1795724544, -0.9837447502, 0]] } },
    { name = "rod_fr", position = [0, 0.07, 0], rotation = { matrix = [[0, -0, 1], [0.9837447502, 0.1795724544, 0], [-0.1795724544, 0.9837447502, 0]] } },
]

[[joint]]
name = "steering"
type = "prismatic"
axis = [0, 1, 0]
between = ["chassis.rack", "rack.origin"]
motion = { piecewise = { breaks = [0.3, 0.9], pieces = [
    { cycloidal = { from = 0, to = -0.006, duration = 0.3 } },
    { cycloidal = { from = -0.006, to = 0.006, start = 0.3, duration = 0.6 } },
    { cycloidal = { from = 0.006, to = 0, start = 0.9, duration = 0.3 } },
] } }

[simulation]
"#;

/// A vehicle of the stepped road on a level one at 20 m/s, steered.
fn steered(text: &str, formulation: &str) -> Built {
    let steps = "road = [{ step = { at = 6, height = -0.1 } }, { step = { at = 16, height = -0.1 } }, { step = { at = 26, height = -0.1 } }]";
    assert!(text.contains(steps));
    let text = text
        .replace(steps, "")
        .replace(
            "frame = [\n    { name = \"hinge_fl\"",
            "frame = [\n    { name = \"rack\", position = [0.83, 0, 0.03] },\n    { name = \"hinge_fl\"",
        )
        .replace("\"chassis.rod_fl\"", "\"rack.rod_fl\"")
        .replace("\"chassis.rod_fr\"", "\"rack.rod_fr\"")
        .replace("speed = [0, 0, 0, 5, 0, 0]", "speed = [0, 0, 0, 20, 0, 0]")
        .replace("13.72401016", "54.89604063")
        .replace("13.74336196", "54.97344783")
        .replace("step = 0.01", "step = 0.005")
        .replace("[simulation]\n", &format!("{RACK}{formulation}"));
    built(&text, "steered").unwrap_or_else(|fault| panic!("{}", fault.0))
}

/// Yaw rate and height of the chassis, from rest on the springs.
fn drive(built: &Built, end: f64) -> [Vec<f64>; 2] {
    let model = &built.model;
    let start = State::initial(model, 0.0);
    let mut rest = equilibrium(model, &start, &EquilibriumOptions::default()).expect("at rest").state;
    keep_free_speeds(model, &start, &mut rest);
    let names = ["chassis.omega.z", "chassis.position.z"];
    let mut recorder = Recorder::new(model, &names.map(String::from)).expect("channels");
    let mut rows = Recording::new(recorder.channels());
    let mut settings = built.description.simulation.clone();
    settings.end = end;
    run_from(model, &settings, rest, &mut recorder, &mut rows, &mut |_| true)
        .unwrap_or_else(|error| panic!("{error}"));
    names.map(|name| rows.channel(name).expect("recorded"))
}

fn apart(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).fold(0.0, |most, (a, b)| if (a - b).abs() <= most { most } else { (a - b).abs() })
}

/// It once failed in its first step. Flexible parts give way to side forces: the yaw rate is that of the rigid vehicle
/// to a tenth, and both formulations agree to 1 % of it.
#[test]
fn a_flexible_vehicle_is_steered_from_rest_on_its_springs() {
    let end = 0.8;
    let flexible = drive(&steered(VEHICLE_FLEXIBLE, ""), end);
    let natural = drive(&steered(VEHICLE_FLEXIBLE, "formulation = \"global\"\n"), end);
    let rigid = drive(&steered(VEHICLE, ""), end);
    let most = flexible[0].iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    println!(
        "yaw rate {most:.4} rad/s; formulations {:.2e} rad/s, {:.2e} m apart; rigid {:.2e} rad/s, {:.2e} m",
        apart(&flexible[0], &natural[0]),
        apart(&flexible[1], &natural[1]),
        apart(&flexible[0], &rigid[0]),
        apart(&flexible[1], &rigid[1])
    );
    assert!(most > 0.1, "{most}");
    assert!(apart(&flexible[0], &natural[0]) < 0.01 * most);
    assert!(apart(&flexible[0], &rigid[0]) < 0.1 * most);
}
