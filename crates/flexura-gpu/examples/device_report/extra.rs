//! By name alone: short runs for a checker of memory, a few evaluations for a profiler, batches for `scripts/compare_mjx.py`.

use crate::cases::cases;
use crate::kinds::{fill, kinds, template};
use flexura::State;
use flexura_gpu::{Choice, DeviceError, Method, System};
use flexura_samples::chains;
use std::time::Instant;

/// Random trees and elements between frames, a few steps of each.
pub fn small(choice: Choice) -> Result<(), DeviceError> {
    let wanted = ["random tree 100", "elements between frames 7000"];
    for case in cases().iter().filter(|case| wanted.iter().any(|word| case.name.starts_with(word))) {
        println!("{}: {:016x}", case.name, (case.hash)(choice)?);
    }
    Ok(())
}

/// One evaluation of each kind.
pub fn profile(choice: Choice, only: Option<usize>, power: u32) -> Result<(), DeviceError> {
    for (modes, level) in kinds(only) {
        let model = template(7, modes, level);
        let mut system = System::repeated(&model, 1 << power, if modes == 0 { 32 } else { 16 }, choice)?;
        fill(&mut system, modes)?;
        system.evaluate()?;
        system.check()?;
    }
    Ok(())
}

/// Batches of rigid chains and trees by Runge-Kutta 4, one line of JSON each: what moves, from where, to where, how fast.
pub fn peer(choice: Choice, systems: usize) -> Result<(), DeviceError> {
    let (step, steps) = (1e-3, 200);
    for (name, description) in [("chain", chains::rigid_chain(8)), ("tree", chains::rigid_tree(32, 3))] {
        let model = chains::model(description);
        let count = model.body_count();
        let states: Vec<State> = (0..systems)
            .map(|system| {
                let mut state = State::initial(&model, 0.0);
                for k in 0..count {
                    let phase = (k + 1) as f64 + 0.1 * (system % 64) as f64;
                    (state.q[k], state.v[k]) = (0.3 * phase.sin(), 0.2 * phase.cos());
                }
                state
            })
            .collect();
        let mut system = System::batch(&model, systems, choice)?;
        let mut seconds = f64::INFINITY;
        for _ in 0..3 {
            system.set_states(&states)?;
            system.start(Method::RungeKutta4 { step }, 0.0)?;
            let begin = Instant::now();
            system.advance_to(step * f64::from(steps))?;
            seconds = seconds.min(begin.elapsed().as_secs_f64());
        }
        let mut end = State::initial(&model, 0.0);
        system.fetch()?;
        system.read_state(7 % systems, &mut end);
        let parents: Vec<i64> = (0..count).map(|k| model.joints[k].parent.map_or(-1, |p| p as i64)).collect();
        let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
        println!(
            "{{\"kind\": \"{name}\", \"systems\": {systems}, \"step\": {step}, \"steps\": {steps}, \"seconds\": {seconds:e}, \"gravity\": {:?}, \"names\": {names:?}, \"parents\": {parents:?}, \"q\": {:?}, \"v\": {:?}}}",
            model.gravity, end.q, end.v
        );
    }
    Ok(())
}
