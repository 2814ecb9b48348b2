//! The frame of a body as a linear function of natural coordinates.
//!
//! The origin and the three axes form X = [r₀ u v w], 3×4. Each coordinate c adds
//! q_c Z_c with a constant 3×4 matrix Z_c, so X = X₀ + Σ q_c Z_c and rates follow
//! without velocity terms. A force on the frame is a 3×4 matrix W conjugate to
//! X; its generalised force is Z_c : W. A point with local position y is X (1, y),
//! a vector with local components d is X (0, d).

use crate::spatial::{Matrix3, Vector3, add, cross, scale};

/// A 3×4 matrix [r₀ u v w].
pub(super) type Frame = [[f64; 4]; 3];

/// Coefficients (1, y) of a point or (0, d) of a vector.
pub(super) type Weights = [f64; 4];

/// All zero.
pub(super) const NO_FRAME: Frame = [[0.0; 4]; 3];

/// X w.
#[inline(always)]
pub(super) fn at(x: &Frame, w: &Weights) -> Vector3 {
    std::array::from_fn(|i| x[i][0] * w[0] + x[i][1] * w[1] + x[i][2] * w[2] + x[i][3] * w[3])
}

/// Axis i (0 to 2) of a frame.
#[inline(always)]
pub(super) fn axis(x: &Frame, i: usize) -> Vector3 {
    [x[0][i + 1], x[1][i + 1], x[2][i + 1]]
}

/// A d: local components to inertial ones.
#[inline(always)]
pub(super) fn turn(x: &Frame, d: &Vector3) -> Vector3 {
    std::array::from_fn(|i| x[i][1] * d[0] + x[i][2] * d[1] + x[i][3] * d[2])
}

/// Aᵀ f: inertial components to local ones.
#[inline(always)]
pub(super) fn turn_back(x: &Frame, f: &Vector3) -> Vector3 {
    std::array::from_fn(|i| x[0][i + 1] * f[0] + x[1][i + 1] * f[1] + x[2][i + 1] * f[2])
}

/// Rotation matrix of a frame.
pub(super) fn rotation(x: &Frame) -> Matrix3 {
    std::array::from_fn(|i| [x[i][1], x[i][2], x[i][3]])
}

/// W += f wᵀ: a force f on what has weights w.
#[inline(always)]
pub(super) fn push(into: &mut Frame, f: &Vector3, w: &Weights) {
    for i in 0..3 {
        for j in 0..4 {
            into[i][j] += f[i] * w[j];
        }
    }
}

/// Adds a moment τ: ½ τ × axis on each axis, because Σ ½ (τ × u)·(ω × u) = τ·ω.
#[inline(always)]
pub(super) fn push_moment(into: &mut Frame, x: &Frame, moment: &Vector3) {
    for j in 0..3 {
        let side = cross(moment, &axis(x, j));
        for i in 0..3 {
            into[i][j + 1] += 0.5 * side[i];
        }
    }
}

/// Angular velocity ½ Σ u × u̇, inertial components.
#[inline(always)]
pub(super) fn spin(x: &Frame, rate: &Frame) -> Vector3 {
    let sum = (0..3).fold([0.0; 3], |sum, j| add(&sum, &cross(&axis(x, j), &axis(rate, j))));
    scale(0.5, &sum)
}

/// a : b.
#[inline(always)]
pub(super) fn contract(a: &Frame, b: &Frame) -> f64 {
    let mut sum = 0.0;
    for i in 0..3 {
        sum += a[i][0] * b[i][0] + a[i][1] * b[i][1] + a[i][2] * b[i][2] + a[i][3] * b[i][3];
    }
    sum
}

/// a += s b.
#[inline(always)]
pub(super) fn accumulate(a: &mut Frame, s: f64, b: &Frame) {
    for i in 0..3 {
        for j in 0..4 {
            a[i][j] += s * b[i][j];
        }
    }
}

/// X G for a symmetric 4×4 matrix G.
#[inline(always)]
pub(super) fn times(x: &Frame, g: &[[f64; 4]; 4]) -> Frame {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| x[i][0] * g[0][j] + x[i][1] * g[1][j] + x[i][2] * g[2][j] + x[i][3] * g[3][j])
    })
}

/// X₀ and the Z_c of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameMap {
    /// The part that no coordinate moves.
    pub constant: Frame,
    /// Coordinate c and Z_c.
    pub columns: Vec<(usize, Frame)>,
}

impl FrameMap {
    /// X for coordinates `q`.
    pub fn frame(&self, q: &[f64]) -> Frame {
        let mut x = self.constant;
        for (c, z) in &self.columns {
            accumulate(&mut x, q[*c], z);
        }
        x
    }

    /// Rate of X for rates `v` of the coordinates.
    pub fn rate(&self, v: &[f64]) -> Frame {
        let mut x = NO_FRAME;
        for (c, z) in &self.columns {
            accumulate(&mut x, v[*c], z);
        }
        x
    }

    /// Adds the generalised forces of W times `factor`.
    pub fn add_force(&self, factor: f64, w: &Frame, out: &mut [f64]) {
        for (c, z) in &self.columns {
            out[*c] += factor * contract(z, w);
        }
    }

    /// Adds `z` to the column of coordinate `c`.
    pub fn add_column(&mut self, c: usize, z: &Frame) {
        match self.columns.iter_mut().find(|(known, _)| *known == c) {
            Some((_, column)) => accumulate(column, 1.0, z),
            None => self.columns.push((c, *z)),
        }
    }
}
