//! Dense LU factors with partial pivoting, real and complex, row-major, in place.
//!
//! Golub & Van Loan, Matrix Computations, algorithm 3.4.1. Cost 2/3 n³ operations (four times as many where complex);
//! no allocation. Complex matrices are held as real and imaginary parts, so that the inner loops run over plain numbers.

/// LU with partial pivoting, in place; false if singular.
pub(super) fn lu_in_place(a: &mut [f64], n: usize, pivots: &mut [usize]) -> bool {
    for j in 0..n {
        let pivot =
            (j..n).fold(j, |best, i| if a[i * n + j].abs() > a[best * n + j].abs() { i } else { best });
        pivots[j] = pivot;
        let size = a[pivot * n + j].abs();
        if size == 0.0 || !size.is_finite() {
            return false;
        }
        swap_rows(a, n, j, pivot);
        let inverse = 1.0 / a[j * n + j];
        let (done, rest) = a.split_at_mut((j + 1) * n);
        let upper = &done[j * n + j + 1..];
        for row in rest.chunks_exact_mut(n) {
            let factor = row[j] * inverse;
            row[j] = factor;
            if factor != 0.0 {
                for (x, u) in row[j + 1..].iter_mut().zip(upper) {
                    *x -= factor * u;
                }
            }
        }
    }
    true
}

/// Solves with the factors of [`lu_in_place`].
pub(super) fn lu_solve(a: &[f64], n: usize, pivots: &[usize], b: &mut [f64]) {
    // Rows of L were swapped along with U: all exchanges come first.
    for j in 0..n {
        b.swap(j, pivots[j]);
    }
    for i in 1..n {
        let (known, rest) = b.split_at_mut(i);
        for (l, x) in a[i * n..i * n + i].iter().zip(known.iter()) {
            rest[0] -= l * x;
        }
    }
    for i in (0..n).rev() {
        let (head, known) = b.split_at_mut(i + 1);
        for (u, x) in a[i * n + i + 1..(i + 1) * n].iter().zip(known.iter()).rev() {
            head[i] -= u * x;
        }
        head[i] /= a[i * n + i];
    }
}

/// Real and imaginary parts of a matrix or vector.
pub(super) type Parts<'a> = (&'a mut [f64], &'a mut [f64]);

/// [`lu_in_place`] of a complex matrix.
pub(super) fn complex_lu_in_place((re, im): Parts<'_>, n: usize, pivots: &mut [usize]) -> bool {
    for j in 0..n {
        let size = |i: usize| re[i * n + j].abs() + im[i * n + j].abs();
        let pivot = (j..n).fold(j, |best, i| if size(i) > size(best) { i } else { best });
        let largest = size(pivot);
        pivots[j] = pivot;
        if largest == 0.0 || !largest.is_finite() {
            return false;
        }
        swap_rows(re, n, j, pivot);
        swap_rows(im, n, j, pivot);
        let inverse = reciprocal(re[j * n + j], im[j * n + j]);
        let (re_done, re_rest) = re.split_at_mut((j + 1) * n);
        let (im_done, im_rest) = im.split_at_mut((j + 1) * n);
        let (re_upper, im_upper) = (&re_done[j * n + j + 1..], &im_done[j * n + j + 1..]);
        for (re_row, im_row) in re_rest.chunks_exact_mut(n).zip(im_rest.chunks_exact_mut(n)) {
            let (f, g) = product((re_row[j], im_row[j]), inverse);
            (re_row[j], im_row[j]) = (f, g);
            if f == 0.0 && g == 0.0 {
                continue;
            }
            let target = re_row[j + 1..].iter_mut().zip(&mut im_row[j + 1..]);
            for ((x, y), (u, v)) in target.zip(re_upper.iter().zip(im_upper)) {
                *x -= f * u - g * v;
                *y -= f * v + g * u;
            }
        }
    }
    true
}

/// Solves with the factors of [`complex_lu_in_place`].
pub(super) fn complex_lu_solve((re, im): (&[f64], &[f64]), n: usize, pivots: &[usize], (b, c): Parts<'_>) {
    for j in 0..n {
        b.swap(j, pivots[j]);
        c.swap(j, pivots[j]);
    }
    for i in 1..n {
        let row = i * n..i * n + i;
        let (s, t) = inner((&re[row.clone()], &im[row]), (&b[..i], &c[..i]));
        b[i] -= s;
        c[i] -= t;
    }
    for i in (0..n).rev() {
        let row = i * n + i + 1..(i + 1) * n;
        let (s, t) = inner((&re[row.clone()], &im[row]), (&b[i + 1..n], &c[i + 1..n]));
        let inverse = reciprocal(re[i * n + i], im[i * n + i]);
        (b[i], c[i]) = product((b[i] - s, c[i] - t), inverse);
    }
}

fn swap_rows(a: &mut [f64], n: usize, one: usize, later: usize) {
    if one != later {
        let (head, tail) = a.split_at_mut(later * n);
        head[one * n..(one + 1) * n].swap_with_slice(&mut tail[..n]);
    }
}

fn product((a, b): (f64, f64), (c, d): (f64, f64)) -> (f64, f64) {
    (a * c - b * d, a * d + b * c)
}

fn reciprocal(a: f64, b: f64) -> (f64, f64) {
    let square = a * a + b * b;
    (a / square, -b / square)
}

/// Σ l x without conjugation.
fn inner(l: (&[f64], &[f64]), x: (&[f64], &[f64])) -> (f64, f64) {
    let (mut s, mut t) = (0.0, 0.0);
    for ((a, b), (c, d)) in l.0.iter().zip(l.1).zip(x.0.iter().zip(x.1)) {
        s += a * c - b * d;
        t += a * d + b * c;
    }
    (s, t)
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 7;

    /// Small diagonal, large entries further down: every column exchanges rows.
    fn matrix(shift: f64) -> Vec<f64> {
        (0..N * N).map(|k| (k as f64 * k as f64 * 0.7 + shift).sin()).collect()
    }

    fn exchanges(pivots: &[usize]) -> usize {
        pivots.iter().enumerate().filter(|(j, p)| j != *p).count()
    }

    #[test]
    fn lu_solves_a_system_that_needs_many_exchanges() {
        let a = matrix(0.0);
        let x: Vec<f64> = (0..N).map(|i| (i as f64 * 1.3).cos()).collect();
        let mut b: Vec<f64> = (0..N).map(|i| (0..N).map(|j| a[i * N + j] * x[j]).sum()).collect();
        let (mut factor, mut pivots) = (a, [0; N]);
        assert!(lu_in_place(&mut factor, N, &mut pivots));
        assert!(exchanges(&pivots) >= 2, "{pivots:?}");
        lu_solve(&factor, N, &pivots, &mut b);
        for i in 0..N {
            assert!((b[i] - x[i]).abs() < 1e-11, "{b:?} {x:?}");
        }
        assert!(!lu_in_place(&mut [1.0, 2.0, 2.0, 4.0], 2, &mut [0; 2]));
        assert!(!lu_in_place(&mut [f64::NAN, 2.0, 2.0, 4.0], 2, &mut [0; 2]));
    }

    #[test]
    fn complex_lu_solves_a_system_that_needs_many_exchanges() {
        let (mut re, mut im, mut pivots) = (matrix(0.0), matrix(0.4), [0; N]);
        let x = |i: usize| ((i as f64 * 1.3).cos(), (i as f64 * 0.3).sin());
        let (mut b, mut c) = ([0.0; N], [0.0; N]);
        for i in 0..N {
            for j in 0..N {
                let term = product((re[i * N + j], im[i * N + j]), x(j));
                b[i] += term.0;
                c[i] += term.1;
            }
        }
        assert!(complex_lu_in_place((&mut re, &mut im), N, &mut pivots));
        assert!(exchanges(&pivots) >= 2, "{pivots:?}");
        complex_lu_solve((&re, &im), N, &pivots, (&mut b, &mut c));
        for i in 0..N {
            assert!((b[i] - x(i).0).abs() < 1e-11 && (c[i] - x(i).1).abs() < 1e-11, "{b:?} {c:?}");
        }
        // (1 + i) times a row is the other row.
        let (mut re, mut im) = ([1.0, 2.0, 1.0, 2.0], [0.0, 0.0, 1.0, 2.0]);
        assert!(!complex_lu_in_place((&mut re, &mut im), 2, &mut [0; 2]));
    }
}
