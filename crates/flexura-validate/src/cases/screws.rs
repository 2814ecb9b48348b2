//! Screw and lead screw in four trees.

use crate::context::{Case, Context, Fault};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::Trust;
use crate::run::{Plan, Route};
use crate::trees::{Course, Tree};

/// The case.
pub const CASE: Case = Case {
    id: "screws",
    title: "Screw and lead screw",
    source: "exact: constant acceleration",
    trust: Trust::T1,
    about: "A nut sinks on a steep screw, (J + m p²)θ'' = −m g p, and a torque on a lead screw lifts a table, \
            (J + m p²)θ'' = τ − m g p: tens of turns at constant acceleration. The thread is a joint of the tree, closes the loop, or is a \
            constraint between absolute or mixed coordinates; its angle follows from its slide, whatever the pose says.",
    models: &["validation/screw.toml", "validation/lead_screw.toml"],
    cost: 1.0,
    run,
};

const SCREW: [Tree; 4] = [
    ("thread in the tree", "[graph]\ncut = \"guide\""),
    ("thread closes the loop", "[graph]\ncut = \"thread\""),
    ("absolute", "[graph]\ntree = \"absolute\""),
    ("mixed", "[graph]\ntree = [\"guide\"]"),
];
const LEAD_SCREW: [Tree; 5] = [
    ("cut at the thread", "[graph]\ncut = \"thread\""),
    ("cut at the slide", "[graph]\ncut = \"slide\""),
    ("cut at the bearing", "[graph]\ncut = \"bearing\""),
    ("absolute", "[graph]\ntree = \"absolute\""),
    ("mixed", "[graph]\ntree = [\"bearing\"]"),
];

fn run(context: &mut Context) -> Result<(), Fault> {
    let gravity = 9.81;
    // J, m, p, τ.
    let acceleration = |[inertia, mass, pitch, torque]: [f64; 4]| {
        (torque - mass * gravity * pitch) / (inertia + mass * pitch * pitch)
    };
    let models = [
        (
            include_str!("../../models/validation/screw.toml"),
            &SCREW[..],
            acceleration([0.04, 2.0, 0.05, 0.0]),
            [("thread.angle", 1.0, "rad"), ("nut.position.z", 0.05, "m")],
        ),
        (
            include_str!("../../models/validation/lead_screw.toml"),
            &LEAD_SCREW[..],
            acceleration([0.03, 4.0, 0.02, 1.0]),
            [("bearing.angle", 1.0, "rad"), ("table.position.z", 0.02, "m")],
        ),
    ];
    let routes = [
        Route::Articulated(1e-9),
        Route::Stiff(1e-9),
        Route::Topological(2e-3),
        Route::EnergyPreserving(2e-3),
        Route::Global(2e-3),
    ];
    let mut panels = Vec::new();
    for ((text, trees, acceleration, [angle, height]), file) in models.into_iter().zip(CASE.models) {
        let channels = [angle.0, height.0];
        let plan = Plan { end: if context.quick { 1.0 } else { 2.0 }, rows: 0.02, channels: &channels };
        let turned = |time: f64| 0.5 * acceleration * time * time;
        let raised = |time: f64| height.1 * turned(time);
        let courses = [
            Course { channel: angle.0, name: &format!("{} of {file}", angle.0), exact: &turned },
            Course { channel: height.0, name: &format!("{} of {file}", height.0), exact: &raised },
        ];
        let run = context.every_tree((text, file), trees, &routes, &plan, &courses)?;
        let ours = run.channel(angle.0)?;
        panels.push(Panel::over_time(angle.0, "rad", vec![Curve::line(angle.0, &ours.x, &ours.y)]));
    }
    context.draw(Figure::new("Angles of screw and lead screw.", panels));
    Ok(())
}
