//! Lateral buckling of a thin cantilever that is lifted along its stiff side.

use crate::agreement::Steps;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, model};

/// The case.
pub const CASE: Case = Case {
    id: "lateral-buckling",
    title: "Lateral buckling of a thin beam",
    source: "Bauchau et al. (2016), IFToMM library of flexible benchmarks; series of mb_sef_py",
    trust: Trust::T2,
    about: "A cantilever of 1 m, a hundred times stiffer upwards than sideways; a crank of 50 mm lifts its tip by a link of 0.25 m \
            that sits 0.1 mm beside the axis. The crank is rigid here, 1,000 times stiffer than the beam in the benchmark. Eight \
            segments, up to 0.2 s. In the public series the offset has no effect: the lateral motion starts at 10⁻¹⁶ m, from rounding, \
            and bursts out later. Compared are therefore the rise before buckling, and the rate at which a disturbance of 10⁻¹⁰ m \
            grows after it; with the offset of the benchmark there is no public number.",
    models: &["validation/lateral_buckling.toml"],
    cost: 100.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/lateral_buckling.toml");
const MIDDLE: [&str; 2] = ["beam.middle.position.y", "beam.middle.position.z"];
/// Rise of the middle (m) at some times (s).
const RISE: [(f64, f64); 4] =
    [(0.04, 0.001_201), (0.08, 0.004_620), (0.1, 0.006_932_594_35), (0.12, 0.009_383_876_81)];
/// Lateral displacement (m) at two times (s) while it grows exponentially.
const GROWTH: [(f64, f64); 2] = [(0.152, -1.618_439_46e-5), (0.164, -4.542_427_78e-4)];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let end = if context.quick { 0.04 } else { 0.2 };
    let run = context.run(&built, Route::Articulated(1e-6), &Plan { end, rows: 1e-3, channels: &MIDDLE })?;
    context.balance(&run, "offset 0.1 mm")?;
    let why = "other discretisation with numerical damping, single run without a study of convergence";
    for (time, value) in RISE.into_iter().filter(|row| row.0 <= end) {
        let name = format!("rise of the middle at {time} s");
        context.judge(Quantity::new(name, "m", run.at(MIDDLE[1], time)?).relative(value, 0.01, why));
    }
    context.accelerations_agree(&built, "offset 0.1 mm", 1e-6, end)?;
    let steps = Steps { end: 5e-3, step: 1e-5, rows: 1e-3, channels: &MIDDLE[1..], share: 1e-3, global: true };
    context.implicit_routes(&built, "offset 0.1 mm", &run, &steps)?;
    if context.quick {
        return Ok(());
    }
    let aside = run.channel(MIDDLE[0])?;
    let name = "largest lateral displacement, offset 0.1 mm";
    let why = "the public series was computed without effect of the offset";
    context.judge(Quantity::new(name, "m", aside.minimum().1).without_reference(why));
    growth(context)?;
    let rise = run.channel(MIDDLE[1])?;
    let known: (Vec<f64>, Vec<f64>) = RISE.into_iter().unzip();
    let curves = vec![Curve::line("upwards", &rise.x, &rise.y), Curve::points("upwards, mb_sef_py", &known.0, &known.1)];
    let panels = vec![
        Panel::over_time("middle, upwards", "m", curves),
        Panel::over_time("middle, sideways", "m", vec![Curve::line("sideways", &aside.x, &aside.y)]),
    ];
    context.draw(Figure::new("Middle of the beam with the offset of the benchmark.", panels));
    Ok(())
}

/// How fast a small disturbance grows once the load is beyond the critical one.
fn growth(context: &mut Context) -> Result<(), Fault> {
    let small = MODEL.replace("1e-4", "1e-10");
    let built = model(&small, CASE.models[0])?;
    let plan = Plan { end: 0.166, rows: 2e-3, channels: &MIDDLE };
    let run = context.run(&built, Route::Topological(2e-4), &plan)?;
    let [(from, start), (to, end)] = GROWTH;
    let rate = |start: f64, end: f64| (end / start).ln() / (to - from);
    let found = rate(run.at(MIDDLE[0], from)?, run.at(MIDDLE[0], to)?);
    let name = format!("rate of growth of a small disturbance, {from} to {to} s");
    let why = "two programs, the other with numerical damping and without a study of convergence";
    context.judge(Quantity::new(name, "1/s", found).relative(rate(start, end), 0.02, why));
    let aside = run.channel(MIDDLE[0])?;
    let size: Vec<f64> = aside.y.iter().map(|y| y.abs()).collect();
    let panel = Panel::over_time("disturbance, sideways", "m", vec![Curve::line("offset 1e-10 m", &aside.x, &size)]);
    context.draw(Figure::new("Growth of a small disturbance.", vec![panel.logarithmic()]));
    Ok(())
}
