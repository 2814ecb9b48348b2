//! The state at which a command evaluates a model.

use crate::columns::read_result;
use crate::failure::Failure;
use flexura::analysis::{EquilibriumOptions, MotionSeries, equilibrium, keep_free_speeds};
use flexura::file::Loaded;
use flexura::record::{Source, all_channels};
use flexura::{Model, State};
use std::collections::BTreeSet;
use std::path::Path;

/// The initial state, or the equilibrium found from it.
pub fn start(loaded: &Loaded, at_equilibrium: bool) -> Result<State, Failure> {
    let model = &loaded.built.model;
    let state = State::initial(model, loaded.built.description.simulation.start);
    if !at_equilibrium {
        return Ok(state);
    }
    let mut found =
        equilibrium(model, &state, &EquilibriumOptions::default()).map_err(Failure::simulation)?;
    // What nothing holds goes on turning or rolling, as in a run from the equilibrium.
    keep_free_speeds(model, &state, &mut found.state);
    Ok(found.state)
}

/// The motion of `model` in a result file, which must hold all of its coordinates.
pub fn recorded_motion(model: &Model, path: &Path) -> Result<MotionSeries, Failure> {
    let moving = |source: &Source| {
        matches!(source, Source::Coordinate(_) | Source::Speed(_) | Source::Acceleration(_))
    };
    let channels = all_channels(model).into_iter().filter(|channel| moving(&channel.source));
    let names: BTreeSet<String> = channels.map(|channel| channel.name).collect();
    let columns = read_result(path, |name| names.contains(name))?;
    let list = columns.list.into_iter().map(|(name, _, values)| (name, values)).collect();
    let wrong = |text: String| Failure::Usage(format!("{}: {text}", path.display()));
    let series = MotionSeries::new(model, columns.times, list).map_err(|error| wrong(error.to_string()))?;
    match series.held().first() {
        Some(name) => {
            Err(wrong(format!("it does not hold `{name}`: record it ([output] channels) and run again")))
        }
        None => Ok(series),
    }
}
