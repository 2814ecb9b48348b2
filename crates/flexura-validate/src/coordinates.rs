//! The equations of the linear graph in joint, absolute and mixed coordinates against the other formulations: places of all frames.
//!
//! Source: Richard (2012, section 2): whatever tree is chosen, its branches give coordinates of the same motion. The reference is the
//! recursion over articulated bodies in joint coordinates. Both runs are error-controlled, so that what is left is their tolerance.
//! The topological and the global formulation take equal steps h, h/2, h/4, …; the trapezoidal rule has an error in even powers of h, and
//! Romberg's table of their runs must arrive at the places that the graph has.

use crate::agreement::{RouteOfStep, Steps};
use crate::context::{Context, Fault, PHYSICS};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run};
use crate::sampled::keep_worst;
use flexura::build::Built;
use flexura::formulation::global::{GlobalModel, GlobalOptions};
use flexura::model::description::TreeChoice;

/// Largest difference of a place over the largest range of one: what is asked of the graph.
const PLACES: f64 = 1e-8;
/// Tolerance of both error-controlled runs.
const TIGHT: f64 = 1e-11;
/// Places of all bodies and frames.
const ALL_PLACES: [&str; 1] = ["*.position.*"];
/// Times a step is halved at most.
const HALVINGS: usize = 6;

impl Context<'_> {
    /// Runs the graph in all three kinds of coordinates over `plan`, and the implicit formulations with refined steps; judges places. The
    /// fast part of a case does without.
    pub(crate) fn graph_in_any_coordinates(
        &mut self,
        built: &Built,
        what: &str,
        plan: &Plan,
        steps: Option<&Steps>,
    ) -> Result<(), Fault> {
        if self.quick {
            return Ok(());
        }
        let places = Plan { channels: &ALL_PLACES, ..*plan };
        let reference = self.run(built, Route::Articulated(TIGHT), &places)?;
        for (name, tree) in choices(built) {
            let mut description = built.description.clone();
            (description.graph.tree, description.graph.cut) = (tree, Vec::new());
            let other = description.build().map_err(|error| Fault(format!("{name} coordinates: {error}")))?;
            let graph = self.run(&other, Route::Graph(TIGHT), &places)?;
            let why = "two error-controlled runs of different equations: largest difference of a place over the largest range";
            let name = format!("linear graph in {name} coordinates against articulated bodies, {what}");
            self.judge_places(name, apart(&graph, &reference)?, why);
        }
        let Some(steps) = steps else { return Ok(()) };
        let natural = steps.global && GlobalModel::new(&built.model, &GlobalOptions::default()).is_ok();
        let routes: [(&str, RouteOfStep); 2] =
            [("topological formulation", Route::Topological), ("natural coordinates", Route::Global)];
        let plan = Plan { end: steps.end, rows: steps.rows, channels: &ALL_PLACES };
        let graph = self.run(built, Route::Graph(TIGHT), &plan)?;
        for (name, route) in routes.into_iter().take(if natural { 2 } else { 1 }) {
            let (halved, left) = self.refined(built, route, steps.step, &plan, &graph)?;
            let why = "equal steps refined: extrapolated from all of them, largest difference of a place over the largest range";
            let name = format!("{name}, steps halved {halved} times, against the linear graph, {what}");
            self.judge_places(name, left, why);
        }
        Ok(())
    }

    fn judge_places(&mut self, name: String, found: f64, why: &'static str) {
        self.judge(Quantity::new(name, "1", found).at_most(PLACES, why).source(PHYSICS, Trust::T1));
    }

    /// Halves `step` until Romberg's last two diagonal entries agree to a tenth of what is asked, or rounding makes them part again; returns how
    /// often it was halved for the entry that changed least, and the difference of that one from `graph`.
    fn refined(
        &mut self,
        built: &Built,
        route: RouteOfStep,
        step: f64,
        plan: &Plan,
        graph: &Run,
    ) -> Result<(usize, f64), Fault> {
        let exact = table(graph)?;
        let size = largest_range(&exact);
        let mut row = extrapolated(table(&self.run(built, route(step), plan)?)?, &[]);
        let (mut least, mut best) = (f64::INFINITY, (0, f64::NAN));
        for halved in 1..=HALVINGS {
            let run = self.run(built, route(step / f64::powi(2.0, halved as i32)), plan)?;
            let next = extrapolated(table(&run)?, &row);
            let (Some(old), Some(new)) = (row.last(), next.last()) else { break };
            let change = difference(old, new) / size;
            if change < least {
                (least, best) = (change, (halved, difference(new, &exact) / size));
            }
            if change < 0.1 * PLACES || change > 10.0 * least {
                break;
            }
            row = next;
        }
        Ok(best)
    }
}

/// Places over time, channel by channel.
type Places = Vec<Vec<f64>>;

/// Joint, absolute and, where there are joints to choose from, mixed coordinates: every other branch of the joint tree stays.
fn choices(built: &Built) -> Vec<(&'static str, TreeChoice)> {
    let mut choices =
        vec![("joint", built.description.graph.tree.clone()), ("absolute", TreeChoice::Absolute)];
    let listed = |name: &String| built.description.joints.iter().any(|joint| joint.name == *name);
    let branches: Vec<String> =
        built.model.joints.iter().map(|joint| joint.name.clone()).filter(listed).collect();
    if branches.len() > 1 {
        choices.push(("mixed", TreeChoice::Listed(branches.into_iter().step_by(2).collect())));
    }
    choices
}

/// Channels of places of a run.
fn table(run: &Run) -> Result<Places, Fault> {
    let names = run.recording.names().iter().filter(|name| name.contains(".position."));
    names.map(|name| Ok(run.channel(name)?.y)).collect()
}

/// Largest range of a channel.
fn largest_range(places: &Places) -> f64 {
    let range = |y: &Vec<f64>| {
        let least = y.iter().copied().fold(f64::INFINITY, f64::min);
        y.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least
    };
    places.iter().map(range).fold(0.0, f64::max)
}

/// Largest difference; no number where rows or channels are not the same.
fn difference(one: &Places, other: &Places) -> f64 {
    let sizes = |places: &Places| places.iter().map(Vec::len).collect::<Vec<_>>();
    if one.is_empty() || sizes(one) != sizes(other) {
        return f64::NAN;
    }
    let pairs = one.iter().flatten().zip(other.iter().flatten());
    pairs.fold(0.0, |worst, (a, b)| keep_worst(worst, (a - b).abs()))
}

/// Largest difference of the places of two runs over the largest range of one.
fn apart(one: &Run, other: &Run) -> Result<f64, Fault> {
    let same = one.recording.names().iter().filter(|name| name.contains(".position."));
    let mut expected = Vec::new();
    for name in same {
        expected.push(other.channel(name)?.y);
    }
    Ok(difference(&table(one)?, &expected) / largest_range(&expected))
}

/// The next row of Romberg's table: the run of half the step, and what the row before makes of it.
fn extrapolated(run: Places, before: &[Places]) -> Vec<Places> {
    let mut row = vec![run];
    for (order, coarse) in before.iter().enumerate() {
        let power = f64::powi(4.0, order as i32 + 1);
        let fine = &row[order];
        let better = fine.iter().zip(coarse).map(|(fine, coarse)| {
            fine.iter().zip(coarse).map(|(fine, coarse)| (power * fine - coarse) / (power - 1.0)).collect()
        });
        row.push(better.collect());
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error of even powers of the step is gone after as many halvings as it has terms; one of odd powers is not.
    #[test]
    fn even_powers_are_extrapolated() {
        let value = |h: f64, odd: f64| vec![vec![2.0 + 3.0 * h * h - 5.0 * h.powi(4) + odd * h]];
        for (odd, gone) in [(0.0, true), (1.0, false)] {
            let mut row = Vec::new();
            for h in [0.4, 0.2, 0.1] {
                row = extrapolated(value(h, odd), &row);
            }
            assert_eq!(difference(&row[2], &vec![vec![2.0]]) < 1e-14, gone, "{row:?}");
        }
    }

    /// Runs that have other rows or nothing at all are not the same.
    #[test]
    fn what_cannot_be_compared_is_no_number() {
        assert!(difference(&vec![vec![1.0, 2.0]], &vec![vec![1.0]]).is_nan());
        assert!(difference(&Vec::new(), &Vec::new()).is_nan());
        assert_eq!(largest_range(&vec![vec![1.0, 4.0], vec![-1.0, 0.5]]), 3.0);
    }
}
