//! Exact linear system ẋ = A x + B u, y = C x + D u about any state.
//!
//! x = (displacements, speeds) of the free coordinates - with closed loops of
//! an independent set, the others following along the constraints - and the states of
//! continuous controllers. Displacements are twists from the motion to its neighbour, in the axes
//! of the speeds (spherical and free joints: of the moving frame), and are measured from the motion as it
//! goes on: ẋ = δu − ad_u x. Derivatives by dual numbers through the same recursions that simulate, so they are exact to
//! rounding. Cost O(states × N).
//!
//! Typeset: book/src/theory/linear_analysis.md (LA.4), (LA.5).

use super::probe::{Direction, Number, Probe, WIDTH, coordinate_name};
use super::{AnalysisError, refuse_speed_constraints};
use crate::control::{Actuator, actuator};
use crate::measure::Snapshot;
use crate::model::Model;
use crate::model::channel::effort_unit;
use crate::record::{Channel, Source, all_channels, matches_pattern};
use crate::scalar::Scalar;
use crate::state::State;

/// A linear time-invariant system; matrices are row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSystem {
    /// Names of the states: coordinates, their rates, then controller states.
    pub states: Vec<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// States × states.
    pub a: Vec<f64>,
    /// States × inputs.
    pub b: Vec<f64>,
    /// Outputs × states.
    pub c: Vec<f64>,
    /// Outputs × inputs.
    pub d: Vec<f64>,
    /// Index of the speed behind each coordinate state.
    pub speeds: Vec<usize>,
}

/// Linearises `model` about `state`.
///
/// `inputs` are `JOINT.effort` (or `JOINT.effort.N` for the N-th direction) and
/// names of applied forces and loads (the input is their scale) and of actuators between frames; `outputs` are channel
/// patterns.
pub fn linearize(
    model: &Model,
    state: &State,
    inputs: &[String],
    outputs: &[String],
) -> Result<LinearSystem, AnalysisError> {
    refuse_speed_constraints(model, "linear systems do")?;
    let mut probe = Probe::new(model, state);
    let free = if model.loops.is_empty() {
        (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect()
    } else {
        probe.follow_loops()
    };
    let input_directions =
        inputs.iter().map(|name| input_direction(model, name)).collect::<Result<Vec<_>, _>>()?;
    let channels = output_channels(model, outputs)?;
    let control = continuous_states(model);
    let mut directions: Vec<Direction> = free.iter().map(|&i| Direction::Increment(i)).collect();
    directions.extend(free.iter().map(|&i| Direction::Speed(i)));
    directions.extend(control.iter().map(|&(i, _)| Direction::Control(i)));
    let n = directions.len();
    directions.extend(&input_directions);
    let names = |suffix: &str| free.iter().map(|&i| coordinate_name(model, i) + suffix).collect::<Vec<_>>();
    let controllers = control.iter().map(|(_, name)| name.clone()).collect();
    let mut system = LinearSystem {
        states: [names(""), names("'"), controllers].concat(),
        inputs: inputs.to_vec(),
        outputs: channels.iter().map(|channel| channel.name.clone()).collect(),
        a: vec![0.0; n * n],
        b: vec![0.0; n * inputs.len()],
        c: vec![0.0; channels.len() * n],
        d: vec![0.0; channels.len() * inputs.len()],
        speeds: free.clone(),
    };
    let mut row = vec![Number::ZERO; channels.len()];
    for (chunk_index, chunk) in directions.chunks(WIDTH).enumerate() {
        probe.evaluate(chunk)?;
        if channels.iter().any(|channel| matches!(channel.source, Source::Reaction(..))) {
            probe.work.reactions(model);
        }
        let snapshot = Snapshot::new(model, &probe.state, &probe.work, Number::ZERO, Number::ZERO);
        snapshot.fill(&channels, &mut row);
        for c in 0..chunk.len() {
            let column = chunk_index * WIDTH + c;
            let rates = free.iter().map(|&i| probe.rate[i]);
            let accelerations = free.iter().map(|&i| probe.work.accelerations.chidot[i]);
            let controllers = control.iter().map(|&(i, _)| probe.work.control.rates[i]);
            let values = rates.chain(accelerations).chain(controllers);
            store(&mut system, column, values.map(|x| x.eps[c]));
            store_outputs(&mut system, column, &row, c);
        }
    }
    Ok(system)
}

/// States of continuous controllers with their names; sampled ones hold still between samples, and those that reach
/// no output would only add eigenvalues of nothing.
fn continuous_states(model: &Model) -> Vec<(usize, String)> {
    let continuous = model.controllers.iter().filter(|controller| !controller.is_sampled());
    continuous
        .flat_map(|c| {
            let acting = (0..c.memory).filter(|&i| c.block.state_acts(i));
            acting.map(move |i| (c.first + i, format!("{}.state.{}", c.name, i + 1)))
        })
        .collect()
}

/// Writes one column of A or B.
fn store(system: &mut LinearSystem, column: usize, values: impl Iterator<Item = f64>) {
    let (n, inputs) = (system.states.len(), system.inputs.len());
    for (i, value) in values.enumerate() {
        if column < n {
            system.a[i * n + column] = value;
        } else {
            system.b[i * inputs + column - n] = value;
        }
    }
}

/// Writes one column of C or D.
fn store_outputs(system: &mut LinearSystem, column: usize, row: &[Number], c: usize) {
    let (states, inputs) = (system.states.len(), system.inputs.len());
    for (o, value) in row.iter().enumerate() {
        if column < states {
            system.c[o * states + column] = value.eps[c];
        } else {
            system.d[o * inputs + column - states] = value.eps[c];
        }
    }
}

/// Unit of the input called `name`; `1` for what scales a force, empty for what is no input.
pub fn input_unit(model: &Model, name: &str) -> &'static str {
    match actuator(model, name) {
        Ok(Actuator::Effort(speed)) => effort_unit(model, speed),
        Ok(Actuator::Element(index)) => model.elements[index].kind.effort_unit(),
        Ok(_) => "1",
        Err(_) => "",
    }
}

fn input_direction(model: &Model, name: &str) -> Result<Direction, AnalysisError> {
    match actuator(model, name) {
        Ok(found) => Ok(Direction::Input(found)),
        Err(cause) => Err(AnalysisError::Name(format!("input `{name}`: {cause}"))),
    }
}

fn output_channels(model: &Model, patterns: &[String]) -> Result<Vec<Channel>, AnalysisError> {
    let all = all_channels(model);
    for pattern in patterns {
        if !all.iter().any(|channel| matches_pattern(pattern, &channel.name)) {
            return Err(AnalysisError::Name(format!("output `{pattern}`: no channel has this name")));
        }
    }
    let wanted = |channel: &Channel| patterns.iter().any(|pattern| matches_pattern(pattern, &channel.name));
    Ok(all.into_iter().filter(wanted).collect())
}
