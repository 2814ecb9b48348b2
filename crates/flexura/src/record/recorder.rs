//! Samples the selected channels of a state into a row. No allocation.

use super::EnergyAudit;
use crate::checkpoint::Tape;
use crate::constraint::fill_rows;
use crate::dynamics::evaluate;
use crate::error::SimulationError;
use crate::measure::{Snapshot, Totals};
use crate::model::Model;
use crate::model::channel::{Channel, Family, Source, all_channels, channels_where, matches_pattern};
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
    needs_accelerations: bool,
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
        let mut known = vec![false; patterns.len()];
        let mut wanted = |channel: &Channel| {
            let mut wanted = picture && channel.is_drawn();
            for (known, pattern) in known.iter_mut().zip(patterns) {
                if !(*known && wanted) && matches_pattern(pattern, &channel.name) {
                    (*known, wanted) = (true, true);
                }
            }
            wanted
        };
        let all = channels_where(model, &mut wanted);
        if let Some(missing) = known.iter().position(|&known| !known) {
            return Err(SimulationError::Channel(unknown(model, &patterns[missing])));
        }
        let channels = with_drawn_last(all, patterns, picture);
        let needs_reactions = channels.iter().any(|channel| matches!(channel.source, Source::Reaction(..)));
        let needs_accelerations = channels.iter().any(|channel| channel.source.needs_accelerations());
        let state = State::unprescribed(model, 0.0);
        Ok(Self { channels, state, ledger: Ledger::new(), needs_reactions, needs_accelerations })
    }

    /// A recorder of those channels of `model`, a part of another model, that `wanted` says yes to: selected by patterns of
    /// the whole model, which may match nothing here.
    pub(crate) fn of_part(
        model: &Model,
        patterns: &[String],
        picture: bool,
        wanted: &dyn Fn(Source) -> bool,
    ) -> Self {
        let matched =
            |channel: &Channel| patterns.iter().any(|pattern| matches_pattern(pattern, &channel.name));
        let mut recorded = |channel: &Channel| {
            wanted(channel.source) && (matched(channel) || (picture && channel.is_drawn()))
        };
        let channels = with_drawn_last(channels_where(model, &mut recorded), patterns, picture);
        let needs_reactions = channels.iter().any(|channel| matches!(channel.source, Source::Reaction(..)));
        let needs_accelerations = channels.iter().any(|channel| channel.source.needs_accelerations());
        let state = State::unprescribed(model, 0.0);
        Self { channels, state, ledger: Ledger::new(), needs_reactions, needs_accelerations }
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

    /// Like [`Recorder::sample`], but finds accelerations only if a channel needs them: afterwards `work` may hold none of `state`.
    #[doc(hidden)]
    pub fn sample_needed(
        &mut self,
        model: &Model,
        state: &State,
        work_done: f64,
        work: &mut Workspace,
        row: &mut [f64],
    ) -> Result<(), SimulationError> {
        // Controllers measure what they please, other equations find what belongs to them, and ranks evaluate together or not at all,
        // whatever each of them records.
        let whole = !model.controllers.is_empty() || work.substitute.is_some() || work.share().is_some();
        if self.needs_accelerations || whole {
            return self.sample(model, state, work_done, work, row);
        }
        self.state.copy_from(state);
        apply_prescribed(model, &mut self.state, Some(&mut work.load));
        let state = &self.state;
        work.kinematics(model, state);
        work.loads(model, state);
        work.poses(model, state);
        if self.channels.iter().any(|channel| matches!(channel.source, Source::Constraint(_))) {
            fill_rows(model, state, work);
        }
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
        work: &'a mut Workspace,
    ) -> Snapshot<'a, f64> {
        let totals = Totals::new(model, state, work);
        if self.first.is_nan() {
            self.first = totals.energy();
        }
        let snapshot = Snapshot::with_totals(model, state, work, totals, work_done, self.first);
        let (sizes, balance) = snapshot.energies();
        self.audit.see(&sizes, balance);
        snapshot
    }
}

fn fill_row(channels: &[Channel], snapshot: &Snapshot<'_, f64>, time: f64, row: &mut [f64]) {
    row[0] = time;
    snapshot.fill(channels, &mut row[1..]);
}

/// That no channel of `model` matches, with a near one.
fn unknown(model: &Model, pattern: &str) -> String {
    let all = all_channels(model);
    let near = nearest(pattern, all.iter().map(|channel| channel.name.as_str()));
    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    format!("no channel matches `{pattern}`{hint}")
}

/// Channels that patterns select, then those that only a picture needs.
fn with_drawn_last(all: Vec<Channel>, patterns: &[String], picture: bool) -> Vec<Channel> {
    if !picture {
        return all;
    }
    let matched = |channel: &Channel| patterns.iter().any(|pattern| matches_pattern(pattern, &channel.name));
    let (mut channels, drawn): (Vec<Channel>, Vec<Channel>) = all.into_iter().partition(matched);
    channels.extend(drawn.into_iter().map(|channel| Channel { family: Family::Picture, ..channel }));
    channels
}
