//! Divide and conquer on a long chain: the same accelerations by halves, on several threads.
//!
//! One learns where the recursions run one after another and where they can be shared out, how an algorithm is chosen, and
//! how one evaluation of the equations of motion is made without a run.
//!
//! `cargo run -p flexura --example long_chain`

use flexura::model::description::*;
use flexura::simulate::Simulation;
use flexura::{State, Workspace, evaluate};
use std::error::Error;

const LINKS: usize = 400;

/// A hanging chain, pushed aside at the top.
fn chain() -> Description {
    let mut out = Description::new("chain").channels([format!("link{}.out.position.*", LINKS - 1)]);
    for k in 0..LINKS {
        let link = BodyDescription::rigid(&format!("link{k}"), 0.05, [1e-6, 4e-5, 4e-5])
            .frame("in", [0.0, 0.0, 0.05])
            .frame("out", [0.0, 0.0, -0.05]);
        let from = if k == 0 { "ground.origin".into() } else { format!("link{}.out", k - 1) };
        let axis = if k % 2 == 0 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
        let start = if k < 2 { 0.1 } else { 0.0 };
        out = out.body(link).joint(
            JointDescription::revolute(&format!("pin{k}"), [&from, &format!("link{k}.in")], axis)
                .position(&[start]),
        );
    }
    out
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let halves = AlgorithmDescription::DivideAndConquer { threads: 2, leaf: 0, refinements: 0 };
    let system = chain().run_for(0.02).build()?;
    let model = &system.model;
    let state = State::initial(model, 0.0);

    // One evaluation by articulated bodies, from the tip to the ground and back.
    let mut work = Workspace::new(model);
    evaluate(model, &state, &mut work)?;
    println!("the first pin turns at {:.6} rad/s²", work.accelerations.chidot[0]);

    // Two short runs: one link after another, and by halves of halves on two threads.
    let one = Simulation::of(&system).run()?;
    let mut settings = system.description.simulation.clone();
    settings.algorithm = halves;
    let two = Simulation::of(&system).settings(settings).run()?;
    let tip = format!("link{}.out.position.x", LINKS - 1);
    let (a, b) = (one.last(&tip)?, two.last(&tip)?);
    println!("tip after 20 ms: {a:.12} m and {b:.12} m");
    assert!((a - b).abs() < 1e-6, "two orders of the same sums, steps by a tolerance of 1e-8");
    Ok(())
}
