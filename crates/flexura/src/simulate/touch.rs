//! Contacts, stops and wheels that touch and part again inside one step.
//!
//! Such an element pushes only while it is closed. A step at whose two ends it is open, and whose stages all lie outside,
//! goes through it as if it were not there, however stiff it is, and no error estimate can tell. So the way between is looked at: the
//! clearances of the interpolated motion. A step that has passed a closed element is taken back and ends at the first
//! touch; from a touch, steps are shortened until one of them ends inside, which error control then sees.

use super::Run;
use crate::error::SimulationError;
use crate::integrate::{NODES, TurningPoints, least_between, locate_crossing};
use crate::model::Model;
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

/// Elements that act on one side only, and their clearances and rates at both ends of a step.
#[derive(Debug)]
pub(super) struct Touches {
    pub elements: Vec<usize>,
    first: Vec<[f64; 2]>,
    last: Vec<[f64; 2]>,
    /// Time of `last` (s).
    time: f64,
}

impl Touches {
    /// The one-sided elements of `model`.
    pub fn new(model: &Model) -> Self {
        let sided = |&e: &usize| model.elements[e].kind.is_one_sided();
        let elements: Vec<usize> = (0..model.elements.len()).filter(sided).collect();
        let none = vec![[0.0; 2]; elements.len()];
        Self { elements, first: none.clone(), last: none, time: f64::NAN }
    }

    /// Clearances at the start of a step.
    pub fn begin(&mut self, model: &Model, state: &State, work: &mut Workspace) {
        if self.time != state.time {
            self.end(model, state, work);
        }
        self.first.copy_from_slice(&self.last);
    }

    /// Clearances at the end of a step.
    fn end(&mut self, model: &Model, state: &State, work: &mut Workspace) {
        work.kinematics(model, state);
        work.poses(model, state);
        for (slot, &element) in self.last.iter_mut().zip(&self.elements) {
            *slot = clearance(model, element, state, work);
        }
        self.time = state.time;
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
        self.touches.end(self.model, &self.state, &mut self.sample_work);
        let mut first: Option<f64> = None;
        for i in 0..self.touches.elements.len() {
            if self.touches.doubtful(i, end - start) {
                let found = self.touch_between(i, start, end);
                first = [first, found].into_iter().flatten().reduce(f64::min);
            }
        }
        Ok(first)
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
