//! −M⁻¹ of many columns of forces at once, over the speeds that are not prescribed.
//!
//! By factors of the mass matrix along the branches of the tree (`linear/branched.rs`), or by the sweeps of the innovations factorisation, JPL 90-26 eq. 6.5,
//! whichever takes fewer operations. Cost of a column: 2 Σ d products and additions, d the number of speeds that carry one, or some [`PER_SPEED`] for every speed.

use super::AnalysisError;
use crate::algorithm::composite_body::{CompositeBody, mass_matrix};
use crate::algorithm::innovations::{Innovations, solve};
use crate::error::DynamicsError;
use crate::linear::{BRANCHED_WIDTH, Branched};
use crate::model::{Model, layout_of};
use crate::workspace::Workspace;

/// Products and additions that a pair of sweeps takes for every speed of a chain of hinges.
const PER_SPEED: usize = 150;

/// The way taken, with its scratch.
#[derive(Debug)]
pub(super) enum ColumnSolver {
    Branches(Box<Branches>),
    Sweeps { scratch: Box<Innovations>, found: Vec<f64> },
}

/// Factors of the mass matrix of the free speeds.
#[derive(Debug)]
pub(super) struct Branches {
    free: Vec<usize>,
    composite: CompositeBody,
    factors: Branched,
    columns: Vec<[f64; BRANCHED_WIDTH]>,
}

impl ColumnSolver {
    pub fn new(model: &Model) -> Result<Self, AnalysisError> {
        let (free, above) = free_tree(model);
        let mut depths: Vec<usize> = Vec::with_capacity(above.len());
        above.iter().for_each(|above| depths.push(above.map_or(1, |above| depths[above] + 1)));
        let entries: usize = depths.iter().sum();
        if model.prescribed.contains(&true) || 2 * entries < PER_SPEED * free.len() {
            let factors = Branched::new(&above);
            let columns = vec![[0.0; BRANCHED_WIDTH]; free.len()];
            let composite = CompositeBody::new(model)?;
            return Ok(Self::Branches(Box::new(Branches { free, composite, factors, columns })));
        }
        let found = vec![0.0; model.speed_count()];
        Ok(Self::Sweeps { scratch: Box::new(Innovations::new(model)), found })
    }

    /// Row-major `out` = −M⁻¹ of `columns`, each one column after the other, at the evaluation in `work`.
    pub fn solve(
        &mut self,
        model: &Model,
        work: &Workspace,
        columns: [&Vec<f64>; 2],
        out: [&mut Vec<f64>; 2],
    ) -> Result<(), AnalysisError> {
        let speeds = model.speed_count().max(1);
        match self {
            Self::Branches(branches) => {
                branches.factorize(model, work)?;
                for (columns, out) in columns.into_iter().zip(out) {
                    branches.solve(speeds, columns, out);
                }
            }
            Self::Sweeps { scratch, found } => {
                for (columns, out) in columns.into_iter().zip(out) {
                    for (place, column) in columns.chunks_exact(speeds).enumerate() {
                        solve(model, &work.motion.kinematics, &work.articulated, column, scratch, found)?;
                        found.iter().enumerate().for_each(|(row, &x)| out[row * speeds + place] = -x);
                    }
                }
            }
        }
        Ok(())
    }
}

impl ColumnSolver {
    /// Row-major `out` = M⁻¹ at the last solution, zero where prescribed.
    pub fn invert(&mut self, model: &Model, work: &Workspace, out: &mut [f64]) -> Result<(), AnalysisError> {
        let speeds = model.speed_count().max(1);
        match self {
            Self::Branches(branches) => branches.invert(speeds, out),
            Self::Sweeps { scratch, found } => {
                let mut unit = vec![0.0; speeds];
                for (place, row) in out.chunks_exact_mut(speeds).enumerate() {
                    unit[place] = 1.0;
                    // A row in place of a column: M⁻¹ is symmetric.
                    solve(model, &work.motion.kinematics, &work.articulated, &unit, scratch, found)?;
                    row.copy_from_slice(found);
                    unit[place] = 0.0;
                }
            }
        }
        Ok(())
    }
}

/// Speeds that are not prescribed, and of each the one before it on the way to the ground, by its place among them.
fn free_tree(model: &Model) -> (Vec<usize>, Vec<Option<usize>>) {
    let (mut free, mut above) = (Vec::new(), Vec::new());
    let mut last: Vec<Option<usize>> = Vec::with_capacity(model.body_count());
    for (k, joint) in model.joints.iter().enumerate() {
        let mut before = joint.parent.and_then(|parent| last[parent]);
        for speed in layout_of(model, k).speeds().filter(|&speed| !model.prescribed[speed]) {
            above.push(before);
            before = Some(free.len());
            free.push(speed);
        }
        last.push(before);
    }
    (free, above)
}

impl Branches {
    fn factorize(&mut self, model: &Model, work: &Workspace) -> Result<(), AnalysisError> {
        mass_matrix(model, &work.motion.kinematics, &work.inertias, &mut self.composite);
        let (mass, free, speeds) = (&self.composite.mass, &self.free, model.speed_count());
        let entry = |i: usize, j: usize| mass[free[i] * speeds + free[j]];
        self.factors.factorize(entry).map_err(|_| DynamicsError::NoFactors.into())
    }

    /// Rows and columns of prescribed speeds stay as they are in `out`: zero, and the answer of the others to a displacement of them.
    fn solve(&mut self, speeds: usize, columns: &[f64], out: &mut [f64]) {
        for first in (0..speeds).step_by(BRANCHED_WIDTH) {
            let width = BRANCHED_WIDTH.min(speeds - first);
            for (slot, &row) in self.columns.iter_mut().zip(&self.free) {
                for (c, entry) in slot.iter_mut().take(width).enumerate() {
                    *entry = columns[(first + c) * speeds + row];
                }
            }
            self.factors.solve(&mut self.columns);
            for (slot, &row) in self.columns.iter().zip(&self.free) {
                let entries = out[row * speeds + first..].iter_mut().zip(slot).take(width);
                entries.for_each(|(entry, &x)| *entry = -x);
            }
        }
    }

    fn invert(&mut self, speeds: usize, out: &mut [f64]) {
        for first in (0..self.free.len()).step_by(BRANCHED_WIDTH) {
            let width = BRANCHED_WIDTH.min(self.free.len() - first);
            self.columns.fill([0.0; BRANCHED_WIDTH]);
            (0..width).for_each(|c| self.columns[first + c][c] = 1.0);
            self.factors.solve(&mut self.columns);
            for (slot, &row) in self.columns.iter().zip(&self.free) {
                for (&column, &x) in self.free[first..first + width].iter().zip(slot) {
                    out[row * speeds + column] = x;
                }
            }
        }
    }
}
