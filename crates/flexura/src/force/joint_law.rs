//! The law of one joint coordinate: spring, damper, friction and effort of time.
//!
//! τ = −k (x − x₀) − d u − f tanh(u / u_f) + τ_a(t), stored energy ½ k (x − x₀)²
//!
//! x position and u speed along the coordinate, x₀ rest, k stiffness, d damping,
//! f and u_f friction and the speed over which it builds up, τ_a the actuator.
//! Joints of the tree and joints that close loops differ in where x and u come from
//! and where τ goes, not in the law; who needs slopes asks with dual numbers. The
//! spring stands apart: where it acts along a rotation vector, its effort is referred
//! to the speeds before the others join it. The global formulation shares nothing
//! with the recursions and writes the law by itself.

use crate::force::power::AppliedPower;
use crate::model::Coordinate;
use crate::scalar::Scalar;
use crate::time_function::Side;

/// Effort and stored energy of a spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spring<S> {
    pub effort: S,
    pub energy: S,
}

/// The spring of coordinate `c` at `position`.
#[inline]
pub(crate) fn spring<S: Scalar>(c: &Coordinate, position: S) -> Spring<S> {
    let deflection = position - S::from_f64(c.rest);
    Spring { effort: -deflection * c.stiffness, energy: deflection * deflection * (0.5 * c.stiffness) }
}

/// Effort of all that acts along coordinate `c`, whose spring gives `spring`; adds the power of each kind. Efforts
/// are taken from `side` of `time`.
#[inline]
pub(crate) fn law_effort<S: Scalar>(
    c: &Coordinate,
    spring: S,
    speed: S,
    (time, side): (f64, Side),
    power: &mut AppliedPower<S>,
) -> S {
    let mut effort = spring;
    if c.damping != 0.0 || S::OVER_CONSTANTS {
        let damper = -speed * c.damping;
        power.dampers += damper * speed;
        effort += damper;
    }
    if c.friction != 0.0 {
        let friction = -((speed * (1.0 / c.friction_speed)).tanh() * c.friction);
        power.friction += friction * speed;
        effort += friction;
    }
    if let Some(function) = &c.effort {
        let actuator = S::sampled(function.sample_side(time, side).value);
        power.efforts += actuator * speed;
        effort += actuator;
    }
    effort
}
