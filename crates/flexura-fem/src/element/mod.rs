//! Elements: stiffness in body axes, and mass as a list of samples.
//!
//! The mass of an element is given as small rigid pieces at quadrature points
//! (or at the nodes, when lumped), each with the row matrices that turn nodal
//! displacements into its translation and rotation. Their sum is the element's
//! mass matrix, and the same pieces, moved by mode shapes, are the lumped nodes
//! of the engine: the reduced body has exactly the kinetic energy of the mesh.
//!
//! Stiffness and Kelvin-Voigt damping: M. J. Richard (2012), eqs 62-65; mass by linear interpolation: Richard (2012),
//! eqs 50-51, 58. Typeset: book/src/theory/reduction.md (FE.10, FE.11).

pub mod beam;
pub(crate) mod laminate;
pub mod membrane;
pub(crate) mod plate;
pub(crate) mod quadrature;
pub(crate) mod shell;
pub mod solid;
pub(crate) mod spring;

use crate::error::FemError;
use crate::mesh::{Element, Mesh, PointMass};
use nalgebra::{DMatrix, Matrix3, Matrix3xX, Vector3};

/// How mass is spread over the degrees of freedom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MassModel {
    /// By the displacement field inside the elements.
    #[default]
    Consistent,
    /// By linear interpolation of the displacements and rotations of the nodes of beams and shells, whatever their
    /// stiffness assumes inside (M. J. Richard, 2012, eqs 50, 51); solids keep their own field.
    Linear,
    /// At the nodes.
    Lumped,
}

/// A small rigid piece of an element.
#[derive(Clone, Debug)]
pub struct MassSample {
    /// Mass (kg).
    pub mass: f64,
    /// Inertia about its own position, body axes (kg m2).
    pub inertia: Matrix3<f64>,
    /// Undeformed position in the body frame (m).
    pub position: Vector3<f64>,
    /// Translation of the piece from the displacements of the element's nodes.
    pub translation: Matrix3xX<f64>,
    /// Rotation of the piece from the displacements of the element's nodes.
    pub rotation: Matrix3xX<f64>,
}

impl MassSample {
    /// A piece that sits `offset` away from the node at `place` of `count` nodes.
    pub(crate) fn at_node(
        place: usize,
        count: usize,
        mass: f64,
        inertia: Matrix3<f64>,
        origin: Vector3<f64>,
        offset: Vector3<f64>,
    ) -> Self {
        let mut translation = Matrix3xX::zeros(6 * count);
        let mut rotation = Matrix3xX::zeros(6 * count);
        translation.fixed_view_mut::<3, 3>(0, 6 * place).fill_with_identity();
        translation.fixed_view_mut::<3, 3>(0, 6 * place + 3).copy_from(&(-offset.cross_matrix()));
        rotation.fixed_view_mut::<3, 3>(0, 6 * place + 3).fill_with_identity();
        Self { mass, inertia, position: origin + offset, translation, rotation }
    }
}

/// Mass matrix of a list of samples (kg, kg m, kg m2).
pub fn mass_matrix(samples: &[MassSample], size: usize) -> DMatrix<f64> {
    let mut rows = DMatrix::zeros(3 * samples.len(), size);
    let mut weighted = rows.clone();
    for (place, sample) in samples.iter().enumerate() {
        rows.rows_mut(3 * place, 3).copy_from(&sample.translation);
        weighted.rows_mut(3 * place, 3).copy_from(&(&sample.translation * sample.mass));
    }
    // One product over all samples, where each alone would be a small one.
    let mut total = rows.transpose() * weighted;
    for sample in samples.iter().filter(|sample| sample.inertia != Matrix3::zeros()) {
        total.gemm_tr(1.0, &sample.rotation, &(sample.inertia * &sample.rotation), 1.0);
    }
    (&total + total.transpose()) * 0.5
}

/// Nodal freedoms an element works on, in the order of its matrices: six per node, or
/// the three translations of a solid or rod.
pub fn freedoms(element: &Element) -> Vec<usize> {
    let per_node = match element {
        Element::Beam(_) | Element::Shell(_) => 6,
        _ => 3,
    };
    element.nodes().iter().flat_map(|node| 6 * node..6 * node + per_node).collect()
}

/// An element ready for evaluation.
pub(crate) enum Evaluated {
    /// Beam.
    Beam(beam::Beam),
    /// Shell.
    Shell(shell::Shell),
    /// Solid of any kind, or rod.
    Solid(solid::Solid),
}

impl Evaluated {
    /// Builds an element of a mesh.
    pub fn new(mesh: &Mesh, index: usize) -> Result<Self, FemError> {
        let element = element(mesh, index)?;
        if let Some(solid) = solid::Solid::new(mesh, index, element)? {
            return Ok(Self::Solid(solid));
        }
        match element {
            Element::Beam(beam) => beam::Beam::new(mesh, index, beam).map(Self::Beam),
            Element::Shell(shell) => shell::Shell::new(mesh, index, shell).map(Self::Shell),
            _ => Err(FemError::Geometry { element: index, reason: "its kind is not known".into() }),
        }
    }

    /// Stiffness in body axes, rows as in [`freedoms`].
    pub fn stiffness(&self) -> DMatrix<f64> {
        match self {
            Self::Beam(beam) => beam.stiffness(),
            Self::Shell(shell) => shell.stiffness(),
            Self::Solid(solid) => solid.stiffness(),
        }
    }

    /// Kelvin-Voigt viscous matrix, the integral of B^T G B with the strain operator B of the
    /// stiffness (M. J. Richard, 2012, eq. 65); `None` without viscosity.
    pub fn viscous(&self) -> Option<DMatrix<f64>> {
        match self {
            Self::Beam(beam) => beam.viscous(),
            Self::Shell(shell) => shell.viscous(),
            Self::Solid(solid) => solid.viscous(),
        }
    }

    /// Mass samples.
    pub fn samples(&self, model: MassModel) -> Vec<MassSample> {
        match self {
            Self::Beam(beam) => beam.samples(model),
            Self::Shell(shell) => shell.samples(model),
            Self::Solid(solid) => solid.samples(model),
        }
    }
}

/// Stiffness matrix of an element in body axes, rows as in [`freedoms`].
pub fn stiffness(mesh: &Mesh, index: usize) -> Result<DMatrix<f64>, FemError> {
    Ok(Evaluated::new(mesh, index)?.stiffness())
}

/// Mass samples of an element.
pub fn samples(mesh: &Mesh, index: usize, model: MassModel) -> Result<Vec<MassSample>, FemError> {
    Ok(Evaluated::new(mesh, index)?.samples(model))
}

fn element(mesh: &Mesh, index: usize) -> Result<&Element, FemError> {
    let missing = || FemError::Missing { what: "the model".into(), missing: format!("element {index}") };
    mesh.elements.get(index).ok_or_else(missing)
}

/// The sample of a point mass of a checked mesh.
pub(crate) fn point_sample(mesh: &Mesh, mass: &PointMass) -> MassSample {
    let inertia = Matrix3::from_fn(|i, j| mass.inertia[i][j]);
    MassSample::at_node(0, 1, mass.mass, inertia, mesh.nodes[mass.node].into(), mass.offset.into())
}
