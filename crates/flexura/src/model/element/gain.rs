//! What an element adds to the tangent of an implicit step, as a sum of squares.
//!
//! Over a motion x of the second frame seen from the first, [δθ; δr], with weights of
//! stiffness and damping, B = −∂w/∂x β − ∂w/∂ẋ γ, w the wrench on the second frame. Dual
//! numbers run through [`ElementKind::evaluate`] once: position and velocity vary
//! together. A Cholesky factorisation with pivots (Higham, Accuracy and Stability of
//! Numerical Algorithms, section 10.3) of the symmetric part of B gives rows r with
//! B ≈ Σ r r*; it ends where a pivot is no longer positive. So what is left out is what
//! would spoil a positive definite tangent (a compressed line sideways, the antisymmetric
//! part of a tyre), and a spring along a line costs one row, not six.

use super::ElementKind;
use super::relative::FrameState;
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Spatial, lift_matrix, lift3};

type Varied = Dual<6>;

/// Part of an entry of the diagonal below which what is left of it is rounding, or not worth a row.
const REMAINDER: f64 = 1e-3;

/// Rows r of B ≈ Σ r r*: wrenches on the second frame at its origin, common basis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gains {
    rows: [Spatial; 6],
    count: usize,
}

impl Gains {
    /// The rows.
    pub fn rows(&self) -> &[Spatial] {
        &self.rows[..self.count]
    }
}

impl ElementKind {
    /// What the element adds to a tangent with weights of stiffness (s²) and damping (s); nothing for what is driven.
    pub(crate) fn gains(
        &self,
        first: &FrameState,
        second: &FrameState,
        stiffness: f64,
        damping: f64,
    ) -> Gains {
        if self.effort().is_some() {
            return Gains { rows: [[0.0; 6]; 6], count: 0 };
        }
        let wrench = self.evaluate(&lifted(first), &varied(second, stiffness, damping)).wrench;
        let symmetric = |i: usize, j: usize| -0.5 * (wrench[i].eps[j] + wrench[j].eps[i]);
        squares(std::array::from_fn(|i| std::array::from_fn(|j| symmetric(i, j))))
    }
}

/// Rows of the positive part of `b`; forces before moments, which have another unit.
fn squares(mut b: [[f64; 6]; 6]) -> Gains {
    let diagonal: [f64; 6] = std::array::from_fn(|i| b[i][i]);
    let mut gains = Gains { rows: [[0.0; 6]; 6], count: 0 };
    for group in [3..6, 0..3] {
        for _ in group.clone() {
            let largest =
                group.clone().fold(group.start, |best, i| if b[i][i] > b[best][best] { i } else { best });
            let pivot = b[largest][largest];
            // A NaN must not pass.
            if !(pivot > REMAINDER * diagonal[largest].abs() && pivot.is_finite()) {
                break;
            }
            let root = pivot.sqrt();
            let row: Spatial = std::array::from_fn(|j| b[largest][j] / root);
            for i in 0..6 {
                for j in 0..6 {
                    b[i][j] -= row[i] * row[j];
                }
            }
            gains.rows[gains.count] = row;
            gains.count += 1;
        }
    }
    gains
}

/// The frame with derivatives that are all zero.
#[inline(always)]
fn lifted(frame: &FrameState) -> FrameState<Varied> {
    FrameState {
        rotation: lift_matrix(&frame.rotation),
        position: lift3(&frame.position),
        velocity: frame.velocity.map(Varied::from_f64),
    }
}

/// A frame that moves by `by` and is `faster` along each of the six directions.
#[inline(always)]
fn varied(frame: &FrameState, by: f64, faster: f64) -> FrameState<Varied> {
    let mut out = lifted(frame);
    for k in 0..3 {
        // Column c of R turns by e_k × column.
        let (next, last) = ((k + 1) % 3, (k + 2) % 3);
        for c in 0..3 {
            out.rotation[last][c].eps[k] = by * frame.rotation[next][c];
            out.rotation[next][c].eps[k] = -by * frame.rotation[last][c];
        }
        out.position[k].eps[3 + k] = by;
    }
    for (k, velocity) in out.velocity.iter_mut().enumerate() {
        velocity.eps[k] = faster;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::element::SpringDamper;
    use crate::spatial::identity3;

    #[test]
    fn positive_parts_are_kept() {
        // 2 e₄e₄* + 3 uu* with u = (0, 1, 0, 0, 2, 0), and −1 along e₆.
        let u: Spatial = [0.0, 1.0, 0.0, 0.0, 2.0, 0.0];
        let mut b: [[f64; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|j| 3.0 * u[i] * u[j]));
        b[3][3] += 2.0;
        b[5][5] = -1.0;
        let gains = squares(b);
        assert_eq!(gains.rows().len(), 2);
        b[5][5] = 0.0;
        for i in 0..6 {
            for j in 0..6 {
                let sum: f64 = gains.rows().iter().map(|row| row[i] * row[j]).sum();
                assert!((sum - b[i][j]).abs() < 1e-14, "{i} {j}");
            }
        }
    }

    #[test]
    fn a_bushing_has_what_its_tangent_has() {
        let bushing = ElementKind::Bushing(crate::model::element::Bushing::diagonal(
            [30.0, 20.0, 10.0, 3e3, 2e3, 1e3],
            [0.3; 6],
        ));
        let rotation = crate::spatial::rotation_exp(&[0.3, -0.2, 0.5]);
        let first = FrameState { rotation, position: [0.1, 0.2, 0.3], velocity: [0.0; 6] };
        // At rest in the first frame: no force, and the tangent is symmetric.
        let gains = bushing.gains(&first, &first, 0.25, 0.5);
        let tangent = bushing.tangent(&first, &first);
        for i in 0..6 {
            for j in 0..6 {
                let sum: f64 = gains.rows().iter().map(|row| row[i] * row[j]).sum();
                let exact = -0.25 * tangent.position[6 + i][6 + j] - 0.5 * tangent.velocity[6 + i][6 + j];
                assert!((sum - exact).abs() < 1e-9, "{i} {j}: {sum} {exact}");
            }
        }
    }

    #[test]
    fn a_spring_at_rest_is_one_row_along_its_line() {
        let spring = ElementKind::SpringDamper(SpringDamper::linear(5.0, 100.0, 7.0));
        let frame = |position| FrameState { rotation: identity3(), position, velocity: [0.0; 6] };
        let (first, second) = (frame([1.0, 2.0, 3.0]), frame([4.0, 2.0, 7.0]));
        let gains = spring.gains(&first, &second, 0.25, 0.5);
        assert_eq!(gains.rows().len(), 1);
        let size = (0.25 * 100.0 + 0.5 * 7.0_f64).sqrt();
        for (found, expected) in gains.rows()[0].iter().zip([0.0, 0.0, 0.0, 0.6, 0.0, 0.8]) {
            assert!((found.abs() - size * expected).abs() < 1e-12);
        }
    }
}
