//! Systems whose numbers are hashed: the emulation, a device and the committed list (`tests/bits.txt`) must have the same.
//! Used by the report of a device and by `tests/bits.rs`.

use flexura::model::description::{Description, InertiaLevel};
use flexura::{Model, State};
use flexura_gpu::{Choice, DeviceError, Method, System};
use flexura_samples::random_model::{Random, Recipe, random_state};
use flexura_samples::{chains, loaded};

/// The committed hashes, each with the name of its case.
pub const COMMITTED: &str = include_str!("../../tests/bits.txt");

/// Hash of what a system came to on a device.
type Hashed = Box<dyn Fn(Choice) -> Result<u64, DeviceError>>;

/// A system with the way it is taken.
pub struct Case {
    pub name: String,
    pub hash: Hashed,
}

const LEVELS: [InertiaLevel; 2] = [InertiaLevel::Ruthless, InertiaLevel::Gram];

/// FNV-1a over the bits of all numbers.
fn hash(numbers: &[f64]) -> u64 {
    numbers.iter().fold(0xcbf2_9ce4_8422_2325, |h, x| (h ^ x.to_bits()).wrapping_mul(0x100_0000_01b3))
}

/// Numbers between −1 and 1 by their place.
pub fn by_place(place: usize, seed: u64) -> f64 {
    let mut z = (place as u64)
        .wrapping_add(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A chain of bars, rigid or with modes.
pub fn chain(bodies: usize, modes: usize, level: InertiaLevel) -> Model {
    let description =
        if modes == 0 { chains::rigid_chain(bodies) } else { chains::clamped_chain(bodies, modes, level) };
    chains::model(description)
}

/// Every case, in the order of the committed list.
pub fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    chains_of_forty(&mut out);
    for seed in [3, 8] {
        random_tree(seed, 20, 8, &[(2, 1, 5e-4)], &mut out);
    }
    repeated_chains(&mut out);
    trees_and_clocks(&mut out);
    for seed in 100..106 {
        random_tree(seed, 60, 10, &[(1 + seed as usize % 5, 1, 1e-3), (0, 33, 1e-3)], &mut out);
    }
    between_frames(&mut out);
    out
}

fn push(out: &mut Vec<Case>, name: String, run: impl Fn(Choice) -> Result<u64, DeviceError> + 'static) {
    out.push(Case { name, hash: Box::new(run) });
}

fn chains_of_forty(out: &mut Vec<Case>) {
    for (modes, level) in [(0, InertiaLevel::Gram), (4, LEVELS[0]), (4, LEVELS[1])] {
        let name = format!("chain of 40, {modes} modes, {}", level.word());
        push(out, format!("{name}, one system"), move |choice| {
            let model = chain(40, modes, level);
            let mut huge = System::huge_with_leaf(&model, 4, choice)?;
            huge.set_state(&chains::random_state(&model, 3))?;
            huge.evaluate()?;
            Ok(hash(&huge.accelerations(0)?))
        });
        push(out, format!("{name}, two systems by error control"), move |choice| {
            let model = chain(40, modes, level);
            let mut batch = System::batch(&model, 2, choice)?;
            batch.set_state(&chains::random_state(&model, 3))?;
            let method = Method::DormandPrince { relative: 1e-6, absolute: 1e-8, largest: 0.1, first: 1e-4 };
            batch.start(method, 0.0)?;
            batch.advance_to(1e-3)?;
            Ok(hash(&batch.state()?.v))
        });
    }
}

/// Steps of Runge-Kutta 4 of one system in lanes of `leaf` bodies, or of a batch.
fn stepped(
    model: &Model,
    state: &State,
    [leaf, systems]: [usize; 2],
    end: f64,
    choice: Choice,
) -> Result<u64, DeviceError> {
    let mut system = match systems {
        1 => System::huge_with_leaf(model, leaf, choice)?,
        _ => System::batch(model, systems, choice)?,
    };
    system.set_state(state)?;
    system.start(Method::RungeKutta4 { step: 1e-4 }, state.time)?;
    system.advance_to(state.time + end)?;
    if systems == 1 {
        return Ok(hash(&system.state()?.v));
    }
    let [q, v, _] = system.numbers()?;
    Ok(hash(&q) ^ hash(&v).rotate_left(1))
}

/// All joints, rules and levels with drives, springs, friction and wrenches at frames.
fn random_tree(seed: u64, bodies: usize, modes: usize, ways: &[(usize, usize, f64)], out: &mut Vec<Case>) {
    for &(leaf, systems, end) in ways {
        let name = format!("random tree {seed}, {systems} of them, {:.0} steps", end / 1e-4);
        push(out, name, move |choice| {
            let mut random = Random::new(seed);
            let mut recipe = Recipe::everything(&LEVELS);
            (recipe.bodies, recipe.modes) = (bodies, modes);
            let model = chains::model(recipe.describe(&mut random));
            let mut state = random_state(&model, &mut random);
            flexura::state::prescribe::apply_prescribed(&model, &mut state, None);
            state.time = 0.0;
            stepped(&model, &state, [leaf, systems], end, choice)
        });
    }
}

/// Long chains, whose joins go through blocks, subtrees and teams.
fn repeated_chains(out: &mut Vec<Case>) {
    let kinds =
        [(0, LEVELS[1]), (4, LEVELS[0]), (4, LEVELS[1]), (5, LEVELS[1]), (10, LEVELS[0]), (10, LEVELS[1])];
    for (modes, level) in kinds {
        for (count, leaf) in [(64, 1), (1_000, 4), (5_000, 16)] {
            let name = format!("chain of {count}, {modes} modes, {}, leaf {leaf}", level.word());
            push(out, name, move |choice| {
                let model = chain(7, modes, level);
                let mut system = System::repeated(&model, count, leaf, choice)?;
                let lanes = system.lowered().lanes;
                let scale = |i: usize| if i / lanes % (modes + 1) < modes { 0.01 } else { 1.0 };
                system.set_numbers(0.0, |i| scale(i) * by_place(i, 1), |i| 0.2 * by_place(i, 2))?;
                system.evaluate()?;
                let [_, _, rates] = system.numbers()?;
                system.check()?;
                Ok(hash(&rates))
            });
        }
    }
}

fn trees_and_clocks(out: &mut Vec<Case>) {
    for leaf in [1, 8] {
        push(out, format!("rigid tree of 300, leaf {leaf}"), move |choice| {
            let tree = chains::model(chains::rigid_tree(300, 3));
            let mut system = System::huge_with_leaf(&tree, leaf, choice)?;
            system.set_state(&chains::random_state(&tree, 4))?;
            system.evaluate()?;
            Ok(hash(&system.accelerations(0)?))
        });
    }
    for modes in [0, 4] {
        push(out, format!("64 chains of 8, {modes} modes, own clocks"), move |choice| {
            let model = chain(8, modes, InertiaLevel::Gram);
            let mut system = System::batch(&model, 64, choice)?;
            let states: Vec<State> = (0..64).map(|seed| chains::random_state(&model, seed)).collect();
            system.set_states(&states)?;
            let method = Method::DormandPrince { relative: 1e-7, absolute: 1e-9, largest: 0.05, first: 1e-4 };
            system.start(method, 0.0)?;
            system.advance_to(0.02)?;
            let [q, v, _] = system.numbers()?;
            Ok(hash(&q) ^ hash(&v).rotate_left(1))
        });
    }
}

/// Elements of every kind between random frames, loads spread over a beam: steps of one system and of a batch.
fn between_frames(out: &mut Vec<Case>) {
    let elements = |seed: u64| -> Description {
        let mut random = Random::new(seed);
        let mut recipe = Recipe::everything(&LEVELS);
        (recipe.bodies, recipe.modes) = (12, 4);
        let mut description = recipe.describe(&mut random);
        loaded::add_elements(&mut description, 8, &mut random);
        description
    };
    for seed in 7_000..7_004 {
        for (leaf, systems) in [(2, 1), (0, 5)] {
            push(out, format!("elements between frames {seed}, {systems} of them"), move |choice| {
                let model = chains::model(elements(seed));
                let mut state = random_state(&model, &mut Random::new(seed + 1));
                state.time = 0.3;
                flexura::state::prescribe::apply_prescribed(&model, &mut state, None);
                stepped(&model, &state, [leaf, systems], 5e-4, choice)
            });
        }
    }
    for (leaf, systems) in [(2, 1), (0, 5)] {
        push(out, format!("spread loads, {systems} of them"), move |choice| {
            let model = chains::model(loaded::spread_loads());
            let mut state = chains::random_state(&model, 3);
            state.time = 0.3;
            stepped(&model, &state, [leaf, systems], 5e-4, choice)
        });
    }
}
