//! Pieces of mass as nodes of a body.

use crate::error::FemError;
use crate::pieces::{MovingPiece, PieceSource};
use crate::reduce::ReducedModel;
use crate::stiffening::SecondOrder;
use flexura::model::description::NodeDescription;
use nalgebra::{Matrix3, Matrix3xX, Vector3};

/// The mass node of a piece; `None` for one without mass.
pub(crate) fn mass_node(
    source: PieceSource,
    piece: &MovingPiece,
    origin: Vector3<f64>,
    reduced: &ReducedModel,
    second: Option<&SecondOrder<'_>>,
) -> Result<Option<NodeDescription>, FemError> {
    if piece.mass == 0.0 && piece.inertia == Matrix3::zeros() {
        return Ok(None);
    }
    let quadratic = second.map(|second| second.piece(source, reduced.mass_model)).transpose()?;
    Ok(Some(describe(piece, origin, quadratic.unwrap_or_default())))
}

pub(crate) fn describe(
    piece: &MovingPiece,
    origin: Vector3<f64>,
    quadratic: Vec<[f64; 3]>,
) -> NodeDescription {
    let columns = |matrix: &Matrix3xX<f64>| matrix.column_iter().map(|c| [c[0], c[1], c[2]]).collect();
    NodeDescription {
        name: String::new(),
        mass: piece.mass,
        inertia: std::array::from_fn(|i| {
            std::array::from_fn(|j| 0.5 * (piece.inertia[(i, j)] + piece.inertia[(j, i)]))
        }),
        offset: [0.0; 3],
        position: (piece.position - origin).into(),
        slopes: columns(&piece.rotations),
        translations: columns(&piece.translations),
        quadratic,
    }
}
