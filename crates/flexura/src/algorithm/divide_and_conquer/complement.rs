//! Directions a joint does not free, and factors of inertias along them.
//!
//! Source: Mukherjee & Anderson eqs 35, 36: D is the orthogonal complement of the
//! motion subspace H. Here D has orthonormal columns, the last 6 − d columns of
//! the Householder factor Q of H, found anew in every evaluation because H turns
//! with the joint. Prescribed columns are not free: they belong to D.
//!
//! Cost: about 12 d (6 − d) products for D, 300 for the factor.

use super::element::Matrix6;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, dot6, scale6, sub6};

/// Pivots below this share of their diagonal entry are rounding: the direction carries no inertia.
const RANK_TOLERANCE: f64 = 4.0 * f64::EPSILON;
/// Pivots as far below zero, by the largest diagonal entry, are no rounding: the inertia is not positive.
const NEGATIVE: f64 = 1e-11;

/// Fills `basis` with an orthonormal basis of the complement of `columns`; returns how many.
#[doc(hidden)]
pub fn complement<S: Scalar>(columns: &[Spatial<S>], basis: &mut Matrix6<S>) -> usize {
    let d = columns.len().min(6);
    let mut reflectors = [[S::ZERO; 6]; 6];
    for c in 0..d {
        let mut column = columns[c];
        for reflector in &reflectors[..c] {
            column = reflect(reflector, &column);
        }
        column[..c].fill(S::ZERO);
        reflectors[c] = reflector_of(&column, c);
    }
    for (j, slot) in basis[..6 - d].iter_mut().enumerate() {
        let mut unit = [S::ZERO; 6];
        unit[d + j] = S::ONE;
        for reflector in reflectors[..d].iter().rev() {
            unit = reflect(reflector, &unit);
        }
        *slot = unit;
    }
    6 - d
}

/// v with |v|² = 2 such that x − v (v·x) has zeros after entry `c`; x is zero before it.
fn reflector_of<S: Scalar>(x: &Spatial<S>, c: usize) -> Spatial<S> {
    let length = dot6(x, x).sqrt();
    let mut v = *x;
    // Away from cancellation.
    if x[c].value() < 0.0 {
        v[c] -= length
    } else {
        v[c] += length
    }
    let square = dot6(&v, &v);
    if square.value().is_nan() || square.value() <= 0.0 {
        return [S::ZERO; 6];
    }
    scale6((S::from_f64(2.0) / square).sqrt(), &v)
}

#[inline(always)]
fn reflect<S: Scalar>(v: &Spatial<S>, x: &Spatial<S>) -> Spatial<S> {
    sub6(x, &scale6(dot6(v, x), v))
}

/// W with W* W = `inertia`, whose range is spanned by `basis`; semidefinite is enough. None where it is negative somewhere.
pub(super) fn semidefinite_factor<S: Scalar>(
    inertia: &SymmetricSpatial<S>,
    basis: &[Spatial<S>],
) -> Option<Matrix6<S>> {
    let n = basis.len();
    let mut factor = [[S::ZERO; 6]; 6];
    for a in 0..n {
        let moved = inertia.apply(&basis[a]);
        for b in a..n {
            factor[b][a] = dot6(&moved, &basis[b]);
        }
    }
    let largest = (0..n).fold(0.0, |largest: f64, a| largest.max(factor[a][a].value()));
    for a in 0..n {
        let diagonal = factor[a][a];
        let mut pivot = diagonal;
        for k in 0..a {
            pivot -= factor[a][k] * factor[a][k];
        }
        if pivot.value() < -NEGATIVE * largest {
            return None;
        }
        let empty = pivot.value() <= RANK_TOLERANCE * diagonal.value();
        let root = pivot.sqrt();
        let inverse = S::ONE / root;
        for b in a..n {
            let mut sum = factor[b][a];
            for k in 0..a {
                sum -= factor[b][k] * factor[a][k];
            }
            factor[b][a] = if empty { S::ZERO } else { sum * inverse };
        }
    }
    // W = L* D*
    let mut rows = [[S::ZERO; 6]; 6];
    for a in 0..n {
        for b in a..n {
            rows[a] = add6(&rows[a], &scale6(factor[b][a], &basis[b]));
        }
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// D* D = 1 and D* H = 0 for one to six columns.
    #[test]
    fn complement_is_orthonormal_and_orthogonal() {
        let column = |c: usize| std::array::from_fn(|i| ((3 * c + 7 * i + c * i * i) as f64).sin());
        let columns: [Spatial; 6] = std::array::from_fn(column);
        for d in 0..=6 {
            let mut basis = [[0.0; 6]; 6];
            let rank = complement(&columns[..d], &mut basis);
            assert_eq!(rank, 6 - d);
            for a in 0..rank {
                for b in 0..rank {
                    let expected = if a == b { 1.0 } else { 0.0 };
                    assert!((dot6(&basis[a], &basis[b]) - expected).abs() < 1e-14);
                }
                for column in &columns[..d] {
                    assert!(dot6(&basis[a], column).abs() < 1e-14);
                }
            }
        }
    }

    /// A point mass has an inertia of rank three.
    #[test]
    fn factor_of_a_particle() {
        let particle = SymmetricSpatial::rigid(2.0, &[0.0; 3], &[[0.0; 3]; 3]).shifted(&[0.3, -0.2, 0.5]);
        let mut basis = [[0.0; 6]; 6];
        let rank = complement(&[], &mut basis);
        let rows = semidefinite_factor(&particle, &basis[..rank]).expect("a particle has no negative mass");
        let full = particle.full();
        for i in 0..6 {
            for j in 0..6 {
                let product: f64 = rows.iter().map(|row| row[i] * row[j]).sum();
                assert!((product - full[i][j]).abs() < 1e-15);
            }
        }
    }
}
