//! One model run by several ranks together: steps, rows and warnings of the part of one of them.
//!
//! Every rank runs its part as it would run a model of its own. Steps have the same lengths everywhere, because their
//! errors are added along the assembly tree of the whole model; rows are due at the same instants. Energies, momenta and
//! powers are those of the whole model, and the first rank records them.

use super::{Keeper, Outcome, Progress, Run, break_points};
use crate::build::Built;
use crate::checkpoint::Checkpoint;
use crate::division::Part;
use crate::error::SimulationError;
use crate::model::Model;
use crate::model::description::SimulationDescription;
use crate::ranks::Ranks;
use crate::record::{Channel, Recorder, Sink, Source, energy_at_rest};
use crate::state::State;
use std::collections::HashSet;
use std::sync::Arc;

/// The part of one rank in a run. It keeps nothing of the whole model, which may be dropped.
#[derive(Debug)]
pub struct Together {
    settings: SimulationDescription,
    part: Part,
    recorder: Recorder,
    /// Where it begins.
    start: State,
    breaks: Vec<f64>,
    energy_floor: f64,
}

impl Together {
    /// The part of `ranks.rank()` in the run that the description of `built` asks for; what several ranks cannot run is
    /// refused by name, on all of them alike. `picture`: with what a viewer needs.
    pub fn new(built: &Built, ranks: Arc<dyn Ranks>, picture: bool) -> Result<Self, SimulationError> {
        let (model, settings) = (&built.model, built.description.simulation.clone());
        let part = Part::new(model, &settings, ranks)?;
        if !part.divides_paths() {
            check_reactions(&whole_recorder(built, picture)?)?;
        }
        let patterns = &built.description.output.channels;
        let recorder = Recorder::of_part(part.model(), patterns, picture, &|source| records(&part, source));
        let start = part.state(model, &State::initial(model, settings.start));
        let breaks = break_points(model, &settings);
        let energy_floor = energy_at_rest(model, settings.end - settings.start);
        Ok(Self { settings, part, recorder, start, breaks, energy_floor })
    }

    /// Begins at a state of the whole model instead of its initial values.
    pub fn begin_at(&mut self, whole: &Model, state: &State) {
        self.start = self.part.state(whole, state);
    }

    /// Channels that the run records on all ranks together, in the order of one result; fails where a pattern matches none.
    pub fn whole_channels(built: &Built, picture: bool) -> Result<Vec<Channel>, SimulationError> {
        Ok(whole_recorder(built, picture)?.channels().to_vec())
    }

    /// Channels that this rank records, in the order of its rows.
    pub fn channels(&self) -> &[Channel] {
        self.recorder.channels()
    }

    /// What this rank computes with.
    pub fn part(&self) -> &Part {
        &self.part
    }

    /// Runs; all ranks call it.
    pub fn run(
        &mut self,
        sink: &mut impl Sink,
        watch: &mut impl FnMut(&Progress) -> bool,
    ) -> Result<Outcome, SimulationError> {
        self.run_kept(None, sink, watch, &mut ())
    }

    /// Like [`Together::run`], with checkpoints of this part on the way; all ranks find them due at the same steps. With
    /// `earlier`, the checkpoints of all ranks of an earlier run with the same settings, however many those were, it goes on
    /// there; rows of that run are not recorded again.
    pub fn run_kept(
        &mut self,
        earlier: Option<&[Checkpoint]>,
        sink: &mut impl Sink,
        watch: &mut impl FnMut(&Progress) -> bool,
        keeper: &mut impl Keeper,
    ) -> Result<Outcome, SimulationError> {
        let (settings, part) = (&self.settings, &self.part);
        let state = match earlier {
            None => self.start.clone(),
            Some(_) => State::unprescribed(part.model(), settings.start),
        };
        let prepare = |work: &mut crate::Workspace| part.take_part(work);
        let mut run = Run::by(part.model(), settings, prepare, state, &mut self.recorder, sink)?;
        run.part = Some(part);
        run.breaks.clone_from(&self.breaks);
        run.energy_floor = self.energy_floor;
        match earlier {
            Some(parts) => run.resume_part(part, parts)?,
            None => run.record_start()?,
        }
        run.go(watch, keeper)?;
        let mut outcome = run.finish();
        let own = (0..part.model().body_count()).filter(|&k| part.records(k));
        let own: HashSet<&str> = own.map(|k| part.model().bodies[k].name.as_str()).collect();
        outcome.deformations.retain(|found| own.contains(found.body.as_str()));
        outcome.warnings.retain(|found| own.contains(found.body.as_str()));
        outcome.unresolved.retain(|found| own.contains(found.body.as_str()));
        outcome.modes.retain(|found| own.contains(found.body.as_str()));
        for found in &mut outcome.modes {
            (found.missing, found.unknown) = (None, UNJUDGED);
        }
        Ok(outcome)
    }
}

/// Parts know the dynamics of a body and no more: neither its unreduced shape nor, at the borders, what acts on it from outside.
const UNJUDGED: &str = "which runs on one rank do";

fn whole_recorder(built: &Built, picture: bool) -> Result<Recorder, SimulationError> {
    let select = if picture { Recorder::with_picture } else { Recorder::new };
    select(&built.model, &built.description.output.channels)
}

/// Forces of joints where branches of one body are divided are refused.
fn check_reactions(recorder: &Recorder) -> Result<(), SimulationError> {
    let mut channels = recorder.channels().iter();
    match channels.find(|channel| matches!(channel.source, Source::Reaction(..))) {
        None => Ok(()),
        Some(channel) => Err(SimulationError::Channel(format!(
            "on several ranks: channel `{}`: forces of joints are not known where branches of one body are divided; list the \
             channels wanted under [output], such as [\"energy.*\", \"*.angle\", \"*.position.*\"], or run on fewer ranks",
            channel.name
        ))),
    }
}

/// Whether a channel of the model of `part` is recorded by its rank.
fn records(part: &Part, source: Source) -> bool {
    let model = part.model();
    let of_coordinate = |q: usize| model.layout.bodies.partition_point(|body| body.q <= q).saturating_sub(1);
    let of_frame = |frame: usize| model.frames[frame].body.map(|body| body.0);
    let body = match source {
        Source::Body(k, _) | Source::JointPower(k) | Source::DrivingPower(k) | Source::Reaction(k, _) => {
            Some(k)
        }
        Source::Coordinate(q) => Some(of_coordinate(q)),
        Source::Speed(v) | Source::Acceleration(v) | Source::Driving(v) => Some(model.body_of_speed(v)),
        Source::Frame(frame, _) => of_frame(frame),
        Source::ForcePower(i) | Source::ForceScale(i) => of_frame(model.forces[i].frame.0),
        Source::LoadPower(i) => Some(model.loads[i].body.0),
        Source::Element(i, _) => model.elements[i].frames.iter().find_map(|frame| of_frame(frame.0)),
        Source::Coupler(i, _) => model.couplers[i].bodies(model).next(),
        _ => None,
    };
    body.map_or(part.rank() == 0, |k| part.records(k))
}
