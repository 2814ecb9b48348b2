//! Samples the selected channels of a state into a row. No allocation.

use super::EnergyAudit;
use crate::algorithm::energy;
use crate::checkpoint::Tape;
use crate::dynamics::evaluate;
use crate::error::SimulationError;
use crate::measure::Snapshot;
use crate::model::Model;
use crate::model::channel::{Channel, Family, Source, all_channels, matches_pattern};
use crate::model::words::nearest;
use crate::state::State;
use crate::state::prescribe::{apply_prescribed, apply_prescribed_before};
use crate::workspace::Workspace;

/// Selected channels and scratch.
#[derive(Clone, Debug)]
pub struct Recorder {
    channels: Vec<Channel>,
    state: State,
    /// Total energy at the first sample (J); NaN before.
    first_energy: f64,
    audit: EnergyAudit,
    needs_reactions: bool,
}

impl Recorder {
    /// A recorder of the channels of `model` that match any of `patterns`.
    pub fn new(model: &Model, patterns: &[String]) -> Result<Self, SimulationError> {
        Self::select(model, patterns, false)
    }

    /// Like [`Recorder::new`], with the poses and modal coordinates of all bodies: those that no
    /// pattern selects come last, as [`Family::Picture`].
    pub fn with_picture(model: &Model, patterns: &[String]) -> Result<Self, SimulationError> {
        Self::select(model, patterns, true)
    }

    fn select(model: &Model, patterns: &[String], picture: bool) -> Result<Self, SimulationError> {
        let all = all_channels(model);
        for pattern in patterns {
            if !all.iter().any(|channel| matches_pattern(pattern, &channel.name)) {
                let near = nearest(pattern, all.iter().map(|channel| channel.name.as_str()));
                let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                return Err(SimulationError::Channel(format!("no channel matches `{pattern}`{hint}")));
            }
        }
        let wanted =
            |channel: &Channel| patterns.iter().any(|pattern| matches_pattern(pattern, &channel.name));
        let (mut channels, rest): (Vec<Channel>, Vec<Channel>) = all.into_iter().partition(wanted);
        if picture {
            let needed = rest.into_iter().filter(Channel::is_drawn);
            channels.extend(needed.map(|channel| Channel { family: Family::Picture, ..channel }));
        }
        let needs_reactions = channels.iter().any(|channel| matches!(channel.source, Source::Reaction(..)));
        let state = State::unprescribed(model, 0.0);
        Ok(Self { channels, state, first_energy: f64::NAN, needs_reactions, audit: EnergyAudit::default() })
    }

    /// The selected channels, in the order of a row after the time.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Forgets the energy at the first sample: the next one starts a new balance.
    pub fn restart(&mut self) {
        (self.first_energy, self.audit) = (f64::NAN, EnergyAudit::default());
    }

    /// Energy unaccounted for in the rows since the start.
    pub fn audit(&self) -> EnergyAudit {
        self.audit
    }

    /// What lasts from one row to the next.
    pub(crate) fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.first_energy);
        self.audit.remember(tape);
    }

    /// Fills `row` (time first) for `state`; `work_done` is the work since the start (J).
    pub fn sample(
        &mut self,
        model: &Model,
        state: &State,
        work_done: f64,
        work: &mut Workspace,
        row: &mut [f64],
    ) -> Result<(), SimulationError> {
        work.load.before = false;
        self.sample_side(model, state, work_done, work, row)
    }

    /// Like [`Recorder::sample`], with inputs from the left at a break point: the end of a run.
    pub fn sample_before(
        &mut self,
        model: &Model,
        state: &State,
        work_done: f64,
        work: &mut Workspace,
        row: &mut [f64],
    ) -> Result<(), SimulationError> {
        work.load.before = true;
        self.sample_side(model, state, work_done, work, row)
    }

    fn sample_side(
        &mut self,
        model: &Model,
        state: &State,
        work_done: f64,
        work: &mut Workspace,
        row: &mut [f64],
    ) -> Result<(), SimulationError> {
        self.state.copy_from(state);
        if work.load.before {
            apply_prescribed_before(model, &mut self.state, Some(&mut work.load));
        } else {
            apply_prescribed(model, &mut self.state, Some(&mut work.load));
        }
        let state = &self.state;
        evaluate(model, state, work).map_err(|error| SimulationError::dynamics(state.time, error))?;
        work.poses(model, state);
        if self.needs_reactions {
            work.reactions(model);
        }
        if self.first_energy.is_nan() {
            self.first_energy = energy(model, state, &work.motion, &work.inertias).total();
        }
        let snapshot = Snapshot::new(model, state, work, work_done, self.first_energy);
        let (sizes, balance) = snapshot.energies();
        self.audit.see(&sizes, balance);
        row[0] = state.time;
        snapshot.fill(&self.channels, &mut row[1..]);
        Ok(())
    }
}
