//! Stiffness, mass and damping of a part given as matrices instead of elements.
//!
//! Rows are nodal freedoms, six per node, as elsewhere. A superelement also has generalised
//! coordinates (amplitudes of modes with its boundary fixed): each is the first freedom of a node
//! of its own that has no place. A rigid motion leaves them at zero, so that with the rigid
//! vectors R of the boundary alone R^T M R is the inertia of the whole part.
//! Recovered nodes follow the freedoms of the matrices by given rows (u_inner = T u).

use crate::error::FemError;
use crate::linear::{SymmetricMatrix, Triplets};
use nalgebra::DMatrix;
use std::collections::{BTreeMap, BTreeSet};

/// A freedom that follows others: factors by freedom.
pub type RecoveryRow = (usize, Vec<(usize, f64)>);

/// Lower triangle of a symmetric matrix by row and column.
pub(crate) type Entries = BTreeMap<(usize, usize), f64>;

/// Matrices of the nodal freedoms of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct NodalMatrices {
    /// Stiffness (N/m, N, N m).
    pub stiffness: SymmetricMatrix,
    /// Mass (kg, kg m, kg m2), at the same places as the stiffness.
    pub mass: SymmetricMatrix,
    /// Viscous damping (N s/m, N s, N m s).
    pub damping: Option<SymmetricMatrix>,
    /// Nodes that stand for generalised coordinates.
    pub coordinates: BTreeSet<usize>,
    /// Freedoms of nodes without rows in the matrices.
    pub recovery: Vec<RecoveryRow>,
}

impl NodalMatrices {
    /// Matrices of `size` freedoms from the entries of their lower triangles.
    pub(crate) fn new(size: usize, stiffness: &Entries, mass: &Entries, damping: Option<&Entries>) -> Self {
        let (mut k, mut m) = (Triplets::default(), Triplets::default());
        let places: BTreeSet<(usize, usize)> = stiffness.keys().chain(mass.keys()).copied().collect();
        for place in places {
            // Both at all places: the eigensolver needs one pattern.
            k.push(place.0, place.1, stiffness.get(&place).copied().unwrap_or(0.0));
            m.push(place.0, place.1, mass.get(&place).copied().unwrap_or(0.0));
        }
        let damping = damping.map(|entries| {
            let mut c = Triplets::default();
            entries.iter().for_each(|(place, value)| c.push(place.0, place.1, *value));
            c.compress(size)
        });
        Self {
            stiffness: k.compress(size),
            mass: m.compress(size),
            damping,
            coordinates: BTreeSet::new(),
            recovery: Vec::new(),
        }
    }

    /// Whether a freedom has stiffness or mass.
    pub fn used(&self) -> Vec<bool> {
        let size = self.stiffness.size();
        let mut used = vec![false; size];
        for matrix in [&self.stiffness, &self.mass] {
            for column in 0..size {
                for (row, _) in matrix.column(column).filter(|(_, value)| *value != 0.0) {
                    used[row] = true;
                    used[column] = true;
                }
            }
        }
        used
    }

    /// The mass times columns of nodal freedoms; rows of nodes added later are left out.
    pub fn mass_times(&self, columns: &DMatrix<f64>) -> DMatrix<f64> {
        times(&self.mass, columns)
    }

    /// Damping of shapes given by nodal freedoms.
    pub fn damping_of(&self, shapes: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        self.damping.as_ref().map(|damping| {
            let product = shapes.tr_mul(&times(damping, shapes));
            (&product + product.transpose()) * 0.5
        })
    }

    /// Checks that rows and recovered freedoms belong to nodes there are.
    pub(crate) fn validate(&self, nodes: usize) -> Result<(), FemError> {
        let missing = |node: usize| FemError::Missing {
            what: "the matrices of the part".into(),
            missing: format!("node {node}"),
        };
        let leaders = self.recovery.iter().flat_map(|(freedom, terms)| {
            terms.iter().map(|(leader, _)| *leader).chain([*freedom]).map(|freedom| freedom / 6)
        });
        let last = self.stiffness.size().div_ceil(6).checked_sub(1);
        match leaders.chain(self.coordinates.iter().copied()).chain(last).find(|node| *node >= nodes) {
            Some(node) => Err(missing(node)),
            None => Ok(()),
        }
    }
}

fn times(matrix: &SymmetricMatrix, columns: &DMatrix<f64>) -> DMatrix<f64> {
    let size = matrix.size();
    let product = matrix.multiply(&columns.rows(0, size).into_owned());
    product.resize_vertically(columns.nrows(), 0.0)
}
