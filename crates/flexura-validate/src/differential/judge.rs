//! One model by every route in every tree.

use super::algorithms;
use super::attempt::{Attempt, attempt};
use super::closer;
use super::compare::{Difference, compare, other_bits, unresolved};
use super::document::Document;
use super::routes::{ROUTES, Route, TWO_THREADS, Tree};
use flexura::record::Recording;
use std::fmt;

/// What two runs disagree in.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// A channel.
    Channel(Difference),
    /// Positions or speeds from the first row on: another start.
    Start(Difference),
    /// Bits, where there must be no difference at all.
    Bits(String),
    /// Accelerations of one state by two algorithms.
    Accelerations(String),
    /// One of them ended early.
    GaveUp(String),
    /// One of them panicked, hung or gave numbers that are none.
    Broken(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Channel(d) | Self::Start(d) => write!(
                f,
                "{}{} differs by {:.2e} (size {:.2e}, allowed {:.2e})",
                if matches!(self, Self::Start(_)) { "from the start, " } else { "" },
                d.channel,
                d.found,
                d.size,
                d.allowed
            ),
            Self::Bits(channel) => write!(f, "{channel} is not the same to the last bit"),
            Self::Accelerations(words) | Self::GaveUp(words) | Self::Broken(words) => f.write_str(words),
        }
    }
}

impl Fault {
    /// Whether another fault is of the same kind, as a smaller model must show it.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

/// How one run fared.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// Like the reference.
    Agrees,
    /// Like the reference, at finer steps or tolerances.
    AgreesCloser,
    /// Refused by name.
    Refused(String),
    /// It differs or broke down.
    Fault(Fault),
}

/// What one run is compared with, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Coordinates.
    pub tree: Tree,
    /// Number of the route in [`ROUTES`], or what else was looked at.
    pub check: Check,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// A route against the reference.
    Route(usize),
    /// Divide and conquer on two threads against one.
    Threads,
    /// Accelerations of the first state by all algorithms.
    Algorithms,
}

impl Place {
    /// Words for reports.
    pub fn words(&self) -> String {
        let check = match self.check {
            Check::Route(i) => ROUTES[i].words,
            Check::Threads => "two threads",
            Check::Algorithms => "accelerations by other algorithms",
        };
        format!("{}; {check}", self.tree.words())
    }

    /// The route of a run that shows it.
    pub fn route(&self) -> &'static Route {
        match self.check {
            Check::Route(i) => &ROUTES[i],
            Check::Threads => &TWO_THREADS,
            Check::Algorithms => &ROUTES[0],
        }
    }
}

/// The reference run: joint tree, first route. An error is why there is none.
pub fn reference(document: &Document) -> Result<(Recording, bool), Attempt> {
    match attempt(document, &Tree::Joint, &ROUTES[0], 0) {
        Attempt::Done(recording, redundant) => Ok((recording, redundant)),
        other => Err(other),
    }
}

/// All comparisons of a model in these trees.
pub fn places(trees: &[Tree]) -> Vec<Place> {
    let routes = (0..ROUTES.len()).map(Check::Route);
    let checks: Vec<Check> = routes.chain([Check::Threads, Check::Algorithms]).collect();
    let all = trees.iter().flat_map(|tree| checks.iter().map(|&check| Place { tree: tree.clone(), check }));
    // The reference needs no comparison with itself.
    all.filter(|place| place.tree != Tree::Joint || place.check != Check::Route(0)).collect()
}

/// One comparison; what disagrees is looked at closer.
pub fn judge(document: &Document, expected: &Recording, redundant: bool, place: &Place) -> Verdict {
    let verdict = match place.check {
        Check::Route(i) => judge_route(document, expected, redundant, &place.tree, &ROUTES[i]),
        Check::Threads => judge_threads(document, &place.tree),
        Check::Algorithms => algorithms::judge(document, &place.tree),
    };
    match verdict {
        Verdict::Fault(fault) => closer::look(document, place, fault),
        other => other,
    }
}

fn run(document: &Document, tree: &Tree, route: &Route, halved: i32) -> Result<(Recording, bool), Verdict> {
    match attempt(document, tree, route, halved) {
        Attempt::Done(recording, redundant) => Ok((recording, redundant)),
        Attempt::Refused(reason) => Err(Verdict::Refused(reason)),
        Attempt::Lost(reason) => Err(Verdict::Refused(format!("ended early: {}", without_time(&reason)))),
        Attempt::GaveUp(reason) => Err(Verdict::Fault(Fault::GaveUp(reason))),
        Attempt::Broken(reason) => Err(Verdict::Fault(Fault::Broken(reason))),
    }
}

/// How often steps are halved that were too large.
const SMALLER: i32 = 3;

/// A run and one with half its step.
type Pair = [(Recording, bool); 2];

fn two_steps(document: &Document, tree: &Tree, route: &Route, halved: i32) -> Result<Pair, Verdict> {
    Ok([run(document, tree, route, halved)?, run(document, tree, route, halved + 1)?])
}

fn is_unresolved([(coarse, _), (fine, _)]: &Pair) -> bool {
    unresolved(coarse, fine)
}

fn judge_route(
    document: &Document,
    expected: &Recording,
    redundant: bool,
    tree: &Tree,
    route: &Route,
) -> Verdict {
    let judged = || {
        if route.step == 0.0 {
            let (found, more) = run(document, tree, route, 0)?;
            return Ok(compare(expected, &found, None, redundant || more));
        }
        let mut pair = two_steps(document, tree, route, 0);
        // Stiff contacts may ask for smaller steps, and say so.
        if matches!(&pair, Err(Verdict::Fault(Fault::GaveUp(_)))) || pair.as_ref().is_ok_and(is_unresolved) {
            pair = two_steps(document, tree, route, SMALLER);
        }
        let pair = pair?;
        if is_unresolved(&pair) {
            return Err(Verdict::Refused("the steps do not resolve the motion".into()));
        }
        let [(coarse, more), (fine, _)] = &pair;
        Ok(compare(expected, fine, Some(coarse), redundant || *more))
    };
    match judged() {
        Ok(None) => Verdict::Agrees,
        Ok(Some(difference)) if difference.from_start => Verdict::Fault(Fault::Start(difference)),
        Ok(Some(difference)) => Verdict::Fault(Fault::Channel(difference)),
        Err(verdict) => verdict,
    }
}

/// A reason without the instant it begins with.
fn without_time(reason: &str) -> &str {
    reason.split_once("s: ").map_or(reason, |(_, cause)| cause)
}

fn judge_threads(document: &Document, tree: &Tree) -> Verdict {
    let judged = || {
        let (one, _) = run(document, tree, &Route { threads: 1, ..TWO_THREADS }, 0)?;
        let (two, _) = run(document, tree, &TWO_THREADS, 0)?;
        Ok(other_bits(&one, &two))
    };
    match judged() {
        Ok(None) => Verdict::Agrees,
        Ok(Some(channel)) => Verdict::Fault(Fault::Bits(channel)),
        Err(verdict) => verdict,
    }
}
