//! The tape of one run: evaluations, what parameters change of them, and inputs.

use super::direct::{Direct, Seen};
use super::drives::{Asked, Drive, drives_of, values_of};
use super::evaluation::{Evaluation, Place, Pulled, Seeds};
use super::influence::{Influence, Kind};
use super::recordings::{Form, Recordings};
use super::sweep::{Adjoint, Explicit, Given, OnTape, Sweep, Through};
use super::{Cost, GradientError};
use crate::analysis::sensitivity::Parameter;
use crate::integrate::Flow;
use crate::model::Model;
use crate::model::channel::Channel;
use crate::model::description::SimulationDescription;
use crate::scalar::{Attention, Taped, Traced, attending, with_tape};
use crate::simulate::Input;
use crate::state::State;
use crate::time_function::Side;
use crate::workspace::Workspace;
use std::time::Instant;

/// Largest difference between the derivatives of a recording and those of the tape, relative to the largest of them: rounding of stiff models
/// is far below it, a missing term far above.
const RECORDED: f64 = 1e-6;

/// Everything that evaluations going backwards share.
pub(super) struct Taping<'a> {
    evaluation: Evaluation,
    /// Taken out while it is at work.
    adjoint: Option<Adjoint>,
    recordings: Recordings,
    /// Functions of time that the dynamics ask for, and their values at an instant.
    drives: Vec<Drive>,
    driven: Vec<f64>,
    /// Whether orientations or places are prescribed, whose numbers recordings do not have.
    posed: bool,
    influence: Influence<'a>,
    direct: Vec<Direct>,
    /// Nodes that belong to the construction of the scratch.
    pub floor: usize,
    /// Marked constants of the construction.
    construction: Vec<(usize, Taped)>,
    /// A model for every input, with an infinite value there.
    probes: Vec<Model>,
    /// Place of every input among the values of functions of time that the dynamics ask for.
    places: Vec<Option<usize>>,
    /// Whether derivatives over places are for looking only: nothing over constants, inputs and functions of time is counted.
    pub looking: bool,
    /// Derivatives over inputs, interval after interval, and the present interval.
    pub inputs: Vec<f64>,
    pub interval: usize,
    size: usize,
    pub cost: Cost,
    scratch: Vec<f64>,
}

/// An evaluation as it was found: accelerations, and the workspace with their factors.
pub(super) type Found<'b> = (&'b [f64], &'b Workspace);

impl<'a> Taping<'a> {
    /// Prepares the tape of this thread for `model`, which has its inputs set.
    pub fn new(
        (model, settings): (&Model, &SimulationDescription),
        parameters: &'a [Parameter<'a>],
        inputs: &[Input],
        intervals: usize,
    ) -> Result<Self, GradientError> {
        let (size, mut cost) = (Flow::size(model), Cost::default());
        let mut construct = |model: &Model| drop(Evaluation::<Taped>::new(model, size));
        let first = State::initial(model, settings.start);
        let mut y = vec![0.0; size];
        y[first.v.len()..2 * first.v.len()].copy_from_slice(&first.v);
        let rest = vec![0.0; first.v.len() + model.constraint_count()];
        let instant = (settings.start, Side::After);
        let at = Place { instant, turns: &first.turns, start_q: &first.q, y: &y };
        let mut probe = |model: &Model| Evaluation::<Taped>::new(model, size).rates(model, at, &rest, false);
        let dress = |model: &mut Model| {
            inputs.iter().for_each(|input| input.set(model, settings.start, input.start));
        };
        let started = Instant::now();
        let influence =
            Influence::new((model, settings), parameters, (&mut construct, &mut probe), &dress, &mut cost)?;
        cost.model_seconds = started.elapsed().as_secs_f64();
        let probes: Vec<Model> = inputs.iter().map(|input| infinite(model, input, settings.start)).collect();
        let mut scratch = Vec::new();
        let places = probes.iter().map(|probe| {
            values_of(
                &drives_of(probe, Asked::Dynamics, |_| true),
                (settings.start, Side::After),
                &mut scratch,
            );
            scratch.iter().position(|value| value.is_infinite())
        });
        let places = places.collect();
        let inputs = vec![0.0; intervals * inputs.len()];
        Ok(Self {
            evaluation: Evaluation::new(model, size),
            adjoint: Some(Adjoint::new(model)),
            recordings: Recordings::default(),
            drives: Vec::new(),
            driven: Vec::new(),
            posed: false,
            influence,
            direct: Vec::new(),
            floor: 0,
            construction: Vec::new(),
            probes,
            places,
            looking: false,
            inputs,
            interval: 0,
            size,
            cost,
            scratch,
        })
    }

    fn attention(&self) -> Attention {
        if self.influence.is_empty() && self.probes.is_empty() { Attention::None } else { Attention::Watch }
    }

    /// Adds to `out` the derivatives that come through rates at `at`.
    pub fn rates(
        &mut self,
        model: &Model,
        at: Place<'_>,
        found: Found<'_>,
        seeds: Seeds<'_>,
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        let deep = seeds.rate[seeds.rate.len() - 1] != 0.0;
        let form = if deep { Form::Deep } else { Form::Rates };
        self.explicit((form, model, &[]), at, found, seeds, out)
    }

    /// Adds to `out` the derivatives that come through an evaluation at `at` whose accelerations `found` were found with what depends on them.
    pub fn implicit(
        &mut self,
        model: &Model,
        at: Place<'_>,
        found: &[f64],
        through: &mut dyn Through,
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        self.dynamics((Form::Deep, model, &[]), at, found, through, out)
    }

    /// Adds to `out` the derivatives that come through results of an evaluation at `at` with the accelerations `found`, which nothing asks for.
    pub fn results(
        &mut self,
        model: &Model,
        at: Place<'_>,
        found: &[f64],
        seeds: Seeds<'_>,
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        let form = if seeds.rate[seeds.rate.len() - 1] != 0.0 { Form::Deep } else { Form::Rates };
        let solved = vec![0.0; model.speed_count() + 2 * model.constraint_count()];
        self.dynamics((form, model, &[]), at, found, &mut Given { seeds, solved }, out)
    }

    /// Adds to `out` the derivatives that come through what projections onto closed loops leave at `at`.
    pub fn loops(
        &mut self,
        model: &Model,
        at: Place<'_>,
        given: &[f64],
        through: &mut dyn Through,
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        self.dynamics((Form::Loops, model, &[]), at, given, through, out)
    }

    /// Adds to `out` the derivatives that come through channels at `at`.
    pub fn channels(
        &mut self,
        (model, channels): (&Model, &[Channel]),
        at: Place<'_>,
        found: Found<'_>,
        row: &[f64],
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        let rate = vec![0.0; self.size];
        self.explicit((Form::Channels, model, channels), at, found, Seeds { rate: &rate, row }, out)
    }

    fn explicit(
        &mut self,
        asked: (Form, &Model, &[Channel]),
        at: Place<'_>,
        (found, factors): Found<'_>,
        seeds: Seeds<'_>,
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        let mut adjoint = self.adjoint.take().unwrap_or_else(|| Adjoint::new(asked.1));
        let deep = asked.0 != Form::Rates;
        let mut through = Explicit { adjoint: &mut adjoint, factors, deep, seeds };
        let done = self.dynamics(asked, at, found, &mut through, out);
        self.adjoint = Some(adjoint);
        done
    }

    /// Adds to `out` the derivatives that come through an evaluation of the equations of motion: by its program, or on the tape.
    fn dynamics(
        &mut self,
        (form, model, channels): (Form, &Model, &[Channel]),
        at: Place<'_>,
        found: &[f64],
        through: &mut dyn Through,
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        if !self.drives.is_empty() {
            values_of(&self.drives, at.instant, &mut self.driven);
        }
        let mut replay = self.recordings.find(form, at, found, &self.driven);
        if replay.is_none() {
            self.first_time((form, model, channels), at, found, through)?;
            replay = self.recordings.taken(form);
        }
        match replay {
            Some(replay) if self.looking => {
                replay.hold();
                let pulled = through.pull(model, replay, out);
                replay.let_go();
                return pulled;
            }
            Some(replay) => {
                through.pull(model, replay, out)?;
                if !self.probes.is_empty() || self.influence.has_drives() {
                    let sums = std::mem::take(&mut replay.samples);
                    self.spread(at.instant, form.asked(), &|_| true, &sums);
                    self.recordings
                        .taken(form)
                        .into_iter()
                        .for_each(|replay| replay.samples.clone_from(&sums));
                }
            }
            None if self.looking => {
                let (evaluation, floor) = (&self.evaluation, self.floor);
                let mut tape = OnTape { evaluation, floor, collect: &mut || {}, held: Vec::new() };
                tape.hold();
                let pulled = through.pull(model, &mut tape, out);
                tape.let_go();
                return pulled;
            }
            None => self.pull_back(form, (model, at), through, out)?,
        }
        if !self.direct.is_empty() {
            let once = |evaluation: &mut Evaluation<f64>, model: &Model| {
                form.follow(evaluation, model, at, found, channels)
            };
            let (seeds, solved) = through.seen();
            let seen = Seen::Dynamics(seeds, solved);
            self.direct.iter_mut().for_each(|direct| direct.add(&seen, &once));
        }
        Ok(())
    }

    /// Tapes an evaluation that no recording fits, and writes it down where that holds for others. A recording that says anything
    /// else than the tape is a fault of this program.
    fn first_time(
        &mut self,
        (form, model, channels): (Form, &Model, &[Channel]),
        at: Place<'_>,
        found: &[f64],
        through: &mut dyn Through,
    ) -> Result<(), GradientError> {
        let once =
            |evaluation: &mut Evaluation, model: &Model| form.follow(evaluation, model, at, found, channels);
        self.tape(form.kind(), model, &once)?;
        if self.posed {
            return Ok(());
        }
        let marks = [self.influence.construction_marks(), self.influence.marks(form.kind())];
        let path = self.influence.path(form.kind());
        let record =
            |evaluation: &mut Evaluation<Traced>| form.follow(evaluation, model, at, found, channels);
        let Some(replay) = self.recordings.record((form, model, self.size), (marks, path), record) else {
            return Ok(());
        };
        let [mut taped, mut again] = [Pulled::new(model, self.size), Pulled::new(model, self.size)];
        let so_far = with_tape(|tape| tape.below(self.floor));
        let (evaluation, floor) = (&self.evaluation, self.floor);
        let mut tape = OnTape { evaluation, floor, collect: &mut || {}, held: Vec::new() };
        through.pull(model, &mut tape, &mut taped)?;
        with_tape(|tape| tape.put_back(&so_far));
        let ran = replay.run(at, found, &self.driven);
        let pulled = through.pull(model, replay, &mut again);
        replay.begin();
        pulled?;
        if !ran || again.apart(&taped) > RECORDED {
            return Err(GradientError::Recording);
        }
        self.cost.tape_bytes = self.cost.tape_bytes.max(self.recordings.bytes());
        Ok(())
    }

    /// Adds to `out` the derivatives that come through new states of controllers that were `due` at `at`.
    pub fn samples(
        &mut self,
        model: &Model,
        at: Place<'_>,
        due: &[bool],
        seeds: &[f64],
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        let once = |evaluation: &mut Evaluation, model: &Model| evaluation.samples(model, at, due);
        self.tape(Kind::Samples, model, &once)?;
        let collect = &mut || self.influence.collect(Kind::Samples);
        let (evaluation, floor) = (&self.evaluation, self.floor);
        OnTape { evaluation, floor, collect, held: Vec::new() }.sweep_samples(seeds, out);
        let once = |evaluation: &mut Evaluation<f64>, model: &Model| evaluation.samples(model, at, due);
        self.direct.iter_mut().for_each(|direct| direct.add(&Seen::Samples(seeds), &once));
        self.drives(model, at.instant, Asked::Samples, &|i| due[i])
    }

    /// Tapes what `once` does, on the path that it takes.
    fn tape(
        &mut self,
        kind: Kind,
        model: &Model,
        once: &dyn Fn(&mut Evaluation, &Model),
    ) -> Result<(), GradientError> {
        let (attention, floor, size) = (self.attention(), self.floor, self.size);
        let evaluation = &mut self.evaluation;
        let mut tape = || {
            with_tape(|tape| tape.rewind(floor));
            attending(attention, || once(evaluation, model));
        };
        if self.influence.is_empty() {
            tape();
            self.cost.tapes += 1;
        } else {
            let mut list = |model: &Model| {
                let mut own = Evaluation::new(model, size);
                with_tape(|tape| tape.constants.clear());
                once(&mut own, model);
            };
            self.influence.follow(kind, model, &mut tape, &mut list, &mut self.cost)?;
        }
        self.cost.tape_bytes = self.cost.tape_bytes.max(with_tape(|tape| tape.bytes()));
        Ok(())
    }

    fn pull_back(
        &mut self,
        form: Form,
        (model, at): (&Model, Place<'_>),
        through: &mut dyn Through,
        out: &mut Pulled,
    ) -> Result<(), GradientError> {
        let kind = form.kind();
        let watching = !self.probes.is_empty() || self.influence.has_drives();
        let influence = &mut self.influence;
        let mut sums: Vec<(f64, f64)> = Vec::new();
        let collect = &mut || {
            influence.collect(kind);
            if watching {
                add_samples(&mut sums);
            }
        };
        let (evaluation, floor) = (&self.evaluation, self.floor);
        let mut tape = OnTape { evaluation, floor, collect, held: Vec::new() };
        through.pull(model, &mut tape, out)?;
        self.compare_and_spread(model, at.instant, form.asked(), &|_| true, &sums)
    }

    /// What the last sweep found over functions of time.
    fn drives(
        &mut self,
        model: &Model,
        instant: (f64, Side),
        asked: Asked,
        due: &dyn Fn(usize) -> bool,
    ) -> Result<(), GradientError> {
        let mut sums = Vec::new();
        add_samples(&mut sums);
        self.compare_and_spread(model, instant, asked, due, &sums)
    }

    /// Values and derivatives that a tape has found: the order must be the one expected.
    fn compare_and_spread(
        &mut self,
        model: &Model,
        instant: (f64, Side),
        asked: Asked,
        due: &dyn Fn(usize) -> bool,
        sums: &[(f64, f64)],
    ) -> Result<(), GradientError> {
        if self.probes.is_empty() && !self.influence.has_drives() {
            return Ok(());
        }
        values_of(&drives_of(model, asked, due), instant, &mut self.scratch);
        let same = |(a, (b, _)): (&f64, &(f64, f64))| a.is_nan() || a == b;
        if self.scratch.len() != sums.len() || !self.scratch.iter().zip(sums).all(same) {
            return Err(GradientError::Drives);
        }
        let adjoints: Vec<f64> = sums.iter().map(|&(_, adjoint)| adjoint).collect();
        self.spread(instant, asked, due, &adjoints);
        Ok(())
    }

    /// Gives derivatives over values of functions of time to inputs and parameters.
    fn spread(&mut self, instant: (f64, Side), asked: Asked, due: &dyn Fn(usize) -> bool, adjoints: &[f64]) {
        self.influence.collect_drives(instant, adjoints, asked, due);
        let first = self.interval * self.probes.len();
        for (j, probe) in self.probes.iter().enumerate() {
            let place = match asked {
                Asked::Dynamics => self.places[j],
                Asked::Samples | Asked::Loops => {
                    values_of(&drives_of(probe, asked, due), instant, &mut self.scratch);
                    self.scratch.iter().position(|value| value.is_infinite())
                }
            };
            self.inputs[first + j] += place.map_or(0.0, |place| adjoints[place]);
        }
    }

    /// Begins a way back: the tape of the thread may have served another run.
    pub fn begin(&mut self, model: &Model) -> Result<(), GradientError> {
        let (all, size, started) = (self.influence.parameters(), self.size, Instant::now());
        let list = self.influence.direct().map(|i| Direct::new(&all[i], (i, model, size), &mut self.cost));
        self.direct = list.collect::<Result<_, _>>()?;
        self.cost.direct = self.direct.len();
        self.cost.model_seconds += started.elapsed().as_secs_f64();
        with_tape(|tape| {
            tape.rewind(0);
            tape.clear();
            tape.marked = self.influence.construction_marks();
        });
        let attention = if self.influence.is_empty() { Attention::None } else { Attention::Watch };
        self.evaluation = attending(attention, || Evaluation::new(model, self.size));
        (self.floor, self.construction) = with_tape(|tape| {
            tape.marked.clear();
            (tape.len(), tape.marked_leaves())
        });
        self.inputs.fill(0.0);
        self.influence.clear();
        self.recordings.begin();
        self.see_drives(model);
        Ok(())
    }

    /// Functions of time that evaluations of `model` ask for.
    fn see_drives(&mut self, model: &Model) {
        self.drives = drives_of(model, Asked::Dynamics, |_| true);
        self.posed = self.drives.iter().any(|drive| matches!(drive, Drive::Pose(..)));
    }

    /// Sets the inputs of an interval, which `model` has, in the models of parameters that are followed directly.
    pub fn set_inputs(
        &mut self,
        model: &Model,
        interval: usize,
        inputs: &[Input],
        values: &[f64],
        time: f64,
    ) {
        self.interval = interval;
        if !inputs.is_empty() {
            self.see_drives(model);
        }
        self.direct.iter_mut().for_each(|direct| direct.set_inputs(inputs, values, time));
    }

    /// Derivatives over the parameters; `start` are those over the initial state where it is the model's own.
    pub fn parameters(&mut self, start: Option<&[f64]>) -> Result<Vec<f64>, GradientError> {
        with_tape(|tape| {
            tape.rewind(self.floor);
            tape.finish(self.floor);
        });
        let leaves = self.construction.iter();
        let found: Vec<(usize, f64)> =
            leaves.map(|&(i, leaf)| (i, with_tape(|tape| tape.adjoint(leaf)))).collect();
        self.influence.collect_construction(found.into_iter());
        self.recordings.finish(&mut self.influence);
        if self.influence.give_up_rough(&mut self.cost) {
            return Err(GradientError::Again);
        }
        let mut found = self.influence.total(start);
        self.direct.iter().for_each(|direct| found[direct.parameter] += direct.sum());
        Ok(found)
    }

    /// Parameters that are followed by shifted models.
    pub fn followed_by_models(&self) -> impl Iterator<Item = &str> {
        self.influence.direct().map(|i| self.influence.parameters()[i].name.as_str())
    }

    /// How many parameters there are.
    pub fn parameter_count(&self) -> usize {
        self.influence.parameters().len()
    }

    /// The first parameter that changes nothing of the model.
    pub fn idle(&self) -> Option<&str> {
        self.influence.idle()
    }
}

/// The model with an infinite value for `input`.
fn infinite(model: &Model, input: &Input, time: f64) -> Model {
    let mut model = model.clone();
    input.set(&mut model, time, f64::INFINITY);
    model
}

/// Adds the derivatives over values of functions of time that the last sweep found.
fn add_samples(sums: &mut Vec<(f64, f64)>) {
    with_tape(|tape| {
        for (index, (value, adjoint)) in tape.sample_adjoints().enumerate() {
            match sums.get_mut(index) {
                Some(slot) => slot.1 += adjoint,
                None => sums.push((value, adjoint)),
            }
        }
    });
}
