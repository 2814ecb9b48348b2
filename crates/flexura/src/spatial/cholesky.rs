//! Dense Cholesky factorisation of small symmetric matrices in row-major slices.

use crate::scalar::Scalar;

/// Replaces the lower triangle of the `n × n` matrix `a` by L with `L Lᵀ = a`.
///
/// The diagonal of L is stored as its reciprocal, so that solving needs no
/// divisions. Returns the index of the first pivot that is not positive.
#[inline]
pub fn cholesky_in_place<S: Scalar>(a: &mut [S], n: usize) -> Result<(), usize> {
    for j in 0..n {
        let mut pivot = a[j * n + j];
        for k in 0..j {
            pivot -= a[j * n + k] * a[j * n + k];
        }
        // A NaN pivot must fail too, hence the negated comparison.
        if !(pivot.value() > 0.0) || !pivot.value().is_finite() {
            return Err(j);
        }
        let inverse = S::ONE / pivot.sqrt();
        a[j * n + j] = inverse;
        for i in j + 1..n {
            let (upper, lower) = a.split_at_mut(i * n);
            let (row_j, row_i) = (&upper[j * n..j * n + j], &mut lower[..j + 1]);
            let mut sum = row_i[j];
            for k in 0..j {
                sum -= row_i[k] * row_j[k];
            }
            row_i[j] = sum * inverse;
        }
    }
    Ok(())
}

/// Solves `L y = b` in place, with L from [`cholesky_in_place`].
#[inline]
pub fn solve_lower<S: Scalar>(l: &[S], n: usize, b: &mut [S]) {
    for i in 0..n {
        let mut sum = b[i];
        for k in 0..i {
            sum -= l[i * n + k] * b[k];
        }
        b[i] = sum * l[i * n + i];
    }
}

/// Solves `Lᵀ y = b` in place, with L from [`cholesky_in_place`].
#[inline]
pub fn solve_lower_transposed<S: Scalar>(l: &[S], n: usize, b: &mut [S]) {
    for i in (0..n).rev() {
        let value = b[i] * l[i * n + i];
        b[i] = value;
        for k in 0..i {
            b[k] -= l[i * n + k] * value;
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
