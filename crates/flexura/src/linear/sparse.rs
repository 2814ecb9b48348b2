//! Sparse symmetric matrices on a fixed pattern and their L D Lᵀ factors.
//!
//! Source: right-looking factorisation by supernodes, Davis, Direct Methods for
//! Sparse Linear Systems (2006), chapter 4. The matrix is filled into the panels
//! of its factor (`supernodes`) and factorised there; where the update of a panel
//! goes is found once. `factorize` and `solve` touch numbers only and never
//! allocate. No pivoting: the penalty of the constraints keeps the matrix definite on
//! everything the masses leave open. Cost of a factorisation Σ (column length)², of
//! a solution twice the entries of L.

use super::supernodes::{Supernode, supernodes};

/// The pattern of a symmetric matrix in elimination order, with the structure of its factor.
#[derive(Clone, Debug)]
pub(crate) struct SparsePattern {
    /// Position in the elimination order of each unknown.
    position: Vec<usize>,
    panels: Vec<Panel>,
    /// Panel of each column.
    owner: Vec<usize>,
    entries: usize,
}

/// A supernode: rows of the diagonal block, then those below, each as long as the panel is wide.
#[derive(Clone, Debug)]
struct Panel {
    node: Supernode,
    /// Place of the first entry.
    start: usize,
    /// Where the update by rows i and j ≤ i below the block goes, row after row.
    targets: Vec<usize>,
}

impl SparsePattern {
    /// The pattern of `count` unknowns coupled within each of the `cliques`.
    pub fn new(count: usize, cliques: &[Vec<usize>]) -> Self {
        let (position, nodes) = supernodes(count, cliques);
        let (mut entries, mut owner, mut panels) = (0, Vec::with_capacity(count), Vec::new());
        for node in nodes {
            owner.resize(owner.len() + node.width, panels.len());
            let start = entries;
            entries += node.entries();
            panels.push(Panel { node, start, targets: Vec::new() });
        }
        let mut pattern = Self { position, panels, owner, entries };
        for k in 0..pattern.panels.len() {
            let rows = &pattern.panels[k].node.rows;
            let pairs =
                rows.iter().enumerate().flat_map(|(i, &row)| rows[..=i].iter().map(move |&c| (row, c)));
            pattern.panels[k].targets = pairs.map(|(row, column)| pattern.place(row, column)).collect();
        }
        pattern
    }

    /// Number of unknowns.
    pub fn size(&self) -> usize {
        self.position.len()
    }

    /// Where the entry in `row` and `column` ≤ `row` of the elimination order is stored; it must be in the pattern.
    fn place(&self, row: usize, column: usize) -> usize {
        let panel = &self.panels[self.owner[column]];
        let found = panel.node.panel_row(row).expect("every pair of a clique is in the pattern");
        panel.start + found * panel.node.width + column - panel.node.first
    }

    /// Slots of a dense block over `unknowns`: entries (a, b) with b ≤ a, row after row.
    pub fn block_slots(&self, unknowns: &[usize]) -> Vec<usize> {
        let slot = |a: usize, b: usize| {
            let (i, j) = (self.position[a], self.position[b]);
            self.place(i.max(j), i.min(j))
        };
        let rows = unknowns.iter().enumerate();
        rows.flat_map(|(i, &a)| unknowns[..=i].iter().map(move |&b| slot(a, b))).collect()
    }
}

/// A matrix on a [`SparsePattern`], then its L D Lᵀ.
#[derive(Clone, Debug)]
pub(crate) struct SparseFactor {
    values: Vec<f64>,
    inverse_diagonal: Vec<f64>,
    /// L D of the rows below a block.
    scaled: Vec<f64>,
    ordered: Vec<f64>,
}

impl SparseFactor {
    /// Room for the factor of `pattern`.
    pub fn new(pattern: &SparsePattern) -> Self {
        let n = pattern.size();
        let largest = pattern.panels.iter().map(|panel| panel.node.entries()).max().unwrap_or(0);
        Self {
            values: vec![0.0; pattern.entries],
            inverse_diagonal: vec![0.0; n],
            scaled: vec![0.0; largest],
            ordered: vec![0.0; n],
        }
    }

    /// All entries, to be filled by slot before [`SparseFactor::factorize`].
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// Factorises the matrix in place; false where a pivot vanishes or is not finite.
    pub fn factorize(&mut self, pattern: &SparsePattern) -> bool {
        pattern.panels.iter().all(|panel| {
            let first = panel.node.first;
            let diagonal = &mut self.inverse_diagonal[first..first + panel.node.width];
            factorize_panel(panel, &mut self.values, diagonal, &mut self.scaled)
        })
    }

    /// Writes the numbers of the factor, or reads them.
    pub(crate) fn remember(&mut self, tape: &mut crate::checkpoint::Tape) {
        tape.numbers(&mut self.values);
        tape.numbers(&mut self.inverse_diagonal);
    }

    /// Solves for `x` in place.
    pub fn solve(&mut self, pattern: &SparsePattern, x: &mut [f64]) {
        let y = &mut self.ordered;
        for (unknown, &place) in pattern.position.iter().enumerate() {
            y[place] = x[unknown];
        }
        for panel in &pattern.panels {
            forward(panel, &self.values, y);
        }
        for (y, scale) in y.iter_mut().zip(&self.inverse_diagonal) {
            *y *= scale;
        }
        for panel in pattern.panels.iter().rev() {
            backward(panel, &self.values, y);
        }
        for (unknown, &place) in pattern.position.iter().enumerate() {
            x[unknown] = y[place];
        }
    }
}

/// Factorises the columns of a panel and subtracts what they do to the panels above.
fn factorize_panel(panel: &Panel, values: &mut [f64], inverse: &mut [f64], scaled: &mut [f64]) -> bool {
    let width = panel.node.width;
    let (below, above) = values[panel.start..].split_at_mut(panel.node.entries());
    for i in 0..width {
        let (done, rest) = below.split_at_mut(i * width);
        let row = &mut rest[..width];
        substitute(done, &mut row[..i], width);
        let mut diagonal = row[i];
        for (entry, scale) in row[..i].iter_mut().zip(&*inverse) {
            let l = *entry * scale;
            diagonal -= l * *entry;
            *entry = l;
        }
        if diagonal == 0.0 || !diagonal.is_finite() {
            return false;
        }
        inverse[i] = 1.0 / diagonal;
    }
    let (block, rows) = below.split_at_mut(width * width);
    let mut targets = panel.targets.iter();
    let offset = panel.start + panel.node.entries();
    for i in 0..panel.node.rows.len() {
        let scaled = &mut scaled[..width];
        let (_, from) = rows.split_at_mut(i * width);
        let row = &mut from[..width];
        substitute(block, row, width);
        scaled.copy_from_slice(row);
        for (entry, scale) in row.iter_mut().zip(&*inverse) {
            *entry *= scale;
        }
        for (other, &target) in rows.chunks_exact(width).zip(targets.by_ref().take(i + 1)) {
            let sum: f64 = scaled.iter().zip(other).map(|(a, b)| a * b).sum();
            above[target - offset] -= sum;
        }
    }
    true
}

/// Forward substitution of a row with the unit lower triangle `block`, whose rows are `width` long.
fn substitute(block: &[f64], row: &mut [f64], width: usize) {
    for k in 1..row.len() {
        let (done, rest) = row.split_at_mut(k);
        let sum: f64 = done.iter().zip(&block[k * width..]).map(|(a, b)| a * b).sum();
        rest[0] -= sum;
    }
}

fn forward(panel: &Panel, values: &[f64], y: &mut [f64]) {
    let (width, first) = (panel.node.width, panel.node.first);
    let (block, rows) = values[panel.start..panel.start + panel.node.entries()].split_at(width * width);
    let (own, above) = y[first..].split_at_mut(width);
    substitute(block, own, width);
    for (row, &place) in rows.chunks_exact(width).zip(&panel.node.rows) {
        let sum: f64 = row.iter().zip(&*own).map(|(l, y)| l * y).sum();
        above[place - first - width] -= sum;
    }
}

fn backward(panel: &Panel, values: &[f64], y: &mut [f64]) {
    let (width, first) = (panel.node.width, panel.node.first);
    let (block, rows) = values[panel.start..panel.start + panel.node.entries()].split_at(width * width);
    let (own, above) = y[first..].split_at_mut(width);
    for (row, &place) in rows.chunks_exact(width).zip(&panel.node.rows) {
        let value = above[place - first - width];
        for (own, l) in own.iter_mut().zip(row) {
            *own -= l * value;
        }
    }
    for k in (1..width).rev() {
        let value = own[k];
        for (own, l) in own[..k].iter_mut().zip(&block[k * width..]) {
            *own -= l * value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain with extra couplings, against a dense solution.
    #[test]
    fn solution_equals_the_dense_one() {
        let n = 40;
        let mut cliques: Vec<Vec<usize>> = (0..n - 2).map(|i| vec![i, i + 1, i + 2]).collect();
        cliques.extend([vec![0, 7, 11], vec![3, 21, 22, 23, 24, 39], vec![30, 31, 32, 33, 34, 35, 36, 5]]);
        let pattern = SparsePattern::new(n, &cliques);
        let mut factor = SparseFactor::new(&pattern);
        let mut dense = nalgebra::DMatrix::<f64>::zeros(n, n);
        for (c, clique) in cliques.iter().enumerate() {
            let slots = pattern.block_slots(clique);
            let mut next = slots.iter();
            for (i, &a) in clique.iter().enumerate() {
                for (j, &b) in clique[..=i].iter().enumerate() {
                    let value = if i == j { 7.0 + c as f64 } else { ((c + 3 * i + j) as f64).sin() };
                    factor.values_mut()[*next.next().unwrap()] += value;
                    dense[(a, b)] += value;
                    if a != b {
                        dense[(b, a)] += value;
                    }
                }
            }
        }
        let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let product = &dense * nalgebra::DVector::from_column_slice(&x);
        assert!(factor.factorize(&pattern));
        let mut solved: Vec<f64> = product.iter().copied().collect();
        factor.solve(&pattern, &mut solved);
        for i in 0..n {
            assert!((solved[i] - x[i]).abs() < 1e-13, "{i}: {} {}", solved[i], x[i]);
        }
    }

    #[test]
    fn a_vanishing_pivot_is_reported() {
        let pattern = SparsePattern::new(2, &[vec![0, 1]]);
        assert!(!SparseFactor::new(&pattern).factorize(&pattern));
    }
}
