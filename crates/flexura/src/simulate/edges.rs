//! Edges of roads: places where the energy stored in a tyre jumps although nothing moves.
//!
//! Under a wheel that rolls over a step, or over the foot of a ramp, the road changes at once: the spring of the tyre
//! is longer or shorter afterwards and holds other energy. The road has done that work (or taken it): it is the
//! difference of the stored energy just after and just before, and is added to the work done. Steps end at the edge: one
//! that has passed it is taken back and repeated up to the instant before, found on the dense output. Error-controlled
//! ones take the last few roundings of time as a step of their own. Steps of one length, whose equations may divide by its
//! square, are split: what is left before the edge, at most a thousandth of a step, is read off the dense output, and the
//! rest of the step follows from just behind the edge on. A step over the edge would have an error of first order. Near an edge
//! Newton's iterations of a long step may see one road and the other in turn and not end, likewise an element open and closed: such a step
//! is tried again half as long, from where it is predicted better.

use super::Run;
use crate::checkpoint::Tape;
use crate::error::{DynamicsError, SimulationError};
use crate::force::element::evaluate_element;
use crate::integrate::locate_crossing;
use crate::model::Model;
use crate::model::description::{MethodDescription, SimulationDescription};
use crate::motion::frame_state::frame_state;
use crate::record::Sink;
use crate::spatial::{sub, transposed_matrix_vector};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::workspace::Workspace;

/// Share of a step below which a touch counts as at its start.
const SHORTEST_SHARE: f64 = 1e-4;

/// Share of a step of fixed length that is read off the dense output before an edge. There the interpolant errs by its square
/// times what the edge changes in a step.
const CLOSE: f64 = 1e-3;

/// Share of a step of fixed length below which nothing is left of it.
const SLIVER: f64 = 1e-4;

/// Share of a step of fixed length between an edge and the state behind it: more than rounding, so that the next step does not
/// find itself before the edge again, and other wheels of the axle are over it as well.
const BEHIND: f64 = 1e-6;

/// Share of a step of fixed length below which one near an edge is not halved once more.
const SHORTEST_HALF: f64 = 0.02;

/// Time relative to the present that no step can tell apart.
const INSTANT: f64 = 2e-15;

/// Elements on roads with edges, and the step under way.
#[derive(Debug)]
pub(super) struct Edges {
    /// Element and the places of its edges along the road, in order (m).
    places: Vec<(usize, Vec<f64>)>,
    /// Place of each along the road at both ends of the step (m).
    ways: [Vec<f64>; 2],
    /// State at which the second of them, and the clearances of `Touches`, were looked at.
    seen: State,
    /// State and work at the start of the step.
    start: State,
    start_work: f64,
    /// Where a step must end because an edge follows (s).
    ahead: Option<f64>,
    /// Whether steps have one length.
    split: bool,
    /// End of the step that an edge has split (s).
    rest: Option<f64>,
    /// How often the step under way has been split.
    splits: u32,
    /// Where the last step, of fixed length, has left an edge behind (s), and the work of the road there (J).
    crossed: Option<(f64, f64)>,
    /// Place along the road and stored energy just before an edge.
    before: Vec<(f64, f64)>,
}

/// What has become of a step that may have been split.
enum Split {
    /// It stands as it is.
    Nowhere,
    /// It ends behind the place.
    Behind,
    /// It was taken back, to end before the place.
    Again,
}

impl Edges {
    /// Edges of `model`.
    pub fn new(model: &Model, settings: &SimulationDescription) -> Self {
        let controlled = match settings.method {
            MethodDescription::DormandPrince { .. }
            | MethodDescription::Radau { .. }
            | MethodDescription::Automatic { .. } => true,
            MethodDescription::Implicit { tolerance, .. } => tolerance > 0.0,
            _ => false,
        };
        let found = model.elements.iter().map(|element| element.kind.edges()).enumerate();
        let places: Vec<_> = found.filter(|(_, list)| !list.is_empty()).collect();
        Self {
            before: vec![(0.0, 0.0); places.len()],
            ways: [vec![0.0; places.len()], vec![0.0; places.len()]],
            seen: State::unprescribed(model, f64::NAN),
            places,
            start: State::unprescribed(model, 0.0),
            start_work: 0.0,
            ahead: None,
            split: !controlled,
            rest: None,
            splits: 0,
            crossed: None,
        }
    }

    /// Work of the road in the last step up to `time` that its dense output does not have (J).
    pub fn work_until(&self, time: f64) -> f64 {
        self.crossed.map_or(0.0, |(after, work)| if time >= after { work } else { 0.0 })
    }

    /// What lasts from one step to the next.
    pub fn remember(&mut self, tape: &mut Tape) {
        for instant in [&mut self.ahead, &mut self.rest] {
            let (mut waits, mut time) = (instant.is_some(), instant.unwrap_or(0.0));
            tape.flag(&mut waits);
            tape.number(&mut time);
            *instant = waits.then_some(time);
        }
        let mut splits = u64::from(self.splits);
        tape.count(&mut splits);
        self.splits = splits as u32;
    }
}

impl<K: Sink> Run<'_, K> {
    /// One step up to `bound` that ends at the first edge of a road, or where an element is touched that the step would
    /// pass. Steps that are taken back count like others.
    pub(super) fn step_to(&mut self, bound: f64) -> Result<(), SimulationError> {
        let touching = !self.touches.elements.is_empty();
        if self.edges.places.is_empty() && !touching {
            return self.integrator.step(self.model, &mut self.state, &mut self.work, bound);
        }
        if self.edges.rest.is_none() {
            self.edges.splits = 0;
        }
        loop {
            let start = self.state.time;
            self.edges.crossed = None;
            self.edges.start.copy_from(&self.state);
            self.edges.start_work = self.integrator.work_done;
            self.look();
            self.touches.begin();
            let [first, last] = &mut self.edges.ways;
            first.copy_from_slice(last);
            let least = self.least_step();
            let limit = [self.edges.ahead, self.edges.rest].into_iter().flatten().fold(bound, f64::min);
            // What would be left up to the bound is no step.
            let limit = if bound - limit > least { limit } else { bound };
            if let Err(fault) = self.integrator.step(self.model, &mut self.state, &mut self.work, limit) {
                if self.halve(&fault, start, limit) {
                    continue;
                }
                return Err(fault);
            }
            if self.edges.split {
                // A driven wheel that ends at an edge to rounding would else pass it between two steps.
                apply_prescribed(self.model, &mut self.state, None);
            }
            for instant in [&mut self.edges.ahead, &mut self.edges.rest] {
                *instant = instant.filter(|&time| time - self.state.time > least);
            }
            self.look();
            let instant = INSTANT * (1.0 + start.abs());
            let short = self.state.time - start <= 4.0 * instant;
            if let Some((before, after)) = self.first_edge()? {
                if self.edges.split {
                    if self.split_step(before, after, bound)? {
                        return Ok(());
                    }
                    continue;
                }
                if short {
                    self.integrator.work_done += self.jump();
                    self.integrator.refresh();
                    return Ok(());
                }
                self.go_back();
                self.edges.ahead = Some(if before - start > instant { before } else { after });
                continue;
            }
            let touch = if touching && !short { self.passed_touch()? } else { None };
            if self.touches.split && touching && !short {
                match self.split_at_switch(touch, bound)? {
                    Split::Nowhere => {}
                    Split::Behind => return Ok(()),
                    Split::Again => continue,
                }
            }
            let Some(touch) = touch else { return Ok(()) };
            // Nor is a touch so near the bound that no step could end there taken back for it.
            if bound - touch <= least {
                return Ok(());
            }
            let length = self.state.time - start;
            self.go_back();
            // Where the touch is the start itself, a shorter step will end inside; steps much shorter than this one
            // would only meet the rounding of its interpolation.
            let within = touch - start > (4.0 * instant).max(SHORTEST_SHARE * length);
            self.edges.ahead = Some(if within { touch } else { start + 0.125 * length });
        }
    }

    /// Splits the last step, of fixed length, at the first instant before `touch` at which a one-sided element begins or ceases to act.
    fn split_at_switch(&mut self, touch: Option<f64>, bound: f64) -> Result<Split, SimulationError> {
        let (start, end) = (self.edges.start.time, self.state.time);
        let length = self.integrator.step_length().unwrap_or(end - start);
        let found = self.switched(length, self.edges.splits);
        let Some(switch) = found.filter(|found| touch.is_none_or(|touch| found.after < touch)) else {
            return Ok(Split::Nowhere);
        };
        self.edges.splits += 1;
        if switch.jumps {
            let behind = self.split_step(switch.before, switch.after, bound)?;
            return Ok(if behind { Split::Behind } else { Split::Again });
        }
        self.edges.rest.get_or_insert(end);
        self.go_back();
        self.edges.ahead = Some(switch.after);
        Ok(Split::Again)
    }

    /// Whether a step of fixed length has failed and is to be tried half as long, in a model that has roads with edges or elements that
    /// act on one side only, of which Newton's iterations may see both sides in turn; what it leaves of the whole step follows later.
    fn halve(&mut self, fault: &SimulationError, start: f64, limit: f64) -> bool {
        let stuck = matches!(fault, SimulationError::Dynamics { cause: DynamicsError::NewtonFailed, .. });
        let length = if self.edges.split { self.integrator.step_length() } else { None };
        let (Some(length), true) = (length, stuck) else { return false };
        let tried = length.min(limit - start);
        if tried < SHORTEST_HALF * length {
            return false;
        }
        self.edges.rest.get_or_insert(start + tried);
        self.state.copy_from(&self.edges.start);
        self.integrator.work_done = self.edges.start_work;
        self.integrator.give_up();
        self.edges.ahead = Some(start + 0.5 * tried);
        true
    }

    /// Time below which nothing is left of a step of fixed length (s): equations that divide by the square of a step are not
    /// asked for roundings of time.
    fn least_step(&self) -> f64 {
        let length = if self.edges.split { self.integrator.step_length() } else { None };
        length.map_or(0.0, |length| SLIVER * length)
    }

    /// Splits the last step, of fixed length, which has passed an edge: takes it back, to be repeated up to the instant before,
    /// or ends it just behind the edge, if that is near its start; tells which.
    fn split_step(&mut self, before: f64, after: f64, bound: f64) -> Result<bool, SimulationError> {
        let (start, end) = (self.edges.start.time, self.state.time);
        let rest = *self.edges.rest.get_or_insert(end);
        let length = self.integrator.step_length().unwrap_or(end - start);
        if before - start > CLOSE * length {
            self.go_back();
            // Not at the edge itself: Newton's iterations would see one road and the other in turn.
            self.edges.ahead = Some(before - 0.5 * CLOSE * length);
            // Nor may the step that is read off end there: one that keeps energy takes the jump out of the motion.
            if rest - before < CLOSE * length {
                self.edges.rest = Some(rest + length);
            }
            return Ok(false);
        }
        let behind = after + BEHIND * length;
        let behind = if bound - behind > SLIVER * length { behind } else { bound.min(end) };
        // Nothing is left of a step that the edge ends: the next one takes it over.
        let rest = if rest - behind > SLIVER * length { rest } else { rest + length };
        let jump = self.jump_at(before, behind)?;
        self.integrator.work_done = self.place(Some(behind))? + jump;
        self.state.copy_from(&self.between);
        self.integrator.cross_edge();
        self.edges.crossed = Some((after, jump));
        (self.edges.ahead, self.edges.rest) = (None, Some(rest));
        Ok(true)
    }

    /// Work of the road at the edges between two instants of the last step (J).
    fn jump_at(&mut self, before: f64, after: f64) -> Result<f64, SimulationError> {
        self.place(Some(before))?;
        for i in 0..self.edges.places.len() {
            self.edges.before[i] = self.along(i);
        }
        self.place(Some(after))?;
        let mut sum = 0.0;
        for i in 0..self.edges.places.len() {
            let ((x, held), (y, holds)) = (self.edges.before[i], self.along(i));
            if passed(&self.edges.places[i].1, x, y).is_some() {
                sum += holds - held;
            }
        }
        Ok(sum)
    }

    /// Place along the road and stored energy of an element where the last step was read off.
    fn along(&mut self, i: usize) -> (f64, f64) {
        let (element, work) = (self.edges.places[i].0, &mut self.sample_work);
        let place = way(self.model, element, &self.between, work);
        (place, stored(self.model, element, &self.between, work))
    }

    /// Takes the last step back.
    fn go_back(&mut self) {
        self.state.copy_from(&self.edges.start);
        self.integrator.work_done = self.edges.start_work;
        self.integrator.undo();
    }

    /// Instants just before and after the first edge that the last step has passed (s).
    fn first_edge(&mut self) -> Result<Option<(f64, f64)>, SimulationError> {
        let (start, end) = (self.edges.start.time, self.state.time);
        let mut first: Option<(f64, f64)> = None;
        for i in 0..self.edges.places.len() {
            let (x, y) = (self.edges.ways[0][i], self.edges.ways[1][i]);
            let (element, places) = &self.edges.places[i];
            let (element, passed) = (*element, passed(places, x, y));
            let Some(place) = passed else { continue };
            let mut fault = None;
            let crossing = locate_crossing((start, side(x, place)), (end, side(y, place)), 0, |time| {
                let placed = self.place(Some(time));
                placed.map_or_else(
                    |error| {
                        fault = Some(error);
                        f64::NAN
                    },
                    |_| side(way(self.model, element, &self.between, &mut self.sample_work), place),
                )
            });
            if let Some(error) = fault {
                return Err(error);
            }
            if let Some(found) = crossing.filter(|found| first.is_none_or(|first| found.time < first.1)) {
                first = Some((found.before, found.time));
            }
        }
        Ok(first)
    }

    /// Work of the road at the edges that the last step has passed (J).
    fn jump(&mut self) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.edges.places.len() {
            let (x, y) = (self.edges.ways[0][i], self.edges.ways[1][i]);
            let (element, places) = &self.edges.places[i];
            if passed(places, x, y).is_some() {
                let (model, work) = (self.model, &mut self.sample_work);
                sum += stored(model, *element, &self.state, work);
                sum -= stored(model, *element, &self.edges.start, work);
            }
        }
        sum
    }

    /// Places along roads and clearances at the present state, by one evaluation of its kinematics; the next step begins where this
    /// one ends.
    fn look(&mut self) {
        let (state, seen, work) = (&self.state, &mut self.edges.seen, &mut self.sample_work);
        if (seen.time, &seen.q, &seen.v) == (state.time, &state.q, &state.v) {
            return;
        }
        seen.copy_from(state);
        work.kinematics(self.model, state);
        work.poses(self.model, state);
        self.touches.look(self.model, state, work);
        for ((element, _), way) in self.edges.places.iter().zip(&mut self.edges.ways[1]) {
            *way = way_at(self.model, *element, state, work);
        }
    }
}

/// The first of the sorted `places` on the way from `x` to `y`; a road has changed at its edge itself.
fn passed(places: &[f64], x: f64, y: f64) -> Option<f64> {
    let index = |x: f64| places.partition_point(|&place| place <= x);
    let (a, b) = (index(x), index(y));
    if a < b { Some(places[a]) } else { (a > b).then(|| places[a - 1]) }
}

/// Distance past an edge, never zero: at the edge itself the road has changed.
fn side(x: f64, place: f64) -> f64 {
    let way = x - place;
    if way >= 0.0 { way.max(f64::MIN_POSITIVE) } else { way }
}

/// Place of an element's second frame along the x axis of its first (m).
fn way(model: &Model, element: usize, state: &State, work: &mut Workspace) -> f64 {
    work.kinematics(model, state);
    work.poses(model, state);
    way_at(model, element, state, work)
}

/// The same, for kinematics and poses that are known.
fn way_at(model: &Model, element: usize, state: &State, work: &Workspace) -> f64 {
    let [road, wheel] =
        model.elements[element].frames.map(|id| frame_state(model, state, &work.motion, &model.frames[id.0]));
    transposed_matrix_vector(&road.rotation, &sub(&wheel.position, &road.position))[0]
}

/// Energy stored in an element (J).
fn stored(model: &Model, element: usize, state: &State, work: &mut Workspace) -> f64 {
    work.kinematics(model, state);
    work.poses(model, state);
    evaluate_element(model, state, &work.motion, &model.elements[element]).0.energy
}
