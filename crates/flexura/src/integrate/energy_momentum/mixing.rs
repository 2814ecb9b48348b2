//! Acceleration of a slow iteration by its own history.
//!
//! Source: Anderson, J. ACM 12 (1965) 547-560, in the form of Walker & Ni, SIAM J. Numer. Anal. 49 (2011) 1715-1735.
//! With the correction f(x) of a simple iteration x → x + f, the next x is the one whose correction, continued
//! linearly from the last few, is smallest: x + f − Σ γ (Δx + Δf), γ minimising |f − Σ γ Δf|. Cost O(depth) vectors.

use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};

/// Differences kept.
const DEPTH: usize = 5;
/// Added to the diagonal of the normal matrix, relative to it.
const REGULAR: f64 = 1e-14;

/// History of one iteration.
#[derive(Clone, Debug)]
pub(super) struct Mixing {
    /// Entries of x that count in the norm.
    counted: usize,
    /// Δx and Δf of the last iterations.
    moves: Vec<Vec<f64>>,
    changes: Vec<Vec<f64>>,
    last_x: Vec<f64>,
    last_f: Vec<f64>,
    taken: usize,
    normal: Vec<f64>,
    weights: Vec<f64>,
}

impl Mixing {
    /// Scratch for vectors of length `size`, of which the first `counted` enter the norm.
    pub fn new(size: usize, counted: usize) -> Self {
        let zero = vec![0.0; size];
        Self {
            counted,
            moves: vec![zero.clone(); DEPTH],
            changes: vec![zero.clone(); DEPTH],
            last_x: zero.clone(),
            last_f: zero,
            taken: 0,
            normal: vec![0.0; DEPTH * DEPTH],
            weights: vec![0.0; DEPTH],
        }
    }

    /// Forgets the history.
    pub fn restart(&mut self) {
        self.taken = 0;
    }

    /// Moves `x` by the correction `f`, improved by the history.
    pub fn advance(&mut self, x: &mut [f64], f: &[f64]) {
        if self.taken > 0 {
            let slot = (self.taken - 1) % DEPTH;
            for i in 0..x.len() {
                self.moves[slot][i] = x[i] - self.last_x[i];
                self.changes[slot][i] = f[i] - self.last_f[i];
            }
        }
        let known = self.taken.min(DEPTH);
        self.last_x.copy_from_slice(x);
        self.last_f.copy_from_slice(f);
        self.taken += 1;
        let solved = self.solve(known, f);
        for i in 0..x.len() {
            x[i] += f[i];
            if solved {
                for j in 0..known {
                    x[i] -= self.weights[j] * (self.moves[j][i] + self.changes[j][i]);
                }
            }
        }
    }

    /// Least-squares weights; false where there is nothing to learn from.
    fn solve(&mut self, known: usize, f: &[f64]) -> bool {
        let n = self.counted;
        let product = |a: &[f64], b: &[f64]| -> f64 { a[..n].iter().zip(&b[..n]).map(|(x, y)| x * y).sum() };
        for j in 0..known {
            for k in 0..=j {
                self.normal[j * known + k] = product(&self.changes[j], &self.changes[k]);
            }
            self.weights[j] = product(&self.changes[j], f);
        }
        let largest = (0..known).fold(0.0, |best: f64, j| best.max(self.normal[j * known + j]));
        for j in 0..known {
            self.normal[j * known + j] += REGULAR * largest;
        }
        if known == 0 || cholesky_in_place(&mut self.normal[..known * known], known).is_err() {
            return false;
        }
        solve_lower(&self.normal[..known * known], known, &mut self.weights[..known]);
        solve_lower_transposed(&self.normal[..known * known], known, &mut self.weights[..known]);
        self.weights[..known].iter().all(|weight| weight.is_finite())
    }
}
