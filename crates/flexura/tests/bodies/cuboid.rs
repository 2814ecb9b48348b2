//! The picture of a rigid body: a cuboid of its mass and inertia.

use flexura::model::description::{BodyDescription, BodyKind, Description, RigidDescription};
use flexura::model::description::{JointDescription, JointKindDescription};
use flexura::picture::{Form, Picture};
use flexura::spatial::{cross, matrix_product, matrix_vector, rotation_exp, transposed};

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
    let turn = rotation_exp(&[0.3, -0.7, 0.4]);
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
