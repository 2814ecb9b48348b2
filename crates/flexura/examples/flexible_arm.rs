//! A flexible arm that a controller turns: beams, modes, damping, a PID law and its reference.
//!
//! One learns how a beam gets its modes, how a controller is wired from a channel to an effort, and what the arm's
//! flexibility costs: the tip rings after the joint has arrived.
//!
//! `cargo run -p flexura --example flexible_arm`

use flexura::beam::{Boundary, ModeCounts, Section};
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use std::error::Error;

const Z: [f64; 3] = [0.0, 0.0, 1.0];
/// Where the arm is to turn (rad), and how fast (s).
const TARGET: f64 = 0.8;
const MOVE: f64 = 1.0;

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    // Aluminium strip, 1.2 m long, flexible in the plane of the motion; three modes clamped at the joint.
    let section = Section::Rectangle { width_y: 0.006, height_z: 0.06 };
    let counts = ModeCounts { bending_y: 3, ..Default::default() };
    let strip = BeamDescription::new(1.2, 2700.0, 70e9, 26e9, section)
        .modes(Boundary::ClampedFree, counts)
        .damping(DampingDescription::Ratios(vec![0.01; 3]));
    let turn = TimeFunction::Cycloidal { start: 0.0, duration: MOVE, from: 0.0, to: TARGET };
    let servo = ControllerDescription::pid("servo", [120.0, 60.0, 25.0], 1e-3)
        .sensor("shoulder.angle", turn)
        .actuator("shoulder.effort")
        .limit(80.0);
    let system = Description::new("flexible arm")
        .gravity([0.0; 3])
        .body(BodyDescription::beam("arm", strip).station("tip", 1.2))
        .body(BodyDescription::point_mass("load", 0.5))
        .joint(JointDescription::revolute("shoulder", ["ground.origin", "arm.origin"], Z))
        .joint(JointDescription::weld("grip", ["arm.tip", "load.origin"]))
        .controller(servo)
        .method(MethodDescription::dormand_prince(1e-6))
        .run_for(2.0)
        .build()?;

    let result = system.simulate()?;
    let (time, angle) = (result.time(), result.channel("shoulder.angle")?);
    let bending = result.channel("arm.eta.1")?;
    let largest = bending.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    println!("first mode at most {largest:.4}, at the end {:.5}", bending[bending.len() - 1]);
    for row in (0..time.len()).step_by(20) {
        println!("{:5.2} s   shoulder {:8.5} rad   first mode {:9.6}", time[row], angle[row], bending[row]);
    }
    let missed = (result.last("shoulder.angle")? - TARGET).abs();
    println!("the shoulder has arrived to {missed:.1e} rad");
    assert!(missed < 0.02, "a servo with an integral part arrives");
    Ok(())
}
