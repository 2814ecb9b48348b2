//! Runs a model over time: steps, output rows, events, warnings.

mod breaks;
mod contact;
mod crossings;
mod edges;
mod equations;
mod half_turn;
mod input;
mod outcome;
mod part_memory;
mod pieces;
mod remote;
mod resolution;
mod rest;
mod resume;
mod rows;
mod sampling;
mod simulation;
mod simulator;
mod span;
mod suspect;
mod together;
mod touch;

pub use crate::record::{EnergyAudit, EnergyWarning, energy_limit};
pub use breaks::break_points;
pub use contact::RollingContact;
pub use equations::{Equations, WrongCount, continuous_states};
pub use half_turn::HalfTurn;
pub use input::{Input, inputs_of, no_input};
pub use outcome::{Deformation, EventRecord, Outcome, Progress};
pub use pieces::{PieceEnd, Pieces};
pub use remote::{Followed, Reached, Remote, check_remote};
pub use resolution::Unresolved;
pub use resume::{Keeper, Start, run_kept};
pub(crate) use sampling::{sample, sample_with};
pub use simulation::{Prepared, Simulation};
pub use simulator::{Saved, Simulator};
pub use suspect::{explained, lost_inertia};
pub use together::Together;

use crate::build::Built;
use crate::division::Part;
use crate::error::SimulationError;
use crate::formulation::graph::GraphFormulation;
use crate::integrate::{Integrator, StepStatistics};
use crate::linear_range::for_modes_beyond_linear;
pub use crate::linear_range::{
    CURVED_SHIFT_LIMIT, CURVED_SLOPE_LIMIT, LINEAR_SHIFT_LIMIT, LINEAR_SLOPE_LIMIT, LinearRangeWarning,
    linear_range_warnings, trusted_deformation,
};
use crate::model::Model;
use crate::model::description::{
    EventDescription, FormulationChoice, MethodDescription, SimulationDescription,
};
use crate::record::{Recorder, Recording, Sink};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::truncation::Judge;
use crate::workspace::Workspace;
use edges::Edges;
use span::check_span;
use touch::Touches;

/// Times closer than this share of them differ by rounding: 0.1 + 0.2 and 0.3 are one instant.
const SAME_INSTANT: f64 = 16.0 * f64::EPSILON;

/// Rotation from which on the neglected inertia of a body is estimated (rad).
const NOTABLE_SLOPE: f64 = 0.02;

impl Built {
    /// Simulates with the settings of the description and keeps everything in memory.
    pub fn simulate(&self) -> Result<Recording, SimulationError> {
        Simulation::of(self).run()
    }
}

/// Simulates `model`, handing rows to `sink`; `watch` is called after every step and returns
/// whether to go on.
pub fn run(
    model: &Model,
    settings: &SimulationDescription,
    recorder: &mut Recorder,
    sink: &mut impl Sink,
    watch: &mut impl FnMut(&Progress) -> bool,
) -> Result<Outcome, SimulationError> {
    run_from(model, settings, State::initial(model, settings.start), recorder, sink, watch)
}

/// Like [`run`], from a given state, such as a static equilibrium.
pub fn run_from(
    model: &Model,
    settings: &SimulationDescription,
    start: State,
    recorder: &mut Recorder,
    sink: &mut impl Sink,
    watch: &mut impl FnMut(&Progress) -> bool,
) -> Result<Outcome, SimulationError> {
    run_kept(model, settings, Start::State(start), recorder, sink, watch, &mut ())
}

/// One watched channel.
#[derive(Debug)]
struct Watch {
    event: EventDescription,
    recorder: Recorder,
    /// Value minus threshold at the start of the step.
    before: f64,
    row: [f64; 2],
}

struct Run<'a, K: Sink> {
    model: &'a Model,
    settings: &'a SimulationDescription,
    recorder: &'a mut Recorder,
    sink: &'a mut K,
    state: State,
    /// Scratch for interpolated states.
    between: State,
    work: Workspace,
    /// Separate from the stepping workspace so that sampling never disturbs it.
    sample_work: Workspace,
    integrator: Integrator,
    /// Counters of steps that are taken elsewhere (`remote`).
    elsewhere: Option<StepStatistics>,
    edges: Edges,
    touches: Touches,
    breaks: Vec<f64>,
    next_break: usize,
    /// End of the piece of the run under way (s), where a row is recorded.
    piece_end: f64,
    next_output: u64,
    watches: Vec<Watch>,
    /// Crossings of the current step: (time, watch).
    crossings: Vec<(f64, usize)>,
    flagged: Vec<bool>,
    /// Time of the last row (s).
    last_row: Option<f64>,
    /// Next sample of each controller, as a multiple of its sample time.
    next_sample: Vec<u64>,
    /// Energy below which an imbalance is rounding (J).
    energy_floor: f64,
    judge: Judge,
    outcome: Outcome,
    /// What this rank has of a run by several.
    part: Option<&'a Part>,
}

impl<'a, K: Sink> Run<'a, K> {
    fn new(
        model: &'a Model,
        settings: &'a SimulationDescription,
        state: State,
        recorder: &'a mut Recorder,
        sink: &'a mut K,
    ) -> Result<Self, SimulationError> {
        Self::by(model, settings, |work| work.choose(model, settings.algorithm), state, recorder, sink)
    }

    /// The same with accelerations as `choose` has them found, whatever the settings say.
    fn by(
        model: &'a Model,
        settings: &'a SimulationDescription,
        choose: impl FnOnce(&mut Workspace) -> std::io::Result<()>,
        state: State,
        recorder: &'a mut Recorder,
        sink: &'a mut K,
    ) -> Result<Self, SimulationError> {
        check_span(settings)?;
        // It may be the end of another run.
        let state = State { side: Side::After, ..state };
        let mut watches = Vec::new();
        for event in &settings.events {
            let watched = Recorder::new(model, std::slice::from_ref(&event.channel))?;
            if watched.channels().len() != 1 {
                let text = format!("event `{}`: `{}` names several channels", event.name, event.channel);
                return Err(SimulationError::Channel(text));
            }
            watches.push(Watch { event: event.clone(), recorder: watched, before: f64::NAN, row: [0.0; 2] });
        }
        let flexible = model.bodies.iter().filter(|body| body.modes > 0);
        let deformations = flexible.map(|body| Deformation {
            body: body.name.clone(),
            amplitudes: vec![0.0; body.modes],
            most_bent: vec![0.0; body.modes],
            limits: trusted_deformation(body),
            ..Deformation::default()
        });
        let deformations = deformations.collect();
        let mut work = Workspace::new(model);
        if !matches!(settings.method, MethodDescription::Implicit { .. }) {
            let chosen = choose(&mut work);
            chosen.map_err(|error| SimulationError::Threads(error.to_string()))?;
        }
        if settings.formulation == Some(FormulationChoice::Graph) {
            let graph = GraphFormulation::new(model);
            let graph = graph.map_err(|error| SimulationError::dynamics(state.time, error))?;
            work.substitute(Box::new(graph));
        }
        let judge = Judge::new(model);
        if judge.follows() {
            work.load.keep_points(model);
        }
        let sample_work = work.clone();
        let mut integrator = Integrator::new(model, &settings.method);
        integrator.adopt(model, settings);
        integrator.end = settings.end;
        Ok(Self {
            model,
            settings,
            recorder,
            sink,
            between: state.clone(),
            state,
            sample_work,
            work,
            integrator,
            elsewhere: None,
            edges: Edges::new(model, settings),
            touches: Touches::new(model, settings),
            breaks: break_points(model, settings),
            next_break: 0,
            piece_end: f64::INFINITY,
            next_output: 1,
            crossings: Vec::with_capacity(watches.len()),
            watches,
            flagged: vec![false; model.layout.modal],
            last_row: None,
            next_sample: vec![0; model.controllers.len()],
            energy_floor: crate::record::energy_at_rest(model, settings.end - settings.start),
            judge,
            outcome: Outcome {
                deformations,
                contacts: contact::rolling_contacts(model),
                half_turns: half_turn::half_turns(model),
                ..Outcome::default()
            },
            part: None,
        })
    }

    fn record_start(&mut self) -> Result<(), SimulationError> {
        self.sample_controllers()?;
        for i in 0..self.watches.len() {
            self.watches[i].before = self.watch_value(i, None)?;
        }
        self.check_linear_range();
        // The caller may have used the recorder for another run.
        self.recorder.restart();
        self.record(None)
    }

    /// Steps to the end, to an event that stops the run, or until `watch` has had enough.
    fn go(
        &mut self,
        watch: &mut impl FnMut(&Progress) -> bool,
        keeper: &mut impl Keeper,
    ) -> Result<(), SimulationError> {
        while self.state.time < self.settings.end {
            let at_break = self.step()?;
            self.check_linear_range();
            if self.outputs_and_events()? {
                break;
            }
            self.sample_controllers()?;
            if at_break {
                self.integrator.restart();
            }
            let due = keeper.due(&self.progress());
            let wanted = !watch(&self.progress());
            let stopped = self.work.all_stop(wanted);
            if due || (stopped && keeper.wants_last()) {
                self.keep(keeper)?;
            }
            if stopped {
                self.outcome.cancelled = true;
                break;
            }
        }
        Ok(())
    }

    /// One integrator step; returns whether it ended on a break point of the inputs.
    fn step(&mut self) -> Result<bool, SimulationError> {
        let limit = self.breaks.get(self.next_break).copied().unwrap_or(self.settings.end);
        let samples = (0..self.next_sample.len()).map(|i| self.sample_due(i));
        let bound = samples.fold(limit, f64::min);
        if bound - self.state.time <= SAME_INSTANT * bound.abs().max(self.state.time.abs()) {
            // Two limits that differ by rounding are one instant: nothing moves between them.
            self.state.set_instant(bound, self.integrator.side_at(bound));
            apply_prescribed(self.model, &mut self.state, None);
        } else {
            let stepped = self.step_to(bound);
            stepped.map_err(|error| explained(error, self.model, &self.state, &mut self.sample_work))?;
        }
        let at_break = self.state.time >= limit;
        if at_break {
            self.next_break += 1;
        }
        Ok(at_break && limit < self.settings.end)
    }

    /// Time of the next sample of controller `i` (s); infinite if it acts continuously.
    fn sample_due(&self, i: usize) -> f64 {
        let interval = self.model.controllers[i].sample_time;
        if interval > 0.0 {
            self.settings.start + interval * self.next_sample[i] as f64
        } else {
            f64::INFINITY
        }
    }

    /// Samples the controllers whose time has come.
    fn sample_controllers(&mut self) -> Result<(), SimulationError> {
        if !(0..self.next_sample.len()).any(|i| self.state.time >= self.sample_due(i)) {
            return Ok(());
        }
        let (time, start, next) = (self.state.time, self.settings.start, &self.next_sample);
        let due = |i: usize| {
            let interval = self.model.controllers[i].sample_time;
            interval > 0.0 && time >= start + interval * next[i] as f64
        };
        sample(self.model, &mut self.state, &mut self.sample_work, due)
            .map_err(|error| SimulationError::dynamics(time, error))?;
        for i in 0..self.next_sample.len() {
            if self.state.time >= self.sample_due(i) {
                self.next_sample[i] += 1;
            }
        }
        self.integrator.refresh();
        Ok(())
    }

    /// Records rows due in the last step and handles crossings; returns whether to stop.
    fn outputs_and_events(&mut self) -> Result<bool, SimulationError> {
        self.find_crossings()?;
        for i in 0..self.crossings.len() {
            let (time, index) = self.crossings[i];
            self.outputs_until(time, false)?;
            self.record(Some(time))?;
            let event = &self.watches[index].event;
            self.outcome.events.push(EventRecord { name: event.name.clone(), time });
            if event.stop {
                self.outcome.stopped_by = Some(event.name.clone());
                self.outcome.end_time = time;
                return Ok(true);
            }
        }
        self.outputs_until(self.state.time, true)?;
        Ok(false)
    }

    fn check_linear_range(&mut self) {
        let flexible = self.model.bodies.iter().enumerate().filter(|(_, body)| body.modes > 0);
        for ((k, body), largest) in flexible.zip(&mut self.outcome.deformations) {
            let eta = &self.state.q[self.model.layout.bodies[k].modal_q()];
            let slope = body.largest_rotation(eta);
            if slope > largest.slope {
                largest.slope = slope;
                largest.most_bent.copy_from_slice(eta);
            }
            largest.shift = body.largest_deflection(eta, largest.shift);
            for (amplitude, value) in largest.amplitudes.iter_mut().zip(eta) {
                *amplitude = amplitude.max(value.abs());
            }
        }
        let (flagged, warnings) = (&mut self.flagged, &mut self.outcome.warnings);
        for_modes_beyond_linear(self.model, &self.state, |index, warning| {
            if !std::mem::replace(&mut flagged[index], true) {
                warnings.push(warning());
            }
        });
    }

    fn progress(&self) -> Progress<'_> {
        let span = self.settings.end - self.settings.start;
        Progress {
            time: self.state.time,
            fraction: (self.state.time - self.settings.start) / span,
            statistics: self.statistics(),
            warnings: &self.outcome.warnings,
            energy: self.energy_audit(),
        }
    }

    /// Steps so far, wherever they were taken.
    fn statistics(&self) -> StepStatistics {
        self.elsewhere.unwrap_or_else(|| self.integrator.statistics())
    }

    /// The recorder's audit, with the floor of this run.
    fn energy_audit(&self) -> EnergyAudit {
        EnergyAudit { floor: self.energy_floor, ..self.recorder.audit() }
    }

    fn finish(mut self) -> Outcome {
        if self.outcome.stopped_by.is_none() {
            self.outcome.end_time = self.state.time;
        }
        self.outcome.statistics = self.statistics();
        let flexible = self.model.bodies.iter().filter(|body| body.modes > 0);
        for (body, largest) in flexible.zip(&mut self.outcome.deformations) {
            // What is neglected grows with the square of the slope: hardly bent bodies are not worth the sums.
            if largest.slope > NOTABLE_SLOPE {
                largest.neglected_inertia = body.neglected_inertia(&largest.most_bent);
            }
        }
        self.outcome.energy = self.energy_audit();
        self.outcome.modes = self.judge.verdicts(self.model);
        self.outcome.unresolved = resolution::unresolved(
            self.model,
            self.settings,
            self.outcome.end_time - self.settings.start,
            self.outcome.statistics.accepted,
            self.recorder.channels(),
        );
        self.outcome.unbalanced = self.outcome.energy.judge(&self.settings.method);
        self.outcome
    }
}
