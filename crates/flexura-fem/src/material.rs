//! Linear elastic materials: isotropic, orthotropic for shells, anisotropic for solids, with
//! Kelvin-Voigt viscosity.

use crate::error::{FemError, not_negative, positive};
use crate::linear::SWEEPS;
use nalgebra::{Matrix6, SymmetricEigen};

/// A linear elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Young's modulus (Pa).
    pub young: f64,
    /// Poisson's ratio (1).
    pub poisson: f64,
    /// Density (kg/m3).
    pub density: f64,
    /// Constants in two directions, for shells; replaces `young` and `poisson`.
    pub orthotropic: Option<OrthotropicShell>,
    /// Constants in every direction, for solids, in body axes; replaces `young` and `poisson` (Pa).
    pub anisotropic: Option<Elasticity>,
    /// Viscosity; `None` for none.
    pub viscosity: Option<Viscosity>,
}

/// Stress from strain, xx, yy, zz, xy, yz, zx with engineering shear strains (Pa).
pub type Elasticity = [[f64; 6]; 6];

/// Plane-stress constants of an orthotropic shell in its material axes 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrthotropicShell {
    /// Young's modulus along axis 1 (Pa).
    pub young_1: f64,
    /// Young's modulus along axis 2 (Pa).
    pub young_2: f64,
    /// Contraction along 2 under stress along 1 (1).
    pub poisson_12: f64,
    /// In-plane shear modulus (Pa).
    pub shear_12: f64,
}

/// Kelvin-Voigt viscosity: stress from strain rate.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Viscosity {
    /// The viscous tensor is a retardation time (s) times the elastic one.
    Proportional {
        /// Retardation time (s).
        time: f64,
    },
    /// An isotropic viscous tensor of the form of Hooke's law.
    Isotropic {
        /// Takes the place of Young's modulus (Pa s).
        young: f64,
        /// Takes the place of Poisson's ratio (1).
        poisson: f64,
    },
}

impl Material {
    /// An isotropic material from Young's modulus (Pa), Poisson's ratio and density (kg/m3).
    pub fn isotropic(young: f64, poisson: f64, density: f64) -> Self {
        Self { young, poisson, density, orthotropic: None, anisotropic: None, viscosity: None }
    }

    /// An orthotropic shell material with its density (kg/m3).
    pub fn orthotropic_shell(constants: OrthotropicShell, density: f64) -> Self {
        let (young, poisson) = (constants.young_1, 0.0);
        Self { young, poisson, density, orthotropic: Some(constants), anisotropic: None, viscosity: None }
    }

    /// An anisotropic solid with its elasticity in body axes and its density (kg/m3).
    pub fn anisotropic_solid(constants: Elasticity, density: f64) -> Self {
        // A modulus for scales, the stiffness of a pull along x with all other strains held.
        let (young, poisson) = (constants[0][0], 0.0);
        let anisotropic = Some(constants);
        Self { young, poisson, density, orthotropic: None, anisotropic, viscosity: None }
    }

    /// Elasticity of a solid in body axes (Pa).
    pub fn elasticity(&self) -> Matrix6<f64> {
        match &self.anisotropic {
            Some(constants) => Matrix6::from_fn(|i, j| constants[i][j]),
            None => hooke(self.young, self.poisson),
        }
    }

    /// The same material with a viscosity.
    pub fn with_viscosity(self, viscosity: Viscosity) -> Self {
        Self { viscosity: Some(viscosity), ..self }
    }

    /// Shear modulus (Pa).
    pub fn shear(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    pub(crate) fn validate(&self) -> Result<(), FemError> {
        positive("Young's modulus", self.young)?;
        positive("density", self.density)?;
        contraction("Poisson's ratio", self.poisson)?;
        if let Some(viscosity) = &self.viscosity {
            viscosity.validate()?;
        }
        self.anisotropic.as_ref().map_or(Ok(()), check_elasticity)?;
        self.orthotropic.as_ref().map_or(Ok(()), OrthotropicShell::validate)
    }

    /// Refuses a material with directions where only an isotropic one is known.
    pub(crate) fn check_isotropic(&self, element: usize) -> Result<(), FemError> {
        self.check_for_solid(element)?;
        self.check_for_shell(element)
    }

    /// Refuses constants of shells.
    pub(crate) fn check_for_solid(&self, element: usize) -> Result<(), FemError> {
        let reason = "an orthotropic material serves shells only: give an isotropic one".into();
        self.orthotropic.map_or(Ok(()), |_| Err(FemError::Geometry { element, reason }))
    }

    /// Refuses constants of solids.
    pub(crate) fn check_for_shell(&self, element: usize) -> Result<(), FemError> {
        let reason = "an anisotropic material serves solids only: give an isotropic one".into();
        self.anisotropic.map_or(Ok(()), |_| Err(FemError::Geometry { element, reason }))
    }
}

impl Viscosity {
    fn validate(&self) -> Result<(), FemError> {
        match *self {
            Self::Proportional { time } => not_negative("retardation time", time),
            Self::Isotropic { young, poisson } => {
                not_negative("viscous modulus", young)?;
                contraction("viscous Poisson's ratio", poisson)
            }
        }
    }
}

impl OrthotropicShell {
    fn validate(&self) -> Result<(), FemError> {
        positive("Young's modulus along axis 1", self.young_1)?;
        positive("Young's modulus along axis 2", self.young_2)?;
        positive("in-plane shear modulus", self.shear_12)?;
        let bound = (self.young_1 / self.young_2).sqrt();
        if self.poisson_12.abs() < bound {
            return Ok(());
        }
        let rule = format!("its size must be below sqrt(E1/E2) = {bound:.6}");
        Err(FemError::OutOfRange { what: "Poisson's ratio 12".into(), value: self.poisson_12, rule })
    }
}

/// Every strain must cost energy.
fn check_elasticity(constants: &Elasticity) -> Result<(), FemError> {
    let matrix = Matrix6::from_fn(|i, j| constants[i][j]);
    let what = || "the elasticity of the solid".to_owned();
    let uneven = (matrix - matrix.transpose()).amax();
    if !uneven.is_finite() || uneven > 1e-6 * matrix.amax() {
        let rule = "its matrix must be symmetric".into();
        return Err(FemError::OutOfRange { what: what(), value: uneven, rule });
    }
    // The decomposition of numbers that are none would not end.
    let finite = matrix.iter().all(|x| x.is_finite());
    let found = finite.then(|| SymmetricEigen::try_new(matrix, f64::EPSILON, SWEEPS)).flatten();
    let least = found.map_or(f64::NAN, |found| found.eigenvalues.min());
    if least > 0.0 {
        return Ok(());
    }
    let rule = "every strain must cost energy: its least eigenvalue must be positive".into();
    Err(FemError::OutOfRange { what: what(), value: least, rule })
}

fn contraction(what: &str, value: f64) -> Result<(), FemError> {
    if value > -1.0 && value < 0.5 {
        return Ok(());
    }
    let rule = "it must lie between -1 and 0.5".into();
    Err(FemError::OutOfRange { what: what.into(), value, rule })
}

/// Isotropic elasticity in three dimensions (Pa, or Pa s for a viscous tensor).
pub fn hooke(young: f64, poisson: f64) -> Matrix6<f64> {
    let shear = young / (2.0 * (1.0 + poisson));
    let lame = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson));
    Matrix6::from_fn(|i, j| match (i < 3 && j < 3, i == j) {
        (true, true) => lame + 2.0 * shear,
        (true, false) => lame,
        (false, true) => shear,
        (false, false) => 0.0,
    })
}
