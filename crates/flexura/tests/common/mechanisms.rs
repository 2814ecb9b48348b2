//! Mechanisms with closed loops whose motion is published or known.
//!
//! Each builder returns a description at its initial position; trees, methods
//! and end times are the caller's.
#![allow(dead_code)] // each test binary uses its own part

use flexura::beam::{BeamMode, Boundary, ModeCounts, ModeKind, Section, SectionConstants, Shape};
use flexura::model::description::*;
use flexura::model::element::SpringDamper;
use flexura::time_function::TimeFunction;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Dormand-Prince at a tight tolerance.
pub fn tight() -> MethodDescription {
    tolerance(1e-11)
}

/// Dormand-Prince with equal relative and absolute tolerance.
pub fn tolerance(tolerance: f64) -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: tolerance,
        absolute_tolerance: tolerance,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

/// The same system with another choice of tree.
pub fn with_tree(mut description: Description, tree: TreeChoice, cut: &[&str]) -> Description {
    description.graph.tree = tree;
    description.graph.cut = cut.iter().map(|name| name.to_string()).collect();
    description
}

/// The tree of the listed joints.
pub fn listed(names: &[&str]) -> TreeChoice {
    TreeChoice::Listed(names.iter().map(|name| name.to_string()).collect())
}

/// Bricard's mechanism (IFToMM A04): five rods of 1 m, 1 kg and 0.1 m square along the edges of a cube.
pub fn bricard() -> Description {
    let points: [[f64; 3]; 6] =
        [[0.0; 3], [1.0, 0.0, 0.0], [1.0, -1.0, 0.0], [1.0, -1.0, 1.0], [0.0, -1.0, 1.0], [0.0, 0.0, 1.0]];
    let axes: [[f64; 3]; 6] = [[0.0, 1.0, 0.0], Z, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], Z, [1.0, 0.0, 0.0]];
    let mut out = Description::new("Bricard").gravity([0.0, -9.81, 0.0]);
    out = out.ground_frame("p0", points[0]).ground_frame("p5", points[5]);
    for i in 0..5 {
        let half: [f64; 3] = std::array::from_fn(|j| 0.5 * (points[i + 1][j] - points[i][j]));
        let inertia = half.map(|x: f64| if x != 0.0 { 1.0 / 600.0 } else { 1.01 / 12.0 });
        let body = BodyDescription::rigid(&format!("rod{}", i + 1), 1.0, inertia);
        out = out.body(body.frame("a", half.map(|x| -x)).frame("b", half));
    }
    let ends = |i: usize| match i {
        0 => ["ground.p0".to_string(), "rod1.a".to_string()],
        5 => ["rod5.b".to_string(), "ground.p5".to_string()],
        _ => [format!("rod{i}.b"), format!("rod{}.a", i + 1)],
    };
    for (i, axis) in axes.iter().enumerate() {
        let [first, second] = ends(i);
        out = out.joint(JointDescription::revolute(&format!("j{i}"), [&first, &second], *axis));
    }
    out
}

/// Joints of the squeezer whose coordinates are the seven angles of the test set, in its order
/// (β, Θ, γ, Φ, δ, Ω, ε).
pub const SQUEEZER_ANGLES: [&str; 7] = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"];

/// Andrews' squeezing mechanism (Mazzia & Magherini, Test Set for IVP Solvers, problem ANDREWS; IFToMM A03).
///
/// Only β is held; the other angles are rough guesses for assembly to put right.
pub fn squeezer() -> Description {
    // mass, inertia, centre of mass, (frame, position)…
    type Part<'a> = (&'a str, f64, f64, [f64; 2], &'a [(&'a str, [f64; 2])]);
    let parts: [Part; 7] = [
        ("k1", 0.04325, 2.194e-6, [0.00092, 0.0], &[("f", [0.007, 0.0])]),
        ("k2", 0.00365, 4.410e-7, [-0.0115, 0.0], &[("e", [-0.028, 0.0])]),
        ("k3", 0.02373, 5.255e-6, [0.01043, -0.01874], &[("e", [0.0, -0.035]), ("d", [0.02, -0.018])]),
        ("k4", 0.00706, 5.667e-7, [0.0, -(0.02 - 0.01421)], &[("e", [0.0, -0.02])]),
        ("k5", 0.0705, 1.169e-5, [0.02308, 0.00916], &[("g", [0.04, 0.0])]),
        ("k6", 0.00706, 5.667e-7, [0.02 - 0.01421, 0.0], &[("e", [0.02, 0.0])]),
        ("k7", 0.05498, 1.912e-5, [-0.00449, -0.01228], &[("h", [0.0, -0.04])]),
    ];
    let flat = |p: [f64; 2]| [p[0], p[1], 0.0];
    let mut out = Description::new("squeezer").gravity([0.0; 3]);
    for (name, at) in [("a", [-0.06934, -0.00227]), ("b", [-0.03635, 0.03273]), ("c", [0.014, 0.072])] {
        out = out.ground_frame(name, flat(at));
    }
    for (name, mass, inertia, center, frames) in parts {
        let mut body = BodyDescription::rigid(name, mass, [inertia; 3]).center_of_mass(flat(center));
        for &(frame, at) in frames {
            body = body.frame(frame, flat(at));
        }
        out = out.body(body);
    }
    let hinges = [
        ("beta", ["ground.origin", "k1.origin"], -0.0617138900142764),
        ("theta", ["k1.f", "k2.origin"], 0.1),
        ("gamma", ["ground.b", "k3.origin"], 0.4),
        ("phi", ["k5.g", "k4.origin"], 0.2),
        ("delta", ["ground.a", "k5.origin"], 0.5),
        ("omega", ["k7.h", "k6.origin"], -0.2),
        ("epsilon", ["ground.a", "k7.origin"], 1.2),
    ];
    for (name, between, angle) in hinges {
        out = out.joint(JointDescription::revolute(name, between, Z).position(&[angle]));
    }
    for (name, second) in [("e3", "k3.e"), ("e4", "k4.e"), ("e6", "k6.e")] {
        out = out.joint(JointDescription::revolute(name, ["k2.e", second], Z));
    }
    let torque = CoordinateDescription { effort: Some(TimeFunction::Constant(0.033)), ..Default::default() };
    out.joints[0].coordinates = vec![torque];
    out.graph.hold = vec!["beta".into()];
    // The angles of the test set are the coordinates of the tree.
    out.graph.cut = ["e3", "e4", "e6"].map(String::from).to_vec();
    out.element("spring", SpringDamper::linear(0.07785, 4530.0, 0.0), ["k3.d", "ground.c"])
}

/// Spatial slider-crank (after Haug 1989; convention of the cross: axes slider-y and rod normal), the crank
/// upright and turning at 6 rad/s. `rod` is a rigid or flexible body along x with frames `b` and `c`.
fn slider_crank_with(rod: BodyDescription) -> Description {
    // From the slider C = (0.2, 0, 0) to the crank pin B = (0, 0.1, 0.2), 0.3 m; y and normal span the cross.
    let along = [-2.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0];
    let half = 0.5f64.sqrt();
    let normal = [half, 0.0, half];
    let third = flexura::spatial::cross(&along, &normal);
    let columns = [along, normal, third];
    let matrix: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
    let orientation = flexura::spatial::quaternion_from_matrix(&matrix);
    let mut out = Description::new("spatial slider-crank").gravity([0.0, 0.0, -9.81]);
    out = out.ground_frame("a", [0.0, 0.1, 0.12]);
    let crank = BodyDescription::rigid("crank", 0.12, [1e-4, 1e-4, 1e-5]);
    let mut slider = BodyDescription::rigid("slider", 2.0, [1e-3; 3]);
    // The cross joint starts at zero: its frame on the slider is turned like the rod.
    slider = slider.frame_at("c", Place::Origin, [0.0; 3], RotationDescription::Matrix(matrix));
    out = out.body(crank.frame("a", [0.0, 0.0, -0.04]).frame("b", [0.0, 0.0, 0.04])).body(rod).body(slider);
    let y_in_rod = [along[1], normal[1], third[1]];
    let cross = JointKindDescription::Universal { axis: y_in_rod, axis2: [0.0, 1.0, 0.0] };
    out.joint(
        JointDescription::revolute("drive", ["ground.a", "crank.a"], [1.0, 0.0, 0.0])
            .position(&[0.0])
            .speed(&[6.0]),
    )
    .joint(
        JointDescription::prismatic("slide", ["ground.origin", "slider.origin"], [1.0, 0.0, 0.0])
            .position(&[0.2]),
    )
    .joint(JointDescription::new("cross", cross, ["slider.c", "rod.c"]))
    .joint(JointDescription::spherical("ball", ["crank.b", "rod.b"]).position(&orientation))
}

/// The rigid spatial slider-crank.
pub fn slider_crank() -> Description {
    let rod = BodyDescription::rigid("rod", 0.5, [4e-4, 4e-3, 4e-3]);
    slider_crank_with(rod.frame("c", [-0.15, 0.0, 0.0]).frame("b", [0.15, 0.0, 0.0]))
}

/// The spatial slider-crank with a flexible rod of about the same mass (steel, 5 mm radius, softened).
pub fn flexible_slider_crank() -> Description {
    let section = Section::Circle { radius: 0.0082 };
    let beam = BeamDescription::new(0.3, 7850.0, 2.0e8, 7.7e7, section);
    let counts = ModeCounts { axial: 0, bending_y: 2, bending_z: 2, torsion: 0 };
    let rod = BodyDescription::beam("rod", beam.modes(Boundary::PinnedPinned, counts));
    slider_crank_with(rod.station("c", 0.0).station("b", 0.3))
}

/// Flexible four-bar (Richard 2012, section 5.1): rigid crank of 0.3 m at 210 rad/s, coupler 0.9 m, follower
/// 0.6 m, ground 0.9 m (the three lengths are this project's choice), two bending modes each.
pub fn flexible_four_bar() -> Description {
    let constants =
        SectionConstants { area: 1.767e-4, inertia_y: 3.112e-8, inertia_z: 3.112e-8, torsion: 6.224e-8 };
    let beam = |name: &str, length: f64| {
        let counts = ModeCounts { axial: 0, bending_y: 2, bending_z: 0, torsion: 0 };
        let beam = BeamDescription::new(length, 7800.0, 2.0e11, 7.7e10, Section::General(constants));
        let body = BodyDescription::beam(name, beam.modes(Boundary::PinnedPinned, counts));
        body.station("a", 0.0).station("middle", 0.5 * length).station("b", length)
    };
    let crank = BodyDescription::rigid("crank", 1.0, [1e-3, 0.01, 0.01]).frame("a", [0.3, 0.0, 0.0]);
    let turn = TimeFunction::Polynomial { coefficients: vec![0.0, 210.0] };
    let b: [f64; 2] = [0.975, 0.5952940449895329];
    let coupler = b[1].atan2(b[0] - 0.3);
    let follower = b[1].atan2(b[0] - 0.9);
    let mut out = Description::new("flexible four-bar").gravity([0.0; 3]).ground_frame("c", [0.9, 0.0, 0.0]);
    out = out.body(crank).body(beam("coupler", 0.9)).body(beam("follower", 0.6));
    out.joint(JointDescription::revolute("drive", ["ground.origin", "crank.origin"], Z).motion(turn))
        .joint(
            JointDescription::revolute("a", ["crank.a", "coupler.a"], Z)
                .position(&[coupler])
                .speed(&[-315.0]),
        )
        .joint(
            JointDescription::revolute("c", ["ground.c", "follower.a"], Z)
                .position(&[follower])
                .speed(&[-105.0]),
        )
        .joint(JointDescription::revolute("b", ["coupler.b", "follower.b"], Z))
}

/// The flexible four-bar with four bending modes, stretch, and section inertias reduced by what shear adds to the
/// first bending shape, 1 + π²EI/(kGA L²) with k = 1/2: what a shear-flexible beam solution is compared with.
pub fn stretching_four_bar() -> Description {
    let mut out = flexible_four_bar();
    for body in &mut out.bodies {
        let BodyKind::Beam(beam) = &mut body.kind else { continue };
        let counts = ModeCounts { axial: 0, bending_y: 4, bending_z: 0, torsion: 0 };
        beam.modes = flexura::beam::standard_modes(Boundary::PinnedPinned, counts);
        beam.modes.push(BeamMode { kind: ModeKind::Axial, shape: Shape::Linear });
        let Section::General(constants) = &mut beam.section else { continue };
        let stiffness = std::f64::consts::PI.powi(2) * beam.young * constants.inertia_z;
        constants.inertia_z /= 1.0 + stiffness / (0.5 * beam.shear * constants.area * beam.length.powi(2));
    }
    out
}

/// The spatial slider-crank with its cross between plain frames: its coordinates are not zero at the start.
pub fn crossed_slider_crank() -> Description {
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
