//! States put back on their constraints by the assemblies, against projection on articulated bodies; forces of all joints
//! from the assemblies against inverse dynamics; one tree of many loops, work against size; items at the same time.

use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::{Recipe, sweep};
use crate::common::relative_error;
use flexura::constraint::{project, project_position, project_velocity, project_velocity_rigidly};
use flexura::model::description::*;
use flexura::model::element::SpringDamper;
use flexura::motion::retract::move_in_place;
use flexura::scalar::{Counting, OperationCount};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, build, evaluate};
use flexura_samples::chains::Random;
use flexura_samples::looped_tree::looped_tree;
use flexura_samples::random_state;

fn choice(threads: usize, leaf: usize) -> AlgorithmDescription {
    AlgorithmDescription::DivideAndConquer { threads, leaf, refinements: 0 }
}

fn divided(model: &Model, threads: usize, leaf: usize) -> Workspace {
    let mut work = Workspace::new(model);
    work.choose(model, choice(threads, leaf)).expect("threads");
    work
}

/// `state` with prescribed values, free coordinates moved by up to `by` and free speeds changed by as much.
fn disturbed(model: &Model, state: &State, by: f64, seed: u64, work: &mut Workspace) -> State {
    let (mut moved, mut random) = (state.clone(), Random(seed));
    let mut step: Vec<f64> = (0..model.speed_count()).map(|_| by * random.signed()).collect();
    for (step, &prescribed) in step.iter_mut().zip(&model.prescribed) {
        *step = if prescribed { 0.0 } else { *step };
    }
    move_in_place(model, &mut moved.q, &step);
    moved.v.iter_mut().zip(&step).for_each(|(speed, change)| *speed += change);
    apply_prescribed(model, &mut moved, Some(&mut work.load));
    moved
}

/// Speeds, one correction exactly; places, whose corrections differ at the order of the square of the disturbance; speeds
/// that deform least.
fn corrections_apart(seed: u64, leaf: usize) -> [f64; 3] {
    let built = build(Mechanism::everything().describe(seed)).expect("sound");
    let (model, start) = (&built.model, State::initial(&built.model, built.description.simulation.start));
    let (mut one, mut other) = (Workspace::new(model), divided(model, 1, leaf));
    let state = disturbed(model, &start, 1e-4, seed, &mut one);
    disturbed(model, &start, 1e-4, seed, &mut other);
    // Off the constraints doubled rows are nearly dependent, and a matter of tolerance: speeds are put back in closed places.
    let speeds = |rigidly: bool, work: &mut Workspace| {
        let mut state = State { q: start.q.clone(), ..state.clone() };
        let corrected = match rigidly {
            false => project_velocity(model, &mut state, work),
            true => project_velocity_rigidly(model, &mut state, work),
        };
        corrected.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        state.v
    };
    let speeds = [false, true].map(|rigidly| [&mut one, &mut other].map(|work| speeds(rigidly, work)));
    let places = [&mut one, &mut other].map(|work| {
        let mut state = state.clone();
        project_position(model, &mut state, work).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert!(work.closure.largest_residual() < 1e-12, "seed {seed}: left open");
        state.q
    });
    // What is not a number is the largest and stays.
    let worst = |m: f64, gap: f64| if gap <= m || m.is_nan() { m } else { gap };
    let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |m, (x, y)| worst(m, (x - y).abs()));
    let moved = apart(&places[0], &state.q);
    assert!(moved < 0.1, "seed {seed}: moved by {moved:e}");
    let [by_masses, rigidly] = speeds.map(|[one, other]| apart(&one, &other));
    [by_masses, apart(&places[0], &places[1]), rigidly]
}

#[test]
fn corrections_agree_with_those_on_articulated_bodies() {
    let mut curved: f64 = 0.0;
    for (leaf, offset) in [(1, 0), (3, 100), (64, 200)] {
        // Corrections themselves are of 1e-4 and of what light modes make of it.
        sweep(&format!("leaf {leaf}: speeds"), 40, 1e-9, |seed| {
            let [speeds, places, rigid] = corrections_apart(seed + offset, leaf);
            assert!(places.is_finite(), "seed {seed}: {places}");
            curved = curved.max(places);
            speeds.max(rigid)
        });
    }
    println!("  places at most {curved:.1e} apart");
    // Places were moved by 1e-4, and corrections by two routes differ at the square of that.
    assert!(curved < 1e-8, "{curved:e}");
}

/// Forces of all joints that rows and records see, from the assemblies and by inverse dynamics.
#[test]
fn forces_of_all_joints_are_those_of_inverse_dynamics() {
    let check = |seed: u64, description: Description, leaf: usize| {
        let built = build(description).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let model = &built.model;
        let mut state = State::initial(model, built.description.simulation.start);
        let mut work = divided(model, 1, leaf);
        apply_prescribed(model, &mut state, Some(&mut work.load));
        evaluate(model, &state, &mut work).expect("regular");
        work.reactions(model);
        let found: Vec<f64> = work.inverse.joint_force.iter().flatten().copied().collect();
        // A correction goes through the same assemblies: what they know of joints is void, and inverse dynamics takes over.
        project(model, &mut state.clone(), &mut work).expect("closed");
        work.reactions(model);
        let after: Vec<f64> = work.inverse.joint_force.iter().flatten().copied().collect();
        let scale = found.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        assert!(relative_error(&after, &found, scale) < 1e-9, "seed {seed}: after a correction");
        evaluate(model, &state, &mut work).expect("regular");
        let expected = by_inverse_dynamics(model, &state, &mut work);
        let scale = expected.iter().fold(1.0, |m: f64, x| m.max(x.abs()));
        relative_error(&found, &expected, scale)
    };
    let tree = Recipe { bodies: 25, ..Recipe::everything(&[InertiaLevel::Gram]) };
    sweep("trees, leaf 1: forces", 40, 1e-9, |seed| {
        check(seed, tree.describe(&mut random_state::Random::new(seed)), 1)
    });
    let loops = Mechanism::everything();
    sweep("loops, leaf 1: forces", 60, 1e-9, |seed| check(seed, loops.describe(seed), 1));
    sweep("loops, leaf 4: forces", 40, 1e-9, |seed| check(seed + 500, loops.describe(seed + 500), 4));
}

/// Joint forces for the accelerations and loads in `work`, by the recursion alone.
fn by_inverse_dynamics(model: &Model, state: &State, work: &mut Workspace) -> Vec<f64> {
    use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
    let mut inverse = InverseDynamics::new(model);
    work.kinematics(model, state);
    let (kin, inertias, wrench) = (&work.motion.kinematics, &work.inertias, &work.load.wrench);
    inverse_dynamics(model, kin, inertias, &work.accelerations.chidot, wrench, Terms::All, &mut inverse);
    inverse.joint_force.iter().flatten().copied().collect()
}

fn bits(list: &[f64]) -> Vec<u64> {
    list.iter().map(|x| x.to_bits()).collect()
}

/// 720 bodies with 120 loops: corrections are the same for any number of threads.
#[test]
fn threads_do_not_change_a_bit_of_corrections() {
    let model = build(looped_tree(120, 6, 3)).expect("sound").model;
    let start = State::initial(&model, 0.0);
    let corrected = |threads: usize| {
        let mut work = divided(&model, threads, 0);
        let mut state = disturbed(&model, &start, 1e-3, 1, &mut work);
        project(&model, &mut state, &mut work).expect("closed");
        assert!(work.closure.largest_residual() < 1e-10);
        evaluate(&model, &state, &mut work).expect("regular");
        [state.q, state.v, work.closure.rate.clone(), work.accelerations.chidot.clone()].map(|x| bits(&x))
    };
    let one = corrected(1);
    for threads in [2, 3, 8] {
        assert!(corrected(threads) == one, "{threads} threads");
    }
    // The same state by the matrix over all rows, up to the square of the disturbance.
    let mut plain = Workspace::new(&model);
    let mut state = disturbed(&model, &start, 1e-3, 1, &mut plain);
    project(&model, &mut state, &mut plain).expect("closed");
    let q: Vec<f64> = one[0].iter().map(|&x| f64::from_bits(x)).collect();
    let apart = q.iter().zip(&state.q).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
    println!("720 bodies: {apart:.1e} from the other route");
    assert!(apart < 1e-4, "{apart:e}");
}

/// Forces, loads over bodies, springs, actuators and reactions, on threads and on one, to the last bit.
#[test]
fn items_of_many_bodies_have_the_bits_of_one_thread() {
    let mut description = looped_tree(120, 6, 5);
    let mut random = Random(9);
    let names: Vec<String> = description.bodies.iter().map(|body| body.name.clone()).collect();
    for i in 0..150 {
        let place = |random: &mut Random| format!("{}.out", names[random.below(names.len())]);
        let ends = [place(&mut random), if i % 7 == 0 { "ground.origin".into() } else { place(&mut random) }];
        if ends[0] == ends[1] {
            continue;
        }
        let between = [&ends[0][..], &ends[1][..]];
        description =
            description.element(&format!("s{i}"), SpringDamper::linear(0.3, 50.0 + i as f64, 1.0), between);
        description = description.force(&format!("f{i}"), &ends[0], [1.0, 0.3, random.signed()], None);
    }
    let model = build(description).expect("sound").model;
    let mut start = State::initial(&model, 0.0);
    let mut random = Random(4);
    start.v.iter_mut().for_each(|speed| *speed = random.signed());
    let loaded = |mut work: Workspace| {
        work.load.keep_points(&model);
        evaluate(&model, &start, &mut work).expect("regular");
        let load = &work.load;
        let flat = |list: &[[f64; 6]]| list.iter().flatten().copied().collect::<Vec<f64>>();
        let powers = [&load.force_power[..], &load.element_power, &load.element_input, &load.force_scale];
        let power = work.power.total();
        let lists = [load.generalized.clone(), flat(&load.wrench), flat(&load.points), powers.concat()];
        (lists.map(|list| bits(&list)), power.to_bits())
    };
    let one = loaded(divided(&model, 1, 0));
    assert!(one.0[2].iter().any(|&x| x != 0), "points are kept");
    for threads in [2, 5] {
        assert!(loaded(divided(&model, threads, 0)) == one, "{threads} threads");
    }
    // Another route to the same loads: the forces on bodies without reactions, one item after the other.
    let (mut plain, mut threads) = (Workspace::new(&model), divided(&model, 2, 0));
    for work in [&mut plain, &mut threads] {
        work.kinematics(&model, &start);
        work.loads(&model, &start);
    }
    let wrenches =
        [&plain, &threads].map(|work| work.load.wrench.iter().flatten().copied().collect::<Vec<f64>>());
    assert!(relative_error(&wrenches[0], &wrenches[1], 1.0) < 1e-12);
}

/// Operations of one evaluation and of one projection per body stay what they are, up to 10,000 bodies with 1,000 loops.
#[test]
fn work_for_loops_in_one_tree_grows_with_their_number() {
    let mut per_body = Vec::new();
    for cells in [10, 100, 1_000] {
        let model = build(looped_tree(cells, 10, 1)).expect("sound").model;
        let (bodies, start) = (model.body_count(), State::initial(&model, 0.0));
        let lifted = State::<Counting>::lift(&start);
        let mut counted = Workspace::<Counting>::new(&model);
        counted.choose(&model, choice(1, 0)).expect("one thread");
        let count = OperationCount::of(|| evaluate(&model, &lifted, &mut counted).expect("regular"));
        let mut work = divided(&model, 1, 0);
        let mut state = disturbed(&model, &start, 1e-6, 2, &mut work);
        project(&model, &mut state, &mut work).expect("closed");
        evaluate(&model, &state, &mut work).expect("regular");
        let (gap, rate) = (work.closure.largest_residual(), work.closure.largest_rate());
        let each = (count.products + count.additions) as f64 / bodies as f64;
        let rows = model.constraint_count();
        println!(
            "{bodies:6} bodies, {cells:5} loops, {rows:5} rows: {each:.0} operations per body; left open {gap:.1e}, {rate:.1e}"
        );
        assert!(gap < 1e-9 && rate < 1e-9);
        per_body.push(each);
    }
    assert!(per_body[2] < 1.05 * per_body[1], "{per_body:?}");
}

/// Rows on speeds alone: corrections of speeds take them, corrections of positions leave places as the disc has rolled.
#[test]
fn a_disc_rolls_on_assemblies() {
    let text = include_str!("../../../../models/rolling_disc.toml");
    let built = flexura::file::build_text(text, "rolling_disc.toml").expect("sound").built;
    let model = &built.model;
    let start = State::initial(model, 0.0);
    let corrected = |mut work: Workspace| {
        let mut state = disturbed(model, &start, 1e-3, 5, &mut work);
        project(model, &mut state, &mut work).expect("closed");
        [state.q, state.v]
    };
    let [one, other] = [corrected(divided(model, 1, 1)), corrected(Workspace::new(model))];
    for (one, other) in one.iter().zip(&other) {
        assert!(one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-5), "{one:?} and {other:?}");
    }
    let run = |algorithm: AlgorithmDescription| {
        let mut built = built.clone();
        let settings = &mut built.description.simulation;
        (settings.algorithm, settings.end, settings.output_interval) = (algorithm, 0.5, 0.1);
        let run = built.simulate().expect("rolls");
        run.names()
            .iter()
            .flat_map(|name| run.channel(name).expect("recorded").to_vec())
            .collect::<Vec<f64>>()
    };
    let apart = relative_error(&run(choice(1, 1)), &run(AlgorithmDescription::ArticulatedBody), 1.0);
    println!("rolling disc: {apart:.1e}");
    assert!(apart < 1e-5, "{apart:e}");
}

/// A run on threads moves like one on articulated bodies.
#[test]
fn runs_of_a_looped_tree_agree() {
    let run = |algorithm: AlgorithmDescription| {
        let mut description = looped_tree(6, 6, 2);
        description.simulation.algorithm = algorithm;
        description.simulation.end = 0.5;
        description.simulation.output_interval = 0.1;
        description.output.channels =
            vec!["base.angle".into(), "close3.force.*".into(), "elbow5.force.x".into()];
        build(description).expect("sound").simulate().expect("runs")
    };
    let (one, other) = (run(choice(2, 1)), run(AlgorithmDescription::ArticulatedBody));
    for name in ["base.angle", "close3.force.x", "close3.force.y", "elbow5.force.x"] {
        let [a, b] = [&one, &other].map(|run| run.channel(name).expect("recorded").to_vec());
        let apart = relative_error(&a, &b, 1.0);
        println!("{name}: {apart:.1e}");
        assert!(a.len() == 6 && apart < 1e-6, "{name}: {apart:e}");
    }
}
