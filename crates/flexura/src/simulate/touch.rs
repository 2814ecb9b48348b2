//! Contacts, stops and wheels that touch and part again inside one step.
//!
//! Such an element pushes only while it is closed. A step at whose two ends it is open, and whose stages all lie outside,
//! goes through it as if it were not there, however stiff it is, and no error estimate can tell. So the way between is looked at: the
//! clearances of the interpolated motion. A step that has passed a closed element is taken back and ends at the first
//! touch; from a touch, steps are shortened until one of them ends inside, which error control then sees.
//!
//! Implicit steps of one length know no error control. Where an element begins or ceases to act inside such a step its force has a kink,
//! and the step errs by half the jump of the acceleration's rate times the two parts of the step: of second order, but by a share that
//! goes from nothing to all from one length of the steps to the next, and large for stiff stops. Such a step is split there. Tyres with
//! damping push at once where they land: the error would be of first order, and the step is split as at an edge of the road.
//!
//! Typeset: book/src/theory/integrators.md (TI.19).

use super::Run;
use crate::error::SimulationError;
use crate::integrate::{NODES, TurningPoints, least_between, locate_crossing};
use crate::model::Model;
use crate::model::description::{MethodDescription, SimulationDescription};
use crate::motion::frame_state::frame_state;
use crate::record::Sink;
use crate::state::State;
use crate::workspace::Workspace;

/// Clearance that counts as touching: more than rounding, less than any element notices (m).
const TOUCHING: f64 = 1e-11;

/// Share of the nearer end's clearance that the way between must keep, by a cubic, to be taken for open.
const CLEARLY_OPEN: f64 = 0.5;

/// Time over which rates of clearances are taken (s).
const MOMENT: f64 = 1e-7;

/// Product of the parts before and behind a kink, over the square of the step, from which the step is split: a 125th of the most it can be,
/// and with it of the error. Twice as much for each time that the step has been split before, so that no step ends in pieces.
const FELT: f64 = 2e-3;

/// Most splits of a step at landings whose force jumps.
const MOST_JUMPS: u32 = 5;

/// Where an element begins or ceases to act inside a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switch {
    /// Instants just before and just after (s).
    pub before: f64,
    pub after: f64,
    /// Whether its force jumps there.
    pub jumps: bool,
}

/// Elements that act on one side only, and their clearances and rates at both ends of a step.
#[derive(Debug)]
pub(super) struct Touches {
    pub elements: Vec<usize>,
    /// Whether steps are split where elements begin or cease to act.
    pub split: bool,
    first: Vec<[f64; 2]>,
    last: Vec<[f64; 2]>,
}

impl Touches {
    /// The one-sided elements of `model`.
    pub fn new(model: &Model, settings: &SimulationDescription) -> Self {
        let split = match settings.method {
            MethodDescription::Implicit { tolerance, .. } => tolerance <= 0.0,
            MethodDescription::Global { .. } | MethodDescription::EnergyMomentum { .. } => true,
            _ => false,
        };
        let sided = |&e: &usize| model.elements[e].kind.is_one_sided();
        let elements: Vec<usize> = (0..model.elements.len()).filter(sided).collect();
        let none = vec![[0.0; 2]; elements.len()];
        Self { elements, split, first: none.clone(), last: none }
    }

    /// A step begins where was looked last.
    pub fn begin(&mut self) {
        self.first.copy_from_slice(&self.last);
    }

    /// Clearances at a state whose kinematics and poses are in `work`.
    pub fn look(&mut self, model: &Model, state: &State, work: &Workspace) {
        for (slot, &element) in self.last.iter_mut().zip(&self.elements) {
            *slot = clearance(model, element, state, work);
        }
    }

    /// Whether element `i` may have been closed between two ends at which it is open.
    fn doubtful(&self, i: usize, step: f64) -> bool {
        let ([a, a_rate], [b, b_rate]) = (self.first[i], self.last[i]);
        if a < -TOUCHING || b <= 0.0 {
            return false;
        }
        let least = least_between([a, b], [a_rate * step, b_rate * step]);
        least <= CLEARLY_OPEN * a.min(b)
    }
}

impl<K: Sink> Run<'_, K> {
    /// The first instant inside the last step at which an element closes that is open at both ends (s).
    pub(super) fn passed_touch(&mut self) -> Result<Option<f64>, SimulationError> {
        let (start, end) = (self.integrator.dense.start(), self.integrator.dense.end());
        let mut first: Option<f64> = None;
        for i in 0..self.touches.elements.len() {
            if self.touches.doubtful(i, end - start) {
                let found = self.touch_between(i, start, end);
                first = [first, found].into_iter().flatten().reduce(f64::min);
            }
        }
        Ok(first)
    }

    /// The first instant inside the last step, one of `length`, at which an element begins or ceases to act so that the step feels it; after
    /// [`Run::passed_touch`]. `splits`: how often the step has been split before.
    pub(super) fn switched(&mut self, length: f64, splits: u32) -> Option<Switch> {
        let (start, end) = (self.integrator.dense.start(), self.integrator.dense.end());
        let felt = FELT * f64::from(splits).exp2() * length * length;
        let mut found: Option<Switch> = None;
        for i in 0..self.touches.elements.len() {
            let (a, b) = (self.touches.first[i][0], self.touches.last[i][0]);
            let Some(crossing) = locate_crossing((start, a), (end, b), 0, |time| self.clearance_at(i, time))
            else {
                continue;
            };
            let (before, after) = (crossing.before, crossing.time);
            let jumps =
                !crossing.rising && self.model.elements[self.touches.elements[i]].kind.pushes_at_once();
            let felt = (after - start) * (end - after) > felt || (jumps && splits < MOST_JUMPS);
            if felt && found.is_none_or(|found| after < found.after) {
                found = Some(Switch { before, after, jumps });
            }
        }
        found
    }

    /// When element `i`, open at both ends, is closed in between.
    fn touch_between(&mut self, i: usize, start: f64, end: f64) -> Option<f64> {
        let at = |share: f64| start + share * (end - start);
        let mut values = [self.touches.first[i][0], 0.0, 0.0, 0.0, self.touches.last[i][0]];
        for k in 1..4 {
            values[k] = self.clearance_at(i, at(NODES[k]));
        }
        let mut points: [(f64, f64); 8] = [(end, values[4]); 8];
        let mut count = 0;
        let turns = TurningPoints::of(&values);
        for share in NODES[..4].iter().chain(turns.shares()).copied() {
            let known = NODES.iter().position(|&node| node == share);
            let value = known.map_or_else(|| self.clearance_at(i, at(share)), |k| values[k]);
            points[count] = (at(share), value);
            count += 1;
        }
        points[..=count].sort_by(|a, b| a.0.total_cmp(&b.0));
        for pair in points[..=count].windows(2) {
            if pair[1].1 >= -TOUCHING {
                continue;
            }
            if pair[0].1 <= 0.0 {
                return Some(pair[0].0);
            }
            let crossing = locate_crossing(pair[0], pair[1], -1, |time| self.clearance_at(i, time));
            return crossing.map(|crossing| crossing.time);
        }
        None
    }

    fn clearance_at(&mut self, i: usize, time: f64) -> f64 {
        self.integrator.interpolate(self.model, time, &mut self.between);
        self.sample_work.kinematics(self.model, &self.between);
        self.sample_work.poses(self.model, &self.between);
        clearance(self.model, self.touches.elements[i], &self.between, &self.sample_work)[0]
    }
}

/// Clearance of an element and its rate at the kinematics in `work` (m, m/s).
fn clearance(model: &Model, element: usize, state: &State, work: &Workspace) -> [f64; 2] {
    let element = &model.elements[element];
    let frames = element.frames.map(|id| frame_state(model, state, &work.motion, &model.frames[id.0]));
    let later = frames.map(|frame| frame.moved(MOMENT));
    let open = |frames: &[_; 2]| element.kind.clearance(&frames[0], &frames[1]);
    let now = open(&frames);
    [now, (open(&later) - now) / MOMENT]
}
