//! A constant orientation.

use super::IDENTITY;
use crate::spatial::Matrix3;
use std::ops::Deref;

/// Orientation of a frame relative to what carries it. Most frames have the same axes and then take no memory for nine numbers: a
/// rigid body of a long chain has four of them. Reads like the matrix it stands for.
#[derive(Clone, Debug)]
pub struct Orientation(Option<Box<Matrix3>>);

impl From<Matrix3> for Orientation {
    fn from(matrix: Matrix3) -> Self {
        let bits = |m: &Matrix3| m.map(|row| row.map(f64::to_bits));
        Self((bits(&matrix) != bits(&IDENTITY)).then(|| Box::new(matrix)))
    }
}

impl Deref for Orientation {
    type Target = Matrix3;

    fn deref(&self) -> &Matrix3 {
        self.0.as_deref().unwrap_or(&IDENTITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_orientation_is_its_matrix() {
        let turned = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let signed = [[1.0, -0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for matrix in [IDENTITY, turned, signed] {
            let kept = Orientation::from(matrix);
            assert_eq!(kept.map(|row| row.map(f64::to_bits)), matrix.map(|row| row.map(f64::to_bits)));
        }
        assert!(Orientation::from(IDENTITY).0.is_none());
    }
}
