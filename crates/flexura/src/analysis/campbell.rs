//! Modes over a parameter, followed from value to value (Campbell diagram).
//!
//! Modes of neighbouring values belong together where the modal assurance
//! criterion MAC = |a*b|²/(a*a b*b) of their complex shapes is largest (Allemang &
//! Brown, IMAC 1982); equal shapes are told apart by their eigenvalues. Pairs are
//! taken best first, so that branches may cross.
//!
//! Typeset: book/src/theory/linear_analysis.md (LA.7).

use super::eigen::Mode;

/// Share of the distance of eigenvalues in the score of a pair: decides where shapes do not.
const NEARNESS: f64 = 0.1;

/// |a*b|²/(a*a b*b) of two complex shapes.
pub fn modal_assurance(a: &[(f64, f64)], b: &[(f64, f64)]) -> f64 {
    let size = |shape: &[(f64, f64)]| shape.iter().map(|z| z.0 * z.0 + z.1 * z.1).sum::<f64>();
    let (mut real, mut imaginary) = (0.0, 0.0);
    for (x, y) in a.iter().zip(b) {
        real += x.0 * y.0 + x.1 * y.1;
        imaginary += x.0 * y.1 - x.1 * y.0;
    }
    let scale = size(a) * size(b);
    if scale > 0.0 { (real * real + imaginary * imaginary) / scale } else { 0.0 }
}

/// For each branch, which mode it is at each value; `None` where it is lost. Branches start at the first value.
pub fn track_modes(values: &[Vec<Mode>]) -> Vec<Vec<Option<usize>>> {
    let count = values.first().map_or(0, Vec::len);
    let mut branches: Vec<Vec<Option<usize>>> = (0..count).map(|i| vec![Some(i)]).collect();
    for pair in values.windows(2) {
        let (before, after) = (&pair[0], &pair[1]);
        let mut scores = Vec::new();
        for (branch, steps) in branches.iter().enumerate() {
            let Some(Some(index)) = steps.last() else { continue };
            scores
                .extend(after.iter().enumerate().map(|(j, mode)| (score(&before[*index], mode), branch, j)));
        }
        scores.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut next = vec![None; branches.len()];
        let mut taken = vec![false; after.len()];
        for (_, branch, j) in scores {
            if next[branch].is_none() && !taken[j] {
                (next[branch], taken[j]) = (Some(j), true);
            }
        }
        for (branch, step) in branches.iter_mut().zip(next) {
            branch.push(step);
        }
    }
    branches
}

fn score(a: &Mode, b: &Mode) -> f64 {
    let apart = (a.real - b.real).hypot(a.imaginary - b.imaginary);
    let size = (a.frequency() + b.frequency()).max(f64::MIN_POSITIVE);
    modal_assurance(&a.shape, &b.shape) - NEARNESS * apart / size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(imaginary: f64, shape: [f64; 2]) -> Mode {
        Mode { real: 0.0, imaginary, shape: shape.map(|x| (x, 0.0)).to_vec() }
    }

    #[test]
    fn branches_cross() {
        let at = |t: f64| {
            let mut list = vec![mode(1.0 + t, [1.0, 0.1]), mode(2.0 - t, [0.1, 1.0])];
            list.sort_by(|a, b| a.imaginary.total_cmp(&b.imaginary));
            list
        };
        let values: Vec<Vec<Mode>> = [0.0, 0.3, 0.7, 1.0].map(at).to_vec();
        let branches = track_modes(&values);
        assert_eq!(branches[0], [Some(0), Some(0), Some(1), Some(1)]);
        assert_eq!(branches[1], [Some(1), Some(1), Some(0), Some(0)]);
    }

    #[test]
    fn assurance_ignores_size_and_phase() {
        let a = [(1.0, 0.5), (-0.2, 0.3)];
        let turned = a.map(|(x, y)| (-3.0 * y, 3.0 * x));
        assert!((modal_assurance(&a, &turned) - 1.0).abs() < 1e-14);
        assert_eq!(modal_assurance(&[(1.0, 0.0), (0.0, 0.0)], &[(0.0, 0.0), (0.0, 1.0)]), 0.0);
    }
}
