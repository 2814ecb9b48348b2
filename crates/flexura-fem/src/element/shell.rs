//! Flat triangular thin shell: [`super::plate`] bending plus [`super::membrane`].
//!
//! Local axes: x along the first edge, z normal by the order of the corners. In a flat
//! element of one layer membrane and bending do not couple; layers that are not alike on both
//! sides couple the mean membrane strains to the curvatures (`laminate`). Rotary
//! inertia is that of the normals, rho h^3/12 about the in-plane axes of one layer.

use super::laminate::{Face, Laminate, Rigidities};
use super::membrane::{self, PlaneTriangle};
use super::{MassModel, MassSample, plate, quadrature};
use crate::error::FemError;
use crate::mesh::{Mesh, ShellElement};
use nalgebra::{DMatrix, Matrix3, Matrix3xX, SMatrix, Vector2, Vector3};

/// Places of the bending freedoms w, theta_x, theta_y in a node's six.
const BENDING: [usize; 3] = [2, 3, 4];
/// Places of the membrane freedoms u, v, theta_z in a node's six.
const MEMBRANE: [usize; 3] = [0, 1, 5];

/// A shell element ready for evaluation.
#[derive(Clone, Debug)]
pub struct Shell {
    section: Laminate,
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
        let along = axes.transpose() * element.material_axis.map_or(x, Vector3::from);
        let material_angle = along.y.atan2(along.x);
        let in_plane = along.x.hypot(along.y);
        let directed = material.orthotropic.is_some() || element.layup.is_some();
        if directed && (in_plane.is_nan() || in_plane <= 1e-6 * along.norm()) {
            let reason = "the material axis is normal to the shell or zero".into();
            return Err(FemError::Geometry { element: index, reason });
        }
        let section = match element.layup {
            None => Laminate::plain(&material, element.thickness, material_angle),
            Some(layup) => Laminate::layered(&mesh.materials, mesh.layup(index, layup)?, material_angle),
        };
        Ok(Self { section, corners, axes, triangle })
    }

    /// Area (m2).
    pub fn area(&self) -> f64 {
        self.triangle.area()
    }

    /// Bottom, middle and top; the top is the side that the normal points to.
    pub fn faces(&self) -> &[Face; 3] {
        &self.section.faces
    }

    /// Columns: local axes in body axes.
    pub fn axes(&self) -> &Matrix3<f64> {
        &self.axes
    }

    /// Stiffness in body axes.
    pub fn stiffness(&self) -> DMatrix<f64> {
        self.integrate(&self.section.elastic)
    }

    /// Viscous matrix in body axes; `None` without viscosity.
    pub fn viscous(&self) -> Option<DMatrix<f64>> {
        self.section.viscous.as_ref().map(|rigidities| self.integrate(rigidities))
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
        let strain = membrane::balanced_strain(&self.triangle, at, self.section.contraction);
        let Rigidities { mean, coupling, .. } = &self.section.elastic;
        let forces = mean * self.section.thickness * self.spread(&strain, &MEMBRANE);
        match coupling {
            None => forces,
            Some(coupling) => {
                forces + coupling * self.spread(&plate::curvature(&self.triangle, at), &BENDING)
            }
        }
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

    /// Strains and curvatures squared times rigidities.
    fn integrate(&self, rigidities: &Rigidities) -> DMatrix<f64> {
        let Laminate { thickness, contraction, .. } = self.section;
        let bending = plate::stiffness(&self.triangle, &rigidities.bending);
        let stretching = membrane::stiffness(&self.triangle, thickness, &rigidities.mean, contraction);
        // The mean strains carry the work between membrane and bending: with them alone A, B and D stay one definite form.
        let mixed = rigidities.coupling.map(|coupling| {
            let curvature = plate::mean_curvature(&self.triangle) * self.triangle.area();
            membrane::mean_strain(&self.triangle).transpose() * coupling * curvature
        });
        let mut local = SMatrix::<f64, 18, 18>::zeros();
        for (i, j) in (0..9).flat_map(|i| (0..9).map(move |j| (i, j))) {
            local[(place(i, &BENDING), place(j, &BENDING))] = bending[(i, j)];
            local[(place(i, &MEMBRANE), place(j, &MEMBRANE))] = stretching[(i, j)];
            if let Some(mixed) = &mixed {
                local[(place(i, &MEMBRANE), place(j, &BENDING))] = mixed[(i, j)];
                local[(place(j, &BENDING), place(i, &MEMBRANE))] = mixed[(i, j)];
            }
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
        (mut translation, rotation): (Matrix3xX<f64>, Matrix3xX<f64>),
    ) -> MassSample {
        let arm = self.mass_arm();
        if let Some(arm) = arm {
            translation -= arm.cross_matrix() * &rotation;
        }
        MassSample {
            mass: weight * self.mass(),
            inertia: self.normal_inertia() * weight,
            position: self.corners[0] * at[0]
                + self.corners[1] * at[1]
                + self.corners[2] * at[2]
                + arm.unwrap_or_default(),
            translation,
            rotation,
        }
    }

    fn lump(&self, corner: usize) -> MassSample {
        let (mass, inertia) = (self.mass() / 3.0, self.normal_inertia() / 3.0);
        let arm = self.mass_arm().unwrap_or_default();
        MassSample::at_node(corner, 3, mass, inertia, self.corners[corner], arm)
    }

    fn mass(&self) -> f64 {
        self.section.mass[0] * self.triangle.area()
    }

    /// From the nodes to the centre of mass of the layers, where that lies beside them.
    fn mass_arm(&self) -> Option<Vector3<f64>> {
        let [mass, first, _] = self.section.mass;
        (first != 0.0).then(|| self.axes.column(2) * (first / mass))
    }

    fn normal_inertia(&self) -> Matrix3<f64> {
        let [mass, first, second] = self.section.mass;
        let about_edge = (second - first * first / mass) * self.triangle.area();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layup::{Layup, Ply};
    use crate::material::Material;

    /// Forces of a state of constant strains and curvatures: A eps0 + B kappa of two layers without contraction, by hand.
    #[test]
    fn unsymmetric_layers_have_membrane_forces_from_curvature() {
        let young = [2e11, 7e10];
        let layers = [0.001, 0.0015].into_iter().enumerate();
        let plies = layers.map(|(material, thickness)| Ply { material, thickness, angle: 0.0 }).collect();
        let mesh = Mesh {
            nodes: vec![[0.0, 0.0, 0.0], [0.4, 0.1, 0.0], [0.1, 0.5, 0.0]],
            materials: young.map(|young| Material::isotropic(young, 0.0, 3000.0)).to_vec(),
            layups: vec![Layup::new(plies)],
            ..Mesh::default()
        };
        let element = ShellElement {
            nodes: [0, 1, 2],
            material: 0,
            thickness: 0.0025,
            material_axis: Some([1.0, 0.0, 0.0]),
            layup: Some(0),
        };
        let shell = Shell::new(&mesh, 0, &element).unwrap();
        let (strain, kappa) = (3e-4, 0.2);
        let mut values = DMatrix::zeros(18, 1);
        for (node, [x, ..]) in mesh.nodes.iter().enumerate() {
            values[6 * node] = strain * x;
            values[6 * node + 2] = -0.5 * kappa * x * x;
            values[6 * node + 4] = kappa * x;
        }
        let z: [f64; 3] = [-0.00125, -0.00025, 0.00125];
        let sum = |power: i32| -> f64 {
            (0..2).map(|i| young[i] * (z[i + 1].powi(power) - z[i].powi(power)) / f64::from(power)).sum()
        };
        let exact = sum(1) * strain + sum(2) * kappa;
        for at in [[1.0, 0.0, 0.0], [0.2, 0.3, 0.5]] {
            let local = shell.membrane_forces(at) * &values;
            let tensor = Matrix3::new(local[0], local[2], 0.0, local[2], local[1], 0.0, 0.0, 0.0, 0.0);
            let body = shell.axes() * tensor * shell.axes().transpose();
            assert!((body[(0, 0)] / exact - 1.0).abs() < 1e-9 && body[(1, 1)].abs() < 1e-9 * exact.abs());
        }
    }
}
