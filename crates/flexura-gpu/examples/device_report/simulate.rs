//! A chain of bars that falls, over one second by fixed steps, with its energy audited by the engine.

use crate::report::{Report, say};
use flexura::{Recorder, State, Workspace};
use flexura_gpu::{Choice, DeviceError, Method, System};
use flexura_samples::chains;
use std::time::Instant;

pub fn section(report: &mut Report, choice: Choice, power: u32, step: f64) -> Result<(), DeviceError> {
    report.section(&format!("One second of 2^{power} rigid bodies"));
    let clock = Instant::now();
    let model = chains::model(chains::rigid_chain(1 << power));
    say!(report, "- model built in {:.1} s", clock.elapsed().as_secs_f64());
    let mut recorder = Recorder::new(&model, &["energy.*".to_string()]).expect("channels");
    let mut work = Workspace::new(&model);
    let mut row = vec![0.0; recorder.channels().len() + 1];
    let mut state = State::initial(&model, 0.0);
    recorder.sample(&model, &state, 0.0, &mut work, &mut row).expect("regular");
    let clock = Instant::now();
    let mut system = System::huge(&model, choice)?;
    system.set_state(&state)?;
    say!(report, "- lowered, compiled and sent in {:.1} s", clock.elapsed().as_secs_f64());
    let bytes = system.lowered().bytes() as f64;
    say!(report, "- {:.0} bytes per body, {:.2} GB", bytes / model.body_count() as f64, bytes / 1e9);
    system.start(Method::RungeKutta4 { step }, 0.0)?;
    let mut said = Instant::now();
    let clock = Instant::now();
    let progress = system.advance_watched(1.0, &mut |progress| {
        if said.elapsed().as_secs_f64() > 10.0 {
            said = Instant::now();
            say!(report, "- at {:.3} s after {:.1} s", progress.time, clock.elapsed().as_secs_f64());
        }
        true
    })?;
    let seconds = clock.elapsed().as_secs_f64();
    let (steps, each) = (progress.accepted, 1e3 * seconds / progress.accepted as f64);
    say!(report, "- {steps} steps of {step} s (Runge-Kutta 4) in {seconds:.2} s, {each:.3} ms per step");
    state = system.state()?;
    recorder.sample(&model, &state, system.work(0)?, &mut work, &mut row).expect("regular");
    report.head(&["channel at 1 s", "J"]);
    for (channel, value) in recorder.channels().iter().zip(&row[1..]) {
        say!(report, "| {} | {value:.6e} |", channel.name);
    }
    say!(report, "\nEnergy unaccounted for: {:.1e} of the largest.", recorder.audit().share());
    Ok(())
}
