//! Lowest modes of K phi = lambda M phi, checked to be complete.
//!
//! Block Lanczos on the shifted inverse (`lanczos`), then a Sturm count
//! ([`sturm`]). Supported structures are shifted to zero; free bodies, whose K
//! is singular, to a negative value a fraction of their first elastic eigenvalue.

pub(crate) mod lanczos;
pub mod sturm;

use crate::assemble::Pencil;
use crate::error::FemError;
use crate::linear::{Analysis, Factor};
use lanczos::Lanczos;
use nalgebra::DMatrix;

/// How to iterate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EigenOptions {
    /// Vectors per block: at least the largest multiplicity expected.
    pub block: usize,
    /// Relative residual at which a mode counts as converged (1).
    pub tolerance: f64,
    /// Largest number of block steps.
    pub steps: usize,
    /// Whether the structure is free, with six rigid motions among its modes.
    pub free: bool,
}

impl Default for EigenOptions {
    fn default() -> Self {
        Self { block: 8, tolerance: 1e-9, steps: 200, free: false }
    }
}

/// The lowest modes of a structure.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Squared angular frequencies in ascending order (rad2/s2).
    pub eigenvalues: Vec<f64>,
    /// Mode shapes in the unknowns, one column per mode, with unit modal mass.
    pub shapes: DMatrix<f64>,
    /// Number of modes below [`Self::checked_at`] by the Sturm count.
    pub counted: usize,
    /// Value at which modes were counted (rad2/s2).
    pub checked_at: f64,
    /// Block steps taken.
    pub steps: usize,
}

impl Spectrum {
    /// Frequencies (Hz); rounding below zero counts as zero.
    pub fn frequencies(&self) -> Vec<f64> {
        self.eigenvalues.iter().map(|value| frequency(*value)).collect()
    }
}

/// Frequency of a squared angular frequency (Hz).
pub fn frequency(eigenvalue: f64) -> f64 {
    eigenvalue.max(0.0).sqrt() / std::f64::consts::TAU
}

/// The `count` lowest modes, or an error when any could be missing.
pub fn lowest_modes(pencil: Pencil<'_>, count: usize, options: &EigenOptions) -> Result<Spectrum, FemError> {
    let available = pencil.size();
    if count > available {
        return Err(FemError::TooManyModes { wanted: count, available });
    }
    let analysis = Analysis::of(pencil.stiffness)?;
    let shift = if options.free { free_shift(pencil, &analysis, options)? } else { 0.0 };
    let factor = shifted_factor(pencil, &analysis, shift)?;
    iterate(pencil, &factor, shift, count, options)
}

/// As [`lowest_modes`] of a supported structure whose stiffness is already factorised.
pub fn lowest_modes_with(
    pencil: Pencil<'_>,
    factor: &Factor,
    count: usize,
    options: &EigenOptions,
) -> Result<Spectrum, FemError> {
    let available = pencil.size();
    if count > available {
        return Err(FemError::TooManyModes { wanted: count, available });
    }
    iterate(pencil, factor, 0.0, count, options)
}

fn iterate(
    pencil: Pencil<'_>,
    factor: &Factor,
    shift: f64,
    count: usize,
    options: &EigenOptions,
) -> Result<Spectrum, FemError> {
    let analysis = factor.analysis();
    let mut iteration = Lanczos::new(pencil, factor, shift, options)?;
    // A second look with fresh vectors finds what the first block could not see.
    let mut last = None;
    for _ in 0..3 {
        let found = iteration.converge(count)?;
        let (split, value) = sturm::gap_after(&found.eigenvalues, count);
        let counted = sturm::count_below(pencil, analysis, value)?;
        if counted == split {
            return Ok(found.truncated(count, counted, value));
        }
        last =
            Some(FemError::MissedModes { found: split, counted, frequency: sturm::signed_frequency(value) });
        iteration.refresh()?;
    }
    Err(last.unwrap_or(FemError::NotConverged { converged: 0, wanted: count, steps: 0 }))
}

fn shifted_factor(pencil: Pencil<'_>, analysis: &Analysis, shift: f64) -> Result<Factor, FemError> {
    if shift == 0.0 {
        return Factor::definite_with_analysis(analysis, pencil.stiffness);
    }
    Factor::with_analysis(analysis, &pencil.stiffness.shifted(shift, pencil.mass)?)
}

/// A negative shift a tenth of the first elastic eigenvalue below zero: two
/// blocks at a rough shift estimate that eigenvalue.
fn free_shift(pencil: Pencil<'_>, analysis: &Analysis, options: &EigenOptions) -> Result<f64, FemError> {
    let largest = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
    let mass = largest(pencil.mass.diagonal());
    if mass <= 0.0 {
        return Err(FemError::NotDefinite { what: "the mass matrix".into() });
    }
    let rough = -1e-8 * largest(pencil.stiffness.diagonal()) / mass;
    let factor = shifted_factor(pencil, analysis, rough)?;
    let wide = EigenOptions { block: options.block.max(10), ..*options };
    let mut iteration = Lanczos::new(pencil, &factor, rough, &wide)?;
    let values = iteration.estimate(3)?;
    let elastic = values.get(6).copied().unwrap_or(0.0);
    Ok(-(0.1 * elastic).max(-rough * 1e-5))
}
