//! Mechanisms with loops that several tests share.

use flexura::beam::{BeamMode, ModeKind, Section, Shape};
use flexura::model::description::*;
use std::f64::consts::FRAC_PI_2;

/// Rigid bar of length and mass one along x, root at the origin.
fn rigid_bar(name: &str) -> BodyDescription {
    BodyDescription::rigid(name, 1.0, [1e-5, 1.0 / 12.0, 1.0 / 12.0])
        .center_of_mass([0.5, 0.0, 0.0])
        .frame("root", [0.0; 3])
        .frame("tip", [1.0, 0.0, 0.0])
}

/// Shapes of a bar clamped at its root and hinged at its tip: stretch, tip deflection, and shapes with
/// both ends at rest (polynomials with the boundary conditions of the clamped-pinned beam).
fn bar_modes(count: usize) -> Vec<BeamMode> {
    let bending = |coefficients: &[f64]| BeamMode {
        kind: ModeKind::BendingY,
        shape: Shape::Polynomial(coefficients.to_vec()),
    };
    let all = vec![
        BeamMode { kind: ModeKind::Axial, shape: Shape::Linear },
        bending(&[0.0, 0.0, 1.5, -0.5]),
        bending(&[0.0, 0.0, 3.0, -5.0, 2.0]),
        bending(&[0.0, 0.0, 0.0, 4.0, -7.0, 3.0]),
    ];
    all.into_iter().take(count).collect()
}

/// Steel bar of length and mass one with `modes` modes; Young's modulus scaled by `softness`.
pub fn steel_bar(name: &str, modes: usize, softness: f64) -> BodyDescription {
    let radius = (1.0 / 7850.0 / std::f64::consts::PI).sqrt();
    let mut beam =
        BeamDescription::new(1.0, 7850.0, 2.1e11 * softness, 8e10 * softness, Section::Circle { radius });
    beam.modes = bar_modes(modes);
    beam.mass_stations = Some(11);
    BodyDescription::beam(name, beam).station("root", 0.0).station("tip", 1.0)
}

/// Two four-bars side by side in the x-y plane: bars `side0..2` from the ground to the couplers
/// `coupler0..1`, all upright, turning clockwise at 1 rad/s. The first `flexible` bars are flexible.
pub fn double_four_bar(
    flexible: usize,
    bar: impl Fn(&str) -> BodyDescription,
    origin: [f64; 3],
) -> Description {
    let names = ["side0", "side1", "side2", "coupler0", "coupler1"];
    let mut model = Description::new("double four-bar").gravity([0.0, -9.81, 0.0]);
    for i in 0..3 {
        let place = [origin[0] + i as f64, origin[1], origin[2]];
        model = model.ground_frame(&format!("a{i}"), place);
    }
    for (i, name) in names.iter().enumerate() {
        model = model.body(if i < flexible { bar(name) } else { rigid_bar(name) });
    }
    let z = [0.0, 0.0, 1.0];
    let hinge = |name: &str, ends: [&str; 2], angle: f64, speed: f64| {
        JointDescription::revolute(name, ends, z).position(&[angle]).speed(&[speed])
    };
    model
        .joint(hinge("base0", ["ground.a0", "side0.root"], FRAC_PI_2, -1.0))
        .joint(hinge("base1", ["ground.a1", "side1.root"], FRAC_PI_2, -1.0))
        .joint(hinge("base2", ["ground.a2", "side2.root"], FRAC_PI_2, -1.0))
        .joint(hinge("left0", ["side0.tip", "coupler0.root"], -FRAC_PI_2, 1.0))
        .joint(hinge("left1", ["side1.tip", "coupler1.root"], -FRAC_PI_2, 1.0))
        .joint(hinge("right0", ["coupler0.tip", "side1.tip"], FRAC_PI_2, -1.0))
        .joint(hinge("right1", ["coupler1.tip", "side2.tip"], FRAC_PI_2, -1.0))
}
