//! What never changes of a body with a constant mass block, found once.
//!
//! Source: JPL 90-26 eqs 7.7-7.9; see `low_rank`. Cost O(n³) per body, before a run.

use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::Model;
use crate::model::body::RuthlessInertia;
use crate::motion::kinematics::{Kinematics, referred_influence};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, scale6, shift_motion, sub6};

/// Constants of one body with children at m points.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    /// Λ, row-major.
    pub compliance: Vec<f64>,
    /// Rows of Υ: m 6-vectors per mode.
    pub upsilon: Vec<Spatial>,
    /// U₀ rows, one 6-vector per mode.
    pub gain: Vec<Spatial>,
    /// M_rr − Y₀ΛY₀*.
    pub rigid: SymmetricSpatial,
    /// Rows of Ω: m 6-vectors each.
    pub omega: Vec<Spatial>,
    /// Rows of C, six per point.
    pub transfer: Vec<Spatial>,
}

impl Constants {
    /// Constants of body `k` with children at `points`; none if its mass block is singular.
    pub fn new(
        model: &Model,
        kin: &Kinematics<f64>,
        k: usize,
        points: &[usize],
        constants: &RuthlessInertia,
    ) -> Option<Self> {
        let (n, m) = (model.bodies[k].modes, points.len());
        let compliance = inverse(&constants.modal, n)?;
        // Hinge-referred Π' at η = 0; constant for this level.
        let influences: Vec<Vec<Spatial>> = points
            .iter()
            .map(|&point| {
                let mut influence = referred_influence(model, kin, k, point).to_vec();
                influence.resize(n, [0.0; 6]);
                influence
            })
            .collect();
        let gain = rows(&compliance, &constants.coupling);
        let through: Vec<Vec<Spatial>> =
            influences.iter().map(|influence| rows(&compliance, influence)).collect();
        let mut rigid = constants.rigid;
        for (coupling, gain) in constants.coupling.iter().zip(&gain) {
            rigid.add_outer(&scale6(-1.0, coupling), gain);
        }
        let mut omega = vec![[0.0; 6]; 6 * m * m];
        let mut transfer = Vec::with_capacity(6 * m);
        for (p, (&point, influence)) in points.iter().zip(&influences).enumerate() {
            let position = model.bodies[k].attachments[point].shape.position;
            transfer.extend(transfer_rows(&position, influence, &gain));
            for (q, through) in through.iter().enumerate() {
                for (influence, through) in influence.iter().zip(through) {
                    for (i, &x) in influence.iter().enumerate() {
                        let row = &mut omega[(6 * p + i) * m + q];
                        *row = add6(row, &scale6(x, through));
                    }
                }
            }
        }
        let upsilon = (0..n).flat_map(|r| through.iter().map(move |rows| rows[r])).collect();
        Some(Self { compliance, upsilon, gain, rigid, omega, transfer })
    }
}

/// Ω = QQ* of stacked points: row-major rows of Q.
#[derive(Clone, Debug)]
pub(super) struct Compliance {
    pub root: Vec<f64>,
    /// Columns of Q: at most as many as rows.
    pub rank: usize,
}

/// What is left of a diagonal entry of Ω, as a share of it, that counts as nothing: some roundings.
const NOTHING: f64 = 1e-14;

impl Compliance {
    /// The root of Ω given by rows of `points` 6-vectors: Cholesky's factor, the largest pivot first.
    pub fn of(omega: &[Spatial], points: usize) -> Self {
        let size = 6 * points;
        let mut left: Vec<f64> = omega.as_flattened().to_vec();
        let whole: Vec<f64> = (0..size).map(|i| left[i * size + i]).collect();
        let mut columns: Vec<Vec<f64>> = Vec::new();
        loop {
            let share = |i: usize| if whole[i] > 0.0 { left[i * size + i] / whole[i] } else { 0.0 };
            let pivot = (0..size).fold(0, |best, i| if share(i) > share(best) { i } else { best });
            if share(pivot) <= NOTHING * size as f64 || columns.len() == size {
                break;
            }
            let scale = left[pivot * size + pivot].sqrt();
            let column: Vec<f64> = (0..size).map(|i| left[i * size + pivot] / scale).collect();
            for i in 0..size {
                for j in 0..size {
                    left[i * size + j] -= column[i] * column[j];
                }
            }
            columns.push(column);
        }
        // One column at least, so that rows can be walked through.
        if columns.is_empty() {
            columns.push(vec![0.0; size]);
        }
        let root = (0..size).flat_map(|i| columns.iter().map(move |column| column[i])).collect();
        Self { root, rank: columns.len() }
    }

    pub fn rows(&self) -> usize {
        self.root.len() / self.rank
    }
}

/// Λ x for a 6-vector per mode.
fn rows(compliance: &[f64], source: &[Spatial]) -> Vec<Spatial> {
    let row =
        |weights: &[f64]| weights.iter().zip(source).fold([0.0; 6], |sum, (&w, x)| add6(&sum, &scale6(w, x)));
    compliance.chunks_exact(source.len().max(1)).map(row).collect()
}

/// phi*(k,t) − ζ*U₀ of a point at `position`.
fn transfer_rows(position: &[f64; 3], influence: &[Spatial], gain: &[Spatial]) -> [Spatial; 6] {
    let mut transfer = [[0.0; 6]; 6];
    for (i, row) in transfer.iter_mut().enumerate() {
        // The i-th component of a unit motion carried to the point.
        for (j, entry) in row.iter_mut().enumerate() {
            let unit: Spatial = std::array::from_fn(|c| f64::from(u8::from(c == j)));
            *entry = shift_motion(position, &unit)[i];
        }
        for (influence, gain) in influence.iter().zip(gain) {
            *row = sub6(row, &scale6(influence[i], gain));
        }
    }
    transfer
}

/// Inverse of a symmetric positive definite matrix.
fn inverse(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut factor = matrix.to_vec();
    cholesky_in_place(&mut factor, n).ok()?;
    let mut result = vec![0.0; n * n];
    for j in 0..n {
        let mut column = vec![0.0; n];
        column[j] = 1.0;
        solve_lower(&factor, n, &mut column);
        solve_lower_transposed(&factor, n, &mut column);
        for i in 0..n {
            result[i * n + j] = column[i];
        }
    }
    Some(result)
}

#[inline(always)]
pub(super) fn dot_constant<S: Scalar>(a: &Spatial<S>, b: &Spatial) -> S {
    let mut sum = a[0] * b[0];
    for i in 1..6 {
        sum += a[i] * b[i];
    }
    sum
}
