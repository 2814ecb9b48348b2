//! Rows of a run: when one is due, and from what it is filled.
//!
//! At the end of a step the formulation that ran has motion, loads, accelerations and reactions already
//! (`integrate/found.rs`); states inside a step are interpolated and evaluated.

use super::{Run, contact};
use crate::error::SimulationError;
use crate::record::Sink;

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
                self.integrator.interpolate_closed(self.model, time, &mut self.between, &mut self.sample_work)
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
                let judge = self.judge.follows().then_some(&mut self.judge);
                (&mut *self.recorder, judge, self.sink.row())
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
                recorder.sample(model, state, work_done, &mut self.sample_work, row)?;
                if judge.is_some() {
                    self.sample_work.reactions(model);
                }
                &mut self.sample_work
            }
        };
        if let Some(judge) = judge {
            judge.see(model, state, work);
        }
        if result {
            contact::see(&mut self.outcome.contacts, state.time, work);
        }
        Ok(())
    }
}
