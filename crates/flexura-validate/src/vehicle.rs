//! The Iltis of `models/vehicle` with every combination of flexible parts: for the vehicle cases, tests and times.

use crate::context::{Context, Fault};
use crate::part::Parts;
use crate::quantity::Quantity;
use crate::run::model_with;
use flexura::build::Built;
use flexura::formulation::global::{GlobalModel, GlobalOptions};
use flexura::model::description::Description;

macro_rules! vehicle {
    ($name:literal) => {
        include_str!(concat!("../models/vehicle/", $name))
    };
}

/// Rigid vehicle of the IAVSD benchmark.
pub const ILTIS: &str = vehicle!("iltis.toml");
/// Linear vehicle of the same reference.
pub const ILTIS_LINEAR: &str = vehicle!("iltis_linear.toml");
/// Suspension with rigid parts.
pub const SUSPENSION: &str = vehicle!("suspension.toml");
/// Suspension with flexible parts.
pub const SUSPENSION_FLEXIBLE: &str = vehicle!("suspension_flexible.toml");
/// Vehicle with rigid parts on the stepped road.
pub const VEHICLE: &str = vehicle!("iltis_stepped_road.toml");
/// Vehicle with flexible parts on the stepped road.
pub const VEHICLE_FLEXIBLE: &str = vehicle!("iltis_flexible.toml");

/// The model of a text of the vehicle folder; `name` is for messages.
pub fn built(text: &str, name: &str) -> Result<Built, Fault> {
    built_with_parts(text, name, str::to_string)
}

/// The same with its finite element parts edited.
pub fn built_with_parts(text: &str, name: &str, edit: impl Fn(&str) -> String) -> Result<Built, Fault> {
    let parts = [
        ("arm_left.toml", vehicle!("parts/arm_left.toml")),
        ("arm_right.toml", vehicle!("parts/arm_right.toml")),
        ("arm_left_undamped.toml", vehicle!("parts/arm_left_undamped.toml")),
        ("arm_left_rear.toml", vehicle!("parts/arm_left_rear.toml")),
        ("arm_right_rear.toml", vehicle!("parts/arm_right_rear.toml")),
    ];
    model_with(text, name, &[], &Parts(&parts.map(|(name, part)| (name, edit(part)))))
}

/// Which A-arms (A), leaf-spring bars (B) and steering rods (S) are flexible, in the order of the paper's tables.
pub const COMBINATIONS: [(&str, [bool; 3]); 8] = [
    ("none", [false, false, false]),
    ("A", [true, false, false]),
    ("B", [false, true, false]),
    ("S", [false, false, true]),
    ("A, B", [true, true, false]),
    ("A, S", [true, false, true]),
    ("B, S", [false, true, true]),
    ("A, B, S", [true, true, true]),
];

/// The rigid model with A-arms, bars and rods of the flexible one where asked for.
pub fn mixed(rigid: &Description, flexible: &Description, [arm, bar, rod]: [bool; 3]) -> Description {
    let mut description = rigid.clone();
    let bends = |name: &str| {
        (arm && name.starts_with("arm"))
            || (bar && name.starts_with("bar"))
            || (rod && name.starts_with("rod"))
    };
    for (body, other) in description.bodies.iter_mut().zip(&flexible.bodies) {
        if bends(&body.name) {
            *body = other.clone();
        }
    }
    if arm {
        // The frame of the hinge is an interface of the part.
        description.joints = flexible.joints.clone();
    }
    description
}

/// Judges the coordinate counts of all combinations.
pub(crate) fn judge_counts(
    context: &mut Context,
    [rigid, flexible]: [&Description; 2],
    published: [usize; 8],
    table: &str,
) -> Result<(), Fault> {
    for ((name, choice), published) in COMBINATIONS.into_iter().zip(published) {
        let model = mixed(rigid, flexible, choice).build()?.model;
        let free = model.prescribed.iter().filter(|prescribed| !**prescribed).count();
        let quantity = Quantity::new(format!("topological coordinates, flexible: {name}"), "1", free as f64);
        context.judge(quantity.exactly(published as f64, format!("{table}: a count")));
        let global = GlobalModel::new(&model, &GlobalOptions::default())?.coordinate_count();
        let quantity = Quantity::new(format!("natural coordinates, flexible: {name}"), "1", global as f64);
        let why = "the tables count other points and vectors per joint, and do not list them";
        context.judge(quantity.without_reference(why));
    }
    Ok(())
}
