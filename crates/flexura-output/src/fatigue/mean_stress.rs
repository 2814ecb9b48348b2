//! Mean-stress corrections: the amplitude at zero mean that does the same damage.
//!
//! With amplitude S_a, mean S_m and largest value S = S_m + S_a of a cycle:
//!
//! Goodman    S_a / (1 - S_m/R_m)         R_m ultimate strength (J. Goodman, 1899)
//! Gerber     S_a / (1 - (S_m/R_m)^2)     (W. Gerber, 1874)
//! Soderberg  S_a / (1 - S_m/R_e)         R_e yield strength (C. R. Soderberg, 1930)
//! Morrow     S_a / (1 - S_m/S_f)         S_f true fracture strength (J. Morrow, 1968)
//! SWT        sqrt(S S_a)                 K. N. Smith, P. Watson, T. H. Topper (1970)
//! Walker     S^(1-g) S_a^g               K. Walker (1970)
//!
//! Compressive means are not credited by the first four (S_m < 0 counts as zero); SWT and Walker see no damage in cycles
//! without tension.

/// A correction with its constants (Pa).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum MeanStress {
    /// Means do nothing.
    #[default]
    None,
    /// Goodman's line to the ultimate strength.
    Goodman(f64),
    /// Gerber's parabola to the ultimate strength.
    Gerber(f64),
    /// Soderberg's line to the yield strength.
    Soderberg(f64),
    /// Morrow's line to the true fracture strength.
    Morrow(f64),
    /// Smith, Watson and Topper.
    SmithWatsonTopper,
    /// Walker's exponent.
    Walker(f64),
}

impl MeanStress {
    /// Equivalent amplitude at zero mean (Pa); infinite where the mean alone breaks the part.
    pub fn equivalent(&self, amplitude: f64, mean: f64) -> f64 {
        let most = mean + amplitude;
        let against = |share: f64| if share < 1.0 { amplitude / (1.0 - share) } else { f64::INFINITY };
        let pull = mean.max(0.0);
        match *self {
            Self::None => amplitude,
            Self::Goodman(strength) | Self::Soderberg(strength) | Self::Morrow(strength) => {
                against(pull / strength)
            }
            Self::Gerber(strength) => against((pull / strength).powi(2)),
            Self::SmithWatsonTopper => (most.max(0.0) * amplitude).sqrt(),
            Self::Walker(exponent) => most.max(0.0).powf(1.0 - exponent) * amplitude.powf(exponent),
        }
    }

    /// What it is, in words.
    pub fn words(&self) -> &'static str {
        match self {
            Self::None => "no correction of means",
            Self::Goodman(_) => "Goodman",
            Self::Gerber(_) => "Gerber",
            Self::Soderberg(_) => "Soderberg",
            Self::Morrow(_) => "Morrow",
            Self::SmithWatsonTopper => "Smith-Watson-Topper",
            Self::Walker(_) => "Walker",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_by_hand() {
        // 100 MPa about 200 MPa, ultimate strength 500 MPa, yield 400 MPa.
        let at = |correction: MeanStress| correction.equivalent(100.0, 200.0);
        assert_eq!(at(MeanStress::None), 100.0);
        assert!((at(MeanStress::Goodman(500.0)) - 100.0 / 0.6).abs() < 1e-12);
        assert!((at(MeanStress::Gerber(500.0)) - 100.0 / 0.84).abs() < 1e-12);
        assert!((at(MeanStress::Soderberg(400.0)) - 200.0).abs() < 1e-12);
        assert!((at(MeanStress::SmithWatsonTopper) - 30_000.0_f64.sqrt()).abs() < 1e-12);
        // Walker at one half is Smith, Watson and Topper; at one the amplitude.
        assert!((at(MeanStress::Walker(0.5)) - at(MeanStress::SmithWatsonTopper)).abs() < 1e-12);
        assert!((at(MeanStress::Walker(1.0)) - 100.0).abs() < 1e-12);
        assert_eq!(MeanStress::Goodman(500.0).equivalent(10.0, 500.0), f64::INFINITY);
        assert_eq!(MeanStress::Goodman(500.0).equivalent(100.0, -200.0), 100.0);
        assert_eq!(MeanStress::SmithWatsonTopper.equivalent(100.0, -200.0), 0.0);
    }
}
