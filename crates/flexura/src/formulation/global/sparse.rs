//! Sparse symmetric matrices on a fixed pattern and their L D Lᵀ factors.
//!
//! Source: up-looking factorisation along the elimination tree, Davis, Direct
//! Methods for Sparse Linear Systems (2006), chapter 4. The pattern, the order and
//! the structure of L are found once; `factorize` and `solve` then touch numbers
//! only and never allocate. No pivoting: the penalty of the constraints keeps the
//! matrix definite on everything the masses leave open. Cost of a factorisation
//! Σ (column length)², of a solution twice the entries of L.

use super::ordering::minimum_degree;

/// The pattern of a symmetric matrix in elimination order, with the structure of its factor.
#[derive(Clone, Debug)]
pub struct SparsePattern {
    /// Position in the elimination order of each unknown.
    position: Vec<usize>,
    /// First entry of each column of the upper triangle, elimination order.
    starts: Vec<usize>,
    /// Row of each entry, ascending; the diagonal is last.
    rows: Vec<usize>,
    /// First entry of each column of L, unit diagonal left out.
    factor_starts: Vec<usize>,
    /// Row of each entry of L.
    factor_rows: Vec<usize>,
    /// First entry of each row pattern of L.
    reach_starts: Vec<usize>,
    /// Columns in which each row of L has entries, ascending.
    reach: Vec<usize>,
}

impl SparsePattern {
    /// The pattern of `count` unknowns coupled within each of the `cliques`.
    pub fn new(count: usize, cliques: &[Vec<usize>]) -> Self {
        let order = minimum_degree(count, cliques);
        let mut position = vec![0; count];
        for (place, &unknown) in order.iter().enumerate() {
            position[unknown] = place;
        }
        let mut columns: Vec<Vec<usize>> = (0..count).map(|j| vec![j]).collect();
        for clique in cliques {
            for &a in clique {
                for &b in clique {
                    let (i, j) = (position[a], position[b]);
                    if i < j {
                        columns[j].push(i);
                    }
                }
            }
        }
        for column in &mut columns {
            column.sort_unstable();
            column.dedup();
        }
        let (starts, rows) = flatten(&columns);
        let reach_lists = row_patterns(&columns);
        let mut factor_columns: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (k, list) in reach_lists.iter().enumerate() {
            for &i in list {
                factor_columns[i].push(k);
            }
        }
        let (factor_starts, factor_rows) = flatten(&factor_columns);
        let (reach_starts, reach) = flatten(&reach_lists);
        Self { position, starts, rows, factor_starts, factor_rows, reach_starts, reach }
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.position.len()
    }

    /// Stored entries of the upper triangle.
    pub fn entry_count(&self) -> usize {
        self.rows.len()
    }

    /// Entries of L below its diagonal.
    pub fn factor_entry_count(&self) -> usize {
        self.factor_rows.len()
    }

    /// Where entry (a, b) is stored; both must lie in one clique.
    fn slot(&self, a: usize, b: usize) -> usize {
        let (i, j) = (self.position[a], self.position[b]);
        let (row, column) = (i.min(j), i.max(j));
        let range = self.starts[column]..self.starts[column + 1];
        let found = self.rows[range.clone()].binary_search(&row);
        range.start + found.expect("every pair of a clique is in the pattern")
    }

    /// Slots of a dense block over `unknowns`: entries (a, b) with b ≤ a, row after row.
    pub fn block_slots(&self, unknowns: &[usize]) -> Vec<usize> {
        let rows = unknowns.iter().enumerate();
        rows.flat_map(|(i, &a)| unknowns[..=i].iter().map(move |&b| self.slot(a, b))).collect()
    }

    /// out += matrix × x.
    pub fn multiply_add(&self, values: &[f64], x: &[f64], work: &mut [f64], out: &mut [f64]) {
        // Through elimination order, in which the entries are stored.
        let (ordered, sums) = work.split_at_mut(self.size());
        for (unknown, &place) in self.position.iter().enumerate() {
            ordered[place] = x[unknown];
            sums[place] = 0.0;
        }
        for j in 0..self.size() {
            let mut sum = 0.0;
            let last = self.starts[j + 1] - 1;
            for p in self.starts[j]..last {
                let i = self.rows[p];
                sum += values[p] * ordered[i];
                sums[i] += values[p] * ordered[j];
            }
            sums[j] += sum + values[last] * ordered[j];
        }
        for (unknown, &place) in self.position.iter().enumerate() {
            out[unknown] += sums[place];
        }
    }
}

fn flatten(lists: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let mut starts = vec![0];
    let mut all = Vec::new();
    for list in lists {
        all.extend_from_slice(list);
        starts.push(all.len());
    }
    (starts, all)
}

/// Columns in which each row of L has entries: paths in the elimination tree from the entries of A.
fn row_patterns(columns: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let count = columns.len();
    let mut parent = vec![usize::MAX; count];
    let mut seen = vec![usize::MAX; count];
    let mut patterns = Vec::with_capacity(count);
    for k in 0..count {
        let mut list = Vec::new();
        seen[k] = k;
        for &entry in &columns[k] {
            let mut i = entry;
            while i < k && seen[i] != k {
                seen[i] = k;
                list.push(i);
                if parent[i] == usize::MAX {
                    parent[i] = k;
                }
                i = parent[i];
            }
        }
        list.sort_unstable();
        patterns.push(list);
    }
    patterns
}

/// L D Lᵀ of a matrix on a [`SparsePattern`].
#[derive(Clone, Debug)]
pub struct SparseFactor {
    lower: Vec<f64>,
    inverse_diagonal: Vec<f64>,
    filled: Vec<usize>,
    work: Vec<f64>,
}

impl SparseFactor {
    /// Room for the factor of `pattern`.
    pub fn new(pattern: &SparsePattern) -> Self {
        let n = pattern.size();
        Self {
            lower: vec![0.0; pattern.factor_entry_count()],
            inverse_diagonal: vec![0.0; n],
            filled: vec![0; n],
            work: vec![0.0; n],
        }
    }

    /// Factorises the matrix with entries `values`; false where a pivot vanishes or is not finite.
    pub fn factorize(&mut self, pattern: &SparsePattern, values: &[f64]) -> bool {
        let n = pattern.size();
        self.filled.copy_from_slice(&pattern.factor_starts[..n]);
        let y = &mut self.work;
        y.fill(0.0);
        for k in 0..n {
            let last = pattern.starts[k + 1] - 1;
            for p in pattern.starts[k]..last {
                y[pattern.rows[p]] = values[p];
            }
            let mut diagonal = values[last];
            for &i in &pattern.reach[pattern.reach_starts[k]..pattern.reach_starts[k + 1]] {
                let entry = std::mem::replace(&mut y[i], 0.0);
                let (start, end) = (pattern.factor_starts[i], self.filled[i]);
                let rows = &pattern.factor_rows[start..end];
                for (&row, &l) in rows.iter().zip(&self.lower[start..end]) {
                    y[row] -= l * entry;
                }
                let l = entry * self.inverse_diagonal[i];
                diagonal -= l * entry;
                self.lower[end] = l;
                self.filled[i] = end + 1;
            }
            if diagonal == 0.0 || !diagonal.is_finite() {
                return false;
            }
            self.inverse_diagonal[k] = 1.0 / diagonal;
        }
        true
    }

    /// Writes the numbers of the factor, or reads them.
    pub(crate) fn remember(&mut self, tape: &mut crate::checkpoint::Tape) {
        tape.numbers(&mut self.lower);
        tape.numbers(&mut self.inverse_diagonal);
    }

    /// Solves for `x` in place.
    pub fn solve(&mut self, pattern: &SparsePattern, x: &mut [f64]) {
        let n = pattern.size();
        let y = &mut self.work;
        for (unknown, &place) in pattern.position.iter().enumerate() {
            y[place] = x[unknown];
        }
        for j in 0..n {
            let range = pattern.factor_starts[j]..pattern.factor_starts[j + 1];
            let value = y[j];
            for (&row, &l) in pattern.factor_rows[range.clone()].iter().zip(&self.lower[range]) {
                y[row] -= l * value;
            }
        }
        for j in (0..n).rev() {
            let range = pattern.factor_starts[j]..pattern.factor_starts[j + 1];
            let mut value = y[j] * self.inverse_diagonal[j];
            for (&row, &l) in pattern.factor_rows[range.clone()].iter().zip(&self.lower[range]) {
                value -= l * y[row];
            }
            y[j] = value;
        }
        for (unknown, &place) in pattern.position.iter().enumerate() {
            x[unknown] = y[place];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain with extra couplings, against a dense solution.
    #[test]
    fn solution_equals_the_dense_one() {
        let n = 12;
        let mut cliques: Vec<Vec<usize>> = (0..n - 2).map(|i| vec![i, i + 1, i + 2]).collect();
        cliques.push(vec![0, 7, 11]);
        let pattern = SparsePattern::new(n, &cliques);
        let mut values = vec![0.0; pattern.entry_count()];
        let mut dense = nalgebra::DMatrix::<f64>::zeros(n, n);
        for (c, clique) in cliques.iter().enumerate() {
            let slots = pattern.block_slots(clique);
            let mut next = slots.iter();
            for (i, &a) in clique.iter().enumerate() {
                for (j, &b) in clique[..=i].iter().enumerate() {
                    let value = if i == j { 5.0 + c as f64 } else { ((c + 3 * i + j) as f64).sin() };
                    values[*next.next().unwrap()] += value;
                    dense[(a, b)] += value;
                    if a != b {
                        dense[(b, a)] += value;
                    }
                }
            }
        }
        let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let mut right = vec![0.0; n];
        pattern.multiply_add(&values, &x, &mut vec![0.0; 2 * n], &mut right);
        let product = &dense * nalgebra::DVector::from_column_slice(&x);
        let mut factor = SparseFactor::new(&pattern);
        assert!(factor.factorize(&pattern, &values));
        let mut solved = right.clone();
        factor.solve(&pattern, &mut solved);
        for i in 0..n {
            assert!((product[i] - right[i]).abs() < 1e-13);
            assert!((solved[i] - x[i]).abs() < 1e-13, "{i}: {} {}", solved[i], x[i]);
        }
    }

    #[test]
    fn a_vanishing_pivot_is_reported() {
        let pattern = SparsePattern::new(2, &[vec![0, 1]]);
        let mut factor = SparseFactor::new(&pattern);
        assert!(!factor.factorize(&pattern, &[0.0, 0.0, 0.0]));
    }
}
