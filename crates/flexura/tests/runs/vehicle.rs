//! The Bombardier Iltis of the IAVSD road vehicle benchmark (Frik, Leister & Schwartz, Vehicle System
//! Dynamics 22, 1993) against the published figures and a public Robotran model of it.

use flexura::analysis::{EquilibriumOptions, Mode, equilibrium, keep_free_speeds, linearize, modes};
use flexura::build::Built;
use flexura::force::element::evaluate_element;
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

/// Force of an element along z on its second frame (N).
fn force(model: &Model, state: &State, name: &str) -> [f64; 3] {
    let mut work = Workspace::new(model);
    evaluate(model, state, &mut work).unwrap();
    let element = model.elements.iter().find(|element| element.name == name).unwrap();
    linear(&evaluate_element(model, state, &work.motion, element).0.wrench)
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
    let text = include_str!("../data/iltis_cosine_bump.csv");
    let rows = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    rows.filter(|row| row.split(',').next() == Some(speed))
        .map(|row| row.split(',').skip(1).map(|field| field.parse().unwrap()).collect())
        .collect()
}

/// The model with wheels that roll at `speed`, and its state at rest in the vertical moving forward.
fn at_speed(speed: f64) -> (Built, State) {
    let text = [0.364325, 0.363812].iter().fold(file(), |text, &radius| {
        let rolling = |speed: f64| format!("polynomial = [0, {:.7}", speed / radius);
        text.replace(&rolling(5.0)[..21], &rolling(speed))
    });
    let built = built(&text);
    let mut start = at_rest(&built.model);
    // Speeds of the free joint are in the axes of the chassis, which is pitched at rest.
    let pitch = 2.0 * start.q[2].atan2(start.q[0]);
    (start.v[3], start.v[5]) = (speed * pitch.cos(), speed * pitch.sin());
    (built, start)
}

fn over_the_bump(speed: f64) -> Recording {
    let (Built { model, description, .. }, start) = &at_speed(speed);
    let mut settings = description.simulation.clone();
    settings.output_interval = 1e-3;
    let channels = ["chassis.position.z", "wheel_?l.position.z", "tyre_?l.force.z"].map(String::from);
    let mut recorder = Recorder::new(model, &channels).unwrap();
    let mut recording = Recording::new(recorder.channels());
    run_from(model, &settings, start.clone(), &mut recorder, &mut recording, &mut |_| true).unwrap();
    recording
}

/// Largest difference of a channel from column `column` of the reference, over its range; the reference
/// may be early or late by `shift` milliseconds.
fn deviation(recording: &Recording, name: &str, rows: &[Vec<f64>], column: usize, shift: usize) -> f64 {
    let (time, values) = (recording.time(), recording.channel(name).unwrap());
    let at = |t: f64| {
        let k = ((t / 1e-3).max(0.0) as usize).min(values.len() - 2);
        values[k] + (t - time[k]) / (time[k + 1] - time[k]) * (values[k + 1] - values[k])
    };
    let all = || rows.iter().map(|row| row[column]);
    let range = all().fold(f64::MIN, f64::max) - all().fold(f64::MAX, f64::min);
    let mut worst = 0.0_f64;
    for row in rows {
        let late = (0..=2 * shift).map(|k| (k as f64 - shift as f64) * 1e-3);
        let nearest = late.map(|late| (at(row[0] + late) - row[column]).abs()).fold(f64::MAX, f64::min);
        worst = worst.max(nearest / range);
    }
    println!("{name}: {:.2}% of its range, {shift} ms allowed", 100.0 * worst);
    worst
}

#[test]
fn over_a_cosine_bump() {
    // At 10 m/s the wheels fly: where they land, forces rise by 2% of their range in a millisecond.
    for (speed, word, shift) in [(5.0, "5", 0), (10.0, "10", 3)] {
        let (recording, rows) = (over_the_bump(speed), reference(word));
        let heights = [("chassis.position.z", 2), ("wheel_fl.position.z", 4), ("wheel_rl.position.z", 5)];
        for (name, column) in heights {
            assert!(deviation(&recording, name, &rows, column, 0) < 0.02, "{name} at {speed} m/s");
        }
        for (name, column) in [("tyre_fl.force.z", 6), ("tyre_rl.force.z", 7)] {
            deviation(&recording, name, &rows, column, 0);
            assert!(deviation(&recording, name, &rows, column, shift) < 0.02, "{name} at {speed} m/s");
        }
    }
}

/// Eigenvalues of the linear vehicle of the reference, non-negative imaginary parts (1/s).
const EIGENVALUES: [(f64, f64); 9] = [
    (-6.682, 0.0),
    (-3.990, 8.064),
    (-3.688, 9.096),
    (-5.382, 9.258),
    (-44.03, 0.0),
    (-26.56, 71.35),
    (-29.68, 80.67),
    (-29.38, 81.65),
    (-29.37, 84.77),
];

fn linear_file() -> String {
    std::fs::read_to_string(MODEL.replace("iltis.toml", "iltis_linear.toml")).unwrap()
}

/// Eigenvalues that are not zero at a state.
fn eigenvalues_at(model: &Model, state: &State) -> Vec<Mode> {
    let system = linearize(model, state, &[], &[]).unwrap();
    modes(&system).unwrap().into_iter().filter(|mode| mode.frequency() > 0.1).collect()
}

/// The laws of the reference, with their peculiarities, give its figures.
#[test]
fn eigenvalues_of_the_linear_vehicle() {
    let model = built(&linear_file()).model;
    let state = State::initial(&model, 0.0);
    let mut work = Workspace::new(&model);
    evaluate(&model, &state, &mut work).unwrap();
    let largest = work.accelerations.chidot.iter().fold(0.0_f64, |most, a| most.max(a.abs()));
    assert!(largest < 0.01, "the efforts balance the forces: {largest} m/s²");
    let found = eigenvalues_at(&model, &state);
    assert_eq!(found.len(), EIGENVALUES.len());
    for (real, imaginary) in EIGENVALUES {
        let distance = |mode: &Mode| (mode.real - real).hypot(mode.imaginary - imaginary);
        let nearest = found.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
        let error = distance(nearest) / real.hypot(imaginary);
        println!(
            "{:.3} {:+.3}i (reference {real} {imaginary:+}i, {:.3}%)",
            nearest.real,
            nearest.imaginary,
            100.0 * error
        );
        assert!(error < 0.01, "{real} {imaginary:+}i: {} {:+}i", nearest.real, nearest.imaginary);
    }
}

/// The same vehicle with springs that are relaxed where the real ones are, and a tyre whose moments come from its
/// trail: what its eigenvalues would be without the peculiarities of the reference.
#[test]
fn eigenvalues_of_a_balanced_linear_vehicle() {
    let mut text = linear_file();
    // Forces of 335.29 and 241.64 N push at rest, at lengths of 0.434874 and 0.437943 m.
    for (stiffness, relaxed) in [(24529, 0.434874 + 335.29 / 24529.0), (36975, 0.437943 + 241.64 / 36975.0)] {
        let old = format!("free_length = 0\nstiffness = {stiffness}");
        assert!(text.contains(&old));
        text = text.replace(&old, &format!("free_length = {relaxed}\nstiffness = {stiffness}"));
    }
    for (cornering, camber, trail) in [(41641.0, 6925, 0.06553), (40162.0, 6600, 0.06142)] {
        let old = format!(
            "cornering = {cornering}, aligning = {cornering}, overturning = {camber}, trail = {trail}"
        );
        assert!(text.contains(&old));
        let new = format!("cornering = {cornering}, camber = {camber}, aligning = {}", cornering * trail);
        text = text.replace(&old, &new);
    }
    let lines = text.lines().filter(|line| !line.starts_with("effort =") && !line.starts_with("slip_point"));
    let model = built(&lines.collect::<Vec<_>>().join("\n")).model;
    let start = State::initial(&model, 0.0);
    let mut rest = equilibrium(&model, &start, &EquilibriumOptions::default()).unwrap().state;
    keep_free_speeds(&model, &start, &mut rest);
    let found = eigenvalues_at(&model, &rest);
    for mode in &found {
        println!("{:.3} {:+.3}i", mode.real, mode.imaginary);
        assert!(mode.real < 0.0, "{mode:?}");
    }
    // Wheel hop hangs on tyre stiffness and shock damping, which are the same.
    for (real, imaginary) in &EIGENVALUES[5..] {
        let distance = |mode: &Mode| (mode.real - real).hypot(mode.imaginary - imaginary);
        let nearest = found.iter().map(distance).fold(f64::MAX, f64::min);
        assert!(nearest < 0.05 * real.hypot(*imaginary), "{real} {imaginary:+}i");
    }
}

#[test]
fn a_vehicle_at_rest_on_its_springs_goes_on_rolling() {
    let model = built(&file()).model;
    let start = State::initial(&model, 0.0);
    let mut rest = equilibrium(&model, &start, &EquilibriumOptions::default()).unwrap().state;
    keep_free_speeds(&model, &start, &mut rest);
    let pitch = 2.0 * rest.q[2].atan2(rest.q[0]);
    // Speeds of the free joint are in the axes of the chassis, which is pitched: the start has 5 m/s along its own x.
    let forward = rest.v[3] * pitch.cos() + rest.v[5] * pitch.sin();
    let up = rest.v[5] * pitch.cos() - rest.v[3] * pitch.sin();
    assert!((forward - 5.0 * pitch.cos()).abs() < 1e-9, "{forward}");
    assert!(up.abs() < 1e-9, "{up}");
}
