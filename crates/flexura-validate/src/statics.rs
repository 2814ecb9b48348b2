//! Equilibria and what is measured in them.

use crate::context::Fault;
use flexura::analysis::{EquilibriumOptions, equilibrium};
use flexura::build::Built;
use flexura::record::Recorder;
use flexura::{State, Workspace};

/// The state at rest that belongs to the loads at the start.
pub fn at_rest(built: &Built) -> Result<State, Fault> {
    let start = State::initial(&built.model, built.description.simulation.start);
    Ok(equilibrium(&built.model, &start, &EquilibriumOptions::default())?.state)
}

/// Channels of a state, in the order of `names`.
pub fn measure<const N: usize>(built: &Built, state: &State, names: [&str; N]) -> Result<[f64; N], Fault> {
    let mut work = Workspace::new(&built.model);
    let mut values = [0.0; N];
    for (value, name) in values.iter_mut().zip(names) {
        let mut recorder = Recorder::new(&built.model, &[name.to_string()])?;
        let mut row = [0.0; 2];
        recorder.sample(&built.model, state, 0.0, &mut work, &mut row)?;
        *value = row[1];
    }
    Ok(values)
}

/// Positions along a split beam in a plane: the roots of its segments, then its tip.
pub fn shape(built: &Built, state: &State, beam: &str, axes: [&str; 2]) -> Result<[Vec<f64>; 2], Fault> {
    let mut points = [Vec::new(), Vec::new()];
    let segments = built.model.bodies.iter().filter(|body| body.name.starts_with(&format!("{beam}.")));
    let places = segments.map(|body| body.name.clone()).chain([format!("{beam}.tip")]);
    for place in places {
        for (list, axis) in points.iter_mut().zip(axes) {
            list.push(measure(built, state, [&format!("{place}.position.{axis}")])?[0]);
        }
    }
    Ok(points)
}
