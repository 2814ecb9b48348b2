//! Exact linear system ẋ = A x + B u, y = C x + D u about any state.
//!
//! x = (local increments, speeds) of the free coordinates; derivatives by dual
//! numbers through the same recursions that simulate, so they are exact to
//! rounding. Cost O(states × N).

use super::AnalysisError;
use super::probe::{Direction, Number, Probe, WIDTH, coordinate_name};
use crate::model::Model;
use crate::record::{Channel, Snapshot, Source, all_channels, matches_pattern};
use crate::scalar::Scalar;
use crate::state::State;

/// A linear time-invariant system; matrices are row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearSystem {
    /// Names of the states: coordinates, then their rates.
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
/// names of applied forces (the input is their scale); `outputs` are channel
/// patterns.
pub fn linearize(
    model: &Model,
    state: &State,
    inputs: &[String],
    outputs: &[String],
) -> Result<LinearSystem, AnalysisError> {
    let free: Vec<usize> = (0..model.speed_count()).filter(|&i| !model.prescribed[i]).collect();
    let input_directions =
        inputs.iter().map(|name| input_direction(model, name)).collect::<Result<Vec<_>, _>>()?;
    let channels = output_channels(model, outputs)?;
    let n = free.len();
    let mut directions: Vec<Direction> = free.iter().map(|&i| Direction::Increment(i)).collect();
    directions.extend(free.iter().map(|&i| Direction::Speed(i)));
    directions.extend(&input_directions);
    let names = |suffix: &str| free.iter().map(|&i| coordinate_name(model, i) + suffix).collect::<Vec<_>>();
    let mut system = LinearSystem {
        states: [names(""), names("'")].concat(),
        inputs: inputs.to_vec(),
        outputs: channels.iter().map(|channel| channel.name.clone()).collect(),
        a: vec![0.0; 4 * n * n],
        b: vec![0.0; 2 * n * inputs.len()],
        c: vec![0.0; channels.len() * 2 * n],
        d: vec![0.0; channels.len() * inputs.len()],
        speeds: free.clone(),
    };
    let mut probe = Probe::new(model, state);
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
            store(
                &mut system,
                &free,
                column,
                |i| probe.rate[i].eps[c],
                |i| probe.work.articulated.chidot[i].eps[c],
            );
            store_outputs(&mut system, column, &row, c);
        }
    }
    Ok(system)
}

/// Writes one column of A or B.
fn store(
    system: &mut LinearSystem,
    free: &[usize],
    column: usize,
    rate: impl Fn(usize) -> f64,
    acceleration: impl Fn(usize) -> f64,
) {
    let n = free.len();
    let inputs = system.inputs.len();
    for (i, &speed) in free.iter().enumerate() {
        let (upper, lower) = (rate(speed), acceleration(speed));
        if column < 2 * n {
            system.a[i * 2 * n + column] = upper;
            system.a[(n + i) * 2 * n + column] = lower;
        } else {
            system.b[i * inputs + column - 2 * n] = upper;
            system.b[(n + i) * inputs + column - 2 * n] = lower;
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

fn input_direction(model: &Model, name: &str) -> Result<Direction, AnalysisError> {
    if let Some(index) = model.forces.iter().position(|force| force.name == name) {
        return Ok(Direction::Force(index));
    }
    let mut parts = name.split('.');
    let joint = parts.next().and_then(|joint| model.joint(joint));
    let effort = parts.next() == Some("effort");
    let direction = parts.next().map_or(Some(1), |number| number.parse::<usize>().ok());
    match (joint, effort, direction) {
        (Some(body), true, Some(number)) if number >= 1 && number <= model.layout.bodies[body.0].joint_v => {
            let speed = model.layout.bodies[body.0].joint_v().start + number - 1;
            if model.prescribed[speed] {
                let text =
                    format!("input `{name}`: this coordinate is prescribed, an effort on it moves nothing");
                return Err(AnalysisError::Name(text));
            }
            Ok(Direction::Effort(speed))
        }
        _ => {
            let forces: Vec<&str> = model.forces.iter().map(|force| force.name.as_str()).collect();
            let text = format!(
                "input `{name}`: write JOINT.effort, JOINT.effort.N, or the name of an applied force ({})",
                if forces.is_empty() { "this model has none".to_string() } else { forces.join(", ") }
            );
            Err(AnalysisError::Name(text))
        }
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
