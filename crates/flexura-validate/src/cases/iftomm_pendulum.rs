//! Simple pendulum (IFToMM A01), exact by elliptic functions.

use crate::agreement::Steps;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, model};

/// The case.
pub const CASE: Case = Case {
    id: "iftomm-pendulum",
    title: "Simple pendulum",
    source: "IFToMM library of multibody benchmarks A01; exact solution by elliptic functions",
    trust: Trust::T1,
    about: "A mass of 1 kg on a rod of 1 m without mass, released level at (−1, 0); gravity 9.81 m/s². A rotary \
            inertia of 10⁻⁹ kg m² stands for the point mass.",
    models: &["validation/iftomm_pendulum.toml"],
    cost: 1.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/iftomm_pendulum.toml");

/// Exact x and y at some times (s).
const EXACT: [(f64, f64, f64); 2] =
    [(1.0, 0.986291751132, -0.165010853126), (10.0, -0.275087462577, -0.961419205099)];
/// Exact period (s).
const PERIOD: f64 = 2.367841947576;

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let channels = ["bob.mass.position.x", "bob.mass.position.y", "bob.mass.velocity.y"];
    let plan = Plan { end: 10.0, rows: 0.005, channels: &channels };
    let steps = Steps { end: 2.0, step: 2e-3, rows: 0.05, channels: &channels[..2], share: 1e-5, global: true };
    let run = context.all_routes(&built, "pendulum", 1e-10, &plan, Some(&steps))?;
    let why = "error-controlled integration at 1e-10 over four periods";
    for (time, x, y) in EXACT {
        for (axis, exact) in [("x", x), ("y", y)] {
            let value = run.at(&format!("bob.mass.position.{axis}"), time)?;
            context.judge(Quantity::new(format!("{axis} at {time} s"), "m", value).absolute(exact, 1e-6, why));
        }
    }
    // It comes to rest level: on the right after half a period, on the left after a whole one.
    let speed = run.channel("bob.mass.velocity.y")?;
    let rests = (1..speed.x.len()).filter(|&i| speed.y[i - 1] > 0.0 && speed.y[i] <= 0.0);
    let period = rests.map(|i| crossing(&speed.x, &speed.y, i)).find(|&time| time > 2.0).unwrap_or(f64::NAN);
    let why = "rows every 5 ms, a straight line between them";
    context.judge(Quantity::new("period", "s", period).relative(PERIOD, 1e-5, why));
    let (x, y) = (run.channel(channels[0])?, run.channel(channels[1])?);
    let times: Vec<f64> = EXACT.iter().map(|row| row.0).collect();
    let [known_x, known_y] = [EXACT.map(|row| row.1), EXACT.map(|row| row.2)];
    let curves = vec![
        Curve::line("x", &x.x, &x.y),
        Curve::line("y", &y.x, &y.y),
        Curve::points("x, exact", &times, &known_x),
        Curve::points("y, exact", &times, &known_y),
    ];
    context.draw(Figure::new("Position of the mass.", vec![Panel::over_time("position", "m", curves)]));
    Ok(())
}

/// Where the straight line between rows i − 1 and i is zero.
fn crossing(x: &[f64], y: &[f64], i: usize) -> f64 {
    x[i - 1] - y[i - 1] * (x[i] - x[i - 1]) / (y[i] - y[i - 1])
}
