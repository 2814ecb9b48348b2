//! Force over deflection, and damping that depends on the direction.
//!
//! A law F(x) stores E(x) = ∫₀ˣ F; x is an extension (m) or an angle (rad).

use super::fault::Faults;
use super::table::ForceTable;
use crate::model::words;
use crate::scalar::Scalar;

/// Force or torque as a function of the deflection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
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
            // Faults of its own are refused where it is made.
            Self::Table(table) => warn_of_overshoot(table, "table", faults),
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

/// Damping force over the rate of the deflection.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Damping {
    /// Viscous, different for the two directions.
    Linear {
        /// While the deflection decreases (N s/m or N m s/rad).
        compression: f64,
        /// While it increases (N s/m or N m s/rad).
        extension: f64,
    },
    /// Measured: force over rate, as shock absorbers have it (N over m/s or N m over rad/s).
    Curve(ForceTable),
}

impl Default for Damping {
    fn default() -> Self {
        Self::both(0.0)
    }
}

impl Damping {
    /// Viscous, the same in both directions.
    pub fn both(coefficient: f64) -> Self {
        Self::Linear { compression: coefficient, extension: coefficient }
    }

    /// Force at a rate of the deflection; along the rate, so its power is −force × rate.
    #[inline(always)]
    pub fn force<S: Scalar>(&self, rate: S) -> S {
        match self {
            Self::Linear { compression, extension } => {
                rate * if rate.below(0.0) { *compression } else { *extension }
            }
            Self::Curve(curve) => curve.sample(rate).0,
        }
    }

    /// Whether there is no damping.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Linear { compression, extension } if *compression == 0.0 && *extension == 0.0)
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        match self {
            Self::Linear { compression, extension } => {
                faults.damping("damping", *compression);
                if extension != compression {
                    faults.damping("damping", *extension);
                }
            }
            Self::Curve(curve) => check_curve(curve, faults),
        }
    }
}

/// Reports a spline that goes far beyond the forces it was given.
fn warn_of_overshoot(table: &ForceTable, key: &'static str, faults: &mut Faults) {
    let Some((least, largest)) = table.overshoot() else { return };
    let (least, largest) = (words::number(least), words::number(largest));
    let message =
        format!("the spline through the table goes from {least} to {largest}, far beyond the forces given");
    let help = "write interpolation = \"monotone\" or \"linear\" into the table, or add points where the force bends";
    faults.warning("table-overshoot", key, &message, help);
}

/// Reports a damper that pushes along the motion somewhere, or at rest.
fn check_curve(curve: &ForceTable, faults: &mut Faults) {
    warn_of_overshoot(curve, "damping", faults);
    let largest = curve.points().fold(0.0_f64, |most, (_, force)| most.max(force.abs()));
    let feeds = |&(rate, force): &(f64, f64)| rate * force < 0.0;
    let help = "a damper brakes: give forces of the sign of the rates, and zero force at rate zero";
    if let Some((rate, force)) = curve.points().find(feeds) {
        let (rate, force) = (words::number(rate), words::number(force));
        let message = format!("at rate {rate} the damping force is {force}: it feeds energy in");
        faults.error("negative-damping", "damping", message, help);
    } else if curve.sample(0.0).0.abs() > 1e-9 * largest {
        let message = format!("at rest the damping force is {}", words::number(curve.sample(0.0).0));
        faults.error("damping-at-rest", "damping", message, help);
    }
}

/// Reports an element that never acts.
pub(super) fn warn_if_idle(law: &ForceLaw, damping: &Damping, preload: f64, faults: &mut Faults) {
    if law.is_zero() && damping.is_zero() && preload == 0.0 {
        let help = "give a stiffness, a damping or a preload";
        faults.warning("idle-element", "stiffness", "the element has no stiffness, damping or preload", help);
    }
}
