//! Dense Cholesky factorisation of small symmetric matrices in row-major slices.

use crate::scalar::Scalar;

/// Replaces the lower triangle of the `n × n` matrix `a` by L with `L Lᵀ = a`.
///
/// The diagonal of L is stored as its reciprocal, so that solving needs no
/// divisions. Returns the index of the first pivot that is not positive.
#[inline]
pub fn cholesky_in_place<S: Scalar>(a: &mut [S], n: usize) -> Result<(), usize> {
    for j in 0..n {
        let (upper, lower) = a.split_at_mut((j + 1) * n);
        let row_j = &mut upper[j * n..=j * n + j];
        let mut pivot = row_j[j];
        for &l in &row_j[..j] {
            pivot -= l * l;
        }
        // A NaN pivot is neither and must fail too.
        let usable = pivot.value() > 0.0 && pivot.value().is_finite();
        if !usable {
            return Err(j);
        }
        let inverse = S::ONE / pivot.sqrt();
        row_j[j] = inverse;
        for row_i in lower.chunks_exact_mut(n) {
            let (done, open) = row_i.split_at_mut(j);
            let mut sum = open[0];
            for (&x, &y) in done.iter().zip(&*row_j) {
                sum -= x * y;
            }
            open[0] = sum * inverse;
        }
    }
    Ok(())
}

/// Solves `L y = b` in place, with L from [`cholesky_in_place`].
#[inline]
pub fn solve_lower<S: Scalar>(l: &[S], n: usize, b: &mut [S]) {
    for i in 0..n {
        let (done, open) = b.split_at_mut(i);
        let row = &l[i * n..=i * n + i];
        let mut sum = open[0];
        for (&x, &y) in row.iter().zip(&*done) {
            sum -= x * y;
        }
        open[0] = sum * row[i];
    }
}

/// Solves `Lᵀ y = b` in place, with L from [`cholesky_in_place`].
#[inline]
pub(crate) fn solve_lower_transposed<S: Scalar>(l: &[S], n: usize, b: &mut [S]) {
    for i in (0..n).rev() {
        let (above, here) = b.split_at_mut(i);
        let row = &l[i * n..=i * n + i];
        let value = here[0] * row[i];
        here[0] = value;
        for (slot, &x) in above.iter_mut().zip(row) {
            *slot -= x * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_a_known_system() {
        let a = [4.0, 1.0, 0.5, 1.0, 3.0, -0.2, 0.5, -0.2, 2.0];
        let x = [1.0, -2.0, 0.5];
        let mut b: Vec<f64> = (0..3).map(|i| (0..3).map(|j| a[i * 3 + j] * x[j]).sum()).collect();
        let mut l = a;
        cholesky_in_place(&mut l, 3).unwrap();
        solve_lower(&l, 3, &mut b);
        solve_lower_transposed(&l, 3, &mut b);
        for i in 0..3 {
            assert!((b[i] - x[i]).abs() < 1e-14);
        }
    }

    #[test]
    fn names_the_bad_pivot() {
        assert_eq!(cholesky_in_place(&mut [1.0, 2.0, 2.0, 1.0], 2), Err(1));
        assert_eq!(cholesky_in_place(&mut [f64::NAN], 1), Err(0));
    }
}
