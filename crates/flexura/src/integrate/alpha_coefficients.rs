//! Coefficients of generalised-α and its special cases.
//!
//! Source: Chung & Hulbert, J. Appl. Mech. 60 (1993) 371-375; Hilber, Hughes &
//! Taylor, Earthq. Eng. Struct. Dyn. 5 (1977) 283-292.

use crate::model::description::DampingChoice;

/// Coefficients of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct AlphaCoefficients {
    /// α_m.
    pub alpha_m: f64,
    /// α_f.
    pub alpha_f: f64,
    /// β.
    pub beta: f64,
    /// γ.
    pub gamma: f64,
}

impl AlphaCoefficients {
    /// The coefficients of a description.
    pub(crate) fn of(damping: DampingChoice) -> Self {
        match damping {
            DampingChoice::None => Self::trapezoidal(),
            DampingChoice::SpectralRadius(rho) => Self::generalized(rho),
            DampingChoice::Hht(alpha) => Self::hht(alpha),
        }
    }

    /// Trapezoidal rule: no numerical damping.
    pub fn trapezoidal() -> Self {
        Self { alpha_m: 0.0, alpha_f: 0.0, beta: 0.25, gamma: 0.5 }
    }

    /// A step that does not know the acceleration it starts from: that of its end acts all along. Stable like the trapezoidal rule; an
    /// error of second order in the speed, which a few such steps in a run may make.
    pub fn from_the_end() -> Self {
        Self { alpha_m: 0.0, alpha_f: 0.0, beta: 0.5, gamma: 1.0 }
    }

    /// Optimal generalised-α with spectral radius `rho` at infinite frequency, 0 ≤ rho ≤ 1.
    pub fn generalized(rho: f64) -> Self {
        let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        Self::second_order(alpha_m, alpha_f)
    }

    /// Hilber-Hughes-Taylor with 0 ≤ `alpha` ≤ 1/3.
    pub fn hht(alpha: f64) -> Self {
        Self::second_order(0.0, alpha)
    }

    fn second_order(alpha_m: f64, alpha_f: f64) -> Self {
        let gamma = 0.5 + alpha_f - alpha_m;
        Self { alpha_m, alpha_f, beta: 0.25 * (0.5 + gamma).powi(2), gamma }
    }
}
