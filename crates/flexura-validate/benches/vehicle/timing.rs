//! Times of one run: of every step the least time over several rounds counts, so that interruptions by other work
//! on the machine do not.

use flexura::algorithm::body_inertia::evaluate_bodies;
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions, InertiaRoute};
use flexura::integrate::Integrator;
use flexura::model::description::{DampingChoice, MethodDescription};
use flexura::{Model, State, Workspace};
use std::hint::black_box;
use std::time::Instant;

/// What a run of a formulation took.
pub struct Taken {
    /// Coordinates: those of the tree, or natural and modal ones.
    pub coordinates: usize,
    /// Steps done.
    pub steps: usize,
    /// Sum of the least times of all steps (s).
    pub seconds: f64,
    /// Newton iterations per step.
    pub newton: f64,
    /// Most Newton iterations of a step.
    pub most: usize,
    /// Share of the time that goes into mass blocks and inertia forces of bodies, one evaluation per iteration.
    pub inertia: f64,
    /// Whether the end was reached.
    pub whole: bool,
}

/// Least time of five calls in a row among many (s per call): short enough to fall between interruptions.
fn of_one_call(mut call: impl FnMut()) -> f64 {
    (0..2000).fold(f64::INFINITY, |best, _| {
        let began = Instant::now();
        (0..5).for_each(|_| call());
        best.min(began.elapsed().as_secs_f64() / 5.0)
    })
}

/// Runs `step` until it fails or has been called `count` times, `rounds` times over; `start` comes before each
/// round. Returns the sum of the least times, the iterations of each step and whether the end was reached.
fn repeated<T>(
    (count, rounds): (usize, usize),
    start: impl Fn() -> Option<T>,
    mut step: impl FnMut(&mut T) -> Option<usize>,
) -> Option<(f64, Vec<usize>, bool)> {
    let (mut least, mut iterations) = (vec![f64::INFINITY; count], Vec::new());
    for _ in 0..rounds {
        let mut run = start()?;
        iterations.clear();
        for slot in &mut least {
            let began = Instant::now();
            let Some(taken) = step(&mut run) else { break };
            *slot = slot.min(began.elapsed().as_secs_f64());
            iterations.push(taken);
        }
    }
    let done = iterations.len();
    (done > 0).then(|| (least[..done].iter().sum(), iterations, done == count))
}

fn summary(coordinates: usize, timed: (f64, Vec<usize>, bool), inertia_call: f64) -> Taken {
    let (seconds, iterations, whole) = timed;
    let total: usize = iterations.iter().sum();
    Taken {
        coordinates,
        steps: iterations.len(),
        seconds,
        newton: total as f64 / iterations.len() as f64,
        most: iterations.iter().copied().max().unwrap_or(0),
        inertia: inertia_call * total as f64 / seconds,
        whole,
    }
}

/// Trapezoidal rule in the topological formulation.
pub fn topological(model: &Model, step: f64, end: f64, rounds: usize) -> Option<Taken> {
    let method = MethodDescription::Implicit { damping: DampingChoice::None, step, tolerance: 0.0 };
    let first = Integrator::new(model, &method);
    let mut work = Workspace::new(model);
    let count = (end / step).round() as usize;
    let iterations = |integrator: &Integrator| integrator.topological().map(|t| t.counts.iterations);
    let timed = repeated(
        (count, rounds),
        || Some((first.clone(), State::initial(model, 0.0))),
        |(integrator, state)| {
            let before = iterations(integrator)?;
            integrator.step(model, state, &mut work, f64::INFINITY).ok()?;
            Some((iterations(integrator)? - before) as usize)
        },
    )?;
    let state = State::initial(model, 0.0);
    work.kinematics(model, &state);
    let call = of_one_call(|| {
        evaluate_bodies(model, black_box(&state), &work.motion.kinematics, &mut work.inertias)
    });
    let free = model.prescribed.iter().filter(|prescribed| !**prescribed).count();
    Some(summary(free, timed, call))
}

/// The same in natural coordinates.
pub fn global(model: &Model, inertia: InertiaRoute, step: f64, end: f64, rounds: usize) -> Option<Taken> {
    let options = GlobalOptions { inertia, ..GlobalOptions::default() };
    let global = GlobalModel::new(model, &options).ok()?;
    let mut integrator = GlobalIntegrator::new(model, &global);
    let initial = integrator.initial(model, &global).ok()?;
    let count = (end / step).round() as usize;
    let timed = repeated(
        (count, rounds),
        || Some(initial.clone()),
        |state| Some(integrator.step(model, &global, state, step).ok()?.iterations),
    )?;
    let call = of_one_call(|| integrator.evaluate_inertia(&global, black_box(&initial)));
    Some(summary(global.coordinate_count(), timed, call))
}
