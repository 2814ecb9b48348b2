//! Checkpoints: a run is stopped, kept, and taken up again as if nothing had happened.
//!
//! One learns how a run is watched, when a checkpoint is made and what it holds, and how another run goes on from it. The
//! rows after the restart have the bits of a run that was never stopped.
//!
//! `cargo run -p flexura --example checkpoints`

use flexura::checkpoint::Checkpoint;
use flexura::model::description::*;
use flexura::simulate::{Keeper, Progress, Simulation, Start};
use flexura::{Recording, SinkError};
use std::error::Error;

/// Keeps the first checkpoint after a given time (s).
struct After {
    time: f64,
    kept: Option<Checkpoint>,
}

impl Keeper for After {
    fn due(&mut self, progress: &Progress) -> bool {
        self.kept.is_none() && progress.time >= self.time
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        self.kept = Some(checkpoint.clone());
        Ok(())
    }
}

/// Runs the example.
pub fn main() -> Result<(), Box<dyn Error>> {
    let rod = |name: &str| {
        BodyDescription::rigid(name, 1.0, [1e-4, 1.0 / 12.0, 1.0 / 12.0])
            .frame("in", [-0.5, 0.0, 0.0])
            .frame("out", [0.5, 0.0, 0.0])
    };
    let y = [0.0, 1.0, 0.0];
    let system = Description::new("double pendulum")
        .body(rod("upper"))
        .body(rod("lower"))
        .joint(JointDescription::revolute("shoulder", ["ground.origin", "upper.in"], y))
        .joint(JointDescription::revolute("elbow", ["upper.out", "lower.in"], y).position(&[0.7]))
        .run_for(3.0)
        .build()?;
    let whole = system.simulate()?;

    // The same run, given up as soon as it has been kept.
    let mut keeper = After { time: 1.0, kept: None };
    let mut prepared = Simulation::of(&system).prepare()?;
    let mut first = Recording::new(prepared.channels());
    let mut watch = |progress: &Progress| progress.time < 1.2;
    let outcome = prepared.run(&mut first, &mut watch, &mut keeper)?;
    println!("given up at {:.3} s: {} rows", outcome.end_time, first.rows());
    let checkpoint = keeper.kept.ok_or("a checkpoint after one second")?;
    println!(
        "kept at {:.3} s after {} rows, {} words",
        checkpoint.time,
        checkpoint.rows,
        checkpoint.words.len()
    );

    // Rows up to the checkpoint are those of the first run; the second adds what comes after.
    let rest = Simulation::of(&system).start(Start::Checkpoint(&checkpoint)).run()?;
    println!("went on to {:.3} s with {} rows more", rest.last("time")?, rest.rows());
    assert_eq!(checkpoint.rows as usize + rest.rows(), whole.rows());
    assert_eq!(rest.last("elbow.angle")?.to_bits(), whole.last("elbow.angle")?.to_bits());
    Ok(())
}
