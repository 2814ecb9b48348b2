//! What acts at frames: elements of every kind between random frames, loads spread over a beam.

use crate::chains;
use crate::random_model::{Random, random_frame};
use flexura::model::description::*;
use flexura::model::element::{
    Actuator, Bushing, Damping, Drag, ElementDescription, ElementKind, ForceLaw, ForceTable, Rod,
    SpringDamper, TorsionSpringDamper,
};
use flexura::time_function::TimeFunction;

fn law(random: &mut Random) -> ForceLaw {
    match random.below(3) {
        0 => ForceLaw::Linear { stiffness: random.between(1.0, 30.0) },
        1 => ForceLaw::Polynomial { coefficients: random.numbers(4, 5.0) },
        _ => {
            let forces = random.numbers(5, 8.0);
            ForceLaw::Table(ForceTable::new(&[-1.0, -0.3, 0.1, 0.6, 1.4], &forces).expect("increasing"))
        }
    }
}

fn damping(random: &mut Random) -> Damping {
    match random.below(3) {
        0 => Damping::both(0.4),
        1 => Damping::Linear { compression: 0.2, extension: 1.1 },
        _ => Damping::Curve(
            ForceTable::new(&[-2.0, 0.0, 1.0, 3.0], &[-3.0, 0.0, 0.5, 2.0]).expect("increasing"),
        ),
    }
}

fn unit(random: &mut Random) -> [f64; 3] {
    let v = random.vector(1.0);
    let length = flexura::spatial::norm(&v).max(1e-3);
    v.map(|x| x / length)
}

/// Without break points: there the steps of the processor go on beyond rows, those of a device end at them.
fn wave(random: &mut Random) -> TimeFunction {
    TimeFunction::Harmonic {
        offset: random.between(-1.0, 1.0),
        amplitude: random.between(1.0, 3.0),
        angular_frequency: random.between(5.0, 30.0),
        phase: random.between(-3.0, 3.0),
    }
}

/// An element of one of eight kinds.
pub fn element(kind: usize, random: &mut Random) -> ElementKind {
    match kind % 8 {
        0 | 1 => SpringDamper {
            axis: (kind % 8 == 1).then(|| unit(random)),
            free_length: random.between(0.1, 1.0),
            law: law(random),
            preload: random.between(-2.0, 2.0),
            damping: damping(random),
        }
        .into(),
        2 => TorsionSpringDamper {
            axis: unit(random),
            law: law(random),
            preload: random.between(-2.0, 2.0),
            damping: damping(random),
        }
        .into(),
        3 => {
            let mut bushing = Bushing::diagonal([4.0, 3.0, 2.0, 30.0, 20.0, 10.0], [0.3; 6]);
            (bushing.stiffness[0][4], bushing.stiffness[4][0]) = (1.5, 1.5);
            bushing.cubic = [0.5, 0.0, 1.0, 2.0, 0.0, 3.0];
            bushing.preload = [0.1, -0.2, 0.3, 1.0, -2.0, 0.5];
            bushing.into()
        }
        4 => Rod { length: 0.7, stiffness: 40.0, damping: 0.2 }.into(),
        5 => Drag {
            density: 1.2,
            coefficient: [0.5, 1.0, 0.7],
            area: [0.4, 0.3, 0.6],
            medium_velocity: random.vector(2.0),
        }
        .into(),
        6 => Actuator { axis: None, effort: wave(random) }.into(),
        _ => Actuator { axis: Some(unit(random)), effort: wave(random) }.into(),
    }
}

/// Elements between frames of random bodies, some of them on the ground.
pub fn add_elements(out: &mut Description, count: usize, random: &mut Random) {
    for i in 0..count {
        let mut ends: Vec<String> = Vec::new();
        for side in 0..2 {
            let name = format!("e{i}{side}");
            if side == i % 2 && random.chance(0.2) {
                let frame = random_frame(name.clone(), &BodyKind::Rigid(RigidDescription::default()), random);
                out.ground_frames.push(frame);
                ends.push(format!("ground.{name}"));
                continue;
            }
            let body = random.below(out.bodies.len());
            let frame = random_frame(name.clone(), &out.bodies[body].kind, random);
            out.bodies[body].frames.push(frame);
            ends.push(format!("{}.{name}", out.bodies[body].name));
        }
        let kind = element(i, random);
        out.elements.push(ElementDescription::new(&format!("e{i}"), kind, [&ends[0], &ends[1]]));
    }
}

/// A beam with loads along it, on its modes and by its temperature, in all axes, on a chain.
pub fn spread_loads() -> Description {
    let mut description = chains::clamped_chain(3, 4, InertiaLevel::Gram);
    let beam = BeamDescription::new(
        1.0,
        2700.0,
        7e10,
        2.7e10,
        flexura::beam::Section::Rectangle { width_y: 0.02, height_z: 0.03 },
    )
    .modes(
        flexura::beam::Boundary::ClampedFree,
        flexura::beam::ModeCounts { bending_y: 2, bending_z: 2, torsion: 1, axial: 1 },
    );
    description.bodies.push(BodyDescription::beam("beam", beam));
    description.joints.push(JointDescription::revolute(
        "root",
        ["ground.origin", "beam.origin"],
        [0.0, 1.0, 0.0],
    ));
    let load = |name: &str, kind: LoadKind| LoadDescription {
        name: name.into(),
        body: "beam".into(),
        kind,
        scale: Some(TimeFunction::Polynomial { coefficients: vec![0.5, 1.0] }),
    };
    for (name, axes) in [("a", LoadAxes::Inertial), ("b", LoadAxes::Body), ("c", LoadAxes::Follower)] {
        let force = [[1.0, 20.0, -5.0], [0.0, 35.0, 8.0]];
        description.loads.push(load(name, LoadKind::Line { span: (0.2, None), force, axes }));
    }
    description.loads.push(load("d", LoadKind::Modal { forces: vec![1.0, -2.0, 0.5, 0.3, 4.0, 7.0] }));
    let thermal = LoadKind::Thermal { expansion: 2.3e-5, temperature: 10.0, gradient: [50.0, -80.0] };
    description.loads.push(load("e", thermal));
    description
}
