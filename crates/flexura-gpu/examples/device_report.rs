//! Times, bits and limits of a device: `cargo run --release -p flexura-gpu --features emulation --example device_report -- all`.
//!
//! Words: `bits` (hashes of the emulation and of the device), `huge` and `batch` (the table of times), `crossover` (beside one core and
//! all cores), `largest` (chains until memory ends), `simulate` (a second of a million bodies), `all`; by name alone `profile` (a few
//! evaluations for a profiler), `small` (short runs for a checker of memory), `peer` (for `scripts/compare_mjx.py`). `modes=10` keeps the
//! rows of one mode count in `huge`, `batch` and `profile`. Without a CUDA device everything runs emulated, with small sizes.

use flexura::model::description::{AlgorithmDescription, InertiaLevel};
use flexura::{Model, State};
use flexura_gpu::{Choice, DeviceError, Method, System, cuda_devices};
use flexura_samples::chains;
use flexura_samples::random_model::{Random, Recipe, random_state};
use std::time::Instant;

/// FNV-1a over the bits of all numbers.
fn hash(numbers: &[f64]) -> u64 {
    numbers.iter().fold(0xcbf2_9ce4_8422_2325, |h, x| (h ^ x.to_bits()).wrapping_mul(0x100_0000_01b3))
}

/// Numbers between −1 and 1 by their place.
fn random(place: usize, seed: u64) -> f64 {
    let mut z = (place as u64)
        .wrapping_add(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn template(modes: usize, level: InertiaLevel, bodies: usize) -> Model {
    let description =
        if modes == 0 { chains::rigid_chain(bodies) } else { chains::clamped_chain(bodies, modes, level) };
    chains::model(description)
}

/// Mode counts and levels of the tables: all, or those of one mode count.
fn kinds(only: Option<usize>) -> impl Iterator<Item = (usize, InertiaLevel)> {
    let all = [
        (0, InertiaLevel::Gram),
        (4, InertiaLevel::Ruthless),
        (4, InertiaLevel::Gram),
        (10, InertiaLevel::Ruthless),
        (10, InertiaLevel::Gram),
    ];
    all.into_iter().filter(move |(modes, _)| only.is_none_or(|only| only == *modes))
}

fn level_word(modes: usize, level: InertiaLevel) -> &'static str {
    if modes == 0 { "rigid" } else { level.word() }
}

fn bits(choice: Choice) -> Result<(), DeviceError> {
    println!(
        "\n## Bits\n\n| system | level | modes | bodies | leaf | emulation | device | equal |\n|---|---|---|---|---|---|---|---|"
    );
    let cases = [
        (0, InertiaLevel::Gram),
        (4, InertiaLevel::Ruthless),
        (4, InertiaLevel::Gram),
        (5, InertiaLevel::Gram),
        (10, InertiaLevel::Ruthless),
        (10, InertiaLevel::Gram),
    ];
    for (modes, level) in cases {
        for (count, leaf) in [(64, 1), (1_000, 4), (5_000, 16)] {
            let model = template(modes, level, 7);
            let mut found = [0; 2];
            for (slot, choice) in found.iter_mut().zip([Choice::Emulated, choice]) {
                let mut system = System::repeated(&model, count, leaf, choice)?;
                let lanes = system.lowered().lanes;
                let scale = |i: usize| if i / lanes % (modes + 1) < modes { 0.01 } else { 1.0 };
                system.set_numbers(0.0, |i| scale(i) * random(i, 1), |i| 0.2 * random(i, 2))?;
                system.evaluate()?;
                let [_, _, rates] = system.numbers()?;
                system.check()?;
                *slot = hash(&rates);
            }
            let same = if found[0] == found[1] { "yes" } else { "**no**" };
            println!(
                "| huge | {} | {modes} | {count} | {leaf} | {:016x} | {:016x} | {same} |",
                level_word(modes, level),
                found[0],
                found[1]
            );
        }
    }
    let tree = chains::model(chains::rigid_tree(300, 3));
    let state = chains::random_state(&tree, 4);
    for leaf in [1, 8] {
        let mut found = [0; 2];
        for (slot, choice) in found.iter_mut().zip([Choice::Emulated, choice]) {
            let mut system = System::huge_with_leaf(&tree, leaf, choice)?;
            system.set_state(&state)?;
            system.evaluate()?;
            *slot = hash(&system.accelerations(0)?);
        }
        let same = if found[0] == found[1] { "yes" } else { "**no**" };
        println!("| tree | rigid | 0 | 300 | {leaf} | {:016x} | {:016x} | {same} |", found[0], found[1]);
    }
    for seed in 0..12 {
        random_tree(seed, choice)?;
    }
    for (modes, level) in [(0, InertiaLevel::Gram), (4, InertiaLevel::Gram)] {
        let model = template(modes, level, 8);
        let mut found = [0; 2];
        for (slot, choice) in found.iter_mut().zip([Choice::Emulated, choice]) {
            let mut system = System::batch(&model, 64, choice)?;
            let states: Vec<State> = (0..64).map(|seed| chains::random_state(&model, seed)).collect();
            system.set_states(&states)?;
            system.start(
                Method::DormandPrince { relative: 1e-7, absolute: 1e-9, largest: 0.05, first: 1e-4 },
                0.0,
            )?;
            system.advance_to(0.02)?;
            let [q, v, _] = system.numbers()?;
            *slot = hash(&q) ^ hash(&v);
        }
        let same = if found[0] == found[1] { "yes" } else { "**no**" };
        println!(
            "| 64 systems, 0.02 s | {} | {modes} | 8 | | {:016x} | {:016x} | {same} |",
            level_word(modes, level),
            found[0],
            found[1]
        );
    }
    Ok(())
}

/// A tree of all joints, rules and levels with drives, springs, friction and wrenches at frames, stepped as one system and as a batch.
fn random_tree(seed: u64, choice: Choice) -> Result<(), DeviceError> {
    let mut random = Random::new(seed);
    let mut recipe = Recipe::everything(&[InertiaLevel::Ruthless, InertiaLevel::Gram]);
    recipe.modes = 10;
    let model = chains::model(recipe.describe(&mut random));
    let mut state = random_state(&model, &mut random);
    flexura::state::prescribe::apply_prescribed(&model, &mut state, None);
    let leaf = 1 + seed as usize % 5;
    let mut found = [[0; 2]; 2];
    for (slot, choice) in found.iter_mut().zip([Choice::Emulated, choice]) {
        for (slot, batch) in slot.iter_mut().zip([false, true]) {
            let mut system = if batch {
                System::batch(&model, 33, choice)?
            } else {
                System::huge_with_leaf(&model, leaf, choice)?
            };
            system.set_state(&state)?;
            system.start(Method::RungeKutta4 { step: 1e-4 }, 0.0)?;
            system.advance_to(1e-3)?;
            let [q, v, _] = system.numbers()?;
            *slot = hash(&q) ^ hash(&v);
        }
    }
    for (way, k) in [("random tree, 10 steps", 0), ("33 of them", 1)] {
        let same = if found[0][k] == found[1][k] { "yes" } else { "**no**" };
        println!(
            "| {way} | mixed | 0 to 10 | {} | {leaf} | {:016x} | {:016x} | {same} |",
            model.body_count(),
            found[0][k],
            found[1][k]
        );
    }
    Ok(())
}

fn huge(choice: Choice, powers: &[u32], rounds: usize, only: Option<usize>) -> Result<(), DeviceError> {
    println!(
        "\n## One system\n\n| bodies | level | modes | leaf | launches | ms | ns per body | bytes per body | TB/s if each byte moved once |\n|---|---|---|---|---|---|---|---|---|"
    );
    for &power in powers {
        for (modes, level) in kinds(only) {
            let model = template(modes, level, 7);
            let count = 1usize << power;
            let leaves: &[usize] = match (power, modes) {
                (..=12, 0) => &[2, 4, 8],
                (..=17, 0) => &[8, 16],
                (_, 0) => &[16, 32, 64],
                _ => &[8, 16],
            };
            for &leaf in leaves {
                let mut system = match System::repeated(&model, count, leaf, choice) {
                    Err(error @ DeviceError::Memory { .. }) => {
                        println!(
                            "| 2^{power} | {} | {modes} | {leaf} | | {error} |",
                            level_word(modes, level)
                        );
                        continue;
                    }
                    other => other?,
                };
                let lanes = system.lowered().lanes;
                let scale = |i: usize| if i / lanes % (modes + 1) < modes { 0.01 } else { 1.0 };
                system.set_numbers(0.0, |i| scale(i) * random(i, 1), |i| 0.2 * random(i, 2))?;
                let ms = system.time_evaluation(rounds)?;
                system.check()?;
                let bytes = system.lowered().bytes() as f64;
                println!(
                    "| 2^{power} | {} | {modes} | {leaf} | {} | {ms:.4} | {:.3} | {:.0} | {:.2} |",
                    level_word(modes, level),
                    system.launch_count(),
                    ms * 1e6 / count as f64,
                    bytes / count as f64,
                    bytes / ms / 1e9
                );
            }
        }
    }
    Ok(())
}

fn batch(
    choice: Choice,
    sizes: &[(usize, usize)],
    rounds: usize,
    only: Option<usize>,
) -> Result<(), DeviceError> {
    println!(
        "\n## Batches\n\n| systems | bodies | level | modes | ms | million evaluations/s |\n|---|---|---|---|---|---|"
    );
    for &(systems, bodies) in sizes {
        for (modes, level) in kinds(only) {
            let model = template(modes, level, bodies);
            let mut system = System::batch(&model, systems, choice)?;
            let scale = |i: usize| if i / systems % (modes + 1) < modes { 0.01 } else { 1.0 };
            system.set_numbers(0.0, |i| scale(i) * random(i, 1), |i| 0.2 * random(i, 2))?;
            let ms = system.time_evaluation(rounds)?;
            system.check()?;
            println!(
                "| {systems} | {bodies} | {} | {modes} | {ms:.4} | {:.1} |",
                level_word(modes, level),
                systems as f64 / ms / 1e3
            );
        }
    }
    Ok(())
}

/// A chain of bars that falls, over one second by fixed steps, with its energy audited by the engine.
fn simulate(choice: Choice, power: u32, step: f64) -> Result<(), DeviceError> {
    let count = 1usize << power;
    let clock = Instant::now();
    let model = chains::model(chains::rigid_chain(count));
    println!(
        "\n## One second of 2^{power} rigid bodies\n\nmodel built in {:.1} s",
        clock.elapsed().as_secs_f64()
    );
    let mut recorder = flexura::Recorder::new(&model, &["energy.*".to_string()]).expect("channels");
    let mut work = flexura::Workspace::new(&model);
    let mut row = vec![0.0; recorder.channels().len() + 1];
    let mut state = State::initial(&model, 0.0);
    let clock = Instant::now();
    recorder.sample(&model, &state, 0.0, &mut work, &mut row).expect("regular");
    println!("energy of the start in {:.1} s", clock.elapsed().as_secs_f64());
    let clock = Instant::now();
    let mut system = System::huge(&model, choice)?;
    system.set_state(&state)?;
    println!("lowered, compiled and sent in {:.1} s", clock.elapsed().as_secs_f64());
    system.start(Method::RungeKutta4 { step }, 0.0)?;
    let clock = Instant::now();
    let progress = system.advance_to(1.0)?;
    let seconds = clock.elapsed().as_secs_f64();
    state = system.state()?;
    recorder.sample(&model, &state, system.work(0)?, &mut work, &mut row).expect("regular");
    println!(
        "{} steps of {step} s in {seconds:.2} s, {:.2} ms per step",
        progress.accepted,
        seconds * 1e3 / progress.accepted as f64
    );
    for (channel, value) in recorder.channels().iter().zip(&row[1..]) {
        println!("| {} | {value:.6e} J |", channel.name);
    }
    let audit = recorder.audit();
    println!("energy unaccounted for: {:.1e} of the largest", audit.share());
    Ok(())
}

/// One evaluation of a rigid chain and of one with four modes: this device, one core, all cores.
fn crossover(choice: Choice, powers: &[u32]) -> Result<(), DeviceError> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!(
        "\n## Crossover\n\n| bodies | level | modes | device ms | one core ms | {cores} cores ms |\n|---|---|---|---|---|---|"
    );
    for (modes, level) in [(0, InertiaLevel::Gram), (4, InertiaLevel::Gram)] {
        for &power in powers {
            let model = template(modes, level, 1 << power);
            let state = chains::random_state(&model, 5);
            let mut system = System::huge(&model, choice)?;
            system.set_state(&state)?;
            let device = system.time_evaluation(5)?;
            let processor = |threads: usize| {
                let mut work = flexura::Workspace::new(&model);
                if threads > 1 {
                    let divided = AlgorithmDescription::DivideAndConquer { threads, leaf: 0, refinements: 0 };
                    work.choose(&model, divided).expect("threads");
                }
                let mut best = f64::INFINITY;
                for _ in 0..(1 << 18 >> power).clamp(3, 200) {
                    let begin = Instant::now();
                    flexura::evaluate(&model, &state, &mut work).expect("regular");
                    best = best.min(begin.elapsed().as_secs_f64());
                }
                1e3 * best
            };
            println!(
                "| 2^{power} | {} | {modes} | {device:.4} | {:.4} | {:.4} |",
                level_word(modes, level),
                processor(1),
                processor(cores)
            );
        }
    }
    Ok(())
}

/// Chains twice as long until memory ends.
fn largest(choice: Choice) -> Result<(), DeviceError> {
    println!("\n## Largest chain\n\n| level | modes | bodies | ms | bytes per body |\n|---|---|---|---|---|");
    for (modes, level) in [(0, InertiaLevel::Gram), (4, InertiaLevel::Gram)] {
        for power in 24.. {
            let model = template(modes, level, 7);
            let leaf = if modes == 0 { 64 } else { 16 };
            let mut system = match System::repeated(&model, 1 << power, leaf, choice) {
                Err(error @ (DeviceError::Memory { .. } | DeviceError::Refused(_))) => {
                    println!("| {} | {modes} | 2^{power} | {error} | |", level_word(modes, level));
                    break;
                }
                other => other?,
            };
            system.set_numbers(0.0, |i| 0.001 * random(i, 1), |i| 0.01 * random(i, 2))?;
            let ms = system.time_evaluation(2)?;
            let bytes = system.lowered().bytes() >> power;
            println!("| {} | {modes} | 2^{power} | {ms:.1} | {bytes} |", level_word(modes, level));
        }
    }
    Ok(())
}

/// Batches of rigid chains and trees by Runge-Kutta 4, one line of JSON each, for `scripts/compare_mjx.py`: what moves, from where, to where, how fast.
fn peer(choice: Choice, systems: usize) -> Result<(), DeviceError> {
    let (step, steps) = (1e-3, 200);
    for (name, description) in [("chain", chains::rigid_chain(8)), ("tree", chains::rigid_tree(32, 3))] {
        let model = chains::model(description);
        let count = model.body_count();
        let states: Vec<State> = (0..systems)
            .map(|system| {
                let mut state = State::initial(&model, 0.0);
                for k in 0..count {
                    let phase = (k + 1) as f64 + 0.1 * (system % 64) as f64;
                    (state.q[k], state.v[k]) = (0.3 * phase.sin(), 0.2 * phase.cos());
                }
                state
            })
            .collect();
        let mut system = System::batch(&model, systems, choice)?;
        let mut seconds = f64::INFINITY;
        for _ in 0..3 {
            system.set_states(&states)?;
            system.start(Method::RungeKutta4 { step }, 0.0)?;
            let begin = Instant::now();
            system.advance_to(step * f64::from(steps))?;
            seconds = seconds.min(begin.elapsed().as_secs_f64());
        }
        let mut end = State::initial(&model, 0.0);
        system.fetch()?;
        system.read_state(7 % systems, &mut end);
        let parents: Vec<i64> = (0..count).map(|k| model.joints[k].parent.map_or(-1, |p| p as i64)).collect();
        let names: Vec<&str> = model.bodies.iter().map(|body| body.name.as_str()).collect();
        println!(
            "{{\"kind\": \"{name}\", \"systems\": {systems}, \"step\": {step}, \"steps\": {steps}, \"seconds\": {seconds:e}, \"gravity\": {:?}, \"names\": {names:?}, \"parents\": {parents:?}, \"q\": {:?}, \"v\": {:?}}}",
            model.gravity, end.q, end.v
        );
    }
    Ok(())
}

fn main() -> Result<(), DeviceError> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named = |word: &str| words.iter().any(|w| w == word);
    let wants = |word: &str| named(word) || named("all");
    let value = |name: &str| words.iter().find_map(|word| word.strip_prefix(name)?.parse().ok());
    let only = value("modes=");
    let (choice, device) = match cuda_devices() {
        Ok(list) => {
            for device in &list {
                let (all, free) = device.memory;
                println!(
                    "{}: {}, {:.1} of {:.1} GB free, capability {}.{}, {} multiprocessors",
                    device.word,
                    device.name,
                    free as f64 / 1e9,
                    all as f64 / 1e9,
                    device.capability.0,
                    device.capability.1,
                    device.capability.2
                );
            }
            (Choice::Cuda(0), true)
        }
        Err(error) => {
            println!("{error}; emulated on the processor instead");
            (Choice::Emulated, false)
        }
    };
    if wants("bits") {
        bits(choice)?;
    }
    if named("peer") {
        peer(choice, if device { 16_384 } else { 64 })?;
    }
    if named("small") {
        for seed in 0..2 {
            random_tree(seed, choice)?;
        }
    }
    if named("profile") {
        // A few evaluations for a profiler.
        for (modes, level) in kinds(only) {
            let model = template(modes, level, 7);
            let mut system = System::repeated(&model, 1 << 20, if modes == 0 { 32 } else { 16 }, choice)?;
            system.set_numbers(0.0, |i| 0.01 * random(i, 1), |i| 0.2 * random(i, 2))?;
            system.evaluate()?;
            system.check()?;
        }
    }
    let rounds = if device { 12 } else { 1 };
    if wants("huge") {
        huge(choice, if device { &[10, 16, 20] } else { &[10] }, rounds, only)?;
    }
    if wants("batch") {
        let sizes: &[(usize, usize)] = if device { &[(65_536, 32), (262_144, 8)] } else { &[(64, 32)] };
        batch(choice, sizes, rounds, only)?;
    }
    if wants("crossover") {
        crossover(choice, if device { &[6, 8, 10, 12, 14, 16] } else { &[6] })?;
    }
    if wants("largest") && device {
        largest(choice)?;
    }
    if wants("simulate") {
        let power = value("power=").unwrap_or(if device { 20 } else { 8 });
        simulate(choice, power as u32, 2e-3)?;
    }
    Ok(())
}
