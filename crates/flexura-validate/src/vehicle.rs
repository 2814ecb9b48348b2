//! The Iltis of `models/vehicle` with every combination of flexible parts: for the vehicle cases, tests and times.

use crate::context::{Context, Fault, PHYSICS};
use crate::part::Parts;
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model_with};
use flexura::build::Built;
use flexura::formulation::global::{GlobalModel, GlobalOptions};
use flexura::model::description::{
    BodyKind, Description, FormulationChoice, InertiaChoice, InertiaLevel, MethodDescription, NaturalChoice,
};

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

/// Published counts of coordinates, in the order of [`COMBINATIONS`], and which points and vectors lead to them.
pub(crate) struct Counts {
    pub table: &'static str,
    pub topological: [usize; 8],
    pub natural: [usize; 8],
    pub choice: fn([bool; 3]) -> NaturalChoice,
}

fn names(all: &[(bool, &str)]) -> Vec<String> {
    all.iter().filter(|(named, _)| *named).map(|(_, name)| name.to_string()).collect()
}

/// Table 3. What the chassis carries has no coordinates: it has a height, and its carriage a place that is given. Flexible
/// parts have a point and three unit vectors of their own, beside the axis of the universal joint.
pub fn suspension_choice([arm, bar, rod]: [bool; 3]) -> NaturalChoice {
    let own = names(&[(arm, "arm_*"), (bar, "bar_*"), (rod, "rod_*")]);
    NaturalChoice {
        own_point: own.clone(),
        own_vectors: own,
        sliding: names(&[(true, "carriage"), (true, "chassis")]),
        carried_points: names(&[(true, "swing_*"), (true, "bar_root_*"), (true, "rod_root_*")]),
        joint_vectors: names(&[(true, "rod_root_*")]),
        ..NaturalChoice::default()
    }
}

/// Table 5. The chassis has a point and three unit vectors, wheels turn about a point of their hub, flexible A-arms share the
/// axis of their hinge, bars share a point, rods nothing.
pub fn vehicle_choice([_, bar, rod]: [bool; 3]) -> NaturalChoice {
    NaturalChoice {
        own_point: names(&[(true, "chassis"), (rod, "rod_*")]),
        own_vectors: names(&[(bar, "bar_*"), (rod, "rod_*")]),
        unit_vectors: names(&[(true, "chassis")]),
        carried_points: names(&[(true, "spin_*")]),
        joint_vectors: names(&[(true, "rod_root_*")]),
        ..NaturalChoice::default()
    }
}

/// Judges the coordinate counts of all combinations.
pub(crate) fn judge_counts(
    context: &mut Context,
    [rigid, flexible]: [&Description; 2],
    counts: &Counts,
) -> Result<(), Fault> {
    let table = counts.table;
    for (index, (name, choice)) in COMBINATIONS.into_iter().enumerate() {
        let mut description = mixed(rigid, flexible, choice);
        let model = description.clone().build()?.model;
        let free = model.prescribed.iter().filter(|prescribed| !**prescribed).count();
        let quantity = Quantity::new(format!("topological coordinates, flexible: {name}"), "1", free as f64);
        context.judge(quantity.exactly(counts.topological[index] as f64, format!("{table}: a count")));
        let global = GlobalModel::new(&model, &GlobalOptions::default())?.coordinate_count();
        let quantity = Quantity::new(format!("natural coordinates, flexible: {name}"), "1", global as f64);
        let why = "by the rules; the paper counts points and vectors that its authors chose";
        context.judge(quantity.without_reference(why));
        description.graph.natural = (counts.choice)(choice);
        let model = description.build()?.model;
        let chosen = GlobalModel::new(&model, &GlobalOptions::default())?.free_coordinate_count();
        let quantity = Quantity::new(
            format!("natural coordinates, points and vectors chosen, flexible: {name}"),
            "1",
            chosen as f64,
        );
        context.judge(quantity.exactly(counts.natural[index] as f64, format!("{table}: a count")));
    }
    Ok(())
}

/// The suspension with a flexible A-arm at level `consistent`, its inertia in natural coordinates by `inertia`, of what its part
/// keeps for that; without displacements of second order, which no mass matrix holds.
pub(crate) fn with_inertia(inertia: InertiaChoice, step: f64) -> Result<Built, Fault> {
    let keys = match inertia {
        InertiaChoice::Nodal => "mass_nodes = true",
        _ => "nodal = true",
    };
    let edit = |part: &str| part.replace("[reduction]", &format!("[reduction]\n{keys}\nstiffening = false"));
    let [rigid, flexible] =
        [SUSPENSION, SUSPENSION_FLEXIBLE].map(|text| built_with_parts(text, "suspension", edit));
    let flexible = flexible?.description;
    let mut description = mixed(&rigid?.description, &flexible, [true, false, false]);
    description.nodal_masses = flexible.nodal_masses;
    let arms = description.bodies.iter_mut().filter(|body| matches!(body.kind, BodyKind::Modal(_)));
    arms.for_each(|body| body.level = Some(InertiaLevel::Consistent));
    let settings = &mut description.simulation;
    (settings.method, settings.formulation) =
        (MethodDescription::Global { step }, Some(FormulationChoice::Global));
    settings.constraints.inertia = Some(inertia);
    Ok(description.build()?)
}

/// Judges BᵀMB with the assembled matrix of the A-arm in every evaluation against its invariants.
pub(crate) fn judge_assembled(context: &mut Context, plan: &Plan<'_>, step: f64) -> Result<(), Fault> {
    let constants = with_inertia(InertiaChoice::Invariants, step)?;
    let run = context.run(&constants, Route::Global(step), plan)?;
    let assembled = with_inertia(InertiaChoice::Assembled, step)?;
    let other = context.run(&assembled, Route::Global(step), plan)?;
    for channel in plan.channels.iter().filter(|channel| channel.contains("position")) {
        let (a, b) = (run.channel(channel)?, other.channel(channel)?);
        let name = format!(
            "{channel}: A-arm by BᵀMB with its assembled matrix in every evaluation or by invariants, over the range"
        );
        let why = "invariants come from mass pieces: 21 elements; from the matrix itself they are equal to rounding (test)";
        let quantity = Quantity::new(name, "1", a.distance(&b) / a.range());
        context.judge(quantity.at_most(1e-6, why).source(PHYSICS, Trust::T1));
    }
    Ok(())
}

/// Judges a run with chosen points and vectors against `run`, which has those of the rules.
pub(crate) fn judge_choice(
    context: &mut Context,
    built: &Built,
    natural: NaturalChoice,
    (run, what): (&Run, &str),
    route: Route,
    plan: &Plan<'_>,
) -> Result<(), Fault> {
    let mut description = built.description.clone();
    description.graph.natural = natural;
    let chosen = context.run(&description.build()?, route, plan)?;
    for channel in plan.channels.iter().filter(|channel| channel.contains("position")) {
        let (a, b) = (run.channel(channel)?, chosen.channel(channel)?);
        let name = format!("{channel}: points and vectors chosen or by the rules, {what}, over the range");
        let why = "the same equations in other coordinates: the tolerance of the iteration, and what wheels that land make of it";
        let quantity = Quantity::new(name, "1", a.distance(&b) / a.range());
        context.judge(quantity.at_most(1e-6, why).source(PHYSICS, Trust::T1));
    }
    Ok(())
}
