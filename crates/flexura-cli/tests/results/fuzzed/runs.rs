//! Checkpoints: the file, and runs that go on from memories that were changed.

use super::told;
use flexura::SinkError;
use flexura::checkpoint::Checkpoint;
use flexura::file::{Loaded, build_text, fnv1a};
use flexura::record::Sink;
use flexura::simulate::{Keeper, Progress, Simulation, Start};
use flexura_output::checkpoint_file::{CheckpointFault, from_bytes};
use std::path::Path;
use std::sync::OnceLock;

/// Steps before the checkpoint, and taken from it.
const STEPS: u64 = 6;
/// Rows after which a run from a changed memory is left alone.
const ROWS: usize = 2000;

/// The bytes of a checkpoint, with the right sum at their end; or, where they begin otherwise, a memory of a run that is
/// changed: the first byte chooses the run, then ten bytes each the word (two) and its new value (eight).
pub fn checkpoint(bytes: &[u8], _: &Path) {
    if bytes.starts_with(b"FLEXURA") {
        return file(bytes);
    }
    let Some((&first, edits)) = bytes.split_first() else { return };
    let runs = runs();
    let (loaded, sound) = &runs[usize::from(first) % runs.len()];
    let mut changed = sound.clone();
    for edit in edits.as_chunks::<10>().0 {
        let at = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % (changed.words.len() + 3);
        let mut word = [0; 8];
        word.copy_from_slice(&edit[2..]);
        let word = u64::from_le_bytes(word);
        match at.checked_sub(changed.words.len()) {
            None => changed.words[at] = word,
            Some(0) => changed.time = f64::from_bits(word),
            Some(1) => changed.words.truncate(word as usize % 64),
            Some(_) => changed.words.push(word),
        }
    }
    go_on(loaded, &changed);
}

fn file(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    drop(from_bytes(&bytes));
    if let Some(content) = bytes.len().checked_sub(8) {
        bytes.truncate(content);
        bytes.extend(fnv1a(&bytes).to_le_bytes());
    }
    match from_bytes(&bytes) {
        Ok(found) => runs().iter().for_each(|(loaded, _)| go_on(loaded, &found.checkpoint)),
        Err(CheckpointFault::Format(name)) => told(&name),
        Err(CheckpointFault::Damaged) => {}
    }
}

/// Runs from a checkpoint; an error is an answer.
fn go_on(loaded: &Loaded, checkpoint: &Checkpoint) {
    let simulation = Simulation::of(&loaded.built).start(Start::Checkpoint(checkpoint));
    let mut prepared = simulation.prepare().expect("sound channels");
    let mut sink = Short { row: vec![0.0; prepared.channels().len() + 1], rows: 0 };
    let mut steps = 0;
    let mut watch = |_: &Progress| {
        steps += 1;
        steps < STEPS
    };
    match prepared.run(&mut sink, &mut watch, &mut ()) {
        Err(error) => told(&error.to_string()),
        Ok(outcome) => drop(format!("{outcome:?}")),
    }
}

/// Takes some rows, then no more.
struct Short {
    row: Vec<f64>,
    rows: usize,
}

impl Sink for Short {
    fn row(&mut self) -> &mut [f64] {
        &mut self.row
    }

    fn commit(&mut self) -> Result<(), SinkError> {
        self.rows += 1;
        if self.rows < ROWS { Ok(()) } else { Err(SinkError::new("rows enough")) }
    }
}

/// Models by several methods, each with a checkpoint after some steps.
fn runs() -> &'static [(Loaded, Checkpoint)] {
    static RUNS: OnceLock<Vec<(Loaded, Checkpoint)>> = OnceLock::new();
    RUNS.get_or_init(|| {
        let methods = [
            ("", "method = \"rk4\"\nstep = 1e-3"),
            ("", "method = \"dormand-prince\""),
            ("", "method = \"radau\""),
            ("", "method = \"auto\""),
            ("", "method = \"generalized-alpha\"\nstep = 1e-3"),
            (CONTROLLED, "method = \"dormand-prince\""),
            (CONTROLLED, "method = \"trapezoidal\"\nstep = 1e-3"),
        ];
        methods.iter().map(|(more, method)| kept(more, method)).collect()
    })
}

const CONTROLLED: &str = "[[controller]]\nname = \"servo\"\ntype = \"pid\"\nsensors = [\"hinge.angle\"]\nreference = 0.2\n\
                          actuators = [\"hinge.effort\"]\nproportional = 2.0\nintegral = 1.0\nsample_time = 0.01\n";

fn kept(more: &str, method: &str) -> (Loaded, Checkpoint) {
    let body = include_str!("../../../templates/pendulum.toml");
    let body = body.split("[simulation]").next().unwrap_or_default();
    let event = "[[simulation.event]]\nname = \"low\"\nchannel = \"hinge.angle\"\nvalue = 0.05\n";
    let text = format!("{body}\n{more}\n[simulation]\nend = 2.0\noutput_interval = 0.01\n{method}\n{event}");
    let loaded = build_text(&text, "run.toml").unwrap_or_else(|errors| panic!("{errors}"));
    let mut keeper = Last::default();
    let mut prepared = Simulation::of(&loaded.built).prepare().expect("channels");
    let mut sink = Short { row: vec![0.0; prepared.channels().len() + 1], rows: 0 };
    let mut steps = 0;
    let mut watch = |_: &Progress| {
        steps += 1;
        steps < STEPS
    };
    prepared.run(&mut sink, &mut watch, &mut keeper).expect("a sound run");
    drop(prepared);
    (loaded, keeper.0.expect("a checkpoint"))
}

/// Keeps the last checkpoint.
#[derive(Default)]
struct Last(Option<Checkpoint>);

impl Keeper for Last {
    fn due(&mut self, _: &Progress) -> bool {
        false
    }

    fn keep(&mut self, checkpoint: &Checkpoint) -> Result<(), SinkError> {
        self.0 = Some(checkpoint.clone());
        Ok(())
    }

    fn wants_last(&self) -> bool {
        true
    }
}
