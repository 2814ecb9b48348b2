//! One model on several ranks, threads of this process: the bits of one process, whatever their number.

use crate::common::random_model::*;
use flexura::checkpoint::Checkpoint;
use flexura::division::Part;
use flexura::model::description::*;
use flexura::ranks::{InProcess, Ranks};
use flexura::record::Recording;
use flexura::simulate::{Keeper, Progress, Simulation, Together};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, evaluate};
use flexura_samples::chains;
use std::sync::Arc;

const SIZES: [usize; 6] = [1, 2, 3, 4, 8, 16];

fn divided(leaf: usize) -> SimulationDescription {
    let algorithm = AlgorithmDescription::DivideAndConquer { threads: 1, leaf, refinements: 0 };
    SimulationDescription { algorithm, ..Default::default() }
}

/// What each of `size` ranks makes of `work`.
fn on_ranks<T: Send>(size: usize, work: impl Fn(Arc<dyn Ranks>) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let spawn = |rank: InProcess| scope.spawn(|| work(Arc::new(rank)));
        let threads: Vec<_> = InProcess::group(size).into_iter().map(spawn).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    })
}

fn bits(values: &[f64]) -> Vec<u64> {
    // Zeros of either sign are one number.
    values.iter().map(|x| (x + 0.0).to_bits()).collect()
}

/// Accelerations, driving forces and power of one process and of each number of ranks; how many ranks had bodies at most.
fn compare(model: &Model, state: &State, leaf: usize, sizes: &[usize], name: &str) -> usize {
    let settings = divided(leaf);
    let mut work = Workspace::new(model);
    work.choose(model, settings.algorithm).expect("threads");
    let mut placed = state.clone();
    apply_prescribed(model, &mut placed, Some(&mut work.load));
    evaluate(model, &placed, &mut work).expect("well conditioned");
    let mut busiest = 0;
    for &size in sizes {
        let results = on_ranks(size, |ranks| {
            let part = Part::new(model, &settings, ranks).expect("a tree");
            let mut own = part.state(model, &placed);
            let mut work = Workspace::new(part.model());
            part.take_part(&mut work).expect("threads");
            apply_prescribed(part.model(), &mut own, Some(&mut work.load));
            evaluate(part.model(), &own, &mut work).expect("well conditioned");
            (part, work.accelerations.chidot, work.accelerations.driving, work.power)
        });
        let (mut chidot, mut driving) =
            (vec![f64::NAN; model.speed_count()], vec![f64::NAN; model.speed_count()]);
        for (part, own, drive, power) in &results {
            part.hand_out(model, own, &mut chidot);
            part.hand_out(model, drive, &mut driving);
            assert_eq!(*power, work.power, "{name}: power on {size} ranks");
        }
        assert_eq!(bits(&chidot), bits(&work.accelerations.chidot), "{name}: {size} ranks");
        assert_eq!(bits(&driving), bits(&work.accelerations.driving), "{name}: drivers, {size} ranks");
        busiest = busiest.max(results.iter().filter(|(part, ..)| part.own_count() > 0).count());
    }
    busiest
}

#[test]
fn chains_have_the_bits_of_one_process() {
    let rigid = chains::model(chains::rigid_chain(300));
    let state = chains::random_state(&rigid, 1);
    assert_eq!(compare(&rigid, &state, 0, &SIZES, "rigid chain"), 5);
    assert_eq!(compare(&rigid, &state, 4, &SIZES, "rigid chain, short leaves"), 16);
    for level in LEVELS {
        let flexible = chains::model(chains::flexible_chain(24, 3, level));
        let state = chains::random_state(&flexible, 2);
        assert!(compare(&flexible, &state, 1, &SIZES, "flexible chain") >= 10);
    }
}

/// All levels, joints, attachment rules, prescribed coordinates, loads; anchored, floating, forests.
#[test]
fn random_trees_have_the_bits_of_one_process() {
    let mut busiest = 0;
    for seed in 0..80 {
        let recipe = Recipe { floating: seed % 4 == 0, ..Recipe::everything(&LEVELS) };
        let (model, state) = random_case(&recipe, seed + 4_000);
        let sizes = [2, 3, 4, 16];
        busiest =
            busiest.max(compare(&model, &state, 1 + seed as usize % 3, &sizes, &format!("seed {seed}")));
    }
    assert!(busiest >= 12, "{busiest} ranks at most had bodies");
}

/// Rows of one process and of each number of ranks, channel by channel.
fn compare_runs(description: Description, sizes: &[usize], name: &str) {
    let built = flexura::build(description).expect("sound");
    let single = Simulation::of(&built).run().expect("a run");
    for &size in sizes {
        let parts = on_ranks(size, |ranks| {
            let mut together = Together::new(&built, ranks, false).expect("a tree");
            let mut recording = Recording::new(together.channels());
            let outcome = together.run(&mut recording, &mut |_| true).expect("a run");
            (outcome, recording)
        });
        let mut seen = 1;
        for (_, part) in &parts {
            assert_eq!(part.rows(), single.rows(), "{name}: {size} ranks");
            for channel in part.names().iter().skip(1) {
                let (own, whole) =
                    (part.channel(channel).expect("own"), single.channel(channel).expect("there"));
                assert_eq!(bits(&own), bits(&whole), "{name}: `{channel}` on {size} ranks");
                seen += 1;
            }
        }
        assert_eq!(seen, single.names().len(), "{name}: every channel once on {size} ranks");
        assert!(parts.iter().all(|(outcome, _)| outcome.statistics == parts[0].0.statistics));
    }
}

fn settings(method: MethodDescription, leaf: usize) -> SimulationDescription {
    SimulationDescription { method, end: 0.05, output_interval: 0.004, ..divided(leaf) }
}

fn adaptive() -> MethodDescription {
    MethodDescription::DormandPrince {
        relative_tolerance: 1e-6,
        absolute_tolerance: 1e-8,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

const CHANNELS: [&str; 12] = [
    "energy.*",
    "power.*",
    "momentum.*",
    "*.position.*",
    "*.angular_velocity.*",
    "*.acceleration.*",
    "*.eta.*",
    "*.angle",
    "*.speed",
    "*.force_power",
    "*.power",
    "*.force.*",
];

/// The patterns of which `description` has channels.
fn with_channels(
    mut description: Description,
    simulation: SimulationDescription,
    reactions: bool,
) -> Description {
    description.simulation = simulation;
    let built = flexura::build(description.clone()).expect("sound");
    let all = flexura::record::all_channels(&built.model);
    let known =
        |pattern: &&&str| all.iter().any(|channel| flexura::record::matches_pattern(pattern, &channel.name));
    let patterns = &CHANNELS[..if reactions { 12 } else { 11 }];
    description.output.channels = patterns.iter().filter(known).map(|pattern| pattern.to_string()).collect();
    description
}

/// Runs by `method` on several ranks against one process.
fn compare_method(method: MethodDescription) {
    let chain = with_channels(chains::rigid_chain(40), settings(method.clone(), 3), true);
    compare_runs(chain, &SIZES, "rigid chain");
    let chain =
        with_channels(chains::flexible_chain(12, 2, InertiaLevel::Gram), settings(method.clone(), 1), true);
    compare_runs(chain, &[2, 3, 8], "flexible chain");
    let tree = with_channels(chains::rigid_tree(60, 5), settings(method.clone(), 2), false);
    compare_runs(tree, &[2, 3, 4, 16], "tree");
    // Too few bodies to divide: one rank has them all, with the forces of their joints.
    let small = with_channels(chains::rigid_tree(9, 5), settings(method, 32), true);
    compare_runs(small, &[2, 3], "small tree");
}

#[test]
fn runs_have_the_bits_of_one_process() {
    compare_method(MethodDescription::Rk4 { step: 1e-3 });
}

#[test]
fn runs_with_chosen_steps_have_the_bits_of_one_process() {
    compare_method(adaptive());
}

/// A rank that stops wanting to go on stops all of them at one step; one that is lost ends the others with an error.
#[test]
fn ranks_end_together() {
    let chain =
        with_channels(chains::rigid_chain(40), settings(MethodDescription::Rk4 { step: 1e-3 }, 3), false);
    let built = flexura::build(chain).expect("sound");
    let ends = on_ranks(3, |ranks| {
        let mut together = Together::new(&built, Arc::clone(&ranks), false).expect("a tree");
        let mut recording = Recording::new(together.channels());
        let stops = ranks.rank() == 1;
        let mut watch = |progress: &Progress| !(stops && progress.time > 0.0099);
        together.run(&mut recording, &mut watch).expect("a run that was stopped")
    });
    for end in &ends {
        assert!(end.cancelled && end.end_time > 0.0099 && end.end_time < 0.013, "{}", end.end_time);
        assert_eq!(end.end_time.to_bits(), ends[0].end_time.to_bits());
    }
    let errors = on_ranks(3, |ranks| {
        let mut together = Together::new(&built, Arc::clone(&ranks), false).expect("a tree");
        if ranks.rank() == 2 {
            return None;
        }
        let mut recording = Recording::new(together.channels());
        let error = together.run(&mut recording, &mut |_| true).expect_err("a rank is gone");
        assert_eq!(recording.rows(), 0, "no row without all ranks");
        Some(error.to_string())
    });
    assert!(errors.iter().flatten().all(|text| text.contains("gone")), "{errors:?}");
    assert_eq!(errors.iter().flatten().count(), 2);
}

/// Keeps one checkpoint, after so many steps.
struct AfterSteps {
    left: usize,
    kept: Option<Checkpoint>,
}

impl Keeper for AfterSteps {
    fn due(&mut self, _: &Progress) -> bool {
        self.left = self.left.wrapping_sub(1);
        self.left == 0
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), flexura::SinkError> {
        self.kept = Some(checkpoint.clone());
        Ok(())
    }
}

/// Checkpoints of `size` ranks in the middle of a run.
fn checkpoints(built: &flexura::build::Built, size: usize, steps: usize) -> Vec<Checkpoint> {
    on_ranks(size, |ranks| {
        let mut together = Together::new(built, ranks, false).expect("a tree");
        let mut recording = Recording::new(together.channels());
        let mut keeper = AfterSteps { left: steps, kept: None };
        together.run_kept(None, &mut recording, &mut |_| true, &mut keeper).expect("a run");
        keeper.kept.expect("a checkpoint")
    })
}

/// Any number of ranks goes on from the checkpoints of any other: rows, counters and deformations of a run without a
/// break.
#[test]
fn checkpoints_are_for_any_number_of_ranks() {
    for method in [MethodDescription::Rk4 { step: 1e-3 }, adaptive()] {
        let chain =
            with_channels(chains::flexible_chain(12, 2, InertiaLevel::Gram), settings(method, 1), true);
        let built = flexura::build(chain).expect("sound");
        let single = Simulation::of(&built).run().expect("a run");
        let whole = on_ranks(2, |ranks| {
            let mut together = Together::new(&built, ranks, false).expect("a tree");
            let mut recording = Recording::new(together.channels());
            together.run(&mut recording, &mut |_| true).expect("a run")
        });
        for (first, second) in [(3, 2), (1, 4), (4, 1), (2, 8)] {
            let parts = checkpoints(&built, first, 20);
            assert!(parts[0].rows > 1 && (parts[0].rows as usize) < single.rows());
            let ends = on_ranks(second, |ranks| {
                let mut together = Together::new(&built, ranks, false).expect("a tree");
                let mut recording = Recording::new(together.channels());
                let outcome = together.run_kept(Some(&parts), &mut recording, &mut |_| true, &mut ());
                (outcome.expect("a run"), recording)
            });
            for (outcome, recording) in &ends {
                assert_eq!(outcome.statistics, whole[0].statistics);
                assert_eq!(outcome.rows as usize, single.rows());
                for channel in recording.names() {
                    let (own, all) =
                        (recording.channel(channel).expect("own"), single.channel(channel).expect("there"));
                    let rest = &all[parts[0].rows as usize..];
                    assert_eq!(bits(&own), bits(rest), "`{channel}` from {first} on {second} ranks");
                }
            }
            let deformations = |ends: Vec<&flexura::simulate::Outcome>| {
                let mut list: Vec<_> = ends.iter().flat_map(|end| end.deformations.clone()).collect();
                list.sort_by(|a, b| a.body.cmp(&b.body));
                list
            };
            let found = deformations(ends.iter().map(|(outcome, _)| outcome).collect());
            assert_eq!(found, deformations(whole.iter().collect()));
        }
    }
}

#[test]
fn foreign_and_damaged_checkpoints_are_refused() {
    let run = |method| {
        let chain = with_channels(chains::rigid_chain(40), settings(method, 3), false);
        flexura::build(chain).expect("sound")
    };
    let built = run(MethodDescription::Rk4 { step: 1e-3 });
    let parts = checkpoints(&built, 3, 20);
    let refused = |built: &flexura::build::Built, parts: &[Checkpoint], words: &str| {
        let texts = on_ranks(2, |ranks| {
            let mut together = Together::new(built, ranks, false).expect("a tree");
            let mut recording = Recording::new(together.channels());
            let end = together.run_kept(Some(parts), &mut recording, &mut |_| true, &mut ());
            end.err().map(|error| error.to_string())
        });
        assert!(texts.iter().flatten().any(|text| text.contains(words)), "{texts:?}");
    };
    refused(&run(adaptive()), &parts, "the method rk4, the run dormand-prince");
    refused(&built, &parts[..2], "nothing is in it of body");
    let other = checkpoints(&built, 3, 21);
    refused(&built, &[parts[0].clone(), parts[1].clone(), other[2].clone()], "different instants");
    let mut short = parts.clone();
    short[1].words.pop();
    refused(&built, &short, "damaged");
    let mut long = parts.clone();
    long[2].words.push(7);
    refused(&built, &long, "damaged");
}
