//! The factor Y of a joint whose neighbours show inertias or compliances that are not positive.
//!
//! Levels that drop terms of the mass of a bent body (`consistent`, `paper`) have inertias that lose their sign in some direction far beyond
//! their range. Such a direction may be one that the joint holds: the motion is still determined, articulated bodies never look
//! there, and the handle equations stay true, but Y*Y of (DC.4) has no real Y. Here it is a sum with signs,
//!
//! (1 + P_B Ω_A)⁻¹ P_B = Σ ± y_k* y_k:  D P_B D* = E Γ E*,  w_k = √|γ_k| (E* D)_k,  Σ_γ + W Ω_A W* = Q Λ Q*,  y_k = (Q* W)_k / √|λ_k|,
//!
//! by the Sherman-Morrison-Woodbury identity, with the sign of λ_k. With positive inertias it is the same matrix.
//!
//! Typeset: book/src/theory/divide_and_conquer.md, behind (DC.4).
//!
//! Symbols: D directions that the joint holds (rows here), P_B inertia outboard, Ω_A compliance inboard, Σ_γ signs of Γ.
//! Cost: two eigenvalue problems of order up to six by Jacobi's rotations, some 5,000 products; on this way only.

use super::element::{Interface, Matrix6};
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, dot6, scale6};

/// Eigenvalues below this share of the largest are rounding.
const RANK_TOLERANCE: f64 = 1e-14;
/// Sweeps of rotations; six or seven suffice.
const MOST_SWEEPS: usize = 20;

/// The factor with signs for the held directions `basis`.
pub(super) fn interface<S: Scalar>(
    basis: &[Spatial<S>],
    outboard: &SymmetricSpatial<S>,
    compliance: &SymmetricSpatial<S>,
) -> Interface<S> {
    let mut inertia = gram(basis, outboard);
    let (values, vectors) = eigen(&mut inertia, basis.len());
    let largest =
        values[..basis.len()].iter().fold(0.0, |largest: f64, value| largest.max(value.value().abs()));
    let (mut rows, mut signs, mut rank) = ([[S::ZERO; 6]; 6], [S::ONE; 6], 0);
    for k in 0..basis.len() {
        let size = magnitude(values[k]);
        // What is no number stays and shows in the results.
        let rounding = size.value() <= RANK_TOLERANCE * largest;
        if !rounding {
            rows[rank] = scale6(size.sqrt(), &combined(&vectors, k, basis));
            signs[rank] = values[k] / size;
            rank += 1;
        }
    }
    let mut system = gram(&rows[..rank], compliance);
    (0..rank).for_each(|k| system[k][k] += signs[k]);
    let (values, vectors) = eigen(&mut system, rank);
    let mut out = Interface { rows: [[S::ZERO; 6]; 6], rank, negative: [false; 6] };
    for k in 0..rank {
        let size = magnitude(values[k]);
        out.rows[k] = scale6(S::ONE / size.sqrt(), &combined(&vectors, k, &rows[..rank]));
        out.negative[k] = values[k].value() < 0.0;
    }
    out
}

/// Products of rows with a matrix between them.
fn gram<S: Scalar>(rows: &[Spatial<S>], middle: &SymmetricSpatial<S>) -> Matrix6<S> {
    let mut out = [[S::ZERO; 6]; 6];
    for (a, row) in rows.iter().enumerate() {
        let moved = middle.apply(row);
        for b in a..rows.len() {
            out[a][b] = dot6(&moved, &rows[b]);
            out[b][a] = out[a][b];
        }
    }
    out
}

/// The `k`-th column of `vectors` times rows.
fn combined<S: Scalar>(vectors: &Matrix6<S>, k: usize, rows: &[Spatial<S>]) -> Spatial<S> {
    let parts = rows.iter().zip(vectors);
    parts.fold([S::ZERO; 6], |sum, (row, vector)| add6(&sum, &scale6(vector[k], row)))
}

fn magnitude<S: Scalar>(value: S) -> S {
    if value.value() < 0.0 { -value } else { value }
}

/// Eigenvalues and vectors (columns) of the leading `n` rows and columns of a symmetric matrix.
fn eigen<S: Scalar>(a: &mut Matrix6<S>, n: usize) -> (Spatial<S>, Matrix6<S>) {
    let mut vectors = [[S::ZERO; 6]; 6];
    (0..6).for_each(|k| vectors[k][k] = S::ONE);
    for _ in 0..MOST_SWEEPS {
        let mut turned = false;
        for p in 0..n {
            for q in p + 1..n {
                let scale = a[p][p].value().abs() + a[q][q].value().abs();
                if a[p][q].value().abs() > 1e-17 * scale {
                    rotate(a, &mut vectors, (p, q), n);
                    turned = true;
                }
            }
        }
        if !turned {
            break;
        }
    }
    (std::array::from_fn(|k| a[k][k]), vectors)
}

/// One rotation of Jacobi's, which makes an entry zero.
fn rotate<S: Scalar>(a: &mut Matrix6<S>, vectors: &mut Matrix6<S>, (p, q): (usize, usize), n: usize) {
    let theta = (a[q][q] - a[p][p]) / (S::from_f64(2.0) * a[p][q]);
    let root = (theta * theta + S::ONE).sqrt();
    let tangent = if theta.value() < 0.0 { S::ONE / (theta - root) } else { S::ONE / (theta + root) };
    let cosine = S::ONE / (tangent * tangent + S::ONE).sqrt();
    let sine = tangent * cosine;
    for row in a[..n].iter_mut().chain(vectors.iter_mut()) {
        (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
    }
    for column in 0..n {
        let (above, below) = (a[p][column], a[q][column]);
        a[p][column] = cosine * above - sine * below;
        a[q][column] = sine * above + cosine * below;
    }
    (a[p][q], a[q][p]) = (S::ZERO, S::ZERO);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1 + P Ω)⁻¹ P for directions that are all held, by elimination.
    fn direct(inertia: &Matrix6<f64>, compliance: &Matrix6<f64>) -> Matrix6<f64> {
        let matrix = |m: &Matrix6<f64>| nalgebra::Matrix6::from_fn(|i, j| m[i][j]);
        let (p, omega) = (matrix(inertia), matrix(compliance));
        let found = (nalgebra::Matrix6::identity() + p * omega).lu().solve(&p).expect("regular");
        std::array::from_fn(|i| std::array::from_fn(|j| found[(i, j)]))
    }

    fn symmetric(seed: f64, diagonal: [f64; 6]) -> Matrix6<f64> {
        let part = |i: usize, j: usize| 0.3 * (seed + 1.7 * (i + j) as f64 + 0.9 * (i * j) as f64).sin();
        std::array::from_fn(|i| std::array::from_fn(|j| if i == j { diagonal[i] } else { part(i, j) }))
    }

    #[test]
    fn sums_with_signs_are_the_matrix_whatever_its_signs() {
        let unit: Matrix6<f64> =
            std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
        for (diagonal, soft) in [
            ([2.0, 3.0, 1.5, 4.0, 2.5, 1.0], [0.5; 6]),
            ([2.0, -3.0, 1.5, 4.0, 2.5, 1.0], [0.5; 6]),
            ([2.0, -0.2, 1.5, -4.0, 2.5, 1.0], [0.5, -2.0, 0.1, 0.3, 0.2, 0.6]),
        ] {
            let (p, omega) = (symmetric(0.4, diagonal), symmetric(1.1, soft));
            let expected = direct(&p, &omega);
            let wrapped = |m: &Matrix6<f64>| {
                let mut out = SymmetricSpatial::ZERO;
                let mut copy = *m;
                let (values, vectors) = eigen(&mut copy, 6);
                for k in 0..6 {
                    let column: Spatial<f64> = std::array::from_fn(|i| vectors[i][k]);
                    out.add_outer(&scale6(values[k], &column), &column);
                }
                out
            };
            let found = interface(&unit, &wrapped(&p), &wrapped(&omega));
            for i in 0..6 {
                let column = found.react(&[0.0; 6], &unit[i]);
                for j in 0..6 {
                    assert!((column[j] - expected[i][j]).abs() < 1e-12, "{i} {j}: {column:?} {expected:?}");
                }
            }
        }
    }
}
