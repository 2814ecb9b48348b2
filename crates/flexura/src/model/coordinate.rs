//! What acts on one joint coordinate: spring, damper, friction, effort, motion.

use crate::time_function::TimeFunction;

/// Default speed over which friction builds up (m/s or rad/s).
pub const DEFAULT_FRICTION_SPEED: f64 = 1e-3;

/// What acts on one degree of freedom of a joint, as described and as built.
#[derive(Clone, Debug, Default)]
pub struct Coordinate {
    /// Spring stiffness (N/m or N m/rad).
    pub stiffness: f64,
    /// Coordinate at which the spring is relaxed (m or rad).
    pub rest: f64,
    /// Viscous damping (N s/m or N m s/rad).
    pub damping: f64,
    /// Friction magnitude (N or N m).
    pub friction: f64,
    /// Speed over which friction builds up (m/s or rad/s); zero in a description selects 1e-3.
    pub friction_speed: f64,
    /// Actuator effort as a function of time (N or N m).
    pub effort: Option<TimeFunction>,
    /// Prescribed motion as a function of time (m or rad).
    pub motion: Option<TimeFunction>,
}

impl Coordinate {
    /// Whether a spring, a damper or friction acts along it.
    pub(crate) fn is_passive(&self) -> bool {
        self.stiffness != 0.0 || self.damping != 0.0 || self.friction != 0.0
    }

    /// Whether anything but a prescribed motion acts along it.
    pub(crate) fn acts(&self) -> bool {
        self.is_passive() || self.effort.is_some()
    }
}
