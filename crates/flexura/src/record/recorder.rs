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
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

/// Selected channels and scratch.
#[derive(Clone, Debug)]
pub struct Recorder {
    channels: Vec<Channel>,
    state: State,
    ledger: Ledger,
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
        Ok(Self { channels, state, ledger: Ledger::new(), needs_reactions })
    }

    /// The selected channels, in the order of a row after the time.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Forgets the energy at the first sample: the next one starts a new balance.
    pub fn restart(&mut self) {
        self.ledger = Ledger::new();
    }

    /// Energy unaccounted for in the rows since the start.
    pub fn audit(&self) -> EnergyAudit {
        self.ledger.audit
    }

    /// What lasts from one row to the next.
    pub(crate) fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.ledger.first);
        self.ledger.audit.remember(tape);
    }

    /// Evaluates `state` and fills `row` (time first); `work_done` is the work since the start (J).
    pub fn sample(
        &mut self,
        model: &Model,
        state: &State,
        work_done: f64,
        work: &mut Workspace,
        row: &mut [f64],
    ) -> Result<(), SimulationError> {
        self.state.copy_from(state);
        apply_prescribed(model, &mut self.state, Some(&mut work.load));
        let state = &self.state;
        evaluate(model, state, work).map_err(|error| SimulationError::dynamics(state.time, error))?;
        if self.needs_reactions {
            work.reactions(model);
        }
        work.poses(model, state);
        let snapshot = self.ledger.enter(model, state, work_done, work);
        fill_row(&self.channels, &snapshot, state.time, row);
        Ok(())
    }

    /// Whether rows need the forces of all joints.
    pub(crate) fn needs_reactions(&self) -> bool {
        self.needs_reactions
    }

    /// Fills `row` (time first) from an evaluation of `state` that is there already, reactions included where needed.
    #[doc(hidden)]
    pub fn read(
        &mut self,
        model: &Model,
        state: &State,
        work_done: f64,
        work: &mut Workspace,
        row: &mut [f64],
    ) {
        work.poses(model, state);
        let snapshot = self.ledger.enter(model, state, work_done, work);
        fill_row(&self.channels, &snapshot, state.time, row);
    }
}

/// Energy from row to row.
#[derive(Clone, Debug)]
struct Ledger {
    /// Total energy at the first sample (J); NaN before.
    first: f64,
    audit: EnergyAudit,
}

impl Ledger {
    fn new() -> Self {
        Self { first: f64::NAN, audit: EnergyAudit::default() }
    }

    /// Everything known at `state`, whose energies are entered.
    fn enter<'a>(
        &mut self,
        model: &'a Model,
        state: &'a State,
        work_done: f64,
        work: &'a Workspace,
    ) -> Snapshot<'a, f64> {
        if self.first.is_nan() {
            self.first = energy(model, state, &work.motion, &work.inertias).total();
        }
        let snapshot = Snapshot::new(model, state, work, work_done, self.first);
        let (sizes, balance) = snapshot.energies();
        self.audit.see(&sizes, balance);
        snapshot
    }
}

fn fill_row(channels: &[Channel], snapshot: &Snapshot<'_, f64>, time: f64, row: &mut [f64]) {
    row[0] = time;
    snapshot.fill(channels, &mut row[1..]);
}
