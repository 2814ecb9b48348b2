//! Valid files: what they mean, and how long they take.

use flexura_samples::json_schema;
mod schema;

use std::f64::consts::{FRAC_1_SQRT_2, PI, TAU};
use std::fmt::Write;
use std::time::Instant;

use flexura::beam::{ModeKind, Section, Shape};
use flexura::file;
use flexura::model::description::{
    AttachmentRule, BodyKind, DampingDescription, Description, ElementKindDescription, InertiaLevel,
    JointKindDescription, MethodDescription, Place, RotationDescription,
};
use flexura::model::element::{Damping, ElementKind, ForceLaw};
use flexura::time_function::TimeFunction;

/// The description of a file without findings.
fn read(text: &str) -> Description {
    let parsed = match file::check(text, "model.toml") {
        Ok(parsed) => parsed,
        Err(errors) => panic!("{errors}"),
    };
    assert!(parsed.warnings.is_empty(), "{}", file::render_all(&parsed.warnings, &parsed.spans));
    parsed.description
}

/// The whole models and the pieces of models that the reference page shows: a whole one has a body.
fn shown() -> (Vec<&'static str>, Vec<&'static str>) {
    let page = include_str!("../../MODEL_FILE.md");
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.partition(|block| block.contains("[[body]]"))
}

/// The whole models of the reference page.
fn examples() -> Vec<&'static str> {
    shown().0
}

/// A body and joint around the given parts.
fn with_joint(joint: &str) -> String {
    format!(
        "[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n\
         [[joint]]\nname = \"j\"\nbetween = [\"ground.origin\", \"a.origin\"]\n{joint}"
    )
}

#[test]
fn the_examples_of_the_reference_page_are_valid() {
    assert_eq!(examples().len(), 4);
    examples().into_iter().for_each(|example| drop(read(example)));
}

#[test]
fn the_pieces_of_the_reference_page_are_read_key_by_key() {
    let (_, pieces) = shown();
    assert_eq!(pieces.len(), 1);
    for piece in pieces {
        // A piece alone names bodies it lacks; that is all that may be wrong with it.
        let Err(errors) = file::check(piece, "model.toml") else { continue };
        let said = errors.to_string();
        assert!(!said.contains("unknown key") && !said.contains("TOML"), "{said}");
    }
}

#[test]
fn pendulum() {
    let model = read(examples()[0]);
    assert_eq!((model.name.as_str(), model.gravity), ("pendulum", [0.0, 0.0, -9.81]));
    let BodyKind::Rigid(rigid) = &model.bodies[0].kind else { panic!("not rigid") };
    assert_eq!((rigid.mass, rigid.center_of_mass), (1.2, [0.0; 3]));
    assert_eq!(rigid.inertia, [[0.01, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]]);
    assert_eq!(model.bodies[0].frames[0].position, [-0.5, 0.0, 0.0]);
    let joint = &model.joints[0];
    assert_eq!(joint.kind, JointKindDescription::Revolute { axis: [0.0, 1.0, 0.0] });
    assert_eq!(joint.between, ["ground.origin", "bob.pivot"]);
    assert_eq!((&joint.position[..], joint.speed.len()), (&[0.3][..], 0));
    assert_eq!((joint.coordinates.len(), joint.coordinates[0].damping), (1, 0.01));
    assert!(matches!(model.simulation.method, MethodDescription::DormandPrince { .. }));
    assert_eq!((model.simulation.end, model.output.channels.as_slice()), (10.0, &["*".into()][..]));
}

#[test]
fn flexible_arm() {
    let model = read(examples()[1]);
    let BodyKind::Beam(beam) = &model.bodies[0].kind else { panic!("not a beam") };
    assert_eq!(beam.section, Section::Rectangle { width_y: 0.004, height_z: 0.04 });
    assert!((beam.shear - 70e9 / 2.66).abs() < 1.0);
    let kinds: Vec<ModeKind> = beam.modes.iter().map(|mode| mode.kind).collect();
    assert_eq!(kinds[2..], [ModeKind::BendingY, ModeKind::Torsion]);
    assert!(beam.rotary_inertia && beam.foreshortening && beam.mass_stations.is_none());
    assert_eq!(model.bodies[0].frames[1].place, Place::Station(2.0));
    assert!(matches!(model.bodies[1].kind, BodyKind::PointMass { mass: 0.5 }));
    let motion = &model.joints[0].coordinates[0].motion;
    let expected = TimeFunction::Cycloidal { from: 0.0, to: 1.5, start: 0.0, duration: 2.0 };
    assert_eq!(format!("{motion:?}"), format!("{:?}", Some(expected)));
    assert!(model.joints[1].coordinates.is_empty());
}

#[test]
fn elements() {
    let model = read(examples()[3]);
    let kinds: Vec<&str> = model
        .elements
        .iter()
        .map(|element| match &element.kind {
            ElementKindDescription::Frames(kind) => kind.word(),
            ElementKindDescription::Coordinates(_) => "coupler",
        })
        .collect();
    let expected = ["coupler", "torsion-spring-damper", "bushing", "spring-damper", "bump-stop", "rod"];
    assert_eq!(kinds[..6], expected);
    assert_eq!(kinds[6..], ["contact", "drag"]);
    let ElementKindDescription::Frames(ElementKind::SpringDamper(spring)) = &model.elements[3].kind else {
        panic!("not a spring");
    };
    assert_eq!((spring.free_length, spring.preload), (0.5, 5.0));
    assert_eq!(spring.law, ForceLaw::Polynomial { coefficients: vec![0.0, 120.0, 30.0] });
    assert_eq!(spring.damping, Damping::Linear { compression: 20.0, extension: 60.0 });
    let ElementKindDescription::Frames(ElementKind::Contact(contact)) = &model.elements[6].kind else {
        panic!("not a contact");
    };
    assert_eq!((contact.exponent, contact.friction, contact.friction_speed), (1.5, 0.4, 1e-3));
    let ElementKindDescription::Frames(ElementKind::Drag(drag)) = &model.elements[7].kind else {
        panic!("not a drag");
    };
    assert_eq!((drag.area, drag.medium_velocity), ([0.00785; 3], [1.0, 0.0, 0.0]));
    let built = model.build().expect("the example is valid").model;
    let rack = &built.couplers[0];
    assert_eq!((built.elements.len(), rack.speeds()), (7, Some([0, 1])));
}

/// The example of all elements runs, and its work is accounted for.
#[test]
fn the_lift_table_runs() {
    let system = file::build_text(examples()[3], "lift.toml").expect("the example is valid").built;
    let result = system.simulate().expect("the run succeeds");
    let balance = result.last("energy.balance").expect("recorded");
    assert!(balance.abs() < 1e-4, "{balance:e}");
}

#[test]
fn modal_panel() {
    let model = read(examples()[2]);
    let panel = &model.bodies[0];
    assert_eq!((panel.level, panel.attachments), (Some(InertiaLevel::Full), None));
    let BodyKind::Modal(modal) = &panel.kind else { panic!("not modal") };
    assert_eq!((modal.modes, &modal.stiffness[..]), (2, &[120.0, 0.0, 0.0, 480.0][..]));
    assert!(matches!(modal.damping, DampingDescription::Rayleigh { mass: 0.0, stiffness: 1e-4 }));
    assert_eq!(modal.nodes[0].slopes, [[0.0; 3]; 2]);
    assert_eq!(modal.nodes[2].quadratic[1], [0.7, 0.0, 0.0]);
    let tip = &panel.frames[0];
    assert_eq!(tip.place, Place::Node("far".into()));
    let quarter = RotationDescription::AxisAngle { axis: [0.0, 0.0, 1.0], angle: PI / 2.0 };
    assert_eq!(tip.rotation, quarter);
    let (s, c) = (PI / 12.0).sin_cos();
    let position = &model.joints[0].position;
    let expected = [c, s, 0.0, 0.0, 0.0, 0.0, 1.0];
    assert!(position.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{position:?}");
    assert_eq!(model.simulation.method, MethodDescription::Rk4 { step: 0.001 });
    assert_eq!(model.simulation.modal_position, [("panel".into(), vec![0.01, 0.0])]);
    assert!(!model.forces[0].inertial && !model.simulation.events[0].stop);
    let scale = format!("{:?}", model.forces[0].scale);
    assert_eq!(scale, "Some(Piecewise { breaks: [0.5], pieces: [Constant(1.0), Constant(0.0)] })");
}

#[test]
fn every_joint_type_and_its_coordinates() {
    let joints = [
        ("type = \"weld\"", 0, 0),
        ("type = \"prismatic\"\naxis = [1, 0, 0]\nposition = [2]\nspeed = 3", 1, 0),
        ("type = \"cylindrical\"\nstiffness = [1, 2]\nrest = [0, 1]\nposition = [1, 2]", 2, 2),
        ("type = \"helical\"\npitch = 0.01\nfriction = 0.1\nfriction_speed = 0.01", 0, 1),
        ("type = \"universal\"\neffort = [1.0, \"free\"]", 0, 2),
        ("type = \"spherical\"\nspeed = [1, 2, 3]\nmotion = [0, 0, 0.1]", 0, 3),
        ("type = \"spherical\"\norientation = { quaternion = [0, 1, 0, 0] }", 4, 0),
        ("type = \"planar\"\ndamping = [1, 2, 3]", 0, 3),
        ("type = \"translational\"\nposition = [1, 2, 3]", 3, 0),
        ("type = \"free\"\nposition = [1, 2, 3]", 7, 0),
        ("type = \"free\"\nmotion = [0, 0, 0, \"free\", \"free\", \"free\"]", 0, 6),
    ];
    for (text, positions, coordinates) in joints {
        let joint = read(&with_joint(text)).joints.remove(0);
        let found = (joint.position.len(), joint.coordinates.len());
        assert_eq!(found, (positions, coordinates), "{text}");
    }
}

#[test]
fn axes_and_matrices_of_an_orientation_become_quaternions() {
    let matrix = "{ matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]] }";
    for rotation in ["{ axis = [0, 0, 1], angle_deg = 90 }", matrix] {
        let text = with_joint(&format!("type = \"spherical\"\norientation = {rotation}"));
        let position = read(&text).joints.remove(0).position;
        let expected = [FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2];
        assert!(position.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{position:?}");
    }
}

#[test]
fn every_time_function() {
    let motions = [
        "3",
        "{ constant = 3 }",
        "{ polynomial = [0, 1, 2] }",
        "{ harmonic = { amplitude = 1, frequency = 2 } }",
        "{ cycloidal = { to = 1, duration = 2 } }",
        "{ table = { times = [0, 1, 2], values = [0, 1, 0] } }",
        "{ table = { times = [0, 1, 2], values = [0, 1, 0], start_rate = 1 } }",
        "{ piecewise = { breaks = [1], pieces = [0, { piecewise = \
         { breaks = [], pieces = [1] } }] } }",
    ];
    for motion in motions {
        let joint = read(&with_joint(&format!("type = \"revolute\"\nmotion = {motion}"))).joints.remove(0);
        let function = joint.coordinates[0].motion.as_ref().expect("a motion");
        if let TimeFunction::Harmonic { angular_frequency, phase, .. } = function {
            assert_eq!((*angular_frequency, *phase), (2.0 * TAU, 0.0));
        }
    }
}

#[test]
fn beam_shapes_follow_standard_modes() {
    let text = "[[body]]\nname = \"b\"\nlevel = \"paper\"\nattachments = \"frozen\"\n[body.beam]\n\
        length = 1\ndensity = 1\nyoung = 1\nshear = 0.4\nboundary = \"free-free\"\naxial = 1\n\
        section = { area = 1, inertia_y = 1, inertia_z = 1, torsion = 1 }\nmass_stations = 5\n\
        shapes = [{ kind = \"bending_z\", polynomial = [0, 0, 1] }]\nrotary_inertia = false\n\
        damping = { kelvin_voigt = 1e-3 }\n\
        [[joint]]\nname = \"j\"\ntype = \"free\"\nbetween = [\"b.origin\", \"ground.origin\"]\n";
    let body = read(text).bodies.remove(0);
    assert_eq!(body.attachments, Some(AttachmentRule::Frozen));
    let BodyKind::Beam(beam) = &body.kind else { panic!("not a beam") };
    assert_eq!(beam.modes.len(), 2);
    assert_eq!(beam.modes[1].shape, Shape::Polynomial(vec![0.0, 0.0, 1.0]));
    assert!(!beam.rotary_inertia && beam.mass_stations == Some(5));
}

#[test]
fn byte_order_marks_and_carriage_returns_are_accepted() {
    let text = format!("\u{feff}{}", examples()[0].replace('\n', "\r\n"));
    assert_eq!(read(&text).bodies.len(), 1);
}

#[test]
fn an_unreadable_file_is_an_error_with_its_name() {
    let errors = file::load("no/such/file.toml").expect_err("there is no such file");
    assert!(errors.to_string().contains("error[unreadable-file]"), "{errors}");
    assert!(errors.to_string().contains("no/such/file.toml"), "{errors}");
}

/// A chain of `count` bodies.
fn chain(count: usize, frame: &str) -> String {
    let mut text = String::new();
    for i in 0..count {
        let before = if i == 0 { "ground.origin".to_owned() } else { format!("link{}.end", i - 1) };
        let _ = write!(
            text,
            "[[body]]\nname = \"link{i}\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n\
             [[body.frame]]\nname = \"start\"\nposition = [-0.5, 0, 0]\n\
             [[body.frame]]\nname = \"end\"\nposition = [0.5, 0, 0]\n\
             [[joint]]\nname = \"joint{i}\"\ntype = \"revolute\"\n\
             between = [\"{before}\", \"link{i}.{frame}\"]\naxis = [0, 1, 0]\ndamping = 0.1\n"
        );
    }
    text
}

#[test]
fn twenty_thousand_bodies_are_read() {
    let begin = Instant::now();
    assert_eq!(read(&chain(20_000, "start")).joints.len(), 20_000);
    let valid = begin.elapsed();
    // Nor should a mistake in each of them take long.
    let begin = Instant::now();
    let errors = file::check(&chain(20_000, "begin"), "chain.toml").expect_err("no such frame");
    assert_eq!(errors.diagnostics.len(), 20_000);
    assert!(errors.to_string().len() > 1_000_000);
    let broken = begin.elapsed();
    println!("20,000 bodies: valid {valid:?}, broken and rendered {broken:?}");
}
