//! Constraint rows and closure forces of random mechanisms against independent routes: dual numbers,
//! a dense solution by singular values, energy, other trees.
use crate::common::dense_closure::dense_solution;
use crate::common::random_mechanism::Mechanism;
use crate::common::random_model::{Random, along_flow, random_state, sweep};
use flexura::algorithm::energy;
use flexura::build::Built;
use flexura::constraint::prepare_at;
use flexura::scalar::{Dual, Scalar};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, build, evaluate};

fn built(mechanism: &Mechanism, seed: u64) -> Built {
    build(mechanism.describe(seed)).unwrap_or_else(|e| panic!("seed {seed}: {e}"))
}

/// State at the start with its prescribed accelerations in the workspace.
fn at_start(built: &Built) -> (State, Workspace) {
    let model = &built.model;
    let mut state = State::initial(model, built.description.simulation.start);
    let mut work = Workspace::new(model);
    apply_prescribed(model, &mut state, Some(&mut work.load));
    (state, work)
}

/// Value, rate and acceleration that every row must have.
fn targets(model: &Model, time: f64) -> Vec<[f64; 3]> {
    let mut list = Vec::new();
    for joint in &model.loops {
        for row in &joint.rows {
            let motion = row.driver.and_then(|i| joint.coordinates[i].motion.as_ref());
            let sample = motion.map(|motion| motion.sample(time)).unwrap_or_default();
            list.push([sample.value, sample.rate, sample.acceleration]);
        }
    }
    list
}

/// `state` moved along one speed: the derivative with respect to that speed's displacement.
fn along_speed(model: &Model, state: &State, speed: usize) -> State<Dual<1>> {
    let mut still = state.clone();
    still.v.fill(0.0);
    still.v[speed] = 1.0;
    let mut moving = along_flow(model, &still, &vec![0.0; model.speed_count()]);
    for (slot, &value) in moving.v.iter_mut().zip(&state.v) {
        *slot = Dual::from_f64(value);
    }
    moving
}

/// Largest |found − expected| relative to the largest of either, at least one.
fn difference(found: impl Iterator<Item = f64>, expected: &[f64]) -> f64 {
    let found: Vec<f64> = found.collect();
    crate::common::relative_error(&found, expected, 1.0)
}

/// Jacobian, rate and acceleration of all rows against dual numbers, at `state` with random accelerations.
fn row_error(model: &Model, state: &mut State, random: &mut Random) -> f64 {
    let (rows, speeds) = (model.constraint_count(), model.speed_count());
    let mut work = Workspace::new(model);
    apply_prescribed(model, state, Some(&mut work.load));
    // Random loads give random accelerations; the rows are those of the opened tree.
    work.load.generalized = random.numbers(speeds, 5.0);
    prepare_at(model, state, &mut work).expect("well conditioned");
    let closure = &work.closure;
    let wanted = targets(model, state.time);
    let mut moving_work = Workspace::<Dual<1>>::new(model);
    let mut worst = 0.0_f64;
    for s in 0..speeds {
        let moving = along_speed(model, state, s);
        prepare_at(model, &moving, &mut moving_work).expect("well conditioned");
        let column: Vec<f64> = moving_work.closure.residual.iter().map(|x| x.eps[0]).collect();
        worst = worst.max(difference((0..rows).map(|r| closure.jacobian.entry(r, s)), &column));
    }
    let moving = along_flow(model, state, &work.accelerations.chidot);
    prepare_at(model, &moving, &mut moving_work).expect("well conditioned");
    let slopes = |values: &[Dual<1>], level: usize| -> Vec<f64> {
        values.iter().zip(&wanted).map(|(x, target)| x.eps[0] - target[level]).collect()
    };
    worst = worst.max(difference(closure.rate.iter().copied(), &slopes(&moving_work.closure.residual, 1)));
    worst.max(difference(closure.acceleration.iter().copied(), &slopes(&moving_work.closure.rate, 2)))
}

/// Dual numbers are exact; what remains is rounding, magnified where angles are measured between axes that
/// are nearly at right angles (far from closed, the gradient grows like the inverse of their distance).
#[test]
fn rows_and_their_derivatives_agree_with_dual_numbers_on_and_off_the_constraints() {
    let mechanism = Mechanism::everything();
    sweep("rows at closed positions", 200, 1e-10, |seed| {
        let built = built(&mechanism, seed);
        let mut state = at_start(&built).0;
        row_error(&built.model, &mut state, &mut Random::new(seed))
    });
    sweep("rows at open positions", 200, 1e-9, |seed| {
        let built = built(&mechanism, seed);
        let mut random = Random::new(seed);
        let mut state = random_state(&built.model, &mut random);
        row_error(&built.model, &mut state, &mut random)
    });
}

#[test]
fn closure_agrees_with_a_dense_solution() {
    let (mut redundant, mut determined) = (0, 0);
    sweep("accelerations and reactions", 200, 1e-10, |seed| {
        let built = built(&Mechanism::everything(), seed);
        let model = &built.model;
        let (state, mut work) = at_start(&built);
        work.kinematics(model, &state);
        work.loads(model, &state);
        work.accelerations(model).expect("regular");
        let open = work.accelerations.chidot.clone();
        let mut closed = work.clone();
        evaluate(model, &state, &mut closed).expect("regular");
        work.closure = closed.closure.clone();
        let dense = dense_solution(model, &work, &open, &closed.closure.acceleration);
        assert_eq!(closed.closure.rank(), dense.rank, "seed {seed}");
        redundant += usize::from(dense.rank < model.constraint_count());
        let mut worst = difference(closed.accelerations.chidot.iter().copied(), &dense.chidot);
        let speeds = model.speed_count();
        let force = (0..speeds).map(|s| {
            let parts = closed.closure.multipliers.iter().enumerate();
            let sum: f64 = parts.map(|(r, x)| x * closed.closure.jacobian.entry(r, s)).sum();
            if model.prescribed[s] { 0.0 } else { sum }
        });
        worst = worst.max(difference(force, &dense.force));
        let pick = |values: &[f64]| -> Vec<f64> {
            values.iter().zip(&dense.determined).filter(|(_, known)| **known).map(|(x, _)| *x).collect()
        };
        let expected = pick(&dense.multipliers);
        determined += expected.len();
        worst.max(difference(pick(&closed.closure.multipliers).into_iter(), &expected))
    });
    println!("{redundant} mechanisms with dependent rows, {determined} determined multipliers");
    assert!(redundant > 50 && determined > 300, "the sweep must cover both");
}

/// dE/dt by dual numbers along the flow against the power of everything that is not conservative.
#[test]
fn power_balances() {
    sweep("power", 200, 1e-10, |seed| {
        let built = built(&Mechanism::everything(), seed);
        let model = &built.model;
        let (state, mut work) = at_start(&built);
        evaluate(model, &state, &mut work).expect("regular");
        let moving = along_flow(model, &state, &work.accelerations.chidot);
        let mut moving_work = Workspace::<Dual<1>>::new(model);
        moving_work.kinematics(model, &moving);
        moving_work.poses(model, &moving);
        let (motion, bodies) = (&moving_work.motion, &moving_work.inertias);
        let rate = energy(model, &moving, motion, bodies).total().eps[0];
        let drivers: f64 = work.accelerations.driving.iter().zip(&state.v).map(|(f, v)| f * v).sum();
        let power = work.power.total() + drivers + work.closure.driver_power;
        // Large powers cancel between kinetic and potential parts: the scale is that of the parts.
        let kinetic = energy(model, &moving, motion, bodies).kinetic.eps[0];
        (rate - power).abs() / kinetic.abs().max(power.abs()).max(1.0)
    });
}
