//! Tables of computing times of a paper, measured again: `flexura validate ID --timing`. Nothing is judged by times.
//!
//! Whole runs as `flexura run` makes them, on one thread, with a row at the end alone (rows of natural coordinates cost more
//! than their steps); of several rounds the shortest counts, so that interruptions by other work on the machine do not.

mod double_four_bar;
mod iltis;

use crate::context::{Context, Fault};
use crate::run::Route;
use crate::table::Table;
use flexura::build::Built;
use flexura::record::Recording;
use flexura::simulate::Simulation;
use flexura::state::State;
use std::time::Instant;

/// How a case measures its tables.
type Measure = fn(&mut Context) -> Result<(), Fault>;

/// The cases whose paper has tables of times.
const MEASURES: [(&str, Measure); 3] = [
    ("lugris-double-four-bar", double_four_bar::measure),
    ("lugris-suspension", iltis::suspension),
    ("lugris-vehicle", iltis::vehicle),
];

/// Ids of the cases whose paper has tables of times.
pub fn timed_cases() -> impl Iterator<Item = &'static str> {
    MEASURES.iter().map(|(id, _)| *id)
}

/// Measures the tables of the case `id`.
pub(crate) fn measure(id: &str, context: &mut Context) -> Result<(), Fault> {
    match MEASURES.iter().find(|(known, _)| *known == id) {
        Some((_, measure)) => measure(context),
        None => Err(Fault(format!("the source of `{id}` has no table of times"))),
    }
}

/// Rounds of a measurement.
const ROUNDS: usize = 3;

/// The channel of a run at every step.
struct History {
    time: Vec<f64>,
    values: Vec<f64>,
}

/// A run that is measured: route, end (s), channel.
struct Timed<'a> {
    built: &'a Built,
    start: &'a State,
    end: f64,
    channel: &'static str,
}

impl Timed<'_> {
    /// The least seconds of some rounds by fixed steps of `step`; none if the run does not reach its end.
    fn run(&self, context: &Context, route: Route, step: f64, rounds: usize) -> Result<Option<f64>, Fault> {
        let mut best: Option<f64> = None;
        for _ in 0..rounds {
            let Some((seconds, _)) = self.once(context, route, step, self.end)? else { return Ok(None) };
            best = Some(best.map_or(seconds, |best| best.min(seconds)));
        }
        Ok(best)
    }

    /// The channel at every step.
    fn history(&self, context: &Context, route: Route, step: f64) -> Result<Option<History>, Fault> {
        Ok(self.once(context, route, step, step)?.map(|(_, history)| history))
    }

    /// Seconds of one run with rows every `rows`, and its channel.
    fn once(
        &self,
        context: &Context,
        route: Route,
        step: f64,
        rows: f64,
    ) -> Result<Option<(f64, History)>, Fault> {
        context.stage(&route.words());
        let mut settings = self.built.description.simulation.clone();
        // Whole steps: the end is met within one.
        settings.end = (self.end / step).round() * step;
        settings.output_interval = rows.min(settings.end);
        (settings.method, settings.algorithm) = (route.method(), route.algorithm());
        let simulation =
            Simulation::of(self.built).settings(settings).channels(vec![self.channel.to_string()]);
        let mut prepared = simulation.from_state(self.start.clone()).prepare()?;
        let mut recording = Recording::new(prepared.channels());
        let mut watch = |_: &flexura::simulate::Progress| !context.stopped();
        let began = Instant::now();
        let outcome = prepared.run(&mut recording, &mut watch, &mut ());
        let seconds = began.elapsed().as_secs_f64();
        if context.stopped() {
            return Err(Fault("interrupted".into()));
        }
        if outcome.is_err() {
            return Ok(None);
        }
        let history = History { time: recording.time(), values: recording.channel(self.channel)? };
        Ok(Some((seconds, history)))
    }
}

/// Rows of a table: coordinates and seconds of both formulations, those of the paper beside them, and the ratio.
fn compare(table: &mut Table, published: [&[f64]; 2], ours: [&[Option<f64>]; 2]) {
    let some = |list: &[f64]| list.iter().copied().map(Some).collect::<Vec<_>>();
    let ratio = |list: [Vec<Option<f64>>; 2]| -> Vec<Option<f64>> {
        let [global, topological] = list;
        global.into_iter().zip(topological).map(|(a, b)| Some(b? / a?)).collect()
    };
    let published = published.map(some);
    let ours = ours.map(<[Option<f64>]>::to_vec);
    for ((name, theirs), ours) in ["global", "topological"].into_iter().zip(&published).zip(&ours) {
        table.row(format!("{name}, the paper (s)"), theirs.iter().copied());
        table.row(format!("{name}, here (ms)"), ours.iter().map(|seconds| Some(1e3 * (*seconds)?)));
    }
    table.row("topological over global, the paper", ratio(published));
    table.row("topological over global, here", ratio(ours));
}
