//! A matrix that depends on the modal coordinates to first order: M(q) = M0 + Σ M1_q q.

/// A matrix as a Taylor series.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taylor {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// Modal coordinates it may depend on.
    pub coordinates: usize,
    /// M0, row by row.
    pub constant: Vec<f64>,
    /// M1: row by row, coordinate by coordinate, columns; empty where it is zero.
    pub linear: Vec<f64>,
}

impl Taylor {
    /// All zero.
    pub fn zero(rows: usize, columns: usize, coordinates: usize) -> Self {
        Self { rows, columns, coordinates, constant: vec![0.0; rows * columns], linear: Vec::new() }
    }

    /// M0 by a function of row and column.
    pub fn constant(
        rows: usize,
        columns: usize,
        coordinates: usize,
        entry: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let constant = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| entry(i, j));
        Self { rows, columns, coordinates, constant: constant.collect(), linear: Vec::new() }
    }

    /// With M1 by a function of row, coordinate and column.
    pub fn with_linear(mut self, entry: impl Fn(usize, usize, usize) -> f64) -> Self {
        let mut linear = Vec::with_capacity(self.rows * self.coordinates * self.columns);
        for row in 0..self.rows {
            for q in 0..self.coordinates {
                linear.extend((0..self.columns).map(|column| entry(row, q, column)));
            }
        }
        self.linear = if linear.iter().all(|&x| x == 0.0) { Vec::new() } else { linear };
        self
    }

    /// M0 (row, column).
    pub fn m0(&self, row: usize, column: usize) -> f64 {
        self.constant.get(row * self.columns + column).copied().unwrap_or(0.0)
    }

    /// M1 (row, coordinate, column).
    pub fn m1(&self, row: usize, q: usize, column: usize) -> f64 {
        self.linear.get((row * self.coordinates + q) * self.columns + column).copied().unwrap_or(0.0)
    }

    /// Largest magnitude of M0 and M1.
    pub fn largest(&self) -> f64 {
        self.constant.iter().chain(&self.linear).fold(0.0, |most, x| x.abs().max(most))
    }
}
