//! What Lugrís et al. (2007) say about robustness, searched automatically: the largest usable step of each
//! formulation (their Table 7), and how good an initial position must be.

use crate::four_bars::{four_bars, implicit};
use flexura::algorithm::energy;
use flexura::constraint::project_position;
use flexura::formulation::global::{GlobalIntegrator, GlobalModel, GlobalOptions};
use flexura::integrate::Integrator;
use flexura::model::description::DampingChoice;
use flexura::{Model, State, Workspace};

/// A step is usable if 5 s are reached and the energy never leaves this share of its start.
const KEPT: f64 = 0.1;

fn model(flexible: usize) -> Model {
    four_bars(2, flexible, 4, [0.0; 3]).build().unwrap_or_else(|error| panic!("{error}")).model
}

/// Largest error of the energy relative to its start over 5 s with steps of `h`; `None` where a step fails.
fn topological_error(model: &Model, damping: DampingChoice, h: f64) -> Option<f64> {
    let mut integrator = Integrator::new(model, &implicit(damping, h));
    let (mut state, mut work) = (State::initial(model, 0.0), Workspace::new(model));
    let mut watch = Workspace::new(model);
    let mut now = |state: &State| {
        watch.kinematics(model, state);
        watch.poses(model, state);
        energy(model, state, &watch.motion, &watch.inertias).total()
    };
    let (start, mut worst) = (now(&state), 0.0_f64);
    while state.time < 5.0 - 1e-9 {
        integrator.step(model, &mut state, &mut work, 1e9).ok()?;
        worst = worst.max((now(&state) / start - 1.0).abs());
    }
    Some(worst)
}

fn global_error(model: &Model, h: f64) -> Option<f64> {
    let global = GlobalModel::new(model, &GlobalOptions::default()).ok()?;
    let mut integrator = GlobalIntegrator::new(model, &global);
    let mut state = integrator.initial(model, &global).ok()?;
    let total = |integrator: &mut GlobalIntegrator, state: &_| {
        integrator.energy(model, &global, state).iter().sum::<f64>()
    };
    let (start, mut worst) = (total(&mut integrator, &state), 0.0_f64);
    while state.time < 5.0 - 1e-9 {
        integrator.step(model, &global, &mut state, h).ok()?;
        worst = worst.max((total(&mut integrator, &state) / start - 1.0).abs());
    }
    Some(worst)
}

/// Steps tried (s): 1 ms × 1.25^k.
fn steps() -> impl Iterator<Item = f64> {
    (0..25).map(|k| 1e-3 * 1.25_f64.powi(k))
}

/// The largest step below which all steps are usable, the largest that is, and the letters of all: `.` usable,
/// `e` energy lost or won, `x` a step that fails.
fn search(error: impl Fn(f64) -> Option<f64>) -> String {
    let usable = |found: Option<f64>| found.is_some_and(|error| error < KEPT);
    let found: Vec<Option<f64>> = steps().map(error).collect();
    let safe = steps().zip(&found).take_while(|(_, found)| usable(**found)).map(|(step, _)| step).last();
    let any = steps().zip(&found).filter(|(_, found)| usable(**found)).map(|(step, _)| step).last();
    let letter = |found: &Option<f64>| {
        if usable(*found) {
            '.'
        } else if found.is_some() {
            'e'
        } else {
            'x'
        }
    };
    let [safe, any] = [safe, any].map(|step| 1e3 * step.unwrap_or(0.0));
    format!("{safe:>9.1} {any:>9.1}  {}", found.iter().map(letter).collect::<String>())
}

/// The table of largest usable steps.
pub fn largest_steps() {
    println!(
        "\nLargest usable step (ms) below which all are, and of all; 1 ms × 1.25^k up to 212 ms, 5 s each"
    );
    println!("(. usable: energy within 10 %, e energy lost or won, x a step fails)");
    println!("{:>14} {:>26} {:>9} {:>9}", "flexible bars", "formulation", "all below", "any");
    for flexible in [0, 1, 3, 5] {
        let model = model(flexible);
        let undamped = search(|h| topological_error(&model, DampingChoice::None, h));
        let damped = search(|h| topological_error(&model, DampingChoice::SpectralRadius(0.8), h));
        let natural = search(|h| global_error(&model, h));
        println!("{flexible:>14} {:>26} {undamped}", "topological");
        println!("{flexible:>14} {:>26} {damped}", "topological, radius 0.8");
        println!("{flexible:>14} {:>26} {natural}", "global");
    }
}

/// Positions disturbed by up to `size` (rad), attempt after attempt the same in every run.
fn disturbed(model: &Model, size: f64, attempt: usize) -> State {
    let mut state = State::initial(model, 0.0);
    for (i, x) in state.q.iter_mut().enumerate() {
        let spread = ((7 * i + 13 * attempt + 1) as f64 * 0.618_033_988_749_895).fract() - 0.5;
        *x += 2.0 * size * spread;
    }
    state
}

/// Share of 40 disturbed positions that each formulation closes by itself.
pub fn initial_positions() {
    println!(
        "\nRigid double four-bar: share of disturbed initial positions that the formulation closes by itself"
    );
    println!("{:>12} {:>12} {:>9}", "error (rad)", "topological", "global");
    let model = model(0);
    let options = GlobalOptions::default();
    let Ok(global) = GlobalModel::new(&model, &options) else { return };
    for size in [0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5] {
        let mut closed = [0; 2];
        for attempt in 0..40 {
            let start = disturbed(&model, size, attempt);
            let (mut state, mut work) = (start.clone(), Workspace::new(&model));
            closed[0] += usize::from(project_position(&model, &mut state, &mut work).is_ok());
            let mut integrator = GlobalIntegrator::new(&model, &global);
            let found = integrator.start(&model, &global, &start);
            closed[1] += usize::from(found.is_ok_and(|found| integrator.is_closed(&model, &global, &found)));
        }
        println!("{size:>12} {:>11.0}% {:>8.0}%", 2.5 * closed[0] as f64, 2.5 * closed[1] as f64);
    }
}
