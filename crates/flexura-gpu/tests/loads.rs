//! What acts at frames on the emulated device against articulated bodies: elements of every kind between random frames, loads spread
//! over bodies, large trees of uneven masses; runs with their energy audit.

mod common;

use common::{articulated, compare, error, evaluated};
use flexura::model::description::*;
use flexura::model::element::{ElementDescription, SpringDamper};
use flexura::time_function::TimeFunction;
use flexura::{Model, Simulation};
use flexura_gpu::{Choice, DeviceRun, System};
use flexura_samples::chains;
use flexura_samples::loaded::{add_elements, spread_loads};
use flexura_samples::random_model::{Random, Recipe, random_state};

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

#[test]
fn loads_spread_over_bodies_act_on_points_and_modes() {
    let model = chains::model(spread_loads());
    let mut state = chains::random_state(&model, 3);
    state.time = 0.3;
    let found = compare(&model, &state, 2);
    println!("spread loads: {found:.1e}");
    assert!(found < 1e-11, "{found:.1e}");
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
        let outcome = prepared.run_remote(&mut run, &mut device, &mut |_| true, &mut ()).expect("runs");
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
