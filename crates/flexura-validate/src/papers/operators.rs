//! Spatial operators of a small tree as dense matrices, in the symbols of JPL 90-26.
//!
//! E_Φ, Φ, H, M_m, a_m and b_m are written down block by block from the geometry of an evaluation, referred to the hinges (errata A1), and
//! multiplied out as the report prints them; no sweep of the engine is used. Bodies are numbered from the ground.

use super::models::evaluated;
use crate::context::Fault;
use flexura::{Model, State, Workspace};
use nalgebra::{DMatrix, DVector};

pub(super) type Matrix = DMatrix<f64>;
pub(super) type Vector = DVector<f64>;

/// All operators at one state.
pub(super) struct Operators {
    /// Rows of every body in the wide spaces: modes, then six of its frame.
    pub rows: Vec<std::ops::Range<usize>>,
    /// Speeds of every body: modes, then its joint.
    pub speeds: Vec<std::ops::Range<usize>>,
    /// Modes of every body.
    pub modes: Vec<usize>,
    /// E_Φ (3.20): Φ(p, k) (3.14) where p carries k.
    pub step: Matrix,
    /// Φ = (1 − E_Φ)⁻¹ (3.21), as the sum of its powers.
    pub chain: Matrix,
    /// H (3.15), (3.18).
    pub joint: Matrix,
    /// M_m of all bodies (3.25).
    pub mass: Matrix,
    /// a_m (3.27), with −g at the ground.
    pub bias: Vector,
    /// b_m + K_m ϑ less applied wrenches.
    pub force: Vector,
    /// T.
    pub load: Vector,
}

impl Operators {
    /// The operators at `state`, and the evaluation by recursions there.
    pub fn at(model: &Model, state: &State) -> Result<(Self, Workspace), Fault> {
        let mut work = evaluated(model, state)?;
        work.poses(model, state);
        Ok((Self::of(model, &work), work))
    }

    fn of(model: &Model, work: &Workspace) -> Self {
        let parts = &model.layout.bodies;
        let mut wide = 0;
        let rows: Vec<_> = parts
            .iter()
            .map(|part| {
                wide += part.modes + 6;
                wide - part.modes - 6..wide
            })
            .collect();
        let n = model.speed_count();
        let mut all = Self {
            speeds: parts.iter().map(|part| part.v..part.v + part.modes + part.joint_v).collect(),
            modes: parts.iter().map(|part| part.modes).collect(),
            step: Matrix::zeros(wide, wide),
            chain: Matrix::identity(wide, wide),
            joint: Matrix::zeros(n, wide),
            mass: Matrix::zeros(wide, wide),
            bias: Vector::zeros(wide),
            force: Vector::zeros(wide),
            load: Vector::from_column_slice(&work.load.generalized),
            rows,
        };
        for k in 0..parts.len() {
            all.place_body(model, work, k);
            all.place_step(model, work, k);
        }
        let mut power = all.step.clone();
        for _ in 1..parts.len() {
            all.chain += &power;
            power = &power * &all.step;
        }
        all
    }

    /// H, M_m, a_m, b_m of body `k`.
    fn place_body(&mut self, model: &Model, work: &Workspace, k: usize) {
        let (part, at, kin) = (&model.layout.bodies[k], self.rows[k].start, &work.motion.kinematics);
        let (n, inertias) = (part.modes, &work.inertias);
        for r in 0..n {
            self.joint[(part.v + r, at + r)] = 1.0;
            self.force[at + r] = inertias.bias_modal[part.modal + r];
            for s in 0..n {
                self.mass[(at + r, at + s)] = inertias.modal[part.modal_square + r * n + s];
            }
            for i in 0..6 {
                let value = inertias.coupling[part.modal + r][i];
                self.mass[(at + r, at + n + i)] = value;
                self.mass[(at + n + i, at + r)] = value;
            }
        }
        let rigid = inertias.rigid[k].full();
        for i in 0..6 {
            for (j, column) in kin.subspace[part.joint()].iter().enumerate() {
                self.joint[(part.v + n + j, at + n + i)] = column[i];
            }
            (0..6).for_each(|j| self.mass[(at + n + i, at + n + j)] = rigid[i][j]);
            self.bias[at + n + i] = kin.bodies[k].bias[i];
            self.force[at + n + i] = inertias.bias_rigid[k][i] - work.load.wrench[k][i];
        }
        if model.joints[k].parent.is_none() {
            let turn = six(&kin.bodies[k].rotation).transpose();
            let g = model.gravity;
            let base = turn * Vector::from_column_slice(&[0.0, 0.0, 0.0, -g[0], -g[1], -g[2]]);
            (0..6).for_each(|i| self.bias[at + n + i] += base[i]);
        }
    }

    /// Φ(p, k) = A(p) B(p, k) (3.14), (3.16), (3.17): A = [Π*; φ(p, t)], B = [0, φ(t, k)].
    fn place_step(&mut self, model: &Model, work: &Workspace, k: usize) {
        let joint = &model.joints[k];
        let Some(p) = joint.parent else { return };
        let (part, kin) = (&model.layout.bodies[p], &work.motion.kinematics);
        let index = joint.outer.attachment;
        let inner = model.joints[p].inner.attachment;
        let lever = kin.attachments[part.attachment + index].state.position;
        let carried = shift(&kin.bodies[k].from_node) * six(&kin.bodies[k].rotation);
        let mut attached = Matrix::zeros(part.modes + 6, 6);
        let moves = index != inner && (index != 0 || !model.bodies[p].attachments[inner].rigid);
        if moves {
            for (r, column) in kin.influence[part.influence(index)].iter().enumerate() {
                (0..6).for_each(|i| attached[(r, i)] = column[i]);
            }
        }
        let lever = if index == 0 { [0.0; 3] } else { lever };
        attached.view_mut((part.modes, 0), (6, 6)).copy_from(&shift(&lever));
        let block = attached * carried;
        let (row, column) = (self.rows[p].start, self.rows[k].start + self.modes[k]);
        self.step.view_mut((row, column), block.shape()).copy_from(&block);
    }

    /// Block (a, b) of a matrix over the wide space.
    pub fn block(&self, matrix: &Matrix, a: usize, b: usize) -> Matrix {
        let (rows, columns) = (&self.rows[a], &self.rows[b]);
        matrix.view((rows.start, columns.start), (rows.len(), columns.len())).into_owned()
    }

    /// H(k).
    pub fn joint_of(&self, k: usize) -> Matrix {
        let (rows, columns) = (&self.speeds[k], &self.rows[k]);
        self.joint.view((rows.start, columns.start), (rows.len(), columns.len())).into_owned()
    }

    /// Puts `block` on the diagonal of `matrix`, rows of body `k`.
    pub fn put(&self, matrix: &mut Matrix, k: usize, block: &Matrix) {
        let at = self.rows[k].start;
        matrix.view_mut((at, at), block.shape()).copy_from(block);
    }

    /// The six rows of the frame of body `k`.
    pub fn frame(&self, wide: &Vector, k: usize) -> [f64; 6] {
        let at = self.rows[k].start + self.modes[k];
        std::array::from_fn(|i| wide[at + i])
    }

    /// ℳ = H Φ M_m Φ* H* (3.45).
    pub fn system_mass(&self) -> Matrix {
        let left = &self.joint * &self.chain;
        &left * &self.mass * left.transpose()
    }
}

/// φ(l) of a force (3.8).
pub(super) fn shift(l: &[f64; 3]) -> Matrix {
    let mut matrix = Matrix::identity(6, 6);
    for (i, j, value) in
        [(0, 1, -l[2]), (0, 2, l[1]), (1, 0, l[2]), (1, 2, -l[0]), (2, 0, -l[1]), (2, 1, l[0])]
    {
        matrix[(i, 3 + j)] = value;
    }
    matrix
}

/// A rotation of both halves.
fn six(rotation: &[[f64; 3]; 3]) -> Matrix {
    Matrix::from_fn(6, 6, |i, j| if i / 3 == j / 3 { rotation[i % 3][j % 3] } else { 0.0 })
}
