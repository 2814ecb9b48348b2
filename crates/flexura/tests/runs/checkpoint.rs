//! A run continued from a checkpoint has the bits of one that never stopped.

use flexura::build::Built;
use flexura::checkpoint::Checkpoint;
use flexura::model::description::{DampingChoice, MethodDescription};
use flexura::simulate::{Keeper, Outcome, Progress, Start, run_kept};
use flexura::{Recorder, Recording, SimulationError, State};

/// Keeps the checkpoint of every so many steps.
struct Every(u64, Vec<Checkpoint>);

impl Keeper for Every {
    fn due(&mut self, progress: &Progress) -> bool {
        progress.statistics.accepted.is_multiple_of(self.0)
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), flexura::SinkError> {
        self.1.push(checkpoint.clone());
        Ok(())
    }
}

fn load(name: &str, end: f64, method: Option<MethodDescription>) -> Built {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let mut built = flexura::load(path).expect("an example").built;
    built.description.simulation.end = end;
    if let Some(method) = method {
        built.description.simulation.method = method;
    }
    built
}

fn run(
    built: &Built,
    start: Start<'_>,
    keeper: &mut impl Keeper,
) -> Result<(Recording, Outcome), SimulationError> {
    let (model, description) = (&built.model, &built.description);
    let mut recorder = Recorder::new(model, &description.output.channels)?;
    let mut rows = Recording::new(recorder.channels());
    let settings = &description.simulation;
    let outcome = run_kept(model, settings, start, &mut recorder, &mut rows, &mut |_| true, keeper)?;
    Ok((rows, outcome))
}

fn initial(built: &Built) -> Start<'static> {
    Start::State(State::initial(&built.model, built.description.simulation.start))
}

/// Bits of every channel from `first` on.
fn bits(rows: &Recording, first: usize) -> Vec<Vec<u64>> {
    let column = |name: &String| rows.channel(name).expect("a channel");
    rows.names()
        .iter()
        .map(|name| column(name)[first..].iter().map(|value| value.to_bits()).collect())
        .collect()
}

fn check(name: &str, end: f64, method: Option<MethodDescription>) {
    let built = load(name, end, method.clone());
    let mut every = Every(5, Vec::new());
    let (whole, outcome) = run(&built, initial(&built), &mut every).expect("a run");
    let made = every.1;
    assert!(made.len() >= 3, "{name} {method:?}: {} checkpoints", made.len());
    for checkpoint in [&made[0], &made[made.len() / 2], &made[made.len() - 1]] {
        let (rest, resumed) = run(&built, Start::Checkpoint(checkpoint), &mut ()).expect("a continued run");
        assert_eq!(resumed, outcome, "{name} {method:?}");
        let first = checkpoint.rows as usize;
        assert!(first > 0 && rest.rows() == whole.rows() - first, "{name} {method:?}: {first}");
        assert!(bits(&rest, 0) == bits(&whole, first), "{name} {method:?}: rows differ");
    }
}

/// Goes on before a step that an edge splits, from its first part, from behind the edge, and after the rest.
fn check_around_edges(method: MethodDescription) {
    let built = load("vehicle/suspension", 2.05, Some(method.clone()));
    let mut every = Every(1, Vec::new());
    let (whole, outcome) = run(&built, initial(&built), &mut every).expect("a run");
    let made = every.1;
    let length = |i: usize| made[i + 1].time - made[i].time;
    let usual = length(0);
    let split = (1..made.len() - 4).find(|&i| length(i) < 0.999 * usual).expect("an edge");
    for checkpoint in &made[split - 1..split + 4] {
        let (rest, resumed) = run(&built, Start::Checkpoint(checkpoint), &mut ()).expect("a continued run");
        assert_eq!(resumed, outcome, "{method:?} at {}", checkpoint.time);
        let same = bits(&rest, 0) == bits(&whole, checkpoint.rows as usize);
        assert!(same, "{method:?} at {}: rows differ", checkpoint.time);
    }
}

fn implicit(damping: DampingChoice, tolerance: f64) -> Option<MethodDescription> {
    Some(MethodDescription::Implicit { damping, step: 0.002, tolerance })
}

#[test]
fn the_methods_of_the_examples() {
    // Flexible bodies, prescribed motions with break points; sampled and continuous controllers; events.
    for (name, end) in [
        ("flexible_arm", 0.3),
        ("controlled_arm", 0.3),
        ("robot_arm", 1.2),
        ("satellite", 1.5),
        ("double_four_bar_flexible", 0.4),
    ] {
        check(name, end, None);
    }
}

fn radau() -> MethodDescription {
    MethodDescription::Radau {
        relative_tolerance: 1e-8,
        absolute_tolerance: 1e-10,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    }
}

#[test]
fn explicit_and_changing_methods_go_on() {
    check("flexible_arm", 0.1, Some(MethodDescription::Rk4 { step: 2e-4 }));
    // Both methods go on, whichever has taken the last step.
    let automatic = MethodDescription::Automatic {
        relative_tolerance: 1e-6,
        absolute_tolerance: 1e-8,
        initial_step: 0.0,
        largest_step: f64::INFINITY,
    };
    for (name, end) in [("controlled_arm", 0.2), ("flexible_arm", 0.2)] {
        check(name, end, Some(automatic.clone()));
    }
}

/// Old Jacobians and factors go on; sampled controllers, break points, a closed loop.
#[test]
fn radau_goes_on() {
    for (name, end) in [("controlled_arm", 0.2), ("robot_arm", 0.6), ("four_bar", 0.5)] {
        check(name, end, Some(radau()));
    }
}

#[test]
fn radau_goes_on_over_the_edge_of_a_road() {
    check("vehicle/suspension", 2.1, Some(radau()));
}

#[test]
fn steps_of_the_global_formulation_go_on_over_edges() {
    for step in [3e-3, 2.9e-3] {
        check_around_edges(MethodDescription::Global { step });
    }
}

#[test]
fn implicit_steps_go_on() {
    check_around_edges(MethodDescription::Implicit {
        damping: DampingChoice::None,
        step: 0.002,
        tolerance: 0.0,
    });
    check("controlled_arm", 0.2, implicit(DampingChoice::SpectralRadius(0.8), 0.0));
    check("flexible_arm", 0.2, implicit(DampingChoice::SpectralRadius(0.6), 1e-5));
    check("robot_arm", 0.3, implicit(DampingChoice::Hht(0.1), 0.0));
    check("robot_arm", 0.3, implicit(DampingChoice::None, 1e-6));
}

#[test]
fn a_checkpoint_of_another_model_is_refused() {
    let (arm, satellite) = (load("flexible_arm", 0.1, None), load("satellite", 0.1, None));
    let mut every = Every(5, Vec::new());
    run(&arm, initial(&arm), &mut every).expect("a run");
    let checkpoint = every.1.pop().expect("a checkpoint");
    let refused = run(&satellite, Start::Checkpoint(&checkpoint), &mut ()).map(|_| ()).unwrap_err();
    assert!(refused.to_string().contains("does not fit the model"), "{refused}");
    let mut cut = checkpoint.clone();
    cut.words.pop();
    assert!(run(&arm, Start::Checkpoint(&cut), &mut ()).is_err(), "a word is missing");
    cut.words.extend([0, 0]);
    assert!(run(&arm, Start::Checkpoint(&cut), &mut ()).is_err(), "a word too many");
}
