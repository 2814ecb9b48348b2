//! A model built in code: a flexible beam swinging under gravity.
//! `cargo run -p flexura --example flexible_beam`

use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::model::description::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let section = Section::Rectangle { width_y: 0.03, height_z: 0.003 };
    let counts = ModeCounts { bending_z: 3, ..Default::default() };
    let beam = BeamDescription::new(1.0, 2700.0, 70e9, 26e9, section).modes(Boundary::ClampedFree, counts);
    let result = Description::new("swinging beam")
        .body(BodyDescription::beam("beam", beam).station("tip", 1.0))
        .joint(JointDescription::revolute("hinge", ["ground.origin", "beam.origin"], [0.0, 1.0, 0.0]))
        .run_for(2.0)
        .build()?
        .simulate()?;
    println!("tip height after 2 s: {:.6} m", result.last("beam.tip.position.z")?);
    println!("energy balance: {:.1e} J", result.last("energy.balance")?);
    Ok(())
}
