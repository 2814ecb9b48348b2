//! Whether the energy of a run balances: what the integration created or lost, and how much of that a method may.
//!
//! The balance (total − first total − work) is zero for the exact motion. Its share of the largest energy or work met is
//! judged by what the method promises; a share that is no number is worse than any.
//!
//! Where nothing moves, both are rounding, and their ratio says nothing. So the largest energy is taken as at least the
//! floor Σ m (g ℓ + ℓ²/T²) 1e-12: what it takes to lift the bodies by 1e-12 of their sizes ℓ, or to let them creep by a
//! millionth of them in the time T of the run. It follows the units and the scale of the model.

use crate::checkpoint::Tape;
use crate::model::description::{DampingChoice, MethodDescription};
use crate::model::{Body, Model};
use crate::spatial::norm;
use std::fmt;

/// Energy unaccounted for in the rows of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct EnergyAudit {
    /// Largest magnitude of the balance (J); NaN where it was no number.
    pub worst: f64,
    /// Largest magnitude of any energy or of the work (J).
    pub largest: f64,
    /// Energy below which an imbalance is rounding (J).
    pub floor: f64,
}

/// Share of a body's size and weight that counts as rest.
const AT_REST: f64 = 1e-12;

/// The floor of an audit: energy of bodies that rest, over a run of `span` (s).
pub(crate) fn energy_at_rest(model: &Model, span: f64) -> f64 {
    let gravity = norm(&model.gravity);
    let reach = model.frames.iter().map(|frame| norm(&frame.mount.position)).fold(0.0, f64::max);
    let of = |body: &Body| {
        // A mass at its own origin has no size: how far it is mounted stands for it.
        let own = size(body);
        let size = if own > 0.0 { own } else { reach };
        body.mass() * size * (gravity + size / (span * span))
    };
    AT_REST * model.bodies.iter().map(of).sum::<f64>()
}

/// Largest distance of a point of the body from its frame (m).
fn size(body: &Body) -> f64 {
    let points = body.attachments.iter().map(|point| &point.shape.position);
    let masses = body.nodes.iter().map(|node| &node.shape.position);
    let offsets = body.nodes.iter().map(|node| &node.offset);
    points.chain(masses).chain(offsets).map(norm).fold(0.0, f64::max)
}

impl EnergyAudit {
    /// Takes in a row: all energies and the work, then the balance (J).
    pub(crate) fn see(&mut self, sizes: &[f64], balance: f64) {
        self.worst = larger(self.worst, balance);
        self.largest = sizes.iter().fold(self.largest, |largest, &size| larger(largest, size));
    }

    /// Share of the largest energy that the integration created or lost.
    pub fn share(&self) -> f64 {
        // Plain comparison keeps a largest energy that is no number.
        let largest = if self.largest < self.floor { self.floor } else { self.largest };
        // Without energy, work or a floor there is nothing to compare with: all of it is unaccounted for.
        match self.worst == 0.0 {
            true => 0.0,
            false if largest == 0.0 && !self.worst.is_nan() => 1.0,
            false => self.worst / largest,
        }
    }

    /// What is wrong with it for `method`, if anything.
    pub fn judge(&self, method: &MethodDescription) -> Option<EnergyWarning> {
        let (share, limit) = (self.share(), energy_limit(method));
        // A NaN is beyond every limit.
        let within = share <= limit;
        (!within).then_some(EnergyWarning { worst: self.worst, share, limit })
    }

    pub(crate) fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.worst);
        tape.number(&mut self.largest);
    }
}

/// The larger magnitude; NaN if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b.abs()) }
}

/// Share of the largest energy that a method may create or lose before a run is not to be trusted. Error control and
/// energy-preserving steps keep far below a thousandth, steps without either below a few hundredths where they resolve the
/// motion; damped methods are meant to take energy out of what a step does not resolve.
#[doc(hidden)]
pub fn energy_limit(method: &MethodDescription) -> f64 {
    match method {
        MethodDescription::DormandPrince { relative_tolerance, .. }
        | MethodDescription::Radau { relative_tolerance, .. }
        | MethodDescription::Automatic { relative_tolerance, .. } => {
            (100.0 * relative_tolerance).clamp(1e-3, 0.1)
        }
        MethodDescription::EnergyMomentum { spectral_radius, .. } if *spectral_radius >= 1.0 => 1e-3,
        MethodDescription::Rk4 { .. } => 1e-2,
        MethodDescription::Global { .. }
        | MethodDescription::Implicit { damping: DampingChoice::None, .. } => 5e-2,
        MethodDescription::Implicit { .. } | MethodDescription::EnergyMomentum { .. } => 0.1,
    }
}

/// Energy that a run created or lost beyond the limit of its method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EnergyWarning {
    /// Energy unaccounted for (J).
    pub worst: f64,
    /// Its share of the largest energy or work.
    pub share: f64,
    /// The limit of the method.
    pub limit: f64,
}

impl fmt::Display for EnergyWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.share.is_nan() {
            return write!(
                f,
                "the energy of the run is no number: some position, speed or force is beyond what can be computed; the \
                 results cannot be trusted"
            );
        }
        write!(
            f,
            "the integration created or lost {:.2e} J, {:.2} % of the largest energy (limit {:.1} % for this method): the \
             results cannot be trusted; take smaller steps or tolerances",
            self.worst,
            100.0 * self.share,
            100.0 * self.limit
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_none_count() {
        let rk4 = MethodDescription::Rk4 { step: 1e-3 };
        let mut audit = EnergyAudit::default();
        audit.see(&[5.0, -20.0], 1e-3);
        assert_eq!(audit.judge(&rk4), None);
        audit.see(&[0.0, f64::NAN], f64::NAN);
        audit.see(&[1.0, 1.0], 0.0);
        assert!(audit.judge(&rk4).is_some_and(|found| found.share.is_nan()));
        assert!(EnergyAudit::default().judge(&rk4).is_none(), "nothing moved");
        let created = EnergyAudit { worst: 9.9, largest: 10.0, floor: 0.0 };
        assert!(created.judge(&rk4).is_some_and(|found| found.to_string().contains("99.00 %")));
    }

    #[test]
    fn shares_are_numbers_where_there_is_nothing_to_compare_with() {
        let bare = EnergyAudit { worst: 1e-20, largest: 0.0, floor: 0.0 };
        assert_eq!(bare.share(), 1.0);
        assert!(bare.judge(&MethodDescription::Rk4 { step: 1e-3 }).is_some());
        assert!(EnergyAudit { worst: f64::NAN, ..bare }.share().is_nan());
    }

    #[test]
    fn rounding_of_what_rests_is_no_error() {
        let rk4 = MethodDescription::Rk4 { step: 1e-3 };
        let resting = EnergyAudit { worst: 3e-19, largest: 4e-19, floor: 1e-12 };
        assert_eq!(resting.judge(&rk4), None);
        assert!(resting.share() < 1e-6);
        // The same shares of energies that are no rounding are errors, and numbers that are none stay.
        let moving = EnergyAudit { worst: 3e-9, largest: 4e-9, ..resting };
        assert!(moving.judge(&rk4).is_some());
        let lost = EnergyAudit { worst: f64::NAN, largest: f64::NAN, ..resting };
        assert!(lost.judge(&rk4).is_some_and(|found| found.share.is_nan()));
    }
}
