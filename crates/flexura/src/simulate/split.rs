//! Steps of a given length, split where a force jumps: at the edges of roads, and where a tyre with a damper touches down.
//!
//! A step that passes such a barrier errs by the jump times a part of its length, whatever its order: first order for the run. So it is
//! taken back, and its length is sought for which it *itself* ends just before: Newton's method over repeated steps, since
//! the interpolated motion of the longer step is another one. The barrier is then crossed in a step of a few
//! roundings of time, and another one of what is left leads back to the even times of the run, where its rows are.
//!
//! Between barriers forces are as smooth as before, and the order of the method is that of the run. Cost: three or four steps more for
//! every barrier. Very short steps are bad for methods that divide by h²: those below `SHORTEST` of the step, and the
//! crossing itself, are taken by the classical Runge-Kutta method.

use super::Run;
use super::edges::{INSTANT, passed, side, way_after};
use super::touch::clearance;
use crate::checkpoint::Tape;
use crate::error::SimulationError;
use crate::integrate::{Integrator, locate_crossing};
use crate::model::Model;
use crate::model::description::{MethodDescription, SimulationDescription};
use crate::record::Sink;

/// Distance before a barrier that counts as at it, for explicit and for implicit steps (m). Implicit
/// ones end where an iteration does: nearer than it is exact, its last forces may be those behind the barrier.
const NEAR: [f64; 2] = [1e-12, 1e-6];
/// Share of that distance which is too near.
const TOO_NEAR: f64 = 0.1;
/// Rounding of places, per unit of them (m).
const GRAIN: f64 = 1e-15;
/// Share of the way of a step within which a barrier ahead counts as reached.
const REACH: f64 = 1e-3;
/// Steps tried to end there: convergence is faster than linear, and what is left is crossed too.
const TRIES: usize = 20;
/// Time over which rates are taken (s).
const MOMENT: f64 = 1e-7;
/// Shares of a step that was too long which are tried next, one after the other.
const SHORTER: [f64; 4] = [0.999, 0.99, 0.9, 0.5];
/// Share of a step below which a method is not trusted with a step of its own.
const SHORTEST: f64 = 1e-4;
/// Share of a step that is left after a barrier and too short for a step of its own: accelerations at its end would be those of
/// rounding. With the step that follows it makes two equal ones.
const REST: f64 = 0.1;
/// Doublings of the shortest step in time within which a barrier must be crossed.
const DOUBLINGS: usize = 30;

/// What steps of a given length must end at, and how.
pub(super) struct Split {
    /// For steps that are too short for the method.
    short: Integrator,
    /// Tyres that push at once, as entries of the one-sided elements.
    hard: Vec<usize>,
    /// Places of the elements on roads with edges at both ends of the step (m).
    ways: [Vec<f64>; 2],
    /// Length of steps (s).
    step: f64,
    /// Distance before a barrier that counts as at it (m).
    near: f64,
    /// The barrier that the state is just before.
    barrier: Option<Kind>,
    /// The even time that steps come back to after a barrier (s); infinite where they are even.
    even: f64,
}

/// What the last step has passed, and about when (s).
#[derive(Clone, Copy)]
pub(super) struct Barrier {
    kind: Kind,
    time: f64,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Edge of an entry of `places`, passed in the direction of its road's x axis or against it.
    Edge { entry: usize, place: f64, forward: bool },
    /// Entry of the one-sided elements.
    Touch { entry: usize },
}

impl Split {
    /// `None` for methods that follow errors, and where nothing jumps.
    pub fn new(model: &Model, settings: &SimulationDescription, roads: usize) -> Option<Self> {
        let step = match settings.method {
            MethodDescription::DormandPrince { .. } | MethodDescription::Radau { .. } => return None,
            MethodDescription::Implicit { tolerance, .. } if tolerance > 0.0 => return None,
            MethodDescription::Implicit { step, .. }
            | MethodDescription::Rk4 { step }
            | MethodDescription::Global { step }
            | MethodDescription::EnergyMomentum { step, .. } => step,
        };
        let sided = model.elements.iter().filter(|element| element.kind.is_one_sided());
        let hard = sided.enumerate().filter(|(_, element)| element.kind.pushes_at_once());
        let hard: Vec<usize> = hard.map(|(entry, _)| entry).collect();
        (roads > 0 || !hard.is_empty()).then(|| Self {
            short: Integrator::new(model, &MethodDescription::Rk4 { step }),
            hard,
            ways: [vec![0.0; roads], vec![0.0; roads]],
            step,
            near: NEAR[usize::from(!matches!(settings.method, MethodDescription::Rk4 { .. }))],
            barrier: None,
            even: f64::INFINITY,
        })
    }

    /// Where a step from `start` must end at the latest to come back to even times (s).
    pub fn limit(&self, start: f64) -> f64 {
        let left = self.even - start;
        if left > (1.0 + SHORTEST) * self.step { start + 0.5 * left } else { self.even }
    }

    /// How near a barrier a step may come that goes `way` towards it (m): slow motion need not come there at all.
    fn near(&self, way: f64) -> f64 {
        self.near.min(REACH * way.abs())
    }

    /// Whether the state is just before a barrier.
    pub fn waits(&self) -> bool {
        self.barrier.is_some()
    }

    /// A step has ended at `time` (s).
    pub fn come_back(&mut self, time: f64) {
        if time >= self.even {
            self.even = f64::INFINITY;
        }
    }

    /// What lasts from one step to the next.
    pub fn remember(&mut self, tape: &mut Tape) {
        tape.number(&mut self.even);
        let (mut at, mut edge) = (self.barrier.is_some(), false);
        let (mut entry, mut place, mut forward) = (0, 0.0, false);
        match self.barrier {
            Some(Kind::Edge { entry: e, place: p, forward: f }) => {
                (edge, entry, place, forward) = (true, e as u64, p, f)
            }
            Some(Kind::Touch { entry: e }) => entry = e as u64,
            None => {}
        }
        tape.flag(&mut at);
        tape.flag(&mut edge);
        tape.word(&mut entry);
        tape.number(&mut place);
        tape.flag(&mut forward);
        let entry = entry as usize;
        let kind = if edge { Kind::Edge { entry, place, forward } } else { Kind::Touch { entry } };
        // What was read may be damaged.
        let known = if edge { entry < self.ways[0].len() } else { self.hard.contains(&entry) };
        self.barrier = (at && known).then_some(kind);
    }
}

impl<K: Sink> Run<'_, K> {
    /// Clearances and places at the start of a step.
    pub(super) fn look_at_start(&mut self) {
        if self.touches.time != self.state.time {
            self.look();
        }
        self.touches.first.copy_from_slice(&self.touches.last);
        if let Some(Split { ways: [first, last], .. }) = self.edges.split.as_deref_mut() {
            first.copy_from_slice(last);
        }
    }

    /// Clearances and places at the end of a step.
    pub(super) fn look(&mut self) {
        self.touches.end(self.model, &self.state, &mut self.sample_work);
        let edges = &mut self.edges;
        if let Some(split) = &mut edges.split {
            for (way, (element, _)) in split.ways[1].iter_mut().zip(&edges.places) {
                *way = way_after(self.model, *element, &self.state, &self.sample_work, 0.0);
            }
        }
    }

    /// The first barrier that the last step has passed or come near to.
    pub(super) fn first_barrier(&mut self) -> Result<Option<Barrier>, SimulationError> {
        self.look();
        let (start, end) = (self.edges.start.time, self.state.time);
        let mut first: Option<Barrier> = None;
        for entry in 0..self.edges.places.len() {
            let Some((place, x, y)) = self.reached_edge(entry) else { continue };
            let found = self.edge_between(entry, (x, y))?;
            let time = found.map_or(end, |(_, crossing)| crossing.before);
            if first.is_none_or(|first| time < first.time) {
                let kind = Kind::Edge { entry, place, forward: y > x };
                first = Some(Barrier { kind, time });
            }
        }
        for i in 0..self.hard_count() {
            let Some(entry) = self.touched(i) else { continue };
            let ends = [self.touches.first[entry][0], self.touches.last[entry][0]];
            let found =
                locate_crossing((start, ends[0]), (end, ends[1]), -1, |time| self.clearance_at(entry, time));
            let time = found.map_or(end, |crossing| crossing.before);
            if first.is_none_or(|first| time < first.time) {
                first = Some(Barrier { kind: Kind::Touch { entry }, time });
            }
        }
        Ok(first)
    }

    /// Takes the last step back and goes to just before the barrier that it has passed.
    pub(super) fn end_before(&mut self, barrier: Barrier) -> Result<(), SimulationError> {
        let (start, end) = (self.edges.start.time, self.state.time);
        let reached = self.beyond(barrier.kind)[0];
        self.go_back();
        let way = reached - self.beyond(barrier.kind)[0];
        let near = self.edges.split.as_ref().map_or(0.0, |split| split.near(way));
        self.approach(barrier.kind, near, barrier.time - start, end - start, SHORTEST * (end - start))?;
        self.touches.time = f64::NAN;
        if let Some(split) = &mut self.edges.split {
            let left = end - self.state.time;
            split.even = if left > REST * split.step { end } else { end + split.step };
            split.barrier = Some(barrier.kind);
        }
        Ok(())
    }

    /// Crosses the barrier that the state is just before, in the shortest time that does.
    pub(super) fn cross_barrier(&mut self) -> Result<(), SimulationError> {
        let Some(split) = &mut self.edges.split else { return Ok(()) };
        let (Some(kind), longest) = (split.barrier.take(), 2.0 * REACH * split.step) else { return Ok(()) };
        self.begin_here();
        let [gap, rate] = self.beyond(kind);
        self.approach(kind, NEAR[0], -gap / rate, longest, f64::INFINITY)?;
        self.begin_here();
        let start = self.state.time;
        let mut length = 4.0 * INSTANT * (1.0 + start.abs());
        for _ in 0..DOUBLINGS {
            self.try_length(length, f64::INFINITY)?;
            if self.beyond(kind)[0] > 0.0 {
                break;
            }
            length *= 2.0;
        }
        self.integrator.work_done += self.jump();
        self.integrator.restart();
        Ok(())
    }

    /// A step to be taken back starts at the state.
    fn begin_here(&mut self) {
        self.edges.start.copy_from(&self.state);
        self.edges.start_work = self.integrator.work_done;
    }

    /// Goes from the start to less than `near` before a barrier (m), which a step of `high` passes; `next` is the first length tried.
    /// Steps below `short` are taken by the method for short ones. From below: implicit steps that are a little too long may
    /// have no solution, since a force that begins at their end would push the end back out.
    fn approach(
        &mut self,
        kind: Kind,
        near: f64,
        mut next: f64,
        mut high: f64,
        short: f64,
    ) -> Result<(), SimulationError> {
        let grain = if let Kind::Edge { place, .. } = kind { GRAIN * (1.0 + place.abs()) } else { GRAIN };
        let near = near.max(grain);
        self.go_back();
        // Length of the last step that ended before the barrier, how far past it that was, and how fast.
        let mut low = (0.0, self.beyond(kind));
        let (mut reached, mut missed) = (0.0, 0);
        // Not to the barrier itself, where the last digit of a position decides between two forces.
        next -= 0.5 * near / low.1[1];
        for _ in 0..TRIES {
            let (length, [gap, _]) = low;
            if gap > -near {
                break;
            }
            if next <= length || next >= high || next.is_nan() {
                next = 0.5 * (length + high);
            }
            let ended = self.try_length(next, short);
            reached = next;
            let found = if ended.is_ok() { self.beyond(kind) } else { [f64::INFINITY, 0.0] };
            if found[0] > -TOO_NEAR * near {
                high = next;
                next = length + (next - length) * SHORTER[missed.min(SHORTER.len() - 1)];
                missed += 1;
            } else {
                (low, missed) = ((next, found), 0);
                next += (-0.5 * near - found[0]) / found[1];
            }
        }
        if reached == low.0 { Ok(()) } else { self.try_length(low.0, short) }
    }

    /// One step up to `limit`, or half of it where the whole has no solution: near a touch-down the force at the end would
    /// open what closes it.
    pub(super) fn step_or_half(&mut self, limit: f64) -> Result<(), SimulationError> {
        let (start, stepped) =
            (self.state.time, self.integrator.step(self.model, &mut self.state, &mut self.work, limit));
        let (Err(error), Some(split)) = (&stepped, &mut self.edges.split) else { return stepped };
        let end = limit.min(start + split.step);
        if split.hard.is_empty() || !matches!(error, SimulationError::Dynamics { .. }) {
            return stepped;
        }
        split.even = split.even.min(end);
        self.go_back();
        let half = start + 0.5 * (end - start);
        self.integrator.step(self.model, &mut self.state, &mut self.work, half).or(stepped)
    }

    /// One step of `length` from the start, by the method for short ones below `short`.
    fn try_length(&mut self, length: f64, short: f64) -> Result<(), SimulationError> {
        self.go_back();
        let limit = self.edges.start.time + length;
        match length {
            0.0 => Ok(()),
            length if length < short => self.step_shortly(limit),
            _ => self.integrator.step(self.model, &mut self.state, &mut self.work, limit),
        }
    }

    /// One step to `limit` by a method that may be as short as rounding.
    fn step_shortly(&mut self, limit: f64) -> Result<(), SimulationError> {
        let Some(split) = &mut self.edges.split else { return Ok(()) };
        (split.short.work_done, split.short.end) = (self.integrator.work_done, self.integrator.end);
        split.short.step(self.model, &mut self.state, &mut self.sample_work, limit)?;
        self.integrator.work_done = split.short.work_done;
        Ok(())
    }

    /// How far the state is past a barrier, positive once it is, and how fast that changes (m, m/s).
    fn beyond(&mut self, kind: Kind) -> [f64; 2] {
        let (model, state, work) = (self.model, &self.state, &mut self.sample_work);
        work.kinematics(model, state);
        work.poses(model, state);
        match kind {
            Kind::Edge { entry, place, forward } => {
                let element = self.edges.places[entry].0;
                let [now, later] = [0.0, MOMENT].map(|time| way_after(model, element, state, work, time));
                let rate = (later - now) / MOMENT;
                if forward { [side(now, place), rate] } else { [place - now, -rate] }
            }
            Kind::Touch { entry } => {
                clearance(model, self.touches.elements[entry], state, work).map(|value| -value)
            }
        }
    }

    /// The first edge that an element has passed or come near to in the step, and its places at both ends of it (m).
    fn reached_edge(&self, entry: usize) -> Option<(f64, f64, f64)> {
        let split = self.edges.split.as_ref()?;
        let (x, y) = (split.ways[0][entry], split.ways[1][entry]);
        let far = y + split.near(y - x).copysign(y - x);
        passed(&self.edges.places[entry].1, x, far).map(|place| (place, x, y))
    }

    fn hard_count(&self) -> usize {
        self.edges.split.as_ref().map_or(0, |split| split.hard.len())
    }

    /// The entry of a tyre that was open and has touched the road in the step, or come near to it.
    fn touched(&self, i: usize) -> Option<usize> {
        let split = self.edges.split.as_ref()?;
        let entry = split.hard[i];
        let (first, last) = (self.touches.first[entry][0], self.touches.last[entry][0]);
        (first > 0.0 && last < first && last < split.near(first - last)).then_some(entry)
    }
}
