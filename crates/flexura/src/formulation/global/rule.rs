//! How accelerations make the motion of a step.
//!
//! Source: Lugrís et al. 2007, eq. 35, the trapezoidal rule. Behind an edge of the road, where forces jump, accelerations swing with
//! everything that a step does not resolve; the rule would add half of them to the speeds. One step in which the acceleration of the
//! end acts all along, Newmark's β = ½ and γ = 1, needs none to start from, is as stable, and has an error of second order.

/// How accelerations make the motion of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(hidden)]
pub enum Rule {
    /// The trapezoidal rule (35).
    #[default]
    Trapezoidal,
    /// Those of the end act all along: for a step that starts behind a jump of forces.
    FromTheEnd,
}

impl Rule {
    /// β and γ of Newmark's family.
    pub(super) fn shares(self) -> (f64, f64) {
        match self {
            Self::Trapezoidal => (0.25, 0.5),
            Self::FromTheEnd => (0.5, 1.0),
        }
    }
}
