//! Numbers that are not finite, wherever they are.
//!
//! The file reader refuses them already; this is for models built in code.

use super::Report;
use crate::model::description::{
    BodyDescription, BodyKind, DampingDescription, Description, FrameDescription, JointDescription,
    JointKindDescription, MethodDescription, ModalDescription, Place, RotationDescription,
};
use crate::model::item::{Item, ItemPath, ROOT};

/// Reports every number list that has a nan or an infinity.
pub(super) fn check(description: &Description, report: &mut Report) {
    let model = ROOT.key("model");
    let item = Item::section("model settings");
    finite(&description.gravity, &model.key("gravity"), &item, report);
    let ground = ROOT.key("ground");
    frames(&description.ground_frames, &ground, &Item::section("ground"), report);
    let (bodies, joints, forces) = (ROOT.key("body"), ROOT.key("joint"), ROOT.key("force"));
    for (i, body) in description.bodies.iter().enumerate() {
        check_body(body, &bodies.index(i), &Item::named("body", &body.name, i), report);
    }
    for (i, joint) in description.joints.iter().enumerate() {
        check_joint(joint, &joints.index(i), &Item::named("joint", &joint.name, i), report);
    }
    for (i, force) in description.forces.iter().enumerate() {
        let (path, item) = (forces.index(i), Item::named("force", &force.name, i));
        finite(&force.force, &path.key("force"), &item, report);
        finite(&force.moment, &path.key("moment"), &item, report);
    }
    check_simulation(description, report);
}

/// Reports `values` if one of them is not finite.
fn finite(values: &[f64], path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let Some(k) = values.iter().position(|value| !value.is_finite()) else { return };
    let number = if values.len() > 1 { format!("number {} of ", k + 1) } else { String::new() };
    let message = format!("{number}`{}` is {}", path.last_key(), values[k]);
    report.error("not-finite", path, item, message, "give finite numbers");
}

fn frames(list: &[FrameDescription], path: &ItemPath<'_>, owner: &Item<'_>, report: &mut Report) {
    let path = path.key("frame");
    for (k, frame) in list.iter().enumerate() {
        let (path, item) = (path.index(k), Item::named("frame", &frame.name, k).of(owner));
        finite(&frame.position, &path.key("position"), &item, report);
        if let Place::Station(station) = frame.place {
            finite(&[station], &path.key("station"), &item, report);
        }
        let path = path.key("rotation");
        match frame.rotation {
            RotationDescription::Identity => {}
            RotationDescription::Quaternion(quaternion) => finite(&quaternion, &path, &item, report),
            RotationDescription::AxisAngle { axis: [x, y, z], angle } => {
                finite(&[x, y, z, angle], &path, &item, report);
            }
            RotationDescription::Matrix(matrix) => {
                finite(matrix.as_flattened(), &path, &item, report);
            }
        }
    }
}

fn check_body(body: &BodyDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    match &body.kind {
        BodyKind::Rigid(rigid) => {
            finite(&[rigid.mass], &path.key("mass"), item, report);
            finite(&rigid.center_of_mass, &path.key("center_of_mass"), item, report);
            finite(rigid.inertia.as_flattened(), &path.key("inertia"), item, report);
        }
        BodyKind::PointMass { mass } => finite(&[*mass], &path.key("point_mass"), item, report),
        BodyKind::Modal(modal) => {
            let path = path.key("modal");
            check_nodes(modal, &path, item, report);
            finite(&modal.stiffness, &path.key("stiffness"), item, report);
            check_damping(&modal.damping, &path, item, report);
        }
        BodyKind::Beam(beam) => {
            let path = path.key("beam");
            finite(&[beam.length], &path.key("length"), item, report);
            finite(&[beam.density], &path.key("density"), item, report);
            finite(&[beam.young], &path.key("young"), item, report);
            finite(&[beam.shear], &path.key("shear"), item, report);
            finite(&beam.arc, &path.key("arc"), item, report);
            finite(&beam.shear_area.unwrap_or_default(), &path.key("shear_area"), item, report);
            if let Some(given) = &beam.properties {
                let rigidities = [given.axial, given.torsion, given.bending_y, given.bending_z, given.mass];
                let shear = given.shear.into_iter().flatten();
                let all: Vec<f64> = rigidities.into_iter().chain(given.rotary).chain(shear).collect();
                finite(&all, &path.key("properties"), item, report);
            }
            check_damping(&beam.damping, &path, item, report);
        }
        BodyKind::FiniteElements { .. } => {}
    }
    frames(&body.frames, path, item, report);
}

fn check_nodes(modal: &ModalDescription, path: &ItemPath<'_>, owner: &Item<'_>, report: &mut Report) {
    let list = path.key("node");
    for (k, node) in modal.nodes.iter().enumerate() {
        let (path, item) = (list.index(k), Item::named("node", &node.name, k).of(owner));
        finite(&[node.mass], &path.key("mass"), &item, report);
        finite(node.inertia.as_flattened(), &path.key("inertia"), &item, report);
        finite(&node.offset, &path.key("offset"), &item, report);
        finite(&node.position, &path.key("position"), &item, report);
        finite(node.slopes.as_flattened(), &path.key("slopes"), &item, report);
        finite(node.translations.as_flattened(), &path.key("translations"), &item, report);
        finite(node.quadratic.as_flattened(), &path.key("quadratic"), &item, report);
    }
}

fn check_damping(damping: &DampingDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let path = path.key("damping");
    match damping {
        DampingDescription::None => {}
        DampingDescription::Ratios(values)
        | DampingDescription::Coefficients(values)
        | DampingDescription::Matrix(values) => finite(values, &path, item, report),
        DampingDescription::Rayleigh { mass, stiffness } => {
            finite(&[*mass, *stiffness], &path, item, report);
        }
        DampingDescription::KelvinVoigt { time } => finite(&[*time], &path, item, report),
    }
}

fn check_joint(joint: &JointDescription, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    match &joint.kind {
        JointKindDescription::Revolute { axis }
        | JointKindDescription::Prismatic { axis }
        | JointKindDescription::Blade { axis }
        | JointKindDescription::Cylindrical { axis } => finite(axis, &path.key("axis"), item, report),
        JointKindDescription::Helical { axis, pitch } => {
            finite(axis, &path.key("axis"), item, report);
            finite(&[*pitch], &path.key("pitch"), item, report);
        }
        JointKindDescription::Rolling { radius, axis, normal } => {
            finite(&[*radius], &path.key("radius"), item, report);
            finite(axis, &path.key("axis"), item, report);
            finite(normal, &path.key("normal"), item, report);
        }
        JointKindDescription::Universal { axis, axis2 } => {
            finite(axis, &path.key("axis"), item, report);
            finite(axis2, &path.key("axis2"), item, report);
        }
        _ => {}
    }
    finite(&joint.position, &path.key("position"), item, report);
    finite(&joint.speed, &path.key("speed"), item, report);
    let mut all = |key: &str, value: fn(&crate::model::description::CoordinateDescription) -> f64| {
        let values: Vec<f64> = joint.coordinates.iter().map(value).collect();
        finite(&values, &path.key(key), item, report);
    };
    all("stiffness", |coordinate| coordinate.stiffness);
    all("rest", |coordinate| coordinate.rest);
    all("damping", |coordinate| coordinate.damping);
    all("friction", |coordinate| coordinate.friction);
    all("friction_speed", |coordinate| coordinate.friction_speed);
}

fn check_simulation(description: &Description, report: &mut Report) {
    let simulation = &description.simulation;
    let (path, item) = (ROOT.key("simulation"), Item::section("simulation settings"));
    let mut number = |key: &str, value: f64| finite(&[value], &path.key(key), &item, report);
    number("start", simulation.start);
    number("end", simulation.end);
    number("output_interval", simulation.output_interval);
    match simulation.method {
        MethodDescription::Rk4 { step } | MethodDescription::Global { step } => number("step", step),
        // The largest step may be infinite: no limit.
        MethodDescription::DormandPrince { relative_tolerance, absolute_tolerance, initial_step, .. }
        | MethodDescription::Radau { relative_tolerance, absolute_tolerance, initial_step, .. }
        | MethodDescription::Automatic { relative_tolerance, absolute_tolerance, initial_step, .. } => {
            number("relative_tolerance", relative_tolerance);
            number("absolute_tolerance", absolute_tolerance);
            number("initial_step", initial_step);
        }
        MethodDescription::Implicit { step, tolerance, .. } => {
            number("step", step);
            number("tolerance", tolerance);
        }
        MethodDescription::EnergyMomentum { step, spectral_radius } => {
            number("step", step);
            number("spectral_radius", spectral_radius);
        }
    }
    let initial = path.key("initial");
    for (k, (body, values)) in simulation.modal_position.iter().enumerate() {
        let item = Item::named("initial values of body", body, k);
        finite(values, &initial.index(k).key("modal_position"), &item, report);
    }
    for (k, (body, values)) in simulation.modal_speed.iter().enumerate() {
        let item = Item::named("initial values of body", body, k);
        finite(values, &initial.index(k).key("modal_speed"), &item, report);
    }
    let events = path.key("event");
    for (k, event) in simulation.events.iter().enumerate() {
        let item = Item::named("event", &event.name, k);
        finite(&[event.value], &events.index(k).key("value"), &item, report);
    }
}
