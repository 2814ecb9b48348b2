//! Runs whose steps are taken elsewhere, such as on a device: rows, warnings, progress and the energy audit as in any run.
//!
//! Whoever steps hits every instant at which a row is due; rows are evaluated here from the states that come back.

use super::{Outcome, Progress, Run};
use crate::error::SimulationError;
use crate::integrate::StepStatistics;
use crate::model::Model;
use crate::model::description::{AlgorithmDescription, SimulationDescription};
use crate::record::{Recorder, Sink};
use crate::state::State;
use crate::time_function::Side;

/// Where steps taken elsewhere have come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reached {
    /// Time (s): the one asked for, unless somebody wanted to stop.
    pub time: f64,
    /// Work done since the start (J).
    pub work_done: f64,
    /// Steps so far.
    pub statistics: StepStatistics,
}

/// Somebody who takes the steps of a run.
pub trait Remote {
    /// Begins at `state`.
    fn begin(&mut self, state: &State) -> Result<(), SimulationError>;

    /// Steps until time `until` (s) is hit exactly and writes coordinates and speeds there into `state`; asks `go_on` now
    /// and then with the time reached.
    fn advance(
        &mut self,
        until: f64,
        state: &mut State,
        go_on: &mut dyn FnMut(f64, StepStatistics) -> bool,
    ) -> Result<Reached, SimulationError>;
}

/// Runs from `start` with steps by `remote`.
pub(super) fn run_remote(
    model: &Model,
    settings: &SimulationDescription,
    start: State,
    remote: &mut dyn Remote,
    recorder: &mut Recorder,
    sink: &mut impl Sink,
    watch: &mut impl FnMut(&Progress) -> bool,
) -> Result<Outcome, SimulationError> {
    check_remote(settings)?;
    let mut run = Run::new(model, settings, start, recorder, sink)?;
    run.elsewhere = Some(StepStatistics::default());
    run.record_start()?;
    remote.begin(&run.state)?;
    while run.state.time < settings.end && !run.outcome.cancelled {
        let due = settings.start + settings.output_interval * run.next_output as f64;
        let slack = 1e-9 * settings.output_interval;
        let until = if due > settings.end - slack { settings.end } else { due };
        let mut state = run.state.clone();
        let mut stopped = false;
        let reached = {
            let mut go_on = |time: f64, statistics: StepStatistics| {
                run.elsewhere = Some(statistics);
                let progress = Progress {
                    time,
                    fraction: (time - settings.start) / (settings.end - settings.start),
                    ..run.progress()
                };
                stopped |= !watch(&progress);
                !stopped
            };
            remote.advance(until, &mut state, &mut go_on)?
        };
        state.set_instant(reached.time, if reached.time < settings.end { Side::After } else { Side::Before });
        run.state = state;
        run.integrator.work_done = reached.work_done;
        run.elsewhere = Some(reached.statistics);
        run.outcome.cancelled = stopped;
        run.check_linear_range();
        run.outputs_until(run.state.time, true)?;
        run.outcome.cancelled |= !watch(&run.progress());
    }
    Ok(run.finish())
}

/// Refuses what only steps taken here can do, by name: to be asked before anything is written.
pub fn check_remote(settings: &SimulationDescription) -> Result<(), SimulationError> {
    if let Some(event) = settings.events.first() {
        let text = format!(
            "event `{}`: events are looked for on the processor only; leave it out, or run there",
            event.name
        );
        return Err(SimulationError::Settings(text));
    }
    if settings.algorithm == AlgorithmDescription::CompositeBody {
        let text = "algorithm `composite-body` runs on the processor only; devices divide and conquer";
        return Err(SimulationError::Settings(text.into()));
    }
    if settings.output_interval <= 0.0 {
        let text = "a row at every step is recorded on the processor only; give `output_interval`";
        return Err(SimulationError::Settings(text.into()));
    }
    Ok(())
}
