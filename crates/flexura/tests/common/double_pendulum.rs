//! A model whose coordinates are quaternions and coupled rotations, for orders of integration methods.

use flexura::Model;
use flexura::model::description::*;

/// A spatial double pendulum on spherical and universal joints: quaternions and coupled rotations.
pub fn double_pendulum() -> Model {
    let rod = |name: &str| {
        BodyDescription::rigid(name, 1.0, [0.02, 0.09, 0.1])
            .center_of_mass([0.5, 0.05, 0.0])
            .frame("end", [1.0, 0.0, 0.0])
    };
    let universal = JointKindDescription::Universal { axis: [0.0, 1.0, 0.0], axis2: [0.0, 0.0, 1.0] };
    Description::new("double pendulum")
        .body(rod("one"))
        .body(rod("two"))
        .joint(
            JointDescription::spherical("ball", ["ground.origin", "one.origin"])
                .position(&[0.8, 0.6, 0.0, 0.0])
                .speed(&[0.5, -1.0, 2.0]),
        )
        .joint(
            JointDescription::new("cross", universal, ["one.end", "two.origin"])
                .position(&[0.3, -0.4])
                .speed(&[1.0, 0.5]),
        )
        .build()
        .expect("valid")
        .model
}
