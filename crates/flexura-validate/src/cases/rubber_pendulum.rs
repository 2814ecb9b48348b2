//! Rubber pendulum: a soft rod that swings far out of its own shape.

use crate::agreement::Steps;
use crate::compare::over_reference;
use crate::context::{Case, Context, Fault};
use crate::figure::Figure;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, model};
use crate::sampled::Table;

/// The case.
pub const CASE: Case = Case {
    id: "rubber-pendulum",
    title: "Rubber pendulum",
    source: "flexible pendulum of mb_sef_py; independent geometrically exact beam solver",
    trust: Trust::T2,
    about: "A rubber rod, 1 m long, radius 5 mm, E = 5 MPa, ν = 0.5, 1100 kg/m³, hinged at one end and let go from the horizontal; \
            1 s. 16 segments. The series of mb_sef_py is 5 mm from the converged solution at the end.",
    models: &["validation/rubber_pendulum.toml"],
    cost: 5.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/rubber_pendulum.toml");
const TABLE: &str = include_str!("../../data/rubber_pendulum.csv");
const TIP: [&str; 2] = ["rod.tip.position.x", "rod.tip.position.y"];
/// Length of the rod (m).
const LENGTH: f64 = 1.0;
/// Tip (m) at some times (s): independent solver, mb_sef_py.
const KNOWN: [(f64, [f64; 2], [f64; 2]); 2] = [
    (0.6, [-0.65532, -0.69719], [-0.661022186, -0.688729286]),
    (1.0, [-0.94002, -0.09922], [-0.937577546, -0.104446881]),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let built = model(MODEL, CASE.models[0])?;
    let end = if context.quick { 0.6 } else { 1.0 };
    let run = context.run(&built, Route::Articulated(1e-6), &Plan { end, rows: 0.01, channels: &TIP })?;
    context.balance(&run, "rod")?;
    for (time, values, other) in KNOWN.into_iter().filter(|row| row.0 <= end) {
        for (axis, word) in ["x", "y"].into_iter().enumerate() {
            let value = run.at(TIP[axis], time)?;
            let why = "difference of the two reference programs at this time";
            let spread = (values[axis] - other[axis]).abs();
            let quantity = Quantity::new(format!("{word} of the tip at {time} s"), "m", value);
            // Coordinates pass through zero: errors are shares of the length of the rod.
            context.judge(quantity.share_of(LENGTH, values[axis], spread / LENGTH, why));
        }
    }
    let table = Table::new(TABLE)?;
    let panel = over_reference(&run, &table, &[(TIP[0], "x"), (TIP[1], "y")], "tip of the rod", "m")?;
    context.draw(Figure::new("Tip of the rubber rod.", vec![panel]));
    context.accelerations_agree(&built, "rod", 1e-7, end)?;
    let steps = Steps { end: 0.1, step: 1e-4, rows: 0.01, channels: &TIP, share: 1e-3, global: true };
    context.implicit_routes(&built, "rod", &run, &steps)
}
