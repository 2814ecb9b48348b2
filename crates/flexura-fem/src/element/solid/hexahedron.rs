//! Eight-node hexahedron with incompatible modes, usable in bending.
//!
//! E. L. Wilson, R. L. Taylor, W. P. Doherty, J. Ghaboussi, "Incompatible displacement
//! models" (1973) in the form that passes the patch test on distorted meshes: R. L. Taylor,
//! P. J. Beresford, E. L. Wilson (1976). To the trilinear field come the three parabolas
//! 1 - xi^2, 1 - eta^2, 1 - zeta^2 per direction; their slopes take the Jacobian J0 of the
//! middle, scaled by j0/j, so that their mean strain vanishes. Amplitudes a follow from the
//! element's own equilibrium, a = -K_aa^-1 K_au u, and the gradient operator
//! D = D_u - D_a K_aa^-1 K_au holds everywhere. 2 x 2 x 2 Gauss points.

use super::{MassPoint, Point, Solid, gradient_operator, invert, jacobian, size_of, strain_of};
use crate::material::Material;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Natural coordinates of the nodes.
pub const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// The middle of the element, where incompatible slopes take their Jacobian.
struct Middle {
    determinant: f64,
    to_body: Matrix3<f64>,
}

/// Trilinear and incompatible gradient operators at one place, with the volume factor.
pub(super) struct Operators {
    pub determinant: f64,
    pub compatible: DMatrix<f64>,
    pub incompatible: DMatrix<f64>,
}

/// Eight-node hexahedron with incompatible modes.
pub(super) fn incompatible(nodes: [Vector3<f64>; 8], material: Material) -> Result<Solid, String> {
    let size = size_of(&nodes);
    let (determinant, to_body) = invert(&jacobian(&nodes, &slopes([0.0; 3])), size)?;
    let middle = Middle { determinant, to_body };
    let gauss = 3.0_f64.sqrt().recip();
    let places = CORNERS.map(|corner| corner.map(|x| x * gauss));
    let at = |place: [f64; 3]| operators(&nodes, place, &middle, size);
    let inside = places.into_iter().map(at).collect::<Result<Vec<_>, String>>()?;
    let follow = condense(&inside, &material)?;
    let whole = |operators: &Operators| &operators.compatible + &operators.incompatible * &follow;
    let points = inside.iter().map(|o| Point { volume: o.determinant, gradient: whole(o) }).collect();
    let mass = |(operators, place): (&Operators, [f64; 3])| MassPoint {
        volume: operators.determinant,
        values: values(place).to_vec(),
    };
    let mass_points = inside.iter().zip(places).map(mass).collect();
    // A corner may be nearly flat without harm inside, so that stresses there are taken
    // from the Gauss points by the same trilinear law.
    let gradients: Vec<DMatrix<f64>> = inside.iter().map(whole).collect();
    let extrapolated = |corner: [f64; 3]| {
        let weights = values(corner.map(|x| x / gauss));
        gradients.iter().zip(weights).map(|(gradient, weight)| gradient * weight).sum()
    };
    let node_gradients = CORNERS.iter().map(|corner| extrapolated(*corner)).collect();
    Ok(Solid {
        elasticity: material.elasticity(),
        material,
        positions: nodes.to_vec(),
        points,
        mass_points,
        node_gradients,
        axis: None,
        unseen: None,
    })
}

/// -K_aa^-1 K_au: amplitudes of the incompatible modes from nodal displacements.
pub(super) fn condense(points: &[Operators], material: &Material) -> Result<DMatrix<f64>, String> {
    let elasticity = material.elasticity();
    let (mut inner, mut mixed) = (DMatrix::zeros(9, 9), DMatrix::zeros(9, 24));
    for point in points {
        let (own, nodal) = (strain_of(&point.incompatible), strain_of(&point.compatible));
        let stress = elasticity * point.determinant * &own;
        inner.gemm_tr(1.0, &own, &stress, 1.0);
        mixed.gemm_tr(1.0, &stress, &nodal, 1.0);
    }
    let factor = inner.cholesky().ok_or("its incompatible modes are singular: it is too distorted")?;
    Ok(-factor.solve(&mixed))
}

fn operators(
    nodes: &[Vector3<f64>; 8],
    place: [f64; 3],
    middle: &Middle,
    size: f64,
) -> Result<Operators, String> {
    let natural = slopes(place);
    let (determinant, to_body) = invert(&jacobian(nodes, &natural), size)?;
    let scale = middle.determinant / determinant;
    let parabola = |axis: usize| {
        let mut slope = Vector3::zeros();
        slope[axis] = -2.0 * place[axis];
        middle.to_body * slope * scale
    };
    Ok(Operators {
        determinant,
        compatible: gradient_operator(&natural.map(|slope| to_body * slope)),
        incompatible: gradient_operator(&[parabola(0), parabola(1), parabola(2)]),
    })
}

/// Trilinear shape values.
pub(super) fn values(place: [f64; 3]) -> [f64; 8] {
    CORNERS.map(|corner| (0..3).map(|i| 0.5 * (1.0 + corner[i] * place[i])).product())
}

/// Slopes of the trilinear shapes by the natural coordinates.
pub(super) fn slopes(place: [f64; 3]) -> [Vector3<f64>; 8] {
    CORNERS.map(|corner| {
        let factor = |i: usize| 0.5 * (1.0 + corner[i] * place[i]);
        Vector3::from_fn(|i, _| 0.5 * corner[i] * factor((i + 1) % 3) * factor((i + 2) % 3))
    })
}
