//! Point masses welded to a body: merged at build, yet nothing of them is lost.

use crate::common::relative_error;
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::model::description::*;
use flexura::{Model, State, Workspace, evaluate};

fn tip_loaded_bar(force_at: &str) -> Description {
    Description::new("bar")
        .gravity([0.0; 3])
        .body(BodyDescription::rigid("bar", 1.0, [0.01, 0.02, 0.02]).frame("end", [0.5, 0.0, 0.0]))
        .body(BodyDescription::point_mass("load", 2.0))
        .joint(JointDescription::free("float", ["ground.origin", "bar.origin"]))
        .joint(JointDescription::weld("grip", ["bar.end", "load.origin"]))
        .force("push", force_at, [0.0, 0.0, 3.0], None)
        .run_for(0.1)
}

/// A force on the merged mass acts on its host, and the mass keeps its channels.
#[test]
fn a_merged_mass_takes_forces_and_keeps_its_channels() {
    let [on_mass, on_host] =
        ["load.origin", "bar.end"].map(|at| tip_loaded_bar(at).build().unwrap().simulate().unwrap());
    for name in ["float.vz", "float.wy", "bar.end.position.z"] {
        let (a, b) = (on_mass.last(name).unwrap(), on_host.last(name).unwrap());
        assert!(a == b && a != 0.0, "{name}: {a} on the mass, {b} on its host");
    }
    for word in ["position.z", "velocity.z", "acceleration.z"] {
        let (a, b) = (format!("load.{word}"), format!("bar.end.{word}"));
        assert_eq!(on_mass.last(&a).unwrap(), on_mass.last(&b).unwrap());
    }
}

/// A hinged beam with axial and bending modes and a mass beside its tip.
fn beam(level: InertiaLevel, merged: bool) -> Model {
    let section = Section::Rectangle { width_y: 0.02, height_z: 0.02 };
    let counts = ModeCounts { axial: 1, bending_y: 1, bending_z: 1, torsion: 0 };
    let beam = BeamDescription::new(1.0, 2700.0, 7e9, 2.6e9, section).modes(Boundary::ClampedFree, counts);
    let offset = [0.0, 0.05, 0.03];
    let mut mass = BodyDescription::point_mass("load", 0.5);
    if !merged {
        // A frame of its own keeps the mass a body of its own.
        mass = mass.frame("own", [0.0; 3]);
    }
    Description::new("beam")
        .body(BodyDescription::beam("arm", beam).level(level).frame_at(
            "tip",
            Place::Station(1.0),
            offset,
            RotationDescription::Identity,
        ))
        .body(mass)
        .joint(JointDescription::revolute("hinge", ["ground.origin", "arm.origin"], [0.0, 1.0, 0.0]))
        .joint(JointDescription::weld("grip", ["arm.tip", "load.origin"]))
        .build()
        .unwrap()
        .model
}

/// Relative difference of accelerations: mass as a node of the beam, and as a body welded to it.
fn difference(level: InertiaLevel, deformation: f64) -> f64 {
    let accelerations = [true, false].map(|merged| {
        let model = beam(level, merged);
        assert_eq!(model.body_count(), if merged { 1 } else { 2 });
        let mut state = State::initial(&model, 0.0);
        let part = &model.layout.bodies[0];
        for (r, q) in state.q[part.modal_q()].iter_mut().enumerate() {
            *q = deformation * [1.0, -0.7, 0.4][r];
        }
        state.v[part.joint_v()].fill(0.8);
        let mut work = Workspace::new(&model);
        evaluate(&model, &state, &mut work).unwrap();
        work.accelerations.chidot
    });
    relative_error(&accelerations[0], &accelerations[1], 1.0)
}

/// Both are the same system at level `full`; at level `gram` they differ at second order in the deformation, at level
/// `consistent`, whose elastic block is constant, at first order (book/src/theory/inertia.md).
#[test]
fn a_mass_node_differs_from_a_welded_mass_by_the_order_of_its_level() {
    for deformation in [0.0, 1e-3, 1e-2] {
        let full = difference(InertiaLevel::Full, deformation);
        assert!(full < 1e-10, "full, {deformation}: {full:.2e}");
    }
    let [none, small, large] =
        [0.0, 1e-2, 2e-2].map(|deformation| difference(InertiaLevel::Gram, deformation));
    println!("gram: {none:.2e}, {small:.2e}, {large:.2e} at 0, 0.01, 0.02");
    assert!(
        none < 1e-10 && small > 1e-9 && (large / small).log2() > 1.8,
        "{none:.2e}, {small:.2e}, {large:.2e}"
    );
    let at = |deformation| difference(InertiaLevel::Consistent, deformation);
    let (none, small, large) = (at(0.0), at(1e-4), at(2e-4));
    println!("consistent: {none:.2e}, {small:.2e}, {large:.2e} at 0, 1e-4, 2e-4");
    assert!(none < 1e-10, "undeformed: {none:.2e}");
    assert!(small > 1e-8 && (large / small - 2.0).abs() < 0.1, "{small:.2e}, {large:.2e}");
}
