//! Equilibrium, linear systems and modes against closed forms and published figures.

use flexura::analysis::{EquilibriumOptions, equilibrium, frequency_response, linearize, modes};
use flexura::beam::{BeamMode, Boundary, ModeCounts, ModeKind, Section, SectionConstants, Shape};
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura::{Model, State, Workspace, evaluate};

fn polynomial(kind: ModeKind, power: usize) -> BeamMode {
    let mut coefficients = vec![0.0; power + 1];
    coefficients[power] = 1.0;
    BeamMode { kind, shape: Shape::Polynomial(coefficients) }
}

fn settled(model: &Model) -> State {
    let start = State::initial(model, 0.0);
    equilibrium(model, &start, &EquilibriumOptions::default()).expect("equilibrium").state
}

fn clamped(beam: BeamDescription, gravity: [f64; 3]) -> Model {
    Description::new("clamped")
        .gravity(gravity)
        .body(BodyDescription::beam("beam", beam).station("tip", 2.0))
        .joint(JointDescription::weld("wall", ["ground.origin", "beam.origin"]))
        .build()
        .expect("valid")
        .model
}

fn tip(model: &Model, state: &State) -> [f64; 3] {
    use flexura::motion::observe::frame_motion;
    let mut work = Workspace::new(model);
    evaluate(model, state, &mut work).unwrap();
    work.poses(model, state);
    let frame = model.frame("beam.tip").expect("frame");
    let (chidot, alpha) = (&work.accelerations.chidot, &work.accelerations.acceleration);
    frame_motion(model, state, &work.motion, alpha, chidot, &model.frames[frame.0]).position
}

/// Cantilever under its weight: w = q L⁴ / 8EI, exact with shapes x², x³, x⁴; the load is small enough
/// (w/L = 2e-7) for the linear solution to hold to 1e-9.
#[test]
fn cantilever_sags_by_the_closed_form() {
    let section = Section::Rectangle { width_y: 0.02, height_z: 0.01 };
    let mut beam = BeamDescription::new(2.0, 2700.0, 70e13, 26e13, section);
    beam.modes = (2..=4).map(|p| polynomial(ModeKind::BendingZ, p)).collect();
    let model = clamped(beam, [0.0, 0.0, -9.81]);
    let exact = 2700.0 * 2e-4 * 9.81 * 16.0 / (8.0 * 70e13 * 0.02 * 1e-6 / 12.0);
    let found = -tip(&model, &settled(&model))[2];
    assert!((found / exact - 1.0).abs() < 1e-9, "{found} {exact}");
}

/// A bar hanging in gravity stretches by ρ g L² / 2E, exact with shapes x, x².
#[test]
fn hanging_bar_stretches_by_the_closed_form() {
    let section = Section::Circle { radius: 0.01 };
    let mut beam = BeamDescription::new(2.0, 7800.0, 2e11, 8e10, section);
    beam.modes = (1..=2).map(|p| polynomial(ModeKind::Axial, p)).collect();
    let model = clamped(beam, [9.81, 0.0, 0.0]);
    let found = tip(&model, &settled(&model))[0] - 2.0;
    let exact = 7800.0 * 9.81 * 4.0 / (2.0 * 2e11);
    assert!((found / exact - 1.0).abs() < 1e-8, "{found} {exact}");
}

/// A flexible chain settled statically stays at rest when simulated from there.
#[test]
fn equilibrium_stays_at_rest() {
    let section = Section::Rectangle { width_y: 0.02, height_z: 0.03 };
    let counts = ModeCounts { bending_z: 2, ..Default::default() };
    let mut description = Description::new("hanging chain");
    let mut previous = "ground.origin".to_string();
    for i in 0..4 {
        let beam =
            BeamDescription::new(1.0, 2700.0, 70e9, 26e9, section).modes(Boundary::ClampedFree, counts);
        let name = format!("link{i}");
        let spring =
            CoordinateDescription { stiffness: 400.0, rest: 0.2, damping: 5.0, ..Default::default() };
        description = description.body(BodyDescription::beam(&name, beam).station("end", 1.0)).joint(
            JointDescription::revolute(
                &format!("pin{i}"),
                [&previous, &format!("{name}.origin")],
                [0.0, 1.0, 0.0],
            )
            .position(&[0.3])
            .coordinates(vec![spring]),
        );
        previous = format!("{name}.end");
    }
    let model = description.build().expect("valid").model;
    let state = settled(&model);
    let mut work = Workspace::new(&model);
    evaluate(&model, &state, &mut work).unwrap();
    let gravity_free_fall = 9.81;
    let largest = work.accelerations.chidot.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    assert!(largest < 1e-9 * gravity_free_fall * 1e2, "accelerations at equilibrium {largest:e}");
    let mut integrator = flexura::integrate::Integrator::new(&model, &MethodDescription::Rk4 { step: 1e-4 });
    let mut moving = state.clone();
    while moving.time < 0.1 {
        integrator.step(&model, &mut moving, &mut work, 0.1).unwrap();
    }
    let drift = moving.q.iter().zip(&state.q).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    assert!(drift < 1e-12, "drift {drift:e}");
}

/// What nothing holds is named.
#[test]
fn unheld_coordinates_are_named() {
    let model = Description::new("sled")
        .body(BodyDescription::point_mass("sled", 1.0))
        .joint(JointDescription::prismatic("rail", ["ground.origin", "sled.origin"], [1.0, 0.0, 0.0]))
        .build()
        .unwrap()
        .model;
    let start = State::initial(&model, 0.0);
    let found = equilibrium(&model, &start, &EquilibriumOptions::default()).expect("neutral");
    assert!(found.residual < 1e-12);
    let tilted = Description { gravity: [1.0, 0.0, -9.81], ..description_of_sled() }.build().unwrap().model;
    let error = equilibrium(&tilted, &start, &EquilibriumOptions::default()).unwrap_err();
    assert!(error.to_string().contains("rail.displacement"), "{error}");
}

fn description_of_sled() -> Description {
    Description::new("sled")
        .body(BodyDescription::point_mass("sled", 1.0))
        .joint(JointDescription::prismatic("rail", ["ground.origin", "sled.origin"], [1.0, 0.0, 0.0]))
}

/// A unit beam (EI = ρA = L = 1) turning at `speed` about z, bending in both planes.
fn spinning_beam(speed: f64, slenderness: Option<f64>, level: InertiaLevel) -> Model {
    // Nearly no rotary inertia: EI = 1 with E huge and I small. The two planes differ by 1e-4 only to
    // keep their names apart.
    let (young, inertia) = match slenderness {
        Some(s) => (s * s, 1.0 / (s * s)),
        None => (1e8, 1e-8),
    };
    let constants = SectionConstants {
        area: 1.0,
        inertia_y: inertia,
        inertia_z: inertia * (1.0 + 1e-4),
        torsion: inertia,
    };
    let axial = if slenderness.is_some() { 4 } else { 0 };
    let counts = ModeCounts { bending_y: 6, bending_z: 6, axial, ..Default::default() };
    let mut beam = BeamDescription::new(1.0, 1.0, young, 0.4 * young, Section::General(constants))
        .modes(Boundary::ClampedFree, counts);
    beam.rotary_inertia = false;
    Description::new("spinning beam")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("beam", beam).level(level))
        .joint(
            JointDescription::revolute("hub", ["ground.origin", "beam.origin"], [0.0, 0.0, 1.0])
                .motion(TimeFunction::Polynomial { coefficients: vec![0.0, speed] }),
        )
        .build()
        .expect("valid")
        .model
}

/// First frequency whose mode lives mainly in the named coordinates.
fn first_frequency(model: &Model, range: std::ops::Range<usize>) -> f64 {
    let state = settled(model);
    let system = linearize(model, &state, &[], &[]).expect("linear system");
    let list = modes(&system).expect("modes");
    let share = |shape: &[(f64, f64)]| {
        let size = |i: usize| shape[i].0.powi(2) + shape[i].1.powi(2);
        range.clone().map(size).sum::<f64>() / (0..shape.len()).map(size).sum::<f64>()
    };
    list.iter()
        .filter(|mode| share(&mode.shape) > 0.5)
        .map(|mode| mode.imaginary)
        .fold(f64::INFINITY, f64::min)
}

/// Rotating cantilever, hub radius zero: flap and chord frequencies of the exact rotating-beam problem
/// (Wright et al. 1982; Yoo & Shin 1998; converged Ritz values of the benchmark set, trust T1).
#[test]
fn rotating_beam_frequencies_without_stretch() {
    let table =
        [(0.0, 3.51602, 3.51602), (1.0, 3.68165, 3.54324), (2.0, 4.13732, 3.62180), (3.0, 4.79728, 3.74351)];
    for (speed, flap, chord) in table.into_iter().chain([(10.0, 11.20233, 5.04897)]) {
        let model = spinning_beam(speed, None, InertiaLevel::Consistent);
        // Modes in order: bending y (chord) 0..6, bending z (flap) 6..12.
        let found = (first_frequency(&model, 6..12), first_frequency(&model, 0..6));
        assert!((found.0 / flap - 1.0).abs() < 5e-3, "flap at {speed}: {} expected {flap}", found.0);
        assert!((found.1 / chord - 1.0).abs() < 5e-3, "chord at {speed}: {} expected {chord}", found.1);
    }
}

/// With gyroscopic stretch coupling at slenderness 70 (same sources): 0.5 % at level consistent.
#[test]
fn rotating_beam_chord_frequencies_with_stretch() {
    for (speed, chord) in [(2.0, 3.61957), (10.0, 4.97002)] {
        let model = spinning_beam(speed, Some(70.0), InertiaLevel::Consistent);
        let found = first_frequency(&model, 4..10);
        assert!((found / chord - 1.0).abs() < 5e-3, "chord at {speed}: {found} expected {chord}");
    }
}

/// A damped oscillator: eigenvalues, damping ratio and frequency response in closed form.
#[test]
fn oscillator_modes_and_response() {
    let (m, k, c) = (2.0, 50.0, 1.2);
    let spring = CoordinateDescription { stiffness: k, damping: c, ..Default::default() };
    let model = Description::new("oscillator")
        .gravity([0.0; 3])
        .body(BodyDescription::point_mass("mass", m))
        .joint(
            JointDescription::prismatic("slide", ["ground.origin", "mass.origin"], [1.0, 0.0, 0.0])
                .coordinates(vec![spring]),
        )
        .force("push", "mass.origin", [1.0, 0.0, 0.0], Some(TimeFunction::Constant(0.0)))
        .build()
        .unwrap()
        .model;
    let state = State::initial(&model, 0.0);
    let inputs = ["slide.effort".to_string(), "push".to_string()];
    let system = linearize(&model, &state, &inputs, &["slide.displacement".into()]).unwrap();
    let mode = &modes(&system).unwrap()[0];
    assert!(
        (mode.frequency() - 5.0).abs() < 1e-12 && (mode.damping_ratio() - c / (2.0 * 10.0)).abs() < 1e-12
    );
    let omega = 4.0;
    let response = frequency_response(&system, omega).unwrap();
    let (re, im) = (k - m * omega * omega, c * omega);
    let size = re * re + im * im;
    for (a, b) in response {
        assert!((a - re / size).abs() < 1e-14 && (b + im / size).abs() < 1e-14);
    }
}

/// A, B, C, D predict the nonlinear simulation of a small perturbation of a flexible spatial system.
#[test]
fn linear_system_predicts_small_motion() {
    let section = Section::Circle { radius: 0.01 };
    let counts = ModeCounts { bending_y: 2, bending_z: 2, torsion: 1, ..Default::default() };
    let beam = BeamDescription::new(1.0, 2700.0, 70e9, 26e9, section).modes(Boundary::ClampedFree, counts);
    let hinge = CoordinateDescription { stiffness: 30.0, damping: 0.3, ..Default::default() };
    let model = Description::new("small motion")
        .body(BodyDescription::rigid("hub", 2.0, [0.02, 0.03, 0.04]).frame("mount", [0.1, 0.0, 0.05]))
        .body(BodyDescription::beam("boom", beam).station("tip", 1.0))
        .joint(
            JointDescription::spherical("ball", ["ground.origin", "hub.origin"]).coordinates(vec![hinge; 3]),
        )
        .joint(JointDescription::weld("clamp", ["hub.mount", "boom.origin"]))
        .build()
        .unwrap()
        .model;
    let state = settled(&model);
    let outputs = vec!["boom.tip.position.z".to_string(), "boom.tip.acceleration.z".to_string()];
    let system = linearize(&model, &state, &["ball.effort.2".into()], &outputs).unwrap();
    let n = system.states.len();
    // Perturb the state along a random direction and compare ẋ and y with differences of the engine.
    let h = 1e-6;
    let direction: Vec<f64> = (0..n).map(|i| ((i * 37 % 11) as f64 - 5.0) / 5.0).collect();
    let value = |sign: f64| {
        let mut moved = state.clone();
        let half = n / 2;
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let step: Vec<f64> = (part.joint_v()).map(|i| sign * h * direction[i]).collect();
            for r in 0..part.modes {
                moved.q[part.q + r] += sign * h * direction[part.v + r];
            }
            let kind = &model.joints[k].joint.kind;
            kind.retract(&state.q[part.joint_q()], &step, &mut moved.q[part.joint_q()]);
        }
        for i in 0..half {
            moved.v[i] += sign * h * direction[half + i];
        }
        let mut work = Workspace::new(&model);
        let mut recorder = flexura::Recorder::new(&model, &outputs).unwrap();
        let mut row = [0.0; 3];
        recorder.sample(&model, &moved, 0.0, &mut work, &mut row).unwrap();
        (work.accelerations.chidot.clone(), row)
    };
    let (plus, minus) = (value(1.0), value(-1.0));
    for i in 0..n / 2 {
        let expected = (plus.0[i] - minus.0[i]) / (2.0 * h);
        let found: f64 = (0..n).map(|j| system.a[(n / 2 + i) * n + j] * direction[j]).sum();
        assert!((found - expected).abs() < 1e-5 * (1.0 + expected.abs()), "row {i}: {found} {expected}");
    }
    for o in 0..2 {
        let expected = (plus.1[o + 1] - minus.1[o + 1]) / (2.0 * h);
        let found: f64 = (0..n).map(|j| system.c[o * n + j] * direction[j]).sum();
        assert!((found - expected).abs() < 1e-5 * (1.0 + expected.abs()), "output {o}: {found} {expected}");
    }
}

/// Decay of the first bending mode for every way to give damping: −Re λ = ζω for ratios, c/2m for
/// coefficients, (α + βω²)/2 for Rayleigh, τω²/2 for Kelvin-Voigt.
#[test]
fn every_form_of_damping_decays_as_the_theory_says() {
    let bare = || {
        let section = Section::Rectangle { width_y: 0.02, height_z: 0.01 };
        let mut beam = BeamDescription::new(2.0, 2700.0, 70e9, 26e9, section);
        beam.modes = vec![BeamMode { kind: ModeKind::BendingZ, shape: Shape::ClampedFreeBending(1) }];
        beam
    };
    let first = |damping: DampingDescription| {
        let model = clamped(bare().damping(damping), [0.0; 3]);
        let system = linearize(&model, &State::initial(&model, 0.0), &[], &[]).unwrap();
        let mode = modes(&system).unwrap().remove(0);
        let mut work = Workspace::new(&model);
        evaluate(&model, &State::initial(&model, 0.0), &mut work).unwrap();
        (-mode.real, mode.frequency(), work.inertias.modal[0])
    };
    let (undamped, omega, mass) = first(DampingDescription::None);
    assert!(undamped.abs() < 1e-9 * omega);
    let cases = [
        (DampingDescription::Ratios(vec![0.03]), 0.03 * omega),
        (DampingDescription::Coefficients(vec![0.4]), 0.4 / (2.0 * mass)),
        (DampingDescription::Matrix(vec![0.4]), 0.4 / (2.0 * mass)),
        (DampingDescription::Rayleigh { mass: 0.5, stiffness: 1e-4 }, (0.5 + 1e-4 * omega * omega) / 2.0),
        (DampingDescription::KelvinVoigt { time: 2e-4 }, 2e-4 * omega * omega / 2.0),
    ];
    for (damping, expected) in cases {
        let label = format!("{damping:?}");
        let (found, ..) = first(damping);
        assert!((found / expected - 1.0).abs() < 1e-9, "{label}: {found} expected {expected}");
    }
}

/// Level full carries the centrifugal pre-stretch into the chord frequency: 5.056 at gamma = 10 instead of
/// 4.970 (benchmark set, section on machines); level consistent does not.
#[test]
fn level_full_shows_the_pre_stretch() {
    let model = spinning_beam(10.0, Some(70.0), InertiaLevel::Full);
    let found = first_frequency(&model, 4..10);
    assert!((found / 5.056 - 1.0).abs() < 5e-3, "{found}");
}

/// A free satellite, two booms on a hub: six rigid-body modes, and with a very heavy hub every boom
/// rings like a cantilever.
#[test]
fn free_satellite_has_rigid_modes_and_cantilever_booms() {
    let section = Section::Circle { radius: 0.01 };
    let counts = ModeCounts { bending_z: 1, ..Default::default() };
    let boom = || BeamDescription::new(2.0, 2700.0, 70e9, 26e9, section).modes(Boundary::ClampedFree, counts);
    let half_turn = RotationDescription::AxisAngle { axis: [0.0, 0.0, 1.0], angle: std::f64::consts::PI };
    let model = Description::new("satellite")
        .gravity([0.0; 3])
        .body(BodyDescription::rigid("hub", 1e9, [1e9; 3]).frame("right", [0.5, 0.0, 0.0]).frame_at(
            "left",
            Place::Origin,
            [-0.5, 0.0, 0.0],
            half_turn,
        ))
        .body(BodyDescription::beam("one", boom()))
        .body(BodyDescription::beam("two", boom()))
        .joint(JointDescription::free("float", ["ground.origin", "hub.origin"]))
        .joint(JointDescription::weld("w1", ["hub.right", "one.origin"]))
        .joint(JointDescription::weld("w2", ["hub.left", "two.origin"]))
        .build()
        .expect("valid")
        .model;
    let system = linearize(&model, &State::initial(&model, 0.0), &[], &[]).unwrap();
    let values = flexura::analysis::eigenvalues(&system.a, system.states.len()).unwrap();
    let inertia = std::f64::consts::PI * 1e-8 / 4.0;
    let area = std::f64::consts::PI * 1e-4;
    // Rotary inertia of the slender section lowers this by 1e-5 only.
    let cantilever = 1.875104068711961_f64.powi(2) * (70e9 * inertia / (2700.0 * area * 16.0)).sqrt();
    let still = values.iter().filter(|z| z.0.hypot(z.1) < 1e-6 * cantilever).count();
    assert_eq!(still, 12, "six rigid-body modes, position and speed each: {values:?}");
    for z in &values[12..] {
        assert!((z.1.abs() / cantilever - 1.0).abs() < 1e-4, "{} expected {cantilever}", z.1);
    }
}

/// Frequency response against the simulation: a harmonic effort drives a damped flexible arm until the
/// transient is gone; amplitude and phase of the angle are those of G(iω).
#[test]
fn frequency_response_matches_a_driven_simulation() {
    let (amplitude, omega) = (1e-3, 7.0);
    let section = Section::Rectangle { width_y: 0.004, height_z: 0.04 };
    let counts = ModeCounts { bending_y: 2, ..Default::default() };
    let beam = BeamDescription::new(1.0, 2700.0, 70e9, 26e9, section)
        .modes(Boundary::ClampedFree, counts)
        .damping(DampingDescription::Ratios(vec![0.05; 2]));
    let drive = TimeFunction::Harmonic { offset: 0.0, amplitude, angular_frequency: omega, phase: 0.0 };
    let motor =
        CoordinateDescription { stiffness: 20.0, damping: 2.0, effort: Some(drive), ..Default::default() };
    let built = Description::new("driven arm")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("arm", beam))
        .joint(
            JointDescription::revolute("motor", ["ground.origin", "arm.origin"], [0.0, 0.0, 1.0])
                .coordinates(vec![motor]),
        )
        .run_for(20.0)
        .output_interval(0.01)
        .build()
        .expect("valid");
    let state = State::initial(&built.model, 0.0);
    let system = linearize(&built.model, &state, &["motor.effort".into()], &["motor.angle".into()]).unwrap();
    let (re, im) = frequency_response(&system, omega).unwrap()[0];
    let result = built.simulate().expect("run");
    // Project the last periods on sine and cosine: ten whole periods.
    let start = 20.0 - 10.0 * std::f64::consts::TAU / omega;
    let (mut sine, mut cosine, mut count) = (0.0, 0.0, 0.0);
    for (t, x) in
        result.time().iter().zip(result.channel("motor.angle").unwrap()).filter(|(t, _)| **t > start)
    {
        sine += 2.0 * x * (omega * t).sin();
        cosine += 2.0 * x * (omega * t).cos();
        count += 1.0;
    }
    let (sine, cosine) = (sine / count / amplitude, cosine / count / amplitude);
    let size = re.hypot(im);
    assert!(
        (sine - re).abs() < 2e-3 * size && (cosine - im).abs() < 2e-3 * size,
        "{sine} {cosine}: {re} {im}"
    );
}
