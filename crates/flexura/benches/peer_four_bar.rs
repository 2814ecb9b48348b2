//! The flexible double four-bar for `scripts/compare_exudyn.py`: one line of JSON per run.
//!
//! `cargo bench -p flexura --bench peer_four_bar -- STEP AMPLITUDES RADIUS END`: step (s), modal amplitudes per bar,
//! spectral radius at high frequencies (1: trapezoidal rule), end (s). Prints the seconds of the run alone, and the
//! place of the tip of the first bar every half second.

#[path = "../tests/common/four_bars.rs"]
#[allow(dead_code)]
mod four_bars;

use flexura::algorithm::observe::frame_motion;
use flexura::integrate::Integrator;
use flexura::model::description::DampingChoice;
use flexura::{Model, State, Workspace, evaluate};
use std::time::Instant;

/// Place of the tip of the first bar (m).
fn tip(model: &Model, state: &State, work: &mut Workspace) -> Option<[f64; 3]> {
    evaluate(model, state, work).ok()?;
    let frame = &model.frames[model.frame("link0.tip")?.0];
    let (kin, poses, body) = (&work.kinematics, &work.poses, &work.articulated);
    Some(frame_motion(model, state, kin, poses, &body.acceleration, &body.chidot, frame).position)
}

fn main() {
    let numbers: Vec<f64> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let &[step, amplitudes, radius, end] = &numbers[..] else {
        println!("give STEP AMPLITUDES RADIUS END; see scripts/compare_exudyn.py");
        return;
    };
    let description = four_bars::four_bars(2, 5, amplitudes as usize, [0.0; 3]);
    let model = description.build().unwrap_or_else(|error| panic!("{error}")).model;
    let damping = if radius < 1.0 { DampingChoice::SpectralRadius(radius) } else { DampingChoice::None };
    let mut integrator = Integrator::new(&model, &four_bars::implicit(damping, step));
    let (mut state, mut work) = (State::initial(&model, 0.0), Workspace::new(&model));
    let mut other = Workspace::new(&model);
    let (mut seconds, mut places) = (0.0, Vec::new());
    for half in 1..=(2.0 * end).round() as usize {
        let limit = 0.5 * half as f64;
        let began = Instant::now();
        while state.time < limit - 1e-9 {
            if integrator.step(&model, &mut state, &mut work, limit).is_err() {
                println!("{{\"seconds\": null}}");
                return;
            }
        }
        seconds += began.elapsed().as_secs_f64();
        let place = tip(&model, &state, &mut other).unwrap_or([f64::NAN; 3]);
        places.push(format!("[{:.12}, {:.12}]", place[0], place[1]));
    }
    println!("{{\"seconds\": {seconds:.9}, \"places\": [{}]}}", places.join(", "));
}
