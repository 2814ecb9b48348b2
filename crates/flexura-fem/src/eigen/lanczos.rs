//! Block Lanczos on the shifted inverse, with full orthogonalisation.
//!
//! After R. G. Grimes, J. G. Lewis, H. D. Simon, "A shifted block Lanczos
//! algorithm for solving sparse symmetric generalized eigenproblems" (1994).
//! The operator A = (K - s M)^-1 M is symmetric in the inner product of M. From
//! an M-orthonormal basis V grows the projection T = V^T M A V; its eigenvalues
//! theta give lambda = s + 1/theta. With A V_last = V H + Q R the residual of a
//! Ritz vector V y is |R y_last|.
//!
//! Every new block is orthogonalised twice against the whole basis, so that no
//! copies appear and the basis may grow until all wanted modes converge. The
//! start is multiplied by A once: parts without mass never enter.

use super::{EigenOptions, Spectrum};
use crate::assemble::Pencil;
use crate::error::FemError;
use crate::linear::{Factor, symmetric_eigen};
use nalgebra::{DMatrix, DVector};

/// A running iteration; its factors are those of K - s M and are handed to every step.
pub struct Lanczos<'a> {
    pencil: Pencil<'a>,
    shift: f64,
    options: EigenOptions,
    /// Basis vectors and their products with M, as columns.
    basis: Vec<DVector<f64>>,
    weighted: Vec<DVector<f64>>,
    /// Columns of V^T M A V for the basis vectors already multiplied.
    projection: Vec<DVector<f64>>,
    /// R of the last step: new vectors by the columns of the last block.
    coupling: DMatrix<f64>,
    steps: usize,
    random: u64,
}

/// Ritz values (largest theta first), their vectors and relative residuals.
struct Ritz {
    theta: Vec<f64>,
    vectors: DMatrix<f64>,
    residuals: Vec<f64>,
}

impl<'a> Lanczos<'a> {
    /// Starts from a block of pseudo-random vectors, the same in every run.
    pub fn new(
        pencil: Pencil<'a>,
        factor: &Factor,
        shift: f64,
        options: &EigenOptions,
    ) -> Result<Self, FemError> {
        let options = EigenOptions { block: options.block.clamp(1, pencil.size()), ..*options };
        let mut iteration = Self {
            pencil,
            shift,
            options,
            basis: Vec::new(),
            weighted: Vec::new(),
            projection: Vec::new(),
            coupling: DMatrix::zeros(0, 0),
            steps: 0,
            random: 0x9e37_79b9_7f4a_7c15,
        };
        iteration.refresh(factor)?;
        Ok(iteration)
    }

    /// Adds a block of fresh vectors, orthogonal to all before.
    pub fn refresh(&mut self, factor: &Factor) -> Result<(), FemError> {
        // Vectors not yet multiplied are carried along by `step`.
        let size = self.pencil.size();
        let start = DMatrix::from_fn(size, self.options.block, |_, _| self.next_random());
        let purified = factor.solve(&self.pencil.mass.multiply(&start))?;
        self.append(purified);
        Ok(())
    }

    /// Iterates until the `count` lowest modes have converged; returns all that have.
    pub fn converge(&mut self, factor: &Factor, count: usize) -> Result<Spectrum, FemError> {
        // One more than asked for shows where the gap after the last one is.
        let wanted = (count + 1).min(self.pencil.size());
        loop {
            let exhausted = !self.step(factor)?;
            let ritz = self.ritz()?;
            let converged =
                ritz.residuals.iter().take_while(|residual| **residual < self.options.tolerance).count();
            if converged >= wanted || (exhausted && converged >= count) {
                return self.spectrum(&ritz, converged);
            }
            if exhausted || self.steps >= self.options.steps {
                return Err(FemError::NotConverged { converged, wanted: count, steps: self.steps });
            }
        }
    }

    /// Rough lowest eigenvalues after a few steps.
    pub fn estimate(&mut self, factor: &Factor, steps: usize) -> Result<Vec<f64>, FemError> {
        for _ in 0..steps {
            self.step(factor)?;
        }
        Ok(self.ritz()?.theta.iter().map(|theta| self.shift + 1.0 / theta).collect())
    }

    /// Multiplies the last block and appends what is new. False when nothing is.
    fn step(&mut self, factor: &Factor) -> Result<bool, FemError> {
        let first = self.projection.len();
        let width = self.basis.len() - first;
        if width == 0 {
            return Ok(false);
        }
        self.steps += 1;
        let mut product = DMatrix::from_columns(&self.weighted[first..]);
        factor.solve_in_place(&mut product)?;
        for column in product.column_iter() {
            let row: Vec<f64> = self.weighted.iter().map(|weighted| weighted.dot(&column)).collect();
            self.projection.push(DVector::from_vec(row));
        }
        self.coupling = self.append(product);
        Ok(self.coupling.nrows() > 0)
    }

    /// Orthonormalises columns against the basis and each other, appends those
    /// that remain, and returns the factor R (new vectors by columns).
    fn append(&mut self, columns: DMatrix<f64>) -> DMatrix<f64> {
        let old = self.basis.len();
        let mut coupling = DMatrix::zeros(columns.ncols(), columns.ncols());
        for (place, column) in columns.column_iter().enumerate() {
            let mut vector = column.into_owned();
            let before = self.mass_norm(&vector).1;
            for _ in 0..2 {
                for (index, weighted) in self.weighted.iter().enumerate() {
                    let part = weighted.dot(&vector);
                    vector.axpy(-part, &self.basis[index], 1.0);
                    if index >= old {
                        coupling[(index - old, place)] += part;
                    }
                }
            }
            let (weighted, norm) = self.mass_norm(&vector);
            if norm > 1e-11 * before && norm.is_finite() && self.basis.len() < self.pencil.size() {
                coupling[(self.basis.len() - old, place)] = norm;
                self.basis.push(vector / norm);
                self.weighted.push(weighted / norm);
            }
        }
        coupling.rows(0, self.basis.len() - old).into_owned()
    }

    fn mass_norm(&self, vector: &DVector<f64>) -> (DVector<f64>, f64) {
        let column = DMatrix::from_column_slice(vector.len(), 1, vector.as_slice());
        let weighted = self.pencil.mass.multiply(&column).column(0).into_owned();
        let norm = weighted.dot(vector).max(0.0).sqrt();
        (weighted, norm)
    }

    fn ritz(&self) -> Result<Ritz, FemError> {
        let size = self.projection.len();
        // Later columns also hold the lower part, known exactly by symmetry.
        let mut matrix = DMatrix::zeros(size, size);
        for column in 0..size {
            for row in 0..=column {
                matrix[(row, column)] = self.projection[column][row];
                matrix[(column, row)] = self.projection[column][row];
            }
        }
        let (values, vectors) = symmetric_eigen(&matrix)?;
        let order: Vec<usize> = (0..size).rev().collect();
        let vectors = vectors.select_columns(&order);
        let theta: Vec<f64> = order.iter().map(|index| values[*index]).collect();
        let last = self.coupling.ncols().min(size);
        let tails = &self.coupling * vectors.rows(size - last, last);
        let residuals =
            theta.iter().zip(tails.column_iter()).map(|(theta, tail)| tail.norm() / theta.abs()).collect();
        Ok(Ritz { theta, vectors, residuals })
    }

    fn spectrum(&self, ritz: &Ritz, count: usize) -> Result<Spectrum, FemError> {
        let mut shapes = DMatrix::zeros(self.pencil.size(), count);
        for (mode, mut shape) in shapes.column_iter_mut().enumerate() {
            for (index, vector) in self.basis[..self.projection.len()].iter().enumerate() {
                shape.axpy(ritz.vectors[(index, mode)], vector, 1.0);
            }
        }
        let eigenvalues = ritz.theta[..count].iter().map(|theta| self.shift + 1.0 / theta).collect();
        Ok(Spectrum { eigenvalues, shapes, counted: 0, checked_at: 0.0, steps: self.steps })
    }

    /// Uniform numbers between -1 and 1 (xorshift).
    fn next_random(&mut self) -> f64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

impl Spectrum {
    /// The lowest modes alone.
    pub(crate) fn leading(self, count: usize) -> Self {
        let (counted, checked_at) = (self.counted, self.checked_at);
        self.truncated(count, counted, checked_at)
    }

    /// Keeps the lowest modes and notes the check.
    pub(super) fn truncated(mut self, count: usize, counted: usize, checked_at: f64) -> Self {
        self.eigenvalues.truncate(count);
        self.shapes = self.shapes.columns(0, count.min(self.shapes.ncols())).into_owned();
        Self { counted, checked_at, ..self }
    }
}
