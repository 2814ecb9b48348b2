//! Modal stiffness and damping matrices, diagonal where they can be.

use crate::scalar::Scalar;

/// A symmetric matrix over the modes of one body.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
pub enum ModalMatrix {
    /// All zero.
    Zero,
    /// Only diagonal entries.
    Diagonal(Vec<f64>),
    /// Row-major full matrix.
    Full(Vec<f64>),
}

impl ModalMatrix {
    /// The most compact form of the row-major `n × n` matrix `full`.
    pub fn compact(full: Vec<f64>, n: usize) -> Self {
        if full.iter().all(|&v| v == 0.0) {
            return Self::Zero;
        }
        let diagonal = full.iter().enumerate().all(|(k, &v)| k % (n + 1) == 0 || v == 0.0);
        if diagonal { Self::Diagonal((0..n).map(|i| full[i * (n + 1)]).collect()) } else { Self::Full(full) }
    }

    /// Entry (i, j) of an `n × n` matrix.
    pub fn entry(&self, i: usize, j: usize, n: usize) -> f64 {
        match self {
            Self::Zero => 0.0,
            Self::Diagonal(d) => {
                if i == j {
                    d[i]
                } else {
                    0.0
                }
            }
            Self::Full(m) => m[i * n + j],
        }
    }

    /// out += matrix × x.
    #[inline]
    pub fn accumulate<S: Scalar>(&self, x: &[S], out: &mut [S]) {
        if S::OVER_CONSTANTS {
            // Entries are met alike whatever form they have.
            for (i, slot) in out.iter_mut().enumerate() {
                x.iter().enumerate().for_each(|(j, &x_j)| *slot += x_j * self.entry(i, j, x.len()));
            }
            return;
        }
        match self {
            Self::Zero => {}
            Self::Diagonal(d) => {
                for i in 0..d.len() {
                    out[i] += x[i] * d[i];
                }
            }
            Self::Full(m) => {
                let n = x.len();
                for i in 0..n {
                    let mut sum = out[i];
                    for j in 0..n {
                        sum += x[j] * m[i * n + j];
                    }
                    out[i] = sum;
                }
            }
        }
    }

    /// xᵀ matrix x.
    pub fn quadratic_form<S: Scalar>(&self, x: &[S]) -> S {
        let n = x.len();
        let mut sum = S::ZERO;
        if S::OVER_CONSTANTS {
            for (i, &x_i) in x.iter().enumerate() {
                x.iter().enumerate().for_each(|(j, &x_j)| sum += x_i * x_j * self.entry(i, j, n));
            }
            return sum;
        }
        match self {
            Self::Zero => {}
            Self::Diagonal(d) => {
                for i in 0..n {
                    sum += x[i] * x[i] * d[i];
                }
            }
            Self::Full(m) => {
                for i in 0..n {
                    for j in 0..n {
                        sum += x[i] * x[j] * m[i * n + j];
                    }
                }
            }
        }
        sum
    }
}
