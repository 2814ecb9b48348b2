//! Statics and modes: the equilibrium of a cantilever under its weight, and its vibrations about it.
//!
//! One learns how to find an equilibrium, how to linearise there, and what a mode has: frequency, damping, shape. Both
//! answers are those of the textbook: w = q L⁴/8EI at the tip, ω₁ = (1.8751/L)² √(EI/ρA).
//!
//! `cargo run -p flexura --example statics_and_modes`

use flexura::State;
use flexura::analysis::{EquilibriumOptions, equilibrium, linearize, modes};
use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::model::description::*;
use flexura::simulate::Simulation;
use std::error::Error;
use std::f64::consts::TAU;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (length, density, young) = (1.0, 7800.0, 2.1e11);
    let (width, height) = (0.02_f64, 0.01_f64);
    let section = Section::Rectangle { width_y: width, height_z: height };
    let counts = ModeCounts { bending_z: 4, ..Default::default() };
    let beam = BeamDescription::new(length, density, young, 8e10, section)
        .modes(Boundary::ClampedFree, counts)
        .damping(DampingDescription::Ratios(vec![0.01; 4]));
    let system = Description::new("cantilever")
        .body(BodyDescription::beam("beam", beam).station("tip", length))
        .joint(JointDescription::weld("wall", ["ground.origin", "beam.origin"]))
        .run_for(0.02)
        .build()?;

    let start = State::initial(&system.model, 0.0);
    let rest = equilibrium(&system.model, &start, &EquilibriumOptions::default())?;
    // A run from there stays there: its first row tells what hangs how far.
    let still = Simulation::of(&system).from_state(rest.state.clone()).run()?;
    let sag = -still.channel("beam.tip.position.z")?[0];
    let (line, bending) = (density * width * height, young * width * height.powi(3) / 12.0);
    let textbook = line * 9.81 * length.powi(4) / (8.0 * bending);
    println!("tip hangs {:.4} mm, textbook {:.4} mm", 1e3 * sag, 1e3 * textbook);
    // Four modes of clamped vibration take up all but a ten-thousandth of the deflection.
    assert!((sag / textbook - 1.0).abs() < 3e-4);

    let system = linearize(&system.model, &rest.state, &[], &[])?;
    let mut found = modes(&system)?;
    found.retain(|mode| mode.imaginary > 0.0);
    found.sort_by(|a, b| a.frequency().total_cmp(&b.frequency()));
    for mode in &found {
        println!(
            "{:9.3} Hz, {:.2} % of critical damping",
            mode.imaginary / TAU,
            100.0 * mode.damping_ratio()
        );
    }
    let first = (1.875_104 / length).powi(2) * (bending / line).sqrt() / TAU;
    let measured = found.first().ok_or("a beam vibrates")?.imaginary / TAU;
    println!("textbook {first:.3} Hz");
    // Rotary inertia and one per cent of damping lower it by less than a thousandth.
    assert!((measured / first - 1.0).abs() < 1e-3);
    Ok(())
}
