//! The run itself: steps, rows, samples of controllers and inputs, entered into the trace.

use super::implicit_step::ImplicitStep;
use super::radau_step::{RadauStages, tableau};
use super::refusal::{Method, refuse, refuse_channels};
use super::step::{StagedStep, Step};
use super::taping::Taping;
use super::trace::{Operation, Point, Trace};
use super::{Cost, GradientError, GradientSetup, KeptRun, STATE_MEMORY};
use crate::analysis::sensitivity::Parameter;
use crate::build::Built;
use crate::constraint::project;
use crate::error::SimulationError;
use crate::integrate::Integrator;
use crate::measure::Snapshot;
use crate::model::Model;
use crate::model::channel::Channel;
use crate::model::description::SimulationDescription;
use crate::motion::frame_state::frame_state;
use crate::record::Recorder;
use crate::simulate::{Input, break_points, inputs_of, no_input, sample};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;
use std::time::Instant;

/// Runs `built` and keeps what going back needs.
pub(super) fn run<'a>(
    built: &Built,
    parameters: &'a [Parameter<'a>],
    setup: &GradientSetup,
) -> Result<KeptRun<'a>, GradientError> {
    let mut settings = built.description.simulation.clone();
    let method = refuse(built)?;
    let channels = Recorder::new(&built.model, &setup.channels)?.channels().to_vec();
    refuse_channels(&built.model, &method, &channels)?;
    let times = setup.row_times(&settings)?;
    settings.end = times.last().copied().unwrap_or(settings.end);
    let intervals = times.iter().filter(|&&time| time > settings.start).count();
    let (inputs, held) = inputs(&built.model, setup, intervals)?;
    let mut model = built.model.clone();
    inputs.iter().for_each(|input| input.set(&mut model, settings.start, input.start));
    let taping = Taping::new((&model, &settings), parameters, &inputs, intervals)?;
    let start = first_state(&model, &settings, setup.start.as_ref())?;
    let point = Point { state: start.clone(), work: 0.0, memory: None };
    // Implicit steps hand on what they began with.
    let handed_on = match method {
        Method::Alpha(_) => size_of::<f64>() * (2 * model.speed_count() + model.controller_states + 1),
        Method::Explicit(_) | Method::Radau(_) => 0,
    };
    let most =
        if setup.checkpoints > 0 { setup.checkpoints } else { STATE_MEMORY / (point.bytes() + handed_on) };
    let began = Instant::now();
    let mut running = Running::new(model, settings, &channels, &times, (&inputs, &held), start.clone());
    running.trace = Trace::new(most);
    running.go()?;
    let mut cost = Cost { forward_seconds: began.elapsed().as_secs_f64(), ..Cost::default() };
    let statistics = running.integrator.statistics();
    (cost.steps, cost.forward) = (statistics.accepted as usize, statistics.evaluations as usize);
    cost.states = running.trace.kept.len();
    (cost.operation_bytes, cost.state_bytes) = running.trace.bytes();
    let Running { model, settings, trace, rows, touched, .. } = running;
    let step = match method {
        Method::Explicit(tableau) => Step::Staged(StagedStep::new(&model, tableau)),
        Method::Radau(options) => {
            let mut step = StagedStep::new(&model, tableau());
            step.radau = Some(Box::new(RadauStages::new(&model, options)));
            Step::Staged(step)
        }
        Method::Alpha(coefficients) => Step::Implicit(Box::new(ImplicitStep::new(&model, coefficients))),
    };
    let own_start = setup.start.is_none();
    Ok(KeptRun {
        held,
        model,
        settings,
        channels,
        times,
        rows,
        inputs,
        own_start,
        start,
        trace,
        step,
        taping,
        cost,
        touched,
    })
}

impl GradientSetup {
    /// Instants of the rows (s): those given, or those of the output interval of `settings`.
    pub fn row_times(&self, settings: &SimulationDescription) -> Result<Vec<f64>, GradientError> {
        let (start, end, interval) = (settings.start, settings.end, settings.output_interval);
        if let Some(times) = &self.times {
            let rising = times.windows(2).all(|pair| pair[0] < pair[1]);
            let inside = times.iter().all(|time| time.is_finite() && *time >= start);
            if times.is_empty() || !rising || !inside || times.last().is_some_and(|&last| last <= start) {
                let text = format!("times of rows must rise, begin at {start} s or later and end after it");
                return Err(GradientError::Setup(text));
            }
            return Ok(times.clone());
        }
        if !(interval > 0.0 && end > start) {
            let text = "rows at every step have no instants of their own: give output_interval in [output], or times";
            return Err(GradientError::Setup(text.into()));
        }
        let mut times = vec![start];
        let mut number = 1u32;
        loop {
            let time = start + interval * f64::from(number);
            // Rounding of the grid must not leave a sliver before the end.
            if time > end - 1e-9 * interval {
                times.push(end);
                return Ok(times);
            }
            times.push(time);
            number += 1;
        }
    }

    /// The inputs named, with the values that `model` has for them.
    pub fn own_inputs(&self, model: &Model) -> Result<Vec<Input>, GradientError> {
        let all = inputs_of(model);
        let mut list = Vec::new();
        for name in &self.inputs {
            let found = all.iter().find(|input| input.name == *name);
            let Some(found) = found else { return Err(GradientError::Input(no_input(model, name))) };
            if found.is_motion() {
                let text = format!(
                    "input `{name}` moves a prescribed coordinate, which is not followed backwards yet"
                );
                return Err(GradientError::Input(text));
            }
            list.push(found.clone());
        }
        Ok(list)
    }
}

/// The inputs of `setup`, with their first values as start, and all their values.
fn inputs(
    model: &Model,
    setup: &GradientSetup,
    intervals: usize,
) -> Result<(Vec<Input>, Vec<f64>), GradientError> {
    let mut list = setup.own_inputs(model)?;
    if setup.held.is_empty() {
        let own: Vec<f64> = list.iter().map(|input| input.start).collect();
        return Ok((list, own.repeat(intervals)));
    }
    if setup.held.len() != intervals * list.len() {
        let text = format!(
            "{} values for {} inputs over {intervals} intervals: give one for every interval between rows",
            setup.held.len(),
            list.len()
        );
        return Err(GradientError::Input(text));
    }
    if setup.held.iter().any(|value| !value.is_finite()) {
        return Err(GradientError::Input("a value of an input is no number".into()));
    }
    list.iter_mut().zip(&setup.held).for_each(|(input, &value)| input.start = value);
    Ok((list, setup.held.clone()))
}

/// The state to start from.
fn first_state(
    model: &Model,
    settings: &SimulationDescription,
    given: Option<&State>,
) -> Result<State, GradientError> {
    let mut state = State::initial(model, settings.start);
    if let Some(given) = given {
        let sizes = |state: &State| (state.q.len(), state.v.len(), state.z.len());
        if sizes(given) != sizes(&state) {
            return Err(GradientError::Setup("the initial state belongs to another model".into()));
        }
        if given.q.iter().chain(&given.v).chain(&given.z).any(|x| !x.is_finite()) {
            return Err(GradientError::Setup("a number of the initial state is not finite".into()));
        }
        (state.q, state.v, state.z) = (given.q.clone(), given.v.clone(), given.z.clone());
        let mut work = Workspace::new(model);
        apply_prescribed(model, &mut state, Some(&mut work.load));
        if !model.loops.is_empty() {
            project(model, &mut state, &mut work)
                .map_err(|error| SimulationError::dynamics(settings.start, error))?;
        }
    }
    Ok(state)
}

/// A run under way.
struct Running<'b> {
    model: Model,
    settings: SimulationDescription,
    channels: &'b [Channel],
    times: &'b [f64],
    inputs: (&'b [Input], &'b [f64]),
    state: State,
    integrator: Integrator,
    work: Workspace,
    row_work: Workspace,
    trace: Trace,
    rows: Vec<f64>,
    /// Controllers: next sample as a multiple of the sample time.
    next_sample: Vec<u64>,
    touched: Vec<String>,
    /// Whether every one-sided element is open.
    open: Vec<bool>,
}

impl<'b> Running<'b> {
    fn new(
        model: Model,
        settings: SimulationDescription,
        channels: &'b [Channel],
        times: &'b [f64],
        inputs: (&'b [Input], &'b [f64]),
        state: State,
    ) -> Self {
        let mut integrator = Integrator::new(&model, &settings.method);
        integrator.end = settings.end;
        integrator.settle(&model);
        Self {
            integrator,
            work: Workspace::new(&model),
            row_work: Workspace::new(&model),
            next_sample: vec![0; model.controllers.len()],
            model,
            settings,
            channels,
            times,
            inputs,
            state,
            trace: Trace::new(2),
            rows: Vec::new(),
            touched: Vec::new(),
            open: Vec::new(),
        }
    }

    fn enter(&mut self, operation: Operation) {
        let (state, integrator) = (&self.state, &self.integrator);
        let point =
            || Point { state: state.clone(), work: integrator.work_done, memory: integrator.memory() };
        self.trace.enter(operation, point);
    }

    fn go(&mut self) -> Result<(), GradientError> {
        let breaks = break_points(&self.model, &self.settings);
        let (mut next_break, mut row, mut interval) = (0, 0, 0);
        self.set_inputs(interval);
        self.sample_controllers()?;
        if self.times[0] <= self.settings.start {
            self.record(row)?;
            row += 1;
        }
        self.look_at_contacts();
        while row < self.times.len() {
            let limit = breaks[next_break];
            let due = (0..self.next_sample.len()).map(|i| self.sample_due(i)).fold(f64::INFINITY, f64::min);
            let end = limit.min(self.times[row]).min(due);
            self.enter(Operation::Step(f64::NAN, !self.integrator.has_memory()));
            self.integrator.step(&self.model, &mut self.state, &mut self.work, end)?;
            if let Some(Operation::Step(time, _)) = self.trace.operations.last_mut() {
                *time = self.state.time;
            }
            self.look_at_contacts();
            if self.state.time >= limit && next_break + 1 < breaks.len() {
                next_break += 1;
                self.integrator.restart();
            }
            // A row at a sample shows what was held before it, as in a run.
            if self.state.time >= self.times[row] {
                self.record(row)?;
                row += 1;
                interval += 1;
                if row < self.times.len() {
                    self.set_inputs(interval);
                }
            }
            self.sample_controllers()?;
        }
        Ok(())
    }

    fn set_inputs(&mut self, interval: usize) {
        let (inputs, held) = self.inputs;
        if inputs.is_empty() {
            return;
        }
        self.enter(Operation::Inputs(interval));
        let values = &held[interval * inputs.len()..];
        for (input, &value) in inputs.iter().zip(values) {
            input.set(&mut self.model, self.state.time, value);
        }
        self.integrator.refresh();
    }

    fn record(&mut self, number: usize) -> Result<(), GradientError> {
        self.enter(Operation::Row(number));
        let first = self.rows.len();
        self.rows.resize(first + self.channels.len(), 0.0);
        evaluate_row(&self.model, &self.state, &mut self.row_work)?;
        let done = self.integrator.work_done;
        let snapshot = Snapshot::new(&self.model, &self.state, &self.row_work, done, 0.0);
        snapshot.fill(self.channels, &mut self.rows[first..]);
        Ok(())
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

    fn sample_controllers(&mut self) -> Result<(), GradientError> {
        let time = self.state.time;
        let due: Box<[bool]> = (0..self.next_sample.len()).map(|i| time >= self.sample_due(i)).collect();
        if !due.contains(&true) {
            return Ok(());
        }
        self.enter(Operation::Sample(due.clone()));
        sample(&self.model, &mut self.state, &mut self.row_work, |i| due[i])
            .map_err(|error| SimulationError::dynamics(time, error))?;
        self.integrator.refresh();
        for (next, &due) in self.next_sample.iter_mut().zip(&due) {
            *next += u64::from(due);
        }
        Ok(())
    }

    /// Notes elements that have opened or closed.
    fn look_at_contacts(&mut self) {
        let sided: Vec<usize> =
            (0..self.model.elements.len()).filter(|&e| self.model.elements[e].kind.is_one_sided()).collect();
        if sided.is_empty() {
            return;
        }
        self.row_work.kinematics(&self.model, &self.state);
        self.row_work.poses(&self.model, &self.state);
        let first = self.open.is_empty();
        for (i, &e) in sided.iter().enumerate() {
            let element = &self.model.elements[e];
            let motion = &self.row_work.motion;
            let frames = element
                .frames
                .map(|id| frame_state(&self.model, &self.state, motion, &self.model.frames[id.0]));
            let open = element.kind.clearance(&frames[0], &frames[1]) > 0.0;
            if first {
                self.open.push(open);
            } else if self.open[i] != open {
                self.open[i] = open;
                if !self.touched.contains(&element.name) {
                    self.touched.push(element.name.clone());
                }
            }
        }
    }
}

/// Everything that channels at `state` need.
pub(super) fn evaluate_row(model: &Model, state: &State, work: &mut Workspace) -> Result<(), GradientError> {
    let mut scratch = state.clone();
    apply_prescribed(model, &mut scratch, Some(&mut work.load));
    crate::dynamics::evaluate(model, &scratch, work)
        .map_err(|error| SimulationError::dynamics(state.time, error))?;
    work.poses(model, &scratch);
    work.reactions(model);
    Ok(())
}
