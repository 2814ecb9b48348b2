//! Factors of K - s M at one shift s after the other.
//!
//! The factors of a large part are most of its memory: counting the modes below a value takes the place of what the iteration used,
//! and the iteration takes its own back where it has to go on.

use super::sturm;
use crate::assemble::Pencil;
use crate::error::FemError;
use crate::linear::{Analysis, Factor};

/// The factors at one shift, in a memory that serves all of them.
#[derive(Debug)]
pub struct ShiftedFactor<'a> {
    pencil: Pencil<'a>,
    factor: Factor,
    /// Where the factors stand; `None` after a failure.
    shift: Option<f64>,
}

impl<'a> ShiftedFactor<'a> {
    /// Factors of the stiffness, which must be positive definite.
    pub fn unshifted(pencil: Pencil<'a>) -> Result<Self, FemError> {
        Ok(Self { pencil, factor: Factor::definite(pencil.stiffness)?, shift: Some(0.0) })
    }

    /// Factors at a shift; those of the stiffness itself must be positive definite.
    pub(super) fn new(pencil: Pencil<'a>, shift: f64) -> Result<Self, FemError> {
        if shift == 0.0 {
            return Self::unshifted(pencil);
        }
        let analysis = Analysis::of(pencil.stiffness)?;
        let factor = Factor::with_analysis(&analysis, &pencil.stiffness.shifted(shift, pencil.mass)?)?;
        Ok(Self { pencil, factor, shift: Some(shift) })
    }

    /// The eigenproblem.
    pub fn pencil(&self) -> Pencil<'a> {
        self.pencil
    }

    /// The factors at a shift.
    pub fn at(&mut self, shift: f64) -> Result<&Factor, FemError> {
        if self.shift != Some(shift) {
            self.shift = None;
            if shift == 0.0 {
                self.factor.refill(self.pencil.stiffness)?;
            } else {
                self.factor.refill(&self.pencil.stiffness.shifted(shift, self.pencil.mass)?)?;
            }
            self.shift = Some(shift);
        }
        Ok(&self.factor)
    }

    /// Number of eigenvalues below a value (rad2/s2), by the signs of the pivots there.
    pub fn count_below(&mut self, value: f64) -> Result<usize, FemError> {
        self.shift = None;
        sturm::count_in(self.pencil, &mut self.factor, value)
    }
}
