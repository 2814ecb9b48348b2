//! Events of the file that stop a run, as event indicators of model exchange: channel − threshold.
//!
//! The importer finds the crossing; the FMU says in event mode whether it went the wanted way, and asks for the end. Events that only note an
//! instant change nothing and have no indicator.

use super::{Instance, Mode};
use crate::exchange::Evaluation;
use flexura::Model;
use flexura::model::description::EventDescription;
use flexura::record::Recorder;

/// Share of a threshold within which an importer that looked for it may have stopped.
const NEAR: f64 = 1e-9;

/// Watched channels and their last values.
pub(super) struct Indicators {
    watched: Vec<(EventDescription, Recorder)>,
    last: Vec<f64>,
}

impl Indicators {
    /// Of these events.
    pub fn new(model: &Model, events: &[EventDescription]) -> Result<Self, String> {
        let watch = |event: &EventDescription| {
            let recorder = Recorder::new(model, std::slice::from_ref(&event.channel));
            let recorder = recorder.map_err(|error| error.to_string())?;
            match recorder.channels().len() {
                1 => Ok((event.clone(), recorder)),
                _ => Err(format!("event `{}`: `{}` names several channels", event.name, event.channel)),
            }
        };
        let watched = events.iter().map(watch).collect::<Result<Vec<_>, String>>()?;
        Ok(Self { last: vec![0.0; watched.len()], watched })
    }

    /// Balances of energies begin where that of the outputs did, whose memory this is.
    pub fn begin_from(&mut self, memory: &[u64], at: &mut Evaluation) -> Result<(), String> {
        self.watched.iter_mut().try_for_each(|(_, recorder)| at.recall(recorder, memory))
    }

    /// Channel minus threshold.
    pub fn value(&mut self, place: usize, model: &Model, at: &mut Evaluation) -> Result<f64, String> {
        let (event, recorder) = &mut self.watched[place];
        Ok(at.measured(model, recorder)? - event.value)
    }
}

impl Instance {
    /// Number of event indicators.
    pub fn indicator_count(&self) -> usize {
        self.indicators.watched.len()
    }

    /// Values of the event indicators.
    pub fn event_indicators(&mut self) -> Result<Vec<f64>, String> {
        self.settle()?;
        let (model, at) = (&self.model, &mut self.evaluation);
        (0..self.indicators.watched.len()).map(|place| self.indicators.value(place, model, at)).collect()
    }

    /// Remembers where the indicators are.
    pub(super) fn look_at_events(&mut self) -> Result<(), String> {
        self.indicators.last = self.event_indicators()?;
        Ok(())
    }

    /// After a step of the importer: turns are counted, and one that began on a threshold has left it by now.
    pub fn step_completed(&mut self) -> Result<(), String> {
        let on_threshold = |(last, (event, _)): (&f64, &(EventDescription, Recorder))| {
            last.abs() <= NEAR * (1.0 + event.value.abs())
        };
        if self.mode == Mode::Exchange {
            self.evaluation.step_completed(&self.model);
        }
        if self.indicators.last.iter().zip(&self.indicators.watched).any(on_threshold) {
            let now = self.event_indicators()?;
            let watched = self.indicators.last.iter_mut().zip(&self.indicators.watched).zip(now);
            for ((last, (event, _)), now) in watched {
                if last.abs() <= NEAR * (1.0 + event.value.abs()) {
                    *last = now;
                }
            }
        }
        Ok(())
    }

    /// In event mode: the event that stops the run, if one was crossed in its direction since the last look.
    pub fn stopping_event(&mut self) -> Result<Option<String>, String> {
        if self.mode != Mode::Exchange || self.indicators.watched.is_empty() {
            return Ok(None);
        }
        let now = self.event_indicators()?;
        let before = std::mem::replace(&mut self.indicators.last, now);
        let pairs = before.iter().zip(&self.indicators.last).zip(&self.indicators.watched);
        let mut crossed = pairs.filter(|((before, now), (event, _))| {
            let near = NEAR * (1.0 + event.value.abs());
            let rising = **before < -near && **now >= -near;
            let falling = **before > near && **now <= near;
            (rising && event.direction >= 0) || (falling && event.direction <= 0)
        });
        Ok(crossed.next().map(|(_, (event, _))| event.name.clone()))
    }
}
