//! Factors LᵀDL of symmetric positive definite matrices whose unknowns hang in a tree: an entry couples an unknown with those on its way to
//! the root only.
//!
//! Source: Featherstone, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees", International Journal of Robotics Research 24
//! (2005) 487-500: eliminated from the tips inward, such a matrix fills nowhere. A row holds its unknown and those above it, the diagonal first. Cost Σ d² for
//! the factors and 2 Σ d for a right side, d the number of unknowns on the way to the root; no allocation after creation.

/// Right sides at once.
pub(crate) const WIDTH: usize = 8;

/// The factors.
#[derive(Clone, Debug)]
pub(crate) struct Branched {
    /// Where the row of each unknown begins.
    starts: Vec<usize>,
    /// Unknowns of every row, from its own to the root.
    path: Vec<usize>,
    values: Vec<f64>,
}

impl Branched {
    /// For unknowns of which each hangs on an earlier one or on none.
    pub fn new(above: &[Option<usize>]) -> Self {
        let (mut starts, mut path) = (vec![0], Vec::new());
        for (own, &next) in above.iter().enumerate() {
            path.push(own);
            if let Some(next) = next {
                path.extend_from_within(starts[next]..starts[next + 1]);
            }
            starts.push(path.len());
        }
        let values = vec![0.0; path.len()];
        Self { starts, path, values }
    }

    /// Factors of the matrix with these entries; the unknown of a pivot that is not positive where there is one.
    pub fn factorize(&mut self, entry: impl Fn(usize, usize) -> f64) -> Result<(), usize> {
        let unknowns = self.starts.len() - 1;
        for own in 0..unknowns {
            let row = self.starts[own]..self.starts[own + 1];
            for (value, &other) in self.values[row.clone()].iter_mut().zip(&self.path[row]) {
                *value = entry(own, other);
            }
        }
        for own in (0..unknowns).rev() {
            let (upper, row) = self.values.split_at_mut(self.starts[own]);
            let row = &mut row[..self.starts[own + 1] - self.starts[own]];
            let pivot = row[0];
            let usable = pivot > 0.0; // false for NaN too
            if !usable {
                return Err(own);
            }
            for place in 1..row.len() {
                let factor = row[place] / pivot;
                let first = self.starts[self.path[self.starts[own] + place]];
                for (value, &x) in upper[first..].iter_mut().zip(&row[place..]) {
                    *value -= factor * x;
                }
            }
            row[1..].iter_mut().for_each(|value| *value /= pivot);
        }
        Ok(())
    }

    /// Solves for several right sides in place.
    pub fn solve(&self, x: &mut [[f64; WIDTH]]) {
        for own in (0..x.len()).rev() {
            let (values, path) = self.row(own);
            let from = x[own];
            for (&value, &other) in values[1..].iter().zip(&path[1..]) {
                subtract(&mut x[other], value, &from);
            }
            x[own] = from.map(|entry| entry / values[0]);
        }
        for own in 0..x.len() {
            let (values, path) = self.row(own);
            let mut sum = x[own];
            for (&value, &other) in values[1..].iter().zip(&path[1..]) {
                subtract(&mut sum, value, &x[other]);
            }
            x[own] = sum;
        }
    }

    fn row(&self, own: usize) -> (&[f64], &[usize]) {
        let range = self.starts[own]..self.starts[own + 1];
        (&self.values[range.clone()], &self.path[range])
    }
}

#[inline(always)]
fn subtract(from: &mut [f64; WIDTH], factor: f64, x: &[f64; WIDTH]) {
    from.iter_mut().zip(x).for_each(|(slot, &entry)| *slot -= factor * entry);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of seven unknowns, two branches: the product of matrix and solution is the right side, and a matrix without a positive pivot is refused.
    #[test]
    fn branches_are_solved_and_lost_pivots_named() {
        let above = [None, Some(0), Some(1), Some(1), Some(3), Some(0), Some(5)];
        let coupled = |i: usize, j: usize| {
            let mut at = Some(i.max(j));
            while let Some(k) = at {
                if k == i.min(j) {
                    return true;
                }
                at = above[k];
            }
            false
        };
        let entry = |i: usize, j: usize| match (i == j, coupled(i, j)) {
            (true, _) => 5.0 + i as f64,
            (_, true) => 1.0 / (1.0 + i as f64 + 2.0 * j as f64 + (i * j) as f64).sqrt(),
            _ => 0.0,
        };
        let symmetric = |i: usize, j: usize| entry(i.max(j), i.min(j));
        let mut factors = Branched::new(&above);
        factors.factorize(symmetric).expect("positive");
        let right: Vec<[f64; WIDTH]> =
            (0..7).map(|i| std::array::from_fn(|c| (1 + i * WIDTH + c) as f64)).collect();
        let mut x = right.clone();
        factors.solve(&mut x);
        for (i, row) in right.iter().enumerate() {
            for (c, &expected) in row.iter().enumerate() {
                let found: f64 = (0..7).map(|j| symmetric(i, j) * x[j][c]).sum();
                assert!((found - expected).abs() < 1e-13 * 60.0, "row {i}: {found} for {expected}");
            }
        }
        assert_eq!(factors.factorize(|i, j| if i == 3 && j == 3 { -1.0 } else { symmetric(i, j) }), Err(3));
    }
}
