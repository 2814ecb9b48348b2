//! Reduced bodies inside the engine: the same small vibrations as the mesh.

use crate::common::*;
use flexura::State;
use flexura::analysis::{linearize, modes};
use flexura::model::description::*;
use flexura_fem::*;

/// Frequencies of a model about its initial state (Hz), ascending.
fn engine_frequencies(description: Description) -> Vec<f64> {
    let model = description.gravity([0.0; 3]).build().unwrap().model;
    let system = linearize(&model, &State::initial(&model, 0.0), &[], &[]).unwrap();
    let mut found: Vec<f64> =
        modes(&system).unwrap().iter().map(|mode| mode.frequency() / std::f64::consts::TAU).collect();
    found.sort_by(f64::total_cmp);
    found
}

fn body(name: &str, mesh: &Mesh, reduced: &ReducedModel) -> BodyDescription {
    let nodes = mesh.names.keys().cloned();
    nodes.fold(
        BodyDescription::modal(name, modal_description(mesh, reduced, Stiffening::None).unwrap()),
        |body, node| body.frame_at(&node, Place::Node(node.clone()), [0.0; 3], RotationDescription::Identity),
    )
}

#[test]
fn reduced_cantilever_vibrates_like_the_mesh() {
    let beam = generate::beam(1.0, 10, steel(), Section::rectangle(0.02, 0.03)).unwrap();
    let mut plate = generate::plate([0.4, 0.3], [8, 6], 0.004, steel()).unwrap();
    let root = plate.node([0.0, 0.15, 0.0]);
    plate.links.push(RigidLink::new(root, &plate.sets["x0"].clone()));
    plate.name("root", root);
    for (mesh, label) in [(beam, "beam"), (rotated(&plate, &oblique()), "plate")] {
        for mass in [MassModel::Consistent, MassModel::Lumped] {
            let held = Supports::none().clamp(&[mesh.named("root").unwrap()]);
            let full = held_frequencies(&mesh, &held, 6, mass);
            let reduced =
                Reduction::new("root", ReductionKind::Clamped { modes: 6 }).mass(mass).run(&mesh).unwrap();
            let description = Description::new("cantilever")
                .body(body("part", &mesh, &reduced))
                .joint(JointDescription::weld("wall", ["ground.origin", "part.root"]));
            let found = engine_frequencies(description);
            let worst = found.iter().zip(&full).map(|(a, b)| relative(*a, *b)).fold(0.0, f64::max);
            println!("{label} {mass:?}: engine {found:.4?} Hz, worst difference from the mesh {worst:.2e}");
            assert!(found.len() == 6 && worst < 1e-9);
        }
    }
}

/// Two beams at an angle joined by a hinge about z: the mesh of both against
/// two reduced bodies and a joint.
#[test]
fn two_links_vibrate_like_the_mesh_of_both() {
    let section = Section::rectangle(0.02, 0.03);
    let first = generate::beam(0.8, 12, steel(), section).unwrap();
    let turn = nalgebra::Rotation3::from_scaled_axis(nalgebra::Vector3::new(0.3, 0.2, 0.9));
    let second = rotated(&generate::beam(0.6, 10, steel(), section).unwrap(), &turn);
    let mut both = first.clone();
    both.nodes.extend(second.nodes.iter().map(|x| [x[0] + 0.8, x[1], x[2]]));
    both.elements.extend(second.elements.iter().map(|element| match *element {
        Element::Beam(beam) => Element::Beam(BeamElement { nodes: beam.nodes.map(|n| n + 13), ..beam }),
        other => other,
    }));
    let hinge = RigidLink { freedoms: [true, true, true, true, true, false], ..RigidLink::new(12, &[13]) };
    both.links.push(hinge);
    let system = assemble(&both, &Supports::none().clamp(&[0]), MassModel::Consistent).unwrap();
    let options = EigenOptions { free: true, ..EigenOptions::default() };
    let full = lowest_modes(system.pencil(), 7, &options).unwrap().frequencies();
    let mut last = f64::INFINITY;
    for count in [2, 6, 14] {
        let arm = Reduction::new("root", ReductionKind::CraigBampton { modes: count })
            .interface("tip")
            .run(&first)
            .unwrap();
        let forearm =
            Reduction::new("root", ReductionKind::Clamped { modes: count + 6 }).run(&second).unwrap();
        let description = Description::new("two links")
            .body(body("arm", &first, &arm))
            .body(body("forearm", &second, &forearm))
            .joint(JointDescription::weld("wall", ["ground.origin", "arm.root"]))
            .joint(JointDescription::revolute("elbow", ["arm.tip", "forearm.root"], [0.0, 0.0, 1.0]));
        let found = engine_frequencies(description);
        // The swing of the free hinge comes as one or two zeros; elastic modes follow.
        let elastic = found.iter().filter(|f| **f > 1.0);
        let errors: Vec<f64> = elastic.zip(&full[1..]).map(|(a, b)| a / b - 1.0).collect();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        println!(
            "{count:2} modes: six elastic modes, worst {worst:.2e}, lowest {:.2e}",
            errors.iter().copied().fold(1.0, f64::min)
        );
        assert!(errors.iter().all(|error| *error > -1e-8) && worst < last);
        last = worst;
    }
    println!("mesh of both: {full:.4?} Hz");
    assert!(last < 1e-3);
}

/// A plate and a beam swing in gravity from a hinge at their root: energy stays,
/// with consistent and lumped mass alike.
#[test]
fn swinging_reduced_bodies_keep_their_energy() {
    let beam = generate::beam(1.0, 8, steel(), Section::rectangle(0.02, 0.01)).unwrap();
    let mut plate = generate::plate([0.4, 0.3], [5, 4], 0.003, steel()).unwrap();
    plate.name("root", 0);
    for (mesh, label) in [(beam, "beam"), (rotated(&plate, &oblique()), "plate")] {
        for mass in [MassModel::Consistent, MassModel::Lumped] {
            let reduced =
                Reduction::new("root", ReductionKind::Clamped { modes: 3 }).mass(mass).run(&mesh).unwrap();
            let joint = JointDescription::revolute("hinge", ["ground.origin", "part.root"], [0.2, 1.0, 0.1]);
            let built = Description::new("swing")
                .body(body("part", &mesh, &reduced))
                .joint(joint.speed(&[4.0]))
                .run_for(0.5)
                .build()
                .unwrap();
            let result = built.simulate().unwrap();
            let total = result.channel("energy.total").unwrap();
            let kinetic = result.channel("energy.kinetic").unwrap();
            let largest = |values: &[f64]| values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let drift: Vec<f64> = total.iter().map(|energy| energy - total[0]).collect();
            let relative = largest(&drift) / largest(&kinetic);
            println!("{label} {mass:?}: energy drift {relative:.1e} of the largest kinetic energy");
            assert!(relative < 1e-6);
        }
    }
}
