//! Chains of four-bar loops: N + 1 standing links, N couplers, all of unit length and mass.
//!
//! N = 2 is the double four-bar of Cuadrado et al.; N arbitrary the problem A02 of the IFToMM library of
//! multibody benchmarks. Section of the flexible bars: steel, chosen so that a bar weighs 1 kg.

use flexura::beam::{BeamMode, Boundary, ModeCounts, ModeKind, Section, Shape};
use flexura::model::description::*;
use std::f64::consts::FRAC_PI_2;

/// Young's modulus (Pa) and density (kg/m³).
pub const STEEL: (f64, f64) = (2.1e11, 7850.0);
/// Area (m²) and second moment of area (m⁴) of a round bar of 1 kg/m.
pub const SECTION: (f64, f64) = (1.0 / 7850.0, 1.291371e-9);

/// A rigid slender bar along x.
pub fn rigid_bar(name: &str) -> BodyDescription {
    BodyDescription::rigid(name, 1.0, [1e-5, 1.0 / 12.0, 1.0 / 12.0])
        .center_of_mass([0.5, 0.0, 0.0])
        .frame("tip", [1.0, 0.0, 0.0])
}

/// A flexible bar with one stretch and `amplitudes − 1` bending shapes in the plane.
pub fn flexible_bar(name: &str, amplitudes: usize) -> BodyDescription {
    let section = Section::Circle { radius: (SECTION.0 / std::f64::consts::PI).sqrt() };
    let counts = ModeCounts { axial: 1, bending_y: amplitudes - 1, ..Default::default() };
    let beam = BeamDescription::new(1.0, STEEL.1, STEEL.0, STEEL.0 / 2.6, section)
        .modes(Boundary::InterfaceStatic, counts);
    BodyDescription::beam(name, beam).station("tip", 1.0)
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

/// A flexible bar with eleven mass nodes and polynomial shapes; `retardation` (s) of its material damps it.
pub fn steel_bar(name: &str, modes: usize, retardation: f64) -> BodyDescription {
    let mut body = flexible_bar(name, 2);
    let BodyKind::Beam(beam) = &mut body.kind else { unreachable!("a beam") };
    beam.modes = bar_modes(modes);
    beam.mass_stations = Some(11);
    if retardation > 0.0 {
        beam.damping = DampingDescription::KelvinVoigt { time: retardation };
    }
    body
}

/// `loops` four-bar loops in a row at `origin` made of `bar(number, name)`: links `link0…` from the ground (joints
/// `ground0…`), couplers `coupler1…` between their tips (joints `left1…`, `right1…`); all upright, 1 rad/s clockwise.
///
/// The bars stay parallel: ((N+1)/3 + N) θ̈ = ((N+1)/2 + N) g sin θ with θ from the vertical.
pub fn chain(
    loops: usize,
    mut bar: impl FnMut(usize, &str) -> BodyDescription,
    origin: [f64; 3],
) -> Description {
    let mut description = Description::new("four-bars").gravity([0.0, -9.81, 0.0]);
    let axis = [0.0, 0.0, 1.0];
    let mut made = 0;
    let mut next = |name: &str| {
        made += 1;
        bar(made, name)
    };
    for i in 0..=loops {
        let place = [origin[0] + i as f64, origin[1], origin[2]];
        let (link, coupler) = (format!("link{i}"), format!("coupler{i}"));
        description = description.ground_frame(&format!("g{i}"), place).body(next(&link)).joint(
            JointDescription::revolute(
                &format!("ground{i}"),
                [&format!("ground.g{i}"), &format!("{link}.origin")],
                axis,
            )
            .position(&[FRAC_PI_2])
            .speed(&[-1.0]),
        );
        if i == 0 {
            continue;
        }
        let before = format!("link{}.tip", i - 1);
        description = description
            .body(next(&coupler))
            .joint(
                JointDescription::revolute(
                    &format!("left{i}"),
                    [&before, &format!("{coupler}.origin")],
                    axis,
                )
                .position(&[-FRAC_PI_2])
                .speed(&[1.0]),
            )
            .joint(JointDescription::revolute(
                &format!("right{i}"),
                [&format!("{coupler}.tip"), &format!("{link}.tip")],
                axis,
            ));
    }
    description
}

/// A chain at `origin` whose first `flexible` bars are flexible.
pub fn four_bars(loops: usize, flexible: usize, amplitudes: usize, origin: [f64; 3]) -> Description {
    let bar = |number: usize, name: &str| {
        if number <= flexible { flexible_bar(name, amplitudes) } else { rigid_bar(name) }
    };
    chain(loops, bar, origin)
}

/// A chain of rigid bars.
pub fn four_bar_chain(loops: usize) -> Description {
    four_bars(loops, 0, 0, [0.0; 3])
}

/// Two loops whose first `flexible` bars are made by `bar`.
pub fn double_four_bar(
    flexible: usize,
    bar: impl Fn(&str) -> BodyDescription,
    origin: [f64; 3],
) -> Description {
    chain(2, |number, name| if number <= flexible { bar(name) } else { rigid_bar(name) }, origin)
}

/// A rigid crank-rocker whose links differ in length (0.3, 0.9, 0.6 m on a base of 0.9 m), falling and turning.
pub fn crank_rocker() -> Description {
    let axis = [0.0, 0.0, 1.0];
    let bar = |name: &str, length: f64| {
        let inertia = length.powi(3) / 12.0;
        BodyDescription::rigid(name, length, [1e-4, inertia, inertia])
            .center_of_mass([length / 2.0, 0.0, 0.0])
            .frame("tip", [length, 0.0, 0.0])
    };
    Description::new("crank-rocker")
        .gravity([0.0, -9.81, 0.0])
        .ground_frame("right", [0.9, 0.0, 0.0])
        .body(bar("crank", 0.3))
        .body(bar("coupler", 0.9))
        .body(bar("rocker", 0.6))
        .joint(
            JointDescription::revolute("drive", ["ground.origin", "crank.origin"], axis)
                .position(&[0.4])
                .speed(&[12.0]),
        )
        .joint(JointDescription::revolute("knee", ["crank.tip", "coupler.origin"], axis))
        .joint(JointDescription::revolute("base", ["ground.right", "rocker.origin"], axis))
        .joint(JointDescription::revolute("loop", ["coupler.tip", "rocker.tip"], axis))
}

/// The implicit method with a fixed step.
pub fn implicit(damping: DampingChoice, step: f64) -> MethodDescription {
    MethodDescription::Implicit { damping, step, tolerance: 0.0 }
}
