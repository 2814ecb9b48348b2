//! Sensitivities of accelerations and of simulated channels to model parameters.
//!
//! With y the state, ẏ = f(t, y; p) and outputs g(t, y; p), the sensitivity
//! s = dy/dp follows ṡ = (∂f/∂y) s + ∂f/∂p, s(0) = dy₀/dp, and dg/dp =
//! (∂g/∂y) s + ∂g/∂p (forward mode; Hairer, Nørsett & Wanner, Solving ODE I,
//! section I.14). The state runs as dual numbers through the same recursions that
//! simulate, with one direction per parameter, so (∂f/∂y) s is exact to rounding
//! and costs one evaluation. Model numbers stay `f64` and belong to no number
//! type; ∂f/∂p at a fixed state therefore comes from models built at shifted
//! values (`stencil.rs`), to about 1e-13, with an estimate of its error. The
//! steps are those of the simulation's own error control.
//!
//! Offline work: allocates. Prescribed coordinates are functions of (t, p), not
//! states: they carry no dual part, and the shifted models move them.
//!
//! Typeset: book/src/theory/linear_analysis.md (LA.8), (LA.9).

mod run;
mod stencil;

use crate::build::{Built, build};
use crate::dynamics::evaluate;
use crate::error::SimulationError;
use crate::file::{BodySource, NoSource, build_text_with, find_parameter, set_parameter};
use crate::model::Model;
use crate::model::description::Description;
use crate::model::element::ElementKind;
use crate::record::{Channel, Recorder};
use crate::scalar::Dual;
use crate::state::State;
use crate::workspace::Workspace;
use run::DualRun;
pub(super) use run::{DORMAND_PRINCE, RK4, Tableau};
use stencil::BuildOutcome;
pub(super) use stencil::Stencil;

/// Parameters differentiated in one run.
const WIDTH: usize = 4;
type Number = Dual<WIDTH>;

/// Relative tolerances of the two runs of a model with contacts; errors at a kink fall with their square root.
const CONTACT_TOLERANCES: [f64; 2] = [1e-11, 1e-13];
/// Largest difference of the two: the finer one is then right to about a tenth of it.
const CONTACT_AGREEMENT: f64 = 0.01;

/// A number that a model depends on.
pub struct Parameter<'a> {
    /// Name in results.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// The model at another value.
    build: Box<dyn Fn(f64) -> BuildOutcome + 'a>,
}

impl<'a> Parameter<'a> {
    /// A number of `description` with `value`, which `set` changes.
    pub fn of_description(
        name: &str,
        description: &'a Description,
        value: f64,
        set: impl Fn(&mut Description, f64) + 'a,
    ) -> Self {
        let changed = move |value: f64| {
            let mut description = description.clone();
            set(&mut description, value);
            build(description).map_err(|error| error.to_string())
        };
        Self { name: name.into(), value, build: Box::new(changed) }
    }

    /// The number at `path` of the model file `text`.
    pub fn of_file(text: &'a str, file_name: &'a str, path: &str) -> Result<Self, SensitivityError> {
        Self::of_file_with(text, file_name, path, &NoSource)
    }

    /// The same of a model with finite element parts. The model is built at many values: a source
    /// that does not keep its bodies is best wrapped in [`crate::file::RememberedBodies`].
    pub fn of_file_with(
        text: &'a str,
        file_name: &'a str,
        path: &str,
        source: &'a dyn BodySource,
    ) -> Result<Self, SensitivityError> {
        let found = find_parameter(text, path).map_err(|e| SensitivityError::Parameter(e.to_string()))?;
        let (name, value) = (path.to_string(), found.value);
        let path = found.path;
        let changed = move |value: f64| {
            let text = set_parameter(text, &path, &format!("{value:?}")).map_err(|e| e.to_string())?;
            build_text_with(&text, file_name, source)
                .map(|loaded| loaded.built)
                .map_err(|errors| errors.to_string())
        };
        Ok(Self { name, value, build: Box::new(changed) })
    }
}

/// Why there is no sensitivity.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SensitivityError {
    /// A path names no number.
    #[error("parameter {0}")]
    Parameter(String),
    /// The model cannot be built near the value.
    #[error("parameter `{parameter}`: the model cannot be built near its value: {cause}")]
    Build {
        /// Name of the parameter.
        parameter: String,
        /// What the model file reader or the validation says.
        cause: String,
    },
    /// The parameter changes what the model consists of.
    #[error(
        "parameter `{parameter}` changes the coordinates of the model; only numbers that change it smoothly have a sensitivity"
    )]
    Structure {
        /// Name of the parameter.
        parameter: String,
    },
    /// The parameter moves an instant at which an input is not smooth.
    #[error(
        "parameter `{parameter}` moves the time of a break point of an input, across which sensitivities jump"
    )]
    BreakPoint {
        /// Name of the parameter.
        parameter: String,
    },
    /// A callback has no derivative.
    #[error("controller `{0}` is a callback of plain numbers, which has no derivative")]
    Callback(String),
    /// Loops change their assembly with the parameter.
    #[error(
        "the model has closed loops (joint `{0}`), whose assembly moves with every parameter: not differentiated yet"
    )]
    Loops(String),
    /// Steps across contacts do not converge.
    #[error(
        "derivatives through element `{element}`, which opens and closes, differ by {:.1} % between two tight tolerances: they \
         are not smooth enough to be trusted; make the contact softer, or take differences of runs",
        100.0 * .difference
    )]
    Contact {
        /// The element.
        element: String,
        /// Largest relative difference.
        difference: f64,
    },
    /// A road with edges, across which forces jump.
    #[error(
        "tyre `{0}` runs over edges of its road, across which sensitivities jump: use a road without edges"
    )]
    Road(String),
    /// The simulation failed.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
}

/// Channels and their derivatives over time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Sensitivity {
    /// Names of the parameters.
    pub parameters: Vec<String>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// Times of the rows (s).
    pub times: Vec<f64>,
    /// Values, row after row, one per channel.
    pub values: Vec<f64>,
    /// Derivatives, row after row; within a row channel after channel, one per parameter.
    pub derivatives: Vec<f64>,
    /// Upper estimate of the relative error of the parameter directions, one per parameter.
    pub errors: Vec<f64>,
    /// The method that derivatives were followed by, with its tolerance; where it is not the file's, that one is named.
    pub method: String,
}

impl Sensitivity {
    /// Derivative in `row` of `channel` over `parameter`.
    pub fn derivative(&self, row: usize, channel: usize, parameter: usize) -> f64 {
        let (channels, parameters) = (self.channels.len(), self.parameters.len());
        self.derivatives[(row * channels + channel) * parameters + parameter]
    }

    /// Derivative of the channel called `channel` over the parameter called `parameter` in every row; nothing where one of
    /// them is unknown.
    pub fn over_time(&self, channel: &str, parameter: &str) -> Option<Vec<f64>> {
        let channel = self.channels.iter().position(|known| known.name == channel)?;
        let parameter = self.parameters.iter().position(|known| known == parameter)?;
        Some((0..self.times.len()).map(|row| self.derivative(row, channel, parameter)).collect())
    }
}

/// Simulates `built` with its own settings and differentiates the channels matching `outputs`.
///
/// Rows are those of the output interval. Events are not looked for: the run goes on to its end. Methods without an
/// explicit tableau (implicit, energy-preserving, global) are replaced by Dormand-Prince with its tolerances at 1e-9 and
/// 1e-11.
///
/// Where contacts open and close, derivatives of the forces jump: a step across such an instant is right to first
/// order only, and the error control of the motion does not see it. Models with one-sided elements therefore run twice with
/// tight tolerances, and derivatives that still differ are refused.
pub fn sensitivity(
    built: &Built,
    parameters: &[Parameter<'_>],
    outputs: &[String],
) -> Result<Sensitivity, SensitivityError> {
    refuse_unknown(&built.model)?;
    let Some(element) = one_sided(&built.model)? else { return follow(built, parameters, outputs, None) };
    let coarse = follow(built, parameters, outputs, Some(CONTACT_TOLERANCES[0]))?;
    let fine = follow(built, parameters, outputs, Some(CONTACT_TOLERANCES[1]))?;
    let difference = largest_difference(&coarse, &fine);
    if difference > CONTACT_AGREEMENT {
        return Err(SensitivityError::Contact { element, difference });
    }
    Ok(fine)
}

/// The first element whose force has a kink; those that jump are refused.
pub(super) fn one_sided(model: &Model) -> Result<Option<String>, SensitivityError> {
    let mut found = None;
    for element in &model.elements {
        match &element.kind {
            ElementKind::Tyre(_) if !element.kind.edges().is_empty() => {
                return Err(SensitivityError::Road(element.name.clone()));
            }
            ElementKind::Contact(_) | ElementKind::BumpStop(_) | ElementKind::Tyre(_) => {
                found.get_or_insert_with(|| element.name.clone());
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Largest difference between derivatives, relative to the largest of the same channel and parameter.
fn largest_difference(coarse: &Sensitivity, fine: &Sensitivity) -> f64 {
    let columns = fine.channels.len() * fine.parameters.len();
    let mut worst = 0.0_f64;
    for column in 0..columns {
        let pairs = || {
            let entries = coarse.derivatives.iter().zip(&fine.derivatives);
            entries.skip(column).step_by(columns)
        };
        let largest = pairs().fold(0.0_f64, |m, (_, b)| m.max(b.abs()));
        let apart = pairs().fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        if apart > 0.0 {
            worst = worst.max(apart / largest.max(f64::MIN_POSITIVE));
        }
    }
    worst
}

/// One run, with Dormand-Prince at `tolerance` if given.
fn follow(
    built: &Built,
    parameters: &[Parameter<'_>],
    outputs: &[String],
    tolerance: Option<f64>,
) -> Result<Sensitivity, SensitivityError> {
    let model = &built.model;
    let channels = Recorder::new(model, outputs)?.channels().to_vec();
    let mut result = Sensitivity {
        parameters: parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        channels,
        times: Vec::new(),
        values: Vec::new(),
        derivatives: Vec::new(),
        errors: Vec::new(),
        method: String::new(),
    };
    for (index, chunk) in parameters.chunks(WIDTH).enumerate() {
        let stencils = chunk
            .iter()
            .map(|parameter| choose(parameter, built))
            .collect::<Result<Vec<_>, SensitivityError>>()?;
        let mut run = DualRun::new(built, stencils, &result.channels, tolerance)?;
        run.record_all()?;
        if index == 0 {
            result.method = run.method_in_words(&built.description.simulation.method);
            let rows = run.times.len() * result.channels.len();
            result.times.clone_from(&run.times);
            result.values = run.rows.iter().map(|value| value.re).collect();
            result.derivatives = vec![0.0; rows * parameters.len()];
        }
        for (place, value) in run.rows.iter().enumerate() {
            let from = place * parameters.len() + index * WIDTH;
            result.derivatives[from..from + chunk.len()].copy_from_slice(&value.eps[..chunk.len()]);
        }
        result.errors.extend(run.stencils.iter().map(|stencil| stencil.error));
    }
    Ok(result)
}

/// Derivatives of the accelerations at `state`, which is held, and of what is prescribed there.
///
/// One row per parameter, one entry per speed.
pub fn acceleration_sensitivity(
    built: &Built,
    state: &State,
    parameters: &[Parameter<'_>],
) -> Result<Vec<Vec<f64>>, SensitivityError> {
    refuse_unknown(&built.model)?;
    let mut rows = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        let mut stencil = choose(parameter, built)?;
        let mut scratch = state.clone();
        let length = built.model.speed_count();
        let found = stencil.differentiate(length, |model, work, out| {
            accelerations(model, work, state, &mut scratch)?;
            out.copy_from_slice(&work.accelerations.chidot);
            Ok(())
        })?;
        rows.push(found.to_vec());
    }
    Ok(rows)
}

/// Evaluates `model` at `state`, prescribed coordinates at its own values.
fn accelerations(
    model: &Model,
    work: &mut Workspace,
    state: &State,
    scratch: &mut State,
) -> Result<(), SimulationError> {
    scratch.copy_from(state);
    crate::state::prescribe::apply_prescribed(model, scratch, Some(&mut work.load));
    evaluate(model, scratch, work).map_err(|error| SimulationError::dynamics(state.time, error))
}

/// The stencil whose two orders agree best on the initial state and its accelerations.
fn choose(parameter: &Parameter<'_>, built: &Built) -> Result<Stencil, SensitivityError> {
    let (model, settings) = (&built.model, &built.description.simulation);
    let start = State::initial(model, settings.start);
    let mut scratch = start.clone();
    let (n, m) = (start.q.len(), start.v.len());
    let mut best: Option<Stencil> = None;
    for mut stencil in Stencil::candidates(parameter, model)? {
        stencil.differentiate(n + 2 * m, |model, work, out| {
            let own = State::initial(model, settings.start);
            out[..n].copy_from_slice(&own.q);
            out[n..n + m].copy_from_slice(&own.v);
            accelerations(model, work, &start, &mut scratch)?;
            out[n + m..].copy_from_slice(&work.accelerations.chidot);
            Ok(())
        })?;
        if best.as_ref().is_none_or(|best| stencil.error < best.error) {
            best = Some(stencil);
        }
    }
    let cause = "no value near it gives a model".to_string();
    let mut stencil =
        best.ok_or_else(|| SensitivityError::Build { parameter: parameter.name.clone(), cause })?;
    let breaks = crate::simulate::break_points(model, settings);
    if stencil.nodes.iter().any(|node| crate::simulate::break_points(&node.model, settings) != breaks) {
        return Err(SensitivityError::BreakPoint { parameter: parameter.name.clone() });
    }
    stencil.error = 0.0;
    Ok(stencil)
}

/// Callbacks and closed loops.
pub(super) fn refuse_unknown(model: &Model) -> Result<(), SensitivityError> {
    if let Some(joint) = model.loops.first() {
        return Err(SensitivityError::Loops(joint.name.clone()));
    }
    refuse_callbacks(model)
}

/// Control laws of plain numbers.
pub(super) fn refuse_callbacks(model: &Model) -> Result<(), SensitivityError> {
    let mut callbacks =
        model.controllers.iter().filter(|c| matches!(c.block, crate::control::Block::Callback(..)));
    callbacks.next().map_or(Ok(()), |found| Err(SensitivityError::Callback(found.name.clone())))
}
