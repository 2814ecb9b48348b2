//! Solid elements: tetrahedra ([`tetrahedron`]), hexahedra (`hexahedron`, `uniform`, [`serendipity`]), wedges ([`wedge`]),
//! pyramids (`pyramid`), and rods as solids of one dimension (`rod`).
//!
//! Each element is a list of integration points with its volume share, shape values and
//! the operator D from nodal displacements to the displacement gradient (nine rows
//! du_a/dx_b, row 3a + b). With the strain operator B = sym D, elasticity H:
//!   K = sum w B^T H B,   C = sum w B^T G B,   K_sigma = sum w D^T (1 x sigma) D
//! (G viscous tensor; K_sigma geometric stiffness of a stress state). Strains and stresses
//! are ordered xx, yy, zz, xy, yz, zx with engineering shear strains.
//! Three freedoms per node: translations.

pub(crate) mod faces;
pub(crate) mod hexahedron;
mod isoparametric;
mod pyramid;
mod rod;
pub mod serendipity;
pub mod tetrahedron;
mod uniform;
pub mod wedge;

use super::{MassModel, MassSample};
use crate::error::FemError;
use crate::material::{Material, Viscosity, hooke};
use crate::mesh::{Element, Mesh};
use nalgebra::{DMatrix, Matrix3, Matrix3xX, Matrix6, Vector3, Vector6};

/// Symmetric component pairs in the order of strains and stresses.
pub const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

/// One integration point.
#[derive(Clone, Debug)]
pub struct Point {
    /// Share of the volume (m3).
    pub volume: f64,
    /// Displacement gradient from nodal displacements, nine rows.
    pub gradient: DMatrix<f64>,
}

/// A place where mass is sampled.
#[derive(Clone, Debug)]
pub struct MassPoint {
    /// Share of the volume (m3).
    pub volume: f64,
    /// Shape values of the nodes.
    pub values: Vec<f64>,
}

/// A solid element ready for evaluation.
#[derive(Clone, Debug)]
pub struct Solid {
    material: Material,
    positions: Vec<Vector3<f64>>,
    points: Vec<Point>,
    mass_points: Vec<MassPoint>,
    /// Displacement gradient at the nodes, for stresses there.
    node_gradients: Vec<DMatrix<f64>>,
    /// Elasticity in body axes (Pa).
    elasticity: Matrix6<f64>,
    /// Components of the axis of a rod, which has strain along it only.
    axis: Option<Vector6<f64>>,
    /// Directions that points of reduced integration do not see, and the stiffness they get (N/m).
    unseen: Option<(DMatrix<f64>, f64)>,
}

impl Solid {
    /// Builds a solid of a mesh and checks its geometry; `None` when it is no solid.
    pub fn new(mesh: &Mesh, index: usize, element: &Element) -> Result<Option<Self>, FemError> {
        let material = mesh.material(index, element.material())?;
        let solid = match element {
            Element::Rod(rod) => rod::straight(mesh.positions(index, rod.nodes)?, material, rod.area),
            Element::Tet4(solid) => tetrahedron::linear(mesh.positions(index, solid.nodes)?, material),
            Element::Tet10(solid) => tetrahedron::quadratic(mesh.positions(index, solid.nodes)?, material),
            Element::Hex8(solid) => hexahedron::incompatible(mesh.positions(index, solid.nodes)?, material),
            Element::Hex8Reduced(solid) => uniform::stabilised(mesh.positions(index, solid.nodes)?, material),
            Element::Hex20(solid) => {
                serendipity::quadratic(mesh.positions(index, solid.nodes)?, material, false)
            }
            Element::Hex20Reduced(solid) => {
                serendipity::quadratic(mesh.positions(index, solid.nodes)?, material, true)
            }
            Element::Wedge6(solid) => wedge::linear(mesh.positions(index, solid.nodes)?, material),
            Element::Wedge15(solid) => wedge::quadratic(mesh.positions(index, solid.nodes)?, material),
            Element::Pyramid5(solid) => pyramid::linear(mesh.positions(index, solid.nodes)?, material),
            Element::Beam(_) | Element::Shell(_) => return Ok(None),
        };
        solid.map(Some).map_err(|reason| FemError::Geometry { element: index, reason })
    }

    /// Volume (m3).
    pub fn volume(&self) -> f64 {
        self.mass_points.iter().map(|point| point.volume).sum()
    }

    /// Integration points.
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Displacement gradient operators at the nodes.
    pub fn node_gradients(&self) -> &[DMatrix<f64>] {
        &self.node_gradients
    }

    /// Material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Stiffness in body axes, three rows per node.
    pub fn stiffness(&self) -> DMatrix<f64> {
        let seen = self.integrate(&self.elasticity);
        match &self.unseen {
            None => seen,
            Some((directions, stiffness)) => seen + directions * directions.transpose() * *stiffness,
        }
    }

    /// Elasticity in body axes (Pa).
    pub fn elasticity(&self) -> &Matrix6<f64> {
        &self.elasticity
    }

    /// Viscous matrix in body axes; `None` without viscosity.
    pub fn viscous(&self) -> Option<DMatrix<f64>> {
        self.material.viscosity.map(|viscosity| match viscosity {
            Viscosity::Proportional { time } => self.stiffness() * time,
            Viscosity::Isotropic { young, poisson } => self.integrate(&match &self.axis {
                None => hooke(young, poisson),
                Some(axis) => axis * axis.transpose() * young,
            }),
        })
    }

    /// Sum of w B^T H B for a matrix H of the form of an elasticity (Pa or Pa s).
    pub fn integrate(&self, tensor: &Matrix6<f64>) -> DMatrix<f64> {
        let mut strains = DMatrix::zeros(6 * self.points.len(), 3 * self.positions.len());
        let mut stresses = strains.clone();
        for (place, point) in self.points.iter().enumerate() {
            let strain = strain_of(&point.gradient);
            stresses.rows_mut(6 * place, 6).gemm(point.volume, tensor, &strain, 0.0);
            strains.rows_mut(6 * place, 6).copy_from(&strain);
        }
        // One product over all points, where each alone would be a small one.
        let total = strains.transpose() * stresses;
        (&total + total.transpose()) * 0.5
    }

    /// Geometric stiffness of the stresses at the integration points (Pa).
    pub fn geometric_stiffness(&self, stresses: &[Vector6<f64>]) -> DMatrix<f64> {
        let size = 3 * self.positions.len();
        let mut total = DMatrix::zeros(size, size);
        for (point, stress) in self.points.iter().zip(stresses) {
            let tensor = stress_tensor(stress) * point.volume;
            for axis in 0..3 {
                let rows = point.gradient.rows(3 * axis, 3);
                total.gemm_tr(1.0, &rows, &(tensor * rows), 1.0);
            }
        }
        total
    }

    /// Stresses at the integration points under nodal displacements, one column each (Pa): six rows per point, in the order of [`PAIRS`].
    pub fn stresses(&self, displacements: &DMatrix<f64>) -> DMatrix<f64> {
        let mut stresses = DMatrix::zeros(6 * self.points.len(), displacements.ncols());
        for (place, point) in self.points.iter().enumerate() {
            let strain = strain_of(&point.gradient) * displacements;
            stresses.rows_mut(6 * place, 6).gemm(1.0, &self.elasticity, &strain, 0.0);
        }
        stresses
    }

    /// Mass samples: inside the element, or one at each node.
    pub fn samples(&self, model: MassModel) -> Vec<MassSample> {
        match model {
            MassModel::Consistent | MassModel::Linear => {
                self.mass_points.iter().map(|point| self.sample(point)).collect()
            }
            MassModel::Lumped => self.lumps(),
        }
    }

    fn sample(&self, point: &MassPoint) -> MassSample {
        let count = self.positions.len();
        let mut translation = Matrix3xX::zeros(3 * count);
        for (node, value) in point.values.iter().enumerate() {
            translation.fixed_view_mut::<3, 3>(0, 3 * node).fill_diagonal(*value);
        }
        MassSample {
            mass: self.material.density * point.volume,
            inertia: Matrix3::zeros(),
            position: self.positions.iter().zip(&point.values).map(|(x, value)| x * *value).sum(),
            translation,
            rotation: Matrix3xX::zeros(3 * count),
        }
    }

    /// Nodal masses in the ratio of the diagonal of the consistent mass, which stay positive
    /// for quadratic shapes (E. Hinton, T. Rock, O. C. Zienkiewicz, 1976).
    fn lumps(&self) -> Vec<MassSample> {
        let count = self.positions.len();
        let diagonal: Vec<f64> = (0..count)
            .map(|node| self.mass_points.iter().map(|p| p.volume * p.values[node] * p.values[node]).sum())
            .collect();
        let scale = self.material.density * self.volume() / diagonal.iter().sum::<f64>();
        let lump = |node: usize| {
            let mut translation = Matrix3xX::zeros(3 * count);
            translation.fixed_view_mut::<3, 3>(0, 3 * node).fill_with_identity();
            MassSample {
                mass: scale * diagonal[node],
                inertia: Matrix3::zeros(),
                position: self.positions[node],
                translation,
                rotation: Matrix3xX::zeros(3 * count),
            }
        };
        (0..count).map(lump).collect()
    }
}

/// Strain operator (six rows) from a displacement gradient operator (nine rows).
pub fn strain_of(gradient: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(6, gradient.ncols(), |row, column| {
        let (a, b) = PAIRS[row];
        let sum = gradient[(3 * a + b, column)] + gradient[(3 * b + a, column)];
        if a == b { 0.5 * sum } else { sum }
    })
}

/// Stress tensor from its six components.
pub fn stress_tensor(stress: &Vector6<f64>) -> Matrix3<f64> {
    let mut tensor = Matrix3::zeros();
    for (value, (a, b)) in stress.iter().zip(PAIRS) {
        tensor[(a, b)] = *value;
        tensor[(b, a)] = *value;
    }
    tensor
}

/// Nine-row gradient operator from the gradients of the shape functions (1/m).
fn gradient_operator(slopes: &[Vector3<f64>]) -> DMatrix<f64> {
    let mut operator = DMatrix::zeros(9, 3 * slopes.len());
    for (node, slope) in slopes.iter().enumerate() {
        for (axis, direction) in (0..3).flat_map(|axis| (0..3).map(move |direction| (axis, direction))) {
            operator[(3 * axis + direction, 3 * node + axis)] = slope[direction];
        }
    }
    operator
}

/// Jacobian dx/dxi (columns: natural directions) of nodes with natural shape slopes.
fn jacobian(positions: &[Vector3<f64>], natural: &[Vector3<f64>]) -> Matrix3<f64> {
    positions.iter().zip(natural).map(|(x, slope)| x * slope.transpose()).sum()
}

/// Determinant and inverse transpose of a Jacobian, or why the element cannot be used.
fn invert(jacobian: &Matrix3<f64>, size: f64) -> Result<(f64, Matrix3<f64>), String> {
    let determinant = jacobian.determinant();
    if determinant.is_nan() || determinant <= 1e-12 * size.powi(3) {
        return Err("it is turned inside out, flat or too distorted: check the order of its nodes".into());
    }
    let inverse = jacobian.try_inverse().ok_or("it has no volume")?;
    Ok((determinant, inverse.transpose()))
}

/// Largest distance from the first node, a length scale (m).
fn size_of(positions: &[Vector3<f64>]) -> f64 {
    positions.iter().map(|x| (x - positions[0]).norm()).fold(0.0, f64::max)
}
