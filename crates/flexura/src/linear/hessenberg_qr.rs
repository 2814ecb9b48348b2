//! Eigenvalues of a real matrix by balancing, Hessenberg form and double QR steps.
//!
//! Balancing: Parlett and Reinsch 1969 (LAPACK `gebal` without permutations). QR: Francis double
//! steps as in EISPACK `hqr` (Martin, Peters and Wilkinson 1970) with its exceptional shifts, without which
//! matrices whose eigenvalues lie on a circle about the origin (spinning tops, cyclic permutations) never
//! deflate. The matrix is scaled to entries of size one first, so that no product overflows. O(n³).

use nalgebra::linalg::Hessenberg;
use nalgebra::{Complex, DMatrix};

/// Double steps per eigenvalue before giving up; EISPACK takes 30.
const STEPS: usize = 300;
/// Double steps between two exceptional shifts.
const PATIENCE: usize = 10;
/// Sweeps of balancing; each one that changes anything lowers the norm by 5 %.
const SWEEPS: usize = 200;

/// All eigenvalues of the square matrix `a`; `None` where an entry is not finite or the steps do not converge.
pub(crate) fn eigenvalues(mut a: DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let n = a.nrows();
    if n == 0 {
        return Some(Vec::new());
    }
    let size = a.iter().try_fold(0.0_f64, |m, x| x.is_finite().then_some(m.max(x.abs())))?;
    if size == 0.0 || n == 1 {
        return Some(a.diagonal().iter().map(|&x| Complex::new(x, 0.0)).collect());
    }
    a.iter_mut().for_each(|x| *x /= size);
    balance(&mut a);
    let mut iteration =
        Iteration { h: Hessenberg::new(a).unpack_h(), shift: 0.0, found: Vec::with_capacity(n) };
    let mut last = n;
    while last > 0 {
        last = iteration.deflate(last)?;
    }
    iteration.found.reverse();
    Some(iteration.found.iter().map(|z| z * size).collect())
}

/// Scales rows and columns by powers of two until their norms are alike.
fn balance(a: &mut DMatrix<f64>) {
    let n = a.nrows();
    for _ in 0..SWEEPS {
        let mut settled = true;
        for i in 0..n {
            let others = (0..n).filter(|&j| j != i);
            let (c, r) = others.fold((0.0, 0.0), |(c, r), j| (c + a[(j, i)].abs(), r + a[(i, j)].abs()));
            if c < f64::MIN_POSITIVE || r < f64::MIN_POSITIVE {
                continue;
            }
            let exponent = (0.5 * (r / c).log2()).round().clamp(-500.0, 500.0);
            let factor = exponent.exp2();
            if c * factor + r / factor < 0.95 * (c + r) {
                settled = false;
                for j in 0..n {
                    a[(j, i)] *= factor;
                    a[(i, j)] /= factor;
                }
            }
        }
        if settled {
            return;
        }
    }
}

/// The part of the Hessenberg matrix that is left, and what has been found, last first.
struct Iteration {
    h: DMatrix<f64>,
    /// What exceptional shifts have taken from the diagonal.
    shift: f64,
    found: Vec<Complex<f64>>,
}

impl Iteration {
    /// Finds the eigenvalue or the pair at the end of the leading `size` rows; the number of rows left.
    fn deflate(&mut self, size: usize) -> Option<usize> {
        let last = size - 1;
        for step in 0..STEPS {
            let first = self.block_start(last);
            if first == last {
                let x = self.h[(last, last)] + self.shift;
                self.found.push(Complex::new(x, 0.0));
                return Some(last);
            }
            if first + 1 == last {
                self.pair(last);
                return Some(last - 1);
            }
            let exceptional = step > 0 && step % PATIENCE == 0;
            let shifts = if exceptional { self.exceptional_shifts(last) } else { self.shifts(last) };
            self.double_step(first, last, shifts);
        }
        None
    }

    /// First row of the unreduced block that ends at row `last`.
    fn block_start(&mut self, last: usize) -> usize {
        let h = &mut self.h;
        for l in (1..=last).rev() {
            let beside = h[(l - 1, l - 1)].abs() + h[(l, l)].abs();
            // Zeros beside it: the matrix has entries of size one.
            let scale = if beside == 0.0 { 1.0 } else { beside };
            if h[(l, l - 1)].abs() <= f64::EPSILON * scale {
                h[(l, l - 1)] = 0.0;
                return l;
            }
        }
        0
    }

    /// Eigenvalues of the last 2 × 2 block.
    fn pair(&mut self, last: usize) {
        let h = &self.h;
        let x = h[(last, last)] + self.shift;
        let w = h[(last, last - 1)] * h[(last - 1, last)];
        let p = 0.5 * (h[(last - 1, last - 1)] - h[(last, last)]);
        let q = p * p + w;
        let z = q.abs().sqrt();
        if q >= 0.0 {
            let z = if p >= 0.0 { p + z } else { p - z };
            let other = if z == 0.0 { x } else { x - w / z };
            self.found.extend([other, x + z].map(|value| Complex::new(value, 0.0)));
        } else {
            self.found.extend([Complex::new(x + p, -z), Complex::new(x + p, z)]);
        }
    }

    /// Trailing entries (h_mm, h_ll, h_ml h_lm) that define the shifts.
    fn shifts(&self, last: usize) -> [f64; 3] {
        let h = &self.h;
        [h[(last, last)], h[(last - 1, last - 1)], h[(last, last - 1)] * h[(last - 1, last)]]
    }

    /// Moves the origin and takes shifts that have nothing to do with the block.
    fn exceptional_shifts(&mut self, last: usize) -> [f64; 3] {
        let x = self.h[(last, last)];
        self.shift += x;
        for i in 0..=last {
            self.h[(i, i)] -= x;
        }
        let s = self.h[(last, last - 1)].abs() + self.h[(last - 1, last - 2)].abs();
        [0.75 * s, 0.75 * s, -0.4375 * s * s]
    }

    /// One double QR step on the rows `first..=last`, at least three.
    fn double_step(&mut self, first: usize, last: usize, [x, y, w]: [f64; 3]) {
        let h = &mut self.h;
        // Two consecutive small entries below the diagonal: the step may start there.
        let (mut m, mut start) = (last - 2, [0.0; 3]);
        loop {
            let z = h[(m, m)];
            let (r, s) = (x - z, y - z);
            let p = (r * s - w) / h[(m + 1, m)] + h[(m, m + 1)];
            let q = h[(m + 1, m + 1)] - z - r - s;
            let third = h[(m + 2, m + 1)];
            let size = p.abs() + q.abs() + third.abs();
            start = if size > 0.0 { [p / size, q / size, third / size] } else { start };
            if m == first {
                break;
            }
            let near = h[(m - 1, m - 1)].abs() + z.abs() + h[(m + 1, m + 1)].abs();
            let small = h[(m, m - 1)].abs() * (start[1].abs() + start[2].abs());
            if small <= f64::EPSILON * start[0].abs() * near {
                break;
            }
            m -= 1;
        }
        for i in m + 2..=last {
            h[(i, i - 2)] = 0.0;
            if i > m + 2 {
                h[(i, i - 3)] = 0.0;
            }
        }
        for k in m..last {
            let rows = if k + 1 < last { 3 } else { 2 };
            let mut column = start;
            if k > m {
                column = [h[(k, k - 1)], h[(k + 1, k - 1)], if rows == 3 { h[(k + 2, k - 1)] } else { 0.0 }];
            }
            let column = if rows == 3 { column } else { [column[0], column[1], 0.0] };
            let Some((reflector, factor, length)) = reflector(column) else { continue };
            if k > m {
                h[(k, k - 1)] = length;
            } else if first != m {
                h[(k, k - 1)] = -h[(k, k - 1)];
            }
            reflect(h, k, rows, (first, last), &reflector, factor);
            if k > m {
                (k + 1..k + rows).for_each(|i| h[(i, k - 1)] = 0.0);
            }
        }
    }
}

/// v and 2 / v*v with (1 − factor v v*) column = (length, 0, 0); `None` for a column of zeros.
fn reflector(column: [f64; 3]) -> Option<([f64; 3], f64, f64)> {
    let size = column.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if size == 0.0 {
        return None;
    }
    let scaled = column.map(|x| x / size);
    let norm = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    let length = if scaled[0] > 0.0 { -norm } else { norm };
    let v = [scaled[0] - length, scaled[1], scaled[2]];
    let factor = 2.0 / v.iter().map(|x| x * x).sum::<f64>();
    Some((v, factor, length * size))
}

/// Applies the reflector to rows and columns k..k + rows of the block first..=last.
fn reflect(
    h: &mut DMatrix<f64>,
    k: usize,
    rows: usize,
    (first, last): (usize, usize),
    v: &[f64; 3],
    factor: f64,
) {
    for j in k..=last {
        let product: f64 = (0..rows).map(|i| v[i] * h[(k + i, j)]).sum();
        (0..rows).for_each(|i| h[(k + i, j)] -= factor * product * v[i]);
    }
    for i in first..=last.min(k + 3) {
        let product: f64 = (0..rows).map(|j| h[(i, k + j)] * v[j]).sum();
        (0..rows).for_each(|j| h[(i, k + j)] -= factor * product * v[j]);
    }
}
