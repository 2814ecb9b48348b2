//! A nonlinear spring that only pushes, with damping that never pulls.
//!
//! Source: Hunt and Crossley, Coefficient of restitution interpreted as damping in
//! vibroimpact (1975). With the penetration δ > 0: F = k δⁿ max(0, 1 + a δ̇). The
//! damping grows with the penetration, so the force is continuous at first touch.
//! E = k δⁿ⁺¹/(n + 1); the power of the damping is (k δⁿ − F) δ̇ ≤ 0.

use crate::scalar::Scalar;

/// Parameters of the law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct OneSided {
    pub stiffness: f64,
    pub exponent: f64,
    pub dissipation: f64,
}

/// Push, stored energy and power of the damping.
pub(super) struct Push<S> {
    pub force: S,
    pub energy: S,
    pub power: S,
}

impl OneSided {
    /// The push at a penetration and its rate.
    #[inline(always)]
    pub fn push<S: Scalar>(&self, depth: S, rate: S) -> Push<S> {
        if depth.at_most(0.0) {
            return Push { force: S::ZERO, energy: S::ZERO, power: S::ZERO };
        }
        let elastic = depth.powf(self.exponent) * self.stiffness;
        let factor = S::ONE + rate * self.dissipation;
        let force = if factor.above(0.0) { elastic * factor } else { S::ZERO };
        let energy = elastic * depth * (1.0 / (self.exponent + 1.0));
        Push { force, energy, power: (elastic - force) * rate }
    }
}
