//! Eigenvectors of values that several modes share, and how such modes are told apart.
//!
//! Blades that hardly feel each other have one multiplier for all their modes, so that any mixture of these is an eigenvector. The
//! space of a value is found by inverse iteration with as many vectors; in it a Hermitian form, such as the mean
//! number of the harmonic, is made diagonal, which separates them. Cost O(n³) per value.

use nalgebra::{Complex, DMatrix, SymmetricEigen};

pub(super) type Complexes = DMatrix<Complex<f64>>;

/// Relative distance of values that count as one.
const TOGETHER: f64 = 1e-8;
/// Relative distance of a shift from its value.
const NEAR: f64 = 1e-10;
/// Rounding of a matrix beside its size.
const ROUNDING: f64 = 1e-15;
/// Residual |M v − μ v| / |μ| above which v is no eigenvector of μ.
const RESIDUAL: f64 = 1e-3;

/// Groups of equal values: (value, how many).
pub(super) fn groups(values: &[Complex<f64>], scale: f64) -> Vec<(Complex<f64>, usize)> {
    let mut groups: Vec<(Complex<f64>, usize)> = Vec::new();
    for &value in values {
        let near = |known: &Complex<f64>| (known - value).norm() <= TOGETHER * value.norm() + 1e-14 * scale;
        match groups.iter_mut().find(|(known, _)| near(known)) {
            Some(group) => group.1 += 1,
            None => groups.push((value, 1)),
        }
    }
    groups
}

/// An orthonormal basis of the space of `value`, of `count` vectors, in columns; none where rounding hides it. `scale` is the size of
/// the largest value.
pub(super) fn space(
    matrix: &DMatrix<f64>,
    value: Complex<f64>,
    scale: f64,
    count: usize,
) -> Option<Complexes> {
    // Slightly off the value the matrix stays invertible. Values far below the largest lie closer together than any share of it: only
    // where the close shift fails, as between values that are one but for rounding, the far one is tried.
    let close = NEAR * value.norm() + ROUNDING * scale;
    let allowed = RESIDUAL * value.norm() + 100.0 * ROUNDING * matrix.norm();
    [close, NEAR * scale].into_iter().find_map(|off| {
        let basis = inverse_iteration(matrix, value + Complex::new(1.0, 0.7) * off, count)?;
        (residual(matrix, &basis, value) <= allowed).then_some(basis)
    })
}

/// Vectors along the values that are nearest to `shift`.
fn inverse_iteration(matrix: &DMatrix<f64>, shift: Complex<f64>, count: usize) -> Option<Complexes> {
    let n = matrix.nrows();
    let shifted = Complexes::from_fn(n, n, |i, j| {
        Complex::new(matrix[(i, j)], 0.0) - if i == j { shift } else { Complex::new(0.0, 0.0) }
    });
    let factor = shifted.lu();
    // Start vectors with parts along everything, the same in every run.
    let start = |i: usize, j: usize| {
        let k = (i * (7 + 4 * j) + 3 * j) % 11;
        Complex::new(
            1.0 + 0.3 * k as f64 * if (i + j).is_multiple_of(2) { 1.0 } else { -1.0 },
            0.1 * ((i + j) % 3) as f64,
        )
    };
    let mut basis = Complexes::from_fn(n, count, start).qr().q();
    for _ in 0..4 {
        let next = factor.solve(&basis)?;
        if next.iter().any(|z| !(z.re.is_finite() && z.im.is_finite())) {
            return None;
        }
        basis = next.qr().q();
    }
    Some(basis)
}

/// How far M V is from V B, B = V*MV, and the mean of the values of B from `value`: of one vector both are parts of M v − μ v, of several
/// the value may lack eigenvectors.
fn residual(matrix: &DMatrix<f64>, basis: &Complexes, value: Complex<f64>) -> f64 {
    let moved = matrix.map(|entry| Complex::new(entry, 0.0)) * basis;
    let inside = basis.adjoint() * &moved;
    let mean = inside.trace() / Complex::new(basis.ncols() as f64, 0.0);
    (moved - basis * inside).norm().max((mean - value).norm())
}

/// Combinations of a basis, in columns, that make `form` diagonal beside `gram`, both Hermitian over the basis.
pub(super) fn separate(gram: &Complexes, form: &Complexes) -> Complexes {
    let count = gram.nrows();
    let plain = || Complexes::identity(count, count);
    if count < 2 {
        return plain();
    }
    let Some(factor) = gram.clone().cholesky() else { return plain() };
    let lower = factor.l();
    // L⁻¹ F L⁻*.
    let Some(half) = lower.solve_lower_triangular(form) else { return plain() };
    let Some(scaled) = lower.solve_lower_triangular(&half.adjoint()) else { return plain() };
    let Some(found) = SymmetricEigen::try_new(scaled, 1e-14, 10_000) else { return plain() };
    lower.adjoint().solve_upper_triangular(&found.eigenvectors).unwrap_or_else(plain)
}

/// Entries of a shape with the largest made one.
pub(super) fn normalised<'a>(shape: impl IntoIterator<Item = &'a Complex<f64>> + Clone) -> Vec<(f64, f64)> {
    let zero = Complex::new(0.0, 0.0);
    let larger = |a: Complex<f64>, b: &Complex<f64>| if b.norm() > a.norm() { *b } else { a };
    let largest = shape.clone().into_iter().fold(zero, larger);
    let unit = if largest.norm() > 0.0 { largest.inv() } else { Complex::new(1.0, 0.0) };
    shape.into_iter().map(|z| z * unit).map(|z| (z.re, z.im)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A symmetric matrix of known values, turned out of its axes, and these axes in columns.
    fn turned(values: &[f64]) -> (DMatrix<f64>, DMatrix<f64>) {
        let n = values.len();
        let entry = |i: usize, j: usize| (1.7 * (i * n + j) as f64 + 0.3).sin();
        let axes = DMatrix::from_fn(n, n, entry).qr().q();
        let values = DMatrix::from_diagonal(&nalgebra::DVector::from_column_slice(values));
        (&axes * values * axes.transpose(), axes)
    }

    /// Multipliers of strongly damped modes lie closer together than 1e-10 of the largest.
    #[test]
    fn small_values_have_their_own_vectors() {
        let values = [1.0, 3e-10, 1.4e-10, 0.4, -2e-10, 1e-2];
        let (matrix, axes) = turned(&values);
        for (k, &value) in values.iter().enumerate() {
            let basis = space(&matrix, Complex::new(value, 0.0), 1.0, 1).expect("a vector");
            let along: f64 =
                (0..values.len()).map(|i| basis[(i, 0)] * axes[(i, k)]).sum::<Complex<f64>>().norm();
            assert!((along - 1.0).abs() < 1e-9, "{value:e}: {along}");
        }
    }

    /// What is no value has no vector, and a value with fewer vectors than its count still has a space.
    #[test]
    fn spaces_that_are_not_there_are_refused() {
        let (matrix, _) = turned(&[1.0, 3e-10, 1.4e-10, 0.4]);
        assert_eq!(space(&matrix, Complex::new(2.2e-10, 0.0), 1.0, 1), None);
        assert_eq!(space(&matrix, Complex::new(0.5, 0.0), 1.0, 1), None);
        let mut chain = DMatrix::from_diagonal(&nalgebra::DVector::from_column_slice(&[0.0, 0.0, 3.0]));
        chain[(0, 1)] = 1.0;
        let basis = space(&chain, Complex::new(0.0, 0.0), 3.0, 2).expect("a space");
        assert!(basis.row(2).norm() < 1e-6, "{basis}");
    }
}
