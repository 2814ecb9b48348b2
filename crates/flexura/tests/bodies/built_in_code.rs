//! Validation of descriptions that no file could hold.

use flexura::model::description::*;
use flexura::model::validate::validate;
use flexura::time_function::TimeFunction;

/// A pendulum.
fn model() -> Description {
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let rigid = RigidDescription { mass: 1.0, center_of_mass: [0.0; 3], inertia: identity };
    let body = BodyDescription {
        name: "bob".into(),
        kind: BodyKind::Rigid(rigid),
        frames: Vec::new(),
        level: None,
        attachments: None,
        carriers: None,
    };
    let joint = JointDescription {
        name: "hinge".into(),
        kind: JointKindDescription::Revolute { axis: [0.0, 1.0, 0.0] },
        between: ["ground.origin".into(), "bob.origin".into()],
        position: Vec::new(),
        speed: Vec::new(),
        coordinates: Vec::new(),
    };
    Description { bodies: vec![body], joints: vec![joint], ..Description::default() }
}

fn rigid(model: &mut Description) -> &mut RigidDescription {
    match &mut model.bodies[0].kind {
        BodyKind::Rigid(rigid) => rigid,
        _ => panic!("the first body is rigid"),
    }
}

/// A body with two modes and one node.
fn modal() -> ModalDescription {
    let node = NodeDescription {
        mass: 1.0,
        slopes: vec![[0.0; 3]; 2],
        translations: vec![[0.0; 3]; 2],
        ..NodeDescription::default()
    };
    ModalDescription {
        modes: 2,
        nodes: vec![node],
        stiffness: vec![1.0, 0.0, 0.0, 1.0],
        damping: DampingDescription::None,
        invariants: None,
    }
}

/// Codes and paths found after a change.
fn found(change: impl FnOnce(&mut Description)) -> Vec<String> {
    let mut model = model();
    change(&mut model);
    validate(&mut model).iter().map(|finding| format!("{} {}", finding.code, finding.path)).collect()
}

/// Codes and paths found in a changed modal body.
fn found_in_modal(change: impl FnOnce(&mut ModalDescription)) -> Vec<String> {
    let mut modal = modal();
    change(&mut modal);
    found(|model| model.bodies[0].kind = BodyKind::Modal(modal))
}

#[test]
fn a_sound_model_has_no_findings() {
    assert_eq!(found(|_| {}), Vec::<String>::new());
    assert_eq!(found_in_modal(|_| {}), Vec::<String>::new());
}

#[test]
fn a_number_that_is_not_finite_is_reported_once_and_by_its_path() {
    let nan = f64::NAN;
    type Change = fn(&mut Description, f64);
    let cases: [(Change, &str); 8] = [
        (|model, x| model.gravity[1] = x, "model.gravity"),
        (|model, x| model.joints[0].position = vec![x], "joint[0].position"),
        (|model, x| model.simulation.end = x, "simulation.end"),
        (|model, x| model.simulation.output_interval = x, "simulation.output_interval"),
        (
            |model, x| model.joints[0].kind = JointKindDescription::Revolute { axis: [x, 0.0, 1.0] },
            "joint[0].axis",
        ),
        (|model, x| rigid(model).inertia[0][1] = x, "body[0].inertia"),
        (|model, x| rigid(model).mass = x, "body[0].mass"),
        (
            |model, x| {
                let spring = CoordinateDescription { stiffness: x, ..Default::default() };
                model.joints[0].coordinates = vec![spring];
            },
            "joint[0].stiffness",
        ),
    ];
    for (change, path) in cases {
        for x in [nan, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(found(|model| change(model, x)), [format!("not-finite {path}")]);
        }
    }
}

#[test]
fn sizes_that_a_file_cannot_have() {
    assert_eq!(
        found(|model| model.joints[0].coordinates = vec![Default::default(); 2]),
        ["coordinate-count joint[0].coordinates"],
    );
    assert_eq!(
        found(|model| {
            model.joints[0].kind = JointKindDescription::Spherical;
            model.joints[0].position = vec![1.0, 0.0, 0.0];
        }),
        ["coordinate-count joint[0].position"],
    );
    assert_eq!(
        found_in_modal(|modal| modal.stiffness.truncate(3)),
        ["stiffness-size body[0].modal.stiffness"],
    );
    assert_eq!(
        found_in_modal(|modal| modal.damping = DampingDescription::Matrix(vec![1.0])),
        ["damping-size body[0].modal.damping.matrix"],
    );
    assert_eq!(found_in_modal(|modal| modal.nodes.clear()), ["no-nodes body[0].modal.node"]);
}

#[test]
fn axes_and_quaternions_are_normalised_in_place() {
    let mut model = model();
    model.joints[0].kind = JointKindDescription::Free;
    model.joints[0].position = vec![0.0, 0.0, 2.0, 0.0, 1.0, 2.0, 3.0];
    model.ground_frames.push(FrameDescription {
        name: "wall".into(),
        rotation: RotationDescription::AxisAngle { axis: [3.0, 0.0, 4.0], angle: 1.0 },
        ..FrameDescription::default()
    });
    let findings = validate(&mut model);
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["axis-not-unit", "quaternion-not-unit"]);
    assert!(findings.iter().all(|finding| !finding.is_error()));
    assert_eq!(model.joints[0].position, [0.0, 0.0, 1.0, 0.0, 1.0, 2.0, 3.0]);
    let rotation = RotationDescription::AxisAngle { axis: [0.6, 0.0, 0.8], angle: 1.0 };
    assert_eq!(model.ground_frames[0].rotation, rotation);
    // A second look has nothing left to correct.
    assert!(validate(&mut model).is_empty());
}

/// A model in which a point mass hangs on a rod by the given joint.
fn point_on_rod(kind: JointKindDescription) -> Vec<String> {
    found(|model| {
        let mut point = model.bodies[0].clone();
        point.name = "point".into();
        point.kind = BodyKind::PointMass { mass: 1.0 };
        model.bodies.push(point);
        let mut joint = model.joints[0].clone();
        joint.name = "link".into();
        joint.kind = kind;
        joint.between = ["bob.origin".into(), "point.origin".into()];
        model.joints.push(joint);
    })
}

#[test]
fn a_point_mass_needs_something_that_holds_its_rotation() {
    let axis = [0.0, 0.0, 1.0];
    use JointKindDescription::*;
    for kind in [Weld, Prismatic { axis }, Translational] {
        assert_eq!(point_on_rod(kind), Vec::<String>::new());
    }
    let (axis2, pitch) = ([1.0, 0.0, 0.0], 0.1);
    let turning = [Revolute { axis }, Cylindrical { axis }, Helical { axis, pitch }];
    for kind in turning.into_iter().chain([Universal { axis, axis2 }, Spherical, Planar, Free]) {
        assert_eq!(point_on_rod(kind), ["point-mass-rotation joint[1].type"]);
    }
    // Welded to the rod, the point mass may carry the hinge; turned by a motor, it is held too.
    let hinge_on_point = |motion: Option<TimeFunction>| {
        found(|model| {
            let mut point = model.bodies[0].clone();
            point.name = "point".into();
            point.kind = BodyKind::PointMass { mass: 1.0 };
            model.bodies.push(point);
            model.joints[0].between[1] = "point.origin".into();
            let coordinate = CoordinateDescription { motion: motion.clone(), ..Default::default() };
            model.joints[0].coordinates = vec![coordinate];
            if motion.is_none() {
                let mut weld = model.joints[0].clone();
                weld.name = "weld".into();
                weld.kind = Weld;
                weld.coordinates.clear();
                weld.between = ["point.origin".into(), "bob.origin".into()];
                model.joints.push(weld);
            }
        })
    };
    assert_eq!(hinge_on_point(None), Vec::<String>::new());
    assert_eq!(hinge_on_point(Some(TimeFunction::Constant(1.0))), Vec::<String>::new());
}
