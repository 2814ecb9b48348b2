//! Loads applied at frames.

use super::FrameId;
use crate::spatial::Spatial;
use crate::time_function::Side;
use crate::time_function::TimeFunction;

/// A wrench applied at the origin of a frame.
#[derive(Clone, Debug)]
pub struct AppliedForce {
    /// Name.
    pub name: String,
    /// Frame it acts at.
    pub frame: FrameId,
    /// Whether components are in inertial axes rather than in the frame's.
    pub inertial: bool,
    /// [moment; force] at unit scale (N m, N).
    pub wrench: Spatial,
    /// Scale over time; `None` is one.
    pub scale: Option<TimeFunction>,
}

impl AppliedForce {
    /// The scale at `time`, or its limit from the left.
    pub fn scale_at(&self, time: f64, side: Side) -> f64 {
        self.scale.as_ref().map_or(1.0, |scale| scale.sample_side(time, side).value)
    }
}
