//! Two loops that share a flexible body.

use flexura::Model;
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::model::description::*;
use flexura::time_function::TimeFunction;

/// Two loops that share a flexible body, hinged to a driven one: branches meet at a body and at the ground.
pub fn two_loops() -> Model {
    let section = Section::Circle { radius: 0.02 };
    let counts = ModeCounts { axial: 1, bending_y: 2, bending_z: 1, ..Default::default() };
    let beam = |length: f64| {
        BeamDescription::new(length, 2700.0, 7e10, 2.6e10, section).modes(Boundary::InterfaceStatic, counts)
    };
    let z = [0.0, 0.0, 1.0];
    let flexible = |name: &str, length: f64| BodyDescription::beam(name, beam(length)).station("tip", length);
    let motion = TimeFunction::Polynomial { coefficients: vec![0.1, 0.7] };
    let description = Description::new("shared")
        .gravity([0.3, -9.81, 0.1])
        .ground_frame("right", [1.1, 0.1, 0.0])
        .body(BodyDescription::rigid("base", 2.0, [0.1, 0.2, 0.3]).frame("side", [0.0, 0.1, 0.0]))
        .body(flexible("crank", 0.5).station("middle", 0.25))
        .body(flexible("rod", 1.0).station("middle", 0.5))
        .body(flexible("rocker", 0.8))
        .body(BodyDescription::rigid("slider", 0.7, [0.01, 0.02, 0.03]))
        .joint(JointDescription::revolute("drive", ["ground.origin", "base.origin"], z).motion(motion))
        .joint(JointDescription::revolute("root", ["base.origin", "crank.origin"], z).position(&[1.0]))
        .joint(JointDescription::revolute("pin", ["crank.tip", "rod.origin"], z).position(&[-0.8]))
        .joint(JointDescription::revolute("pivot", ["ground.right", "rocker.origin"], z).position(&[1.6]))
        .joint(JointDescription::spherical("ball", ["rod.tip", "rocker.tip"]))
        .joint(JointDescription::prismatic("guide", ["base.side", "slider.origin"], [1.0, 0.0, 0.0]))
        .joint(JointDescription::new(
            "link",
            JointKindDescription::Cylindrical { axis: z },
            ["crank.middle", "slider.origin"],
        ));
    let built = description.build();
    built.unwrap_or_else(|error| panic!("{error}")).model
}
