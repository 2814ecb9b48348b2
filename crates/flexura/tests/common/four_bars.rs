//! Chains of four-bar loops: N + 1 standing links, N couplers, all of unit length and mass.
//!
//! N = 2 is the double four-bar of Cuadrado et al.; N arbitrary the problem A02 of the IFToMM library of
//! multibody benchmarks. Section of the flexible bars: steel, chosen so that a bar weighs 1 kg.

use flexura::beam::{Boundary, ModeCounts, Section};
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

/// `loops` four-bar loops in a row at `origin`, the first `flexible` bars flexible; a bar stands, 1 rad/s clockwise.
pub fn four_bars(loops: usize, flexible: usize, amplitudes: usize, origin: [f64; 3]) -> Description {
    let mut description = Description::new("four-bars").gravity([0.0, -9.81, 0.0]);
    let mut made = 0;
    let mut bar = |name: &str| {
        made += 1;
        if made <= flexible { flexible_bar(name, amplitudes) } else { rigid_bar(name) }
    };
    let axis = [0.0, 0.0, 1.0];
    for i in 0..=loops {
        let place = [origin[0] + i as f64, origin[1], origin[2]];
        let (link, coupler) = (format!("link{i}"), format!("coupler{i}"));
        description = description.ground_frame(&format!("g{i}"), place).body(bar(&link)).joint(
            JointDescription::revolute(
                &format!("a{i}"),
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
            .body(bar(&coupler))
            .joint(
                JointDescription::revolute(&format!("b{i}"), [&before, &format!("{coupler}.origin")], axis)
                    .position(&[-FRAC_PI_2])
                    .speed(&[1.0]),
            )
            .joint(JointDescription::revolute(
                &format!("c{i}"),
                [&format!("{coupler}.tip"), &format!("{link}.tip")],
                axis,
            ));
    }
    description
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
