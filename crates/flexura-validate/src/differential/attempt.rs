//! One run of one model: what it records, why it is refused, or how it goes wrong.

use super::document::{Document, write};
use super::routes::{Route, Tree, chosen};
use flexura::file::{FileErrors, build_text};
use flexura::model::description::AlgorithmDescription;
use flexura::record::Recording;
use flexura::simulate::Simulation;
use flexura::{DynamicsError, SimulationError};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a run ended.
#[derive(Debug)]
pub enum Attempt {
    /// With rows; whether constraints are redundant, so that some reactions are not determined.
    Done(Recording, bool),
    /// Refused by name before it began.
    Refused(String),
    /// Ended early with a reason.
    GaveUp(String),
    /// Ended early because a polynomial mass block is definite near the undeformed state only.
    Lost(String),
    /// A panic, numbers that are none, or no end.
    Broken(String),
}

/// Runs `document` by a route in a tree.
pub fn attempt(document: &Document, tree: &Tree, route: &Route, halved: i32) -> Attempt {
    attempt_with(document, tree, route, halved).0
}

/// The same, with the law that the motion takes to where it ends, if it meets one.
pub fn attempt_with(
    document: &Document,
    tree: &Tree,
    route: &Route,
    halved: i32,
) -> (Attempt, Option<String>) {
    let text = write(&chosen(document, tree, route, halved));
    let mut left = None;
    match catch_unwind(AssertUnwindSafe(|| compute(&text, route.threads, &mut left))) {
        Ok(attempt) => (attempt, left),
        Err(payload) => {
            let words = payload.downcast_ref::<String>().cloned();
            let words = words.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string()));
            (Attempt::Broken(format!("panic: {}", words.unwrap_or_default())), None)
        }
    }
}

/// Errors of a file in one line.
fn reasons(errors: &FileErrors) -> String {
    let wrong = errors.diagnostics.iter().filter(|finding| finding.is_error());
    wrong.map(|finding| format!("{}: {}", finding.item, finding.message)).collect::<Vec<_>>().join("; ")
}

fn compute(text: &str, threads: usize, left: &mut Option<String>) -> Attempt {
    let built = match build_text(text, "random.toml") {
        Ok(loaded) => loaded.built,
        Err(errors) => return Attempt::Refused(reasons(&errors)),
    };
    let redundant = built.warnings.iter().any(|warning| warning.code == "redundant-constraints");
    let mut settings = built.description.simulation.clone();
    if let AlgorithmDescription::DivideAndConquer { threads: wanted, .. } = &mut settings.algorithm {
        *wanted = threads;
    }
    let prepared = Simulation::of(&built).settings(settings).channels(["*"]).prepare();
    let mut prepared = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return Attempt::Refused(error.to_string()),
    };
    let mut recording = Recording::new(prepared.channels());
    let started = Instant::now();
    let mut watch = |_: &flexura::simulate::Progress| started.elapsed() < PATIENCE;
    match prepared.run(&mut recording, &mut watch, &mut ()) {
        Ok(outcome) if outcome.cancelled => Attempt::Broken(format!("no end after {PATIENCE:?}")),
        Ok(outcome) => {
            *left = outcome.half_turns.iter().find(|law| law.is_alarm()).map(ToString::to_string);
            match not_finite(&recording) {
                Some(channel) => Attempt::Broken(format!("{channel} is not a number")),
                None => Attempt::Done(recording, redundant),
            }
        }
        Err(SimulationError::Dynamics { cause: DynamicsError::Unsupported { cause }, .. }) => {
            Attempt::Refused(cause)
        }
        Err(error) if is_lost(&error) && text.contains("level = \"consistent\"") => {
            Attempt::Lost(error.to_string())
        }
        Err(error @ SimulationError::Dynamics { .. }) => Attempt::GaveUp(error.to_string()),
        Err(error) => Attempt::Refused(error.to_string()),
    }
}

/// Whether a body has lost its positive inertia.
fn is_lost(error: &SimulationError) -> bool {
    use DynamicsError::{InertiaLost, ModalMassLost, SingularJoint};
    let SimulationError::Dynamics { cause, .. } = error else { return false };
    matches!(cause, InertiaLost { .. } | ModalMassLost { .. } | SingularJoint { .. })
}

fn not_finite(recording: &Recording) -> Option<&String> {
    recording.names().iter().find(|name| {
        recording.channel(name).is_ok_and(|values| values.iter().any(|value| !value.is_finite()))
    })
}
