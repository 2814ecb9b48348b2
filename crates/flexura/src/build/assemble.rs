//! Assembly: from approximate positions to a state that closes every loop.
//!
//! Damped Newton with the least weighted change, δ = −W⁻¹J*(J W⁻¹J*)⁺ Φ. What
//! the description gives is kept, and no body deforms, if the joints it leaves
//! out can close the loops; otherwise given joints move too, a thousand times
//! less willingly. Deformations move less again, and only where nothing else closes the loops: a value given for a joint that
//! closes one is no reason to bend a body. Held joints and prescribed coordinates move not at all. If the loops do not close, other starts are tried,
//! the same in every run. Speeds follow in the same way. Offline: may allocate.

use super::given_chords::{Level, with_given_chords};
use super::given_kept::changes;
use crate::algorithm::closure::{Closure, RowMatrix, RowSystem};
use crate::constraint::nonholonomic::{clear_speed_rows, flat_disc};
use crate::constraint::{largest_gap, loop_motion, move_by, rows_and_jacobian};
use crate::diagnostic::Diagnostic;
use crate::model::closure::{LoopJoint, RowShape};
use crate::model::description::{Description, JointDescription};
use crate::model::joint::JointKind;
use crate::model::{Model, TreeJoint, words};
use crate::state::State;
use crate::workspace::Workspace;
use std::collections::HashMap;

/// Freedom to move of a coordinate that the description gives, relative to one it leaves out.
const GIVEN: f64 = 1e-3;
/// Freedom to move of a modal coordinate.
const MODAL: f64 = 1e-6;
/// Violation that Newton aims at, per unit of length.
const CLOSED: f64 = 1e-13;
/// Violation accepted as closed: at singular positions convergence is slow.
const ACCEPTED: f64 = 1e-10;
/// Rate of a violation accepted as zero, per unit of speed: more means that motions contradict each other.
const STEADY: f64 = 1e-9;
/// Newton steps from one start.
const STEPS: usize = 80;
/// Starts tried to keep what is given for joints that close loops.
const AIDED_STARTS: usize = 8;
/// Starts tried.
const STARTS: usize = 40;
/// Pivots of the scaled normal matrix below this are dependent constraints.
const DEPENDENT: f64 = 1e-10;

/// Change of a given position (rad, m) that is worth a warning: more than a rough guess is off.
const FAR: f64 = 0.05;
/// Code of the warning about moved positions.
pub(super) const MOVED: &str = "assembly-moved";

/// What assembly did.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct AssemblyReport {
    /// Largest violation before (m, rad or cosine).
    pub gap_before: f64,
    /// Largest violation after.
    pub gap_after: f64,
    /// Newton steps of the successful start.
    pub steps: usize,
    /// Starts tried.
    pub starts: usize,
    /// Joints whose given position was changed by more than 1e-6, with the change (m or rad).
    pub moved: Vec<(String, f64)>,
}

/// Warnings about given positions that had to change by more than a rough guess. Who says what to hold knows that the
/// others move.
fn moved_far(description: &Description, moved: &[(String, f64)]) -> Vec<Diagnostic> {
    let silent = !description.graph.hold.is_empty();
    let far = moved.iter().filter(|(_, by)| *by > FAR && !silent);
    let index = |name: &str| description.joints.iter().position(|joint| joint.name == name).unwrap_or(0);
    far.map(|(name, by)| {
        Diagnostic::warning(
            MOVED,
            format!("joint[{}].position", index(name)),
            format!("joint `{name}`"),
            format!(
                "assembly moved the given position by {} (rad, m) to close the loops",
                words::number(*by)
            ),
            "give positions that close the loops, or name the joints that must keep theirs in `[graph] hold`",
        )
    })
    .collect()
}

/// Closes the loops of `model` in place: initial coordinates, then speeds.
pub(super) fn assemble(
    model: &mut Model,
    description: &Description,
    diagnostics: &mut Vec<Diagnostic>,
) -> AssemblyReport {
    if model.loops.is_empty() {
        return AssemblyReport::default();
    }
    let mut solver = Solver::new(model, description);
    let start = State::initial(model, description.simulation.start);
    let mut report = AssemblyReport { gap_before: solver.gap(&start), ..AssemblyReport::default() };
    // What is given for chords is kept if it can be without deforming anything.
    let aided = with_given_chords(model, description, Level::Position, &start);
    let aided =
        aided.and_then(|aided| Solver::new(&aided, description).rigid().search(&start, AIDED_STARTS).ok());
    let found = aided.map_or_else(|| solver.search(&start, STARTS), Ok);
    let mut closed = match found {
        Ok(closed) => closed,
        Err(best) => {
            diagnostics.push(solver.cannot_close(description, &best));
            return report;
        }
    };
    report.gap_after = solver.gap(&closed.state);
    if let Some(name) = flat_disc(model, &closed.state, &solver.work) {
        diagnostics.push(lies_flat(description, name));
        return report;
    }
    (report.steps, report.starts) = (closed.steps, closed.starts);
    let aided = with_given_chords(model, description, Level::Speed, &closed.state);
    let matched =
        aided.is_some_and(|aided| Solver::new(&aided, description).rigid().match_speeds(&mut closed.state));
    if !matched && !solver.match_speeds(&mut closed.state) {
        diagnostics.push(solver.contradicting_speeds(description));
        return report;
    }
    report.moved = solver.moved(description, &start, &closed.state);
    let (moved, changed) = changes(model, description, &closed.state);
    report.moved.extend(moved);
    diagnostics.extend(changed);
    diagnostics.extend(moved_far(description, &report.moved));
    model.initial_q = closed.state.q;
    model.initial_v = closed.state.v;
    report
}

/// A disc that cannot roll from where it is.
fn lies_flat(description: &Description, name: &str) -> Diagnostic {
    let index = description.joints.iter().position(|joint| joint.name == name).unwrap_or(0);
    let message = "the disc lies flat on its plane at the start: axis and normal are parallel, and no point is the lowest";
    let help = "give `axis` across `normal`, or tilt the body: orientation = { axis = [1, 0, 0], angle_deg = 80 } of its joint";
    Diagnostic::error("flat-disc", format!("joint[{index}].axis"), format!("joint `{name}`"), message, help)
}

/// A closed position and what it took to find it.
struct Closed {
    state: State,
    steps: usize,
    starts: usize,
}

struct Solver<'a> {
    model: &'a Model,
    work: Workspace,
    /// W⁻¹ over all speeds, for positions and for speeds.
    freedom: [Vec<f64>; 2],
    /// Speeds whose start may be varied.
    variable: Vec<usize>,
    /// J W⁻¹ J*, and W⁻¹J*; made when a correction is first asked for.
    matrices: Option<(RowSystem, RowMatrix)>,
    /// Speeds that the description gives, for positions and for speeds.
    written: [Vec<bool>; 2],
    is_modal: Vec<bool>,
    /// Freedom of what is given.
    given: f64,
    /// Whether bodies may deform, at last.
    may_bend: bool,
    /// Whether they may now.
    bends: bool,
}

impl<'a> Solver<'a> {
    fn new(model: &'a Model, description: &Description) -> Self {
        let named: HashMap<&str, &JointDescription> =
            description.joints.iter().map(|joint| (joint.name.as_str(), joint)).collect();
        let mut freedom = [vec![MODAL; model.speed_count()], vec![MODAL; model.speed_count()]];
        let mut written = [vec![false; model.speed_count()], vec![false; model.speed_count()]];
        let mut is_modal = vec![true; model.speed_count()];
        let mut variable = Vec::new();
        for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
            let source = named.get(joint.name.as_str());
            let held = description.graph.hold.contains(&joint.name);
            for i in part.joint_v() {
                is_modal[i] = false;
                let movable = !held && !model.prescribed[i];
                for level in 0..2 {
                    freedom[level][i] = if movable { 1.0 } else { 0.0 };
                }
                written[0][i] = source.is_some_and(|source| !source.position.is_empty());
                written[1][i] = source.is_some_and(|source| !source.speed.is_empty());
                if movable {
                    variable.push(i);
                }
            }
        }
        Self {
            model,
            matrices: None,
            work: Workspace::new(model),
            freedom,
            variable,
            written,
            is_modal,
            given: GIVEN,
            may_bend: true,
            bends: true,
        }
    }

    /// The same with bodies that keep their shape.
    fn rigid(self) -> Self {
        Self { may_bend: false, ..self }
    }

    /// The first closed position of `starts` attempts, or the one with the smallest gap.
    fn search(&mut self, start: &State, starts: usize) -> Result<Closed, Box<State>> {
        let mut best = (f64::INFINITY, start.clone());
        for attempt in 0..starts {
            // First without touching what is given, then letting it give way, bodies last.
            self.given = if attempt == 0 { 0.0 } else { GIVEN };
            self.bends = self.may_bend && attempt > starts / 2;
            let mut state = self.start(start, attempt.saturating_sub(2));
            let steps = self.close(&mut state);
            let fits = self.gap(&state) <= self.tolerance() * (ACCEPTED / CLOSED);
            if fits && self.is_right_way_round(&state) {
                return Ok(Closed { state, steps, starts: attempt + 1 });
            }
            let size = self.norm(&state);
            if !fits && size < best.0 {
                best = (size, state);
            }
        }
        Err(Box::new(best.1))
    }

    fn gap(&mut self, state: &State) -> f64 {
        largest_gap(self.model, state, &mut self.work)
    }

    fn tolerance(&self) -> f64 {
        let positions = self.work.motion.poses.position.iter().flatten();
        CLOSED * (1.0 + positions.fold(0.0, |best: f64, x| best.max(x.abs())))
    }

    /// The start of an attempt: as given first, then ever farther away.
    fn start(&self, given: &State, attempt: usize) -> State {
        let mut state = given.clone();
        if attempt == 0 {
            return state;
        }
        let mut random = Sequence(attempt as u64);
        let size = 0.1 * 1.12f64.powi(attempt as i32);
        let mut step = vec![0.0; self.model.speed_count()];
        for &i in &self.variable {
            let reach = if self.written[0][i] { 0.1 } else { 1.0 };
            step[i] = size * (2.0 * random.next() - 1.0) * reach;
        }
        move_by(self.model, &mut state, &step);
        state
    }

    /// Newton with step halving; returns the steps taken.
    fn close(&mut self, state: &mut State) -> usize {
        let mut trial = state.clone();
        let mut size = self.norm(state);
        for step in 0..STEPS {
            if self.gap(state) <= self.tolerance() {
                return step;
            }
            let change = self.change(state, 0);
            let longest = change.iter().fold(0.0, |best: f64, x| best.max(x.abs()));
            // No more than about a third of a turn at once.
            let mut length = (2.0 / longest.max(1e-300)).min(1.0);
            loop {
                trial.copy_from(state);
                let scaled: Vec<f64> = change.iter().map(|x| length * x).collect();
                move_by(self.model, &mut trial, &scaled);
                let now = self.norm(&trial);
                if now < size * (1.0 - 0.1 * length) || length < 1e-4 {
                    size = now;
                    break;
                }
                length *= 0.5;
            }
            let stuck = length < 1e-4 && size > self.norm(state);
            state.copy_from(&trial);
            if stuck {
                return step;
            }
        }
        STEPS
    }

    fn norm(&mut self, state: &State) -> f64 {
        self.gap(state);
        self.work.closure.residual.iter().map(|x| x * x).sum::<f64>().sqrt()
    }

    /// −W⁻¹J*(J W⁻¹J*)⁺ times the residual (level 0) or its rate (level 1).
    fn change(&mut self, state: &State, level: usize) -> Vec<f64> {
        rows_and_jacobian(self.model, state, &mut self.work);
        if level == 0 {
            clear_speed_rows(self.model, &mut self.work.closure);
        }
        let freedom: Vec<f64> = (0..self.model.speed_count()).map(|s| self.freedom_of(s, level)).collect();
        let Closure { jacobian, structure, residual, rate, .. } = &self.work.closure;
        let made = || (RowSystem::new(self.model, structure), RowMatrix::new(structure));
        let (normal, weighted) = self.matrices.get_or_insert_with(made);
        weighted.scaled_from(jacobian, &freedom);
        let mut right = if level == 0 { residual } else { rate }.clone();
        normal.fill(jacobian, weighted);
        normal.factorize(DEPENDENT);
        normal.solve(&mut right);
        let mut change = vec![0.0; freedom.len()];
        for (row, &x) in right.iter().enumerate() {
            weighted.add_to(row, -x, &mut change);
        }
        change
    }

    /// Freedom to move of speed `s`.
    fn freedom_of(&self, s: usize, level: usize) -> f64 {
        let freedom = self.freedom[level][s];
        match (self.is_modal[s], self.written[level][s]) {
            (true, _) if !self.bends => 0.0,
            (_, true) => freedom * self.given,
            _ => freedom,
        }
    }

    /// Speeds that keep the loops closed, nearest to those given; whether there are any.
    fn match_speeds(&mut self, state: &mut State) -> bool {
        let start = state.v.clone();
        let size = 1.0 + start.iter().fold(0.0, |best: f64, x| best.max(x.abs()));
        self.gap(state);
        if self.work.closure.largest_rate() == 0.0 {
            // A start at rest, and nothing moves it: corrections would be zeros, found with a matrix over all rows.
            return true;
        }
        for (given, bends) in [(0.0, false), (GIVEN, false), (GIVEN, true)] {
            (self.given, self.bends) = (given, bends && self.may_bend);
            state.v.copy_from_slice(&start);
            for _ in 0..4 {
                let change = self.change(state, 1);
                state.v.iter_mut().zip(&change).for_each(|(speed, change)| *speed += change);
                rows_and_jacobian(self.model, state, &mut self.work);
                if self.work.closure.largest_rate() < CLOSED * size {
                    return true;
                }
            }
        }
        let steady = self.work.closure.largest_rate() < STEADY * size;
        if !steady {
            state.v.copy_from_slice(&start);
        }
        steady
    }

    /// The loop whose speeds cannot be matched, named.
    fn contradicting_speeds(&self, description: &Description) -> Diagnostic {
        let (index, name, members, gap) = self.worst_loop(description, &self.work.closure.rate);
        Diagnostic::error(
            "contradicting-motions",
            format!("joint[{index}]"),
            format!("joint `{name}`"),
            format!(
                "no speeds satisfy the prescribed motions and the loop through the joints {members}: a rate of \
                 {gap:.3e} (m/s or rad/s) is left"
            ),
            "prescribe fewer coordinates of the loop, or motions that fit each other",
        )
    }

    /// Index and name of the loop joint with the largest part of `values`, its loop in words, the length of
    /// that part.
    fn worst_loop(&self, description: &Description, values: &[f64]) -> (usize, String, String, f64) {
        let size = |range: std::ops::Range<usize>| values[range].iter().map(|x| x * x).sum::<f64>().sqrt();
        let loops = self.model.loops.iter();
        let worst = loops.max_by(|a, b| size(a.row_range()).total_cmp(&size(b.row_range())));
        let (name, members, value) = worst.map_or((String::new(), String::new(), 0.0), |joint| {
            let members: Vec<String> = joint.members.iter().map(|name| format!("`{name}`")).collect();
            (joint.name.clone(), members.join(", "), size(joint.row_range()))
        });
        let index = description.joints.iter().position(|joint| joint.name == name).unwrap_or(0);
        (index, name, members, value)
    }

    /// Whether no axis points backwards: the cosine equations of parallel axes have that solution too.
    fn is_right_way_round(&self, state: &State) -> bool {
        // The axes of a cross are not parallel: it may stand any way round.
        let parallel = |joint: &&LoopJoint| !matches!(joint.kind, JointKind::Universal { .. });
        self.model.loops.iter().filter(parallel).all(|joint| {
            let (_, relative) = loop_motion(self.model, state, &self.work, joint);
            let cosine = |axis: &crate::spatial::Vector3| {
                crate::spatial::dot(axis, &crate::spatial::matrix_vector(&relative.rotation, axis))
            };
            joint.rows.iter().all(|row| match &row.shape {
                // Parallel axes must not point backwards; of locked triads every axis stays near itself.
                RowShape::Between { second, value, .. } if *value == 0.0 => cosine(second) > 0.0,
                _ => true,
            })
        })
    }

    /// Given positions that were changed.
    fn moved(&self, description: &Description, before: &State, after: &State) -> Vec<(String, f64)> {
        let given = |joint: &TreeJoint| {
            description.joints.iter().any(|source| source.name == joint.name && !source.position.is_empty())
        };
        let mut list = Vec::new();
        for (part, joint) in self.model.layout.bodies.iter().zip(&self.model.joints) {
            let pairs = before.q[part.joint_q()].iter().zip(&after.q[part.joint_q()]);
            let change = pairs.fold(0.0, |best: f64, (a, b)| best.max((a - b).abs()));
            if change > 1e-6 && given(joint) {
                list.push((joint.name.clone(), change));
            }
        }
        list
    }

    /// The loop with the largest gap that is left, named.
    fn cannot_close(&mut self, description: &Description, state: &State) -> Diagnostic {
        self.gap(state);
        let (index, name, members, gap) = self.worst_loop(description, &self.work.closure.residual);
        Diagnostic::error(
            "open-loop",
            format!("joint[{index}]"),
            format!("joint `{name}`"),
            format!(
                "the loop through the joints {members} cannot be closed: a gap of {gap:.3e} (m or rad) is left \
                 in the best of {STARTS} attempts"
            ),
            "check lengths, axes and frame positions; positions given for the joints must lie near a closed \
             position; `[graph] hold` may hold too much",
        )
    }
}

/// Numbers in [0, 1), the same in every run.
struct Sequence(u64);

impl Sequence {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
