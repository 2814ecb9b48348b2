//! What groups of a mesh file are made of, for files that do not say it.

use crate::layup::Ply;
use crate::section::BeamSection;

/// What the elements of a group are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Name of the group in the mesh file.
    pub name: String,
    /// Material, by its place in the list.
    pub material: usize,
    /// Thickness of its surface elements (m).
    pub thickness: Option<f64>,
    /// Section of its line elements and a vector towards its y axis.
    pub section: Option<(BeamSection, [f64; 3])>,
    /// First axis of an orthotropic material, projected on the surface elements.
    pub material_axis: Option<[f64; 3]>,
    /// Layers of its surface elements from the bottom to the top, in place of material and thickness; empty for one layer.
    pub layup: Vec<Ply>,
}
