//! More modes must bring results closer together, and never break a run: 1 to 40 modes at the default level.

use crate::context::{Case, Context, Fault, PHYSICS};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model_with};
use crate::sampled::keep_worst;
use flexura::file::NoSource;
use std::f64::consts::TAU;

/// The case.
pub const CASE: Case = Case {
    id: "mode-convergence",
    title: "Convergence over the number of modes",
    source: "spin-up: geometrically exact solution of the manoeuvre of Simo & Vu-Quoc (1987)",
    trust: Trust::T1,
    about: "A hinged beam that swings from the horizontal with deflections to 6 %, and a double pendulum of two beams to 4 %, with 1 to \
            40 clamped-free modes: no run may end early, and from ten modes on the path of the tip may change by no more than \
            10⁻⁴ of its range from one count to the next. With the same modes level `full`, which keeps every second-order displacement, \
            must stay within 2·10⁻⁴. All these runs take the same steps of the same implicit method, which damps what it cannot \
            resolve; with 2, 10 and 40 modes they are held against error-controlled runs. Then the largest lag of the spin-up with 1, 2, 4 and 8 bending modes \
            against the geometrically exact value.",
    models: &["validation/mode_swing.toml", "validation/mode_double_pendulum.toml", "validation/spin_up.toml"],
    cost: 40.0,
    run,
};

const SWING: &str = include_str!("../../models/validation/mode_swing.toml");
const DOUBLE: &str = include_str!("../../models/validation/mode_double_pendulum.toml");
const SPIN_UP: &str = include_str!("../../models/validation/spin_up.toml");
/// Largest lag (m) of the geometrically exact beam.
const LAG: f64 = -0.57385;

/// Counts of modes whose implicit run is held against an error-controlled one.
const CONTROLLED: [usize; 3] = [2, 10, 40];

/// A pendulum: model, its beams, what is compared, end (s) and step (s).
struct Pendulum {
    name: &'static str,
    text: &'static str,
    file: &'static str,
    beams: &'static [&'static str],
    tip: [&'static str; 2],
    end: f64,
    step: f64,
}

const PENDULUMS: [Pendulum; 2] = [
    Pendulum {
        name: "swing",
        text: SWING,
        file: CASE.models[0],
        beams: &["beam"],
        tip: ["beam.tip.position.x", "beam.tip.position.y"],
        end: 0.6,
        step: 1e-3,
    },
    Pendulum {
        name: "double pendulum",
        text: DOUBLE,
        file: CASE.models[1],
        beams: &["upper", "lower"],
        tip: ["lower.tip.position.x", "lower.tip.position.y"],
        end: 0.5,
        step: 1e-3,
    },
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let counts: &[usize] = if context.quick { &[2, 10, 15] } else { &[1, 2, 3, 4, 6, 8, 10, 15, 20, 30, 40] };
    let against: &[usize] = if context.quick { &[2] } else { &[2, 4, 8, 15] };
    for pendulum in &PENDULUMS {
        converged(context, pendulum, counts, against)?;
    }
    spin_up(context, if context.quick { &[2] } else { &[1, 2, 4, 8] })
}

fn converged(context: &mut Context, pendulum: &Pendulum, counts: &[usize], against: &[usize]) -> Result<(), Fault> {
    let damped = Route::Damped(pendulum.step, 0.8);
    let (mut last, mut changes): (Option<Run>, [Vec<f64>; 2]) = (None, Default::default());
    for &count in counts {
        context.stage(&format!("{}, {count} modes", pendulum.name));
        let run = swung(context, pendulum, count, "", damped)?;
        if let Some(before) = &last {
            let change = apart(&run, before, pendulum)?;
            changes[0].push(count as f64);
            changes[1].push(change);
            if count > 10 {
                let name = format!("change of the tip's path, {}, to {count} modes", pendulum.name);
                let why = "from ten modes on, over the range of the path";
                property(context, Quantity::new(name, "1", change).at_most(1e-4, why));
            }
        }
        if against.contains(&count) {
            let full = swung(context, pendulum, count, "full", damped)?;
            let name = format!("default level from level full, {}, {count} modes", pendulum.name);
            let why = "second-order displacements that are neither affine nor modes, at deflections to 6 %";
            property(context, Quantity::new(name, "1", apart(&run, &full, pendulum)?).at_most(2e-4, why));
        }
        if CONTROLLED.contains(&count) {
            let what = format!("{}, {count} modes", pendulum.name);
            let controlled = swung(context, pendulum, count, "", Route::Articulated(1e-7))?;
            context.balance(&controlled, &what)?;
            let name = format!("implicit steps from an error-controlled run, {what}");
            let why = "second order of steps of 1 ms, over the range of the path";
            property(context, Quantity::new(name, "1", apart(&run, &controlled, pendulum)?).at_most(1e-4, why));
        }
        last = Some(run);
    }
    let curves = vec![Curve::line(pendulum.name, &changes[0], &changes[1])];
    let panel = Panel::new("modes", "change of the path from the count before", "1", curves).logarithmic();
    context.draw(Figure::new(format!("Convergence over modes: {}.", pendulum.name), vec![panel]));
    Ok(())
}

fn property(context: &mut Context, quantity: Quantity) {
    context.judge(quantity.source(PHYSICS, Trust::T1));
}

/// A run with `count` modes per beam; an empty level is the default.
fn swung(context: &mut Context, pendulum: &Pendulum, count: usize, level: &str, route: Route) -> Result<Run, Fault> {
    let text = if level.is_empty() {
        pendulum.text.to_string()
    } else {
        pendulum.text.replace("[body.beam]", &format!("level = \"{level}\"\n[body.beam]"))
    };
    let paths: Vec<String> = pendulum.beams.iter().map(|beam| format!("body.{beam}.beam.bending_y")).collect();
    let settings: Vec<(&str, f64)> = paths.iter().map(|path| (path.as_str(), count as f64)).collect();
    let built = model_with(&text, pendulum.file, &settings, &NoSource)?;
    context.run(&built, route, &Plan { end: pendulum.end, rows: 0.01, channels: &pendulum.tip })
}

/// Largest difference of the path of the tip over its range.
fn apart(one: &Run, other: &Run, pendulum: &Pendulum) -> Result<f64, Fault> {
    let mut worst = 0.0;
    for name in pendulum.tip {
        let (a, b) = (one.channel(name)?, other.channel(name)?);
        worst = keep_worst(worst, a.distance(&b) / a.range());
    }
    Ok(worst)
}

/// Largest lag over the number of bending modes, without stretch.
fn spin_up(context: &mut Context, counts: &[usize]) -> Result<(), Fault> {
    for &count in counts {
        let settings = [("body.beam.beam.axial", 0.0), ("body.beam.beam.bending_y", count as f64)];
        let built = model_with(SPIN_UP, CASE.models[2], &settings, &NoSource)?;
        let tip = ["beam.tip.position.x", "beam.tip.position.y"];
        let run = context.run(&built, Route::Articulated(1e-8), &Plan { end: 8.0, rows: 0.01, channels: &tip })?;
        let (x, y) = (run.channel(tip[0])?, run.channel(tip[1])?);
        let mut lag = y.clone();
        for (i, value) in lag.y.iter_mut().enumerate() {
            let (t, ramp) = (x.x[i], 15.0);
            let angle = 6.0 / ramp * (0.5 * t * t + (ramp / TAU).powi(2) * ((TAU * t / ramp).cos() - 1.0));
            *value = angle.cos() * y.y[i] - angle.sin() * x.y[i];
        }
        let (tolerance, why) = match count {
            1 => (0.015, "one mode at rest for a shape that centrifugal load bends otherwise"),
            _ => (5e-3, "asked of one modal body: the strain energy of bending is quadratic in the deflection"),
        };
        let name = format!("largest lag of the spin-up, {count} modes");
        context.judge(Quantity::new(name, "m", lag.minimum().1).relative(LAG, tolerance, why));
    }
    Ok(())
}
