//! The Iltis where left and right differ: anti-phase bump, ramp steer, sine steer.

use crate::context::{Case, Context, Fault, PHYSICS};
use crate::figure::{Curve, Figure, Panel};
use crate::momentum::imbalance;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::sampled::{Sampled, keep_worst};
use crate::vehicle::{ILTIS, built};
use flexura::State;
use flexura::analysis::{EquilibriumOptions, equilibrium, keep_free_speeds};
use flexura::build::Built;
use flexura::model::description::{Description, ElementKindDescription};
use flexura::model::element::{ElementKind, Road, RoadFeature, SlipPoint, Tyre};
use flexura::time_function::TimeFunction;

/// The case.
pub const CASE: Case = Case {
    id: "iltis-handling",
    title: "Iltis: anti-phase bump, ramp steer, sine steer",
    source: "the vehicle of the IAVSD benchmark in manoeuvres of this project; Newton and Euler for the whole vehicle",
    trust: Trust::T1,
    about: "A bump under both wheels of an axle leaves roll, yaw and side slip alone, so that errors in them stay unseen: the \
            point where slip is measured, and wheels that do not spin. Here the benchmark's vehicle (`vehicle/iltis.toml`: \
            slip of the wheel centre, wheels driven at the rate of rolling) goes at 5 m/s over a bump of 0.1 m on the left and \
            a hollow of 0.1 m on the right, and at 20 m/s through a ramp steer (rack by 3 mm within a second) and a sine steer (rack by ±6 \
            mm at 0.5 Hz). The impulses of weight and tyres must make up the linear momentum, and the angular momentum about the centre of mass, of \
            the whole vehicle, wheels must turn as fast as they roll, energy must balance, and the topological and \
            the global formulation must agree. What the manoeuvres can see is shown by \
            two wrong vehicles: slip at the point that touches, and wheels that do not turn.",
    models: &["vehicle/iltis.toml"],
    cost: 30.0,
    run,
};

/// Tyres and their wheels, radius without load (m).
const WHEELS: [(&str, &str, f64); 4] = [
    ("tyre_fl", "wheel_fl", 0.364325),
    ("tyre_fr", "wheel_fr", 0.364325),
    ("tyre_rl", "wheel_rl", 0.363812),
    ("tyre_rr", "wheel_rr", 0.363812),
];
const CHANNELS: [&str; 7] =
    ["*.position.?", "*.quaternion.?", "wheel_*.omega.?", "chassis.omega.?", "tyre_*.force.?", "tyre_*.moment.?", "momentum.*"];
/// What formulations and wrong vehicles are compared by.
const JUDGED: [&str; 4] = ["chassis.position.y", "chassis.position.z", "chassis.omega.x", "chassis.omega.z"];

/// A motion that is less is judged as if it were this (m, rad/s): a straight start has no range.
const NOTABLE: f64 = 1e-3;

/// A manoeuvre of the vehicle.
struct Manoeuvre {
    name: &'static str,
    speed: f64,
    /// Height of the bump on the left and on the right (m).
    bump: [f64; 2],
    /// Motion of the rack.
    steering: TimeFunction,
    /// End of the run, and of the fast part (s).
    ends: [f64; 2],
    /// Step of both formulations (s).
    step: f64,
    /// Channel by which wrong vehicles are told.
    told: &'static str,
}

fn manoeuvres() -> [Manoeuvre; 3] {
    let sine = TimeFunction::Harmonic { offset: 0.0, amplitude: -0.006, angular_frequency: std::f64::consts::PI, phase: 0.0 };
    let pieces = vec![TimeFunction::Constant(0.0), sine, TimeFunction::Constant(0.0)];
    let ramp = TimeFunction::Cycloidal { from: 0.0, to: -0.003, start: 0.2, duration: 1.0 };
    [
        Manoeuvre {
            name: "anti-phase bump",
            speed: 5.0,
            bump: [0.1, -0.1],
            steering: TimeFunction::Constant(0.0),
            ends: [2.0, 0.5],
            step: 2.5e-3,
            told: "chassis.omega.z",
        },
        Manoeuvre {
            name: "ramp steer",
            speed: 20.0,
            bump: [0.0; 2],
            steering: ramp,
            ends: [4.0, 0.4],
            step: 1e-3,
            told: "chassis.omega.x",
        },
        Manoeuvre {
            name: "sine steer",
            speed: 20.0,
            bump: [0.0; 2],
            steering: TimeFunction::Piecewise { breaks: vec![0.0, 2.0], pieces },
            ends: [3.0, 0.4],
            step: 1e-3,
            told: "chassis.omega.x",
        },
    ]
}

fn run(context: &mut Context) -> Result<(), Fault> {
    for manoeuvre in manoeuvres() {
        judge(context, &manoeuvre)?;
    }
    Ok(())
}

fn tyres(description: &mut Description) -> impl Iterator<Item = (bool, &mut Tyre)> {
    description.elements.iter_mut().filter_map(|element| {
        let left = element.name.ends_with('l');
        match &mut element.kind {
            ElementKindDescription::Frames(ElementKind::Tyre(tyre)) => Some((left, tyre)),
            _ => None,
        }
    })
}

/// The vehicle of the file in a manoeuvre, edited; from its equilibrium, rolling.
fn vehicle(manoeuvre: &Manoeuvre, edit: impl Fn(&mut Description)) -> Result<(Built, State), Fault> {
    let mut description = built(ILTIS, CASE.models[0])?.description;
    for (left, tyre) in tyres(&mut description) {
        let height = manoeuvre.bump[usize::from(!left)];
        tyre.road = Road { features: vec![RoadFeature::CosineBump { start: 0.97, length: 5.0, height }] };
    }
    for joint in &mut description.joints {
        let rolling = WHEELS.iter().find(|(tyre, ..)| joint.name == tyre.replace("tyre", "spin"));
        if let Some((_, _, radius)) = rolling {
            let coefficients = vec![0.0, manoeuvre.speed / radius];
            joint.coordinates[0].motion = Some(TimeFunction::Polynomial { coefficients });
        } else if joint.name == "steering" {
            joint.coordinates[0].motion = Some(manoeuvre.steering.clone());
        } else if joint.name == "ride" {
            joint.speed[3] = manoeuvre.speed;
        }
    }
    edit(&mut description);
    let built = description.build()?;
    let start = State::initial(&built.model, 0.0);
    let mut rest = equilibrium(&built.model, &start, &EquilibriumOptions::default())?.state;
    keep_free_speeds(&built.model, &start, &mut rest);
    Ok((built, rest))
}

fn judge(context: &mut Context, manoeuvre: &Manoeuvre) -> Result<(), Fault> {
    let (name, end) = (manoeuvre.name, manoeuvre.ends[usize::from(context.quick)]);
    let (built, start) = vehicle(manoeuvre, |_| {})?;
    let plan = Plan { end, rows: 2e-3, channels: &CHANNELS };
    let run = context.run_from(&built, start.clone(), Route::Articulated(1e-8), &plan)?;
    context.balance(&run, name)?;
    let pairs = WHEELS.map(|(tyre, wheel, _)| (tyre, wheel));
    let [linear, angular] = imbalance(&built, &run, &pairs)?;
    let why = "trapezoidal sums of forces over rows of 2 ms, in which what swings at 13 Hz is off by 0.2 %";
    for (kind, lack) in [("linear", linear), ("angular", angular)] {
        let quantity = Quantity::new(format!("{name}: {kind} momentum against impulses of weight and tyres"), "1", lack);
        context.judge(quantity.at_most(1e-3, why));
    }
    let slip = rolling(&run)?;
    let why = "wheels are driven at the rate of rolling with the speed of the start; bumps and turns change the speed by a percent";
    context.judge(Quantity::new(format!("{name}: rate of the wheels times radius over their speed, less one"), "1", slip).at_most(0.02, why));
    formulations(context, manoeuvre, (&built, &start), &run, end)?;
    if !context.quick || manoeuvre.speed < 10.0 {
        wrong_vehicles(context, manoeuvre, &run, end)?;
    }
    draw(context, name, &run)
}

/// Largest deviation of spin times radius from the horizontal speed of a wheel, over the latter.
fn rolling(run: &Run) -> Result<f64, Fault> {
    let mut worst = 0.0_f64;
    for (_, wheel, radius) in WHEELS {
        let columns = |part: &str, axes: &[&str]| -> Result<Vec<Sampled>, Fault> {
            axes.iter().map(|axis| run.channel(&format!("{wheel}.{part}.{axis}"))).collect()
        };
        let (turns, places) = (columns("omega", &["x", "y", "z"])?, columns("position", &["x", "y"])?);
        let pose = columns("quaternion", &["w", "x", "y", "z"])?;
        for row in 1..turns[0].x.len() {
            let [w, x, y, z] = [0, 1, 2, 3].map(|part| pose[part].y[row]);
            let axle = [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)];
            let spin: f64 = (0..3).map(|i| axle[i] * turns[i].y[row]).sum();
            let step = turns[0].x[row] - turns[0].x[row - 1];
            let [dx, dy] = [0, 1].map(|i| (places[i].y[row] - places[i].y[row - 1]) / step);
            worst = keep_worst(worst, (spin * radius / dx.hypot(dy) - 1.0).abs());
        }
    }
    Ok(worst)
}

/// Largest difference of the judged channels over their ranges.
fn apart(one: &Run, other: &Run) -> Result<f64, Fault> {
    let mut worst = 0.0_f64;
    for name in JUDGED {
        let (a, b) = (one.channel(name)?, other.channel(name)?);
        worst = keep_worst(worst, a.distance(&b) / a.range().max(NOTABLE));
    }
    Ok(worst)
}

fn formulations(
    context: &mut Context,
    manoeuvre: &Manoeuvre,
    (built, start): (&Built, &State),
    run: &Run,
    end: f64,
) -> Result<(), Fault> {
    let (name, step) = (manoeuvre.name, manoeuvre.step);
    let plan = Plan { end, rows: 0.01, channels: &JUDGED };
    let tree = context.run_from(built, start.clone(), Route::Topological(step), &plan)?;
    let natural = context.run_from(built, start.clone(), Route::Global(step), &plan)?;
    let why = "steps of second order: 1 % of the range of height, place aside, roll and yaw rate";
    for (what, a, b) in [
        ("topological formulation against error control", run, &tree),
        ("global formulation against error control", run, &natural),
        ("topological against global formulation", &tree, &natural),
    ] {
        let quantity = Quantity::new(format!("{name}: {what}"), "1", apart(a, b)?);
        context.judge(quantity.at_most(0.01, why).source(PHYSICS, Trust::T1));
    }
    Ok(())
}

/// The manoeuvre must tell vehicles that an in-phase bump cannot.
fn wrong_vehicles(context: &mut Context, manoeuvre: &Manoeuvre, run: &Run, end: f64) -> Result<(), Fault> {
    type Edit = fn(&mut Description);
    let touching: Edit = |description| tyres(description).for_each(|(_, tyre)| tyre.slip_point = SlipPoint::Contact);
    let still: Edit = |description| {
        for joint in description.joints.iter_mut().filter(|joint| joint.name.starts_with("spin")) {
            joint.coordinates[0].motion = Some(TimeFunction::Constant(0.0));
        }
    };
    for (what, edit) in [("slip of the point that touches", touching), ("wheels that do not turn", still)] {
        let (built, start) = vehicle(manoeuvre, edit)?;
        let plan = Plan { end, rows: 0.01, channels: &JUDGED };
        let wrong = context.run_from(&built, start, Route::Articulated(1e-7), &plan)?;
        let (a, b) = (run.channel(manoeuvre.told)?, wrong.channel(manoeuvre.told)?);
        let quantity = Quantity::new(format!("{}: {what}, {}", manoeuvre.name, manoeuvre.told), "1", a.distance(&b) / a.range());
        let why = "a wrong vehicle: it must differ by more than formulations may";
        context.judge(quantity.at_most(0.01, why).expected_to_fail());
    }
    Ok(())
}

fn draw(context: &mut Context, name: &str, run: &Run) -> Result<(), Fault> {
    let mut panels = Vec::new();
    for (label, unit, channel) in
        [("height", "m", JUDGED[1]), ("roll rate", "rad/s", JUDGED[2]), ("yaw rate", "rad/s", JUDGED[3])]
    {
        let one = run.channel(channel)?;
        panels.push(Panel::over_time(label, unit, vec![Curve::line(label, &one.x, &one.y)]));
    }
    context.draw(Figure::new(format!("Chassis through the {name}."), panels));
    Ok(())
}
