//! Two-node Timoshenko beam in space, free of shear locking.
//!
//! Mindlin kinematics with a quadratic rotation, as the beam of M. J. Richard,
//! "Modeling and simulation of flexible multibody systems" (2012); the rotation's
//! extra term is eliminated by moment equilibrium, which makes nodal values exact
//! for end loads (J.-L. Batoz, G. Dhatt, "Modelisation des structures par elements
//! finis", vol. 2, 1990; Z. Friedman, J. Kosmatka, 1993).
//!
//! One bending plane, s = x/L, deflection v, rotation t (v' = t + g):
//!   t(s) = (1-s) t1 + s t2 + 6 s(1-s) a,      g = Phi a  constant,
//!   a = ( (v2-v1)/L - (t1+t2)/2 ) / (1+Phi),  Phi = 12 E I / (G A_s L^2),
//!   v(s) = v1 + L [ (s - s^2/2) t1 + s^2/2 t2 + (3s^2 - 2s^3 + Phi s) a ],
//!   k = t'(x) = (t2 - t1)/L + 6 (1-2s) a / L.
//! In the x-z plane the rotation about y is -t. Axial and twist fields are linear.
//!
//! Mass. A linear field of slope e has the kinetic energy of mean^2 + (eL)^2/12; the
//! mean of consistent and lumped mass doubles the second part and raises the order of
//! frequencies from two to four (G. L. Goudreau, R. L. Taylor, 1973). The same follows
//! here from the inner deflection that inertia forces add, q L^2/(2 G A_s) s(1-s) with
//! q = -G A_s g': the energy of v' g/12 is missing. Samples therefore stretch the
//! fields of constant strain about the middle: axial and twist by sqrt(2) - 1, shear by
//! its best value between slender beams (1/2) and pure shear (sqrt(2) - 1). Rigid
//! motions and momentum are untouched, and masses stay positive. The linear mass has none of
//! this: N1 = 1-s, N2 = s for every freedom (Richard, eq. 50), frequencies of order two.
//!
//! Pinned freedoms of the ends follow the others statically, for mass as for stiffness.

use super::{MassModel, MassSample, quadrature};
use crate::error::FemError;
use crate::material::{Material, Viscosity};
use crate::mesh::{BeamElement, Mesh, Pins};
use crate::section::BeamSection;
use nalgebra::{DMatrix, Matrix3, Matrix3xX, SMatrix, SVector, Vector3};

type Row = SVector<f64, 12>;

/// Stretch of axial and twist strain in the mass field.
const BAR_STRETCH: f64 = std::f64::consts::SQRT_2 - 1.0;
/// Stretch of shear strain in the mass field.
const SHEAR_STRETCH: f64 = 0.5 * (0.5 + BAR_STRETCH);

/// What is said of a beam that its pins leave loose.
const LOOSE: &str = "its pins leave the beam loose: it could move without strain";

/// A beam element ready for evaluation.
#[derive(Clone, Debug)]
pub struct Beam {
    material: Material,
    section: BeamSection,
    /// Ends of the centroid line in body axes (m).
    ends: [Vector3<f64>; 2],
    nodes: [Vector3<f64>; 2],
    length: f64,
    /// Columns: axis and section axes y, z in body axes.
    axes: Matrix3<f64>,
    /// Nodal displacements in body axes to end displacements in local axes.
    to_local: SMatrix<f64, 12, 12>,
}

/// One bending plane: which degrees of freedom, and the sign of the rotation.
struct Plane {
    deflection: usize,
    rotation: usize,
    sign: f64,
    shear_number: f64,
}

impl Beam {
    /// Builds the element and checks its geometry.
    pub fn new(mesh: &Mesh, index: usize, element: &BeamElement) -> Result<Self, FemError> {
        let nodes = mesh.positions(index, element.nodes)?;
        let arms = element.offsets.map(Vector3::from);
        let ends = [nodes[0] + arms[0], nodes[1] + arms[1]];
        let (length, axes) = triad(ends[1] - ends[0], element.orientation.into())
            .map_err(|reason| FemError::Geometry { element: index, reason })?;
        let mut to_local = SMatrix::<f64, 12, 12>::zeros();
        for (end, arm) in arms.iter().enumerate() {
            let local = axes.transpose();
            to_local.fixed_view_mut::<3, 3>(6 * end, 6 * end).copy_from(&local);
            to_local.fixed_view_mut::<3, 3>(6 * end, 6 * end + 3).copy_from(&(-local * arm.cross_matrix()));
            to_local.fixed_view_mut::<3, 3>(6 * end + 3, 6 * end + 3).copy_from(&local);
        }
        let material = mesh.material(index, element.material)?;
        let mut beam = Self { material, section: element.section, ends, nodes, length, axes, to_local };
        if element.pins.as_flattened().contains(&true) {
            let loose = || FemError::Geometry { element: index, reason: LOOSE.into() };
            beam.to_local = beam.released(element.pins).ok_or_else(loose)? * to_local;
        }
        Ok(beam)
    }

    /// What the ends of a beam with pins do: its pinned freedoms follow the others so that they carry nothing,
    /// u_p = -K_pp^-1 K_pf u_f. Everything that is interpolated between the ends then has the pins too. `None` where the beam
    /// could move without strain.
    fn released(&self, pins: Pins) -> Option<SMatrix<f64, 12, 12>> {
        let local = self.local_stiffness(self.material.young, self.material.shear());
        let pins = pins.as_flattened();
        let pinned: Vec<usize> = (0..12).filter(|freedom| pins[*freedom]).collect();
        let own = DMatrix::from_fn(pinned.len(), pinned.len(), |i, j| local[(pinned[i], pinned[j])]);
        let others =
            DMatrix::from_fn(pinned.len(), 12, |i, j| if pins[j] { 0.0 } else { local[(pinned[i], j)] });
        // Scaled by the diagonal, so that forces and moments compare.
        let scale: Vec<f64> = (0..pinned.len()).map(|i| own[(i, i)].sqrt().recip()).collect();
        let scaled = DMatrix::from_fn(pinned.len(), pinned.len(), |i, j| own[(i, j)] * scale[i] * scale[j]);
        let factor = nalgebra::Cholesky::new(scaled)?;
        if factor.l().diagonal().iter().any(|pivot| *pivot < 1e-6) {
            return None;
        }
        let follow = factor.solve(&DMatrix::from_fn(pinned.len(), 12, |i, j| others[(i, j)] * scale[i]));
        let mut whole = SMatrix::<f64, 12, 12>::identity();
        for (row, freedom) in pinned.into_iter().enumerate() {
            (0..12).for_each(|column| whole[(freedom, column)] = -follow[(row, column)] * scale[row]);
        }
        Some(whole)
    }

    /// Length of the centroid line (m).
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Columns: the beam axis and the section's y and z axes, in body axes.
    pub fn axes(&self) -> &Matrix3<f64> {
        &self.axes
    }

    /// Stiffness in body axes.
    pub fn stiffness(&self) -> DMatrix<f64> {
        self.integrate(self.material.young, self.material.shear())
    }

    /// Viscous matrix in body axes; `None` without viscosity.
    pub fn viscous(&self) -> Option<DMatrix<f64>> {
        self.material.viscosity.map(|viscosity| match viscosity {
            Viscosity::Proportional { time } => self.stiffness() * time,
            Viscosity::Isotropic { young, poisson } => self.integrate(young, young / (2.0 * (1.0 + poisson))),
        })
    }

    /// Material constants.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// Cross section.
    pub fn section(&self) -> &BeamSection {
        &self.section
    }

    /// Strains squared times moduli of extension and shear (Pa, or Pa s), body axes.
    fn integrate(&self, young: f64, shear: f64) -> DMatrix<f64> {
        let body = self.to_local.transpose() * self.local_stiffness(young, shear) * self.to_local;
        DMatrix::from_fn(12, 12, |i, j| 0.5 * (body[(i, j)] + body[(j, i)]))
    }

    /// The same of the ends, in local axes.
    fn local_stiffness(&self, young: f64, shear: f64) -> SMatrix<f64, 12, 12> {
        let (section, length) = (&self.section, self.length);
        let mut local = SMatrix::<f64, 12, 12>::zeros();
        let mut add = |row: Row, factor: f64| local += row * row.transpose() * factor;
        add(difference(0) / length, young * section.area * length);
        add(difference(3) / length, shear * section.torsion * length);
        for (plane, inertia, shear_area) in self.planes() {
            // The curvature is linear, so that two points integrate its square.
            for s in [0.5 - 0.75_f64.sqrt() / 3.0, 0.5 + 0.75_f64.sqrt() / 3.0] {
                add(self.curvature(&plane, s), young * inertia * length / 2.0);
            }
            let shear_strain = self.extra_rotation(&plane) * plane.shear_number;
            add(shear_strain, shear * shear_area * length);
        }
        local
    }

    /// Mass samples: four along the element (two suffice for linear fields; all four lie where stiffening is
    /// integrated), or one at each end of the centroid line.
    pub fn samples(&self, model: MassModel) -> Vec<MassSample> {
        match model {
            MassModel::Consistent => {
                let field = |s| self.field(s, BAR_STRETCH, SHEAR_STRETCH);
                quadrature::interval().iter().map(|&(s, weight)| self.sample(s, weight, field(s))).collect()
            }
            MassModel::Linear => {
                let field = |s| self.linear_field(s);
                quadrature::interval().iter().map(|&(s, weight)| self.sample(s, weight, field(s))).collect()
            }
            MassModel::Lumped => (0..2).map(|end| self.lump(end)).collect(),
        }
    }

    /// Translation and rotation at s = x/L from the nodal displacements, body axes.
    pub fn interpolate(&self, s: f64) -> (Matrix3xX<f64>, Matrix3xX<f64>) {
        self.field(s, 0.0, 0.0)
    }

    /// Axial and shear strain, then curvature (1/m), at s = x/L from the nodal
    /// displacements: columns of vectors in body axes.
    pub fn strains(&self, s: f64) -> (Matrix3xX<f64>, Matrix3xX<f64>) {
        let [in_xy, in_xz] = self.planes().map(|(plane, ..)| plane);
        let shear = |plane: &Plane| self.extra_rotation(plane) * plane.shear_number;
        let strain = [difference(0) / self.length, shear(&in_xy), shear(&in_xz)];
        let twist = difference(3) / self.length;
        let curvature =
            [twist, self.curvature(&in_xz, s) * in_xz.sign, self.curvature(&in_xy, s) * in_xy.sign];
        (self.to_body(&strain), self.to_body(&curvature))
    }

    /// Interpolated field with the constant strains stretched about the middle.
    fn field(&self, s: f64, bar: f64, shear: f64) -> (Matrix3xX<f64>, Matrix3xX<f64>) {
        let [in_xy, in_xz] = self.planes().map(|(plane, ..)| plane);
        let wide = s + bar * (s - 0.5);
        let sheared = |plane: &Plane| {
            let slope = self.extra_rotation(plane) * (plane.shear_number * self.length);
            self.deflection(plane, s) + slope * (shear * (s - 0.5))
        };
        let translation = [linear(0, wide), sheared(&in_xy), sheared(&in_xz)];
        let rotation =
            [linear(3, wide), self.rotation(&in_xz, s) * in_xz.sign, self.rotation(&in_xy, s) * in_xy.sign];
        (self.to_body(&translation), self.to_body(&rotation))
    }

    /// Every freedom linear between the ends.
    fn linear_field(&self, s: f64) -> (Matrix3xX<f64>, Matrix3xX<f64>) {
        let rows = |first: usize| self.to_body(&std::array::from_fn(|i| linear(first + i, s)));
        (rows(0), rows(3))
    }

    fn sample(
        &self,
        s: f64,
        weight: f64,
        (translation, rotation): (Matrix3xX<f64>, Matrix3xX<f64>),
    ) -> MassSample {
        MassSample {
            mass: weight * self.mass(),
            inertia: self.section_inertia() * weight,
            position: self.ends[0].lerp(&self.ends[1], s),
            translation,
            rotation,
        }
    }

    fn lump(&self, end: usize) -> MassSample {
        let arm = self.ends[end] - self.nodes[end];
        let inertia = self.section_inertia() * 0.5;
        MassSample::at_node(end, 2, 0.5 * self.mass(), inertia, self.nodes[end], arm)
    }

    fn mass(&self) -> f64 {
        self.material.density * self.section.area * self.length
    }

    /// Rotary inertia of the cross sections over the whole length, body axes.
    fn section_inertia(&self) -> Matrix3<f64> {
        let line = self.material.density * self.length;
        let moments = Vector3::new(self.section.polar(), self.section.inertia_y, self.section.inertia_z);
        self.axes * Matrix3::from_diagonal(&(moments * line)) * self.axes.transpose()
    }

    /// The planes x-y and x-z with second moment and shear area.
    fn planes(&self) -> [(Plane, f64, f64); 2] {
        let section = &self.section;
        let plane = |deflection, rotation, sign, inertia: f64, shear_area: f64| {
            let rigidity = self.material.shear() * shear_area * self.length.powi(2);
            let bending = 12.0 * self.material.young * inertia;
            let shear_number = if shear_area > 0.0 { bending / rigidity } else { 0.0 };
            (Plane { deflection, rotation, sign, shear_number }, inertia, shear_area)
        };
        [
            plane(1, 5, 1.0, section.inertia_z, section.shear_area_y),
            plane(2, 4, -1.0, section.inertia_y, section.shear_area_z),
        ]
    }

    /// The coefficient a of the quadratic term of the rotation.
    fn extra_rotation(&self, plane: &Plane) -> Row {
        let mean = unit(plane.rotation) + unit(plane.rotation + 6);
        (difference(plane.deflection) / self.length - mean * (0.5 * plane.sign)) / (1.0 + plane.shear_number)
    }

    fn rotation(&self, plane: &Plane, s: f64) -> Row {
        linear(plane.rotation, s) * plane.sign + self.extra_rotation(plane) * (6.0 * s * (1.0 - s))
    }

    fn curvature(&self, plane: &Plane, s: f64) -> Row {
        let extra = self.extra_rotation(plane) * (6.0 * (1.0 - 2.0 * s));
        (difference(plane.rotation) * plane.sign + extra) / self.length
    }

    fn deflection(&self, plane: &Plane, s: f64) -> Row {
        let ends = unit(plane.rotation) * (s - s * s / 2.0) + unit(plane.rotation + 6) * (s * s / 2.0);
        let extra = self.extra_rotation(plane) * (s * s * (3.0 - 2.0 * s) + plane.shear_number * s);
        unit(plane.deflection) + (ends * plane.sign + extra) * self.length
    }

    fn to_body(&self, rows: &[Row; 3]) -> Matrix3xX<f64> {
        let local = SMatrix::<f64, 3, 12>::from_fn(|i, j| rows[i][j]);
        let body = self.axes * local * self.to_local;
        Matrix3xX::from_fn(12, |i, j| body[(i, j)])
    }
}

fn unit(dof: usize) -> Row {
    let mut row = Row::zeros();
    row[dof] = 1.0;
    row
}

/// Second minus first end.
fn difference(dof: usize) -> Row {
    unit(dof + 6) - unit(dof)
}

fn linear(dof: usize, s: f64) -> Row {
    unit(dof) * (1.0 - s) + unit(dof + 6) * s
}

/// Length and local axes from the axis vector and a vector in the x-y plane.
fn triad(axis: Vector3<f64>, orientation: Vector3<f64>) -> Result<(f64, Matrix3<f64>), String> {
    let length = axis.norm();
    if !(length.is_finite() && length > 0.0) {
        return Err("the beam has no length".into());
    }
    let x = axis / length;
    let normal = x.cross(&orientation);
    if normal.norm().is_nan() || normal.norm() <= 1e-6 * orientation.norm() {
        return Err("the orientation vector is parallel to the beam or zero".into());
    }
    let z = normal.normalize();
    Ok((length, Matrix3::from_columns(&[x, z.cross(&x), z])))
}
