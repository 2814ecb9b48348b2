//! The Iltis: IAVSD benchmark with rigid parts, and on a stepped road with flexible ones (Lugrís et al. 2007, example 3).

use crate::context::{Case, Context, Fault, PHYSICS};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::sampled::{Sampled, Table, keep_worst};
use crate::vehicle::{
    Counts, ILTIS, ILTIS_LINEAR, VEHICLE, VEHICLE_FLEXIBLE, built, judge_choice, judge_counts, vehicle_choice,
};
use flexura::State;
use flexura::analysis::{EquilibriumOptions, Mode, equilibrium, linearize, modes};
use flexura::build::Built;
use flexura::model::description::ElementKindDescription;
use flexura::model::element::{ElementKind, SpringDamper};

/// The case.
pub const CASE: Case = Case {
    id: "lugris-vehicle",
    title: "Iltis vehicle",
    source: "Frik, Leister & Schwartz, Vehicle System Dynamics 22 (1993), as the public Robotran model of the IAVSD benchmark \
             has it",
    trust: Trust::T2,
    about: "The rigid vehicle of the IAVSD benchmark: forces in the nominal position, position and forces at rest (tyres as \
            vertical springs, as the reference has them there), motion over a cosine bump at 5 and 10 m/s, and eigenvalues at \
            20 m/s of the reference's linear force laws, peculiarities included (book/src/evidence/vehicle.md lists them). Then the \
            vehicle of Lugrís, Cuadrado, González & Luaces (2007) with A-arms, leaf-spring bars and steering rods rigid or \
            flexible: counts of coordinates (Table 5), 8 s over a stepped road. Sections and road of the latter are chosen: \
            the paper gives none and its figure is not readable.",
    models: &[
        "vehicle/iltis.toml",
        "vehicle/iltis_stepped_road.toml",
        "vehicle/iltis_flexible.toml",
        "vehicle/iltis_linear.toml",
    ],
    cost: 8.0,
    run,
};

const BUMP: &str = include_str!("../../data/iltis_cosine_bump.csv");
const ROBOTRAN: &str = "Robotran model of the IAVSD benchmark, github.com/ovankerm/IAVSD_ILTIS, commit 18c4286: eigenvalues";
const PAPER: &str = "Lugrís, Cuadrado, González & Luaces (2007), example 3, Table 5";

fn run(context: &mut Context) -> Result<(), Fault> {
    nominal(context)?;
    at_rest(context)?;
    eigenvalues(context)?;
    over_the_bump(context, 5.0)?;
    if !context.quick {
        over_the_bump(context, 10.0)?;
    }
    stepped_road(context)
}

/// Force of an element in the first row of a run (N).
fn force(run: &Run, name: &str) -> Result<f64, Fault> {
    let mut sum = 0.0;
    for axis in ["x", "y", "z"] {
        sum += run.channel(&format!("{name}.force.{axis}"))?.y[0].powi(2);
    }
    Ok(sum.sqrt())
}

const FORCES: [&str; 4] = ["tyre_*.force.*", "shock_*.force.*", "leaf_*.force.*", "bar_*.force.*"];

/// One instant, for the channels of the first row.
fn instant(context: &mut Context, built: &Built, start: State) -> Result<Run, Fault> {
    context.run_from(built, start, Route::Articulated(1e-6), &Plan { end: 1e-6, rows: 1e-6, channels: &FORCES })
}

fn nominal(context: &mut Context) -> Result<(), Fault> {
    let built = built(ILTIS, CASE.models[0])?;
    let start = State::initial(&built.model, 0.0);
    let run = instant(context, &built, start)?;
    for (name, known) in [("leaf_fl", 2728.9), ("shock_rr", 128.0), ("tyre_fr", 3829.6), ("tyre_rl", 3593.6)] {
        let quantity = Quantity::new(format!("force of {name} in the nominal position"), "N", force(&run, name)?);
        context.judge(quantity.relative(known, 1e-3, "statics: 0.1 %"));
    }
    Ok(())
}

fn at_rest(context: &mut Context) -> Result<(), Fault> {
    let mut description = built(ILTIS, CASE.models[0])?.description;
    for element in &mut description.elements {
        if let ElementKindDescription::Frames(ElementKind::Tyre(tyre)) = &element.kind {
            let mut spring = SpringDamper::linear(tyre.radius, tyre.stiffness, 0.0);
            spring.axis = Some([0.0, 0.0, 1.0]);
            element.kind = spring.into();
        }
    }
    let built = description.build()?;
    let rest = equilibrium(&built.model, &State::initial(&built.model, 0.0), &EquilibriumOptions::default())?.state;
    // Coordinates of the free joint: quaternion, then position.
    let pitch = 2.0 * rest.q[2].atan2(rest.q[0]).to_degrees();
    let why = "statics: 0.1 %";
    context.judge(Quantity::new("chassis at rest against nominal", "m", rest.q[6] - 0.57).relative(-7.083e-3, 1e-3, why));
    context.judge(Quantity::new("pitch at rest", "degrees", pitch).relative(0.1465, 1e-3, why));
    let run = instant(context, &built, rest)?;
    for (name, known) in [
        ("tyre_fr", 3831.31),
        ("tyre_rr", 3591.91),
        ("shock_fr", 335.29),
        ("shock_rr", 241.64),
        ("leaf_fr", 3068.62),
        ("leaf_rr", 2885.51),
        ("bar_fr", 1408.51),
        ("bar_rr", 1335.52),
    ] {
        let quantity = Quantity::new(format!("force of {name} at rest"), "N", force(&run, name)?);
        context.judge(quantity.relative(known, 1e-3, why));
    }
    Ok(())
}

/// Eigenvalues of the reference with non-negative imaginary parts, which rise (1/s).
const EIGENVALUES: [[f64; 2]; 9] = [
    [-44.03, 0.0],
    [-6.682, 0.0],
    [-3.990, 8.064],
    [-3.688, 9.096],
    [-5.382, 9.258],
    [-26.56, 71.35],
    [-29.68, 80.67],
    [-29.38, 81.65],
    [-29.37, 84.77],
];

fn eigenvalues(context: &mut Context) -> Result<(), Fault> {
    context.stage("eigenvalues");
    let model = built(ILTIS_LINEAR, CASE.models[3])?.model;
    let system = linearize(&model, &State::initial(&model, 0.0), &[], &[])?;
    // Place and heading along the road are free: their eigenvalues are zero.
    let mut found: Vec<Mode> = modes(&system)?.into_iter().filter(|mode| mode.frequency() > 0.1).collect();
    found.sort_by(|a, b| a.imaginary.total_cmp(&b.imaginary).then(a.real.total_cmp(&b.real)));
    let count = Quantity::new("eigenvalues that are not zero, pairs counted once", "1", found.len() as f64);
    context.judge(count.exactly(EIGENVALUES.len() as f64, "a count").source(ROBOTRAN, Trust::T2));
    for (mode, [real, imaginary]) in found.iter().zip(EIGENVALUES) {
        let sign = if imaginary > 0.0 { format!(" ± {imaginary}i") } else { String::new() };
        for (part, value, known) in [("real", mode.real, real), ("imaginary", mode.imaginary, imaginary)] {
            if known != 0.0 {
                let quantity = Quantity::new(format!("{part} part of the eigenvalue {real}{sign}"), "1/s", value);
                context.judge(quantity.relative(known, 0.01, "eigenvalues: 1 %").source(ROBOTRAN, Trust::T2));
            }
        }
    }
    Ok(())
}

/// A column of the reference at one speed, up to `end` (s).
fn reference(table: &Table, name: &str, speed: f64, end: f64) -> Result<Sampled, Fault> {
    let (times, values) = (table.column("time")?, table.column(name)?);
    let rows = (0..times.x.len()).filter(|&i| times.x[i] == speed && times.y[i] <= end);
    let (x, y) = rows.map(|i| (times.y[i], values.y[i])).unzip();
    Ok(Sampled { x, y })
}

/// The model with wheels that roll at `speed`, and its state at rest in the vertical moving forward.
fn at_speed(speed: f64) -> Result<(Built, State), Fault> {
    let text = [0.364325, 0.363812].iter().fold(ILTIS.to_string(), |text, &radius| {
        let rolling = |speed: f64| format!("polynomial = [0, {:.7}", speed / radius);
        text.replace(&rolling(5.0)[..21], &rolling(speed))
    });
    let built = built(&text, CASE.models[0])?;
    let mut start = equilibrium(&built.model, &State::initial(&built.model, 0.0), &EquilibriumOptions::default())?.state;
    // Speeds of the free joint are in the axes of the chassis, which is pitched at rest.
    let pitch = 2.0 * start.q[2].atan2(start.q[0]);
    (start.v[3], start.v[5]) = (speed * pitch.cos(), speed * pitch.sin());
    Ok((built, start))
}

fn over_the_bump(context: &mut Context, speed: f64) -> Result<(), Fault> {
    let (built, start) = at_speed(speed)?;
    let channels = ["chassis.position.z", "wheel_?l.position.z", "tyre_?l.force.z"];
    let end = if context.quick { 0.5 } else { 2.5 };
    let plan = Plan { end, rows: 1e-3, channels: &channels };
    let run = context.run_from(&built, start.clone(), Route::Articulated(1e-8), &plan)?;
    context.balance(&run, &format!("cosine bump at {speed} m/s"))?;
    if speed == 5.0 {
        let brief = Plan { end: 0.5, ..plan };
        let divided = context.run_from(&built, start, Route::DivideAndConquer(1e-8), &brief)?;
        let apart = run.channel(channels[0])?.between(0.0, 0.5).distance(&divided.channel(channels[0])?);
        let why = "same integration, other rounding";
        let quantity = Quantity::new("divide and conquer against articulated bodies, chassis height", "m", apart);
        context.judge(quantity.at_most(1e-7, why).source(PHYSICS, Trust::T1));
    }
    against_robotran(context, &run, speed, end)
}

/// Heights of chassis and wheels and forces of tyres beside the reference.
fn against_robotran(context: &mut Context, run: &Run, speed: f64, end: f64) -> Result<(), Fault> {
    let table = Table::new(BUMP)?;
    let what = format!("cosine bump at {speed} m/s");
    let mut panels: [Vec<Curve>; 2] = Default::default();
    for (name, short, column) in [
        ("chassis.position.z", "chassis", "z"),
        ("wheel_fl.position.z", "front wheel", "wheel_front"),
        ("wheel_rl.position.z", "rear wheel", "wheel_rear"),
        ("tyre_fl.force.z", "front tyre", "tyre_front"),
        ("tyre_rl.force.z", "rear tyre", "tyre_rear"),
    ] {
        let (ours, known) = (run.channel(name)?, reference(&table, column, speed, end)?);
        let force = column.starts_with("tyre");
        // At 10 m/s the wheels fly: where they land, forces rise by 2 % of their range in a millisecond.
        let (late, why) = if force && speed > 5.0 {
            (3, "histories: 2 % of the range; landings of the flying wheels may be 3 ms early or late")
        } else {
            (0, "histories: 2 % of the range")
        };
        let error = deviation(&ours, &known, late);
        context.judge(Quantity::new(format!("{short} over the {what}, largest difference"), "1", error).at_most(0.02, why));
        let slot = &mut panels[usize::from(force)];
        slot.push(Curve::line(short, &ours.x, &ours.y));
        slot.push(Curve::points(format!("{short}, Robotran"), &known.x, &known.y));
    }
    let [heights, forces] = panels;
    let panels = vec![Panel::over_time("height", "m", heights), Panel::over_time("force", "N", forces)];
    context.draw(Figure::new(format!("Over the {what}: heights, and forces of the left tyres."), panels));
    Ok(())
}

/// Largest difference over the range, the reference early or late by so many milliseconds.
fn deviation(ours: &Sampled, known: &Sampled, late: i32) -> f64 {
    let nearest = |(&time, value): (&f64, &f64)| {
        let gaps = (-late..=late).map(|k| (ours.at(time + 1e-3 * f64::from(k)) - value).abs());
        gaps.fold(f64::INFINITY, f64::min)
    };
    known.x.iter().zip(&known.y).map(nearest).fold(0.0, keep_worst) / known.range()
}

fn stepped_road(context: &mut Context) -> Result<(), Fault> {
    let (rigid, flexible) = (built(VEHICLE, CASE.models[1])?, built(VEHICLE_FLEXIBLE, CASE.models[2])?);
    let counts = Counts {
        table: "Table 5",
        topological: [34, 50, 58, 58, 74, 74, 82, 98],
        natural: [168, 196, 216, 228, 244, 256, 276, 304],
        choice: vehicle_choice,
    };
    judge_counts(context, [&rigid.description, &flexible.description], &counts)?;
    if context.quick {
        return Ok(());
    }
    let channels = ["chassis.position.z", "hub_fl.position.z", "tyre_fl.force.z"];
    let plan = Plan { end: 8.0, rows: 0.01, channels: &channels };
    let controlled = context.run(&rigid, Route::Articulated(1e-8), &plan)?;
    context.balance(&controlled, "stepped road, rigid parts")?;
    context.second_order_over_edges(&rigid, "stepped road, rigid parts", &channels[..2], 8.0)?;
    let mut curves: [Vec<Curve>; 3] = Default::default();
    for (what, built) in [("rigid parts", &rigid), ("flexible parts", &flexible)] {
        let run = context.run(built, Route::Topological(0.01), &plan)?;
        let global = context.run(built, Route::Global(0.01), &plan)?;
        let choice = vehicle_choice([what == "flexible parts"; 3]);
        judge_choice(context, built, choice, (&global, what), Route::Global(0.01), &plan)?;
        for (channel, name) in [(channels[0], "chassis height"), (channels[1], "hub height")] {
            let (a, b) = (run.channel(channel)?, global.channel(channel)?);
            let quantity = Quantity::new(format!("{name}: two formulations over all 8 s, {what}"), "1", a.distance(&b) / a.range());
            let why = "both at second order with 10 ms: 1 % of the motion";
            context.judge(quantity.at_most(0.01, why).source(PHYSICS, Trust::T1));
        }
        let why = "Tables 6 and 7 have times of a computer of 2007; times decide nothing";
        let quantity = Quantity::new(format!("computing time over simulated time, {what}"), "1", run.seconds / plan.end);
        context.judge(quantity.without_reference(why).source(PAPER, Trust::T3));
        for (list, channel) in curves.iter_mut().zip(channels) {
            let one = run.channel(channel)?;
            let look = if what == "rigid parts" { Curve::broken } else { Curve::line };
            list.push(look(what, &one.x, &one.y));
        }
    }
    let [chassis, hub, tyre] = curves;
    let panels = vec![
        Panel::over_time("chassis", "m", chassis),
        Panel::over_time("front hub", "m", hub),
        Panel::over_time("front tyre", "N", tyre),
    ];
    context.draw(Figure::new("Stepped road at 5 m/s, h = 10 ms (road chosen).", panels));
    Ok(())
}
