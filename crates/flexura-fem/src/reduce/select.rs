//! How many dynamic modes to keep.

use crate::assemble::{Pencil, System, rigid_motions};
use crate::eigen::{EigenOptions, ShiftedFactor, Spectrum, lowest_modes, lowest_modes_with, sturm};
use crate::error::FemError;
use crate::mesh::Mesh;
use nalgebra::{DMatrix, Vector3};

/// Which modes to keep, in ascending order of frequency.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Selection {
    /// So many.
    Count(usize),
    /// All below a frequency (Hz).
    Below {
        /// Frequency (Hz).
        frequency: f64,
    },
    /// As few as carry a share of the mass along each axis (0 to 1), of the mass that can move.
    EffectiveMass {
        /// Share (0 to 1).
        share: f64,
        /// Give up beyond so many modes.
        most: usize,
    },
}

/// An eigenproblem and what belongs to it.
pub(super) struct Source<'a> {
    pub pencil: Pencil<'a>,
    pub options: EigenOptions,
    /// Factors of the stiffness, where they are known already.
    pub factors: Option<ShiftedFactor<'a>>,
    /// Modes to skip when counting: six for free bodies.
    pub rigid: usize,
    /// Unit translations along x, y, z in the unknowns of the pencil.
    pub translations: DMatrix<f64>,
}

impl Selection {
    /// The modes, rigid ones of a free body included.
    pub(super) fn modes(&self, mut source: Source<'_>) -> Result<Spectrum, FemError> {
        match *self {
            Self::Count(count) => source.lowest(count + source.rigid),
            Self::Below { frequency } => {
                crate::error::positive("the frequency of the selection", frequency)?;
                let value = (std::f64::consts::TAU * frequency).powi(2);
                let count = match &mut source.factors {
                    Some(factors) => factors.count_below(value)?,
                    None => sturm::count_below(source.pencil, value)?,
                };
                source.lowest(count.max(source.rigid))
            }
            Self::EffectiveMass { share, most } => source.carrying(share, most),
        }
    }
}

impl Source<'_> {
    fn lowest(&mut self, count: usize) -> Result<Spectrum, FemError> {
        match &mut self.factors {
            Some(factors) => lowest_modes_with(factors, count, &self.options),
            None => lowest_modes(self.pencil, count, &self.options),
        }
    }

    fn carrying(&mut self, share: f64, most: usize) -> Result<Spectrum, FemError> {
        if !(0.0..1.0).contains(&share) {
            let rule = "it must lie between 0 and 1".into();
            return Err(FemError::OutOfRange {
                what: "the share of effective mass".into(),
                value: share,
                rule,
            });
        }
        let momentum = self.pencil.mass.multiply(&self.translations);
        let total: Vec<f64> = (0..3).map(|d| momentum.column(d).dot(&self.translations.column(d))).collect();
        let most = (most + self.rigid).min(self.pencil.size());
        let mut count = (8 + self.rigid).min(most);
        loop {
            let spectrum = self.lowest(count)?;
            let participation = spectrum.shapes.tr_mul(&momentum);
            let mut carried = [0.0; 3];
            for mode in 0..count {
                (0..3).for_each(|d| carried[d] += participation[(mode, d)].powi(2));
                if mode + 1 >= self.rigid && (0..3).all(|d| carried[d] >= share * total[d]) {
                    return Ok(spectrum.leading(mode + 1));
                }
            }
            if count == most {
                let least = (0..3).map(|d| carried[d] / total[d]).fold(f64::INFINITY, f64::min);
                let what = format!("the effective mass carried by {most} modes");
                let rule = format!("{share} is asked for: allow more modes or ask for less");
                return Err(FemError::OutOfRange { what, value: least, rule });
            }
            count = (2 * count).min(most);
        }
    }
}

/// Unit translations of a mesh in the unknowns of a system.
pub(super) fn translations(mesh: &Mesh, system: &System) -> DMatrix<f64> {
    system.dofs.restrict(&rigid_motions(mesh, Vector3::zeros()).columns(0, 3).into_owned())
}
