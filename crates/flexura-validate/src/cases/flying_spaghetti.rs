//! Flexible beams thrown through the plane: large motion and large bending, no support.

use crate::agreement::Steps;
use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model};
use crate::sampled::{Sampled, Table};

/// The case.
pub const CASE: Case = Case {
    id: "flying-spaghetti",
    title: "Flying spaghetti",
    source: "Simo & Vu-Quoc (1986); independent geometrically exact beam solver and AeroBeams.jl",
    trust: Trust::T2,
    about: "A free beam from (6, 0) to (0, 8) m, EA = GA = 10⁴, mass 1 kg/m, rotary inertia 10 kg m, EI = 100 or 500 N m²: a force \
            of 8 N along x and a moment of 80 N m clockwise at the lower end, both for 2.5 s. 16 segments. The reference programs \
            differ by up to 1 % of the motion, because the end of the load falls into a step of theirs.",
    models: &["validation/flying_spaghetti.toml", "validation/flying_beam.toml"],
    cost: 50.0,
    run,
};

const TEXTS: [&str; 2] = [
    include_str!("../../models/validation/flying_spaghetti.toml"),
    include_str!("../../models/validation/flying_beam.toml"),
];
const TABLES: [&str; 2] =
    [include_str!("../../data/flying_spaghetti.csv"), include_str!("../../data/flying_beam.csv")];
const END: [&str; 2] = ["beam.position.x", "beam.position.y"];
/// Displacements of the loaded end (m) at some times (s): independent solver, and AeroBeams where it has that time.
type Row = (f64, [f64; 2], Option<[f64; 2]>);
const KNOWN: [&[Row]; 2] = [
    &[
        (2.5, [-1.0363, 4.4764], Some([-1.04105922, 4.48833721])),
        (5.0, [3.81, 8.21], Some([3.87377727, 8.20672501])),
        (7.5, [10.25, -0.284], Some([10.1944529, -0.387772596])),
    ],
    &[
        (2.5, [-1.5698, -0.7848], None),
        (7.5, [9.565, 8.996], None),
        (10.0, [f64::NAN, f64::NAN], Some([19.4495334, 4.65509529])),
        (13.0, [20.21, -0.954], Some([20.068, -0.926])),
    ],
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let names = ["EI = 100 N m²", "EI = 500 N m²"];
    for (k, name) in names.into_iter().enumerate().take(if context.quick { 1 } else { 2 }) {
        let built = model(TEXTS[k], CASE.models[k])?;
        let end = if context.quick { 2.5 } else { [7.5, 13.0][k] };
        let plan = Plan { end, rows: 0.05, channels: &["beam.position.?", "beam.far.position.?", "momentum.linear.x"] };
        let run = context.run(&built, Route::Articulated(1e-6), &plan)?;
        context.balance(&run, name)?;
        for &(time, reference, other) in KNOWN[k].iter().filter(|row| row.0 <= end) {
            displacements(context, &run, name, time, reference, other)?;
        }
        // The force of 8 N for 2.5 s, exactly.
        let momentum = run.at("momentum.linear.x", end)?;
        let why = "impulse of the force: exact";
        context.judge(Quantity::new(format!("momentum after the load, {name}"), "kg m/s", momentum).relative(20.0, 1e-9, why));
        context.accelerations_agree(&built, name, 1e-7, end)?;
        let steps = Steps { end: 0.2, step: 4e-4, rows: 0.05, channels: &END, share: 1e-3, global: true };
        context.implicit_routes(&built, name, &run, &steps)?;
        draw(context, &run, name, k)?;
    }
    Ok(())
}

/// Judges both components against the programs: within their spread, 1 % of the motion.
fn displacements(
    context: &mut Context,
    run: &Run,
    name: &str,
    time: f64,
    reference: [f64; 2],
    other: Option<[f64; 2]>,
) -> Result<(), Fault> {
    let why = "spread of the reference programs: 1 % of the motion";
    let motion = [run.channel(END[0])?.range(), run.channel(END[1])?.range()];
    let size = motion[0].hypot(motion[1]);
    for (axis, start) in [(0, 6.0), (1, 0.0)] {
        let value = run.at(END[axis], time)? - start;
        let named = |who: &str| format!("{} of the loaded end at {time} s, {name}, against {who}", ["x", "y"][axis]);
        if reference[axis].is_finite() {
            let quantity = Quantity::new(named("the independent solver"), "m", value);
            context.judge(quantity.share_of(size, reference[axis], 0.01, why));
        }
        if let Some(other) = other {
            let quantity = Quantity::new(named("AeroBeams"), "m", value);
            context.judge(quantity.share_of(size, other[axis], 0.01, why).source("AeroBeams.jl", Trust::T2));
        }
    }
    Ok(())
}

fn draw(context: &mut Context, run: &Run, name: &str, k: usize) -> Result<(), Fault> {
    let table = Table::new(TABLES[k])?;
    let shifted = |channel: &str, start: f64| -> Result<Sampled, Fault> {
        let found = run.channel(channel)?;
        Ok(Sampled { y: found.y.iter().map(|x| x - start).collect(), ..found })
    };
    let (x, y) = (shifted(END[0], 6.0)?, shifted(END[1], 0.0)?);
    let known = [table.column("x")?, table.column("y")?];
    let curves = vec![
        Curve::line("along x", &x.x, &x.y),
        Curve::line("along y", &y.x, &y.y),
        Curve::points("along x, reference", &known[0].x, &known[0].y),
        Curve::points("along y, reference", &known[1].x, &known[1].y),
    ];
    let path = vec![
        Curve::line("loaded end", &run.channel(END[0])?.y, &run.channel(END[1])?.y),
        Curve::broken("other end", &run.channel("beam.far.position.x")?.y, &run.channel("beam.far.position.y")?.y),
    ];
    let panels = vec![
        Panel::over_time("displacement of the loaded end", "m", curves),
        Panel::new("x [m]", "y", "m", path).path(),
    ];
    context.draw(Figure::new(format!("Flight of the beam, {name}."), panels));
    Ok(())
}
