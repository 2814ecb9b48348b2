//! Steps of Radau's method gone back over: against dual numbers on the same steps, and against differences of whole runs.

use crate::closed::{ball_in_tree, put_back, rates_of};
use crate::directions::{self, Number};
use crate::implicit::{setup, slope};
use crate::models::{FLEXIBLE, PENDULUM};
use crate::{shipped, short};
use flexura::analysis::{KeptRun, Objective, Parameter, Term};
use flexura::file::{build_text, set_parameter};
use flexura::model::description::MethodDescription;
use flexura::motion::retract::retract;
use flexura::scalar::Scalar;
use flexura::state::prescribe::apply_prescribed;
use flexura::time_function::Side;
use flexura::{Model, State, Workspace, evaluate};

/// Rates of increments, speeds and controller states at `y` of a step from `start`, whose loops are closed first.
fn rate(
    model: &Model,
    (start, time, side): (&State<Number>, f64, Side),
    y: &[Number],
    work: &mut Workspace<Number>,
) -> (Vec<Number>, State<Number>) {
    let (n, mut state) = (start.v.len(), start.clone());
    (state.time, state.side) = (time, side);
    retract(model, &start.q, &y[..n], &mut state.q);
    state.v.copy_from_slice(&y[n..2 * n]);
    state.z.copy_from_slice(&y[2 * n..]);
    apply_prescribed(model, &mut state, Some(&mut work.load));
    if !model.loops.is_empty() {
        put_back(model, &mut state, work);
    }
    evaluate(model, &state, work).expect("stage");
    (rates_of(model, &state, y, work), state)
}

/// A step with coefficients of the method, by iteration from rates that stay: for steps that resolve everything.
fn step(model: &Model, state: &mut State<Number>, work: &mut Workspace<Number>, end: f64) {
    let r = 6.0_f64.sqrt();
    let a = [
        [(88.0 - 7.0 * r) / 360.0, (296.0 - 169.0 * r) / 1800.0, (-2.0 + 3.0 * r) / 225.0],
        [(296.0 + 169.0 * r) / 1800.0, (88.0 + 7.0 * r) / 360.0, (-2.0 - 3.0 * r) / 225.0],
        [(16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0],
    ];
    let nodes = [(4.0 - r) / 10.0, (4.0 + r) / 10.0, 1.0];
    let (start, h, n) = (state.clone(), end - state.time, state.v.len());
    let mut first = vec![Number::ZERO; n];
    first.extend(start.v.iter().chain(&start.z));
    let mut rates = vec![vec![Number::ZERO; first.len()]; 3];
    let at = |rates: &[Vec<Number>], weights: &[f64]| {
        let mut y = first.clone();
        for (rate, weight) in rates.iter().zip(weights) {
            y.iter_mut().zip(rate).for_each(|(y, &k)| *y += k * (h * weight));
        }
        y
    };
    for _ in 0..60 {
        for i in 0..3 {
            let side = if i == 2 { Side::Before } else { Side::After };
            let time = if i == 2 { end } else { start.time + nodes[i] * h };
            let y = at(&rates, &a[i]);
            rates[i] = rate(model, (&start, time, side), &y, work).0;
        }
    }
    *state = rate(model, (&start, end, Side::After), &at(&rates, &a[2]), work).1;
}

/// Over the initial state, against steps in dual numbers.
fn agree(name: &str, text: &str, length: f64, steps: usize) {
    let mut built = short(text, length * steps as f64, steps as f64, None);
    // Steps resolve the motion by far, so that each goes from row to row.
    built.description.simulation.method = MethodDescription::Radau {
        relative_tolerance: 1e-6,
        absolute_tolerance: 1e-6,
        initial_step: length,
        largest_step: length,
    };
    let cost = directions::agree(name, &built, (&[5, 11], 1e-9), |model, mut start| {
        let (first, mut work) = (start.time, Workspace::<Number>::new(model));
        if !model.loops.is_empty() {
            put_back(model, &mut start, &mut work);
        }
        (1..=steps).for_each(|k| step(model, &mut start, &mut work, first + length * k as f64));
        start
    });
    assert_eq!(cost.steps, steps, "{name}: steps");
}

#[test]
fn dual_numbers_on_the_same_steps_of_radau() {
    agree("pendulum with a controller", PENDULUM, 5e-3, 6);
    agree("satellite", &shipped("satellite"), 1e-3, 5);
    agree("spinning top", &shipped("spinning_top"), 1e-3, 5);
    agree("flexible arm", &shipped("flexible_arm"), 2e-5, 5);
    agree("double four-bar", &shipped("double_four_bar"), 5e-3, 5);
    agree("slider-crank", &ball_in_tree(), 2e-5, 5);
}

/// A sampled controller, quaternions, a prescribed joint and a beam whose modes the steps do not resolve: numbers of the file against
/// whole runs.
#[test]
fn numbers_of_the_file_follow_whole_runs_of_radau() {
    let method = MethodDescription::Radau {
        relative_tolerance: 1e-9,
        absolute_tolerance: 1e-11,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    let channels = ["arm.tip.position.z", "arm.eta.1"];
    let paths = ["arm.young", "load.mass", "hold.proportional"];
    let text = set_parameter(FLEXIBLE, "simulation.output_interval", "0.01").expect("set");
    let text = set_parameter(&text, "simulation.end", "0.04").expect("set");
    let of = |text: &str| {
        let mut built = build_text(text, "arm.toml").expect("model").built;
        built.description.simulation.method = method.clone();
        built
    };
    let list = paths.map(|path| Parameter::of_file(&text, "arm.toml", path).expect("path"));
    let objective = Objective::of_channel(channels[0], Term::End).plus(3.0, channels[1], Term::MeanSquare);
    let mut run = KeptRun::new(&of(&text), &list, &setup(&channels)).expect("run");
    let (_, found) = run.gradient(&objective).expect("gradient");
    println!("{}", run.cost());
    for (path, (parameter, along)) in paths.iter().zip(list.iter().zip(&found.parameters)) {
        let difference = slope(1e-2 * parameter.value.abs(), |step| {
            let text = set_parameter(&text, path, &format!("{:?}", parameter.value + step)).expect("set");
            let result = of(&text).simulate().expect("run");
            let (z, eta) =
                (result.channel(channels[0]).expect("row"), result.channel(channels[1]).expect("row"));
            let last = z.len() - 1;
            let share = |k: usize| if k == 0 || k == last { 0.5 } else { 1.0 };
            z[last] + 3.0 * (0..=last).map(|k| share(k) * eta[k] * eta[k]).sum::<f64>() / last as f64
        });
        println!("{path}: {along:e} {difference:e} {:.1e}", (along / difference - 1.0).abs());
        assert!((along / difference - 1.0).abs() < 1e-5, "{path}: {along} {difference}");
    }
}
