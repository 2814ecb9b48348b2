//! One model with every kind of body, joint and load, built in code.
#![allow(dead_code)] // each user needs its own part

use flexura::beam::{Boundary, ModeCounts, Section, standard_modes};
use flexura::model::description::*;
use flexura::time_function::TimeFunction;
use flexura_samples::chains::{Random, bar, flexible_bar, frame, joint};

fn unit(random: &mut Random) -> [f64; 3] {
    let v = [random.signed(), random.signed(), 1.5 + random.signed()];
    let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.map(|x| x / length)
}

/// Every kind of joint with its number of degrees of freedom.
fn joint_kinds(random: &mut Random) -> Vec<(JointKindDescription, usize)> {
    vec![
        (JointKindDescription::Free, 6),
        (JointKindDescription::Revolute { axis: unit(random) }, 1),
        (JointKindDescription::Spherical, 3),
        (JointKindDescription::Weld, 0),
        (JointKindDescription::Prismatic { axis: unit(random) }, 1),
        (JointKindDescription::Universal { axis: [1.0, 0.0, 0.0], axis2: [0.0, 1.0, 0.0] }, 2),
        (JointKindDescription::Cylindrical { axis: unit(random) }, 2),
        (JointKindDescription::Helical { axis: unit(random), pitch: 0.2 }, 1),
        (JointKindDescription::Planar, 3),
        (JointKindDescription::Translational, 3),
    ]
}

/// A free-free beam with foreshortening and frames at both ends.
fn beam(name: String, level: InertiaLevel) -> BodyDescription {
    let counts = ModeCounts { axial: 1, bending_y: 2, bending_z: 1, torsion: 1 };
    BodyDescription {
        name,
        kind: BodyKind::Beam(BeamDescription {
            length: 1.0,
            density: 1000.0,
            young: 1e7,
            shear: 4e6,
            section: Section::Rectangle { width_y: 0.1, height_z: 0.12 },
            modes: standard_modes(Boundary::FreeFree, counts),
            shear_area: None,
            properties: None,
            segments: 1,
            arc: [0.0; 2],
            rotary_inertia: true,
            foreshortening: true,
            curvature: None,
            mass_stations: None,
            damping: DampingDescription::KelvinVoigt { time: 1e-3 },
        }),
        frames: vec![
            frame("in", Place::Station(0.0), [0.0; 3]),
            frame("out", Place::Station(1.0), [0.0, 0.01, 0.0]),
        ],
        level: Some(level),
        attachments: None,
        carriers: None,
    }
}

fn body(index: usize) -> BodyDescription {
    use InertiaLevel::{Consistent, Full, Paper, Ruthless};
    let name = format!("b{index}");
    match index % 8 {
        0 | 5 => bar(name),
        1 => flexible_bar(name, 5, Ruthless),
        2 => beam(name, Consistent),
        3 => flexible_bar(name, 9, Ruthless),
        4 => flexible_bar(name, 4, Paper),
        6 => flexible_bar(name, 3, Full),
        _ => flexible_bar(name, 2, Consistent),
    }
}

/// Springs, dampers, friction and actuators; every third joint is `driven` by a motion instead.
fn coordinates(random: &mut Random, count: usize, driven: bool) -> Vec<CoordinateDescription> {
    let wave = |amplitude: f64| TimeFunction::Harmonic {
        offset: 0.0,
        amplitude,
        angular_frequency: 2.0,
        phase: 0.3,
    };
    (0..count)
        .map(|_| CoordinateDescription {
            stiffness: 2.0 + random.signed(),
            damping: 0.2,
            friction: 0.1,
            effort: (!driven).then(|| wave(0.5)),
            motion: driven.then(|| wave(0.2)),
            ..Default::default()
        })
        .collect()
}

/// A tree of `count` bodies; with `prescribed`, some joints follow given motions.
pub fn mixed_model(count: usize, prescribed: bool, seed: u64) -> Description {
    let mut random = Random(seed);
    let kinds = joint_kinds(&mut random);
    let mut out = Description {
        name: "mixed".into(),
        gravity: [0.3, -0.5, -9.81],
        ground_frames: vec![frame("base", Place::Origin, [0.1, 0.2, 0.3])],
        ..Default::default()
    };
    for k in 0..count {
        // A body on a weld, planar or translational joint still needs a carrier that can turn.
        let carrier = k.checked_sub(1).map(|last| last - random.below(3.min(k)));
        let (kind, freedoms) = kinds[k % kinds.len()];
        let from = carrier.map_or("ground.base".into(), |p| format!("b{p}.out"));
        let mut joint = joint(format!("j{k}"), kind, from, format!("b{k}.in"));
        joint.coordinates = coordinates(&mut random, freedoms, prescribed && k % 3 == 1);
        out.bodies.push(body(k));
        out.joints.push(joint);
        if k % 4 == 2 {
            out.forces.push(ForceDescription {
                name: format!("f{k}"),
                at: format!("b{k}.out"),
                inertial: k % 8 == 2,
                force: [random.signed(), random.signed(), 1.0],
                moment: [0.1, random.signed(), 0.2],
                scale: None,
            });
        }
    }
    out
}
