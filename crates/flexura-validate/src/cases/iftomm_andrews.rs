//! Andrews' squeezing mechanism (Test Set for IVP Solvers, problem ANDREWS; IFToMM A03).

use crate::agreement::Steps;
use crate::compare::over_reference;
use crate::context::{Case, Context, Fault};
use crate::figure::Figure;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, model};
use crate::sampled::Table;

/// The case.
pub const CASE: Case = Case {
    id: "iftomm-andrews",
    title: "Andrews' squeezing mechanism",
    source: "Mazzia & Magherini, Test Set for IVP Solvers, problem ANDREWS (PSIDE, 1e-14); IFToMM library A03",
    trust: Trust::T1,
    about: "Seven flat bodies in three loops, a spring, a motor of 0.033 N m on the crank; no gravity, at rest at the \
            start. Only the crank angle is given, assembly finds the others. The crank makes more than five turns in 50 ms.",
    models: &["squeezer.toml"],
    cost: 8.0,
    run,
};

const MODEL: &str = include_str!("../../models/squeezer.toml");
const TABLE: &str = include_str!("../../data/iftomm_andrews.csv");
const ANGLES: [&str; 7] = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"];
/// Angles at 0.03 s (rad), in the order of `ANGLES`.
const PUBLISHED: [f64; 7] = [
    15.81077119629904,
    -15.75637105984298,
    0.04082224013073101,
    -0.5347301163226948,
    0.5244099658805304,
    0.5347301163226948,
    1.048080741042263,
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let plan = Plan { end: 0.05, rows: 1e-4, channels: &["*.angle", "beta.rate"] };
    let channels = ["beta.angle", "gamma.angle", "epsilon.angle"];
    let steps = Steps { end: 0.03, step: 2e-5, rows: 1e-3, channels: &channels, share: 1e-4, global: true };
    let run = context.all_routes(&built, "mechanism", 1e-10, &plan, Some(&steps))?;
    context.energy_routes(&built, "mechanism", &run, &steps)?;
    let why = "error-controlled integration at 1e-10, rates of a thousand rad/s";
    for (name, value) in ANGLES.into_iter().zip(PUBLISHED) {
        let found = run.at(&format!("{name}.angle"), 0.03)?;
        context.judge(Quantity::new(format!("{name} at 0.03 s"), "rad", found).absolute(value, 1e-6, why));
    }
    let rate = Quantity::new("rate of beta at 0.03 s", "rad/s", run.at("beta.rate", 0.03)?);
    context.judge(rate.relative(1139.920302151208, 1e-6, why));
    let why = "independent program that agrees with the test set to 1.4e-9 at 0.03 s";
    for (name, value) in [("beta", 33.82586777), ("gamma", 0.11339507), ("epsilon", 1.05690243)] {
        let found = run.at(&format!("{name}.angle"), 0.05)?;
        context.judge(Quantity::new(format!("{name} at 0.05 s"), "rad", found).absolute(value, 1e-5, why));
    }
    let table = Table::new(TABLE)?;
    let panels = vec![
        over_reference(&run, &table, &[("beta.angle", "beta")], "beta", "rad")?,
        over_reference(&run, &table, &[("gamma.angle", "gamma"), ("epsilon.angle", "epsilon")], "angles", "rad")?,
    ];
    context.draw(Figure::new("Crank angle, and two angles of the linkage.", panels));
    Ok(())
}
