//! The mass matrix of the finite elements behind a body, kept beside its sums for those who multiply it out.

/// Assembled mass matrix of six freedoms per node and the shapes of all freedoms, in the axes of the body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodalMass {
    /// Number of shapes.
    pub modes: usize,
    /// Places of the nodes in the body frame (m); `None` for a generalised coordinate.
    pub positions: Vec<Option<[f64; 3]>>,
    /// Shapes, one row per freedom (m, rad).
    pub shapes: Vec<f64>,
    /// First entry of each row of the matrix, and the number of all.
    pub starts: Vec<usize>,
    /// Columns of the entries.
    pub columns: Vec<usize>,
    /// Entries, both triangles (kg, kg m, kg m²).
    pub values: Vec<f64>,
}

impl NodalMass {
    /// Number of freedoms, six per node.
    pub fn freedoms(&self) -> usize {
        6 * self.positions.len()
    }

    /// Whether all lists have their sizes and hold numbers.
    pub fn is_whole(&self) -> bool {
        let rows = self.freedoms();
        let sizes = self.shapes.len() == rows * self.modes
            && self.starts.len() == rows + 1
            && self.starts.first() == Some(&0)
            && self.starts.windows(2).all(|pair| pair[0] <= pair[1])
            && self.starts.last() == Some(&self.columns.len())
            && self.columns.len() == self.values.len()
            && self.columns.iter().all(|&column| column < rows);
        let places = self.positions.iter().flatten().flatten();
        sizes && places.chain(&self.shapes).chain(&self.values).all(|x| x.is_finite())
    }

    /// Row of the shapes of one freedom.
    pub fn shape(&self, freedom: usize) -> &[f64] {
        &self.shapes[freedom * self.modes..(freedom + 1) * self.modes]
    }

    /// M times `wide` columns, both row by row.
    pub fn multiply(&self, given: &[f64], wide: usize, product: &mut [f64]) {
        for (row, out) in product.chunks_exact_mut(wide).enumerate() {
            out.fill(0.0);
            let entries = self.starts[row]..self.starts[row + 1];
            for (&column, &value) in self.columns[entries.clone()].iter().zip(&self.values[entries]) {
                for (out, given) in out.iter_mut().zip(&given[column * wide..]) {
                    *out += value * given;
                }
            }
        }
    }

    /// Mass: Σ M over the translations along x (kg).
    pub fn mass(&self) -> f64 {
        self.between(
            |freedom| f64::from(u8::from(self.slides(freedom, 0))),
            |freedom| f64::from(u8::from(self.slides(freedom, 0))),
        )
    }

    /// First moment of mass at rest: translations times M times unit rotations (kg m).
    pub fn first_moment(&self) -> [f64; 3] {
        std::array::from_fn(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            // Turning about k moves along j by c_i, turning about j along k by −c_i.
            let along = |axis: usize, about: usize| {
                self.between(
                    |freedom| f64::from(u8::from(self.slides(freedom, axis))),
                    |freedom| self.turns(freedom, about),
                )
            };
            0.5 * (along(j, k) - along(k, j))
        })
    }

    fn slides(&self, freedom: usize, axis: usize) -> bool {
        freedom % 6 == axis && self.positions[freedom / 6].is_some()
    }

    /// Displacement of a freedom as all nodes turn about an axis of the body.
    fn turns(&self, freedom: usize, axis: usize) -> f64 {
        let Some(place) = self.positions[freedom / 6] else { return 0.0 };
        match freedom % 6 {
            i if i >= 3 => f64::from(u8::from(i - 3 == axis)),
            i if i == (axis + 1) % 3 => -place[(axis + 2) % 3],
            i if i == (axis + 2) % 3 => place[(axis + 1) % 3],
            _ => 0.0,
        }
    }

    fn between(&self, left: impl Fn(usize) -> f64, right: impl Fn(usize) -> f64) -> f64 {
        let mut sum = 0.0;
        for row in 0..self.freedoms() {
            let factor = left(row);
            if factor == 0.0 {
                continue;
            }
            for entry in self.starts[row]..self.starts[row + 1] {
                sum += factor * self.values[entry] * right(self.columns[entry]);
            }
        }
        sum
    }
}
