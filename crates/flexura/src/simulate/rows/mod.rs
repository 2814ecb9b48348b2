//! Rows of a run: when one is due, and from what it is filled.
//!
//! At the end of a step the formulation that ran has motion, loads, accelerations and reactions already
//! (`integrate/found.rs`); states inside a step are interpolated and evaluated.

use super::{Run, contact, half_turn};
use crate::error::SimulationError;
use crate::model::description::SimulationDescription;
use crate::record::Sink;

/// Rows of a run, evenly spaced, at which the modes are judged at least: extremes of vibrations are met well enough by so many, and each costs
/// the forces of all joints.
const JUDGED: u64 = 200;

/// Whether modes are judged at the row after `rows` others: at all of few, at every so-manieth of many.
fn judged(settings: &SimulationDescription, rows: u64) -> bool {
    let interval = settings.output_interval;
    let total = if interval > 0.0 { ((settings.end - settings.start) / interval) as u64 } else { rows };
    rows.is_multiple_of((total / JUDGED).max(1))
}

/// Whose row is filled.
#[derive(Clone, Copy)]
enum Row {
    Result,
    Watch(usize),
}

impl<K: Sink> Run<'_, K> {
    /// Channel of watch `i` minus its threshold, now or at a time inside the last step.
    pub(super) fn watch_value(&mut self, i: usize, time: Option<f64>) -> Result<f64, SimulationError> {
        self.fill(Row::Watch(i), time)?;
        let watch = &self.watches[i];
        Ok(watch.row[1] - watch.event.value)
    }

    /// Interpolates into `between` if a time is given; returns the work done there.
    pub(super) fn place(&mut self, time: Option<f64>) -> Result<f64, SimulationError> {
        match time {
            Some(time) => {
                let (between, scratch) = (&mut self.between, &mut self.sample_work);
                let work = self.integrator.interpolate_closed(self.model, time, between, scratch)?;
                Ok(work + self.edges.work_until(time))
            }
            None => Ok(self.integrator.work_done),
        }
    }

    /// Rows on the output grid up to `time`; `inclusive` records a row at the end of the run too.
    pub(super) fn outputs_until(&mut self, time: f64, inclusive: bool) -> Result<(), SimulationError> {
        let interval = self.settings.output_interval;
        if interval <= 0.0 {
            return if inclusive { self.record(None) } else { Ok(()) };
        }
        loop {
            let due = self.settings.start + interval * self.next_output as f64;
            // Rounding of the grid must neither lose nor double the last row.
            let slack = 1e-9 * interval;
            if due > time + slack || (!inclusive && due >= time) {
                break;
            }
            self.next_output += 1;
            let at_end = (due - self.state.time).abs() <= slack;
            self.record(if at_end { None } else { Some(due) })?;
        }
        let last = self.settings.start + interval * (self.next_output - 1) as f64;
        let at_end = inclusive && self.state.time >= self.settings.end.min(self.piece_end);
        if at_end && self.state.time - last > 1e-9 * interval {
            self.record(None)?;
        }
        Ok(())
    }

    /// Records the state at `time` inside the last step, or now; an instant is recorded once.
    pub(super) fn record(&mut self, time: Option<f64>) -> Result<(), SimulationError> {
        let instant = time.unwrap_or(self.state.time);
        if self.last_row == Some(instant) {
            return Ok(());
        }
        self.last_row = Some(instant);
        self.fill(Row::Result, time)?;
        self.sink.commit().map_err(SimulationError::Output)?;
        self.outcome.rows += 1;
        Ok(())
    }

    /// Fills a row at `time` inside the last step, or now.
    fn fill(&mut self, kind: Row, time: Option<f64>) -> Result<(), SimulationError> {
        let work_done = self.place(time)?;
        let (model, state) = (self.model, if time.is_some() { &self.between } else { &self.state });
        let (recorder, judge, row) = match kind {
            Row::Result => {
                let due = self.judge.follows() && judged(self.settings, self.outcome.rows);
                (&mut *self.recorder, due.then_some(&mut self.judge), self.sink.row())
            }
            Row::Watch(i) => {
                let watch = &mut self.watches[i];
                (&mut watch.recorder, None, &mut watch.row[..])
            }
        };
        let result = matches!(kind, Row::Result);
        let reactions = recorder.needs_reactions() || judge.is_some();
        let found = match time {
            None => self.integrator.found(model, state, reactions, &mut self.work),
            Some(_) => None,
        };
        let work = match found {
            Some(work) => {
                recorder.read(model, state, work_done, work, row);
                work
            }
            None => {
                let work = &mut self.sample_work;
                // Whoever looks at the row besides its reader needs all of the instant.
                if judge.is_some() || (result && !self.outcome.contacts.is_empty()) {
                    recorder.sample(model, state, work_done, work, row)?;
                } else {
                    recorder.sample_needed(model, state, work_done, work, row)?;
                }
                if judge.is_some() {
                    work.reactions(model);
                }
                work
            }
        };
        // Sums of a row that a rank did not answer for are none.
        let asked = work.share().map_or(Ok(()), |share| share.check());
        asked.map_err(|error| SimulationError::dynamics(state.time, error))?;
        if let Some(judge) = judge {
            judge.see(model, state, work);
        }
        if result {
            contact::see(&mut self.outcome.contacts, state.time, work);
            half_turn::see(&mut self.outcome.half_turns, model, state, work);
        }
        Ok(())
    }
}
