//! Suspension of the Iltis running down a step (Lugrís et al. 2007, example 2).

mod elements;

use crate::agreement::METHODS;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::vehicle::{
    Counts, SUSPENSION, SUSPENSION_FLEXIBLE, built, judge_assembled, judge_choice, judge_counts,
    suspension_choice,
};
use flexura::build::Built;

/// The case.
pub const CASE: Case = Case {
    id: "lugris-suspension",
    title: "Suspension of the Iltis down a step",
    source: "Lugrís, Cuadrado, González & Luaces (2007), example 2, Table 3",
    trust: Trust::T3,
    about: "Front left suspension: A-arm, leaf spring with its bar, steering rod, damper, tyre; a quarter of the chassis \
            slides up and down at 5 m/s and reaches a step down of 0.2 m at 2 s; 5 s. The paper has h = 10 ms, in which both \
            formulations agree to 1 % and err by 3 % from the landing on; they are judged with 5 ms too. Steps of one length are \
            split at the edge, where the wheel lands and where the bump stop closes and opens: errors fall at second order over the \
            whole run. The paper gives no sections: they are chosen. Its figures have no numbers; counts of coordinates are \
            compared, and the two formulations with each other. At the step the road falls away under the loaded tyre, which loses \
            its energy in that instant: that is work of the road, and energy is balanced over all 5 s. Flexible parts ask for \
            explicit steps of 5 µs: their whole run is by Radau IIA, 0.05 s of it explicitly too.",
    models: &[
        "vehicle/suspension.toml",
        "vehicle/suspension_flexible.toml",
        "validation/suspension_elements.toml",
    ],
    cost: 90.0,
    run,
};

/// Tolerance of the whole flexible run: it balances energy to 1e-6 without following every vibration to eight digits.
const WHOLE: f64 = 1e-4;
const CHANNELS: [&str; 3] = ["chassis.position.z", "hub_fl.position.z", "tyre_fl.force.z"];

fn run(context: &mut Context) -> Result<(), Fault> {
    let [rigid, flexible] = [(SUSPENSION, CASE.models[0]), (SUSPENSION_FLEXIBLE, CASE.models[1])]
        .map(|(text, name)| built(text, name));
    let (rigid, flexible) = (rigid?, flexible?);
    let counts = Counts {
        table: "Table 3",
        topological: [8, 12, 14, 14, 18, 18, 20, 24],
        natural: [25, 38, 40, 40, 53, 53, 55, 68],
        choice: suspension_choice,
    };
    judge_counts(context, [&rigid.description, &flexible.description], &counts)?;
    let mut curves: [Vec<Curve>; 3] = Default::default();
    for (what, built) in [("rigid parts", &rigid), ("flexible parts", &flexible)] {
        let run = formulations(context, built, what)?;
        controlled(context, built, what)?;
        if what == "rigid parts" && !context.quick {
            context.second_order_over_edges(built, what, &CHANNELS[..2], 5.0)?;
        }
        for (list, channel) in curves.iter_mut().zip(CHANNELS) {
            let one = run.channel(channel)?;
            let look = if what == "rigid parts" { Curve::broken } else { Curve::line };
            list.push(look(what, &one.x, &one.y));
        }
    }
    elements::run(context, &flexible)?;
    let [chassis, hub, tyre] = curves;
    let panels = vec![
        Panel::over_time("chassis", "m", chassis),
        Panel::over_time("hub", "m", hub),
        Panel::over_time("tyre force", "N", tyre),
    ];
    context.draw(Figure::new("Settling, and the step down at 2 s; h = 5 ms.", panels));
    Ok(())
}

/// Energy over the run, by the explicit method as far as it goes.
fn controlled(context: &mut Context, built: &Built, what: &str) -> Result<(), Fault> {
    let rigid = what == "rigid parts";
    let end = match (context.quick, rigid) {
        (true, _) => 0.02,
        (false, true) => 5.0,
        (false, false) => 0.05,
    };
    let plan = Plan { end, rows: 1e-3, channels: &CHANNELS };
    let explicit = context.run(built, Route::Articulated(1e-8), &plan)?;
    context.balance(&explicit, what)?;
    context.accelerations_agree(built, what, 1e-7, end.min(1.9))?;
    let stiff = context.run(built, Route::Stiff(1e-8), &plan)?;
    let name = format!("Radau IIA against Dormand-Prince, {what}");
    context.same(&explicit, &stiff, &name, METHODS)?;
    if context.quick || rigid {
        return context.balance(&stiff, &format!("{what}, stiff method"));
    }
    let plan = Plan { end: 5.0, ..plan };
    let whole = context.run(built, Route::Stiff(WHOLE), &plan)?;
    context.balance(&whole, &format!("{what}, whole run"))
}

/// The paper's runs by both formulations.
fn formulations(context: &mut Context, built: &Built, what: &str) -> Result<Run, Fault> {
    let plan = Plan { end: 5.0, rows: 0.01, channels: &CHANNELS };
    let topological = context.run(built, Route::Topological(0.005), &plan)?;
    let global = context.run(built, Route::Global(0.005), &plan)?;
    if !context.quick {
        let choice = suspension_choice([what == "flexible parts"; 3]);
        judge_choice(context, built, choice, (&global, what), Route::Global(0.005), &plan)?;
    }
    if !context.quick && what == "flexible parts" {
        judge_assembled(context, &plan, 0.005)?;
    }
    let long = [context.run(built, Route::Topological(0.01), &plan)?, context.run(built, Route::Global(0.01), &plan)?];
    for channel in &CHANNELS[..2] {
        let (a, b) = (topological.channel(channel)?, global.channel(channel)?);
        let quantity = Quantity::new(format!("{channel}: two formulations over all 5 s, {what}"), "1", a.distance(&b) / a.range());
        let why = "both at second order with 5 ms: 1 % of the motion";
        context.judge(quantity.at_most(0.01, why).source(crate::context::PHYSICS, Trust::T1));
        let (a, b) = (long[0].channel(channel)?, long[1].channel(channel)?);
        let quantity = Quantity::new(format!("{channel}: two formulations over all 5 s with the paper's 10 ms, {what}"), "1", a.distance(&b) / a.range());
        let why = "the paper's steps, split where the wheel lands and the stop closes: 1 % of the motion";
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
