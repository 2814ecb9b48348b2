//! Eight-node hexahedron of one point with stabilised hourglass motions (C3D8R).
//!
//! Uniform strains: D. P. Flanagan, T. Belytschko, "A uniform strain hexahedron and quadrilateral with orthogonal
//! hourglass control" (1981). The slopes of the shapes are their exact means over the volume V, and what these do not
//! see of the nodal motions is measured by four vectors,
//!   b_I = 1/V int grad N_I dV,   gamma_a = (Gamma_a - sum_I Gamma_aI x_I . b) / 8,
//! Gamma_a the values of h = (eta zeta, zeta xi, xi eta, xi eta zeta) at the corners; gamma vanishes on every linear
//! field, also of distorted elements. Stabilisation without a factor to choose: M. A. Puso, "A highly efficient enhanced
//! assumed strain physically stabilized hexahedral element" (2000), after T. Belytschko, L. P. Bindeman, "Assumed strain
//! stabilization of the eight node hexahedral element" (1993). The field of the hourglass motions takes the Jacobian J0
//! of the middle, and the three parabolas of `hexahedron` give way to it:
//!   D(xi) = b + sum_a gamma_a grad h_a + D_p(xi) A,   A = -K_pp^-1 K_pu,
//! grad = J0^-T d/dxi. The motion of the fourth changes no volume: its dilatation, which would lock nearly incompressible
//! materials, is left out. Both added fields have no mean and share nothing with b, so that K = V B^T H B + K_hourglass;
//! on a parallelepiped all but the fourth motion is that of incompatible modes. Integrals over eight points of V/8 each,
//! exact for fields of J0. Mass of the trilinear shapes by 2 x 2 x 2 points; total and centre are exact, products of shapes on parallelepipeds. Cost: as `hexahedron`. Typeset:
//! book/src/theory/reduction.md (FE.17, FE.18).

use super::hexahedron::{CORNERS, Operators, condense, slopes, values};
use super::{MassPoint, Point, Solid, gradient_operator, invert, jacobian, size_of};
use crate::material::Material;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// What the nodes measure: mean slopes of the shapes, and the hourglass vectors.
struct Measures {
    volume: f64,
    slopes: [Vector3<f64>; 8],
    hourglass: [[f64; 8]; 4],
    /// Inverse transpose of the Jacobian in the middle.
    to_body: Matrix3<f64>,
}

/// Eight-node hexahedron of uniform strain with stabilised hourglass motions.
pub(super) fn stabilised(nodes: [Vector3<f64>; 8], material: Material) -> Result<Solid, String> {
    let gauss = 3.0_f64.sqrt().recip();
    let places = CORNERS.map(|corner| corner.map(|x| x * gauss));
    let (measures, shares) = measure(&nodes, &places)?;
    let inside = places.map(|place| operators(&measures, place));
    let follow = condense(&inside, &material)?;
    let whole = |operators: &Operators| &operators.compatible + &operators.incompatible * &follow;
    let points = inside.iter().map(|o| Point { volume: o.determinant, gradient: whole(o) }).collect();
    let mass = |(place, volume): ([f64; 3], f64)| MassPoint { volume, values: values(place).to_vec() };
    Ok(Solid {
        elasticity: material.elasticity(),
        material,
        positions: nodes.to_vec(),
        points,
        mass_points: places.into_iter().zip(shares).map(mass).collect(),
        // The field is known everywhere: a single element through the thickness has the stress of bending at its faces.
        node_gradients: CORNERS.iter().map(|corner| whole(&operators(&measures, *corner))).collect(),
        axis: None,
        unseen: None,
    })
}

/// Means over the volume, and the volumes of the eight points.
fn measure(nodes: &[Vector3<f64>; 8], places: &[[f64; 3]; 8]) -> Result<(Measures, [f64; 8]), String> {
    let size = size_of(nodes);
    let (mut sums, mut shares) = ([Vector3::zeros(); 8], [0.0; 8]);
    for (place, share) in places.iter().zip(&mut shares) {
        let natural = slopes(*place);
        let (determinant, to_body) = invert(&jacobian(nodes, &natural), size)?;
        *share = determinant;
        for (sum, slope) in sums.iter_mut().zip(natural) {
            *sum += to_body * slope * determinant;
        }
    }
    let volume = shares.iter().sum::<f64>();
    let means = sums.map(|sum| sum / volume);
    let (_, to_body) = invert(&jacobian(nodes, &slopes([0.0; 3])), size)?;
    let hourglass = std::array::from_fn(|motion| {
        let pattern = CORNERS.map(|corner| products(corner)[motion]);
        let moved: Vector3<f64> = nodes.iter().zip(pattern).map(|(x, value)| x * value).sum();
        std::array::from_fn(|node| (pattern[node] - moved.dot(&means[node])) / 8.0)
    });
    Ok((Measures { volume, slopes: means, hourglass, to_body }, shares))
}

/// The four products of natural coordinates.
fn products([x, y, z]: [f64; 3]) -> [f64; 4] {
    [y * z, z * x, x * y, x * y * z]
}

/// Their slopes by natural coordinates.
fn product_slopes([x, y, z]: [f64; 3]) -> [Vector3<f64>; 4] {
    [
        Vector3::new(0.0, z, y),
        Vector3::new(z, 0.0, x),
        Vector3::new(y, x, 0.0),
        Vector3::new(y * z, z * x, x * y),
    ]
}

/// Mean and hourglass gradients at a place of the element, with an eighth of its volume.
fn operators(measures: &Measures, place: [f64; 3]) -> Operators {
    let bodily = product_slopes(place).map(|slope| measures.to_body * slope);
    let field = |node: usize, motion: usize| bodily[motion] * measures.hourglass[motion][node];
    let seen: [Vector3<f64>; 8] = std::array::from_fn(|node| {
        measures.slopes[node] + (0..3).map(|motion| field(node, motion)).sum::<Vector3<f64>>()
    });
    let fourth: [Vector3<f64>; 8] = std::array::from_fn(|node| field(node, 3));
    let parabola = |axis: usize| measures.to_body.column(axis) * (-2.0 * place[axis]);
    Operators {
        determinant: measures.volume / 8.0,
        compatible: gradient_operator(&seen) + without_dilatation(gradient_operator(&fourth)),
        incompatible: gradient_operator(&[parabola(0), parabola(1), parabola(2)]),
    }
}

/// The gradient less a third of its trace on the diagonal.
fn without_dilatation(mut gradient: DMatrix<f64>) -> DMatrix<f64> {
    for mut column in gradient.column_iter_mut() {
        let third = (column[0] + column[4] + column[8]) / 3.0;
        [0, 4, 8].into_iter().for_each(|row| column[row] -= third);
    }
    gradient
}
