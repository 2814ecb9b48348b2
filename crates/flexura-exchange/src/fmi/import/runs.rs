//! One FMU in many runs: an instance each, found again by the number that a run remembers.
//!
//! The state of a run holds the number of its instance and how many samples it has seen. A run that is taken back (a saved state, a step of a simulator done again)
//! asks for fewer samples than the instance has seen: the inputs of all samples are kept, and a fresh instance is fed with them up to there.
//! Runs of other processes (checkpoints) are not known, and refused.

use super::Wiring;
use super::library::Instance;
use super::unpacked::Unpacked;
use std::collections::VecDeque;

/// Most runs at a time; the oldest is given up for a new one.
const MOST_RUNS: usize = 64;

/// An FMU and its instances.
pub struct Runs {
    // Before the library they call.
    live: VecDeque<Run>,
    wiring: Wiring,
    next: u64,
    unpacked: Unpacked,
}

/// One run.
struct Run {
    number: u64,
    instance: Instance,
    /// Times (s) and inputs of all samples, one after the other.
    seen: Vec<f64>,
}

impl Runs {
    /// No run yet.
    pub fn new(unpacked: Unpacked, wiring: Wiring) -> Self {
        Self { live: VecDeque::new(), wiring, next: 1, unpacked }
    }

    /// Begins a run and ends it.
    pub fn probe(&mut self, inputs: &[f64]) -> Result<(), String> {
        self.fresh(0.0, inputs).map(drop)
    }

    /// An instance at its start.
    fn fresh(&self, time: f64, inputs: &[f64]) -> Result<Instance, String> {
        let unpacked = &self.unpacked;
        let mut instance = Instance::new(&unpacked.library, &unpacked.description, &unpacked.resources())?;
        for &(reference, value) in &self.wiring.parameters {
            instance.set(&[reference], &[value])?;
        }
        instance.initialize(time, &self.wiring.inputs, inputs)?;
        Ok(instance)
    }

    /// One sample: `memory` has the number of the run and its samples so far, zeros at the start.
    pub fn sample(
        &mut self,
        time: f64,
        inputs: &[f64],
        memory: &mut [f64],
        outputs: &mut [f64],
    ) -> Result<(), String> {
        let (number, count) = (memory[0] as u64, memory[1] as usize);
        let place = match number {
            0 => self.begin(time, inputs)?,
            _ => self.go_on(number, count, time, inputs)?,
        };
        let run = &mut self.live[place];
        run.instance.get(&self.wiring.outputs, outputs)?;
        if let Some(place) = outputs.iter().position(|value| !value.is_finite()) {
            return Err(format!("the FMU gave {} as output {} at t = {time} s", outputs[place], place + 1));
        }
        (memory[0], memory[1]) = (run.number as f64, (count + 1) as f64);
        Ok(())
    }

    fn begin(&mut self, time: f64, inputs: &[f64]) -> Result<usize, String> {
        let most = if self.unpacked.description.only_once { 1 } else { MOST_RUNS };
        while self.live.len() >= most {
            self.live.pop_front();
        }
        let instance = self.fresh(time, inputs)?;
        let mut run = Run { number: self.next, instance, seen: Vec::new() };
        run.note(time, inputs);
        self.next += 1;
        self.live.push_back(run);
        Ok(self.live.len() - 1)
    }

    fn go_on(&mut self, number: u64, count: usize, time: f64, inputs: &[f64]) -> Result<usize, String> {
        let lost = || {
            "the run goes on from a state whose FMU is gone (a checkpoint, or too many runs at once): FMUs run from the start only".to_owned()
        };
        let place = self.live.iter().position(|run| run.number == number).ok_or_else(lost)?;
        let width = 1 + inputs.len();
        if self.live[place].seen.len() < count * width || count == 0 {
            return Err(lost());
        }
        if self.live[place].seen.len() > count * width {
            self.take_back(place, count, width)?;
        }
        let run = &mut self.live[place];
        run.advance(&self.wiring, time, inputs)?;
        run.note(time, inputs);
        Ok(place)
    }

    /// Brings the run at `place` back to where it had seen `count` samples.
    fn take_back(&mut self, place: usize, count: usize, width: usize) -> Result<(), String> {
        let seen = self.live[place].seen[..count * width].to_vec();
        let number = self.live[place].number;
        if self.unpacked.description.only_once {
            self.live.remove(place);
        }
        let instance = self.fresh(seen[0], &seen[1..width])?;
        let mut run = Run { number, instance, seen: seen[..width].to_vec() };
        for sample in seen[width..].chunks_exact(width) {
            run.advance(&self.wiring, sample[0], &sample[1..])?;
            run.note(sample[0], &sample[1..]);
        }
        if self.unpacked.description.only_once {
            self.live.insert(place, run);
        } else {
            self.live[place] = run;
        }
        Ok(())
    }
}

impl Run {
    fn note(&mut self, time: f64, inputs: &[f64]) {
        self.seen.push(time);
        self.seen.extend(inputs);
    }

    /// Steps to `time` with the inputs of the last sample, then hands over the new ones.
    fn advance(&mut self, wiring: &Wiring, time: f64, inputs: &[f64]) -> Result<(), String> {
        let last = self.seen[self.seen.len() - 1 - inputs.len()];
        self.instance.step(last, time - last)?;
        self.instance.set(&wiring.inputs, inputs)
    }
}
