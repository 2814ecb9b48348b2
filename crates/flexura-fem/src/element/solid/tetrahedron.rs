//! Tetrahedra of four nodes (constant strain) and ten nodes (quadratic).
//!
//! Volume coordinates L0..L3; natural slopes are taken with respect to L1, L2, L3, so that
//! L0 = 1 - L1 - L2 - L3. Quadratic shapes: corners L(2L - 1), middles 4 L_i L_j. Stiffness
//! of the quadratic element with four points (degree two), mass with the fourteen-point rule
//! of degree five with positive weights (N. J. Walkington, "Quadrature on simplices of
//! arbitrary dimension", 2000).

use super::{MassPoint, Point, Solid, gradient_operator, invert, jacobian, size_of};
use crate::material::Material;
use nalgebra::Vector3;

/// Corners of the middle nodes.
pub const EDGES: [(usize, usize); 6] = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)];
const FOUR_POINT: f64 = 0.138_196_601_125_010_5;

/// Volume coordinates of four points of equal weight, exact to degree two.
pub fn four_points() -> [[f64; 4]; 4] {
    std::array::from_fn(|i| corner_point(i, FOUR_POINT))
}

/// Volume coordinates and weights (sum one) of fourteen points, exact to degree five.
pub fn fourteen_points() -> [([f64; 4], f64); 14] {
    const NEAR: (f64, f64) = (0.310_885_919_263_300_6, 0.112_687_925_718_015_85);
    const FAR: (f64, f64) = (0.092_735_250_310_891_23, 0.073_493_043_116_361_95);
    const EDGE: (f64, f64) = (0.045_503_704_125_649_65, 0.042_546_020_777_081_466);
    std::array::from_fn(|i| match i {
        0..4 => (corner_point(i, NEAR.0), NEAR.1),
        4..8 => (corner_point(i - 4, FAR.0), FAR.1),
        _ => {
            let (a, b) = EDGES[i - 8];
            let inside = |k: usize| if k == a || k == b { EDGE.0 } else { 0.5 - EDGE.0 };
            (std::array::from_fn(inside), EDGE.1)
        }
    })
}

fn corner_point(corner: usize, others: f64) -> [f64; 4] {
    std::array::from_fn(|i| if i == corner { 1.0 - 3.0 * others } else { others })
}

/// Slopes of the volume coordinates by L1, L2, L3.
fn coordinate_slopes() -> [Vector3<f64>; 4] {
    [Vector3::new(-1.0, -1.0, -1.0), Vector3::x(), Vector3::y(), Vector3::z()]
}

/// Four-node tetrahedron.
pub(super) fn linear(nodes: [Vector3<f64>; 4], material: Material) -> Result<Solid, String> {
    let (determinant, to_body) = invert(&jacobian(&nodes, &coordinate_slopes()), size_of(&nodes))?;
    let gradient = gradient_operator(&coordinate_slopes().map(|slope| to_body * slope));
    let volume = determinant / 6.0;
    let mass_points =
        four_points().map(|place| MassPoint { volume: volume / 4.0, values: place.to_vec() }).to_vec();
    Ok(Solid {
        material,
        positions: nodes.to_vec(),
        points: vec![Point { volume, gradient: gradient.clone() }],
        mass_points,
        node_gradients: vec![gradient; 4],
        elasticity: material.elasticity(),
        axis: None,
        unseen: None,
    })
}

/// Ten-node tetrahedron; its middle nodes may lie off the straight edges.
pub(super) fn quadratic(nodes: [Vector3<f64>; 10], material: Material) -> Result<Solid, String> {
    let size = size_of(&nodes);
    let at = |place: [f64; 4]| {
        let natural = quadratic_slopes(place);
        let (determinant, to_body) = invert(&jacobian(&nodes, &natural), size)?;
        let gradient = gradient_operator(&natural.map(|slope| to_body * slope));
        Ok::<_, String>((determinant / 6.0, gradient))
    };
    let point =
        |place: [f64; 4]| at(place).map(|(volume, gradient)| Point { volume: volume / 4.0, gradient });
    let mass = |(place, weight): ([f64; 4], f64)| {
        let (volume, _) = at(place)?;
        Ok(MassPoint { volume: volume * weight, values: quadratic_values(place).to_vec() })
    };
    Ok(Solid {
        material,
        positions: nodes.to_vec(),
        points: four_points().into_iter().map(point).collect::<Result<_, String>>()?,
        mass_points: fourteen_points().into_iter().map(mass).collect::<Result<_, String>>()?,
        node_gradients: node_places().into_iter().map(|p| Ok(at(p)?.1)).collect::<Result<_, String>>()?,
        elasticity: material.elasticity(),
        axis: None,
        unseen: None,
    })
}

/// Volume coordinates of the ten nodes.
fn node_places() -> [[f64; 4]; 10] {
    std::array::from_fn(|node| match node {
        0..4 => corner_point(node, 0.0),
        _ => {
            let (a, b) = EDGES[node - 4];
            std::array::from_fn(|k| if k == a || k == b { 0.5 } else { 0.0 })
        }
    })
}

fn quadratic_values(place: [f64; 4]) -> [f64; 10] {
    std::array::from_fn(|node| match node {
        0..4 => place[node] * (2.0 * place[node] - 1.0),
        _ => {
            let (a, b) = EDGES[node - 4];
            4.0 * place[a] * place[b]
        }
    })
}

fn quadratic_slopes(place: [f64; 4]) -> [Vector3<f64>; 10] {
    let slopes = coordinate_slopes();
    std::array::from_fn(|node| match node {
        0..4 => slopes[node] * (4.0 * place[node] - 1.0),
        _ => {
            let (a, b) = EDGES[node - 4];
            (slopes[a] * place[b] + slopes[b] * place[a]) * 4.0
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_exact_to_their_degree() {
        let factorial = |n: i32| (1..=n).map(f64::from).product::<f64>();
        for (a, b, c) in
            (0..6).flat_map(|a| (0..6 - a).flat_map(move |b| (0..6 - a - b).map(move |c| (a, b, c))))
        {
            let exact = 6.0 * factorial(a) * factorial(b) * factorial(c) / factorial(a + b + c + 3);
            let term = |l: &[f64; 4]| l[0].powi(a) * l[1].powi(b) * l[2].powi(c);
            let fourteen: f64 = fourteen_points().iter().map(|(l, w)| w * term(l)).sum();
            assert!((fourteen - exact).abs() < 1e-15, "{a} {b} {c}: {fourteen} {exact}");
            if a + b + c <= 2 {
                let four: f64 = four_points().iter().map(|l| term(l) / 4.0).sum();
                assert!((four - exact).abs() < 1e-15);
            }
        }
    }
}
