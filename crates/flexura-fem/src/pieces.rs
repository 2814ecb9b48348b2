//! Mass of a mesh as small rigid pieces, moved by nodal shapes.

use crate::element::{self, MassModel, MassSample};
use crate::error::FemError;
use crate::mesh::{Mesh, freedoms_of};
use nalgebra::{DMatrix, Matrix3, Matrix3xX, Vector3};

/// Where a mass piece comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceSource {
    /// A sample of an element.
    Element {
        /// Element.
        index: usize,
        /// Sample within it.
        sample: usize,
    },
    /// A point mass.
    Point(usize),
}

/// A small rigid piece and how the shapes move it.
#[derive(Clone, Debug)]
pub(crate) struct MovingPiece {
    /// Mass (kg).
    pub mass: f64,
    /// Inertia about its position, body axes (kg m2).
    pub inertia: Matrix3<f64>,
    /// Undeformed position in the mesh frame (m).
    pub position: Vector3<f64>,
    /// Translation per shape (m).
    pub translations: Matrix3xX<f64>,
    /// Rotation per shape (rad).
    pub rotations: Matrix3xX<f64>,
}

/// Visits every mass sample of a mesh, moved by nodal shapes.
pub(crate) fn moving_samples(
    mesh: &Mesh,
    model: MassModel,
    shapes: &DMatrix<f64>,
    mut visit: impl FnMut(PieceSource, MovingPiece) -> Result<(), FemError>,
) -> Result<(), FemError> {
    let mut pass = |local: &DMatrix<f64>, source: PieceSource, sample: &MassSample| {
        let piece = MovingPiece {
            mass: sample.mass,
            inertia: sample.inertia,
            position: sample.position,
            translations: &sample.translation * local,
            rotations: &sample.rotation * local,
        };
        visit(source, piece)
    };
    for (index, element) in mesh.elements.iter().enumerate() {
        let local = shapes.select_rows(&element::freedoms(element));
        for (sample, piece) in element::samples(mesh, index, model)?.iter().enumerate() {
            pass(&local, PieceSource::Element { index, sample }, piece)?;
        }
    }
    for (index, point) in mesh.masses.iter().enumerate() {
        let local = shapes.select_rows(&freedoms_of(&[point.node]));
        pass(&local, PieceSource::Point(index), &element::point_sample(mesh, point))?;
    }
    Ok(())
}
