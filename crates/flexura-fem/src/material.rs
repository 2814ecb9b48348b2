//! Linear elastic materials: isotropic, orthotropic for shells, with Kelvin-Voigt
//! viscosity.

use crate::error::{FemError, not_negative, positive};

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
    /// Viscosity; `None` for none.
    pub viscosity: Option<Viscosity>,
}

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
        Self { young, poisson, density, orthotropic: None, viscosity: None }
    }

    /// An orthotropic shell material with its density (kg/m3).
    pub fn orthotropic_shell(constants: OrthotropicShell, density: f64) -> Self {
        let (young, poisson) = (constants.young_1, 0.0);
        Self { young, poisson, density, orthotropic: Some(constants), viscosity: None }
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
        self.orthotropic.as_ref().map_or(Ok(()), OrthotropicShell::validate)
    }

    /// Refuses an orthotropic material where only an isotropic one is known.
    pub(crate) fn check_isotropic(&self, element: usize) -> Result<(), FemError> {
        match self.orthotropic {
            None => Ok(()),
            Some(_) => {
                let reason = "an orthotropic material serves shells only: give an isotropic one".into();
                Err(FemError::Geometry { element, reason })
            }
        }
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

fn contraction(what: &str, value: f64) -> Result<(), FemError> {
    if value > -1.0 && value < 0.5 {
        return Ok(());
    }
    let rule = "it must lie between -1 and 0.5".into();
    Err(FemError::OutOfRange { what: what.into(), value, rule })
}
