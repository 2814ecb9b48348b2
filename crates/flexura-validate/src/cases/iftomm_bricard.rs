//! Bricard's mechanism (IFToMM A04): mobile against the count of freedoms.

use crate::agreement::Steps;
use crate::compare::over_reference;
use crate::context::{Case, Context, Fault, PHYSICS};
use crate::figure::Figure;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, model};
use crate::sampled::{Table, keep_worst};
use flexura::State;
use flexura::analysis::mobility;

/// The case.
pub const CASE: Case = Case {
    id: "iftomm-bricard",
    title: "Bricard's mechanism",
    source: "IFToMM library of multibody benchmarks A04; independent solver with an energy drift of 6e-12 J",
    trust: Trust::T1,
    about: "Five rods of 1 m, 1 kg and 0.1 m square along edges of a cube, six hinges; gravity along −y. Counting gives \
            no freedom, one constraint is redundant, it moves with one. Computed in relative coordinates and with every \
            hinge as a constraint: 30 rows of rank 29.",
    models: &["bricard.toml"],
    cost: 10.0,
    run,
};

const MODEL: &str = include_str!("../../models/bricard.toml");
const TABLE: &str = include_str!("../../data/iftomm_bricard.csv");
const CHANNELS: [&str; 3] = ["rod3.end.position.x", "rod3.end.position.y", "rod3.end.position.z"];
/// Joint that starts at (1, −1, 1): x, y, z (m).
const KNOWN: [(f64, [f64; 3]); 5] = [
    (0.5, [0.968283679, -1.224625159, 0.750146609]),
    (1.0, [0.510501461, -1.649167599, 0.140123115]),
    (2.0, [-0.969340345, -1.221246895, 0.754278011]),
    (5.0, [0.999999998, -1.000067258, 0.999932740]),
    (10.0, [0.999999964, -1.000269013, 0.999730951]),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let plan = Plan { end: 10.0, rows: 0.01, channels: &CHANNELS };
    let steps = Steps { end: 1.0, step: 2e-3, rows: 0.02, channels: &CHANNELS, share: 1e-5, global: true };
    let run = context.all_routes(&built, "relative coordinates", 1e-10, &plan, Some(&steps))?;
    context.graph_in_any_coordinates(&built, "relative coordinates", &plan, Some(&steps))?;
    context.energy_routes(&built, "relative coordinates", &run, &steps)?;
    let names = [(CHANNELS[0], "x", "m"), (CHANNELS[1], "y", "m"), (CHANNELS[2], "z", "m")];
    let why = "error-controlled integration at 1e-10; nine digits of the reference";
    context.known(&run, names, &KNOWN, 1e-5, why)?;
    absolute(context, &run)?;
    let table = Table::new(TABLE)?;
    let pairs = [(CHANNELS[0], "x"), (CHANNELS[1], "y"), (CHANNELS[2], "z")];
    let panel = over_reference(&run, &table, &pairs, "position", "m")?;
    context.draw(Figure::new("Joint that starts at (1, −1, 1).", vec![panel]));
    Ok(())
}

/// Every hinge a constraint: counts, and the same motion.
fn absolute(context: &mut Context, relative: &crate::run::Run) -> Result<(), Fault> {
    let built = model(&MODEL.replace("tree = \"joint\"", "tree = \"absolute\""), CASE.models[0])?;
    let count = mobility(&built.model, &State::initial(&built.model, 0.0))?;
    let why = "a count";
    let rows = built.model.constraint_count() as f64;
    context.judge(Quantity::new("constraint rows", "1", rows).exactly(30.0, why));
    context.judge(Quantity::new("their rank", "1", count.rank as f64).exactly(29.0, why));
    let plan = Plan { end: 2.0, rows: 0.01, channels: &CHANNELS };
    let run = context.run(&built, Route::Articulated(1e-9), &plan)?;
    context.balance(&run, "absolute coordinates")?;
    let mut apart = 0.0_f64;
    for channel in CHANNELS {
        apart = keep_worst(apart, relative.channel(channel)?.distance(&run.channel(channel)?));
    }
    let why = "same mechanism in 30 coordinates, integrated at 1e-9";
    let name = "absolute against relative coordinates, largest difference";
    context.judge(Quantity::new(name, "m", apart).at_most(1e-5, why).source(PHYSICS, Trust::T1));
    Ok(())
}
