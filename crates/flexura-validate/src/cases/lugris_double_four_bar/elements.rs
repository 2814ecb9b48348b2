//! The double four-bar with the paper's own bars: ten beam elements each, reduced to four amplitudes.
//!
//! The same section, start and steps as with analytic shapes. What ten elements miss of a bar's first frequencies is a ten-thousandth,
//! so that both models move alike up to where singular positions amplify elastic phases.

use super::{BEAMS, CASE, FLEXIBLE, TIP};
use crate::context::{Context, Fault};
use crate::part::Parts;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model, model_with};
use crate::sampled::keep_worst;
use flexura::build::Built;

const MODEL: &str = include_str!("../../../models/validation/double_four_bar_elements.toml");
const BAR: &str = include_str!("../../../models/validation/parts/double_four_bar_bar.toml");

/// The model with bars of so many elements, which shear or do not.
fn built(elements: usize, shear: bool) -> Result<Built, Fault> {
    let bar = BAR.replace("elements = 10", &format!("elements = {elements}\nshear = {shear}"));
    model_with(MODEL, CASE.models[2], &[], &Parts(&[("double_four_bar_bar.toml", bar)]))
}

/// Largest distance of the left upper joint between two runs with the same rows (m).
fn apart(one: &Run, other: &Run) -> Result<f64, Fault> {
    let mut most = 0.0_f64;
    for channel in TIP {
        let (a, b) = (one.channel(channel)?, other.channel(channel)?);
        most = a.y.iter().zip(&b.y).fold(most, |most, (x, y)| keep_worst(most, (x - y).abs()));
    }
    Ok(most)
}

/// Motion and energy of bars of elements, beside beams of another program and beside analytic shapes.
pub(super) fn run(context: &mut Context) -> Result<(), Fault> {
    let bars = built(10, true)?;
    let coordinates = Quantity::new("topological coordinates, five bars of ten elements", "1", bars.model.speed_count() as f64);
    let why = "five angles and the paper's four amplitudes per bar (its Table 1 counts three)";
    context.judge(coordinates.exactly(25.0, why));
    let plan = Plan { end: if context.quick { 0.2 } else { 2.0 }, rows: 0.01, channels: &TIP };
    let found = context.run(&bars, Route::Articulated(1e-8), &plan)?;
    context.balance(&found, "bars of ten elements")?;
    if context.quick {
        return Ok(());
    }
    let why = "references of other meshes and steps agree to 3e-4 m at 2 s; four digits printed";
    for (time, known) in [(1.0, [-0.1939, -0.9810]), (2.0, [0.0575, 0.9983])] {
        for (channel, name, known) in [(TIP[0], "x", known[0]), (TIP[1], "y", known[1])] {
            let name = format!("{name} of B0 at {time} s, bars of ten elements");
            let quantity = Quantity::new(name, "m", found.at(channel, time)?);
            context.judge(quantity.absolute(known, 4e-4, why).source(BEAMS, Trust::T3));
        }
    }
    let analytic = context.run(&model(FLEXIBLE, CASE.models[1])?, Route::Articulated(1e-8), &plan)?;
    let stiff = context.run(&built(10, false)?, Route::Articulated(1e-8), &plan)?;
    let twice = context.run(&built(20, true)?, Route::Articulated(1e-8), &plan)?;
    let why = "bars as slender as these shear by 7e-5 of the first frequency, which twenty periods of 0.6 mm show";
    let name = "B0 up to 2 s: ten elements against analytic shapes, largest difference";
    context.judge(Quantity::new(name, "m", apart(&found, &analytic)?).at_most(2e-5, why));
    let why = "what ten elements miss of analytic shapes, where neither shears: ten times less";
    let name = "B0 up to 2 s: ten elements without shear against analytic shapes, largest difference";
    context.judge(Quantity::new(name, "m", apart(&stiff, &analytic)?).at_most(2e-6, why));
    let why = "as much by twice as many elements";
    let name = "B0 up to 2 s: ten against twenty elements, largest difference";
    context.judge(Quantity::new(name, "m", apart(&found, &twice)?).at_most(2e-6, why));
    steps(context, &bars, &found)
}

/// The paper's kind of steps in both formulations, beside error control.
fn steps(context: &mut Context, bars: &Built, resolved: &Run) -> Result<(), Fault> {
    let plan = Plan { end: 2.0, rows: 0.01, channels: &TIP };
    let topological = context.run(bars, Route::Topological(1e-3), &plan)?;
    let natural = context.run(bars, Route::Global(1e-3), &plan)?;
    let why = "steps of 1 ms do not resolve bars that stretch at 4 kHz: a third of the deflection of 0.6 mm at most";
    for (name, run) in [("topological", &topological), ("natural", &natural)] {
        let name = format!("B0 up to 2 s, bars of ten elements: {name} coordinates at 1 ms, largest difference");
        context.judge(Quantity::new(name, "m", apart(run, resolved)?).at_most(2e-4, why));
    }
    let why = "two formulations of the same bars and the same step: a twelfth of the deflection";
    let name = "B0 up to 2 s, bars of ten elements: two formulations at 1 ms, largest difference";
    context.judge(Quantity::new(name, "m", apart(&topological, &natural)?).at_most(5e-5, why));
    Ok(())
}
