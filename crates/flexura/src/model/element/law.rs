//! Force over deflection, and damping that depends on the direction.
//!
//! A law F(x) stores E(x) = ∫₀ˣ F; x is an extension (m) or an angle (rad).

use super::fault::Faults;
use super::table::ForceTable;
use crate::scalar::Scalar;

/// Force or torque as a function of the deflection.
#[derive(Clone, Debug, PartialEq)]
pub enum ForceLaw {
    /// F = stiffness x.
    Linear {
        /// Stiffness (N/m or N m/rad).
        stiffness: f64,
    },
    /// F = c₀ + c₁ x + c₂ x² + ….
    Polynomial {
        /// Coefficients, lowest power first.
        coefficients: Vec<f64>,
    },
    /// Cubic spline through points, continued straight beyond its ends.
    Table(ForceTable),
}

impl ForceLaw {
    /// Force and energy at deflection `x`.
    #[inline]
    pub fn sample<S: Scalar>(&self, x: S) -> (S, S) {
        match self {
            Self::Linear { stiffness } => (x * *stiffness, x * x * (0.5 * stiffness)),
            Self::Polynomial { coefficients } => polynomial(coefficients, x),
            Self::Table(table) => table.sample(x),
        }
    }

    /// Whether the law gives no force at any deflection.
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Linear { stiffness } => *stiffness == 0.0,
            Self::Polynomial { coefficients } => coefficients.iter().all(|&c| c == 0.0),
            Self::Table(_) => false,
        }
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        match self {
            Self::Linear { stiffness } => faults.stiffness("stiffness", *stiffness),
            Self::Polynomial { coefficients } => faults.finite("polynomial", coefficients),
            Self::Table(_) => {} // refused where it is made
        }
    }
}

/// Horner's scheme for Σ cᵢ xⁱ and Σ cᵢ xⁱ⁺¹/(i + 1).
fn polynomial<S: Scalar>(coefficients: &[f64], x: S) -> (S, S) {
    let (mut force, mut energy) = (S::ZERO, S::ZERO);
    for (i, &c) in coefficients.iter().enumerate().rev() {
        force = force * x + S::from_f64(c);
        energy = energy * x + S::from_f64(c / (i + 1) as f64);
    }
    (force, energy * x)
}

/// Viscous damping, different for the two directions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// While the deflection decreases (N s/m or N m s/rad).
    pub compression: f64,
    /// While it increases (N s/m or N m s/rad).
    pub extension: f64,
}

impl Damping {
    /// The same in both directions.
    pub fn both(coefficient: f64) -> Self {
        Self { compression: coefficient, extension: coefficient }
    }

    /// Force at a rate of the deflection; along the rate, so its power is −force × rate.
    #[inline(always)]
    pub fn force<S: Scalar>(&self, rate: S) -> S {
        rate * if rate.value() < 0.0 { self.compression } else { self.extension }
    }

    /// Whether there is no damping.
    pub fn is_zero(&self) -> bool {
        self.compression == 0.0 && self.extension == 0.0
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        faults.damping("damping", self.compression);
        if self.extension != self.compression {
            faults.damping("damping", self.extension);
        }
    }
}

/// Reports an element that never acts.
pub(super) fn warn_if_idle(law: &ForceLaw, damping: &Damping, preload: f64, faults: &mut Faults) {
    if law.is_zero() && damping.is_zero() && preload == 0.0 {
        let help = "give a stiffness, a damping or a preload";
        faults.warning("idle-element", "stiffness", "the element has no stiffness, damping or preload", help);
    }
}
