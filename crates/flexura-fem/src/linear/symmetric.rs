//! Symmetric sparse matrix: the lower triangle by compressed columns.

use crate::error::FemError;
use nalgebra::DMatrix;

/// A symmetric sparse matrix; only entries with row >= column are stored.
#[derive(Clone, Debug, PartialEq)]
pub struct SymmetricMatrix {
    size: usize,
    column_start: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
}

/// Entries under construction; repeated places add up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Triplets {
    places: Vec<(u32, u32)>,
    values: Vec<f64>,
}

impl Triplets {
    /// Adds to the place (row, column); call for the lower triangle only.
    pub fn push(&mut self, row: usize, column: usize, value: f64) {
        debug_assert!(row >= column);
        self.places.push((row as u32, column as u32));
        self.values.push(value);
    }

    /// Sums repeated places into a matrix. Zero sums stay in the pattern, so
    /// that matrices pushed at the same places share it.
    pub fn compress(&self, size: usize) -> SymmetricMatrix {
        let mut fill = vec![0; size + 1];
        for &(_, column) in &self.places {
            fill[column as usize + 1] += 1;
        }
        for column in 0..size {
            fill[column + 1] += fill[column];
        }
        let starts = fill.clone();
        let mut order = vec![0; self.places.len()];
        for (entry, &(_, column)) in self.places.iter().enumerate() {
            order[fill[column as usize]] = entry;
            fill[column as usize] += 1;
        }
        let mut matrix = SymmetricMatrix::empty(size, self.places.len());
        for column in 0..size {
            let entries = &mut order[starts[column]..starts[column + 1]];
            entries.sort_unstable_by_key(|&entry| (self.places[entry].0, entry));
            matrix.append_column(entries.iter().map(|&e| (self.places[e].0 as usize, self.values[e])));
        }
        matrix
    }
}

impl SymmetricMatrix {
    fn empty(size: usize, capacity: usize) -> Self {
        let mut column_start = Vec::with_capacity(size + 1);
        column_start.push(0);
        Self { size, column_start, rows: Vec::with_capacity(capacity / 2), values: Vec::new() }
    }

    /// A matrix from the starts of its columns, rows in ascending order and values; `None` where
    /// they do not fit together.
    pub fn from_columns(
        size: usize,
        column_start: Vec<usize>,
        rows: Vec<usize>,
        values: Vec<f64>,
    ) -> Option<Self> {
        let ascending = column_start.windows(2).all(|pair| pair[0] <= pair[1]);
        let ends = column_start.len() == size.checked_add(1)?
            && column_start.first() == Some(&0)
            && column_start.last() == Some(&rows.len());
        if !ends || !ascending || rows.len() != values.len() {
            return None;
        }
        let sound = column_start.windows(2).enumerate().all(|(column, pair)| {
            let own = &rows[pair[0]..pair[1]];
            own.windows(2).all(|two| two[0] < two[1]) && own.iter().all(|row| (column..size).contains(row))
        });
        sound.then_some(Self { size, column_start, rows, values })
    }

    /// Appends one column from entries sorted by row.
    fn append_column(&mut self, entries: impl Iterator<Item = (usize, f64)>) {
        let start = self.rows.len();
        for (row, value) in entries {
            if self.rows.len() > start && self.rows.last() == Some(&row) {
                if let Some(last) = self.values.last_mut() {
                    *last += value;
                }
            } else {
                self.rows.push(row);
                self.values.push(value);
            }
        }
        self.column_start.push(self.rows.len());
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Start of each column in [`Self::rows`], and the end of the last.
    pub fn column_start(&self) -> &[usize] {
        &self.column_start
    }

    /// Row of each stored entry.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Stored entries, column by column.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Row and value of the stored entries of one column.
    pub fn column(&self, column: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let range = self.column_start[column]..self.column_start[column + 1];
        self.rows[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    /// Diagonal.
    pub fn diagonal(&self) -> Vec<f64> {
        let first = |column| self.column(column).find(|&(row, _)| row == column).map_or(0.0, |(_, v)| v);
        (0..self.size).map(first).collect()
    }

    /// The matrix times each column of `x`.
    pub fn multiply(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut y = DMatrix::zeros(self.size, x.ncols());
        if self.size > 0 {
            let columns =
                x.as_slice().chunks_exact(self.size).zip(y.as_mut_slice().chunks_exact_mut(self.size));
            columns.for_each(|(from, to)| self.multiply_column(from, to));
        }
        y
    }

    fn multiply_column(&self, from: &[f64], to: &mut [f64]) {
        for column in 0..self.size {
            let range = self.column_start[column]..self.column_start[column + 1];
            let (mut sum, source) = (0.0, from[column]);
            for (&row, &value) in self.rows[range.clone()].iter().zip(&self.values[range]) {
                sum += value * from[row];
                if row != column {
                    to[row] += value * source;
                }
            }
            to[column] += sum;
        }
    }

    /// `x^T A x`, symmetric to the last bit.
    pub fn congruence(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let product = x.tr_mul(&self.multiply(x));
        (&product + product.transpose()) * 0.5
    }

    /// `self - shift * other`; both must have been assembled at the same places.
    pub fn shifted(&self, shift: f64, other: &Self) -> Result<Self, FemError> {
        if self.rows != other.rows || self.column_start != other.column_start {
            let (got, expected) = (other.rows.len(), self.rows.len());
            return Err(FemError::Size { what: "the pattern of the mass matrix".into(), got, expected });
        }
        let mut result = self.clone();
        for (value, mass) in result.values.iter_mut().zip(&other.values) {
            *value -= shift * mass;
        }
        Ok(result)
    }

    /// The block of the given rows and columns. `place[i]` is the place of row `i`
    /// in the block, or `None` when it is left out; places must increase.
    pub(crate) fn principal_block(&self, place: &[Option<usize>]) -> Self {
        let size = place.iter().flatten().count();
        let mut block = Self::empty(size, self.rows.len());
        for column in 0..self.size {
            if place[column].is_some() {
                block.append_column(self.column(column).filter_map(|(row, v)| Some((place[row]?, v))));
            }
        }
        block
    }

    /// The dense block that couples `rows` (places as in [`Self::principal_block`]) with `columns`.
    pub(crate) fn coupling_block(&self, rows: &[Option<usize>], columns: &[Option<usize>]) -> DMatrix<f64> {
        let (height, width) = (rows.iter().flatten().count(), columns.iter().flatten().count());
        let mut block = DMatrix::zeros(height, width);
        for column in 0..self.size {
            for (row, value) in self.column(column) {
                if let (Some(i), Some(j)) = (rows[row], columns[column]) {
                    block[(i, j)] = value;
                }
                if let (Some(i), Some(j)) = (rows[column], columns[row]) {
                    block[(i, j)] = value;
                }
            }
        }
        block
    }
}
