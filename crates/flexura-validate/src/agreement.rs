//! All algorithms and formulations on one model: they must agree, and energy must balance.
//!
//! Time histories: explicit error-controlled integration with articulated bodies and with divide and conquer; the
//! trapezoidal rule in tree coordinates and in natural coordinates at steps h and h/2, whose errors must fall at
//! second order and whose extrapolation (4 f(h/2) − f(h))/3 must meet the explicit run. Accelerations at states
//! along the way: besides, the dense mass matrix of composite bodies (trees) and the equations generated from the
//! linear graph.

use crate::context::{Context, Fault, PHYSICS};
use crate::figure::{Curve, Figure, Panel};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::sampled::keep_worst;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::conjugate_gradient::{ConjugateGradient, conjugate_gradient};
use flexura::build::Built;
use flexura::formulation::global::{GlobalModel, GlobalOptions};
use flexura::formulation::graph::Equations;
use flexura::integrate::Integrator;
use flexura::model::description::AlgorithmDescription;
use flexura::state::prescribe::apply_prescribed;
use flexura::{State, Workspace, evaluate};

/// Energy balance asked of error-controlled runs.
pub const ENERGY: f64 = 1e-6;
/// Accelerations of one state by two algorithms: rounding times the condition of the mass matrix.
const ACCELERATIONS: f64 = 1e-8;
/// Two error-controlled runs that differ in rounding only.
const EXPLICIT: f64 = 1e-6;
/// Two error-controlled runs by different methods at tolerances of 1e-8.
pub const METHODS: f64 = 1e-5;
/// More speeds than this are left out of the dense routes.
const DENSE: usize = 250;

/// More speeds than this are not run with the equations of the linear graph, which are dense.
const GRAPH: usize = 40;
/// Share of a run that they do in the fast part of a case; else they do all of it.
const QUICK_SHARE: f64 = 0.1;

/// A route that takes a step (s).
pub(crate) type RouteOfStep = fn(f64) -> Route;

/// Second-order steps beside the explicit run.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a> {
    /// End of these runs (s).
    pub end: f64,
    /// Larger of the two steps (s).
    pub step: f64,
    /// Time between rows (s): a multiple of the step.
    pub rows: f64,
    /// Channels compared.
    pub channels: &'a [&'a str],
    /// Difference allowed after extrapolation, as a share of the range of a channel.
    pub share: f64,
    /// Whether natural coordinates can take the model.
    pub global: bool,
}

fn property(quantity: Quantity) -> Quantity {
    quantity.source(PHYSICS, Trust::T1)
}

impl Context<'_> {
    /// Judges the energy balance of an error-controlled run, and of constraints where there are loops; draws both.
    pub fn balance(&mut self, run: &Run, what: &str) -> Result<(), Fault> {
        let name = format!("energy balance, {what}");
        let why = "asked of every error-controlled run: unaccounted energy over the largest energy met";
        self.judge(property(Quantity::new(name, "1", run.energy_error()?).at_most(ENERGY, why)));
        let energy = |part: &str| run.channel(&format!("energy.{part}"));
        let mut lines = Vec::new();
        for part in ["kinetic", "gravity", "elastic", "springs", "elements", "work"] {
            let one = energy(part)?;
            if one.y.iter().any(|value| *value != 0.0) {
                lines.push(Curve::line(part, &one.x, &one.y));
            }
        }
        let balance = energy("balance")?;
        let unaccounted: Vec<f64> = balance.y.iter().map(|value| value.abs()).collect();
        let mut panels = vec![
            Panel::over_time("energies", "J", lines),
            Panel::over_time("unaccounted", "J", vec![Curve::line("unaccounted", &balance.x, &unaccounted)])
                .logarithmic(),
        ];
        if let Ok(violation) = run.channel("constraint.position") {
            let rates = run.channel("constraint.velocity")?;
            let curves = vec![
                Curve::line("positions (m, rad)", &violation.x, &violation.y),
                Curve::line("velocities (m/s, rad/s)", &rates.x, &rates.y),
            ];
            panels.push(Panel::over_time("constraints", "", curves).logarithmic());
        }
        self.draw_last(Figure::new(
            format!("Energies, balance and constraints: {what} ({}).", run.route),
            panels,
        ));
        Ok(())
    }

    /// Runs `built` explicitly, with balance and all other routes; returns the explicit run.
    pub fn all_routes(
        &mut self,
        built: &Built,
        what: &str,
        tolerance: f64,
        plan: &Plan,
        steps: Option<&Steps>,
    ) -> Result<Run, Fault> {
        let run = self.run(built, Route::Articulated(tolerance), plan)?;
        self.balance(&run, what)?;
        let divided = self.run(built, Route::DivideAndConquer(tolerance), plan)?;
        self.same(
            &run,
            &divided,
            &format!("divide and conquer against articulated bodies, {what}"),
            EXPLICIT,
        )?;
        self.graph_run(built, what, tolerance, plan, &run)?;
        self.accelerations_agree(built, what, tolerance, plan.end)?;
        if let Some(steps) = steps {
            self.implicit_routes(built, what, &run, steps)?;
        }
        Ok(run)
    }

    /// Runs with the equations of the linear graph, where these are small enough: to the end, or the beginning in the fast part.
    fn graph_run(
        &mut self,
        built: &Built,
        what: &str,
        tolerance: f64,
        plan: &Plan,
        explicit: &Run,
    ) -> Result<(), Fault> {
        if built.model.speed_count() > GRAPH {
            return Ok(());
        }
        let name = format!("linear graph against articulated bodies, {what}");
        if !self.quick {
            let graph = self.run(built, Route::Graph(tolerance), plan)?;
            return self.same(&graph, explicit, &name, EXPLICIT);
        }
        let start = built.description.simulation.start;
        let rows = ((plan.end - start) / plan.rows * QUICK_SHARE).ceil().max(2.0);
        let short = Plan { end: start + rows * plan.rows, ..*plan };
        let graph = self.run(built, Route::Graph(tolerance), &short)?;
        self.same_within(&graph, explicit, &name, EXPLICIT)
    }

    /// Judges the largest difference of the first run from the second at the rows of the first.
    fn same_within(&mut self, one: &Run, other: &Run, name: &str, share: f64) -> Result<(), Fault> {
        let mut worst = 0.0_f64;
        let skip =
            |name: &str| name == "time" || name.starts_with("energy") || name.starts_with("constraint");
        for channel in one.recording.names().iter().filter(|name| !skip(name)) {
            let (a, b) = (one.channel(channel)?, other.channel(channel)?);
            let size = b.range().max(1e-3 * b.y.iter().fold(0.0, |m: f64, x| m.max(x.abs()))).max(1e-9);
            for (time, value) in a.x.iter().zip(&a.y) {
                worst = keep_worst(worst, (value - b.at(*time)).abs() / size);
            }
        }
        let why = "two error-controlled runs of different equations: largest difference over the range of a channel";
        self.judge(property(Quantity::new(name, "1", worst).at_most(share, why)));
        Ok(())
    }

    /// Judges the largest difference of two runs over all their common channels but energies.
    pub(crate) fn same(&mut self, one: &Run, other: &Run, name: &str, share: f64) -> Result<(), Fault> {
        let mut worst = 0.0_f64;
        let skip =
            |name: &str| name == "time" || name.starts_with("energy") || name.starts_with("constraint");
        for channel in one.recording.names().iter().filter(|name| !skip(name)) {
            let (a, b) = (one.channel(channel)?, other.channel(channel)?);
            // Channels that stand still have rounding for a range.
            let size = a.range().max(1e-3 * a.y.iter().fold(0.0, |m: f64, x| m.max(x.abs()))).max(1e-9);
            worst = keep_worst(worst, a.distance(&b) / size);
        }
        let why = "two error-controlled runs: largest difference over the range of a channel";
        self.judge(property(Quantity::new(name, "1", worst).at_most(share, why)));
        Ok(())
    }

    /// Judges accelerations of all algorithms at the start and at three later states.
    pub fn accelerations_agree(
        &mut self,
        built: &Built,
        what: &str,
        tolerance: f64,
        end: f64,
    ) -> Result<(), Fault> {
        self.stage("accelerations by all algorithms");
        let model = &built.model;
        let (mut worst, mut size) = ([0.0_f64; 4], 1e-9_f64);
        for state in states_along(built, tolerance, end)? {
            let mut work = Workspace::new(model);
            let mut state = state;
            apply_prescribed(model, &mut state, Some(&mut work.load));
            evaluate(model, &state, &mut work)?;
            let expected = work.accelerations.chidot.clone();
            size = expected.iter().fold(size, |most, x| most.max(x.abs()));
            let mut divided = Workspace::new(model);
            divided.choose(
                model,
                AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 1, refinements: 0 },
            )?;
            apply_prescribed(model, &mut state, Some(&mut divided.load));
            evaluate(model, &state, &mut divided)?;
            worst[0] = keep_worst(worst[0], difference(&divided.accelerations.chidot, &expected));
            if model.speed_count() > DENSE {
                continue;
            }
            if model.loops.is_empty() {
                let mut composite = CompositeBody::new(model)?;
                composite_body(model, &work.motion.kinematics, &work.inertias, &work.load, &mut composite)?;
                worst[1] = keep_worst(worst[1], difference(&composite.chidot, &expected));
                let mut gradients = ConjugateGradient::new(model);
                conjugate_gradient(
                    model,
                    &work.motion.kinematics,
                    &work.inertias,
                    &work.load,
                    &mut gradients,
                )?;
                worst[3] = keep_worst(worst[3], difference(&gradients.chidot, &expected));
            }
            let solution = Equations::generate(model, &state).solve(model)?;
            worst[2] = keep_worst(worst[2], difference(&solution.accelerations, &expected));
        }
        let names = ["divide and conquer", "composite bodies", "linear graph", "conjugate gradients"];
        let dense = model.speed_count() <= DENSE;
        for (k, (name, error)) in names.into_iter().zip(worst).enumerate() {
            if (k > 0 && !dense) || (k % 2 == 1 && !model.loops.is_empty()) {
                continue;
            }
            let name = format!("accelerations by {name} against articulated bodies, {what}");
            let why = "rounding times the condition of the mass matrix: largest difference at four states of the run \
                       over the largest acceleration";
            let quantity = Quantity::new(name, "1", error / size);
            // An iteration ends at the rounding of one product, as large as that of all that a body carries.
            let iterated = "an iteration ends at the rounding of a product: on long chains of stiff segments that is far more \
                            than a factorisation loses; random trees judge it in the tests";
            let judged = if k == 3 && model.body_count() > 1 {
                quantity.without_reference(iterated)
            } else {
                quantity.at_most(ACCELERATIONS, why)
            };
            self.judge(property(judged));
        }
        Ok(())
    }

    /// Runs both implicit formulations at two steps and judges order, extrapolation and energy.
    pub fn implicit_routes(
        &mut self,
        built: &Built,
        what: &str,
        explicit: &Run,
        steps: &Steps,
    ) -> Result<(), Fault> {
        let plan = Plan { end: steps.end, rows: steps.rows, channels: steps.channels };
        let natural = steps.global && GlobalModel::new(&built.model, &GlobalOptions::default()).is_ok();
        let routes: [(&str, RouteOfStep); 2] =
            [("topological formulation", Route::Topological), ("natural coordinates", Route::Global)];
        for (name, route) in routes.into_iter().take(if natural { 2 } else { 1 }) {
            let coarse = self.run(built, route(steps.step), &plan)?;
            let fine = self.run(built, route(0.5 * steps.step), &plan)?;
            self.judge_order([&coarse, &fine], explicit, steps, &format!("{name}, {what}"))?;
        }
        if steps.global && !natural {
            self.note(format!("Natural coordinates cannot take this model ({what})."));
        }
        Ok(())
    }

    /// Judges two runs with steps h and h/2: extrapolation against the explicit run, order of the motion and of the energy error.
    pub(crate) fn judge_order(
        &mut self,
        [coarse, fine]: [&Run; 2],
        explicit: &Run,
        steps: &Steps,
        what: &str,
    ) -> Result<(), Fault> {
        let mut worst = [0.0_f64; 3];
        for name in steps.channels {
            let [a, b, exact] = [coarse.channel(name)?, fine.channel(name)?, explicit.channel(name)?];
            let size = exact.range();
            for (i, &time) in a.x.iter().enumerate() {
                let [a, b, exact] = [a.y[i], b.at(time), exact.at(time)];
                for (slot, found) in worst.iter_mut().zip([a, b, (4.0 * b - a) / 3.0]) {
                    *slot = keep_worst(*slot, (found - exact).abs() / size);
                }
            }
        }
        let name = format!("{what}: extrapolated from two steps, against articulated bodies");
        let why = "other formulation of the same model: what is left at fourth order of the step";
        self.judge(property(Quantity::new(name, "1", worst[2]).at_most(steps.share, why)));
        let order = (worst[0] / worst[1]).log2();
        let why = "second order of the trapezoidal rule, 2 less what the next term takes";
        self.judge(property(
            Quantity::new(format!("{what}: observed order of the motion"), "1", order).at_least(1.7, why),
        ));
        let [a, b] = [coarse.energy_error()?, fine.energy_error()?];
        // Below this the solution of the nonlinear equations is what is left.
        if b > 1e-11 {
            let name = format!("{what}: observed order of the energy error");
            self.judge(property(Quantity::new(name, "1", (a / b).log2()).at_least(1.7, why)));
        }
        Ok(())
    }
}

/// Largest difference.
fn difference(found: &[f64], expected: &[f64]) -> f64 {
    found.iter().zip(expected).fold(0.0, |worst, (a, b)| keep_worst(worst, (a - b).abs()))
}

/// The initial state and three later ones, unevenly spaced so that no symmetric position is met.
fn states_along(built: &Built, tolerance: f64, end: f64) -> Result<Vec<State>, Fault> {
    let model = &built.model;
    let mut state = State::initial(model, built.description.simulation.start);
    let mut work = Workspace::new(model);
    let mut integrator = Integrator::new(model, &Route::Articulated(tolerance.max(1e-8)).method());
    let mut states = vec![state.clone()];
    for share in [0.037, 0.081, 0.143] {
        let until = share * end;
        while state.time < until {
            integrator.step(model, &mut state, &mut work, until)?;
        }
        states.push(state.clone());
    }
    Ok(states)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::CaseOutcome;
    use crate::quantity::Verdict;
    use crate::run::model_with;
    use flexura::file::NoSource;
    use std::sync::atomic::AtomicBool;

    const PENDULUM: &str = include_str!("../models/validation/iftomm_pendulum.toml");
    const CHANNELS: [&str; 2] = ["bob.mass.position.x", "bob.mass.position.y"];
    const PLAN: Plan = Plan { end: 1.0, rows: 0.05, channels: &CHANNELS };
    const STEPS: Steps =
        Steps { end: 1.0, step: 2e-3, rows: 0.05, channels: &CHANNELS, share: 1e-5, global: false };

    fn pendulum(gravity: f64) -> Built {
        let settings = [("model.gravity.2", gravity)];
        model_with(PENDULUM, "pendulum", &settings, &NoSource).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    /// What `check` finds.
    fn found(check: impl Fn(&mut Context) -> Result<(), Fault>) -> CaseOutcome {
        let (stop, hear) = (AtomicBool::new(false), |_: &str| {});
        let mut context = Context::new(crate::cases::CASES[0], true, &hear, &stop);
        check(&mut context).unwrap_or_else(|fault| panic!("{fault:?}"));
        context.finish()
    }

    fn verdicts(outcome: &CaseOutcome) -> Vec<Verdict> {
        outcome.quantities.iter().map(|quantity| quantity.verdict).collect()
    }

    /// Numerical damping takes energy that nobody accounts for.
    #[test]
    fn lost_energy_fails() {
        for (route, verdict) in
            [(Route::Articulated(1e-9), Verdict::Pass), (Route::Damped(0.02, 0.5), Verdict::Fail)]
        {
            let outcome = found(|context| {
                let run = context.run(&pendulum(-9.81), route, &PLAN)?;
                context.balance(&run, "pendulum")
            });
            assert_eq!(verdicts(&outcome), [verdict], "{:?}", outcome.quantities);
        }
    }

    /// Steps of another pendulum do not converge to the explicit run: neither extrapolation nor order is right.
    #[test]
    fn runs_of_different_models_do_not_agree() {
        for (gravity, verdict) in [(-9.81, Verdict::Pass), (-9.80, Verdict::Fail)] {
            let outcome = found(|context| {
                let explicit = context.run(&pendulum(-9.81), Route::Articulated(1e-10), &PLAN)?;
                context.implicit_routes(&pendulum(gravity), "pendulum", &explicit, &STEPS)
            });
            assert_eq!(verdicts(&outcome)[..2], [verdict; 2], "{:?}", outcome.quantities);
            // The energy error falls at second order whatever gravity is.
            assert_eq!(verdicts(&outcome)[2..], [Verdict::Pass]);
        }
    }

    #[test]
    fn runs_that_should_be_the_same_are_compared() {
        for (gravity, verdict) in [(-9.81, Verdict::Pass), (-9.8101, Verdict::Fail)] {
            let outcome = found(|context| {
                let one = context.run(&pendulum(-9.81), Route::Articulated(1e-9), &PLAN)?;
                let other = context.run(&pendulum(gravity), Route::DivideAndConquer(1e-9), &PLAN)?;
                context.same(&one, &other, "pendulum", EXPLICIT)
            });
            assert_eq!(verdicts(&outcome), [verdict], "{:?}", outcome.quantities);
        }
        let divided = Route::DivideAndConquer(1e-9).algorithm();
        assert!(matches!(divided, AlgorithmDescription::DivideAndConquer { .. }), "{divided:?}");
    }

    #[test]
    fn what_is_no_number_is_the_worst() {
        for (errors, expected) in
            [([1.0, 3.0, 2.0], 3.0), ([1.0, f64::NAN, 2.0], f64::NAN), ([f64::NAN, 1.0, 2.0], f64::NAN)]
        {
            let worst = errors.into_iter().fold(0.0, keep_worst);
            assert!(worst == expected || (worst.is_nan() && expected.is_nan()), "{errors:?}: {worst}");
        }
        assert!(difference(&[0.0, f64::NAN, 1.0], &[0.0; 3]).is_nan());
    }
}
