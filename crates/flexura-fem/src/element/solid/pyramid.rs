//! Five-node pyramid: a hexahedron whose upper face is one point.
//!
//! N_i = (1 + xi xi_i)(1 + eta eta_i)(1 - zeta) / 8 at the base and N_5 = (1 + zeta) / 2 at the apex, rational in the
//! straight coordinates (G. Bedrosian, 1992). Stiffness with 2 x 2 x 2 Gauss points, none of them at the apex, where slopes have
//! no limit; mass with 3 x 3 x 3, exact for a straight base.

use super::Solid;
use super::hexahedron::CORNERS;
use super::isoparametric::{AtNodes, Kind, eight_points, solid, twenty_seven_points};
use crate::material::Material;
use nalgebra::Vector3;

/// Five-node pyramid: base counterclockwise seen from the apex, then the apex.
pub(super) fn linear(nodes: [Vector3<f64>; 5], material: Material) -> Result<Solid, String> {
    solid(&nodes, material, &kind())
}

fn kind() -> Kind {
    Kind {
        values,
        slopes,
        stiffness: eight_points(),
        mass: twenty_seven_points(),
        at_nodes: AtNodes::FromEight(places().to_vec()),
    }
}

fn places() -> [[f64; 3]; 5] {
    std::array::from_fn(|node| if node < 4 { CORNERS[node] } else { [0.0, 0.0, 1.0] })
}

fn values(place: [f64; 3]) -> Vec<f64> {
    let [x, y, z] = place;
    let base = (0..4).map(|i| (1.0 + CORNERS[i][0] * x) * (1.0 + CORNERS[i][1] * y) * (1.0 - z) / 8.0);
    base.chain([0.5 * (1.0 + z)]).collect()
}

fn slopes(place: [f64; 3]) -> Vec<Vector3<f64>> {
    let [x, y, z] = place;
    let base = (0..4).map(|i| {
        let [a, b, _] = CORNERS[i];
        let (along_x, along_y) = (1.0 + a * x, 1.0 + b * y);
        Vector3::new(a * along_y * (1.0 - z), b * along_x * (1.0 - z), -along_x * along_y) / 8.0
    });
    base.chain([Vector3::new(0.0, 0.0, 0.5)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_one_at_their_node_and_slopes_are_theirs() {
        super::super::isoparametric::check_shapes(&kind(), &places());
    }
}
