//! Runs of models with closed loops gone back over, against differences of whole runs: numbers of the file, inputs, given starts.

use crate::closed::agree;
use crate::implicit::{family, implicit, setup, slope};
use crate::{numbers, shipped};
use flexura::State;
use flexura::analysis::{GradientSetup, KeptRun, Objective, Parameter, Term};
use flexura::build::Built;
use flexura::file::{build_text, set_parameter};
use flexura::model::description::{DampingChoice, MethodDescription};

/// An objective of `channels` over the numbers `paths` of a file, against differences of whole runs over these shares of the numbers: of
/// runs that are kept, and by `simulate`, whose iteration and projections are those of any run.
fn follow(
    text: &str,
    (method, step, end): (MethodDescription, f64, f64),
    paths: &[(&str, f64)],
    channels: &[&str],
) {
    let text = set_parameter(text, "simulation.end", &format!("{end:?}")).expect("set");
    let text = set_parameter(&text, "simulation.output_interval", &format!("{:?}", 4.0 * step)).expect("set");
    let of = |text: &str| {
        let mut built = build_text(text, "model.toml").expect("model").built;
        built.description.simulation.method = method.clone();
        built
    };
    let list: Vec<Parameter<'_>> =
        paths.iter().map(|(path, _)| Parameter::of_file(&text, "model.toml", path).expect("path")).collect();
    // Reactions are large.
    let weight = |i: usize| [1.0, 100.0, 1e-9][i];
    let mut objective = Objective::of_channel(channels[0], Term::End);
    for (i, name) in channels.iter().enumerate().skip(1) {
        objective = objective.plus(weight(i), *name, Term::MeanSquare);
    }
    let mut run = KeptRun::new(&of(&text), &list, &setup(channels)).expect("run");
    let (value, found) = run.gradient(&objective).expect("gradient");
    println!("{}", run.cost());
    let kept = |text: &str| {
        let run = KeptRun::new(&of(text), &[], &setup(channels)).expect("run");
        run.value(&objective).expect("value")
    };
    let simulated = |text: &str| {
        let result = of(text).simulate().expect("run");
        let rows = |name: &str| result.channel(name).expect("channel").to_vec();
        let mut sum = rows(channels[0]).last().copied().expect("row");
        for (i, name) in channels.iter().enumerate().skip(1) {
            let rows = rows(name);
            let last = rows.len() - 1;
            let square = |(k, x): (usize, &f64)| x * x * if k == 0 || k == last { 0.5 } else { 1.0 };
            sum += weight(i) * rows.iter().enumerate().map(square).sum::<f64>() / last as f64;
        }
        sum
    };
    println!("value {value:e}, simulated {:e}", simulated(&text));
    for ((path, distance), (parameter, along)) in paths.iter().zip(list.iter().zip(&found.parameters)) {
        let size = if parameter.value == 0.0 { 1.0 } else { parameter.value.abs() };
        let at = |value: &dyn Fn(&str) -> f64, step: f64| {
            let text = set_parameter(&text, path, &format!("{:?}", parameter.value + step)).expect("set");
            value(&text)
        };
        let settled = slope(distance * size, |step| at(&kept, step));
        let plain = slope(distance * size, |step| at(&simulated, step));
        let apart = [(along / settled - 1.0).abs(), (along / plain - 1.0).abs()];
        println!("{path}: {along:e} {settled:e} {:.1e}, {plain:e} {:.1e}", apart[0], apart[1]);
        // What the iteration of a run leaves is too much beside a small difference.
        assert!(
            apart[0] < 1e-6 && (apart[1] < 1e-5 || *distance < 1e-3),
            "{path}: {along} {settled} {plain}"
        );
    }
}

fn damped(step: f64) -> MethodDescription {
    MethodDescription::Implicit { damping: DampingChoice::SpectralRadius(0.8), step, tolerance: 0.0 }
}

/// Masses, stiffness, and lengths and places that move where the loops close, with the position that assembly finds.
#[test]
fn numbers_of_the_file_follow_whole_runs_of_loops() {
    let channels = ["coupler.middle.position.y", "coupler.eta.1", "b.force.x"];
    let paths = [
        ("drive.motion.polynomial.2", 1e-3),
        ("coupler.young", 1e-3),
        ("coupler.length", 1e-3),
        ("ground.c.position.1", 1e-3),
    ];
    follow(&shipped("four_bar"), (damped(1e-4), 1e-4, 4e-3), &paths, &channels);
    let paths = [("coupler.young", 1e-3), ("ground.c.position.1", 1e-3)];
    follow(&shipped("four_bar"), (MethodDescription::Rk4 { step: 2e-5 }, 1e-4, 1.2e-3), &paths, &channels);
    let channels = ["guide.displacement", "rod.eta.1", "wristpin.force.x"];
    let paths = [("rod.length", 1e-3), ("crank.pin.position.1", 1e-3)];
    follow(&shipped("gallery/slider_crank"), (damped(1e-4), 1e-4, 4e-3), &paths, &channels);
}

/// A vehicle with eight loops on a level road, its rack driven: springs, masses, places of joints.
#[test]
fn numbers_of_a_vehicle_follow_whole_runs() {
    let text = shipped("vehicle/iltis_ramp_steer");
    let channels = ["chassis.position.z", "chassis.omega.z", "hub_fl.position.z"];
    let paths = [("chassis.mass", 1e-3), ("tyre_fl.stiffness", 1e-3), ("chassis.hinge_fl.position.3", 1e-4)];
    let method = MethodDescription::Implicit { damping: DampingChoice::None, step: 0.01, tolerance: 0.0 };
    // Tyres and shock absorbers have kinks nearby.
    follow(&text, (method, 0.01, 0.2), &paths, &channels);
}

/// A four-bar that a spring in its closing joint, a controller and given torques move.
fn crank_rocker() -> String {
    let text = shipped("four_bar").replace("motion = { polynomial = [0, 210] }", "speed = 15");
    let text = text.replace("between = [\"coupler.end\", \"follower.end\"]", "between = [\"coupler.end\", \"follower.end\"]\nstiffness = 8.0\ndamping = 0.05\neffort = { polynomial = [0.3, 2.0] }");
    let controller = "[[controller]]\nname = \"hold\"\nsensors = [\"drive.rate\"]\nactuators = [\"drive.effort\"]\nreference = 4.0\nproportional = 0.3\nintegral = 2.0\n\n[simulation]";
    text.replace("[simulation]", controller).replace("gravity = [0, 0, 0]", "gravity = [0, -9.81, 0]")
}

#[test]
fn springs_controllers_and_inputs_of_loops() {
    let channels = ["coupler.middle.position.y", "drive.rate", "b.force.x"];
    let paths = [
        ("b.stiffness", 1e-3),
        ("b.damping", 1e-3),
        ("hold.proportional", 1e-3),
        ("model.gravity.2", 1e-3),
        ("crank.a.position.1", 1e-3),
    ];
    follow(&crank_rocker(), (damped(5e-4), 5e-4, 0.02), &paths, &channels);
    agree("four-bar with laws", &crank_rocker(), Some(family()[1]), 5e-4, 6);
    let mut built = implicit(&crank_rocker(), DampingChoice::SpectralRadius(0.8), 5e-4, 16.0);
    built.description.simulation.output_interval = 2e-3;
    let objective = Objective::of_channel(channels[0], Term::MeanSquare).plus(0.01, channels[1], Term::End);
    for method in [built.description.simulation.method.clone(), MethodDescription::Rk4 { step: 1e-4 }] {
        built.description.simulation.method = method;
        let held = numbers(8, 9);
        let given = |held: &[f64]| GradientSetup {
            inputs: vec!["drive.effort".into(), "c.effort".into()],
            held: held.to_vec(),
            ..setup(&channels[..2])
        };
        let mut run = KeptRun::new(&built, &[], &given(&held)).expect("run");
        let (_, found) = run.gradient(&objective).expect("gradient");
        println!("{}", run.cost());
        let size = found.inputs.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for i in 0..held.len() {
            let difference = slope(1e-2, |h| {
                let mut moved = held.clone();
                moved[i] += h;
                let run = KeptRun::new(&built, &[], &given(&moved)).expect("run");
                run.value(&objective).expect("value")
            });
            let apart = (found.inputs[i] - difference).abs() / size;
            println!("{i}: {:e} {difference:e} {apart:.1e}", found.inputs[i]);
            assert!(apart < 1e-7, "{i}: {} {difference}", found.inputs[i]);
        }
    }
}

/// A start that is given is put back on the loops, wherever these are at other numbers of the file.
#[test]
fn a_given_start_is_put_back_on_the_loops() {
    let text = crank_rocker();
    for method in [damped(5e-4), MethodDescription::Rk4 { step: 1e-4 }] {
        let of = |text: &str| {
            let mut built = build_text(text, "model.toml").expect("model").built;
            let settings = &mut built.description.simulation;
            (settings.end, settings.output_interval, settings.method) = (4e-3, 1e-3, method.clone());
            built
        };
        let objective = Objective::of_channel("coupler.middle.position.y", Term::MeanSquare).plus(
            0.01,
            "drive.rate",
            Term::End,
        );
        let names = setup(&["coupler.middle.position.y", "drive.rate"]);
        let built = of(&text);
        let own = State::initial(&built.model, 0.0);
        let given = |start: State| GradientSetup { start: Some(start), ..names.clone() };
        let paths = [("coupler.length", 1e-4), ("coupler.young", 3e-3)];
        let list = paths.map(|(path, _)| Parameter::of_file(&text, "model.toml", path).expect("path"));
        let mut run = KeptRun::new(&built, &list, &given(own.clone())).expect("run");
        let (_, found) = run.gradient(&objective).expect("gradient");
        let value = |built: &Built, start: State| {
            let run = KeptRun::new(built, &[], &given(start)).expect("run");
            run.value(&objective).expect("value")
        };
        for ((path, distance), (parameter, along)) in paths.iter().zip(list.iter().zip(&found.parameters)) {
            let difference = slope(distance * parameter.value, |step| {
                let text = set_parameter(&text, path, &format!("{:?}", parameter.value + step)).expect("set");
                value(&of(&text), own.clone())
            });
            println!("{path}: {along:e} {difference:e} {:.1e}", (along / difference - 1.0).abs());
            assert!((along / difference - 1.0).abs() < 1e-7, "{path}: {along} {difference}");
        }
        let all = found.coordinates.iter().chain(&found.speed);
        let size = all.clone().fold(0.0_f64, |most, x| most.max(x.abs()));
        for (i, along) in all.enumerate() {
            let difference = slope(1e-4, |step| {
                let mut start = own.clone();
                if i < start.q.len() {
                    start.q[i] += step
                } else {
                    start.v[i - start.q.len()] += step
                }
                value(&built, start)
            });
            assert!((along - difference).abs() < 1e-6 * size, "{i}: {along} {difference}");
        }
    }
}
