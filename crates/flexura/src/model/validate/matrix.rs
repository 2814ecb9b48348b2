//! Small matrix computations for checks.

/// The first asymmetric pair (row, column) of an `n × n` matrix, row by row,
/// beyond rounding of its largest entry.
pub(crate) fn asymmetry(matrix: &[f64], n: usize) -> Option<(usize, usize)> {
    let largest = matrix.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    let pairs = (0..n).flat_map(|row| (0..row).map(move |column| (column, row)));
    let differs = |&(a, b): &(usize, usize)| (matrix[a * n + b] - matrix[b * n + a]).abs() > 1e-9 * largest;
    pairs.into_iter().find(differs)
}

/// The first row at which a Cholesky factorisation of a symmetric matrix finds a
/// pivot not above `floor` times the diagonal entry: there the matrix stops
/// being positive definite.
pub(crate) fn lost_definiteness(matrix: &[f64], n: usize, floor: f64) -> Option<usize> {
    let mut factor = matrix.to_vec();
    for row in 0..n {
        for column in 0..=row {
            let (left, right) = (row * n, column * n);
            let done: f64 = (0..column).map(|k| factor[left + k] * factor[right + k]).sum();
            let rest = matrix[left + column] - done;
            if column < row {
                factor[left + column] = rest / factor[right + column];
            } else if rest.is_nan() || rest <= floor * matrix[left + row].abs() {
                return Some(row);
            } else {
                factor[left + row] = rest.sqrt();
            }
        }
    }
    None
}

/// Principal values, smallest first, and their directions, by Jacobi rotations.
pub(super) fn principal(matrix: &[[f64; 3]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
    let mut a = *matrix;
    let mut directions = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Convergence is quadratic: five sweeps reach rounding, twelve are certain.
    for _ in 0..12 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            rotate(&mut a, &mut directions, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| a[i][i].total_cmp(&a[j][j]));
    (order.map(|i| a[i][i]), order.map(|i| directions[i]))
}

/// One Jacobi rotation that clears entry (p, q); rows of `directions` follow.
fn rotate(a: &mut [[f64; 3]; 3], directions: &mut [[f64; 3]; 3], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let ratio = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    let t = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
    let c = 1.0 / t.hypot(1.0);
    let s = t * c;
    let mix = |x: f64, y: f64| (c * x - s * y, s * x + c * y);
    for k in 0..3 {
        (a[k][p], a[k][q]) = mix(a[k][p], a[k][q]);
    }
    for k in 0..3 {
        (a[p][k], a[q][k]) = mix(a[p][k], a[q][k]);
        (directions[p][k], directions[q][k]) = mix(directions[p][k], directions[q][k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn principal_values_of_a_turned_matrix() {
        // diag(1, 2, 5) turned by 30° about z
        let (c, s) = (0.75_f64.sqrt(), 0.5);
        let turned =
            [[c * c + 2.0 * s * s, -c * s, 0.0], [-c * s, s * s + 2.0 * c * c, 0.0], [0.0, 0.0, 5.0]];
        let (values, directions) = principal(&turned);
        for (value, expected) in values.iter().zip([1.0, 2.0, 5.0]) {
            assert!((value - expected).abs() < 1e-14);
        }
        assert!((directions[0][0].abs() - c).abs() < 1e-14, "{directions:?}");
        assert!((directions[2][2].abs() - 1.0).abs() < 1e-14);
    }

    #[test]
    fn definiteness() {
        assert_eq!(lost_definiteness(&[2.0, 1.0, 1.0, 2.0], 2, 1e-12), None);
        assert_eq!(lost_definiteness(&[1.0, 2.0, 2.0, 1.0], 2, 1e-12), Some(1));
        assert_eq!(lost_definiteness(&[1.0, 1.0, 1.0, 1.0], 2, 1e-12), Some(1));
        assert_eq!(lost_definiteness(&[f64::NAN], 1, 1e-12), Some(0));
        assert_eq!(asymmetry(&[1.0, 2.0, 2.1, 1.0], 2), Some((0, 1)));
    }
}
