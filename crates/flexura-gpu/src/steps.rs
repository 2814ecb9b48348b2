//! Steps in time on the device.
//!
//! A step is recorded once and replayed; its length is chosen on the device, by one clock for a huge system, by one for each
//! system of a batch. The host only asks, every so many steps, how many clocks have reached the end of the segment.

use crate::args::{Args, CLOCK_WORDS, Steps, clock};
use crate::device::{Call, Program, StepKernel};
use crate::error::DeviceError;
use crate::system::{System, evaluation_calls};

/// How to step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Classical fourth order with steps of one length (s).
    RungeKutta4 {
        /// Length of a step (s).
        step: f64,
    },
    /// Dormand-Prince 5(4) with error control.
    DormandPrince {
        /// Relative tolerance.
        relative: f64,
        /// Absolute tolerance.
        absolute: f64,
        /// Largest step (s).
        largest: f64,
        /// First step tried (s).
        first: f64,
    },
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Accepted steps of all systems.
    pub accepted: u64,
    /// Rejected steps of all systems.
    pub rejected: u64,
    /// Time of the clock that is furthest behind (s).
    pub time: f64,
}

/// Arrays and recorded programs of steps.
pub(crate) struct Stepping {
    method: Method,
    steps: Steps,
    /// One step.
    one: Program,
    /// Several steps.
    many: Program,
    /// Counts the clocks that stand.
    count: Program,
    clocks: usize,
    /// Stages that the arrays have room for.
    room: i32,
}

/// Steps recorded into one graph: launches of one step cost the host less than the device needs for them.
const MANY: usize = 8;

impl System<'_> {
    /// Prepares to step by `method` from the present states at `time`.
    pub fn start(&mut self, method: Method, time: f64) -> Result<(), DeviceError> {
        let lanes = self.lowered.lanes;
        let clocks = if self.lowered.traits.batch { lanes } else { 1 };
        let (kind, stages, numbers) = match method {
            Method::RungeKutta4 { step } => (0, 4, [step, 0.0, 0.0, step]),
            Method::DormandPrince { relative, absolute, largest, first } => {
                (1, 7, [first, relative, absolute, largest])
            }
        };
        let mut initial = [0.0; CLOCK_WORDS];
        initial[clock::TIME] = time;
        initial[clock::PROPOSED] = numbers[0];
        initial[clock::PREVIOUS] = 1e-4;
        initial[clock::LAST] = f64::NAN;
        let all: Vec<f64> = std::iter::repeat_n(initial, clocks).flatten().collect();
        let (q, v) = (self.lowered.coordinates(), self.lowered.speeds());
        let (breaks, breaks_of) = (self.lowered.breaks.clone(), self.lowered.breaks_of.clone());
        let device = self.device.as_mut();
        // Whoever starts again and again needs no more room than who starts once.
        let earlier = self.stepping.take().or_else(|| self.earlier.take());
        let room = earlier.as_ref().map_or(0, |earlier| earlier.room).max(stages);
        let arrays = match earlier.as_ref().map(|earlier| (earlier.steps, earlier.room)) {
            Some((steps, enough)) if enough >= stages => {
                device.write(steps.until, &[time])?;
                device.write(steps.clock, &all)?;
                device.write(steps.work, &vec![0.0; lanes])?;
                steps
            }
            _ => Steps {
                limits: breaks.len() as i32,
                until: device.put_numbers(&[time])?,
                limit: device.put_numbers(if breaks.is_empty() { &[0.0] } else { &breaks })?,
                limits_of: if breaks_of.is_empty() { 0 } else { device.put_integers(&breaks_of)? },
                clock: device.put_numbers(&all)?,
                start_q: device.zeros(q)?,
                start_v: device.zeros(v)?,
                increment: device.zeros(v)?,
                slope_q: device.zeros(stages as usize * v)?,
                slope_v: device.zeros(stages as usize * v)?,
                slope_work: device.zeros(stages as usize * lanes)?,
                work: device.zeros(lanes)?,
                start_work: device.zeros(lanes)?,
                partial: device.zeros(2 * lanes)?,
                standing: device.zero_integers(1)?,
                ..Steps::default()
            },
        };
        let steps = Steps {
            method: kind,
            stages,
            speeds: self.lowered.fields[1] as i32,
            free_entries: (2 * self.lowered.free_speeds + 1) as i32,
            step: numbers[0],
            relative: numbers[1],
            absolute: numbers[2],
            largest: numbers[3],
            time: self.args.time,
            ..arrays
        };
        if let Some(Stepping { one, many, count, .. }) = earlier.filter(|earlier| earlier.steps == steps) {
            self.stepping = Some(Stepping { method, steps, one, many, count, clocks, room });
            return Ok(());
        }
        let calls = self.step_calls(&method, clocks);
        let several: Vec<Call> = std::iter::repeat_n(&calls, MANY).flatten().copied().collect();
        let counting = [Call::Step { kernel: StepKernel::Standing, stage: 0, count: clocks }];
        let args: Args = self.args;
        let one = self.device.record(&args, &steps, &calls)?;
        let many = self.device.record(&args, &steps, &several)?;
        let count = self.device.record(&args, &steps, &counting)?;
        self.stepping = Some(Stepping { method, steps, one, many, count, clocks, room });
        Ok(())
    }

    /// The calls of one step.
    fn step_calls(&self, method: &Method, clocks: usize) -> Vec<Call> {
        let (lanes, entries) = (self.lowered.lanes, self.lowered.slots * self.lowered.lanes);
        let step = |kernel, stage, count| Call::Step { kernel, stage, count };
        let batch = self.lowered.traits.batch;
        let mut calls = vec![step(StepKernel::Begin, 0, clocks)];
        let stages = if matches!(method, Method::RungeKutta4 { .. }) { 4 } else { 7 };
        for stage in 0..stages {
            calls.push(step(StepKernel::Advance, stage, entries));
            calls.extend(evaluation_calls(&self.lowered));
        }
        if stages == 4 {
            calls.push(step(StepKernel::Finish, 0, entries));
        } else {
            calls.push(step(StepKernel::Error, 0, lanes));
            calls.push(if batch {
                step(StepKernel::Judge, 0, clocks)
            } else {
                step(StepKernel::JudgeAll, 1, 1)
            });
            calls.push(step(StepKernel::Settle, 0, entries));
        }
        calls.push(if batch { step(StepKernel::Tick, 0, clocks) } else { step(StepKernel::JudgeAll, 0, 1) });
        calls
    }

    /// Steps all systems to time `until` (s), which every one of them hits exactly.
    pub fn advance_to(&mut self, until: f64) -> Result<Progress, DeviceError> {
        self.advance_watched(until, &mut |_| true)
    }

    /// The same, with somebody asked now and then whether to go on.
    pub fn advance_watched(
        &mut self,
        until: f64,
        watch: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Progress, DeviceError> {
        let progress = self.advance_unjudged(until, watch)?;
        match self.faults()?.into_iter().next() {
            Some((_, fault)) => Err(fault),
            None => Ok(progress),
        }
    }

    /// The same, whatever systems failed: [`System::faults`] names them.
    pub fn advance_unjudged(
        &mut self,
        until: f64,
        watch: &mut dyn FnMut(&Progress) -> bool,
    ) -> Result<Progress, DeviceError> {
        let Some(Stepping { steps, one, many, count, clocks, method, .. }) = &self.stepping else {
            return Err(DeviceError::Driver("start() comes before advance_to()".into()));
        };
        let (steps, one, many, count, clocks, method) = (*steps, *one, *many, *count, *clocks, *method);
        self.device.write(steps.until, &[until])?;
        // Few steps at first: short segments end soon, long ones are asked seldom.
        let mut burst = match method {
            Method::RungeKutta4 { step } => {
                let left = ((until - self.progress()?.time) / step).ceil();
                if left.is_finite() { (left as usize).clamp(1, 256) } else { 1 }
            }
            Method::DormandPrince { .. } => 1,
        };
        loop {
            self.device.replay(many, burst / MANY)?;
            self.device.replay(one, burst % MANY)?;
            self.device.write_integers(steps.standing, &[0])?;
            self.device.replay(count, 1)?;
            let mut standing = [0];
            self.device.read_integers(steps.standing, &mut standing)?;
            if standing[0] as usize >= clocks {
                break;
            }
            let progress = self.progress()?;
            if !watch(&progress) {
                return Ok(progress);
            }
            burst = (2 * burst).min(256);
        }
        self.progress()
    }

    pub(crate) fn clocks(&mut self) -> Result<Vec<f64>, DeviceError> {
        let Some(stepping) = &self.stepping else { return Ok(Vec::new()) };
        let mut all = vec![0.0; stepping.clocks * CLOCK_WORDS];
        self.device.read(stepping.steps.clock, &mut all)?;
        Ok(all)
    }

    /// What lasts from one step to the next besides coordinates and speeds: clocks, and the work done on every lane.
    pub(crate) fn memory(&mut self) -> Result<Vec<u64>, DeviceError> {
        let (clocks, works) = (self.clocks()?, self.lane_works()?);
        Ok(clocks.iter().chain(&works).map(|number| number.to_bits()).collect())
    }

    /// Goes on with such a memory from states that were just set and started; `false` where it has another length.
    pub(crate) fn recall(&mut self, memory: &[u64]) -> Result<bool, DeviceError> {
        let Some(stepping) = &self.stepping else { return Ok(false) };
        let (clocks, lanes) = (stepping.clocks * CLOCK_WORDS, self.lowered.lanes);
        if memory.len() != clocks + lanes {
            return Ok(false);
        }
        let numbers: Vec<f64> = memory.iter().map(|&bits| f64::from_bits(bits)).collect();
        self.device.write(stepping.steps.clock, &numbers[..clocks])?;
        self.device.write(stepping.steps.work, &numbers[clocks..])?;
        Ok(true)
    }

    /// How far the run has come.
    pub fn progress(&mut self) -> Result<Progress, DeviceError> {
        let clocks = self.clocks()?;
        let mut progress = Progress { time: f64::INFINITY, ..Progress::default() };
        for words in clocks.chunks_exact(CLOCK_WORDS) {
            progress.accepted += words[clock::ACCEPTED] as u64;
            progress.rejected += words[clock::REJECTED] as u64;
            progress.time = progress.time.min(words[clock::TIME]);
        }
        Ok(progress)
    }

    /// Time of one system (s).
    pub fn time(&mut self, system: usize) -> Result<f64, DeviceError> {
        let clocks = self.clocks()?;
        let index = if self.lowered.traits.batch { system } else { 0 };
        Ok(clocks.get(index * CLOCK_WORDS + clock::TIME).copied().unwrap_or(0.0))
    }

    /// Work done on one system since the start by all that is not stored (J).
    pub fn work(&mut self, system: usize) -> Result<f64, DeviceError> {
        let all = self.lane_works()?;
        let alone = all.get(system).copied().unwrap_or(0.0);
        Ok(if self.lowered.traits.batch { alone } else { all.iter().sum() })
    }

    /// The same of every system of a batch.
    pub fn works(&mut self) -> Result<Vec<f64>, DeviceError> {
        let all = self.lane_works()?;
        Ok(if self.lowered.traits.batch { all } else { vec![all.iter().sum()] })
    }

    fn lane_works(&mut self) -> Result<Vec<f64>, DeviceError> {
        let Some(stepping) = &self.stepping else { return Ok(Vec::new()) };
        let mut all = vec![0.0; self.lowered.lanes];
        self.device.read(stepping.steps.work, &mut all)?;
        Ok(all)
    }

    /// How far every system has come.
    pub fn system_progress(&mut self) -> Result<Vec<Progress>, DeviceError> {
        let one = |words: &[f64]| Progress {
            accepted: words[clock::ACCEPTED] as u64,
            rejected: words[clock::REJECTED] as u64,
            time: words[clock::TIME],
        };
        Ok(self.clocks()?.chunks_exact(CLOCK_WORDS).map(one).collect())
    }

    /// Milliseconds of one step on the device, mean over `times` steps far from any limit.
    pub fn time_steps(&mut self, times: usize) -> Result<f64, DeviceError> {
        let Some(stepping) = &self.stepping else { return Ok(0.0) };
        let (one, until) = (stepping.one, stepping.steps.until);
        self.device.write(until, &[f64::MAX])?;
        Ok(self.device.time(one, times)? / times as f64)
    }

    /// Systems that cannot go on, with the reason.
    pub fn faults(&mut self) -> Result<Vec<(usize, DeviceError)>, DeviceError> {
        let mut found = self.singular()?;
        let clocks = self.clocks()?;
        for (system, words) in clocks.chunks_exact(CLOCK_WORDS).enumerate() {
            if words[clock::FAULT] != 0.0 && !found.iter().any(|(known, _)| *known == system) {
                found.push((system, DeviceError::StepTooSmall { system, time: words[clock::TIME] }));
            }
        }
        Ok(found)
    }
}

#[cfg(all(test, feature = "emulation"))]
mod tests {
    use super::*;
    use crate::device::Choice;
    use flexura::State;
    use flexura::model::description::InertiaLevel;
    use flexura_samples::chains;

    /// Starts again take over arrays and recorded steps; what was left in them changes no bit.
    #[test]
    fn starts_again_take_no_more_room() {
        let model = chains::model(chains::clamped_chain(4, 2, InertiaLevel::Gram));
        let states: Vec<State> = (0..3).map(|seed| chains::random_state(&model, seed)).collect();
        let adaptive = Method::DormandPrince { relative: 1e-7, absolute: 1e-9, largest: 0.1, first: 1e-4 };
        let other = Method::DormandPrince { relative: 1e-6, absolute: 1e-9, largest: 0.1, first: 1e-4 };
        let fixed = Method::RungeKutta4 { step: 1e-3 };
        let run = |system: &mut System<'_>, state: &State, method: Method| -> (Vec<f64>, f64) {
            system.set_state(state).expect("sent");
            system.start(method, 0.0).expect("started");
            system.advance_to(0.02).expect("advanced");
            (system.state().expect("read").v, system.work(0).expect("read"))
        };
        let place = |system: &System<'_>| {
            system.stepping.as_ref().map(|stepping| (stepping.steps.slope_q, stepping.steps.clock))
        };
        let mut again = System::batch(&model, 2, Choice::Emulated).expect("lowered");
        let mut places = Vec::new();
        let mut programs = Vec::new();
        for (state, method) in states.iter().cycle().zip([adaptive, adaptive, other, fixed, adaptive, fixed])
        {
            let mut fresh = System::batch(&model, 2, Choice::Emulated).expect("lowered");
            assert_eq!(run(&mut again, state, method), run(&mut fresh, state, method), "{method:?}");
            places.push(place(&again));
            programs.push(again.stepping.as_ref().map(|stepping| stepping.one));
        }
        assert!(places.iter().all(|place| place.is_some() && *place == places[0]), "{places:?}");
        assert_eq!(programs[0], programs[1], "recorded once");
        assert_ne!(programs[1], programs[2], "other tolerances are another record");
        let mut grown = System::batch(&model, 2, Choice::Emulated).expect("lowered");
        assert_eq!(run(&mut grown, &states[0], fixed), run(&mut again, &states[0], fixed));
        assert_eq!(run(&mut grown, &states[1], adaptive), run(&mut again, &states[1], adaptive));
    }
}
