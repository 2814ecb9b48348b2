//! Sections of shells: plane-stress rigidities and mass of one layer or many.
//!
//! Classical lamination theory (R. M. Jones, *Mechanics of Composite Materials*, 1975): strains are linear through the thickness,
//! eps(z) = eps0 + z kappa, and each layer has plane stress with its own constants Q turned by its angle, Q = T^T Q' T (T: strains in
//! material axes). Forces and moments per length
//!   N = A eps0 + B kappa,   M = B eps0 + D kappa,
//!   A = sum Q (z1 - z0),   B = sum Q (z1^2 - z0^2)/2,   D = sum Q (z1^3 - z0^3)/3.
//! Mass per area, its first and second moment likewise. z: along the normal from the nodes, z0 and z1 bottom and top of a layer (m).
//! Cost: once per element, some hundred products per layer.
//!
//! Typeset: book/src/theory/reduction.md (FE.15).

use super::membrane;
use crate::layup::Layup;
use crate::material::{Material, Viscosity};
use nalgebra::Matrix3;

/// Forces and moments from strains and curvatures.
#[derive(Clone, Copy, Debug)]
pub struct Rigidities {
    /// A over the thickness (Pa).
    pub mean: Matrix3<f64>,
    /// B, where layers are not alike on both sides (N).
    pub coupling: Option<Matrix3<f64>>,
    /// D (N m).
    pub bending: Matrix3<f64>,
}

/// Where stresses are wanted: a place along the normal (m) and the constants there (Pa).
#[derive(Clone, Copy, Debug)]
pub struct Face {
    /// Place along the normal (m).
    pub place: f64,
    /// Plane-stress matrix in local axes (Pa).
    pub elasticity: Matrix3<f64>,
}

/// A section of a shell.
#[derive(Clone, Debug)]
pub struct Laminate {
    /// Thickness (m).
    pub thickness: f64,
    /// Elastic.
    pub elastic: Rigidities,
    /// Viscous; `None` without viscosity.
    pub viscous: Option<Rigidities>,
    /// Mass per area (kg/m2), its first (kg/m) and second moment about the nodes (kg).
    pub mass: [f64; 3],
    /// Bottom, middle, top.
    pub faces: [Face; 3],
    /// Contraction that steers the higher-order membrane stiffness (1).
    pub contraction: f64,
}

impl Laminate {
    /// One layer. `angle`: from the local x axis to its first axis (rad).
    pub fn plain(material: &Material, thickness: f64, angle: f64) -> Self {
        let elasticity = elasticity(material, angle);
        let mass = material.density * thickness;
        let face = |place: f64| Face { place, elasticity };
        Self {
            thickness,
            elastic: even(elasticity, thickness),
            viscous: viscosity(material, &elasticity).map(|tensor| even(tensor, thickness)),
            mass: [mass, 0.0, mass * thickness.powi(2) / 12.0],
            faces: [-0.5, 0.0, 0.5].map(|part| face(part * thickness)),
            contraction: contraction(material),
        }
    }

    /// A checked layup. `angle`: from the local x axis to the material axis of the element (rad).
    pub fn layered(materials: &[Material], layup: &Layup, angle: f64) -> Self {
        let thickness = layup.thickness();
        let mut elastic = Sums::default();
        let mut viscous: Option<Sums> = None;
        let mut mass = [layup.additional, layup.additional * layup.middle, 0.0];
        mass[2] = mass[1] * layup.middle;
        let mut mean_contraction = 0.0;
        let (mut faces, rounding) = ([None; 3], 1e-9 * thickness);
        for (ply, between) in layup.places() {
            let material = &materials[ply.material];
            let tensor = elasticity(material, angle + ply.angle);
            elastic.add(&tensor, between);
            if let Some(tensor) = viscosity(material, &tensor) {
                viscous.get_or_insert_default().add(&tensor, between);
            }
            for (moment, power) in mass.iter_mut().zip(1..) {
                *moment += material.density * integral(between, power);
            }
            mean_contraction += contraction(material) * ply.thickness / thickness;
            let half = thickness / 2.0;
            // The layer that holds the place; of two that meet there the lower one.
            for (face, place) in faces.iter_mut().zip([-half, 0.0, half].map(|from| layup.middle + from)) {
                let held = between[0] + rounding < place && place <= between[1] + rounding;
                if face.is_none() || held {
                    *face = Some(Face { place, elasticity: tensor });
                }
            }
        }
        let faces = faces.map(|face| face.unwrap_or(Face { place: 0.0, elasticity: Matrix3::zeros() }));
        Self {
            thickness,
            elastic: elastic.over(thickness),
            viscous: viscous.map(|sums| sums.over(thickness)),
            mass,
            faces,
            contraction: mean_contraction,
        }
    }
}

/// A, B and D under way.
#[derive(Default)]
struct Sums([Matrix3<f64>; 3]);

impl Sums {
    fn add(&mut self, tensor: &Matrix3<f64>, between: [f64; 2]) {
        for (sum, power) in self.0.iter_mut().zip(1..) {
            *sum += tensor * integral(between, power);
        }
    }

    fn over(self, thickness: f64) -> Rigidities {
        let [stretch, coupling, bending] = self.0;
        Rigidities { mean: stretch / thickness, coupling: Some(coupling), bending }
    }
}

/// Integral of z to the power less one.
fn integral([bottom, top]: [f64; 2], power: i32) -> f64 {
    (top.powi(power) - bottom.powi(power)) / f64::from(power)
}

fn even(tensor: Matrix3<f64>, thickness: f64) -> Rigidities {
    Rigidities { mean: tensor, coupling: None, bending: tensor * (thickness.powi(3) / 12.0) }
}

/// Plane-stress elasticity, the material's first axis turned by an angle (Pa).
fn elasticity(material: &Material, angle: f64) -> Matrix3<f64> {
    let Some(constants) = &material.orthotropic else {
        return membrane::plane_stress(material.young, material.poisson);
    };
    let poisson_21 = constants.poisson_12 * constants.young_2 / constants.young_1;
    let scale = 1.0 / (1.0 - constants.poisson_12 * poisson_21);
    let mixed = constants.poisson_12 * constants.young_2 * scale;
    let (first, second) = (constants.young_1 * scale, constants.young_2 * scale);
    let own = Matrix3::new(first, mixed, 0.0, mixed, second, 0.0, 0.0, 0.0, constants.shear_12);
    let (s, c) = angle.sin_cos();
    let (ss, cc, sc) = (s * s, c * c, s * c);
    let strains = Matrix3::new(cc, ss, sc, ss, cc, -sc, -2.0 * sc, 2.0 * sc, cc - ss);
    strains.transpose() * own * strains
}

/// The viscous tensor of a material (Pa s).
fn viscosity(material: &Material, elasticity: &Matrix3<f64>) -> Option<Matrix3<f64>> {
    material.viscosity.map(|viscosity| match viscosity {
        Viscosity::Proportional { time } => elasticity * time,
        Viscosity::Isotropic { young, poisson } => membrane::plane_stress(young, poisson),
    })
}

/// The ratio that steers the higher-order membrane stiffness.
fn contraction(material: &Material) -> f64 {
    material.orthotropic.map_or(material.poisson, |c| c.poisson_12 * (c.young_2 / c.young_1).sqrt())
}
