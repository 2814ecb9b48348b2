//! Bar released from uniform compression (Mukherjee & Anderson, section 5): substructuring by divide and conquer.

use crate::agreement::Steps;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, model};
use crate::sampled::{Sampled, Table, keep_worst};
use flexura::State;
use flexura::analysis::{linearize, modes};

/// The case.
pub const CASE: Case = Case {
    id: "fdca-bar",
    title: "Bar released from uniform compression",
    source: "Mukherjee & Anderson, flexible divide and conquer, example 1 (section 5); exact wave",
    trust: Trust::T1,
    about: "Four welded bars of unit length, section, stiffness and density, each with four clamped-free axial modes; \
            clamped at one end, strain −0.01 everywhere at the start. The exact end of the bar moves at 0.01 m/s to and \
            fro. Clamped-free modes have no strain at the end of a piece, so that the model is stiffer than the bar and \
            its error is part of the paper's result, which has figures only: numbers of the model are those of an independent \
            program.",
    models: &["compressed_bar.toml"],
    cost: 3.0,
    run,
};

const MODEL: &str = include_str!("../../models/compressed_bar.toml");
const TABLE: &str = include_str!("../../data/fdca_bar.csv");
const TIP: &str = "piece4.tip.position.x";
const APART: &str = "largest difference to the same model";
const SAME_MODEL: &str = "the paper's model by an independent program, kept apart from the engine";

/// Frequencies of the paper's model by an independent program, and of the bar (rad/s).
const OMEGA: [(f64, f64); 3] = [
    (0.4003519121931447, std::f64::consts::FRAC_PI_8),
    (1.2005712509048694, 3.0 * std::f64::consts::FRAC_PI_8),
    (2.000453388125402, 5.0 * std::f64::consts::FRAC_PI_8),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let plan = Plan { end: 10.0, rows: 0.01, channels: &[TIP] };
    let steps = Steps { end: 2.0, step: 2e-3, rows: 0.1, channels: &[TIP], share: 1e-5, global: true };
    let run = context.all_routes(&built, "bar", 1e-10, &plan, Some(&steps))?;
    context.graph_in_any_coordinates(&built, "bar", &plan, Some(&steps))?;
    frequencies(context, &built.model)?;
    let tip = run.channel(TIP)?;
    let moved = Sampled { y: tip.y.iter().map(|x| x - 4.0).collect(), ..tip };
    let exact = |t: f64| if t <= 8.0 { -0.04 + 0.01 * t } else { 0.04 - 0.01 * (t - 8.0) };
    let error: Vec<f64> = moved.x.iter().zip(&moved.y).map(|(&t, u)| u - exact(t)).collect();
    let largest = error.iter().fold(0.0, |worst, e| keep_worst(worst, e.abs()));
    let start = Quantity::new("end of the bar at the start", "m", moved.y[0]);
    let why = "six digits of the reference: initial strain projected by energy";
    context.judge(start.absolute(-0.037984, 1e-6, why).source(SAME_MODEL, Trust::T1));
    let why = "three digits of the reference, sampled in time";
    let error_found = Quantity::new("largest error to the exact wave", "m", largest);
    context.judge(error_found.relative(3.16e-3, 0.02, why).source(SAME_MODEL, Trust::T1));
    for (time, value) in [(5.0, 0.01), (8.0, 0.04), (10.0, 0.02)] {
        let why = "the largest error of this model against the exact wave, 3.16e-3 m by an independent program";
        let found = Quantity::new(format!("end of the bar at {time} s, against the exact wave"), "m", moved.at(time));
        context.judge(found.absolute(value, 3.17e-3, why).beside(APART));
    }
    let table = Table::new(TABLE)?;
    let known = table.column("substructured")?;
    let apart = moved.distance(&known);
    let why = "same model by an independent program; its table has nine digits, ours rows every 10 ms";
    context.judge(
        Quantity::new(APART, "m", apart).at_most(1e-6, why).source(SAME_MODEL, Trust::T1),
    );
    let line = table.column("exact")?;
    let curves = vec![
        Curve::line("four pieces of four modes", &moved.x, &moved.y),
        Curve::broken("exact", &line.x, &line.y),
        Curve::points("same model, independent program", &known.x, &known.y),
    ];
    let panels = vec![
        Panel::over_time("end of the bar", "m", curves),
        Panel::over_time("error", "m", vec![Curve::line("error", &moved.x, &error)]),
    ];
    context.draw(Figure::new("Displacement of the free end after the release.", panels));
    Ok(())
}

fn frequencies(context: &mut Context, model: &flexura::Model) -> Result<(), Fault> {
    let mut rest = State::initial(model, 0.0);
    rest.q.fill(0.0);
    let mut found: Vec<f64> =
        modes(&linearize(model, &rest, &[], &[])?)?.iter().map(|mode| mode.imaginary).filter(|w| *w > 0.0).collect();
    found.sort_by(f64::total_cmp);
    for (k, ((independent, exact), found)) in OMEGA.into_iter().zip(found).enumerate() {
        let why = "same modes: rounding of the two eigenvalue solutions";
        let name = format!("ω{} of the substructured bar", k + 1);
        context.judge(Quantity::new(name, "rad/s", found).absolute(independent, 1e-9, why).source(SAME_MODEL, Trust::T1));
        let why = "clamped-free pieces are 2 % too stiff, which is the paper's effect: 1 % must not be reached";
        let name = format!("ω{} against the exact bar", k + 1);
        context.judge(Quantity::new(name, "rad/s", found).relative(exact, 0.01, why).expected_to_fail());
    }
    Ok(())
}
