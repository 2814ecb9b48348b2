//! A sweep over a parameter on all cores: one model per value, one run per thread.
//!
//! One learns that models are immutable and runs share nothing, so that a sweep is a few threads over a list of numbers, and
//! that its results have the bits of single runs however many threads there are.
//!
//! `cargo run -p flexura --example sweep`

use flexura::model::description::*;
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

type Fault = Box<dyn Error + Send + Sync>;

/// Largest height (m) that a sprung lever of this length (m) throws a stone to.
fn thrown(arm: f64) -> Result<f64, Fault> {
    let spring = CoordinateDescription { stiffness: 40.0, rest: -1.5, damping: 0.2, ..Default::default() };
    let lever = BodyDescription::rigid("lever", arm, [1e-4, arm.powi(3) / 12.0, arm.powi(3) / 12.0])
        .frame("pivot", [-0.5 * arm, 0.0, 0.0])
        .frame("tip", [0.5 * arm, 0.0, 0.0]);
    let result = Description::new("lever")
        .body(lever)
        .body(BodyDescription::point_mass("stone", 0.2))
        .joint(
            JointDescription::revolute("pivot", ["ground.origin", "lever.pivot"], [0.0, 1.0, 0.0])
                .coordinates(vec![spring]),
        )
        .joint(JointDescription::weld("pouch", ["lever.tip", "stone.origin"]))
        .channels(["lever.tip.velocity.*", "lever.tip.position.z"])
        .run_for(0.5)
        .build()?
        .simulate()?;
    let (height, speed) = (result.channel("lever.tip.position.z")?, result.channel("lever.tip.velocity.z")?);
    let reached = height.iter().zip(&speed).map(|(z, v)| z + v.max(0.0).powi(2) / (2.0 * 9.81));
    Ok(reached.fold(0.0, f64::max))
}

/// `run` of every value, in order, on all cores.
fn sweep(values: &[f64], run: impl Fn(f64) -> Result<f64, Fault> + Sync) -> Result<Vec<f64>, Fault> {
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from).min(values.len());
    let work = || -> Vec<_> {
        let indices = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        indices.take_while(|&k| k < values.len()).map(|k| (k, run(values[k]))).collect()
    };
    let mut done: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).flatten().collect()
    });
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs the example.
pub fn main() -> Result<(), Fault> {
    let arms: Vec<f64> = (2..=12).map(|tenths| 0.1 * f64::from(tenths)).collect();
    let heights = sweep(&arms, thrown)?;
    for (arm, height) in arms.iter().zip(&heights) {
        println!("arm of {arm:.1} m: {height:.3} m");
    }
    let best = heights.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).ok_or("a list of arms")?;
    println!("best: {:.1} m", arms[best.0]);
    assert_eq!(heights[3].to_bits(), thrown(arms[3])?.to_bits(), "a run does not know who else runs");
    Ok(())
}
