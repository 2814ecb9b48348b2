//! Flat triangular thin shell: [`super::plate`] bending plus [`super::membrane`].
//!
//! Local axes: x along the first edge, z normal by the order of the corners. In a flat
//! element of one material membrane and bending do not couple. Orthotropic constants are
//! turned from the material axes by Q = T^T Q' T (T: strains in material axes). Rotary
//! inertia is that of the normals, rho h^3/12 about the in-plane axes.

use super::membrane::{self, PlaneTriangle};
use super::{MassModel, MassSample, plate, quadrature};
use crate::error::FemError;
use crate::material::{Material, Viscosity};
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
    /// Angle from the local x axis to the first material axis (rad).
    material_angle: f64,
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
        let along = axes.transpose() * element.material_axis.map_or(x, Vector3::from);
        let material_angle = along.y.atan2(along.x);
        let in_plane = along.x.hypot(along.y);
        if material.orthotropic.is_some() && (in_plane.is_nan() || in_plane <= 1e-6 * along.norm()) {
            let reason = "the material axis is normal to the shell or zero".into();
            return Err(FemError::Geometry { element: index, reason });
        }
        Ok(Self { material, thickness: element.thickness, corners, axes, triangle, material_angle })
    }

    /// Area (m2).
    pub fn area(&self) -> f64 {
        self.triangle.area()
    }

    /// Thickness (m).
    pub fn thickness(&self) -> f64 {
        self.thickness
    }

    /// Columns: local axes in body axes.
    pub fn axes(&self) -> &Matrix3<f64> {
        &self.axes
    }

    /// Plane-stress elasticity in local axes (Pa).
    pub fn elasticity(&self) -> Matrix3<f64> {
        let Some(constants) = &self.material.orthotropic else {
            return membrane::plane_stress(self.material.young, self.material.poisson);
        };
        let poisson_21 = constants.poisson_12 * constants.young_2 / constants.young_1;
        let scale = 1.0 / (1.0 - constants.poisson_12 * poisson_21);
        let mixed = constants.poisson_12 * constants.young_2 * scale;
        let (first, second) = (constants.young_1 * scale, constants.young_2 * scale);
        let own = Matrix3::new(first, mixed, 0.0, mixed, second, 0.0, 0.0, 0.0, constants.shear_12);
        let (s, c) = self.material_angle.sin_cos();
        let (ss, cc, sc) = (s * s, c * c, s * c);
        let strains = Matrix3::new(cc, ss, sc, ss, cc, -sc, -2.0 * sc, 2.0 * sc, cc - ss);
        strains.transpose() * own * strains
    }

    /// Stiffness in body axes.
    pub fn stiffness(&self) -> DMatrix<f64> {
        self.integrate(&self.elasticity())
    }

    /// Viscous matrix in body axes; `None` without viscosity.
    pub fn viscous(&self) -> Option<DMatrix<f64>> {
        self.material.viscosity.map(|viscosity| match viscosity {
            Viscosity::Proportional { time } => self.stiffness() * time,
            Viscosity::Isotropic { young, poisson } => {
                self.integrate(&membrane::plane_stress(young, poisson))
            }
        })
    }

    /// Curvatures at a corner from the nodal displacements in body axes: rows xx, yy, xy in
    /// local axes (1/m).
    pub fn corner_curvature(&self, corner: usize) -> SMatrix<f64, 3, 18> {
        let mut at = [0.0; 3];
        at[corner] = 1.0;
        self.spread(&plate::curvature(&self.triangle, at), &BENDING)
    }

    /// Mean membrane strains from the nodal displacements in body axes.
    pub fn mean_membrane_strain(&self) -> SMatrix<f64, 3, 18> {
        self.spread(&membrane::mean_strain(&self.triangle), &MEMBRANE)
    }

    /// Membrane forces (N/m) xx, yy, xy in local axes that balance the nodal forces, from the
    /// nodal displacements in body axes.
    pub fn membrane_forces(&self, at: [f64; 3]) -> SMatrix<f64, 3, 18> {
        let strain = membrane::balanced_strain(&self.triangle, at, self.contraction());
        self.elasticity() * self.thickness * self.spread(&strain, &MEMBRANE)
    }

    /// Middle of the triangle (m).
    pub fn centroid(&self) -> Vector3<f64> {
        self.corners.iter().sum::<Vector3<f64>>() / 3.0
    }

    /// Slopes of the displacement along the local axes: rows d/dx, d/dy of u, of v and of the
    /// deflection, whose slopes are those of the normal, from nodal displacements in body axes.
    pub fn slopes(&self, at: [f64; 3]) -> [DMatrix<f64>; 3] {
        let [u, v] = membrane::slopes(&self.triangle, at);
        let w = -plate::rotations(&self.triangle, at);
        [(u, &MEMBRANE), (v, &MEMBRANE), (w, &BENDING)].map(|(rows, freedoms)| {
            let padded = SMatrix::<f64, 3, 9>::from_fn(|i, j| if i < 2 { rows[(i, j)] } else { 0.0 });
            let wide = self.spread(&padded, freedoms);
            DMatrix::from_fn(2, 18, |i, j| wide[(i, j)])
        })
    }

    /// Rows of nine local freedoms as rows of the 18 in body axes.
    fn spread(&self, rows: &SMatrix<f64, 3, 9>, freedoms: &[usize; 3]) -> SMatrix<f64, 3, 18> {
        let mut wide = SMatrix::<f64, 3, 18>::zeros();
        for dof in 0..9 {
            wide.set_column(place(dof, freedoms), &rows.column(dof));
        }
        wide * self.to_local()
    }

    /// The ratio that steers the higher-order membrane stiffness.
    fn contraction(&self) -> f64 {
        self.material
            .orthotropic
            .map_or(self.material.poisson, |c| c.poisson_12 * (c.young_2 / c.young_1).sqrt())
    }

    /// Strains squared times a plane tensor (Pa, or Pa s).
    fn integrate(&self, tensor: &Matrix3<f64>) -> DMatrix<f64> {
        let rigidity = tensor * (self.thickness.powi(3) / 12.0);
        let bending = plate::stiffness(&self.triangle, &rigidity);
        let stretching = membrane::stiffness(&self.triangle, self.thickness, tensor, self.contraction());
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
                let field = |place| self.field(place);
                quadrature::triangle()
                    .iter()
                    .map(|&(at, weight)| self.sample(at, weight, field(at)))
                    .collect()
            }
            MassModel::Linear => {
                let field = |place| self.linear_field(place);
                quadrature::triangle()
                    .iter()
                    .map(|&(at, weight)| self.sample(at, weight, field(at)))
                    .collect()
            }
            MassModel::Lumped => (0..3).map(|corner| self.lump(corner)).collect(),
        }
    }

    /// Translation and rotation from the nodal displacements, body axes: those of membrane and plate.
    fn field(&self, at: [f64; 3]) -> (Matrix3xX<f64>, Matrix3xX<f64>) {
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
        (self.to_body(&translation), self.to_body(&rotation))
    }

    /// The same with every freedom linear between the corners (M. J. Richard, 2012, eq. 51).
    fn linear_field(&self, at: [f64; 3]) -> (Matrix3xX<f64>, Matrix3xX<f64>) {
        let rows =
            |first: usize| Matrix3xX::from_fn(18, |i, j| if j % 6 == first + i { at[j / 6] } else { 0.0 });
        (rows(0), rows(3))
    }

    fn sample(
        &self,
        at: [f64; 3],
        weight: f64,
        (translation, rotation): (Matrix3xX<f64>, Matrix3xX<f64>),
    ) -> MassSample {
        MassSample {
            mass: weight * self.mass(),
            inertia: self.normal_inertia() * weight,
            position: self.corners[0] * at[0] + self.corners[1] * at[1] + self.corners[2] * at[2],
            translation,
            rotation,
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
