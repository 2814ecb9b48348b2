//! Eigenvectors of values that several modes share, and how such modes are told apart.
//!
//! Blades that hardly feel each other have one multiplier for all their modes, so that any mixture of these is an eigenvector. The
//! space of a value is found by inverse iteration with as many vectors; in it a Hermitian form, such as the mean
//! number of the harmonic, is made diagonal, which separates them. Cost O(n³) per value.

use nalgebra::{Complex, DMatrix, SymmetricEigen};

pub(super) type Complexes = DMatrix<Complex<f64>>;

/// Relative distance of values that count as one.
const TOGETHER: f64 = 1e-8;

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

/// An orthonormal basis of the space of `value`, of `count` vectors, in columns.
pub(super) fn space(matrix: &DMatrix<f64>, value: Complex<f64>, scale: f64, count: usize) -> Complexes {
    let n = matrix.nrows();
    // A shift slightly off the value keeps the matrix invertible.
    let shift = value + Complex::new(1e-10, 0.7e-10) * scale.max(1e-12);
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
        let Some(next) = factor.solve(&basis) else { break };
        if next.iter().any(|z| !(z.re.is_finite() && z.im.is_finite())) {
            break;
        }
        basis = next.qr().q();
    }
    basis
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
