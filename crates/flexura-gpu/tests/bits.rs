//! Hashes of the emulated kernels: a device must give the same (`device_report bits`), and so must any compiler here.

use flexura::model::description::InertiaLevel;
use flexura_gpu::{Choice, Method, System};
use flexura_samples::chains;
use flexura_samples::random_model::{Random, Recipe, random_state};

/// FNV-1a over the bits of all numbers.
fn hash(numbers: &[f64]) -> u64 {
    numbers.iter().fold(0xcbf2_9ce4_8422_2325, |h, x| (h ^ x.to_bits()).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn evaluations_and_steps_have_the_bits_they_had() {
    let mut found = Vec::new();
    for (modes, level) in [(0, InertiaLevel::Gram), (4, InertiaLevel::Ruthless), (4, InertiaLevel::Gram)] {
        let model = chains::model(match modes {
            0 => chains::rigid_chain(40),
            _ => chains::clamped_chain(40, modes, level),
        });
        let state = chains::random_state(&model, 3);
        let mut huge = System::huge_with_leaf(&model, 4, Choice::Emulated).expect("lowered");
        huge.set_state(&state).expect("sent");
        huge.evaluate().expect("evaluated");
        found.push(hash(&huge.accelerations(0).expect("regular")));
        let mut batch = System::batch(&model, 2, Choice::Emulated).expect("lowered");
        batch.set_state(&state).expect("sent");
        let method = Method::DormandPrince { relative: 1e-6, absolute: 1e-8, largest: 0.1, first: 1e-4 };
        batch.start(method, 0.0).expect("started");
        batch.advance_to(1e-3).expect("advanced");
        found.push(hash(&batch.state().expect("read").v));
    }
    // Trees of all joints with drives, springs and wrenches at frames.
    for seed in [3, 8] {
        let mut random = Random::new(seed);
        let mut recipe = Recipe::everything(&[InertiaLevel::Ruthless, InertiaLevel::Gram]);
        recipe.bodies = 20;
        let model = chains::model(recipe.describe(&mut random));
        let mut state = random_state(&model, &mut random);
        flexura::state::prescribe::apply_prescribed(&model, &mut state, None);
        let mut huge = System::huge_with_leaf(&model, 2, Choice::Emulated).expect("lowered");
        huge.set_state(&state).expect("sent");
        huge.start(Method::RungeKutta4 { step: 1e-4 }, 0.0).expect("started");
        huge.advance_to(5e-4).expect("advanced");
        found.push(hash(&huge.state().expect("read").v));
    }
    let written: Vec<String> = found.iter().map(|hash| format!("{hash:016x}")).collect();
    assert_eq!(written, include_str!("bits.txt").split_whitespace().collect::<Vec<_>>());
}
