//! The flow of ẋ = A(t) x over one period, step by step.
//!
//! Gauss collocation of three stages (order six): (1 − h a_ij A_i) K_j = A_i, E = 1 + h Σ b_i K_i, for all columns at once. It is
//! A-stable, so that modes too fast for the steps are wrong in phase but spoil no slow one. Source: E. Hairer, G. Wanner,
//! Solving Ordinary Differential Equations II, 1996, IV.5. Typeset: book/src/theory/linear_analysis.md (LA.12). Cost: one
//! factorisation of 3n × 3n per step.

use crate::analysis::AnalysisError;
use nalgebra::DMatrix;

/// Steps of one period and their product.
pub(super) struct Flow {
    /// x at the end of each step over x at its start.
    pub steps: Vec<DMatrix<f64>>,
    /// x after the period over x before it.
    pub monodromy: DMatrix<f64>,
}

/// The flow of `matrix`, a function of the share of the period that is over, in `count` steps.
pub(super) fn flow(
    period: f64,
    count: usize,
    mut matrix: impl FnMut(f64) -> Result<DMatrix<f64>, AnalysisError>,
) -> Result<Flow, AnalysisError> {
    let h = 1.0 / count as f64;
    let mut steps = Vec::with_capacity(count);
    let mut monodromy: Option<DMatrix<f64>> = None;
    for i in 0..count {
        let stages = nodes().map(|c| matrix((i as f64 + c) * h));
        let [one, two, three] = stages;
        let step = step(h * period, &[one?, two?, three?]).ok_or(AnalysisError::NotFinite)?;
        monodromy = Some(monodromy.map_or_else(|| step.clone(), |before| &step * before));
        steps.push(step);
    }
    monodromy.map(|monodromy| Flow { steps, monodromy }).ok_or(AnalysisError::NotFinite)
}

fn nodes() -> [f64; 3] {
    let root = 15.0_f64.sqrt();
    [0.5 - root / 10.0, 0.5, 0.5 + root / 10.0]
}

/// E of one step of length h.
fn step(h: f64, a: &[DMatrix<f64>; 3]) -> Option<DMatrix<f64>> {
    let n = a[0].nrows();
    let r = 15.0_f64.sqrt();
    let weights = [
        [5.0 / 36.0, 2.0 / 9.0 - r / 15.0, 5.0 / 36.0 - r / 30.0],
        [5.0 / 36.0 + r / 24.0, 2.0 / 9.0, 5.0 / 36.0 - r / 24.0],
        [5.0 / 36.0 + r / 30.0, 2.0 / 9.0 + r / 15.0, 5.0 / 36.0],
    ];
    let mut left = DMatrix::identity(3 * n, 3 * n);
    let mut right = DMatrix::zeros(3 * n, n);
    for (i, stage) in a.iter().enumerate() {
        right.view_mut((i * n, 0), (n, n)).copy_from(stage);
        for (j, weight) in weights[i].iter().enumerate() {
            let mut block = left.view_mut((i * n, j * n), (n, n));
            block -= stage * (h * weight);
        }
    }
    let slopes = left.lu().solve(&right)?;
    let mut step = DMatrix::identity(n, n);
    for (i, b) in [5.0 / 18.0, 4.0 / 9.0, 5.0 / 18.0].into_iter().enumerate() {
        step += slopes.view((i * n, 0), (n, n)) * (h * b);
    }
    step.iter().all(|x| x.is_finite()).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    /// Half the trace of the monodromy matrix of ẍ + (a − 2q cos 2t) x = 0 over its period π.
    fn mathieu(a: f64, q: f64, steps: usize) -> f64 {
        let matrix = |share: f64| {
            let stiffness = a - 2.0 * q * (2.0 * PI * share).cos();
            Ok(DMatrix::from_row_slice(2, 2, &[0.0, 1.0, -stiffness, 0.0]))
        };
        flow(PI, steps, matrix).expect("a flow").monodromy.trace() / 2.0
    }

    /// Characteristic values of Mathieu's equation, where stability ends: M. Abramowitz, I. A. Stegun, Handbook of Mathematical
    /// Functions, 1964, table 20.1 (a₀ and b₂, a₂ have period π, b₁ and a₁ twice that).
    #[test]
    fn stability_of_mathieus_equation_ends_where_the_tables_say() {
        let table = [
            (5.0, -5.800_046_02, 1.0),
            (5.0, -5.790_080_60, -1.0),
            (5.0, 1.858_187_54, -1.0),
            (5.0, 2.099_460_45, 1.0),
            (5.0, 7.449_109_74, 1.0),
            (10.0, -13.936_979_96, 1.0),
            (10.0, -13.936_552_48, -1.0),
        ];
        for (q, a, edge) in table {
            let found = |a: f64| mathieu(a, q, 200) - edge;
            // The edge lies within the last digit of the table.
            let (below, above) = (found(a - 2e-8), found(a + 2e-8));
            assert!(below * above < 0.0, "q = {q}, a = {a}: {below:e} {above:e}");
        }
    }

    #[test]
    fn steps_are_of_order_six() {
        let exact = mathieu(1.3, 0.9, 400);
        let error = |steps| (mathieu(1.3, 0.9, steps) - exact).abs();
        let order = (error(8) / error(16)).log2();
        assert!((5.5..7.0).contains(&order), "{order}");
    }
}
