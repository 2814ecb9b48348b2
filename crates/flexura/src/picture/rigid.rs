//! The solid that stands for a rigid body without given geometry.
//!
//! Source: a homogeneous cuboid of edges a, b, c has Ixx = m (b² + c²)/12 and so
//! on, hence a² = 6 (Iyy + Izz − Ixx)/m about the principal axes.

use super::{Form, Solid};
use crate::model::IDENTITY;
use crate::model::body::{Body, InertiaModel};
use crate::spatial::{cross, scale};
use nalgebra::{Matrix3, SymmetricEigen};

/// The cuboid with the mass, centre and inertia of `body`; a ball for a body without rotary inertia.
pub(super) fn equivalent_solid(body: &Body) -> Solid {
    let mut solid = Solid { form: Form::Mass(0.0), position: [0.0; 3], rotation: IDENTITY, equivalent: true };
    let InertiaModel::Rigid(inertia) = &body.inertia else { return solid };
    let mass = inertia.mass();
    if mass <= 0.0 {
        return solid;
    }
    let centre = scale(1.0 / mass, &inertia.mass_moment());
    solid.position = centre;
    solid.form = Form::Mass(mass);
    let a = &inertia.angular;
    let about_origin = Matrix3::new(a[0], a[1], a[2], a[1], a[3], a[4], a[2], a[4], a[5]);
    let c = nalgebra::Vector3::from(centre);
    let steiner = (Matrix3::identity() * c.dot(&c) - c * c.transpose()) * mass;
    let own = about_origin - steiner;
    // The decomposition of numbers that are none would not end.
    if own.iter().any(|x| !x.is_finite()) {
        return solid;
    }
    let eigen = SymmetricEigen::new(own);
    let i = eigen.eigenvalues;
    let edge = |k: usize| (6.0 * (i[(k + 1) % 3] + i[(k + 2) % 3] - i[k]) / mass).max(0.0).sqrt();
    let edges = [edge(0), edge(1), edge(2)];
    let longest = edges.iter().fold(0.0, |most: f64, &edge| most.max(edge));
    // Rounding alone gives no extent.
    if longest <= 1e-7 * (1.0 + c.norm()) {
        return solid;
    }
    solid.form = Form::Box(edges);
    let column = |k: usize| [0, 1, 2].map(|row: usize| eigen.eigenvectors[(row, k)]);
    let (x, y) = (column(0), column(1));
    let z = cross(&x, &y);
    solid.rotation = [0, 1, 2].map(|row| [x[row], y[row], z[row]]);
    solid
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::description::{BodyDescription, BodyKind, Description, RigidDescription};
    use crate::model::description::{JointDescription, JointKindDescription};
    use crate::picture::Picture;
    use crate::spatial::{matrix_product, matrix_vector, transposed};

    /// A cuboid in a turned, shifted frame comes back with its edges.
    #[test]
    fn the_cuboid_of_an_inertia_is_the_one_that_made_it() {
        let (mass, edges) = (7.0, [0.9, 0.2, 0.05]);
        let moment = |b: f64, c: f64| mass * (b * b + c * c) / 12.0;
        let own = [
            [moment(edges[1], edges[2]), 0.0, 0.0],
            [0.0, moment(edges[0], edges[2]), 0.0],
            [0.0, 0.0, moment(edges[0], edges[1])],
        ];
        let turn = crate::spatial::rotation_exp(&[0.3, -0.7, 0.4]);
        let inertia = matrix_product(&matrix_product(&turn, &own), &transposed(&turn));
        let centre = [0.4, -0.3, 0.2];
        let kind = BodyKind::Rigid(RigidDescription { mass, center_of_mass: centre, inertia });
        let body = BodyDescription {
            name: "brick".into(),
            kind,
            frames: vec![],
            level: None,
            attachments: None,
            carriers: None,
        };
        let joint = JointKindDescription::Free;
        let built = Description::new("one")
            .body(body)
            .joint(JointDescription::new("j", joint, ["ground.origin", "brick.origin"]))
            .build()
            .unwrap();
        let solid = Picture::new(&built).bodies[0].solids[0].clone();
        let Form::Box(found) = solid.form else { panic!("{solid:?}") };
        for (k, unit) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].iter().enumerate() {
            assert!((solid.position[k] - centre[k]).abs() < 1e-14);
            // The edge found along each found axis is the one whose own axis is parallel to it.
            let axis = matrix_vector(&transposed(&turn), &matrix_vector(&solid.rotation, unit));
            let along = (0..3).find(|&i| axis[i].abs() > 1.0 - 1e-12).expect("a principal axis");
            assert!((found[k] - edges[along]).abs() < 1e-12, "{found:?}");
        }
        let r = solid.rotation;
        let det: f64 = (0..3).map(|i| cross(&r[0], &r[1])[i] * r[2][i]).sum();
        assert!((det - 1.0).abs() < 1e-12, "a rotation, not a reflection");
    }
}
