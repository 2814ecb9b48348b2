//! The suspension with the paper's own bars: ten finite elements each for the bar of the leaf spring and the steering rod.
//!
//! Beside twice as many elements, and beside the analytic shapes of the model file. Those do not shear, which a flat bar six times as long as it is
//! wide shows in its vibrations: where the elements do not shear either, bars vibrate alike, swing for swing.

use super::{CASE, CHANNELS};
use crate::compare::seen_from_body;
use crate::context::{Context, Fault, PHYSICS};
use crate::part::Parts;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model_with};
use crate::sampled::keep_worst;
use crate::vehicle::suspension_choice;
use flexura::build::Built;
use flexura::formulation::global::{GlobalModel, GlobalOptions};

const MODEL: &str = include_str!("../../../models/validation/suspension_elements.toml");
const ARM: &str = include_str!("../../../models/vehicle/parts/arm_left_undamped.toml");
const BAR: &str = include_str!("../../../models/validation/parts/suspension_bar.toml");
const ROD: &str = include_str!("../../../models/validation/parts/suspension_rod.toml");
/// Heights, and what the places of the tips in the frames of their bodies are made of.
const MOTION: [&str; 8] = [
    "chassis.position.z",
    "hub_fl.position.z",
    "bar_fl.position.*",
    "bar_fl.quaternion.*",
    "bar_fl.tip.position.*",
    "rod_fl.position.*",
    "rod_fl.quaternion.*",
    "rod_fl.tip.position.*",
];

/// The model with a bar and a rod of so many elements, which shear or do not.
fn built(elements: usize, shear: bool) -> Result<Built, Fault> {
    let edited =
        |part: &str| part.replace("elements = 10", &format!("elements = {elements}\nshear = {shear}"));
    let parts = [
        ("arm_left_undamped.toml", ARM.to_string()),
        ("suspension_bar.toml", edited(BAR)),
        ("suspension_rod.toml", edited(ROD)),
    ];
    model_with(MODEL, CASE.models[2], &[], &Parts(&parts))
}

/// Largest differences of heights and of deflections across the tips between two runs, each over the range of its channel.
fn apart(one: &Run, other: &Run) -> Result<[f64; 2], Fault> {
    let (mut heights, mut deflections) = (0.0_f64, 0.0_f64);
    for channel in &CHANNELS[..2] {
        let (a, b) = (one.channel(channel)?, other.channel(channel)?);
        heights = keep_worst(heights, a.distance(&b) / a.range());
    }
    for body in ["bar_fl", "rod_fl"] {
        for axis in [1, 2] {
            let tip = |run: &Run| seen_from_body(run, body, "tip", axis);
            let (a, b) = (tip(one)?, tip(other)?);
            deflections = keep_worst(deflections, a.distance(&b) / a.range());
        }
    }
    Ok([heights, deflections])
}

/// Counts of coordinates, and the paper's runs with bars of elements, beside finer ones and beside `analytic` shapes.
pub(super) fn run(context: &mut Context, analytic: &Built) -> Result<(), Fault> {
    let bars = built(10, true)?;
    counts(context, &bars)?;
    let plan = Plan { end: 5.0, rows: 0.01, channels: &MOTION };
    let topological = Route::Topological(0.005);
    let found = context.run(&bars, topological, &plan)?;
    two_formulations(context, &bars, &plan, &found)?;
    if context.quick {
        return Ok(());
    }
    energy(context, &bars)?;
    let twice = context.run(&built(20, true)?, topological, &plan)?;
    let stiff = context.run(&built(10, false)?, topological, &plan)?;
    let shapes = context.run(analytic, topological, &plan)?;
    let what = "heights over all 5 s, bar and rod of ten elements";
    let [heights, deflections] = apart(&found, &twice)?;
    let why = "what twice as many elements change of a bar that bends by 2 mm of 0.3 m of height";
    judge(context, &format!("{what}: against twenty"), heights, 1e-6, why);
    let why = "vibrations of 70 Hz and more over 5 s, undamped, in the same steps";
    judge(context, "deflections of bar and rod of ten elements: against twenty", deflections, 5e-3, why);
    let [heights, _] = apart(&found, &shapes)?;
    let why =
        "analytic shapes do not shear: bars of 1.6 and 0.8 kg vibrate otherwise beside a wheel of 57 kg";
    judge(context, &format!("{what}: against analytic shapes"), heights, 2e-4, why);
    let [heights, deflections] = apart(&stiff, &shapes)?;
    let why = "where neither shears: forty times less";
    judge(context, &format!("{what} without shear: against analytic shapes"), heights, 5e-6, why);
    let why = "vibrations over 5 s, undamped, in the same steps; three shapes in one plane and one in the other against two and two";
    judge(
        context,
        "deflections of bar and rod without shear: ten elements against analytic shapes",
        deflections,
        0.02,
        why,
    );
    Ok(())
}

fn judge(context: &mut Context, name: &str, share: f64, limit: f64, why: &str) {
    let quantity = Quantity::new(format!("{name}, over the range"), "1", share);
    context.judge(quantity.at_most(limit, why).source(PHYSICS, Trust::T1));
}

/// Table 3 with all parts flexible, all of elements.
fn counts(context: &mut Context, bars: &Built) -> Result<(), Fault> {
    let free = bars.model.prescribed.iter().filter(|prescribed| !**prescribed).count();
    let quantity = Quantity::new("topological coordinates, all parts of elements", "1", free as f64);
    context.judge(quantity.exactly(24.0, "Table 3: a count"));
    let mut description = bars.description.clone();
    description.graph.natural = suspension_choice([true; 3]);
    let model = description.build()?.model;
    let chosen = GlobalModel::new(&model, &GlobalOptions::default())?.free_coordinate_count();
    let quantity = Quantity::new(
        "natural coordinates, all parts of elements, points and vectors chosen",
        "1",
        chosen as f64,
    );
    context.judge(quantity.exactly(68.0, "Table 3: a count"));
    Ok(())
}

/// Half of the paper's steps in natural coordinates beside `topological`, and the paper's in both.
fn two_formulations(
    context: &mut Context,
    bars: &Built,
    plan: &Plan<'_>,
    topological: &Run,
) -> Result<(), Fault> {
    let natural = context.run(bars, Route::Global(0.005), plan)?;
    let why = "both at second order with 5 ms: a third of the 1 % asked of rigid parts";
    let [heights, _] = apart(topological, &natural)?;
    judge(context, "heights over all 5 s, bar and rod of ten elements: two formulations", heights, 3e-3, why);
    let (one, other) =
        (context.run(bars, Route::Topological(0.01), plan)?, context.run(bars, Route::Global(0.01), plan)?);
    let [heights, _] = apart(&one, &other)?;
    let why = "the paper's steps, split where the wheel lands and the stop closes";
    judge(
        context,
        "heights over all 5 s, bar and rod of ten elements: two formulations with the paper's 10 ms",
        heights,
        5e-3,
        why,
    );
    Ok(())
}

/// Energy under error control, as far as vibrations of the rod let it be followed.
fn energy(context: &mut Context, bars: &Built) -> Result<(), Fault> {
    let plan = Plan { end: 5.0, rows: 1e-3, channels: &CHANNELS };
    let whole = context.run(bars, Route::Stiff(super::WHOLE), &plan)?;
    context.balance(&whole, "bar and rod of ten elements, whole run")
}
