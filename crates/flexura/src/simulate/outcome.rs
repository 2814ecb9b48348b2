//! What a run tells: on the way and at its end.

use super::{HalfTurn, LinearRangeWarning, RollingContact, Unresolved};
use crate::integrate::StepStatistics;
use crate::record::{EnergyAudit, EnergyWarning};
use crate::truncation::ModeVerdict;

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<'a> {
    /// Current time (s).
    pub time: f64,
    /// Done fraction, 0 to 1.
    pub fraction: f64,
    /// Counters of the integrator.
    pub statistics: StepStatistics,
    /// Modes beyond the linear range so far; a run that fails later has reported them here.
    pub warnings: &'a [LinearRangeWarning],
    /// Energy created or lost so far.
    pub energy: EnergyAudit,
}

/// An event that happened.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EventRecord {
    /// Name of the event.
    pub name: String,
    /// Time (s).
    pub time: f64,
}

/// How far a flexible body was deformed during a run.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Deformation {
    /// Body.
    pub body: String,
    /// Bound of the largest rotation of a node (rad); exact above 0.1.
    pub slope: f64,
    /// Bound of the largest displacement of a node relative to the size of the body.
    pub shift: f64,
    /// Rotation (rad) and relative displacement beyond which its modes are not trusted.
    pub limits: [f64; 2],
    /// Largest magnitude of every modal coordinate.
    pub amplitudes: Vec<f64>,
    /// Modal coordinates where the rotation was largest.
    pub most_bent: Vec<f64>,
    /// Share of kinetic energy that the inertia level left out there, where it can be told and the body bends.
    pub neglected_inertia: Option<f64>,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Outcome {
    /// Last time reached (s).
    pub end_time: f64,
    /// Rows handed to the sink.
    pub rows: u64,
    /// Counters of the integrator.
    pub statistics: StepStatistics,
    /// Located events in order.
    pub events: Vec<EventRecord>,
    /// Event that stopped the run.
    pub stopped_by: Option<String>,
    /// Whether the caller asked to stop.
    pub cancelled: bool,
    /// Modes beyond the linear range, each once.
    pub warnings: Vec<LinearRangeWarning>,
    /// Largest deformations of the flexible bodies.
    pub deformations: Vec<Deformation>,
    /// Energy created or lost by the integration.
    pub energy: EnergyAudit,
    /// What is wrong with it, if anything.
    pub unbalanced: Option<EnergyWarning>,
    /// Whether the modes of the flexible bodies carry what acted on them.
    pub modes: Vec<ModeVerdict>,
    /// Normal forces of discs that roll.
    pub contacts: Vec<RollingContact>,
    /// Laws over angles, and whether the motion has taken them to where they end.
    pub half_turns: Vec<HalfTurn>,
    /// Recorded accelerations and reactions that the steps were too long for.
    pub unresolved: Vec<Unresolved>,
}
