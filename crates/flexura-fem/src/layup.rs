//! Layups: shells of several layers.

use crate::error::{FemError, not_negative, positive};
use crate::material::Material;

/// A layer of a shell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ply {
    /// Index of the material.
    pub material: usize,
    /// Thickness (m).
    pub thickness: f64,
    /// From the material axis of the element to the first axis of the layer, counterclockwise about the normal (rad).
    pub angle: f64,
}

/// The layers of a shell, from the bottom to the top: the side that its normal points to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layup {
    /// Layers.
    pub plies: Vec<Ply>,
    /// Place of the middle of the layers along the normal, from the nodes (m).
    pub middle: f64,
    /// Mass that is no layer's, on the middle (kg/m2).
    pub additional: f64,
}

impl Layup {
    /// Layers whose middle holds the nodes.
    pub fn new(plies: Vec<Ply>) -> Self {
        Self { plies, middle: 0.0, additional: 0.0 }
    }

    /// Thickness of all layers (m).
    pub fn thickness(&self) -> f64 {
        self.plies.iter().map(|ply| ply.thickness).sum()
    }

    /// Each layer with the places of its bottom and top along the normal (m).
    pub fn places(&self) -> impl Iterator<Item = (&Ply, [f64; 2])> {
        let mut top = self.middle - self.thickness() / 2.0;
        self.plies.iter().map(move |ply| {
            let bottom = top;
            top += ply.thickness;
            (ply, [bottom, top])
        })
    }

    pub(crate) fn validate(&self, index: usize, materials: &[Material]) -> Result<(), FemError> {
        let what = format!("layup {index}");
        if self.plies.is_empty() {
            return Err(FemError::Missing { what, missing: "a layer".into() });
        }
        for ply in &self.plies {
            let missing =
                || FemError::Missing { what: what.clone(), missing: format!("material {}", ply.material) };
            let material = materials.get(ply.material).ok_or_else(missing)?;
            if material.anisotropic.is_some() {
                let reason = "an anisotropic material serves solids only".into();
                return Err(FemError::OutOfRange { what, value: ply.material as f64, rule: reason });
            }
            positive(&format!("thickness of a layer of {what}"), ply.thickness)?;
            if !ply.angle.is_finite() {
                let rule = "it must be a finite number".into();
                return Err(FemError::OutOfRange {
                    what: format!("angle of a layer of {what}"),
                    value: ply.angle,
                    rule,
                });
            }
        }
        if !self.middle.is_finite() {
            let rule = "it must be a finite number".into();
            return Err(FemError::OutOfRange { what: format!("middle of {what}"), value: self.middle, rule });
        }
        not_negative(&format!("additional mass of {what}"), self.additional)
    }
}
