//! Flat triangular thin shell: [`super::plate`] bending plus [`super::membrane`].
//!
//! Local axes: x along the first edge, z normal by the order of the corners. In a
//! flat isotropic element membrane and bending do not couple. Rotary inertia is
//! that of the normals, rho h^3/12 about the in-plane axes.

use super::membrane::{self, PlaneTriangle};
use super::{MassModel, MassSample, plate, quadrature};
use crate::error::FemError;
use crate::material::Material;
use crate::mesh::{Mesh, ShellElement};
use nalgebra::{DMatrix, Matrix3, Matrix3xX, SMatrix, Vector2, Vector3};

/// Places of the bending freedoms w, theta_x, theta_y in a node's six.
const BENDING: [usize; 3] = [2, 3, 4];
/// Places of the membrane freedoms u, v, theta_z in a node's six.
const MEMBRANE: [usize; 3] = [0, 1, 5];

/// A shell element ready for evaluation.
#[derive(Clone, Debug)]
pub struct Shell {
    material: Material,
    thickness: f64,
    corners: [Vector3<f64>; 3],
    /// Columns: local axes in body axes.
    axes: Matrix3<f64>,
    triangle: PlaneTriangle,
}

impl Shell {
    /// Builds the element and checks its geometry.
    pub fn new(mesh: &Mesh, index: usize, element: &ShellElement) -> Result<Self, FemError> {
        let corners = mesh.positions(index, element.nodes)?;
        let (first, last) = (corners[1] - corners[0], corners[2] - corners[0]);
        let normal = first.cross(&last);
        let longest = first.norm().max(last.norm()).max((last - first).norm());
        if normal.norm().is_nan() || normal.norm() <= 1e-10 * longest * longest {
            return Err(FemError::Geometry { element: index, reason: "the triangle has no area".into() });
        }
        let (x, z) = (first.normalize(), normal.normalize());
        let axes = Matrix3::from_columns(&[x, z.cross(&x), z]);
        let flat = corners.map(|corner| {
            let local = axes.transpose() * (corner - corners[0]);
            Vector2::new(local.x, local.y)
        });
        let triangle = PlaneTriangle::new(flat);
        let material = mesh.material(index, element.material)?;
        Ok(Self { material, thickness: element.thickness, corners, axes, triangle })
    }

    /// Area (m2).
    pub fn area(&self) -> f64 {
        self.triangle.area()
    }

    /// Stiffness in body axes.
    pub fn stiffness(&self) -> DMatrix<f64> {
        let elasticity = membrane::plane_stress(self.material.young, self.material.poisson);
        let rigidity = elasticity * (self.thickness.powi(3) / 12.0);
        let bending = plate::stiffness(&self.triangle, &rigidity);
        let stretching =
            membrane::stiffness(&self.triangle, self.thickness, &elasticity, self.material.poisson);
        let mut local = SMatrix::<f64, 18, 18>::zeros();
        for (i, j) in (0..9).flat_map(|i| (0..9).map(move |j| (i, j))) {
            local[(place(i, &BENDING), place(j, &BENDING))] = bending[(i, j)];
            local[(place(i, &MEMBRANE), place(j, &MEMBRANE))] = stretching[(i, j)];
        }
        let to_local = self.to_local();
        let body = to_local.transpose() * local * to_local;
        DMatrix::from_fn(18, 18, |i, j| 0.5 * (body[(i, j)] + body[(j, i)]))
    }

    /// Mass samples: seven inside the element, or one at each corner.
    pub fn samples(&self, model: MassModel) -> Vec<MassSample> {
        match model {
            MassModel::Consistent => {
                quadrature::triangle().iter().map(|&(place, weight)| self.sample(place, weight)).collect()
            }
            MassModel::Lumped => (0..3).map(|corner| self.lump(corner)).collect(),
        }
    }

    fn sample(&self, at: [f64; 3], weight: f64) -> MassSample {
        let (in_plane, deflection) =
            (membrane::displacement(&self.triangle, at), plate::deflection(&self.triangle, at));
        let rotations = plate::rotations(&self.triangle, at);
        let mut translation = SMatrix::<f64, 3, 18>::zeros();
        let mut rotation = SMatrix::<f64, 3, 18>::zeros();
        for dof in 0..9 {
            let (flat, bent) = (place(dof, &MEMBRANE), place(dof, &BENDING));
            translation[(0, flat)] = in_plane[(0, dof)];
            translation[(1, flat)] = in_plane[(1, dof)];
            translation[(2, bent)] = deflection[dof];
            rotation[(0, bent)] = -rotations[(1, dof)];
            rotation[(1, bent)] = rotations[(0, dof)];
        }
        for corner in 0..3 {
            rotation[(2, 6 * corner + 5)] = at[corner];
        }
        MassSample {
            mass: weight * self.mass(),
            inertia: self.normal_inertia() * weight,
            position: self.corners[0] * at[0] + self.corners[1] * at[1] + self.corners[2] * at[2],
            translation: self.to_body(&translation),
            rotation: self.to_body(&rotation),
        }
    }

    fn lump(&self, corner: usize) -> MassSample {
        let (mass, inertia) = (self.mass() / 3.0, self.normal_inertia() / 3.0);
        MassSample::at_node(corner, 3, mass, inertia, self.corners[corner], Vector3::zeros())
    }

    fn mass(&self) -> f64 {
        self.material.density * self.thickness * self.triangle.area()
    }

    fn normal_inertia(&self) -> Matrix3<f64> {
        let about_edge = self.mass() * self.thickness.powi(2) / 12.0;
        let local = Matrix3::from_diagonal(&Vector3::new(about_edge, about_edge, 0.0));
        self.axes * local * self.axes.transpose()
    }

    fn to_local(&self) -> SMatrix<f64, 18, 18> {
        let mut blocks = SMatrix::<f64, 18, 18>::zeros();
        for block in 0..6 {
            blocks.fixed_view_mut::<3, 3>(3 * block, 3 * block).copy_from(&self.axes.transpose());
        }
        blocks
    }

    fn to_body(&self, local: &SMatrix<f64, 3, 18>) -> Matrix3xX<f64> {
        let body = self.axes * local * self.to_local();
        Matrix3xX::from_fn(18, |i, j| body[(i, j)])
    }
}

/// Place among 18 of the `dof`-th of nine freedoms, three per corner.
fn place(dof: usize, freedoms: &[usize; 3]) -> usize {
    6 * (dof / 3) + freedoms[dof % 3]
}
