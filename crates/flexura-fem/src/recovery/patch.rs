//! Membrane values of shells at the nodes by a fit over the elements around.
//!
//! Mean strains of the membrane triangles oscillate about the true field from one triangle
//! to its neighbour. A linear function of the position is fitted to the means at the
//! centroids of the patch and evaluated at the node (O. C. Zienkiewicz, J. Z. Zhu, "The
//! superconvergent patch recovery", 1992). The patch is the elements at the node, with one
//! more ring where they are fewer than six (edges and corners).

use crate::linear::SWEEPS;
use crate::mesh::Mesh;
use nalgebra::{DMatrix, Matrix3, SymmetricEigen, Vector3};
use std::collections::{BTreeMap, BTreeSet};

/// Cosine of the angle up to which shells share a side (30 degrees).
pub(super) const SAME_SIDE: f64 = 0.866;
/// Elements from which one ring is enough.
const FULL_RING: usize = 6;

/// Membrane values of all shells, by element.
#[derive(Default)]
pub(super) struct Patches {
    nodes: Vec<[usize; 3]>,
    centroids: Vec<Vector3<f64>>,
    normals: Vec<Vector3<f64>>,
    values: Vec<DMatrix<f64>>,
    /// Elements at each node.
    around: BTreeMap<usize, Vec<usize>>,
    /// Normals of the sides met at each node.
    sides: BTreeMap<usize, Vec<Vector3<f64>>>,
}

impl Patches {
    /// Adds an element with its rows of values, six for each of its faces; returns its side at each corner.
    pub fn add(
        &mut self,
        nodes: [usize; 3],
        centroid: Vector3<f64>,
        normal: Vector3<f64>,
        values: DMatrix<f64>,
    ) -> [usize; 3] {
        let index = self.nodes.len();
        self.nodes.push(nodes);
        self.centroids.push(centroid);
        self.normals.push(normal);
        self.values.push(values);
        nodes.map(|node| {
            self.around.entry(node).or_default().push(index);
            let sides = self.sides.entry(node).or_default();
            sides.iter().position(|other| other.dot(&normal) > SAME_SIDE).unwrap_or_else(|| {
                sides.push(normal);
                sides.len() - 1
            })
        })
    }

    /// Value at a node on one of its sides.
    pub fn at(&self, mesh: &Mesh, node: usize, side: usize, shapes: usize) -> DMatrix<f64> {
        let normal = self.sides[&node][side];
        let patch = self.patch(node, normal);
        let weights = self.weights(&patch, mesh.nodes[node].into(), normal);
        let mut sum = DMatrix::zeros(self.values[0].nrows(), shapes);
        for (element, weight) in patch.iter().zip(weights) {
            sum += &self.values[*element] * weight;
        }
        sum
    }

    fn patch(&self, node: usize, normal: Vector3<f64>) -> Vec<usize> {
        let same = |element: &&usize| self.normals[**element].dot(&normal) > SAME_SIDE;
        let ring = |node: &usize| self.around[node].iter().filter(same).copied().collect::<Vec<_>>();
        let first = ring(&node);
        if first.len() >= FULL_RING {
            return first;
        }
        let corners: BTreeSet<usize> = first.iter().flat_map(|element| self.nodes[*element]).collect();
        let all: BTreeSet<usize> = corners.iter().flat_map(ring).collect();
        all.into_iter().collect()
    }

    /// Weights of the elements in the value of the fit at a point.
    fn weights(&self, patch: &[usize], point: Vector3<f64>, normal: Vector3<f64>) -> Vec<f64> {
        let along = normal.cross(&Vector3::ith(normal.iamin(), 1.0)).normalize();
        let across = normal.cross(&along);
        let offsets: Vec<Vector3<f64>> =
            patch.iter().map(|element| self.centroids[*element] - point).collect();
        let size = offsets.iter().map(|offset| offset.norm()).fold(0.0, f64::max);
        let rows: Vec<Vector3<f64>> = offsets
            .iter()
            .map(|offset| Vector3::new(1.0, along.dot(offset) / size, across.dot(offset) / size))
            .collect();
        let gram: Matrix3<f64> = rows.iter().map(|row| row * row.transpose()).sum();
        // Elements of no size: the decomposition of numbers that are none would not end.
        let finite = gram.iter().all(|x| x.is_finite());
        let found = finite.then(|| SymmetricEigen::try_new(gram, f64::EPSILON, SWEEPS)).flatten();
        let sound = found.is_some_and(|found| found.eigenvalues.min() > 1e-3 * gram[(0, 0)]);
        match gram.try_inverse().filter(|_| sound) {
            Some(inverse) => rows.iter().map(|row| (inverse * row)[0]).collect(),
            // Too few elements for a slope: their mean.
            None => vec![1.0 / patch.len() as f64; patch.len()],
        }
    }
}
