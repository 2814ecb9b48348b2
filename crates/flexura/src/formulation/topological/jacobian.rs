//! Constraint Jacobian J by recursion along the branches of each loop.
//!
//! Source: Cuadrado et al. (2007) eq. 34, transposed: the unit reaction of a row
//! travels from both frames inward, and what it does on each speed on its way is
//! an entry of the row. Only entries inside the loop are computed and stored.
//! Cost of a row: the length of its loop.

use super::constraints::Constraints;
use super::structure::{Branch, LoopStructure, Structure};
use crate::algorithm::transfer::carry_inward;
use crate::model::{Frame, Model};
use crate::motion::Motion;
use crate::spatial::Spatial;

/// J, loop by loop, row by row.
#[derive(Clone, Debug)]
pub(super) struct Jacobian {
    pub values: Vec<f64>,
}

impl Jacobian {
    pub fn new(structure: &Structure) -> Self {
        Self { values: vec![0.0; structure.jacobian_size] }
    }

    /// Fills J for the unit reactions of `rows`.
    pub fn fill(&mut self, model: &Model, structure: &Structure, motion: &Motion, rows: &Constraints) {
        for (joint, part) in model.loops.iter().zip(&structure.loops) {
            for (r, index) in part.active.iter().map(|&r| (r, joint.first_row + r)) {
                let row = &mut self.values[part.first + r * part.width..part.first + (r + 1) * part.width];
                row.fill(0.0);
                // Wrenches are given for the second frame first.
                for side in 0..2 {
                    let frame = &model.frames[joint.frames[side].0];
                    let wrench = &rows.wrenches[index][1 - side];
                    carry_along(model, motion, frame, wrench, &part.branches[side], row);
                }
            }
        }
    }

    /// Row `r` of a loop.
    pub fn row(&self, part: &LoopStructure, r: usize) -> &[f64] {
        &self.values[part.first + r * part.width..part.first + (r + 1) * part.width]
    }

    /// Calls `use_it` with each row of all loops that moves something: its index, its entries and their unknowns.
    pub fn for_rows(
        &self,
        model: &Model,
        structure: &Structure,
        mut use_it: impl FnMut(usize, &[f64], &[usize]),
    ) {
        for (joint, part) in model.loops.iter().zip(&structure.loops) {
            for (r, index) in part.active.iter().map(|&r| (r, joint.first_row + r)) {
                use_it(index, self.row(part, r), &part.unknowns);
            }
        }
    }
}

/// Adds the generalised forces of a wrench at `frame` (inertial components) to a row.
pub(super) fn carry_along(
    model: &Model,
    motion: &Motion,
    frame: &Frame,
    wrench: &Spatial,
    branch: &Branch,
    row: &mut [f64],
) {
    let last = branch.bodies.len().saturating_sub(1);
    let mut steps = branch.bodies.iter().enumerate();
    let path = |_| steps.next().map(|(i, &(body, place))| (body, place, !(branch.shared && i == last)));
    carry_inward(model, motion, frame, wrench, path, row);
}
