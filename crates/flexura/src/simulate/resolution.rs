//! Which recorded accelerations and reactions the step could not follow.
//!
//! Implicit steps of second order stay stable whatever the step, but a mode of frequency ω is followed only while ω h is
//! small: the trapezoidal rule has its period by (ω h)²/12 too long. Beyond ω h = 1 (six steps a period) positions
//! are still those of the slow motion; accelerations, in which fast modes count with ω², are not. They are valid up to the
//! frequency 1/(2π h).
//!
//! Error-controlled explicit steps resolve all modes or fail; Radau's order and damping keep unresolved modes at rest.

use crate::model::body::held_frequencies;
use crate::model::description::{MethodDescription, SimulationDescription};
use crate::model::{Frame, Model};
use crate::record::{Channel, Source};
use std::f64::consts::TAU;
use std::fmt;

/// Largest ω h of a mode that a step follows.
const RESOLVED: f64 = 1.0;
/// Channels named in words.
const NAMED: usize = 3;

/// A flexible body whose fast modes were not followed, and the channels that feel it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Unresolved {
    /// Body.
    pub body: String,
    /// Modes that move faster than the steps, and all modes of the body.
    pub modes: [usize; 2],
    /// Lowest and highest frequency of those that were not followed (Hz).
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// Step (s).
    pub step: f64,
    /// Accelerations and reactions are valid up to this frequency (Hz).
    pub valid: f64,
    /// Recorded accelerations and reactions of the body.
    pub channels: Vec<String>,
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [fast, all] = self.modes;
        let names: Vec<String> = self.channels.iter().take(NAMED).map(|name| format!("`{name}`")).collect();
        let more = self.channels.len().saturating_sub(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        write!(
            f,
            "body `{}`: steps of {:.2e} s do not follow {fast} of its {all} modes (from {:.1} Hz): {}{more} are valid up to \
             {:.1} Hz only; take steps of {:.1e} s, or \"radau\"",
            self.body,
            self.step,
            self.from,
            names.join(", "),
            self.valid,
            RESOLVED / (TAU * self.to)
        )
    }
}

/// What the steps of a run did not follow of what it recorded; `accepted` is the number of its steps.
pub(super) fn unresolved(
    model: &Model,
    settings: &SimulationDescription,
    span: f64,
    accepted: u64,
    channels: &[Channel],
) -> Vec<Unresolved> {
    let Some(step) = step_of(&settings.method, span, accepted) else { return Vec::new() };
    let mut list = Vec::new();
    for (k, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.modes > 0) {
        let felt = channels.iter().filter(|channel| feels(model, channel.source, k));
        let felt: Vec<String> = felt.map(|channel| channel.name.clone()).collect();
        if felt.is_empty() {
            continue;
        }
        let frequencies = held_frequencies(body);
        let fast: Vec<f64> = frequencies.iter().copied().filter(|omega| omega * step > RESOLVED).collect();
        if let (Some(&first), Some(&last)) = (fast.first(), fast.last()) {
            list.push(Unresolved {
                body: body.name.clone(),
                modes: [fast.len(), frequencies.len()],
                from: first / TAU,
                to: last / TAU,
                step,
                valid: RESOLVED / (TAU * step),
                channels: felt,
            });
        }
    }
    list
}

/// Step of a method that goes on where it does not resolve; the mean one where it varies (s).
fn step_of(method: &MethodDescription, span: f64, accepted: u64) -> Option<f64> {
    match *method {
        MethodDescription::Implicit { tolerance, .. } if tolerance > 0.0 => {
            (accepted > 0).then(|| span / accepted as f64)
        }
        MethodDescription::Implicit { step, .. }
        | MethodDescription::Global { step }
        | MethodDescription::EnergyMomentum { step, .. } => Some(step),
        MethodDescription::Rk4 { .. }
        | MethodDescription::DormandPrince { .. }
        | MethodDescription::Radau { .. }
        | MethodDescription::Automatic { .. } => None,
    }
}

/// Whether a channel is an acceleration of body `k`, or a force that its acceleration enters.
fn feels(model: &Model, source: Source, k: usize) -> bool {
    // Position, quaternion, ω and v come first.
    const ACCELERATIONS: u8 = 13;
    let on = |frame: &Frame| frame.body.is_some_and(|body| body.0 == k);
    let touches = |joint: usize| joint == k || model.joints[joint].parent == Some(k);
    let part = &model.layout.bodies[k];
    match source {
        Source::Body(body, i) => body == k && i >= ACCELERATIONS,
        Source::Frame(frame, i) => i >= ACCELERATIONS && on(&model.frames[frame]),
        Source::Acceleration(i) | Source::Driving(i) => part.speeds().contains(&i),
        Source::Reaction(joint, _) | Source::DrivingPower(joint) => touches(joint),
        Source::LoopReaction(index, _) | Source::NormalForce(index) | Source::LoopDrivingPower(index) => {
            model.loops[index].frames.iter().any(|frame| on(&model.frames[frame.0]))
        }
        _ => false,
    }
}
