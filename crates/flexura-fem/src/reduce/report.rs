//! What a reduction kept: frequencies, effective masses, static residual.
//!
//! Effective mass of mode r in rigid direction d: (phi_r^T M R_d)^2 / (phi_r^T M phi_r),
//! R_d the unit translation along, or rotation about, a body axis at the reference
//! node. Over all modes of a held structure it sums to the mass (or inertia) that
//! the supports do not carry directly.
//!
//! Static residual of an interface freedom: 1 - c/c_full, c the deflection under
//! its unit load with the kept shapes, c_full that of the full model.
//!
//! Typeset: book/src/theory/reduction.md (FE.3).

use super::{Reached, ReducedModel};
use crate::assemble::{System, rigid_motions};
use crate::eigen::frequency;
use crate::error::FemError;
use crate::linear::{generalized_eigen, solve_definite};
use crate::mesh::Mesh;
use crate::pieces::moving_samples;
use nalgebra::{DMatrix, Vector3};
use std::fmt;

/// What was kept and what was lost.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TruncationReport {
    /// Unknowns of the full model.
    pub unknowns: usize,
    /// Static shapes; they come first.
    pub static_shapes: usize,
    /// Frequencies of the reduced structure, held as it was reduced (Hz).
    pub frequencies: Vec<f64>,
    /// Effective masses of the modes of the reduced structure: translations (kg),
    /// then rotations about the reference node (kg m2).
    pub effective: Vec<[f64; 6]>,
    /// Mass and moments of inertia of the rigid structure about the reference node.
    pub total: [f64; 6],
    /// Largest static residual over the interface freedoms (1); `None` without interfaces. Of a
    /// free body: of its elastic deflection with inertia relief.
    pub static_residual: Option<f64>,
    /// What was asked for and reached where shapes were chosen by their error; reduced-body files do not keep it.
    pub reached: Option<Reached>,
}

impl TruncationReport {
    /// Part of the mass or inertia in each direction that the modes carry (0 to 1).
    pub fn carried(&self) -> [f64; 6] {
        std::array::from_fn(|d| {
            let sum: f64 = self.effective.iter().map(|mode| mode[d]).sum();
            if self.total[d] > 0.0 { sum / self.total[d] } else { 1.0 }
        })
    }
}

impl fmt::Display for TruncationReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dynamic = self.frequencies.len() - self.static_shapes;
        writeln!(
            out,
            "{} unknowns -> {} static + {dynamic} dynamic shapes",
            self.unknowns, self.static_shapes
        )?;
        writeln!(out, "mode  frequency (Hz)   effective mass x, y, z (%)   inertia x, y, z (%)")?;
        for (mode, (frequency, effective)) in self.frequencies.iter().zip(&self.effective).enumerate() {
            write!(out, "{:4}  {frequency:14.6e} ", mode + 1)?;
            self.percent(out, effective)?;
        }
        write!(out, " sum                 ")?;
        self.percent(out, &std::array::from_fn(|d| self.carried()[d] * self.total[d]))?;
        if let Some(residual) = self.static_residual {
            writeln!(out, "static residual at the interfaces {residual:.3e}")?;
        }
        match &self.reached {
            Some(reached) => writeln!(out, "{reached}"),
            None => Ok(()),
        }
    }
}

impl TruncationReport {
    fn percent(&self, out: &mut fmt::Formatter<'_>, effective: &[f64; 6]) -> fmt::Result {
        for d in 0..6 {
            let part = if self.total[d] > 0.0 { 100.0 * effective[d] / self.total[d] } else { 0.0 };
            write!(out, " {part:8.3}")?;
        }
        writeln!(out)
    }
}

/// Interface freedoms and the full model's response to unit loads there.
pub(super) struct Loaded<'a> {
    pub interfaces: &'a [usize],
    pub response: Option<&'a DMatrix<f64>>,
}

pub(super) fn build(
    mesh: &Mesh,
    system: &System,
    loaded: &Loaded<'_>,
    shapes: &DMatrix<f64>,
    reduced: &ReducedModel,
) -> Result<TruncationReport, FemError> {
    let (eigenvalues, combinations) = generalized_eigen(&reduced.stiffness, &reduced.mass)?;
    let (participation, total) = participation(mesh, reduced)?;
    let modal = combinations.tr_mul(&participation);
    let effective =
        (0..modal.nrows()).map(|mode| std::array::from_fn(|d| modal[(mode, d)].powi(2))).collect();
    let static_residual = match loaded.response {
        None => None,
        Some(full) => Some(static_residual(loaded.interfaces, full, shapes, &reduced.stiffness)?),
    };
    Ok(TruncationReport {
        unknowns: system.dofs.unknowns(),
        static_shapes: reduced.static_shapes,
        frequencies: eigenvalues.iter().map(|value| frequency(*value)).collect(),
        effective,
        total,
        static_residual,
        reached: None,
    })
}

/// Shapes by rigid directions, X^T M R, and the diagonal of R^T M R.
fn participation(mesh: &Mesh, reduced: &ReducedModel) -> Result<(DMatrix<f64>, [f64; 6]), FemError> {
    let origin = Vector3::from(mesh.nodes[reduced.reference]);
    let count = reduced.shapes.ncols();
    let all = DMatrix::from_columns(
        &reduced
            .shapes
            .column_iter()
            .chain(rigid_motions(mesh, origin).column_iter())
            .map(|column| column.into_owned())
            .collect::<Vec<_>>(),
    );
    let mut participation = DMatrix::zeros(count, 6);
    let mut total = [0.0; 6];
    moving_samples(mesh, reduced.mass_model, &all, |_, piece| {
        let (shape_part, rigid_part) =
            (piece.translations.columns(0, count), piece.translations.columns(count, 6));
        participation.gemm_tr(piece.mass, &shape_part, &rigid_part, 1.0);
        let spin = piece.inertia * piece.rotations.columns(count, 6);
        participation.gemm_tr(1.0, &piece.rotations.columns(0, count), &spin, 1.0);
        for d in 0..6 {
            total[d] += piece.mass * rigid_part.column(d).norm_squared()
                + piece.rotations.column(count + d).dot(&spin.column(d));
        }
        Ok(())
    })?;
    if let Some(matrices) = &mesh.matrices {
        let rigid = all.columns(count, 6).into_owned();
        let momentum = matrices.mass_times(&rigid);
        participation.gemm_tr(1.0, &reduced.shapes, &momentum, 1.0);
        (0..6).for_each(|d| total[d] += rigid.column(d).dot(&momentum.column(d)));
    }
    Ok((participation, total))
}

fn static_residual(
    interfaces: &[usize],
    full: &DMatrix<f64>,
    shapes: &DMatrix<f64>,
    stiffness: &DMatrix<f64>,
) -> Result<f64, FemError> {
    let loads = shapes.select_rows(interfaces).transpose();
    let response = solve_definite(stiffness, &loads)?;
    let residual = |column: usize| {
        let kept = loads.column(column).dot(&response.column(column));
        (1.0 - kept / full[(interfaces[column], column)]).abs()
    };
    Ok((0..interfaces.len()).map(residual).fold(0.0, f64::max))
}
