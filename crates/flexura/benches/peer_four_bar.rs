//! The flexible double four-bar for `scripts/compare_exudyn.py`: one line of JSON per run.
//!
//! `cargo bench -p flexura --bench peer_four_bar -- STEP AMPLITUDES RADIUS END`: step (s), modal amplitudes per bar,
//! spectral radius at high frequencies (1: trapezoidal rule), end (s). Prints the processor seconds
//! of a run (setting up the integrator included), and the place of the tip of the first bar every half second.

#[path = "../tests/common/four_bars.rs"]
#[allow(dead_code)]
mod four_bars;

use flexura::integrate::Integrator;
use flexura::model::description::{DampingChoice, MethodDescription};
use flexura::motion::observe::frame_motion;
use flexura::{Model, State, Workspace, evaluate};
use std::sync::LazyLock;
use std::time::Instant;

/// Place of the tip of the first bar (m).
fn tip(model: &Model, state: &State, work: &mut Workspace) -> Option<[f64; 3]> {
    evaluate(model, state, work).ok()?;
    let frame = &model.frames[model.frame("link0.tip")?.0];
    let (motion, body) = (&work.motion, &work.accelerations);
    Some(frame_motion(model, state, motion, &body.acceleration, &body.chidot, frame).position)
}

/// Seconds this thread has spent on a processor, where the system tells; otherwise of the clock.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let spent = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    spent.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| 1e-9 * nanoseconds)
}

/// Places of the tip every half second; `None` where a step fails.
fn integrate(model: &Model, method: &MethodDescription, end: f64, watched: bool) -> Option<Vec<[f64; 3]>> {
    let mut integrator = Integrator::new(model, method);
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    let mut places = Vec::new();
    for half in 1..=(2.0 * end).round() as usize {
        let limit = 0.5 * half as f64;
        while state.time < limit - 1e-9 {
            integrator.step(model, &mut state, &mut work, limit).ok()?;
        }
        if watched {
            places.push(tip(model, &state, &mut Workspace::new(model))?);
        }
    }
    Some(places)
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
    let method = four_bars::implicit(damping, step);
    let Some(places) = integrate(&model, &method, end, true) else {
        println!("{{\"seconds\": null}}");
        return;
    };
    // The clock of the processor ticks every few milliseconds: many runs.
    let (began, mut runs) = (now(), 0);
    while runs < 5 || now() - began < 0.1 {
        integrate(&model, &method, end, false);
        runs += 1;
    }
    let seconds = (now() - began) / f64::from(runs);
    let places: Vec<String> = places.iter().map(|p| format!("[{:.12}, {:.12}]", p[0], p[1])).collect();
    println!("{{\"seconds\": {seconds:.9}, \"places\": [{}]}}", places.join(", "));
}
