//! States that are stored and taken back.

use super::{Instance, Mode, Phase};
use crate::exchange::Evaluation;
use crate::snapshot::Snapshot;
use flexura_exchange::fmi::token;

impl Instance {
    /// A copy of everything that changes.
    pub fn snapshot(&mut self) -> Snapshot {
        Snapshot {
            running: self.phase as u64,
            start: self.settings.start,
            end: self.settings.end,
            numbers: self.numbers.clone(),
            inputs: self.inputs.clone(),
            motions: self
                .interface
                .inputs
                .iter()
                .filter_map(|input| input.motion(&self.model))
                .flatten()
                .collect(),
            jumped: self.jumped,
            pieces: self.pieces.clone(),
            exchange: match self.mode {
                Mode::Exchange => self.evaluation.memory(&mut self.recorder),
                Mode::CoSimulation => Vec::new(),
            },
        }
    }

    /// Takes a copy back.
    pub fn restore(&mut self, from: &Snapshot) -> Result<(), String> {
        let sizes = (from.inputs.len(), from.motions.len(), from.exchange.is_empty());
        let motions = self.interface.inputs.iter().filter(|input| input.is_motion()).count();
        if sizes != (self.inputs.len(), 4 * motions, self.mode == Mode::CoSimulation) {
            return Err("the stored state is that of another FMU".into());
        }
        let rebuilt = self.numbers != from.numbers;
        self.numbers.clone_from(&from.numbers);
        (self.settings.start, self.settings.end) = (from.start, from.end);
        if rebuilt {
            let given = token(&self.text, &self.interface);
            let fresh = Self::new(&self.resources.clone(), &given, self.mode)?;
            (self.model, self.settings, self.recorder) = (fresh.model, fresh.settings, fresh.recorder);
            // Thresholds are numbers as well.
            self.indicators = fresh.indicators;
            self.rebuild()?;
            (self.settings.start, self.settings.end) = (from.start, from.end);
            // Its scratch holds masses of the model it was made for.
            let (channels, counts_work) = (self.recorder.channels().len(), self.interface.counts_work);
            self.evaluation = Evaluation::new(&self.model, from.start, channels, counts_work);
        }
        self.inputs.clone_from(&from.inputs);
        self.pieces = from.pieces.clone();
        if self.mode == Mode::Exchange {
            self.evaluation.recall(&mut self.recorder, &from.exchange)?;
            self.indicators.begin_from(&from.exchange, &mut self.evaluation)?;
        }
        self.hand_over_inputs();
        let moving = self.interface.inputs.iter().filter(|input| input.is_motion());
        for (input, motion) in moving.zip(from.motions.as_chunks().0) {
            input.set_motion(&mut self.model, *motion);
        }
        self.jumped = from.jumped;
        self.phase = match from.running {
            0 => Phase::Instantiated,
            1 => Phase::Initializing,
            _ => Phase::Running,
        };
        self.outdated = self.phase == Phase::Initializing;
        if self.phase == Phase::Running && self.mode == Mode::Exchange {
            self.follow_motions();
            self.look_at_events()?;
        }
        Ok(())
    }
}
