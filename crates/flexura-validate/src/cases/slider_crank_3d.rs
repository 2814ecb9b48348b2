//! Spatial slider-crank after Haug.

use crate::agreement::Steps;
use crate::compare::over_reference;
use crate::context::{Case, Context, Fault};
use crate::figure::Figure;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, model};
use crate::sampled::Table;

/// The case.
pub const CASE: Case = Case {
    id: "slider-crank-3d",
    title: "Spatial slider-crank",
    source: "after Haug (1989); independent rigid solver",
    trust: Trust::T2,
    about: "Crank of 0.08 m at (0, 0.1, 0.12) m, rod of 0.3 m, slider along x; 0.12, 0.5 and 2 kg; 6 rad/s at the start, \
            gravity along −z. The cross at the slider turns about the slider's y axis and the normal of rod and y: other \
            programs fix it differently, with small differences of the motion.",
    models: &["validation/slider_crank_3d.toml"],
    cost: 5.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/slider_crank_3d.toml");
const TABLE: &str = include_str!("../../data/slider_crank_3d.csv");

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let plan = Plan { end: 5.0, rows: 5e-3, channels: &["slide.displacement", "drive.rate"] };
    let channels = ["slide.displacement"];
    let steps = Steps { end: 1.0, step: 5e-4, rows: 0.01, channels: &channels, share: 1e-4, global: true };
    let run = context.all_routes(&built, "mechanism", 1e-10, &plan, Some(&steps))?;
    context.graph_in_any_coordinates(&built, "mechanism", &plan, Some(&steps))?;
    context.energy_routes(&built, "mechanism", &run, &steps)?;
    let why = "eight digits of the reference, error-controlled integration at 1e-10";
    for (time, place, rate) in [
        (0.5, 0.18501670, 14.005727),
        (1.0, 0.20830870, 10.464105),
        (2.0, 0.29003192, 27.481186),
        (5.0, 0.22254417, 10.556468),
    ] {
        let found = run.at("slide.displacement", time)?;
        context.judge(Quantity::new(format!("slider at {time} s"), "m", found).absolute(place, 1e-6, why));
        let found = run.at("drive.rate", time)?;
        context.judge(Quantity::new(format!("crank rate at {time} s"), "rad/s", found).relative(rate, 1e-4, why));
    }
    let table = Table::new(TABLE)?;
    let panels = vec![
        over_reference(&run, &table, &[("slide.displacement", "x")], "slider", "m")?,
        over_reference(&run, &table, &[("drive.rate", "omega")], "crank rate", "rad/s")?,
    ];
    context.draw(Figure::new("Slider and crank.", panels));
    Ok(())
}
