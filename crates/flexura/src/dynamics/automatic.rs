//! `algorithm = "auto"`: which algorithm finds the accelerations of a model with the least work.
//!
//! Source: the closing sentence of JPL 90-26 (section 10): with several algorithms at hand the best one for a system can be
//! taken. Here the operations of every algorithm on the very model are counted, by running it once with numbers that
//! count (`scalar::Counting`): kinematics, mass blocks and accelerations, with the loops closed; loads are the same for all.
//! An algorithm that cannot win is not run: its least possible work is known beforehand,
//!
//! | algorithm | at least |
//! |---|---|
//! | composite bodies, n speeds | n³/3, the Cholesky factor of a dense matrix |
//! | articulated bodies with loops | 4 operations per row and speed of the trees that it joins |
//!
//! The choice depends on the model only: neither on threads nor on a clock, so that results do not either. Cost: one
//! evaluation by each algorithm that is run, with numbers some ten times as slow as others.

use crate::constraint::close;
use crate::model::Model;
use crate::model::description::AlgorithmDescription;
use crate::scalar::{Counting, OperationCount};
use crate::state::State;
use crate::workspace::Workspace;

/// Times the least work known above which an algorithm is not run.
const HOPELESS: f64 = 2.0;

/// Largest share by which divide and conquer or a dense matrix must win: below it nothing is gained by leaving articulated bodies.
const WORTH_IT: f64 = 0.98;

/// Operations of one algorithm in one evaluation.
#[derive(Clone, Debug, PartialEq)]
pub struct AlgorithmWork {
    /// Which one.
    pub algorithm: AlgorithmDescription,
    /// Products and additions: counted, or the least that there would be.
    pub operations: f64,
    /// Whether they were counted.
    pub counted: bool,
}

/// What was counted, and the algorithm taken.
#[derive(Clone, Debug, PartialEq)]
pub struct AlgorithmChoice {
    /// The algorithms that can solve the model.
    pub work: Vec<AlgorithmWork>,
    /// That with the least work.
    pub algorithm: AlgorithmDescription,
}

/// Counts the work of every algorithm at `state` of `model`, and takes the least.
pub fn choose_algorithm(model: &Model, state: &State) -> AlgorithmChoice {
    let articulated = AlgorithmDescription::ArticulatedBody;
    let divided = AlgorithmDescription::DivideAndConquer { threads: 1, leaf: 0, refinements: 0 };
    let mut work = Vec::new();
    let mut best = f64::INFINITY;
    for algorithm in [divided, articulated, AlgorithmDescription::CompositeBody] {
        let Some(least) = least_work(model, algorithm) else { continue };
        let found = match least > HOPELESS * best {
            true => Some(AlgorithmWork { algorithm, operations: least, counted: false }),
            false => count(model, state, algorithm).map(|operations| AlgorithmWork {
                algorithm,
                operations,
                counted: true,
            }),
        };
        work.extend(found.inspect(|found| best = best.min(found.operations)));
    }
    // The usual one first, where others are hardly better.
    work.sort_by_key(|found| found.algorithm != articulated);
    let least = |a: &&AlgorithmWork, b: &&AlgorithmWork| {
        let weighed = |work: &AlgorithmWork| match work.algorithm == articulated {
            true => WORTH_IT * work.operations,
            false => work.operations,
        };
        weighed(a).total_cmp(&weighed(b))
    };
    let algorithm =
        work.iter().filter(|work| work.counted).min_by(least).map_or(articulated, |work| work.algorithm);
    AlgorithmChoice { work, algorithm }
}

/// Operations below which `algorithm` cannot stay; `None` where it cannot solve the model.
fn least_work(model: &Model, algorithm: AlgorithmDescription) -> Option<f64> {
    match algorithm {
        AlgorithmDescription::CompositeBody => {
            let n = model.speed_count() as f64;
            model.loops.is_empty().then_some(n.powi(3) / 3.0)
        }
        AlgorithmDescription::ArticulatedBody => Some(rows_times_speeds(model)),
        _ => Some(0.0),
    }
}

/// Four operations for every row of a loop and every speed of the trees on the ground that it joins.
fn rows_times_speeds(model: &Model) -> f64 {
    let mut root = Vec::with_capacity(model.body_count());
    let mut speeds = vec![0.0; model.body_count()];
    for (k, part) in model.layout.bodies.iter().enumerate() {
        let own = model.joints[k].parent.map_or(k, |parent| root[parent]);
        root.push(own);
        speeds[own] += (part.modes + part.joint_v) as f64;
    }
    let of_joint = |joint: &crate::model::closure::LoopJoint| {
        let ends = joint.frames.map(|id| model.frames[id.0].body.map(|body| root[body.0]));
        let [one, other] = ends.map(|end| end.map_or(0.0, |root| speeds[root]));
        let width = if ends[0] == ends[1] { one } else { one + other };
        4.0 * joint.rows.len() as f64 * width
    };
    model.loops.iter().map(of_joint).sum()
}

/// Operations of one evaluation without loads; `None` where the algorithm fails at this state.
fn count(model: &Model, state: &State, algorithm: AlgorithmDescription) -> Option<f64> {
    let state = State::<Counting>::lift(state);
    let mut work = Workspace::<Counting>::new(model);
    work.choose(model, algorithm).ok()?;
    let mut result = Ok(());
    let counted = OperationCount::of(|| {
        work.kinematics(model, &state);
        if !model.loops.is_empty() {
            work.poses(model, &state);
        }
        result = match work.divided.take() {
            Some(mut divided) if !model.loops.is_empty() => {
                super::close_divided(model, &state, &mut divided, &mut work)
            }
            divided => {
                work.divided = divided;
                work.accelerations(model).map(|_| ()).and_then(|()| match model.loops.is_empty() {
                    true => Ok(()),
                    false => close(model, &state, &mut work),
                })
            }
        };
    });
    result.ok().map(|()| (counted.products + counted.additions) as f64)
}
