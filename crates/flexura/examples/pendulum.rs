//! A pendulum in code: describe, build, simulate, read a channel.
//!
//! One learns how a system is put together from bodies and joints, and how a run is asked for its channels. The pendulum is
//! released from the horizontal; its period is known in closed form, T = 4 K(sin²(θ₀/2)) √(I / m g l).
//!
//! `cargo run -p flexura --example pendulum`

use flexura::model::description::*;
use std::error::Error;
use std::f64::consts::{FRAC_PI_2, PI};

const LENGTH: f64 = 1.0;
const MASS: f64 = 2.0;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // The body frame sits at the centre of mass; the rod lies along x and turns about y.
    let across = MASS * LENGTH * LENGTH / 12.0;
    let rod = BodyDescription::rigid("rod", MASS, [1e-6, across, across])
        .frame("pivot", [-0.5 * LENGTH, 0.0, 0.0])
        .frame("tip", [0.5 * LENGTH, 0.0, 0.0]);
    let system = Description::new("pendulum")
        .body(rod)
        .joint(JointDescription::revolute("hinge", ["ground.origin", "rod.pivot"], [0.0, 1.0, 0.0]))
        // An event is located to rounding, whatever rows are recorded: the rod hangs straight down.
        .event(EventDescription::new("down", "hinge.angle", FRAC_PI_2).rising().stopping())
        .run_for(5.0)
        .build()?;

    let result = system.simulate()?;
    for (time, height) in result.time().iter().zip(result.channel("rod.tip.position.z")?).step_by(10) {
        println!("{time:5.2} s   tip at {height:9.6} m");
    }

    let quarter = result.last("time")?;
    let stiffness = (MASS * 9.81 * 0.5 * LENGTH / (MASS * LENGTH * LENGTH / 3.0)).sqrt();
    let exact = elliptic_k((0.5 * FRAC_PI_2).sin()) / stiffness;
    println!("a quarter of the period: {quarter:.9} s, by the elliptic integral {exact:.9} s");
    assert!((quarter - exact).abs() < 1e-7, "the tolerance of the run is 1e-8");
    println!("energy out of balance by {:.1e} J", result.last("energy.balance")?);
    Ok(())
}

/// Complete elliptic integral of the first kind with modulus `k`, by the arithmetic-geometric mean.
fn elliptic_k(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..6 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    0.5 * PI / a
}
