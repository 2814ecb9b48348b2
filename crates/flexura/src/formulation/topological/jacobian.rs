//! Constraint Jacobian J by recursion along the branches of each loop.
//!
//! Source: Cuadrado et al. (2007) eq. 34, transposed: the unit reaction of a row
//! travels from both frames inward, and what it does on each speed on its way is
//! an entry of the row. Only entries inside the loop are computed and stored.
//! Cost of a row: the length of its loop.

use super::constraints::Constraints;
use super::structure::{Branch, LoopStructure, Structure};
use crate::algorithm::transfer::{carrier, force_to_parent};
use crate::model::{Frame, Model, layout_of};
use crate::motion::kinematics::{Kinematics, referred_influence};
use crate::motion::observe::Poses;
use crate::spatial::{Spatial, dot6, lift3, matrix_vector, rotate_back6, shift_force};

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
    pub fn fill(
        &mut self,
        model: &Model,
        structure: &Structure,
        kin: &Kinematics,
        poses: &Poses,
        rows: &Constraints,
    ) {
        for (joint, part) in model.loops.iter().zip(&structure.loops) {
            for (r, index) in part.active.iter().map(|&r| (r, joint.first_row + r)) {
                let row = &mut self.values[part.first + r * part.width..part.first + (r + 1) * part.width];
                row.fill(0.0);
                // Wrenches are given for the second frame first.
                for side in 0..2 {
                    let frame = &model.frames[joint.frames[side].0];
                    let wrench = &rows.wrenches[index][1 - side];
                    carry_inward(model, kin, poses, frame, wrench, &part.branches[side], row);
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
pub(super) fn carry_inward(
    model: &Model,
    kin: &Kinematics,
    poses: &Poses,
    frame: &Frame,
    wrench: &Spatial,
    branch: &Branch,
    row: &mut [f64],
) {
    let Some(&(body, offset)) = branch.bodies.first() else { return };
    let index = frame.mount.attachment;
    let point = &kin.attachments[layout_of(model, body).attachment + index].state;
    let arm = matrix_vector(&point.rotation, &lift3(&frame.mount.position));
    let at_point = shift_force(&arm, &rotate_back6(&poses.rotation[body], wrench));
    for (slot, column) in row[offset..].iter_mut().zip(referred_influence(model, kin, body, index)) {
        *slot += dot6(column, &at_point);
    }
    let mut force = shift_force(&point.position, &at_point);
    let last = branch.bodies.len() - 1;
    for (i, &(k, offset)) in branch.bodies.iter().enumerate() {
        if branch.shared && i == last {
            return;
        }
        let part = layout_of(model, k);
        for (slot, column) in row[offset + part.modes..].iter_mut().zip(&kin.subspace[part.joint()]) {
            *slot += dot6(column, &force);
        }
        let (Some(carrier), Some(next)) = (carrier(model, kin, k), branch.bodies.get(i + 1)) else { return };
        let modal = &mut row[next.1..next.1 + layout_of(model, next.0).modes];
        let mut on_parent = [0.0; 6];
        force_to_parent(kin, &carrier, k, &force, &mut on_parent, modal);
        force = on_parent;
    }
}
