//! What the parameters change: constants of an evaluation, functions of time, the initial state.
//!
//! Constants cᵢ of an evaluation are numbered in the order of their use (`scalar/taped.rs`). The tape gives ∂J/∂cᵢ, summed over the
//! whole run; models built at shifted values give ∂cᵢ/∂p once per parameter (`slopes.rs`), and
//!
//! dJ/dp = Σᵢ ∂J/∂cᵢ ∂cᵢ/∂p + Σ s̄ ∂s/∂p + ∂J/∂x₀ dx₀/dp   (AD.4)
//!
//! so that the number of parameters does not enter the cost of a step. Where an evaluation takes another branch (a contact
//! closes, a table goes on to its next piece), its constants are others: that is a path of its own, noticed by count and hash of the
//! constants, with its own numbers and sums. Paths are prepared when they are first met. Where constants do not depend on a parameter
//! smoothly, Σ |∂J/∂c| times what two orders and the models around leave open tells, and it is followed otherwise (`direct.rs`).
//!
//! Typeset: book/src/theory/adjoint.md (AD.4).

use super::drives::{Asked, Drive, drives_of, values_of};
use super::slopes::{Found, Lister, Steps, listed};
use super::{Cost, GradientError};
use crate::analysis::sensitivity::{Parameter, SensitivityError, Stencil};
use crate::model::Model;
use crate::model::description::SimulationDescription;
use crate::scalar::{Meaning, with_tape};
use crate::state::State;
use crate::time_function::Side;
use std::time::Instant;

/// Ways through evaluations beyond which something else than branches must be at work.
const MOST_PATHS: usize = 4096;

/// Share of the terms of a derivative that its constants may leave open: two orders differ far more than the better one is off.
const ROUGH: f64 = 1e-7;

/// One way through an evaluation.
#[derive(Debug, Default)]
struct Path {
    count: usize,
    hash: u64,
    marked: Vec<bool>,
    /// For every parameter: derivatives of constants, with their number and what each leaves open.
    slopes: Vec<Vec<(usize, f64, f64)>>,
    /// ∂J/∂c.
    sums: Vec<f64>,
}

/// Functions of time at the shifted values of one parameter.
struct Shifted {
    parameter: usize,
    /// Weight and functions of every shifted model.
    nodes: Vec<(f64, Vec<Drive>, Model)>,
}

/// The influence of all parameters.
pub(super) struct Influence<'a> {
    parameters: &'a [Parameter<'a>],
    /// Distances of the shifted models of every parameter; none where constants are not smooth.
    steps: Vec<Option<Steps>>,
    construction: Path,
    /// Paths by kind of evaluation, and the last one taken.
    paths: [(Vec<Path>, usize); 4],
    /// Derivatives of the initial coordinates and speeds.
    initial: Vec<Vec<f64>>,
    shifted: Vec<Shifted>,
    /// Σ s̄ ∂s/∂p.
    driven: Vec<f64>,
    scratch: [Vec<f64>; 2],
}

/// Kinds of evaluations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Rates,
    Channels,
    Samples,
    Loops,
}

impl<'a> Influence<'a> {
    /// Prepares what does not depend on the run; `construct` makes the scratch of an evaluation, `probe` evaluates besides, `dress`
    /// gives a model the inputs of the run.
    pub fn new(
        base: (&Model, &SimulationDescription),
        parameters: &'a [Parameter<'a>],
        (construct, probe): (&mut Lister<'_>, &mut Lister<'_>),
        dress: &dyn Fn(&mut Model),
        cost: &mut Cost,
    ) -> Result<Self, GradientError> {
        let mut influence = Self {
            parameters,
            steps: Vec::new(),
            construction: Path::default(),
            paths: Default::default(),
            initial: Vec::new(),
            shifted: Vec::new(),
            driven: vec![0.0; parameters.len()],
            scratch: Default::default(),
        };
        let constants = listed(base.0, construct);
        influence.construction.start(constants.len());
        let probed = if parameters.is_empty() { Vec::new() } else { listed(base.0, probe) };
        for (index, parameter) in parameters.iter().enumerate() {
            let steps = Steps::choose(parameter, base.0, probe, &probed, cost)?;
            let found = match &steps {
                Some(steps) => steps.slopes(parameter, base.0, construct, &constants, cost)?,
                None => None,
            };
            let smooth = found.is_some();
            influence.construction.enter(found);
            let first = steps.as_ref().map_or_else(|| Stencil::steps(parameter)[0], Steps::first);
            influence.steps.push(steps.filter(|_| smooth));
            let mut stencil = Stencil::around(parameter, base.0, first)?;
            stencil.nodes.iter_mut().for_each(|node| dress(&mut node.model));
            influence.take(index, base, &mut stencil)?;
        }
        Ok(influence)
    }

    /// Enters what parameter `index` changes besides constants.
    fn take(
        &mut self,
        index: usize,
        (model, settings): (&Model, &SimulationDescription),
        stencil: &mut Stencil,
    ) -> Result<(), GradientError> {
        let name = &self.parameters[index].name;
        let breaks = crate::simulate::break_points(model, settings);
        let moved = |model: &Model| crate::simulate::break_points(model, settings) != breaks;
        if stencil.nodes.iter().any(|node| moved(&node.model)) {
            return Err(SensitivityError::BreakPoint { parameter: name.clone() }.into());
        }
        let (n, m) = (model.initial_q.len(), model.speed_count());
        let initial = stencil.differentiate(n + m, |model, _, out| {
            let own = State::initial(model, settings.start);
            out[..n].copy_from_slice(&own.q);
            out[n..].copy_from_slice(&own.v);
            Ok(())
        })?;
        self.initial.push(initial.to_vec());
        let all = |model: &Model| {
            let mut list = drives_of(model, Asked::Dynamics, |_| true);
            list.extend(drives_of(model, Asked::Samples, |_| true));
            list
        };
        let base = all(model);
        if self.steps[index].is_none() || stencil.nodes.iter().all(|node| all(&node.model) == base) {
            return Ok(());
        }
        let poses = |list: &[Drive]| -> Vec<Drive> {
            list.iter().filter(|drive| matches!(drive, Drive::Pose(..))).cloned().collect()
        };
        if stencil.nodes.iter().any(|node| poses(&all(&node.model)) != poses(&base)) {
            self.steps[index] = None;
            return Ok(());
        }
        let nodes = stencil.nodes.iter().map(|node| {
            (node.weight(), drives_of(&node.model, Asked::Dynamics, |_| true), node.model.clone())
        });
        self.shifted.push(Shifted { parameter: index, nodes: nodes.collect() });
        Ok(())
    }

    /// Parameters that constants do not depend on smoothly.
    pub fn direct(&self) -> impl Iterator<Item = usize> + '_ {
        self.steps.iter().enumerate().filter(|(_, steps)| steps.is_none()).map(|(index, _)| index)
    }

    /// The parameters.
    pub fn parameters(&self) -> &'a [Parameter<'a>] {
        self.parameters
    }

    /// Marks the constants of construction that become leaves.
    pub fn construction_marks(&self) -> Vec<bool> {
        self.construction.marked.clone()
    }

    /// The path that the last evaluation of this kind took, and its constants that become leaves; none where nothing is followed.
    pub fn path(&self, kind: Kind) -> usize {
        self.paths[kind as usize].1
    }

    pub fn marks(&self, kind: Kind) -> Vec<bool> {
        let (paths, last) = &self.paths[kind as usize];
        paths.get(*last).map_or_else(Vec::new, |path| path.marked.clone())
    }

    /// Adds derivatives over constants of construction, or of a path.
    pub fn add(&mut self, kind: Kind, path: usize, meaning: Meaning, value: f64) {
        match (meaning, self.paths[kind as usize].0.get_mut(path)) {
            (Meaning::Construction(i), _) => self.construction.sums[i] += value,
            (Meaning::Constant(i), Some(path)) => path.sums[i] += value,
            _ => {}
        }
    }

    /// Whether no constant depends on a parameter.
    pub fn is_empty(&self) -> bool {
        self.steps.iter().all(Option::is_none)
    }

    /// Tapes by `tape`, with the constants of the path that the evaluation takes marked; `list` lists those of any model.
    pub fn follow(
        &mut self,
        kind: Kind,
        model: &Model,
        tape: &mut dyn FnMut(),
        list: &mut Lister<'_>,
        cost: &mut Cost,
    ) -> Result<(), GradientError> {
        loop {
            let (paths, last) = &mut self.paths[kind as usize];
            if let Some(path) = paths.get_mut(*last) {
                with_tape(|tape| std::mem::swap(&mut tape.marked, &mut path.marked));
            }
            tape();
            cost.tapes += 1;
            let (count, hash) = with_tape(|tape| (tape.count, tape.hash));
            if let Some(path) = paths.get_mut(*last) {
                with_tape(|tape| std::mem::swap(&mut tape.marked, &mut path.marked));
            }
            let fits = |path: &Path| path.count == count && path.hash == hash;
            if paths.get(*last).is_some_and(fits) {
                return Ok(());
            }
            if paths.len() >= MOST_PATHS {
                return Err(GradientError::Paths(MOST_PATHS));
            }
            match paths.iter().position(fits) {
                Some(index) => *last = index,
                None => {
                    let mut path = self.prepare(model, list, cost)?;
                    (path.count, path.hash) = (count, hash);
                    let (paths, last) = &mut self.paths[kind as usize];
                    *last = paths.len();
                    paths.push(path);
                }
            }
        }
    }

    /// A path with the constants that `list` lists. A parameter that they do not depend on smoothly is taken out, and the way
    /// back must begin anew.
    fn prepare(
        &mut self,
        model: &Model,
        list: &mut Lister<'_>,
        cost: &mut Cost,
    ) -> Result<Path, GradientError> {
        let started = Instant::now();
        cost.paths += 1;
        let constants = listed(model, list);
        let mut path = Path::default();
        path.start(constants.len());
        for (index, parameter) in self.parameters.iter().enumerate() {
            let Some(steps) = &self.steps[index] else {
                path.enter(None);
                continue;
            };
            let found = steps.slopes(parameter, model, list, &constants, cost)?;
            if found.is_none() {
                self.give_up(index);
                return Err(GradientError::Again);
            }
            path.enter(found);
        }
        cost.model_seconds += started.elapsed().as_secs_f64();
        Ok(path)
    }

    /// Constants no longer tell about parameter `index`.
    fn give_up(&mut self, index: usize) {
        self.steps[index] = None;
        self.shifted.retain(|shifted| shifted.parameter != index);
        let all = self.paths.iter_mut().flat_map(|(paths, _)| paths);
        all.chain(std::iter::once(&mut self.construction)).for_each(|path| path.slopes[index].clear());
    }

    /// Takes the derivatives that a sweep has found over constants.
    pub fn collect(&mut self, kind: Kind) {
        let (paths, last) = &mut self.paths[kind as usize];
        if let Some(path) = paths.get_mut(*last) {
            with_tape(|tape| tape.constant_adjoints().for_each(|(i, value)| path.sums[i] += value));
        }
    }

    /// Takes the derivatives over functions of time at an instant.
    pub fn collect_drives(
        &mut self,
        instant: (f64, Side),
        adjoints: &[f64],
        asked: Asked,
        due: &dyn Fn(usize) -> bool,
    ) {
        let [values, reference] = &mut self.scratch;
        for shifted in &self.shifted {
            for (index, (weight, drives, model)) in shifted.nodes.iter().enumerate() {
                match asked {
                    Asked::Dynamics => values_of(drives, instant, values),
                    Asked::Samples | Asked::Loops => {
                        values_of(&drives_of(model, asked, due), instant, values)
                    }
                }
                if index == 0 {
                    reference.clone_from(values);
                }
                for ((value, first), adjoint) in values.iter().zip(reference.iter()).zip(adjoints) {
                    // Poses have no values here and no parameters either.
                    let apart = value - first;
                    if apart.abs() > 0.0 {
                        self.driven[shifted.parameter] += weight * apart * adjoint;
                    }
                }
            }
        }
    }

    /// Derivatives over all parameters; `start` are those over the initial state where it is the model's own.
    pub fn total(&self, start: Option<&[f64]>) -> Vec<f64> {
        let mut found = self.driven.clone();
        let all = self.paths.iter().flat_map(|(paths, _)| paths).chain(std::iter::once(&self.construction));
        for path in all {
            for (sum, slopes) in found.iter_mut().zip(&path.slopes) {
                *sum += slopes.iter().map(|&(i, slope, _)| path.sums[i] * slope).sum::<f64>();
            }
        }
        for (sum, initial) in found.iter_mut().zip(&self.initial) {
            *sum += start.map_or(0.0, |start| start.iter().zip(initial).map(|(a, b)| a * b).sum());
        }
        found
    }

    /// Whether functions of time depend on parameters.
    pub fn has_drives(&self) -> bool {
        !self.shifted.is_empty()
    }

    /// Gives up parameters whose constants leave too much open; whether there are any.
    pub fn give_up_rough(&mut self, cost: &mut Cost) -> bool {
        let mut rough = Vec::new();
        for index in (0..self.parameters.len()).filter(|&i| self.steps[i].is_some()) {
            let all =
                self.paths.iter().flat_map(|(paths, _)| paths).chain(std::iter::once(&self.construction));
            let (mut size, mut open) = (self.driven[index].abs(), 0.0);
            for path in all {
                for &(i, slope, error) in &path.slopes[index] {
                    size += (path.sums[i] * slope).abs();
                    open += (path.sums[i] * error).abs();
                }
            }
            if open > ROUGH * size {
                rough.push(index);
            } else if size > 0.0 {
                cost.model_error = cost.model_error.max(open / size);
            }
        }
        rough.iter().for_each(|&index| self.give_up(index));
        !rough.is_empty()
    }

    /// Takes the derivatives over the constants of construction.
    pub fn collect_construction(&mut self, adjoints: impl Iterator<Item = (usize, f64)>) {
        adjoints.for_each(|(i, value)| self.construction.sums[i] += value);
    }

    /// The first parameter that changes nothing of the model.
    pub fn idle(&self) -> Option<&str> {
        let unused = |index: usize| {
            if self.steps[index].is_none() {
                return false;
            }
            let all =
                self.paths.iter().flat_map(|(paths, _)| paths).chain(std::iter::once(&self.construction));
            all.into_iter().all(|path| path.slopes[index].is_empty())
                && self.initial[index].iter().all(|slope| *slope == 0.0)
                && self.shifted.iter().all(|shifted| shifted.parameter != index)
        };
        (0..self.parameters.len()).find(|&i| unused(i)).map(|i| self.parameters[i].name.as_str())
    }

    /// Forgets all sums, for another sweep over the run.
    pub fn clear(&mut self) {
        self.driven.fill(0.0);
        self.construction.sums.fill(0.0);
        self.paths.iter_mut().flat_map(|(paths, _)| paths).for_each(|path| path.sums.fill(0.0));
    }
}

impl Path {
    fn start(&mut self, count: usize) {
        self.marked = vec![false; count];
        self.sums = vec![0.0; count];
    }

    /// Enters the derivatives over the next parameter.
    fn enter(&mut self, found: Option<Found>) {
        let (slopes, errors) = found.unwrap_or_default();
        let all = slopes.into_iter().zip(errors).enumerate().map(|(i, (slope, error))| (i, slope, error));
        let slopes: Vec<(usize, f64, f64)> = all.filter(|(_, slope, _)| *slope != 0.0).collect();
        slopes.iter().for_each(|&(i, ..)| self.marked[i] = true);
        self.slopes.push(slopes);
    }
}
