//! Objectives over parameters, the initial state and inputs, against differences of whole runs of the simulation itself.

use crate::dual_numbers::PAD;
use crate::models::FLEXIBLE;
use crate::{numbers, shipped, short};
use flexura::State;
use flexura::analysis::{GradientSetup, KeptRun, Objective, Parameter, Term};
use flexura::build::Built;
use flexura::file::{build_text, set_parameter};
use flexura::motion::retract;
use flexura::simulate::{Simulation, Start};

/// Mean of four differences, of fourth order.
fn slope(h: f64, value: impl Fn(f64) -> f64) -> f64 {
    (value(-2.0 * h) - 8.0 * value(-h) + 8.0 * value(h) - value(2.0 * h)) / (12.0 * h)
}

fn setup(channels: &[&str]) -> GradientSetup {
    GradientSetup { channels: channels.iter().map(|name| (*name).into()).collect(), ..Default::default() }
}

/// Every kind of objective over parameters of every kind, the run by `simulate`, whose rows are read by other code.
#[test]
fn objectives_follow_whole_runs_over_parameters() {
    let channels = ["arm.tip.position.z", "arm.eta.1", "energy.kinetic"];
    let paths =
        ["arm.young", "arm.length", "load.mass", "wrist.amplitude", "hold.proportional", "model.gravity.3"];
    let text = set_parameter(FLEXIBLE, "simulation.output_interval", "0.005").expect("set");
    let text = set_parameter(&text, "simulation.end", "0.03").expect("set");
    let built = build_text(&text, "arm.toml").expect("model").built;
    let list: Vec<Parameter<'_>> =
        paths.iter().map(|path| Parameter::of_file(&text, "arm.toml", path).expect("path")).collect();
    let mut run = KeptRun::new(&built, &list, &setup(&channels)).expect("run");
    let wanted: Vec<f64> = numbers(run.times().len(), 3).iter().map(|x| 0.01 * x).collect();
    let objective = Objective::of_channel(channels[0], Term::End)
        .plus(20.0, channels[2], Term::Integral)
        .plus(3.0, channels[1], Term::MeanSquare)
        .plus(0.5, channels[1], Term::Peak(12.0))
        .plus(2.0, channels[0], Term::Misfit { wanted: wanted.clone(), scale: 0.05 });
    let (value, found) = run.gradient(&objective).expect("gradient");
    // The same sums, written once more.
    let again = |built: &Built| {
        let result = built.simulate().expect("run");
        let rows = |name: &str| result.channel(name).expect("channel").to_vec();
        let (z, eta, energy) = (rows(channels[0]), rows(channels[1]), rows(channels[2]));
        let last = z.len() - 1;
        let inner = |f: &dyn Fn(usize) -> f64| {
            (0..=last).map(|i| f(i) * if i == 0 || i == last { 0.5 } else { 1.0 }).sum::<f64>()
        };
        let misfit = z.iter().zip(&wanted).map(|(g, d)| ((g - d) / 0.05).powi(2)).sum::<f64>();
        let rows = last as f64;
        z[last]
            + 20.0 * 0.005 * inner(&|i| energy[i])
            + 3.0 * inner(&|i| eta[i] * eta[i]) / rows
            + 0.5 * (inner(&|i| eta[i].abs().powi(12)) / rows).powf(1.0 / 12.0)
            + 2.0 * misfit / (rows + 1.0)
    };
    assert!((value - again(&built)).abs() < 1e-11 * value.abs(), "{value} {}", again(&built));
    for (j, (path, parameter)) in paths.iter().zip(&list).enumerate() {
        let at = |step: f64| {
            let text = set_parameter(&text, path, &format!("{:?}", parameter.value + step)).expect("set");
            again(&build_text(&text, "arm.toml").expect("model").built)
        };
        let difference = slope(1e-4 * parameter.value.abs(), at);
        let apart = (found.parameters[j] / difference - 1.0).abs();
        println!("{path}: {:e} {difference:e} {apart:.1e}", found.parameters[j]);
        assert!(apart < 1e-5, "{path}: {} {difference}", found.parameters[j]);
    }
}

/// Largest difference, relative to the derivative, of a ball that falls on a pad and leaves it again, by steps of `step`.
fn bounce(step: f64) -> f64 {
    let text = PAD
        .replace("position = [0, 0, 0.0995]", "position = [0, 0, 0.105]")
        .replace("speed = [0, 0.2, 0, 0.3, 0, 0]", "speed = [0, 0.2, 0, 0.3, 0, -1.0]");
    let paths = ["pad.stiffness", "pad.radius", "pad.dissipation", "ball.mass"];
    let list: Vec<Parameter<'_>> =
        paths.iter().map(|path| Parameter::of_file(&text, "pad.toml", path).expect("path")).collect();
    let channels = ["ball.position.z", "ball.velocity.y"];
    let objective = Objective::of_channel(channels[0], Term::End).plus(0.3, channels[1], Term::Integral);
    let of = |text: &str, list: &[Parameter<'_>]| {
        let built = short(text, 0.04, 4.0, Some(step));
        KeptRun::new(&built, list, &setup(&channels)).expect("run").gradient(&objective).expect("gradient")
    };
    let (_, found) = of(&text, &list);
    let apart = |(j, path): (usize, &&str)| {
        let value = list[j].value;
        let at = |shift: f64| {
            let text = set_parameter(&text, path, &format!("{:?}", value + shift)).expect("set");
            of(&text, &[]).0
        };
        let difference = slope(1e-8 * value.abs(), at);
        println!("{step} s, {path}: {:e} {difference:e}", found.parameters[j]);
        (found.parameters[j] / difference - 1.0).abs()
    };
    paths.iter().enumerate().map(apart).fold(0.0, f64::max)
}

/// Each way through a contact has a recording of its own. Two steps end where the ball touches, at instants that whole runs move and a
/// gradient holds: they differ by the error of the steps, which vanishes with them.
#[test]
fn a_contact_that_closes_and_opens_follows_whole_runs() {
    let [coarse, fine] = [2e-4, 5e-5].map(bounce);
    assert!(coarse < 1e-4 && fine < 0.25 * coarse, "{coarse:.1e} {fine:.1e}");
}

/// The initial state, quaternions included: displacements along the speeds.
#[test]
fn objectives_follow_the_initial_state() {
    let built = short(&shipped("satellite"), 0.5, 5.0, Some(5e-3));
    let channels = ["energy.kinetic"];
    let objective = Objective::of_channel(channels[0], Term::MeanSquare);
    let mut run = KeptRun::new(&built, &[], &setup(&channels)).expect("run");
    let (_, found) = run.gradient(&objective).expect("gradient");
    let first = State::initial(&built.model, built.description.simulation.start);
    let value = |state: &State| {
        let given = GradientSetup { start: Some(state.clone()), ..setup(&channels) };
        let mut run = KeptRun::new(&built, &[], &given).expect("run");
        run.gradient(&objective).expect("value").0
    };
    let by_simulation = |state: &State| {
        let run = Simulation::of(&built).channels(channels).start(Start::State(state.clone()));
        let rows = run.run().expect("run").channel(channels[0]).expect("channel").to_vec();
        let last = rows.len() - 1;
        let square = |i: usize| rows[i] * rows[i] * if i == 0 || i == last { 0.5 } else { 1.0 };
        (0..=last).map(square).sum::<f64>() / last as f64
    };
    assert!((value(&first) - by_simulation(&first)).abs() < 1e-10 * value(&first));
    let size = found.speed.iter().chain(&found.position).fold(0.0_f64, |m, x| m.max(x.abs()));
    for i in 0..built.model.speed_count() {
        let moved = |position: bool, h: f64| {
            let mut state = first.clone();
            if position {
                let mut step = vec![0.0; state.v.len()];
                step[i] = h;
                retract::retract(&built.model, &first.q, &step, &mut state.q);
            } else {
                state.v[i] += h;
            }
            by_simulation(&state)
        };
        let position = slope(1e-3, |h| moved(true, h));
        let speed = slope(1e-3, |h| moved(false, h));
        assert!((found.position[i] - position).abs() < 1e-6 * size, "{i}: {} {position}", found.position[i]);
        assert!((found.speed[i] - speed).abs() < 1e-6 * size, "{i}: {} {speed}", found.speed[i]);
    }
}

/// A thousand values of inputs, an effort and the reference of a sampled controller: each against a run of its own would take 4,000
/// runs; a random direction through all of them takes four, single values are looked at as well.
#[test]
fn objectives_follow_a_thousand_values_of_inputs() {
    let text = FLEXIBLE
        .replace("motion = { harmonic = { amplitude = 0.4, angular_frequency = 3.0 } }", "damping = 0.01");
    let mut built = short(&text, 0.05, 500.0, Some(1e-4));
    built.description.simulation.start = 0.0;
    let channels = ["arm.tip.position.z", "wrist.rate"];
    let objective =
        Objective::of_channel(channels[0], Term::MeanSquare).plus(1e-3, channels[1], Term::Integral);
    let names = vec!["wrist.effort".to_string(), "hold.reference".to_string()];
    let held: Vec<f64> = numbers(1000, 5).iter().map(|x| 0.2 * x).collect();
    let setup =
        |held: &[f64]| GradientSetup { inputs: names.clone(), held: held.to_vec(), ..setup(&channels) };
    let mut run = KeptRun::new(&built, &[], &setup(&held)).expect("run");
    let (_, found) = run.gradient(&objective).expect("gradient");
    println!("1000 inputs: {}", run.cost());
    assert_eq!(found.inputs.len(), 1000);
    let value = |held: &[f64]| {
        let mut run = KeptRun::new(&built, &[], &setup(held)).expect("run");
        run.gradient(&objective).expect("value").0
    };
    let along = |direction: &[f64], h: f64| {
        let moved: Vec<f64> = held.iter().zip(direction).map(|(x, d)| x + h * d).collect();
        value(&moved)
    };
    let mut directions = vec![numbers(1000, 11)];
    for single in [0, 1, 300, 301, 998, 999] {
        let mut unit = vec![0.0; 1000];
        unit[single] = 1.0;
        directions.push(unit);
    }
    let size = found.inputs.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for direction in directions {
        let exact: f64 = found.inputs.iter().zip(&direction).map(|(a, b)| a * b).sum();
        let difference = slope(1e-2, |h| along(&direction, h));
        assert!((exact - difference).abs() < 1e-6 * exact.abs().max(1e-3 * size), "{exact} {difference}");
    }
}
