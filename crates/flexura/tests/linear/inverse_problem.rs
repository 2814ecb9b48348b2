//! Forces that a motion needs: against M a + b − applied, against forward dynamics with these forces, with named drives in
//! trees and closed mechanisms; motions from columns of numbers.

use crate::common::mechanisms::{squeezer, tolerance};
use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::*;
use crate::common::relative_error;
use flexura::analysis::{InverseProblem, MotionSeries, mass_matrices, speed_labels};
use flexura::build::Built;
use flexura::constraint::close;
use flexura::model::description::*;
use flexura::record::{Source, all_channels};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, build, evaluate};

/// Rounding times the condition of random trees, about 1e6 (as in the agreement of algorithms).
const TOLERANCE: f64 = 1e-9;

fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    matrix.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

/// Forces for random accelerations are M a + b − applied with the dense matrix of composite bodies.
#[test]
fn forces_of_random_trees_are_those_of_the_matrices() {
    let recipe = Recipe { bodies: 12, ..Recipe::everything(&LEVELS) };
    sweep("inverse = M a + b − applied", 60, TOLERANCE, |seed| {
        let (model, mut state) = random_case(&recipe, seed);
        apply_prescribed(&model, &mut state, None);
        if model.speed_count() == 0 {
            return 0.0;
        }
        let a = Random::new(seed + 7).numbers(model.speed_count(), 3.0);
        let dense = mass_matrices(&model, &state).expect("regular");
        let sums = times(&dense.mass, &a).into_iter().zip(&dense.bias).zip(&dense.applied);
        let expected: Vec<f64> = sums.map(|((x, b), f)| x + b - f).collect();
        let mut problem = InverseProblem::new(&model).expect("a tree");
        relative_error(problem.solve(&state, &a).expect("finite"), &expected, 1.0)
    });
}

/// Accelerations with `forces` added to the loads of the model, its own motions prescribed.
fn forward(model: &Model, state: &State, forces: &[f64]) -> Vec<f64> {
    let mut work = Workspace::new(model);
    let mut state = state.clone();
    apply_prescribed(model, &mut state, Some(&mut work.load));
    work.kinematics(model, &state);
    work.loads(model, &state);
    for (load, force) in work.load.generalized.iter_mut().zip(forces) {
        *load += force;
    }
    work.accelerations(model).expect("regular");
    if !model.loops.is_empty() {
        close(model, &state, &mut work).expect("regular");
    }
    work.accelerations.chidot.clone()
}

/// Named drives in trees: with their forces, forward dynamics gives the accelerations asked for and all that followed.
#[test]
fn drives_of_random_trees_do_what_was_asked() {
    let recipe = Recipe { bodies: 12, prescribed: 0.0, ..Recipe::everything(&[InertiaLevel::Gram]) };
    sweep("forward(drives) = asked", 40, TOLERANCE, |seed| {
        let (model, state) = random_case(&recipe, seed + 300);
        let mut random = Random::new(seed);
        let joints = model.joints.iter().filter(|joint| joint.joint.kind.degrees_of_freedom() > 0);
        let drives: Vec<String> =
            joints.filter(|_| random.chance(0.5)).map(|joint| joint.name.clone()).collect();
        if drives.is_empty() {
            return 0.0;
        }
        let a = random.numbers(model.speed_count(), 3.0);
        let mut problem = InverseProblem::with_drives(&model, &drives).expect("known joints");
        let forces = problem.solve(&state, &a).expect("regular").to_vec();
        let asked = problem.sought();
        let met = a.iter().zip(problem.accelerations()).zip(&asked).filter(|(_, asked)| **asked);
        assert!(met.clone().count() > 0 && met.clone().all(|((a, found), _)| a == found), "seed {seed}");
        assert!(forces.iter().zip(&asked).all(|(force, asked)| *asked || *force == 0.0), "seed {seed}");
        relative_error(&forward(&model, &state, &forces), problem.accelerations(), 1.0)
    });
}

/// Closed mechanisms: one drive is enough for the squeezer, two are refused by name, none too.
#[test]
fn drives_of_loops_do_what_was_asked_or_are_refused() {
    let built = build(squeezer()).expect("a mechanism");
    let model = &built.model;
    let state = State::initial(model, 0.0);
    let labels = speed_labels(model);
    let drive = labels[0].owner.clone();
    let mut a = vec![0.0; model.speed_count()];
    a[0] = 250.0;
    let mut problem = InverseProblem::with_drives(model, std::slice::from_ref(&drive)).expect("a joint");
    let forces = problem.solve(&state, &a).expect("regular").to_vec();
    let found = problem.accelerations().to_vec();
    assert_eq!(found[0], 250.0);
    assert!(found[1..].iter().any(|x| x.abs() > 1.0), "the others follow: {found:?}");
    // Rounding times the condition of the loops, some 1e4.
    let error = relative_error(&forward(model, &state, &forces), &found, 1.0);
    assert!(error < 1e-9, "{error}");
    let two = [drive, labels[1].owner.clone()];
    let text =
        InverseProblem::with_drives(model, &two).expect("joints").solve(&state, &a).unwrap_err().to_string();
    assert!(text.contains("leave 1 freedoms") && text.contains(&labels[1].coordinate), "{text}");
    let text = InverseProblem::new(model).unwrap_err().to_string();
    assert!(text.contains("closes a loop"), "{text}");
    // A state whose loops are open has no motion to ask about.
    let mut apart = state.clone();
    apart.q[1] += 0.01;
    let text = problem.solve(&apart, &a).unwrap_err().to_string();
    assert!(text.contains("is open by"), "{text}");
}

/// Random mechanisms, redundant rows included, driven at one joint that their loops leave free.
#[test]
fn drives_of_random_mechanisms_do_what_was_asked() {
    let (mut solved, mut refused) = (0, 0);
    let mechanism = Mechanism { driven: 0.0, ..Mechanism::everything() };
    sweep("forward(drive) = asked, loops", 40, 1e-7, |seed| {
        let built = build(mechanism.describe(seed)).expect("a mechanism");
        let model = &built.model;
        if model.prescribed.contains(&true) {
            return 0.0;
        }
        let state = State::initial(model, built.description.simulation.start);
        let labels = speed_labels(model);
        let mut worst = 0.0_f64;
        for label in labels.iter().filter(|label| !label.modal) {
            let mut problem =
                InverseProblem::with_drives(model, std::slice::from_ref(&label.coordinate)).expect("a joint");
            let a: Vec<f64> = problem.sought().iter().map(|&sought| if sought { 2.0 } else { 0.0 }).collect();
            let Ok(forces) = problem.solve(&state, &a) else {
                refused += 1;
                continue;
            };
            let forces = forces.to_vec();
            solved += 1;
            worst = worst.max(relative_error(&forward(model, &state, &forces), problem.accelerations(), 1.0));
        }
        worst
    });
    println!("{solved} drives solved, {refused} held by their loops");
    assert!(solved > 50 && refused > 0);
}

/// Reactions at the accelerations of forward dynamics are those that a run records.
#[test]
fn reactions_are_those_of_a_run() {
    let recipe = Recipe { bodies: 8, ..Recipe::everything(&[InertiaLevel::Gram]) };
    sweep("reactions of the inverse = recorded", 20, TOLERANCE, |seed| {
        let (model, mut state) = random_case(&recipe, seed + 50);
        let mut work = Workspace::new(&model);
        apply_prescribed(&model, &mut state, Some(&mut work.load));
        evaluate(&model, &state, &mut work).expect("regular");
        let patterns = ["*.moment.?".to_string(), "*.force.?".to_string()];
        let mut recorder = flexura::Recorder::new(&model, &patterns).expect("channels");
        let mut row = vec![0.0; recorder.channels().len() + 1];
        recorder.sample(&model, &state, 0.0, &mut work, &mut row).expect("regular");
        let mut problem = InverseProblem::new(&model).expect("a tree");
        problem.solve(&state, &work.accelerations.chidot).expect("finite");
        let mut found = vec![0.0; row.len() - 1];
        problem.sample(&state, recorder.channels(), &mut found);
        relative_error(&found, &row[1..], 1.0)
    });
}

/// Largest differences of speeds and accelerations from those recorded, over their size, from coordinates every `interval`.
fn differentiated(mut built: Built, interval: f64) -> [f64; 2] {
    built.description.simulation.output_interval = interval;
    built.description.simulation.end = 0.4;
    built.description.output.channels = vec!["*".into()];
    let recording = built.simulate().expect("a run");
    let model = &built.model;
    let column = |name: &str| recording.channel(name).expect("recorded");
    let channels = all_channels(model);
    let named = |wanted: fn(&Source) -> Option<usize>| -> Vec<(usize, String)> {
        channels.iter().filter_map(|channel| Some((wanted(&channel.source)?, channel.name.clone()))).collect()
    };
    let coordinates = named(|source| if let Source::Coordinate(i) = source { Some(*i) } else { None });
    let columns = coordinates.iter().map(|(_, name)| (name.clone(), column(name))).collect();
    let series = MotionSeries::new(model, recording.time(), columns).expect("a motion");
    assert!(series.held().is_empty());
    let mut state = State::initial(model, 0.0);
    let mut a = vec![0.0; model.speed_count()];
    let lists = [
        named(|source| if let Source::Speed(i) = source { Some(*i) } else { None }),
        named(|source| if let Source::Acceleration(i) = source { Some(*i) } else { None }),
    ];
    let (mut worst, mut size) = ([0.0_f64; 2], [1e-9_f64; 2]);
    for row in 0..series.rows() {
        series.fill(model, row, &mut state, &mut a);
        for (k, values) in [&state.v, &a].into_iter().enumerate() {
            for (i, name) in &lists[k] {
                let expected = column(name)[row];
                worst[k] = worst[k].max((values[*i] - expected).abs());
                size[k] = size[k].max(expected.abs());
            }
        }
    }
    [worst[0] / size[0], worst[1] / size[1]]
}

/// A stone that flies and tumbles: its velocity turns in its own axes.
fn tumbling_stone() -> Built {
    let flight =
        JointDescription::new("flight", JointKindDescription::Free, ["ground.origin", "stone.origin"]);
    let mut described = Description::new("tumbling stone")
        .body(BodyDescription::rigid("stone", 2.0, [0.1, 0.2, 0.25]))
        .joint(flight.speed(&[3.0, 0.5, -2.0, 1.0, 2.0, -1.5]));
    described.simulation.method = tolerance(1e-12);
    build(described).expect("a model")
}

/// Speeds and accelerations of quaternions and places follow from coordinates alone, with the order of the splines: third
/// at least for speeds, second at least for accelerations (the ends count, where the splines know least).
#[test]
fn motions_of_free_and_spherical_joints_are_differentiated() {
    let load = |name: &str| {
        let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        flexura::load(&path).expect("a model").built
    };
    for (name, built, interval) in [
        ("satellite", load("satellite"), 0.002),
        ("spinning_top", load("spinning_top"), 0.001),
        ("tumbling stone", tumbling_stone(), 0.01),
    ] {
        let (coarse, fine) = (differentiated(built.clone(), interval), differentiated(built, 0.5 * interval));
        println!("{name}: {coarse:?} {fine:?}");
        for k in 0..2 {
            let order = (coarse[k] / fine[k]).log2();
            assert!(
                fine[k] < [1e-4, 1e-2][k] && order > [3.0, 2.0][k] - 0.3,
                "{name} {k}: {coarse:?}, {fine:?}"
            );
        }
    }
}

/// What a motion lacks or has too much of is named.
#[test]
fn wrong_columns_are_named() {
    let path = format!("{}/../../models/satellite.toml", env!("CARGO_MANIFEST_DIR"));
    let model = flexura::load(&path).expect("a model").built.model;
    let times = vec![0.0, 0.1, 0.2];
    let message = |columns: &[(&str, [f64; 3])]| {
        let columns = columns.iter().map(|(name, values)| (name.to_string(), values.to_vec())).collect();
        MotionSeries::new(&model, times.clone(), columns).unwrap_err().to_string()
    };
    for (columns, parts) in [
        (
            &[("hinge_right.angel", [0.0; 3])][..],
            &["no channel `hinge_right.angel`", "did you mean `hinge_right.angle`"][..],
        ),
        (
            &[("hinge_right.rate", [0.0; 3])],
            &["`hinge_right.rate`", "none for the coordinate `hinge_right.angle`"],
        ),
        (&[("orbit.qw", [1.0; 3])], &["`orbit.qw` has a column, but `orbit.qx`"]),
        (&[("hinge_right.angle", [0.0, f64::NAN, 0.0])], &["`hinge_right.angle` is NaN in row 2"]),
        (
            &[("hinge_right.angle", [0.0; 3]), ("hinge_right.angle", [0.0; 3])],
            &["two columns `hinge_right.angle`"],
        ),
        (
            &[("orbit.qw", [0.9; 3]), ("orbit.qx", [0.0; 3]), ("orbit.qy", [0.0; 3]), ("orbit.qz", [0.0; 3])],
            &["`orbit.qw` has length 0.9 in row 1"],
        ),
    ] {
        let text = message(columns);
        assert!(parts.iter().all(|part| text.contains(part)), "{text}");
    }
    let text = MotionSeries::new(&model, vec![0.0, 0.1, 0.1], Vec::new()).unwrap_err().to_string();
    assert!(text.contains("after 0.1 s in row 2 comes 0.1 s"), "{text}");
    // Nothing given: the state of the start, at rest.
    let series = MotionSeries::new(&model, times, Vec::new()).expect("a motion");
    assert!(series.held().contains(&"hinge_right.angle".to_string()));
}

/// What has no column rests, whatever speed the model starts with, and is named: turn and place of a free joint.
#[test]
fn coordinates_without_columns_rest_and_are_named() {
    let model = tumbling_stone().model;
    let series = MotionSeries::new(&model, vec![0.0, 0.1], Vec::new()).expect("a motion");
    assert_eq!(series.held().len(), 2, "{:?}", series.held());
    let mut state = State::initial(&model, 0.0);
    assert!(state.v.iter().any(|v| *v != 0.0));
    let mut given = vec![1.0; model.speed_count()];
    series.fill(&model, 1, &mut state, &mut given);
    assert!(state.v.iter().chain(&given).all(|x| *x == 0.0), "{:?} {given:?}", state.v);
}
