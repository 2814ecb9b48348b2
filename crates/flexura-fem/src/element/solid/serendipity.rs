//! Twenty-node hexahedron: quadratic along its edges.
//!
//! Serendipity shapes (I. Ergatoudis, B. Irons, O. C. Zienkiewicz, 1968), a_i = 1 + xi xi_i and so on:
//!   corners  N_i = a_i b_i c_i (xi xi_i + eta eta_i + zeta zeta_i - 2) / 8,
//!   middles  N_i = (1 - xi^2) b_i c_i / 4 where xi_i = 0, and the same for the other axes.
//! Stiffness with 3 x 3 x 3 Gauss points, or reduced with 2 x 2 x 2, which is softer in bending. Those eight points do
//! not see six motions of a parallelepiped, which for axes a, b, c in turn are, in natural components,
//!   u_a = xi_a (1 - 3 xi_b^2) f,  u_b = -xi_b (1 - 3 xi_a^2) f,  f = 1 and f = xi_c.
//! Blocks hold each other's, a row of single elements does not. They get a small stiffness, which the part of them
//! that is orthogonal to all quadratic fields feels: constant strains and bending stay as they are.
//! Mass with 3 x 3 x 3 points, exact on parallelepipeds.
//! Nodes: corners as of eight-node hexahedra, then the middles of [`EDGES`].

use super::hexahedron::CORNERS;
use super::isoparametric::{AtNodes, Kind, eight_points, solid, twenty_seven_points};
use super::{Solid, invert, jacobian, size_of};
use crate::material::Material;
use nalgebra::{DMatrix, Vector3};

/// Corners of the middle nodes.
pub const EDGES: [(usize, usize); 12] =
    [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)];

/// Stiffness of what reduced points do not see, as a part of the mean stiffness of a freedom.
const UNSEEN_STIFFNESS: f64 = 0.01;

/// Twenty-node hexahedron, with all or with reduced points of the stiffness.
pub(super) fn quadratic(
    nodes: [Vector3<f64>; 20],
    material: Material,
    reduced: bool,
) -> Result<Solid, String> {
    let mut solid = solid(&nodes, material, &kind(reduced))?;
    if reduced {
        let directions = unseen_directions(&nodes, size_of(&nodes))?;
        let mean = solid.stiffness().trace() / 60.0;
        solid.unseen = Some((directions, UNSEEN_STIFFNESS * mean));
    }
    Ok(solid)
}

/// Motions that 2 x 2 x 2 points do not see, made orthogonal to the quadratic fields of body coordinates, one per
/// column with unit length.
fn unseen_directions(nodes: &[Vector3<f64>; 20], size: f64) -> Result<DMatrix<f64>, String> {
    let (_, to_body) = invert(&jacobian(nodes, &slopes([0.0; 3])), size)?;
    let middle = nodes.iter().sum::<Vector3<f64>>() / 20.0;
    let quadratic = DMatrix::from_fn(20, 10, |node, term| {
        let [x, y, z]: [f64; 3] = ((nodes[node] - middle) / size).into();
        [1.0, x, y, z, x * x, y * y, z * z, x * y, y * z, z * x][term]
    });
    let basis = quadratic.qr().q();
    let mut all = DMatrix::zeros(60, 6);
    for column in 0..6 {
        let (a, b, c) = (column % 3, (column + 1) % 3, (column + 2) % 3);
        let motion = |place: [f64; 3]| {
            let factor = if column < 3 { 1.0 } else { place[c] };
            let mut own = Vector3::zeros();
            own[a] = place[a] * (1.0 - 3.0 * place[b] * place[b]) * factor;
            own[b] = -place[b] * (1.0 - 3.0 * place[a] * place[a]) * factor;
            to_body * own
        };
        let values = DMatrix::from_fn(20, 3, |node, axis| motion(places()[node])[axis]);
        let pure = &values - &basis * basis.tr_mul(&values);
        let length = pure.norm().max(f64::MIN_POSITIVE);
        for (node, axis) in (0..20).flat_map(|node| (0..3).map(move |axis| (node, axis))) {
            all[(3 * node + axis, column)] = pure[(node, axis)] / length;
        }
    }
    Ok(all)
}

fn kind(reduced: bool) -> Kind {
    let stiffness = if reduced { eight_points() } else { twenty_seven_points() };
    let mass = twenty_seven_points();
    Kind { values, slopes, stiffness, mass, at_nodes: AtNodes::FromEight(places().to_vec()) }
}

/// Natural coordinates of the nodes.
fn places() -> [[f64; 3]; 20] {
    std::array::from_fn(|node| match node {
        0..8 => CORNERS[node],
        _ => {
            let (a, b) = EDGES[node - 8];
            std::array::from_fn(|i| 0.5 * (CORNERS[a][i] + CORNERS[b][i]))
        }
    })
}

/// Factor of a shape along one axis, and its slope.
fn factor(own: f64, x: f64) -> (f64, f64) {
    if own == 0.0 { (1.0 - x * x, -2.0 * x) } else { (1.0 + own * x, own) }
}

fn values(place: [f64; 3]) -> Vec<f64> {
    let value = |own: [f64; 3]| {
        let product: f64 = (0..3).map(|i| factor(own[i], place[i]).0).product();
        match own.contains(&0.0) {
            true => 0.25 * product,
            false => 0.125 * product * ((0..3).map(|i| own[i] * place[i]).sum::<f64>() - 2.0),
        }
    };
    places().into_iter().map(value).collect()
}

fn slopes(place: [f64; 3]) -> Vec<Vector3<f64>> {
    let slope = |own: [f64; 3]| {
        let factors: [(f64, f64); 3] = std::array::from_fn(|i| factor(own[i], place[i]));
        let sum = (0..3).map(|i| own[i] * place[i]).sum::<f64>() - 2.0;
        Vector3::from_fn(|axis, _| {
            let others = factors[(axis + 1) % 3].0 * factors[(axis + 2) % 3].0;
            match own.contains(&0.0) {
                true => 0.25 * others * factors[axis].1,
                false => 0.125 * others * (factors[axis].1 * sum + factors[axis].0 * own[axis]),
            }
        })
    };
    places().into_iter().map(slope).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_one_at_their_node_and_slopes_are_theirs() {
        super::super::isoparametric::check_shapes(&kind(false), &places());
        for reduced in [true, false] {
            let volume: f64 = kind(reduced).stiffness.iter().map(|(_, weight)| weight).sum();
            assert!((volume - 8.0).abs() < 1e-14);
        }
    }
}
