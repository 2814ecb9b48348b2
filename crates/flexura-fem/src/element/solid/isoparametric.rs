//! Solids whose displacement has the shapes of their geometry.
//!
//! x(xi) = sum N_i(xi) x_i and u(xi) = sum N_i(xi) u_i (B. Irons, "Engineering applications of numerical
//! integration in stiffness methods", 1966), with slopes dN/dx = J^-T dN/dxi. Shape functions add up to one and
//! reproduce linear fields, so that constant strains are exact on any geometry the rule integrates. A kind of
//! element is its shapes, the points of its stiffness and those of its mass.
//! Cost: one inverse of a 3 x 3 Jacobian per point.

use super::{MassPoint, Point, Solid, gradient_operator, invert, jacobian, size_of};
use crate::material::Material;
use nalgebra::{DMatrix, Vector3};

/// Natural coordinates with a weight.
pub(super) type Weighted = ([f64; 3], f64);

/// What makes a kind of element.
pub(super) struct Kind {
    /// Shape values at natural coordinates.
    pub values: fn([f64; 3]) -> Vec<f64>,
    /// Their slopes by the natural coordinates.
    pub slopes: fn([f64; 3]) -> Vec<Vector3<f64>>,
    /// Points of the stiffness; weights add up to the volume in natural coordinates.
    pub stiffness: Vec<Weighted>,
    /// Points of the mass.
    pub mass: Vec<Weighted>,
    /// Where the gradients at the nodes come from.
    pub at_nodes: AtNodes,
}

/// Displacement gradients at the nodes, for stresses there.
pub(super) enum AtNodes {
    /// Evaluated at the natural coordinates of the nodes.
    There(Vec<[f64; 3]>),
    /// Extrapolated from 2 x 2 x 2 Gauss points, where stresses are best (J. Barlow, 1976).
    FromEight(Vec<[f64; 3]>),
}

/// Puts an element together and checks its geometry.
pub(super) fn solid(nodes: &[Vector3<f64>], material: Material, kind: &Kind) -> Result<Solid, String> {
    let size = size_of(nodes);
    let at = |place: [f64; 3]| {
        let natural = (kind.slopes)(place);
        let (determinant, to_body) = invert(&jacobian(nodes, &natural), size)?;
        let slopes: Vec<Vector3<f64>> = natural.iter().map(|slope| to_body * slope).collect();
        Ok::<_, String>((determinant, gradient_operator(&slopes)))
    };
    let point = |(place, weight): &Weighted| {
        at(*place).map(|(determinant, gradient)| Point { volume: determinant * weight, gradient })
    };
    let mass = |(place, weight): &Weighted| {
        let (determinant, _) = at(*place)?;
        Ok(MassPoint { volume: determinant * weight, values: (kind.values)(*place) })
    };
    let node_gradients = match &kind.at_nodes {
        AtNodes::There(places) => places.iter().map(|p| Ok(at(*p)?.1)).collect::<Result<_, String>>()?,
        AtNodes::FromEight(places) => {
            let inside: Vec<DMatrix<f64>> =
                eight_points().iter().map(|(p, _)| Ok(at(*p)?.1)).collect::<Result<_, String>>()?;
            places.iter().map(|place| extrapolate(&inside, *place)).collect()
        }
    };
    Ok(Solid {
        elasticity: material.elasticity(),
        material,
        positions: nodes.to_vec(),
        points: kind.stiffness.iter().map(point).collect::<Result<_, String>>()?,
        mass_points: kind.mass.iter().map(mass).collect::<Result<_, String>>()?,
        node_gradients,
        axis: None,
        unseen: None,
    })
}

/// 2 x 2 x 2 Gauss points of a cube of side two, exact to degree three.
pub(super) fn eight_points() -> Vec<Weighted> {
    let gauss = 3.0_f64.sqrt().recip();
    super::hexahedron::CORNERS.map(|corner| (corner.map(|x| x * gauss), 1.0)).to_vec()
}

/// Gauss points of the interval -1 to 1 with their weights: exact to degree five.
pub(super) fn three_on_a_line() -> [(f64, f64); 3] {
    let far = 0.6_f64.sqrt();
    [(-far, 5.0 / 9.0), (0.0, 8.0 / 9.0), (far, 5.0 / 9.0)]
}

/// 3 x 3 x 3 Gauss points of a cube of side two.
pub(super) fn twenty_seven_points() -> Vec<Weighted> {
    let line = three_on_a_line();
    let place = |i: usize| [line[i % 3], line[i / 3 % 3], line[i / 9]];
    (0..27).map(place).map(|p| (p.map(|(x, _)| x), p.iter().map(|(_, w)| w).product())).collect()
}

/// Trilinear continuation of values at the 2 x 2 x 2 Gauss points.
fn extrapolate(inside: &[DMatrix<f64>], place: [f64; 3]) -> DMatrix<f64> {
    let weights = super::hexahedron::values(place.map(|x| x * 3.0_f64.sqrt()));
    inside.iter().zip(weights).map(|(gradient, weight)| gradient * weight).sum()
}

/// Values and slopes agree: what tests of every kind of element ask.
#[cfg(test)]
pub(super) fn check_shapes(kind: &Kind, nodes: &[[f64; 3]]) {
    let inner = [0.23, 0.31, -0.37];
    let values = (kind.values)(inner);
    let slopes = (kind.slopes)(inner);
    assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-14);
    let step = 1e-6;
    for axis in 0..3 {
        let moved = |sign: f64| {
            let mut place = inner;
            place[axis] += sign * step;
            (kind.values)(place)
        };
        let (ahead, behind) = (moved(1.0), moved(-1.0));
        for node in 0..values.len() {
            // Central differences of polynomials of low degree: rounding over the step.
            let slope = (ahead[node] - behind[node]) / (2.0 * step);
            assert!((slope - slopes[node][axis]).abs() < 1e-9, "node {node}, axis {axis}");
        }
    }
    for (node, place) in nodes.iter().enumerate() {
        for (other, value) in (kind.values)(*place).into_iter().enumerate() {
            let expected = if node == other { 1.0 } else { 0.0 };
            assert!((value - expected).abs() < 1e-14, "shape {other} at node {node}: {value}");
        }
    }
}
