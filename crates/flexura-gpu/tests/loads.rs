//! What acts at frames on the emulated device against articulated bodies: elements of every kind between random frames, loads spread
//! over bodies, the golden contract, large trees of uneven masses; runs with their energy audit.

mod common;

use common::{articulated, error};
use flexura::model::description::*;
use flexura::model::element::{
    Actuator, Bushing, Damping, Drag, ElementDescription, ElementKind, ForceLaw, ForceTable, Rod,
    SpringDamper, TorsionSpringDamper,
};
use flexura::time_function::TimeFunction;
use flexura::{Model, Simulation, State};
use flexura_gpu::{Choice, DeviceRun, System};
use flexura_samples::random_model::{Random, Recipe, random_frame, random_state};
use flexura_samples::{chains, golden_case};
use std::path::{Path, PathBuf};

fn evaluated(mut system: System<'_>, state: &State, which: usize) -> Vec<f64> {
    system.set_state(state).expect("sent");
    system.evaluate().expect("evaluated");
    system.accelerations(which).expect("regular")
}

fn compare(model: &Model, state: &State, leaf: usize) -> f64 {
    let expected = articulated(model, state);
    let huge = evaluated(System::huge_with_leaf(model, leaf, Choice::Emulated).expect("lowered"), state, 0);
    let batch = evaluated(System::batch(model, 2, Choice::Emulated).expect("lowered"), state, 1);
    error(&huge, &expected).max(error(&batch, &expected))
}

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

fn element(kind: usize, random: &mut Random) -> ElementKind {
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
fn add_elements(out: &mut Description, count: usize, random: &mut Random) {
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

#[test]
fn elements_of_every_kind_between_random_frames() {
    let (mut worst, mut compared) = (0.0_f64, 0);
    for seed in 0..90 {
        let mut random = Random::new(7_000 + seed);
        let mut recipe = Recipe::everything(&[InertiaLevel::Ruthless, InertiaLevel::Gram]);
        recipe.bodies = 25;
        let mut description = recipe.describe(&mut random);
        add_elements(&mut description, 1 + random.below(9), &mut random);
        let Ok(built) = flexura::build(description) else { continue };
        let model = &built.model;
        let mut state = random_state(model, &mut random);
        state.time = random.between(0.0, 1.0);
        flexura::state::prescribe::apply_prescribed(model, &mut state, None);
        let found = compare(model, &state, 1 + seed as usize % 5);
        if found > 1e-11 {
            println!("seed {seed}: {found:.1e}, {} bodies", model.body_count());
        }
        worst = worst.max(found);
        compared += 1;
    }
    println!("{compared} random trees with elements: {worst:.1e}");
    assert!(compared > 70 && worst < 1e-11, "{compared} {worst:.1e}");
}

/// A beam with loads along it, on its modes and by its temperature, in all axes, on a chain.
fn spread_loads() -> Description {
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

#[test]
fn loads_spread_over_bodies_act_on_points_and_modes() {
    let model = chains::model(spread_loads());
    let mut state = chains::random_state(&model, 3);
    state.time = 0.3;
    let found = compare(&model, &state, 2);
    println!("spread loads: {found:.1e}");
    assert!(found < 1e-11, "{found:.1e}");
}

/// Efforts of a golden case as loads of its description: constant efforts of joints, forces on modes.
fn with_efforts(case: &serde_json::Value, description: &mut Description) -> Result<(), String> {
    for (b, body) in description.bodies.iter().enumerate() {
        let tau = &case["state"]["tau_eta"][b];
        if !tau.is_null() && tau.as_array().is_some_and(|list| !list.is_empty()) {
            let kind = LoadKind::Modal { forces: golden_case::numbers(tau)? };
            let name = format!("modal{b}");
            description.loads.push(LoadDescription { name, body: body.name.clone(), kind, scale: None });
        }
    }
    for (b, joint) in description.joints.iter_mut().enumerate() {
        let tau = &case["state"]["tau"][b];
        if !tau.is_null() {
            let constant = |&x: &f64| CoordinateDescription {
                effort: Some(TimeFunction::Constant(x)),
                ..CoordinateDescription::default()
            };
            joint.coordinates = golden_case::numbers(tau)?.iter().map(constant).collect();
        }
    }
    Ok(())
}

#[test]
fn golden_trees_give_the_accelerations_of_the_independent_program() {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../flexura/tests/data/golden");
    let folder = std::env::var_os("FLEXURA_GOLDEN_DIR").map_or(default, PathBuf::from);
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("golden cases")
        .map(|entry| entry.expect("listed").path())
        .filter(|path| path.extension().is_some_and(|x| x == "json"))
        .collect();
    files.sort();
    let (mut worst, mut compared, mut apart) = (0.0_f64, 0, 0.0_f64);
    for file in files {
        let case: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(&file).expect("read")).expect("JSON");
        for (word, quantities) in case["expected"].as_object().expect("levels") {
            let level = match word.as_str() {
                "ruthless" => InertiaLevel::Ruthless,
                "gram" | "gram_modal" => InertiaLevel::Gram,
                // Rigid cases are the same at every level.
                "full"
                    if case["model"]["bodies"].as_array().is_some_and(|list| list.iter().all(is_rigid)) =>
                {
                    InertiaLevel::Gram
                }
                _ => continue,
            };
            let Some(expected) = quantities.get("chidot") else { continue };
            let mut description = golden_case::description(&case, level).expect("described");
            let carriers = if word == "gram" { Carriers::Affine } else { Carriers::Modal };
            description.bodies.iter_mut().for_each(|body| body.carriers = Some(carriers));
            with_efforts(&case, &mut description).expect("efforts");
            let model = flexura::build(description).expect("sound").model;
            let state = golden_case::state(&case, &model).expect("state");
            let order = golden_case::speed_order(&model);
            let expected = golden_case::numbers(expected).expect("numbers");
            for leaf in [1, 4] {
                let system = System::huge_with_leaf(&model, leaf, Choice::Emulated).expect("lowered");
                let found = evaluated(system, &state, 0);
                let found: Vec<f64> = order.iter().map(|&i| found[i]).collect();
                worst = worst.max(error(&found, &expected));
            }
            apart = apart.max(compare(&model, &state, 2));
            compared += 1;
        }
    }
    println!("{compared} golden cases: {worst:.1e}, from articulated bodies {apart:.1e}");
    assert!(compared >= 10 && worst < 1e-10 && apart < 1e-11, "{compared} {worst:.1e} {apart:.1e}");
}

fn is_rigid(body: &serde_json::Value) -> bool {
    body["nodes"][0]["lambda"][0].as_array().is_some_and(Vec::is_empty)
}

#[test]
fn ten_thousand_bodies_of_uneven_masses() {
    let mut description = chains::rigid_tree(10_000, 11);
    let mut random = Random::new(5);
    for body in &mut description.bodies {
        let factor = 10.0_f64.powf(random.between(-1.0, 1.0));
        let BodyKind::Rigid(rigid) = &mut body.kind else { continue };
        rigid.mass *= factor;
        rigid.inertia.iter_mut().flatten().for_each(|x| *x *= factor);
    }
    let (root, tip) = (description.bodies[0].name.clone(), description.bodies[9_999].name.clone());
    let spring = SpringDamper::linear(1.0, 50.0, 0.5);
    description.elements.push(ElementDescription::new(
        "far",
        spring,
        [&format!("{root}.origin"), &format!("{tip}.origin")],
    ));
    let model = chains::model(description);
    let state = chains::random_state(&model, 8);
    let expected = articulated(&model, &state);
    let found = evaluated(System::huge_with_leaf(&model, 8, Choice::Emulated).expect("lowered"), &state, 0);
    let worst = error(&found, &expected);
    println!("10,000 bodies, masses 0.1 to 10: {worst:.1e}");
    assert!(worst < 1e-11, "{worst:.1e}");
}

#[test]
fn runs_with_loads_follow_the_processor_and_balance_their_energy() {
    for modes in [0, 3] {
        let mut description = if modes == 0 {
            chains::rigid_chain(6)
        } else {
            chains::clamped_chain(6, modes, InertiaLevel::Gram)
        };
        let mut random = Random::new(21);
        add_elements(&mut description, 8, &mut random);
        let tip = description.bodies[5].name.clone();
        description.bodies[5].frames.push(chains::frame("push", Place::Origin, [0.1, 0.0, 0.0]));
        description.forces.push(ForceDescription {
            name: "push".into(),
            at: format!("{tip}.push"),
            inertial: false,
            force: [0.3, 0.2, -0.1],
            moment: [0.0, 0.01, 0.0],
            scale: Some(TimeFunction::Harmonic {
                offset: 0.0,
                amplitude: 1.0,
                angular_frequency: 20.0,
                phase: 0.3,
            }),
        });
        description.output.channels = vec!["j*".into(), "energy.*".into()];
        description.simulation.end = 0.1;
        description.simulation.output_interval = 0.01;
        let method = MethodDescription::Rk4 { step: 2e-4 };
        description.simulation.method = method.clone();
        let processor = flexura::build(description.clone()).expect("sound").simulate().expect("runs");
        // How far rounding alone carries this motion: another algorithm of the processor.
        let mut other = description.clone();
        other.simulation.algorithm = AlgorithmDescription::CompositeBody;
        let other = flexura::build(other).expect("sound").simulate().expect("runs");
        let built = flexura::build(description).expect("sound");
        let mut prepared = Simulation::of(&built).prepare().expect("channels");
        let mut device = flexura::Recording::new(prepared.channels());
        let mut run = DeviceRun::new(&built.model, &method, Choice::Emulated).expect("lowered");
        let outcome = prepared.run_remote(&mut run, &mut device, &mut |_| true).expect("runs");
        assert!(outcome.unbalanced.is_none(), "{:?}", outcome.unbalanced);
        let (apart, rounding) =
            (largest_difference(&processor, &device), largest_difference(&processor, &other));
        println!("{modes} modes: {apart:.1e}, two algorithms of the processor {rounding:.1e}");
        assert!(apart < 1e-10_f64.max(10.0 * rounding), "{modes} modes: {apart:.1e}, {rounding:.1e}");
    }
}

/// Largest difference of a channel relative to its range.
fn largest_difference(a: &flexura::Recording, b: &flexura::Recording) -> f64 {
    let mut most = 0.0_f64;
    for name in a.names().iter().filter(|name| !name.ends_with("balance")) {
        let (a, b) = (a.channel(name).expect("there"), b.channel(name).expect("there"));
        let range = a.iter().fold(1e-2_f64, |m, x| m.max(x.abs()));
        most = a.iter().zip(&b).fold(most, |m, (a, b)| m.max((a - b).abs() / range));
    }
    most
}

#[test]
fn systems_of_a_batch_have_their_own_loads() {
    let model = |stiffness: f64, push: f64| {
        let mut description = chains::rigid_chain(3);
        let tip = description.bodies[2].name.clone();
        description.bodies[2].frames.push(chains::frame("push", Place::Origin, [0.1, 0.0, 0.0]));
        description.forces.push(ForceDescription {
            name: "push".into(),
            at: format!("{tip}.push"),
            inertial: true,
            force: [push, 0.0, 1.0],
            moment: [0.0; 3],
            scale: None,
        });
        description.elements.push(ElementDescription::new(
            "spring",
            SpringDamper::linear(0.5, stiffness, 0.1),
            ["ground.origin", &format!("{tip}.origin")],
        ));
        chains::model(description)
    };
    let models: Vec<Model> =
        [(10.0, 1.0), (20.0, 1.0), (10.0, -3.0), (10.0, 1.0)].map(|(k, f)| model(k, f)).into();
    let list: Vec<&Model> = models.iter().collect();
    let mut batch = System::batch_of(&list, Choice::Emulated).expect("lowered");
    assert_eq!(
        batch.lowered().load.len(),
        4 * flexura::lower::words::LOAD_WORDS,
        "equal loads are stored once"
    );
    let state = chains::random_state(&models[0], 4);
    batch.set_state(&state).expect("sent");
    batch.evaluate().expect("evaluated");
    for (system, model) in models.iter().enumerate() {
        let found = batch.accelerations(system).expect("regular");
        assert!(error(&found, &articulated(model, &state)) < 1e-11, "system {system}");
    }
    let other = chains::model(chains::rigid_chain(3));
    let refused =
        System::batch_of(&[&models[0], &other], Choice::Emulated).err().expect("refused").to_string();
    assert!(refused.contains("has other loads or elements"), "{refused}");
}
