//! Linear equations without a matrix, by generalised minimal residuals.
//!
//! Source: Saad & Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869: Arnoldi's basis by modified Gram-Schmidt, the Hessenberg matrix
//! turned to a triangle by rotations as it grows, no restart. With a good preconditioner inside `apply` a few products do.
//! Cost of k products: those, and O(k² n). Offline: allocates.

/// Share of the first residual that may be left when there have been as many products as unknowns: rounding of the products.
const ROUNDING: f64 = 1e-10;

/// x with A x = `right`, A by `apply(x, out)`; the products taken, or `None` where the residual does not fall to `tolerance` times that of
/// x = 0 within `most` products ([`ROUNDING`] where there are as many products as unknowns), or A is singular to rounding.
pub(crate) fn gmres(
    right: &[f64],
    tolerance: f64,
    most: usize,
    x: &mut [f64],
    apply: &mut dyn FnMut(&[f64], &mut [f64]),
) -> Option<usize> {
    x.fill(0.0);
    let size = norm(right);
    if size == 0.0 {
        return Some(0);
    }
    let mut basis = vec![right.iter().map(|value| value / size).collect::<Vec<f64>>()];
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut turns: Vec<(f64, f64)> = Vec::new();
    let mut left = vec![size];
    for k in 0..most.min(right.len()) {
        let mut next = vec![0.0; right.len()];
        apply(&basis[k], &mut next);
        let whole = norm(&next);
        let mut column = Vec::with_capacity(k + 2);
        // Twice is enough: what rounding leaves of the basis after the first pass would be taken for new directions.
        column.resize(k + 1, 0.0);
        for _ in 0..2 {
            for (entry, known) in column.iter_mut().zip(&basis) {
                let share = dot(&next, known);
                *entry += share;
                next.iter_mut().zip(known).for_each(|(slot, value)| *slot -= share * value);
            }
        }
        let beyond = norm(&next);
        for (i, &(c, s)) in turns.iter().enumerate() {
            (column[i], column[i + 1]) =
                (c * column[i] + s * column[i + 1], c * column[i + 1] - s * column[i]);
        }
        let length = column[k].hypot(beyond);
        // A direction of which nothing new is left has no share in a solution.
        if !length.is_finite() || length <= 4.0 * f64::EPSILON * whole {
            return None;
        }
        let (c, s) = (column[k] / length, beyond / length);
        column[k] = length;
        turns.push((c, s));
        columns.push(column);
        let last = left[k];
        left[k] = c * last;
        left.push(-s * last);
        if left[k + 1].abs() <= tolerance * size || beyond <= tolerance * length {
            combine(&columns, &left, &basis, x);
            return Some(k + 1);
        }
        next.iter_mut().for_each(|value| *value /= beyond);
        basis.push(next);
    }
    // As many products as unknowns: what is left is rounding.
    let done = columns.len() == right.len() && left[columns.len()].abs() <= ROUNDING.max(tolerance) * size;
    done.then(|| combine(&columns, &left, &basis, x)).map(|()| columns.len())
}

/// The combination of the basis that the triangle gives.
fn combine(columns: &[Vec<f64>], left: &[f64], basis: &[Vec<f64>], x: &mut [f64]) {
    let n = columns.len();
    let mut shares = left[..n].to_vec();
    for i in (0..n).rev() {
        for j in i + 1..n {
            shares[i] -= columns[j][i] * shares[j];
        }
        shares[i] /= columns[i][i];
    }
    for (share, known) in shares.iter().zip(basis) {
        x.iter_mut().zip(known).for_each(|(slot, value)| *slot += share * value);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }

    #[test]
    fn known_solutions_are_found() {
        for n in [1, 2, 7, 40] {
            let seed = &mut (n as u64);
            let mut matrix: Vec<f64> = (0..n * n).map(|_| number(seed)).collect();
            (0..n).for_each(|i| matrix[i * n + i] += 3.0);
            let wanted: Vec<f64> = (0..n).map(|_| number(seed)).collect();
            let mut product = |x: &[f64], out: &mut [f64]| {
                out.iter_mut().enumerate().for_each(|(i, slot)| *slot = dot(&matrix[i * n..(i + 1) * n], x));
            };
            let (mut right, mut found) = (vec![0.0; n], vec![0.0; n]);
            product(&wanted, &mut right);
            let taken = gmres(&right, 1e-13, 60, &mut found, &mut product).expect("convergence");
            assert!(taken <= n, "{taken} products for {n} unknowns");
            let apart = wanted.iter().zip(&found).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(apart < 1e-12, "{n}: {apart}");
        }
    }

    #[test]
    fn what_has_no_solution_is_said() {
        let mut x = [0.0; 2];
        let mut flat = |x: &[f64], out: &mut [f64]| (out[0], out[1]) = (x[0], 0.0);
        assert_eq!(gmres(&[1.0, 1.0], 1e-13, 10, &mut x, &mut flat), None);
        // Singular to rounding only: (0.1 + 0.2) x is not quite 0.3 x.
        let mut nearly = |x: &[f64], out: &mut [f64]| {
            (out[0], out[1]) = (0.3 * x[0] + 0.3 * x[1], (0.1 + 0.2) * x[0] + (0.1 + 0.2) * x[1]);
        };
        assert_eq!(gmres(&[1.0, -1.0], 1e-13, 10, &mut x, &mut nearly), None);
        assert_eq!(gmres(&[0.0, 0.0], 1e-13, 10, &mut x, &mut flat), Some(0));
    }
}
