//! One model in several choices of coordinates and by several routes, against a known function of time.

use crate::context::{Context, Fault, PHYSICS};
use crate::quantity::{Quantity, Trust};
use crate::run::{Plan, Route, Run, model};
use crate::sampled::keep_worst;
use flexura::formulation::global::{GlobalModel, GlobalOptions};
use flexura::model::Built;

/// A choice of coordinates: words for the report, and the section `[graph]`.
pub type Tree<'a> = (&'a str, &'a str);

/// A channel that is known at all times.
pub struct Course<'a> {
    /// Channel.
    pub channel: &'a str,
    /// What it is, with its unit.
    pub name: (&'a str, &'static str),
    /// Its value over time.
    pub exact: &'a dyn Fn(f64) -> f64,
}

/// `text` with the section of a tree.
pub fn in_tree(text: &str, name: &str, (_, graph): Tree) -> Result<Built, Fault> {
    model(&format!("{graph}\n{text}"), name)
}

/// Share of its range by which a channel may be off, and why.
fn allowed(route: Route) -> (f64, &'static str) {
    match route {
        Route::Articulated(_) | Route::Stiff(_) | Route::DivideAndConquer(_) => {
            (1e-6, "error control at 1e-9: largest difference over the range")
        }
        _ => (2e-4, "steps of second order: largest difference over the range"),
    }
}

impl Context<'_> {
    /// Judges a run against courses that are known, at every row.
    pub fn follows(&mut self, run: &Run, courses: &[Course], route: Route, tree: &str) -> Result<(), Fault> {
        let (share, why) = allowed(route);
        for Course { channel, name: (name, unit), exact } in courses {
            let found = run.channel(channel)?;
            let known: Vec<f64> = found.x.iter().map(|&time| exact(time)).collect();
            let gaps = found.y.iter().zip(&known).map(|(a, b)| (a - b).abs());
            let (worst, size) =
                (gaps.fold(0.0, keep_worst), known.iter().fold(0.0_f64, |most, x| most.max(x.abs())));
            let name = format!("{name}, {tree}, {}: largest difference", route.words());
            self.judge(Quantity::new(name, unit, worst).at_most(share * size, why));
        }
        Ok(())
    }

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
            for &route in routes {
                if matches!(route, Route::Global(_)) && self.refused(&built, tree.0) {
                    continue;
                }
                let run = self.run(&built, route, plan)?;
                self.follows(&run, courses, route, tree.0)?;
                if matches!(route, Route::Articulated(_) | Route::Stiff(_)) {
                    let name = format!("energy balance, {}, {}", tree.0, route.words());
                    let why =
                        "asked of every error-controlled run: unaccounted energy over the largest energy met";
                    let quantity = Quantity::new(name, "1", run.energy_error()?).at_most(1e-6, why);
                    self.judge(quantity.source(PHYSICS, Trust::T1));
                }
                first.get_or_insert(run);
            }
        }
        first.ok_or_else(|| Fault("no tree".into()))
    }

    /// Whether natural coordinates cannot take a model; a note says so.
    fn refused(&mut self, built: &Built, tree: &str) -> bool {
        match GlobalModel::new(&built.model, &GlobalOptions::default()) {
            Ok(_) => false,
            Err(error) => {
                self.note(format!("Natural coordinates refuse this model by name ({tree}): {error}."));
                true
            }
        }
    }
}
