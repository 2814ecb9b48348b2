//! What acts on one joint coordinate: spring, damper, friction, effort, motion.

use crate::time_function::TimeFunction;

/// Default speed over which friction builds up (m/s or rad/s).
pub const DEFAULT_FRICTION_SPEED: f64 = 1e-3;

/// One degree of freedom of a joint.
#[derive(Clone, Debug, Default)]
pub struct Coordinate {
    /// Spring stiffness (N/m or N m/rad).
    pub stiffness: f64,
    /// Relaxed coordinate (m or rad).
    pub rest: f64,
    /// Viscous damping (N s/m or N m s/rad).
    pub damping: f64,
    /// Friction magnitude (N or N m).
    pub friction: f64,
    /// Regularisation speed of friction (m/s or rad/s).
    pub friction_speed: f64,
    /// Actuator effort (N or N m).
    pub effort: Option<TimeFunction>,
    /// Prescribed motion (m or rad).
    pub motion: Option<TimeFunction>,
}
