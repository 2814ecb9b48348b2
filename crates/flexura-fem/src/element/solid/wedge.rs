//! Wedges of six nodes (linear) and fifteen nodes (quadratic).
//!
//! Area coordinates L0, L1, L2 in the triangle, zeta from -1 to 1 along the wedge; natural slopes by L1, L2, zeta
//! with L0 = 1 - L1 - L2 (O. C. Zienkiewicz, R. L. Taylor, "The finite element method", vol. 1). Shapes:
//!   six nodes      N = L_i (1 + zeta zeta_i) / 2,
//!   fifteen nodes  corners L_i (1 + zeta zeta_i) (2 L_i - 2 + zeta zeta_i) / 2,
//!                  middles of the triangles 2 L_i L_j (1 + zeta zeta_i), of the long edges L_i (1 - zeta^2).
//! Points of the stiffness: 3 x 2, and 3 x 3; of the mass 3 x 2, and 7 x 3, exact on straight prisms. Two points on the
//! axis of the linear wedge, as some programs have them, leave a twist of a single wedge without energy.
//! Nodes: triangle, triangle above it in the same order, then the middles of [`EDGES`].

use super::Solid;
use super::isoparametric::{AtNodes, Kind, Weighted, solid, three_on_a_line};
use crate::element::quadrature;
use crate::material::Material;
use nalgebra::Vector3;

/// Corners of the middle nodes.
pub const EDGES: [(usize, usize); 9] =
    [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)];
const CORNERS: [[f64; 3]; 6] =
    [[0.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];

/// Six-node wedge.
pub(super) fn linear(nodes: [Vector3<f64>; 6], material: Material) -> Result<Solid, String> {
    solid(&nodes, material, &linear_kind())
}

/// Fifteen-node wedge.
pub(super) fn quadratic(nodes: [Vector3<f64>; 15], material: Material) -> Result<Solid, String> {
    solid(&nodes, material, &quadratic_kind())
}

fn linear_kind() -> Kind {
    Kind {
        values: linear_values,
        slopes: linear_slopes,
        stiffness: product(&three_in_a_triangle(), &two_on_a_line()),
        mass: product(&three_in_a_triangle(), &two_on_a_line()),
        at_nodes: AtNodes::There(CORNERS.to_vec()),
    }
}

fn quadratic_kind() -> Kind {
    let seven = quadrature::triangle().map(|(l, weight)| ([l[1], l[2]], weight));
    Kind {
        values: quadratic_values,
        slopes: quadratic_slopes,
        stiffness: product(&three_in_a_triangle(), &three_on_a_line()),
        mass: product(&seven, &three_on_a_line()),
        at_nodes: AtNodes::There(places().to_vec()),
    }
}

/// Points of a triangle (weights sum to one, area one half) times points of a line.
fn product(triangle: &[([f64; 2], f64)], line: &[(f64, f64)]) -> Vec<Weighted> {
    let pairs = triangle.iter().flat_map(|t| line.iter().map(move |l| (t, l)));
    pairs.map(|((l, area), (zeta, length))| ([l[0], l[1], *zeta], 0.5 * area * length)).collect()
}

fn three_in_a_triangle() -> [([f64; 2], f64); 3] {
    let (near, far, weight) = (1.0 / 6.0, 2.0 / 3.0, 1.0 / 3.0);
    [([near, near], weight), ([far, near], weight), ([near, far], weight)]
}

fn two_on_a_line() -> [(f64, f64); 2] {
    let gauss = 3.0_f64.sqrt().recip();
    [(-gauss, 1.0), (gauss, 1.0)]
}

/// Area coordinates and their slopes by L1 and L2.
fn areas(place: [f64; 3]) -> ([f64; 3], [[f64; 2]; 3]) {
    ([1.0 - place[0] - place[1], place[0], place[1]], [[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]])
}

fn linear_values(place: [f64; 3]) -> Vec<f64> {
    let (area, _) = areas(place);
    (0..6).map(|node| area[node % 3] * 0.5 * (1.0 + CORNERS[node][2] * place[2])).collect()
}

fn linear_slopes(place: [f64; 3]) -> Vec<Vector3<f64>> {
    let (area, slope) = areas(place);
    let at = |node: usize| {
        let end = CORNERS[node][2];
        let along = 0.5 * (1.0 + end * place[2]);
        let [first, second] = slope[node % 3].map(|by| by * along);
        Vector3::new(first, second, area[node % 3] * 0.5 * end)
    };
    (0..6).map(at).collect()
}

/// Natural coordinates of the fifteen nodes.
fn places() -> [[f64; 3]; 15] {
    std::array::from_fn(|node| match node {
        0..6 => CORNERS[node],
        _ => {
            let (a, b) = EDGES[node - 6];
            std::array::from_fn(|i| 0.5 * (CORNERS[a][i] + CORNERS[b][i]))
        }
    })
}

fn quadratic_values(place: [f64; 3]) -> Vec<f64> {
    let (area, _) = areas(place);
    let zeta = place[2];
    let value = |node: usize| match node {
        0..6 => {
            let (own, end) = (area[node % 3], CORNERS[node][2] * zeta);
            0.5 * own * (1.0 + end) * (2.0 * own - 2.0 + end)
        }
        6..12 => {
            let (a, b) = EDGES[node - 6];
            2.0 * area[a % 3] * area[b % 3] * (1.0 + CORNERS[a][2] * zeta)
        }
        _ => area[node - 12] * (1.0 - zeta * zeta),
    };
    (0..15).map(value).collect()
}

fn quadratic_slopes(place: [f64; 3]) -> Vec<Vector3<f64>> {
    let (area, slope) = areas(place);
    let zeta = place[2];
    let at = |node: usize| match node {
        0..6 => {
            let (own, sign) = (area[node % 3], CORNERS[node][2]);
            let end = sign * zeta;
            let by_area = 0.5 * (1.0 + end) * (4.0 * own - 2.0 + end);
            let [first, second] = slope[node % 3].map(|by| by * by_area);
            Vector3::new(first, second, 0.5 * own * sign * (2.0 * own - 1.0 + 2.0 * end))
        }
        6..12 => {
            let (a, b) = EDGES[node - 6];
            let (sign, a, b) = (CORNERS[a][2], a % 3, b % 3);
            let along = 2.0 * (1.0 + sign * zeta);
            let by = |i: usize| along * (slope[a][i] * area[b] + slope[b][i] * area[a]);
            Vector3::new(by(0), by(1), 2.0 * area[a] * area[b] * sign)
        }
        _ => {
            let [first, second] = slope[node - 12].map(|by| by * (1.0 - zeta * zeta));
            Vector3::new(first, second, -2.0 * zeta * area[node - 12])
        }
    };
    (0..15).map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::super::isoparametric::check_shapes;
    use super::*;

    #[test]
    fn shapes_are_one_at_their_node_and_slopes_are_theirs() {
        check_shapes(&linear_kind(), &CORNERS);
        check_shapes(&quadratic_kind(), &places());
        for kind in [linear_kind(), quadratic_kind()] {
            for points in [&kind.stiffness, &kind.mass] {
                assert!((points.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-14);
            }
        }
    }
}
