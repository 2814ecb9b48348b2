//! A torsion spring wound up by more than a turn, in the tree, in a loop and in absolute coordinates.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::Trust;
use crate::run::{Plan, Route};
use crate::trees::{Course, Tree};

/// The case.
pub const CASE: Case = Case {
    id: "wound-spring",
    title: "Spring wound past a turn",
    source: "exact: oscillator of one freedom",
    trust: Trust::T1,
    about: "A wheel of 1 kg m² on a torsion spring of 1 N m/rad, let go at 10 rad/s: θ = 10 sin t, a turn and a half either way. The \
            joint with the spring is a branch of the tree, closes a loop, or is a constraint between absolute coordinates, \
            where poses tell its angle only up to whole turns.",
    models: &["validation/wound_spring.toml"],
    cost: 1.0,
    run,
};

const MODEL: &str = include_str!("../../models/validation/wound_spring.toml");
const TREES: [Tree; 4] = [
    ("spring in the tree", "[graph]\ncut = \"place\""),
    ("spring closes the loop", "[graph]\ncut = \"axle\""),
    ("absolute", "[graph]\ntree = \"absolute\""),
    ("mixed", "[graph]\ntree = [\"place\"]"),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let end = if context.quick { 2.0 } else { 6.0 };
    let routes = [
        Route::Articulated(1e-9),
        Route::Stiff(1e-9),
        Route::Topological(1e-3),
        Route::Global(1e-3),
        Route::EnergyPreserving(1e-3),
    ];
    let plan = Plan { end, rows: 0.02, channels: &["axle.angle", "axle.rate"] };
    let (angle, rate) = (|time: f64| 10.0 * time.sin(), |time: f64| 10.0 * time.cos());
    let courses = [
        Course { channel: "axle.angle", name: "angle of the wheel", exact: &angle },
        Course { channel: "axle.rate", name: "rate of the wheel", exact: &rate },
    ];
    let run = context.every_tree((MODEL, CASE.models[0]), &TREES, &routes, &plan, &courses)?;
    let ours = run.channel("axle.angle")?;
    let curve = Curve::line("angle", &ours.x, &ours.y);
    context.draw(Figure::new("Angle of the wheel.", vec![Panel::over_time("angle", "rad", vec![curve])]));
    Ok(())
}
