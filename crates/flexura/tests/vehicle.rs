//! The Bombardier Iltis of the IAVSD road vehicle benchmark (Frik, Leister & Schwartz, Vehicle System
//! Dynamics 22, 1993) against the published figures and a public Robotran model of it.

use flexura::analysis::{EquilibriumOptions, equilibrium};
use flexura::element_loads::evaluate_element;
use flexura::model::Built;
use flexura::model::description::ElementKindDescription;
use flexura::model::element::{ElementKind, SpringDamper};
use flexura::simulate::run_from;
use flexura::spatial::linear;
use flexura::{Model, Recorder, Recording, State, Workspace, evaluate};

const MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/vehicle/iltis.toml");

fn built(text: &str) -> Built {
    flexura::file::build_text(text, "iltis.toml").unwrap_or_else(|errors| panic!("{errors}")).built
}

/// The model as it is kept.
fn file() -> String {
    std::fs::read_to_string(MODEL).unwrap()
}

/// Tyres as the reference has them at rest: vertical springs at the centre of the wheel.
fn with_vertical_springs() -> Model {
    let mut description = built(&file()).description;
    for element in &mut description.elements {
        if let ElementKindDescription::Frames(ElementKind::Tyre(tyre)) = &element.kind {
            let mut spring = SpringDamper::linear(tyre.radius, tyre.stiffness, 0.0);
            spring.axis = Some([0.0, 0.0, 1.0]);
            element.kind = spring.into();
        }
    }
    description.build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Without side forces of the tyres.
fn without_side_force() -> Model {
    let lines: Vec<String> =
        file().lines().filter(|line| !line.starts_with("calspan")).map(String::from).collect();
    built(&lines.join("\n")).model
}

/// Force of an element along z on its second frame (N).
fn force(model: &Model, state: &State, name: &str) -> [f64; 3] {
    let mut work = Workspace::new(model);
    evaluate(model, state, &mut work).unwrap();
    let element = model.elements.iter().find(|element| element.name == name).unwrap();
    linear(&evaluate_element(model, state, &work.kinematics, &work.poses, element).0.wrench)
}

/// Tension of an element along a line (N): positive pulls.
fn size(force: [f64; 3]) -> f64 {
    force.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn compare(what: &str, found: f64, expected: f64, tolerance: f64) {
    println!("{what}: {found:.5} (reference {expected}, {:+.4}%)", 100.0 * (found / expected - 1.0));
    assert!((found / expected - 1.0).abs() < tolerance, "{what}: {found} instead of {expected}");
}

#[test]
fn forces_in_the_nominal_position() {
    let model = built(&file()).model;
    let state = State::initial(&model, 0.0);
    for (name, expected) in
        [("leaf_fl", 2728.9), ("shock_rr", 128.0), ("tyre_fr", 3829.6), ("tyre_rl", 3593.6)]
    {
        compare(name, size(force(&model, &state, name)), expected, 1e-3);
    }
}

fn at_rest(model: &Model) -> State {
    let start = State::initial(model, 0.0);
    let found = equilibrium(model, &start, &EquilibriumOptions::default()).unwrap();
    println!(
        "equilibrium: {} iterations, residual {:e}, free: {:?}",
        found.iterations, found.residual, found.unheld
    );
    found.state
}

#[test]
fn forces_and_position_at_rest() {
    let model = with_vertical_springs();
    let rest = at_rest(&model);
    // Coordinates of the free joint: quaternion, then position.
    let height = rest.q[6] - 0.57;
    let pitch = 2.0 * rest.q[2].atan2(rest.q[0]).to_degrees();
    compare("height (m)", height, -7.083e-3, 1e-3);
    compare("pitch (degrees)", pitch, 0.1465, 1e-3);
    let expected = [
        ("tyre_fr", 3831.31),
        ("tyre_rr", 3591.91),
        ("shock_fr", 335.29),
        ("shock_rr", 241.64),
        ("leaf_fr", 3068.62),
        ("leaf_rr", 2885.51),
        ("bar_fr", 1408.51),
        ("bar_rr", 1335.52),
    ];
    for (name, expected) in expected {
        compare(name, size(force(&model, &rest, name)), expected, 1e-3);
    }
}

/// Rows of the reference at one speed: time, x, z, pitch, wheels, tyres.
fn reference(speed: &str) -> Vec<Vec<f64>> {
    let text = include_str!("data/iltis_cosine_bump.csv");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.filter(|row| row.split(',').next() == Some(speed))
        .map(|row| row.split(',').skip(1).map(|field| field.parse().unwrap()).collect())
        .collect()
}

/// Over the bump at `speed`, from rest in the vertical.
fn over_the_bump(speed: f64) -> Recording {
    let spin = |radius: f64| format!("{:.10}", speed / radius);
    let text = [0.364325, 0.363812].iter().fold(file(), |text, &radius| {
        let old = format!("polynomial = [0, {:.10}", 5.0 / radius);
        text.replace(&old[..old.len() - 3], &format!("polynomial = [0, {}", spin(radius)))
    });
    let Built { model, description, .. } = &built(&text);
    let mut start = at_rest(model);
    // Speeds of the free joint are in the axes of the chassis, which is pitched at rest.
    let pitch = 2.0 * start.q[2].atan2(start.q[0]);
    (start.v[3], start.v[5]) = (speed * pitch.cos(), speed * pitch.sin());
    let mut settings = description.simulation.clone();
    settings.output_interval = 1e-3;
    let mut recorder = Recorder::new(model, &["*".into()]).unwrap();
    let mut recording = Recording::new(recorder.channels());
    let outcome = run_from(model, &settings, start, &mut recorder, &mut recording, &mut |_| true).unwrap();
    println!("{speed} m/s: {:?}", outcome.statistics);
    recording
}

#[test]
fn over_a_cosine_bump() {
    for (speed, word) in [(5.0, "5"), (10.0, "10")] {
        let recording = over_the_bump(speed);
        println!(
            "{:?}",
            recording
                .names()
                .iter()
                .filter(|n| n.contains("ride") || n.contains("wheel_fl"))
                .collect::<Vec<_>>()
        );
        let time = recording.time();
        let channel = |name: &str| recording.channel(name).unwrap();
        let found = [
            channel("wheel_fl.position.z"),
            channel("wheel_rl.position.z"),
            channel("tyre_fl.force.z"),
            channel("tyre_rl.force.z"),
            channel("chassis.position.z"),
        ];
        for row in reference(word) {
            let at = |values: &Vec<f64>| {
                let k = ((row[0] / 1e-3) as usize).min(values.len() - 2);
                let part = (row[0] - time[k]) / (time[k + 1] - time[k]);
                values[k] + part * (values[k + 1] - values[k])
            };
            println!(
                "{:.3} z {:.4} {:.4} wheel {:.4} {:.4} rear {:.4} {:.4} tyre {:.0} {:.0} rear {:.0} {:.0}",
                row[0],
                at(&found[4]),
                row[2],
                at(&found[0]),
                row[4],
                at(&found[1]),
                row[5],
                at(&found[2]),
                row[6],
                at(&found[3]),
                row[7]
            );
        }
    }
}
