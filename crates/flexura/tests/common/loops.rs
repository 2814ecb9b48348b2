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

/// Steel bar of length and mass one with `modes` modes; `retardation` (s) of its material damps it.
pub fn steel_bar(name: &str, modes: usize, retardation: f64) -> BodyDescription {
    let radius = (1.0 / 7850.0 / std::f64::consts::PI).sqrt();
    let mut beam = BeamDescription::new(1.0, 7850.0, 2.1e11, 8e10, Section::Circle { radius });
    beam.modes = bar_modes(modes);
    if retardation > 0.0 {
        beam.damping = DampingDescription::KelvinVoigt { time: retardation };
    }
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

/// Five rods of one metre with a square section of 0.1 m between six hinges that close in space (Bricard's
/// mechanism; IFToMM benchmark A04): one freedom, one redundant constraint.
pub fn bricard() -> Description {
    let points: [[f64; 3]; 6] = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, -1.0, 0.0],
        [1.0, -1.0, 1.0],
        [0.0, -1.0, 1.0],
        [0.0, 0.0, 1.0],
    ];
    let axes: [[f64; 3]; 6] = [
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 0.0],
    ];
    let mut model = Description::new("Bricard").gravity([0.0, -9.81, 0.0]).ground_frame("end", points[5]);
    for i in 0..5 {
        let along: [f64; 3] = std::array::from_fn(|k| (points[i + 1][k] - points[i][k]).abs());
        let inertia: [f64; 3] = along.map(|a| if a > 0.5 { 1.0 / 600.0 } else { 1.01 / 12.0 });
        let middle = std::array::from_fn(|k| 0.5 * (points[i + 1][k] - points[i][k]));
        let tip = std::array::from_fn(|k| points[i + 1][k] - points[i][k]);
        let rod = BodyDescription::rigid(&format!("rod{i}"), 1.0, inertia).center_of_mass(middle);
        model = model.body(rod.frame("root", [0.0; 3]).frame("tip", tip));
        let from = if i == 0 { "ground.origin".into() } else { format!("rod{}.tip", i - 1) };
        let to = format!("rod{i}.root");
        model = model.joint(JointDescription::revolute(&format!("hinge{i}"), [&from, &to], axes[i]));
    }
    model.joint(JointDescription::revolute("hinge5", ["rod4.tip", "ground.end"], axes[5]))
}

/// Spatial slider-crank: a crank about x, a rod on a ball joint, a slider along x on a universal joint.
pub fn slider_crank() -> Description {
    let pivot = [0.0, 0.1, 0.12];
    // Crank upright, slider where the rod of 0.3 m reaches it.
    let crank = [0.0, 0.1, 0.2];
    let reach = (0.3_f64.powi(2) - crank[1] * crank[1] - crank[2] * crank[2]).sqrt();
    let along: [f64; 3] = [reach / 0.3, -crank[1] / 0.3, -crank[2] / 0.3];
    // Rod frame: x along the rod, y across it and across the slider's y axis.
    let mut across = [along[2], 0.0, -along[0]];
    let length = (across[0] * across[0] + across[2] * across[2]).sqrt();
    across = across.map(|c| c / length);
    let third = [
        along[1] * across[2] - along[2] * across[1],
        along[2] * across[0] - along[0] * across[2],
        along[0] * across[1] - along[1] * across[0],
    ];
    let rotation = std::array::from_fn(|i| [along[i], across[i], third[i]]);
    let rod = BodyDescription::rigid("rod", 0.5, [4e-4, 4e-3, 4e-3])
        .center_of_mass([0.15, 0.0, 0.0])
        .frame("root", [0.0; 3])
        // z along the second axis of the universal joint, which is y of the rod.
        .frame_at(
            "tip",
            Place::Origin,
            [0.3, 0.0, 0.0],
            RotationDescription::Matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]),
        );
    let mut model = Description::new("slider-crank")
        .ground_frame("pivot", pivot)
        .body(
            BodyDescription::rigid("crank", 0.12, [1e-4, 1e-4, 1e-5])
                .center_of_mass([0.0, 0.0, 0.04])
                .frame("tip", [0.0, 0.0, 0.08]),
        )
        .body(rod)
        .body(BodyDescription::rigid("slider", 2.0, [1e-3, 1e-3, 1e-3]));
    let quaternion = quaternion_of(&rotation);
    model = model
        .joint(
            JointDescription::revolute("drive", ["ground.pivot", "crank.origin"], [1.0, 0.0, 0.0])
                .speed(&[6.0]),
        )
        .joint(JointDescription::spherical("ball", ["crank.tip", "rod.root"]).position(&quaternion))
        .joint(
            JointDescription::prismatic("guide", ["ground.origin", "slider.origin"], [1.0, 0.0, 0.0])
                .position(&[reach]),
        );
    let kind = JointKindDescription::Universal { axis: [0.0, 1.0, 0.0], axis2: [0.0, 0.0, 1.0] };
    model.graph.cut = vec!["cross".into()];
    model.joint(JointDescription::new("cross", kind, ["slider.origin", "rod.tip"]))
}

fn quaternion_of(rotation: &[[f64; 3]; 3]) -> [f64; 4] {
    flexura::spatial::quaternion_from_matrix(rotation)
}
