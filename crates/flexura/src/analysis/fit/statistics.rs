//! What residuals and their derivatives tell of the unknowns: deviations, intervals, correlations, and what the data do not see.
//!
//! Source: Seber & Wild, Nonlinear Regression, sections 5.1 and 3.3; Brun, Reichert & Künsch, Practical identifiability analysis, Water Resources
//! Research 37 (2001). With J the derivatives of the m weighted residuals over n unknowns, each measured in its scale, J = U Σ Vᵀ: the
//! covariance is s² V Σ⁻² Vᵀ with s² = rᵀr/(m − n). A column of V with s/σ above one is a combination of unknowns that could change by
//! its whole scale without the data noticing.
//!
//! Residuals count as independent: noise that lasts over several rows makes the intervals too narrow.

use crate::linear::singular_values;
use nalgebra::DMatrix;

/// What the data tell of the unknowns, in units of their scales.
pub(super) struct Statistics {
    /// Standard deviations.
    pub deviations: Vec<f64>,
    /// Correlations, row by row.
    pub correlations: Vec<f64>,
    /// Singular values of the derivatives over their largest, falling.
    pub singular_values: Vec<f64>,
    /// Combinations that the data do not see: weights of the unknowns, and the deviation along them.
    pub unseen: Vec<(Vec<f64>, f64)>,
}

/// The statistics at a minimum; `None` where derivatives are not finite.
pub(super) fn statistics(jacobian: &[f64], residuals: &[f64], n: usize) -> Option<Statistics> {
    let rows = residuals.len();
    let variance = residuals.iter().map(|r| r * r).sum::<f64>() / (rows - n) as f64;
    let found = singular_values(DMatrix::from_row_slice(rows, n, jacobian), false, true)?;
    let (sigma, v) = (&found.singular_values, found.v_t.as_ref()?);
    let largest = sigma.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    // A singular value of zero is one of rounding: its deviation is large, not infinite.
    let inverse: Vec<f64> = sigma.iter().map(|s| 1.0 / s.max(1e-15 * largest)).collect();
    let covariance = |i: usize, j: usize| -> f64 {
        variance * (0..n).map(|k| v[(k, i)] * v[(k, j)] * inverse[k] * inverse[k]).sum::<f64>()
    };
    let deviations: Vec<f64> = (0..n).map(|i| covariance(i, i).sqrt()).collect();
    let correlation =
        |i: usize, j: usize| covariance(i, j) / (deviations[i] * deviations[j]).max(f64::MIN_POSITIVE);
    let correlations = (0..n * n).map(|k| correlation(k / n, k % n)).collect();
    let along = |k: usize| variance.sqrt() * inverse[k];
    let blind = (0..n).filter(|&k| along(k) > 1.0 || sigma[k] < 1e-9 * largest);
    let unseen = blind.map(|k| ((0..n).map(|i| v[(k, i)]).collect(), along(k))).collect();
    let singular_values = sigma.iter().map(|s| s / largest).collect();
    Some(Statistics { deviations, correlations, singular_values, unseen })
}

/// Quantile of Student's distribution with `freedom` degrees at probability ½(1 + `confidence`).
///
/// Source: Abramowitz & Stegun, 26.2.23 (refined by Newton's method on 26.2.17's density) and 26.7.5.
pub(super) fn interval_factor(confidence: f64, freedom: usize) -> f64 {
    let z = normal_quantile(0.5 * (1.0 + confidence));
    let (z2, f) = (z * z, freedom as f64);
    z + z * (z2 + 1.0) / (4.0 * f)
        + z * (5.0 * z2 * z2 + 16.0 * z2 + 3.0) / (96.0 * f * f)
        + z * (3.0 * z2.powi(3) + 19.0 * z2 * z2 + 17.0 * z2 - 15.0) / (384.0 * f.powi(3))
}

/// Quantile of the normal distribution at p > ½ (A. & S. 26.2.23, error below 4.5e-4, then one correction).
fn normal_quantile(p: f64) -> f64 {
    let t = (-2.0 * (1.0 - p).max(1e-16).ln()).sqrt();
    let z = t
        - (2.515517 + t * (0.802853 + t * 0.010328)) / (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    z + (p - normal_share(z, density)) / density
}

/// Share below z > 0 (A. & S. 26.2.17, error below 7.5e-8).
fn normal_share(z: f64, density: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let list = [1.330_274_429, -1.821_255_978, 1.781_477_937, -0.356_563_782, 0.319_381_530];
    1.0 - density * list.iter().fold(0.0, |sum, c| (sum + c) * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (confidence, freedom, known) in [
            (0.95, 10, 2.2281),
            (0.95, 30, 2.0423),
            (0.99, 10, 3.1693),
            (0.95, 100_000, 1.95998),
            (0.6827, 100_000, 1.0),
        ] {
            let found = interval_factor(confidence, freedom);
            assert!((found - known).abs() < 2e-3 * known, "{confidence} {freedom}: {found}");
        }
    }

    #[test]
    fn a_line_has_the_deviations_of_the_textbook() {
        // y = a + b t at t = −1, 0, 1, residuals (e, −2e, e): s² = 6e²/1, var a = s²/3, var b = s²/2.
        let e = 0.1;
        let jacobian = [1.0, -1.0, 1.0, 0.0, 1.0, 1.0];
        let found = statistics(&jacobian, &[e, -2.0 * e, e], 2).expect("statistics");
        let variance = 6.0 * e * e;
        assert!((found.deviations[0] - (variance / 3.0).sqrt()).abs() < 1e-14);
        assert!((found.deviations[1] - (variance / 2.0).sqrt()).abs() < 1e-14);
        assert!(found.correlations[1].abs() < 1e-14 && found.unseen.is_empty());
        // Two unknowns that act alike: their difference is not seen.
        let alike = [1.0, 1.0, 2.0, 2.0, -1.0, -1.0];
        let found = statistics(&alike, &[e, -2.0 * e, e], 2).expect("statistics");
        let (weights, _) = &found.unseen[0];
        assert!((weights[0] + weights[1]).abs() < 1e-9 && weights[0].abs() > 0.7);
    }
}
