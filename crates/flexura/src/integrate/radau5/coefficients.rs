//! Coefficients of the three-stage Radau IIA method and of its transformation.
//!
//! Source: Hairer & Wanner, Solving ODE II, section IV.8; decimals of T and T⁻¹ as in the authors' code RADAU5.
//! T⁻¹ A⁻¹ T is block diagonal: the real eigenvalue γ and the pair α ± iβ of A⁻¹. T has the rows given here, with
//! last row (t₃₁, 1, 0).

/// Times of the stages as fractions of the step: (4 ∓ √6)/10 and 1.
pub(crate) const NODES: [f64; 3] = [0.155_051_025_721_682_2, 0.644_948_974_278_317_8, 1.0];
/// Real eigenvalue γ of A⁻¹.
pub(super) const GAMMA: f64 = 3.637_834_252_744_496;
/// Real and imaginary part of the complex eigenvalues of A⁻¹.
pub(super) const ALPHA: f64 = 2.681_082_873_627_752;
pub(super) const BETA: f64 = 3.050_430_199_247_410_5;

pub(super) const T: [[f64; 3]; 3] = [
    [0.091_232_394_870_892_95, -0.141_255_295_020_954_2, -0.030_029_194_105_147_424],
    [0.241_717_932_707_107, 0.204_129_352_293_799_94, 0.382_942_112_757_261_9],
    [0.966_048_182_615_093, 1.0, 0.0],
];
pub(super) const T_INVERSE: [[f64; 3]; 3] = [
    [4.325_579_890_063_155, 0.339_199_251_815_809_84, 0.541_770_539_935_874_9],
    [-4.178_718_591_551_904, -0.327_682_820_761_062_37, 0.476_623_554_500_550_44],
    [-0.502_872_634_945_786_9, 2.571_926_949_855_605, -0.596_039_204_828_224_9],
];

/// Weights e of the stages in the slope of the collocation polynomial at the start of the step, with the opposite sign:
/// (−13 − 7√6, −13 + 7√6, −1)/3.
pub(super) const START_SLOPE: [f64; 3] =
    [-10.048_809_399_827_414, 1.382_142_733_160_749, -0.333_333_333_333_333_3];

/// Coefficients a_ij of the method itself.
pub(crate) fn butcher() -> [[f64; 3]; 3] {
    let r = 6.0_f64.sqrt();
    [
        [(88.0 - 7.0 * r) / 360.0, (296.0 - 169.0 * r) / 1800.0, (-2.0 + 3.0 * r) / 225.0],
        [(296.0 + 169.0 * r) / 1800.0, (88.0 + 7.0 * r) / 360.0, (-2.0 - 3.0 * r) / 225.0],
        [(16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    #[test]
    fn the_transformation_makes_the_inverse_of_the_method_block_diagonal() {
        let blocks = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, -BETA], [0.0, BETA, ALPHA]];
        let identity = times(&butcher(), &times(&T, &times(&blocks, &T_INVERSE)));
        for (i, row) in identity.iter().enumerate() {
            for (j, value) in row.iter().enumerate() {
                let expected = if i == j { 1.0 } else { 0.0 };
                assert!((value - expected).abs() < 1e-14, "{identity:?}");
            }
        }
    }

    /// Rows of A integrate quadratics exactly to the nodes; the slope at the start is that of a cubic.
    #[test]
    fn nodes_and_start_slope_belong_to_the_collocation_polynomial() {
        for (row, c) in butcher().iter().zip(NODES) {
            for power in 0..3 {
                let sum: f64 = row.iter().zip(NODES).map(|(a, node)| a * node.powi(power)).sum();
                assert!((sum - c.powi(power + 1) / f64::from(power + 1)).abs() < 1e-15);
            }
        }
        for (power, slope) in [(1, 1.0), (2, 0.0), (3, 0.0)] {
            let sum: f64 = START_SLOPE.iter().zip(NODES).map(|(e, node)| -e * node.powi(power)).sum();
            assert!((sum - slope).abs() < 1e-14, "{sum}");
        }
    }
}
