//! Heavy top: fast spin under gravity about a fixed point.

use crate::agreement::Steps;
use crate::compare::over_reference;
use crate::context::{Case, Context, Fault};
use crate::figure::Figure;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Run, model};
use crate::sampled::Table;

/// The case.
pub const CASE: Case = Case {
    id: "heavy-top",
    title: "Heavy top",
    source: "benchmark of Lie group integrators (Brüls & Cardona 2010); independent solution",
    trust: Trust::T1,
    about: "Mass 15 kg, inertia (0.234375, 0.46875, 0.234375) kg m² about the centre of mass, which is 1 m from the fixed \
            point; 150 rad/s of spin and −4.61538 rad/s of precession; gravity along −z.",
    models: &["spinning_top.toml"],
    cost: 3.0,
    run,
};

const MODEL: &str = include_str!("../../models/spinning_top.toml");
const TABLE: &str = include_str!("../../data/heavy_top.csv");
const CHANNELS: [&str; 3] = ["top.position.x", "top.position.y", "top.position.z"];
/// Centre of mass (m).
const KNOWN: [(f64, [f64; 3]); 4] = [
    (0.1, [0.421296659, 0.894571974, -0.149164701]),
    (0.5, [-0.702468297, -0.021165185, -0.711400258]),
    (1.0, [0.173343964, 0.640088592, -0.748490791]),
    (2.0, [-0.150416823, -0.724165592, -0.673022270]),
];
/// Euler parameters at 0.2 s, published with five digits.
const PARAMETERS: [f64; 4] = [-0.70828, 0.43878, 0.54573, 0.0894];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let plan = Plan { end: 2.0, rows: 2e-3, channels: &["top.position.*", "top.quaternion.*"] };
    let steps = Steps { end: 0.5, step: 2e-4, rows: 0.01, channels: &CHANNELS, share: 1e-4, global: true };
    let run = context.all_routes(&built, "top", 1e-11, &plan, Some(&steps))?;
    context.graph_in_any_coordinates(&built, "top", &plan, Some(&steps))?;
    let names = [(CHANNELS[0], "x", "m"), (CHANNELS[1], "y", "m"), (CHANNELS[2], "z", "m")];
    let why = "error-controlled integration at 1e-11 over fifty turns; nine digits of the reference";
    context.known(&run, names, &KNOWN, 1e-6, why)?;
    parameters(context, &run)?;
    let table = Table::new(TABLE)?;
    let pairs = [(CHANNELS[0], "x"), (CHANNELS[1], "y"), (CHANNELS[2], "z")];
    let panel = over_reference(&run, &table, &pairs, "centre of mass", "m")?;
    context.draw(Figure::new("Centre of mass: precession and nutation.", vec![panel]));
    Ok(())
}

fn parameters(context: &mut Context, run: &Run) -> Result<(), Fault> {
    let mut found = [0.0; 4];
    for (slot, part) in found.iter_mut().zip(["w", "x", "y", "z"]) {
        *slot = run.at(&format!("top.quaternion.{part}"), 0.2)?;
    }
    // A quaternion and its negative are the same rotation.
    let sign = found[0].signum() * PARAMETERS[0].signum();
    for ((part, found), value) in ["0", "1", "2", "3"].into_iter().zip(found).zip(PARAMETERS) {
        let quantity = Quantity::new(format!("Euler parameter e{part} at 0.2 s"), "1", sign * found);
        let source = "Exudyn, test model of the heavy top (MATLAB RK4 reference)";
        let judged = quantity.absolute(value, 2e-5, "five digits of the reference");
        context.judge(judged.source(source, Trust::T2));
    }
    Ok(())
}
