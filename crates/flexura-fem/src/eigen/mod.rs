//! Lowest modes of K phi = lambda M phi, checked to be complete.
//!
//! Block Lanczos on the shifted inverse (`lanczos`), then a Sturm count
//! ([`sturm`]). Supported structures are shifted to zero; free bodies, whose K
//! is singular, to a negative value a fraction of their first elastic eigenvalue.

pub(crate) mod lanczos;
mod shifted;
pub mod sturm;

use crate::assemble::Pencil;
use crate::error::FemError;
use lanczos::Lanczos;
use nalgebra::DMatrix;
pub use shifted::ShiftedFactor;

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
    check_count(pencil, count)?;
    if options.free {
        let mut factors = ShiftedFactor::new(pencil, rough_shift(pencil)?)?;
        let shift = free_shift(&mut factors, options)?;
        return iterate(&mut factors, shift, count, options);
    }
    iterate(&mut ShiftedFactor::unshifted(pencil)?, 0.0, count, options)
}

/// As [`lowest_modes`] of a supported structure whose stiffness is already factorised.
pub fn lowest_modes_with(
    factors: &mut ShiftedFactor<'_>,
    count: usize,
    options: &EigenOptions,
) -> Result<Spectrum, FemError> {
    check_count(factors.pencil(), count)?;
    iterate(factors, 0.0, count, options)
}

fn check_count(pencil: Pencil<'_>, wanted: usize) -> Result<(), FemError> {
    let available = pencil.size();
    if wanted > available { Err(FemError::TooManyModes { wanted, available }) } else { Ok(()) }
}

fn iterate(
    factors: &mut ShiftedFactor<'_>,
    shift: f64,
    count: usize,
    options: &EigenOptions,
) -> Result<Spectrum, FemError> {
    let mut iteration = Lanczos::new(factors.pencil(), factors.at(shift)?, shift, options)?;
    // A second look with fresh vectors finds what the first block could not see.
    let mut last = None;
    for look in 0..3 {
        if look > 0 {
            iteration.refresh(factors.at(shift)?)?;
        }
        let found = iteration.converge(factors.at(shift)?, count)?;
        let (split, value) = sturm::gap_after(&found.eigenvalues, count);
        let counted = factors.count_below(value)?;
        if counted == split {
            return Ok(found.truncated(count, counted, value));
        }
        last =
            Some(FemError::MissedModes { found: split, counted, frequency: sturm::signed_frequency(value) });
    }
    Err(last.unwrap_or(FemError::NotConverged { converged: 0, wanted: count, steps: 0 }))
}

/// A shift far below the first elastic eigenvalue and above rounding.
fn rough_shift(pencil: Pencil<'_>) -> Result<f64, FemError> {
    let largest = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
    let mass = largest(pencil.mass.diagonal());
    if mass <= 0.0 {
        return Err(FemError::NotDefinite { what: "the mass matrix".into() });
    }
    Ok(-1e-8 * largest(pencil.stiffness.diagonal()) / mass)
}

/// A negative shift a tenth of the first elastic eigenvalue below zero: two
/// blocks at a rough shift estimate that eigenvalue.
fn free_shift(factors: &mut ShiftedFactor<'_>, options: &EigenOptions) -> Result<f64, FemError> {
    let rough = rough_shift(factors.pencil())?;
    let wide = EigenOptions { block: options.block.max(10), ..*options };
    let mut iteration = Lanczos::new(factors.pencil(), factors.at(rough)?, rough, &wide)?;
    let values = iteration.estimate(factors.at(rough)?, 3)?;
    let elastic = values.get(6).copied().unwrap_or(0.0);
    Ok(-(0.1 * elastic).max(-rough * 1e-5))
}
