//! One model in several choices of coordinates and by several routes, against a known function of time.

use crate::context::{Context, Fault, PHYSICS};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model};
use crate::sampled::keep_worst;
use flexura::build::Built;
use flexura::formulation::global::{GlobalModel, GlobalOptions};

/// A choice of coordinates: words for the report, and the section `[graph]`.
pub type Tree<'a> = (&'a str, &'a str);

/// A channel that is known at all times.
pub struct Course<'a> {
    /// Channel.
    pub channel: &'a str,
    /// What it is.
    pub name: &'a str,
    /// Its value over time.
    pub exact: &'a dyn Fn(f64) -> f64,
}

/// `text` with the section of a tree.
pub fn in_tree(text: &str, name: &str, (_, graph): Tree) -> Result<Built, Fault> {
    model(&format!("{graph}\n{text}"), name)
}

/// Share of its size by which a channel may be off, and why.
fn allowed(precise: bool) -> (f64, &'static str) {
    match precise {
        true => (
            1e-6,
            "error control at 1e-9: largest difference by any of these routes, over the size of the channel",
        ),
        false => (
            2e-4,
            "steps of second order: largest difference by any of these routes, over the size of the channel",
        ),
    }
}

/// Whether a route controls its error.
pub fn is_precise(route: Route) -> bool {
    matches!(route, Route::Articulated(_) | Route::Stiff(_) | Route::DivideAndConquer(_) | Route::Graph(_))
}

/// Words for several routes.
pub fn all_words(routes: &[Route]) -> String {
    routes.iter().map(|route| route.words()).collect::<Vec<_>>().join("; ")
}

/// Largest difference from a known course, over its size.
fn deviation(run: &Run, course: &Course) -> Result<f64, Fault> {
    let found = run.channel(course.channel)?;
    let known: Vec<f64> = found.x.iter().map(|&time| (course.exact)(time)).collect();
    let gaps = found.y.iter().zip(&known).map(|(a, b)| (a - b).abs());
    let size = known.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    Ok(gaps.fold(0.0, keep_worst) / size)
}

impl Context<'_> {
    /// The same model in every tree by every route; returns the first run.
    pub fn every_tree(
        &mut self,
        (text, file): (&str, &str),
        trees: &[Tree],
        routes: &[Route],
        plan: &Plan,
        courses: &[Course],
    ) -> Result<Run, Fault> {
        let mut first = None;
        for &tree in trees {
            let built = in_tree(text, file, tree)?;
            let taken = self.taken(&built, routes, first.is_none());
            for precise in [true, false] {
                let routes: Vec<Route> =
                    taken.iter().copied().filter(|route| is_precise(*route) == precise).collect();
                if routes.is_empty() {
                    continue;
                }
                let (mut worst, mut energy) = (vec![0.0; courses.len()], 0.0_f64);
                for &route in &routes {
                    let run = self.run(&built, route, plan)?;
                    for (worst, course) in worst.iter_mut().zip(courses) {
                        *worst = keep_worst(*worst, deviation(&run, course)?);
                    }
                    energy = keep_worst(energy, run.energy_error()?);
                    first.get_or_insert(run);
                }
                let (share, why) = allowed(precise);
                let words = all_words(&routes);
                for (worst, course) in worst.into_iter().zip(courses) {
                    let name = format!("{}, {} ({words})", course.name, tree.0);
                    self.judge(Quantity::new(name, "1", worst).at_most(share, why));
                }
                if precise {
                    self.judge_energy(energy, &format!("{}, {}", courses[0].name, tree.0));
                }
            }
        }
        first.ok_or_else(|| Fault("no tree".into()))
    }

    /// Judges the unaccounted share of energy of error-controlled runs.
    pub fn judge_energy(&mut self, share: f64, what: &str) {
        let why = "asked of every error-controlled run: unaccounted energy over the largest energy met";
        let quantity = Quantity::new(format!("energy balance, {what}"), "1", share).at_most(1e-6, why);
        self.judge(quantity.source(PHYSICS, Trust::T1));
    }

    /// The routes that take a model; where `say`, a note tells what natural coordinates refuse.
    fn taken(&mut self, built: &Built, routes: &[Route], say: bool) -> Vec<Route> {
        let refused = GlobalModel::new(&built.model, &GlobalOptions::default()).err();
        let global = |route: &Route| matches!(route, Route::Global(_));
        if let Some(error) = refused.as_ref().filter(|_| say && routes.iter().any(global)) {
            self.note(format!("Natural coordinates refuse the model by name: {error}."));
        }
        routes.iter().copied().filter(|route| refused.is_none() || !global(route)).collect()
    }
}
