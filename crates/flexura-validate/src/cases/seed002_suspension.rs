//! Suspension of the Iltis running down a step (Lugrís et al. 2007, example 2).

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::vehicle::{SUSPENSION, SUSPENSION_FLEXIBLE, built, judge_counts};
use flexura::model::Built;

/// The case.
pub const CASE: Case = Case {
    id: "seed002-suspension",
    title: "Suspension of the Iltis down a step",
    source: "Lugrís, Cuadrado, González & Luaces (2007), example 2, Table 3",
    trust: Trust::T3,
    about: "Front left suspension: A-arm, leaf spring with its bar, steering rod, damper, tyre; a quarter of the chassis \
            slides up and down at 5 m/s and reaches a step down of 0.2 m at 2 s; 5 s, h = 10 ms. The paper gives no \
            sections: they are chosen. Its figures have no numbers; counts of coordinates are compared, and the two \
            formulations with each other. At the step the road falls away under the loaded tyre, whose energy is lost in \
            that instant: energy is balanced up to it.",
    models: &["vehicle/suspension.toml", "vehicle/suspension_flexible.toml"],
    cost: 60.0,
    run,
};

const CHANNELS: [&str; 3] = ["chassis.position.z", "hub_fl.position.z", "tyre_fl.force.z"];

fn run(context: &mut Context) -> Result<(), Fault> {
    let [rigid, flexible] = [(SUSPENSION, CASE.models[0]), (SUSPENSION_FLEXIBLE, CASE.models[1])]
        .map(|(text, name)| built(text, name));
    let (rigid, flexible) = (rigid?, flexible?);
    let published = [8, 12, 14, 14, 18, 18, 20, 24];
    judge_counts(context, [&rigid.description, &flexible.description], published, "Table 3")?;
    let mut curves: [Vec<Curve>; 3] = Default::default();
    for (what, built, explicit) in [("rigid parts", &rigid, 1.9), ("flexible parts", &flexible, 0.05)] {
        let run = formulations(context, built, what)?;
        let plan = Plan { end: if context.quick { 0.02 } else { explicit }, rows: 1e-3, channels: &CHANNELS };
        let controlled = context.run(built, Route::Articulated(1e-8), &plan)?;
        context.balance(&controlled, what)?;
        context.accelerations_agree(built, what, 1e-7, plan.end)?;
        for (list, channel) in curves.iter_mut().zip(CHANNELS) {
            let one = run.channel(channel)?;
            let look = if what == "rigid parts" { Curve::broken } else { Curve::line };
            list.push(look(what, &one.x, &one.y));
        }
    }
    let [chassis, hub, tyre] = curves;
    let panels = vec![
        Panel::over_time("chassis", "m", chassis),
        Panel::over_time("hub", "m", hub),
        Panel::over_time("tyre force", "N", tyre),
    ];
    context.draw(Figure::new("Settling, and the step down at 2 s; h = 10 ms.", panels));
    Ok(())
}

/// The paper's runs by both formulations.
fn formulations(context: &mut Context, built: &Built, what: &str) -> Result<Run, Fault> {
    let plan = Plan { end: 5.0, rows: 0.01, channels: &CHANNELS };
    let topological = context.run(built, Route::Topological(0.01), &plan)?;
    let global = context.run(built, Route::Global(0.01), &plan)?;
    for channel in &CHANNELS[..2] {
        let (a, b) = (topological.channel(channel)?.between(0.0, 2.3), global.channel(channel)?.between(0.0, 2.3));
        let quantity = Quantity::new(format!("{channel}: two formulations through the step, {what}"), "1", a.distance(&b) / a.range());
        let why = "both at second order with 10 ms: 1 % of the motion";
        context.judge(quantity.at_most(0.01, why).source(crate::context::PHYSICS, Trust::T1));
    }
    let chassis = topological.channel(CHANNELS[0])?;
    let lowest = chassis.between(2.0, 5.0).minimum();
    let why = "the paper shows this motion in a figure without numbers";
    let quantity = Quantity::new(format!("lowest chassis after the step, {what}"), "m", lowest.1);
    context.judge(quantity.without_reference(why).source(CASE.source, Trust::T4));
    let why = "Tables 4 and 7 have times of a computer of 2007; times decide nothing";
    let quantity = Quantity::new(format!("computing time over simulated time, {what}"), "1", topological.seconds / 5.0);
    context.judge(quantity.without_reference(why));
    Ok(topological)
}
