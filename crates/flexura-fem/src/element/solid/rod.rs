//! Two-node rod: force along its axis only.
//!
//! A solid of one dimension: with the axis t, length L and section A the displacement gradient is (u_2 - u_1) t^T / L,
//! the elasticity E p p^T with p the components of t t^T, so that K = E A / L t t^T and a pull N gives the geometric
//! stiffness N / L 1. Mass by linear shapes with two Gauss points. Across its axis a rod resists nothing: nodes that
//! only rods of one line hold are a mechanism.

use super::{MassPoint, PAIRS, Point, Solid, gradient_operator};
use crate::material::Material;
use nalgebra::{Vector3, Vector6};

/// Rod of a section's area (m2).
pub(super) fn straight(nodes: [Vector3<f64>; 2], material: Material, area: f64) -> Result<Solid, String> {
    let along = nodes[1] - nodes[0];
    let length = along.norm();
    let Some(axis) = along.try_normalize(0.0).filter(|axis| axis.iter().all(|x| x.is_finite())) else {
        return Err("it has no length".into());
    };
    let slope = axis / length;
    let gradient = gradient_operator(&[-slope, slope]);
    let component = Vector6::from_iterator(PAIRS.into_iter().map(|(a, b)| axis[a] * axis[b]));
    let gauss = 3.0_f64.sqrt().recip();
    let half = 0.5 * area * length;
    let mass = |x: f64| MassPoint { volume: half, values: vec![0.5 * (1.0 - x), 0.5 * (1.0 + x)] };
    Ok(Solid {
        elasticity: component * component.transpose() * material.young,
        material,
        positions: nodes.to_vec(),
        points: vec![Point { volume: area * length, gradient: gradient.clone() }],
        mass_points: vec![mass(-gauss), mass(gauss)],
        node_gradients: vec![gradient; 2],
        axis: Some(component),
        unseen: None,
    })
}
