//! A four-bar linkage: joints that close a loop, and the formulation that integrates them.
//!
//! One learns that loops need no special joint (the last one found becomes a constraint), how to see what was cut, and how
//! to run the same model in recursive, topological and global coordinates. All three must tell the same motion.
//!
//! `cargo run -p flexura --example four_bar`

use flexura::model::description::*;
use flexura::simulate::Simulation;
use flexura::{State, analysis};
use std::error::Error;

const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// A slender bar along x with frames at both ends.
fn bar(name: &str, length: f64) -> BodyDescription {
    let (mass, thin) = (length, 1e-4);
    let across = mass * length * length / 12.0;
    BodyDescription::rigid(name, mass, [thin, across, across])
        .frame("in", [-0.5 * length, 0.0, 0.0])
        .frame("out", [0.5 * length, 0.0, 0.0])
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let hinge = |name: &str, ends: [&str; 2], angle: f64| {
        JointDescription::revolute(name, ends, Z).position(&[angle])
    };
    let system = Description::new("four-bar")
        .gravity([0.0, -9.81, 0.0])
        .ground_frame("far", [1.0, 0.0, 0.0])
        .body(bar("crank", 0.3))
        .body(bar("coupler", 0.9))
        .body(bar("follower", 0.6))
        .joint(hinge("a", ["ground.origin", "crank.in"], 1.2))
        // The angles of the others are guesses: assembly closes the loop and leaves the crank where it is.
        .joint(hinge("b", ["crank.out", "coupler.in"], -0.9))
        .joint(hinge("d", ["ground.far", "follower.in"], 1.5))
        .joint(hinge("c", ["coupler.out", "follower.out"], 0.0))
        .method(MethodDescription::trapezoidal(5e-4))
        .run_for(0.5)
        .build()?;
    let cut: Vec<&str> = system.model.loops.iter().map(|joint| joint.name.as_str()).collect();
    let mobility = analysis::mobility(&system.model, &State::initial(&system.model, 0.0))?;
    println!("closed by {cut:?}; {} freedom", mobility.freedoms);

    // Explicit steps with error control, in joint coordinates; every evaluation finds the reactions of the loop.
    let mut explicit = system.description.simulation.clone();
    explicit.method = MethodDescription::dormand_prince(1e-9);
    let recursive =
        Simulation::of(&system).settings(explicit).formulation(FormulationChoice::Recursive)?.run()?;
    let reference = recursive.last("a.angle")?;
    println!("recursive    {reference:.6} rad");

    // Implicit steps: penalties and multipliers in joint coordinates, or natural coordinates of all bodies.
    for choice in [FormulationChoice::Topological, FormulationChoice::Global] {
        let result = Simulation::of(&system).formulation(choice)?.run()?;
        let angle = result.last("a.angle")?;
        println!("{:<12} {angle:.6} rad", choice.word());
        assert!((angle - reference).abs() < 1e-3, "second order with steps of half a millisecond");
    }
    Ok(())
}
