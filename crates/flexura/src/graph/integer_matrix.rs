//! Sparse matrices of small integers, compressed by rows.

/// A sparse integer matrix; entries that are not stored are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerMatrix {
    columns: usize,
    starts: Vec<usize>,
    indices: Vec<usize>,
    values: Vec<i32>,
}

impl IntegerMatrix {
    /// A matrix without rows.
    pub fn new(columns: usize) -> Self {
        Self { columns, starts: vec![0], indices: Vec::new(), values: Vec::new() }
    }

    /// The unit matrix.
    pub fn unit(size: usize) -> Self {
        let mut matrix = Self::new(size);
        for i in 0..size {
            matrix.push_row(&mut vec![(i, 1)]);
        }
        matrix
    }

    /// Adds a row below: `entries` in any order, those in the same column are summed, zeros dropped.
    ///
    /// # Panics
    /// If an entry lies outside the columns.
    pub fn push_row(&mut self, entries: &mut Vec<(usize, i32)>) {
        sum_by_column(entries);
        for &(column, value) in entries.iter() {
            assert!(column < self.columns, "column {column} of {}", self.columns);
            self.indices.push(column);
            self.values.push(value);
        }
        self.starts.push(self.indices.len());
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of entries that are not zero.
    pub fn entries(&self) -> usize {
        self.indices.len()
    }

    /// Entries of row `i` that are not zero: column and value, in order of columns.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (usize, i32)> + '_ {
        let range = self.starts[i]..self.starts[i + 1];
        self.indices[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// One entry.
    pub fn get(&self, row: usize, column: usize) -> i32 {
        self.row(row).find(|&(at, _)| at == column).map_or(0, |(_, value)| value)
    }

    /// Minus the transpose.
    pub fn negative_transpose(&self) -> Self {
        let mut starts = vec![0; self.columns + 1];
        for &column in &self.indices {
            starts[column + 1] += 1;
        }
        for i in 0..self.columns {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let (mut indices, mut values) = (vec![0; self.entries()], vec![0; self.entries()]);
        for row in 0..self.rows() {
            for (column, value) in self.row(row) {
                indices[next[column]] = row;
                values[next[column]] = -value;
                next[column] += 1;
            }
        }
        Self { columns: self.rows(), starts, indices, values }
    }

    /// The two matrices side by side.
    ///
    /// # Panics
    /// If they have different numbers of rows.
    pub fn beside(&self, right: &Self) -> Self {
        assert_eq!(self.rows(), right.rows(), "matrices side by side have the same rows");
        let mut both = Self::new(self.columns + right.columns);
        for i in 0..self.rows() {
            let shifted = right.row(i).map(|(column, value)| (column + self.columns, value));
            both.push_row(&mut self.row(i).chain(shifted).collect());
        }
        both
    }

    /// All rows written out in full; for small matrices.
    pub fn to_rows(&self) -> Vec<Vec<i32>> {
        let mut rows = vec![vec![0; self.columns]; self.rows()];
        for (i, row) in rows.iter_mut().enumerate() {
            for (column, value) in self.row(i) {
                row[column] = value;
            }
        }
        rows
    }
}

/// Sorts entries by column, sums those in the same column and drops zeros.
pub(super) fn sum_by_column(entries: &mut Vec<(usize, i32)>) {
    entries.sort_unstable_by_key(|&(column, _)| column);
    entries.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    entries.retain(|&(_, value)| value != 0);
}
