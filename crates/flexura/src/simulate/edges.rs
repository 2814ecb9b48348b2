//! Edges of roads: places where the energy stored in a tyre jumps although nothing moves.
//!
//! Under a wheel that rolls over a step, or over the foot of a ramp, the road changes at once: the spring of the tyre
//! is longer or shorter afterwards and holds other energy. The road has done that work (or taken it): it is the
//! difference of the stored energy just after and just before, and is added to the work done. Error-controlled steps
//! end at the edge: one that has passed it is taken back and repeated up to the instant before, found on the dense
//! output, and the last few roundings of time are one step of their own. Fixed steps pass over edges.

use super::Run;
use crate::checkpoint::Tape;
use crate::error::SimulationError;
use crate::force::element::evaluate_element;
use crate::integrate::locate_crossing;
use crate::model::Model;
use crate::model::description::{MethodDescription, SimulationDescription};
use crate::motion::frame_state::frame_state;
use crate::record::Sink;
use crate::spatial::{sub, transposed_matrix_vector};
use crate::state::State;
use crate::workspace::Workspace;

/// Share of a step below which a touch counts as at its start.
const SHORTEST_SHARE: f64 = 1e-4;

/// Time relative to the present that no step can tell apart.
const INSTANT: f64 = 2e-15;

/// Elements on roads with edges, and the step under way.
#[derive(Debug)]
pub(super) struct Edges {
    /// Element and the places of its edges along the road, in order (m).
    places: Vec<(usize, Vec<f64>)>,
    /// State and work at the start of the step.
    start: State,
    start_work: f64,
    /// Where a step must end because an edge follows (s).
    ahead: Option<f64>,
}

impl Edges {
    /// Edges of `model`; none for methods with fixed steps.
    pub fn new(model: &Model, settings: &SimulationDescription) -> Self {
        let controlled = match settings.method {
            MethodDescription::DormandPrince { .. }
            | MethodDescription::Radau { .. }
            | MethodDescription::Automatic { .. } => true,
            MethodDescription::Implicit { tolerance, .. } => tolerance > 0.0,
            _ => false,
        };
        let found = model.elements.iter().map(|element| element.kind.edges()).enumerate();
        let places =
            if controlled { found.filter(|(_, list)| !list.is_empty()).collect() } else { Vec::new() };
        Self { places, start: State::unprescribed(model, 0.0), start_work: 0.0, ahead: None }
    }

    /// What lasts from one step to the next.
    pub fn remember(&mut self, tape: &mut Tape) {
        let (mut waits, mut ahead) = (self.ahead.is_some(), self.ahead.unwrap_or(0.0));
        tape.flag(&mut waits);
        tape.number(&mut ahead);
        self.ahead = waits.then_some(ahead);
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
        loop {
            let start = self.state.time;
            self.edges.start.copy_from(&self.state);
            self.edges.start_work = self.integrator.work_done;
            if touching {
                self.touches.begin(self.model, &self.state, &mut self.sample_work);
            }
            let limit = self.edges.ahead.map_or(bound, |ahead| ahead.min(bound));
            self.integrator.step(self.model, &mut self.state, &mut self.work, limit)?;
            self.edges.ahead = self.edges.ahead.filter(|&ahead| ahead > self.state.time);
            let instant = INSTANT * (1.0 + start.abs());
            let short = self.state.time - start <= 4.0 * instant;
            if let Some((before, after)) = self.first_edge()? {
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
            let Some(touch) = touch else { return Ok(()) };
            let length = self.state.time - start;
            self.go_back();
            // Where the touch is the start itself, a shorter step will end inside; steps much shorter than this one
            // would only meet the rounding of its interpolation.
            let within = touch - start > (4.0 * instant).max(SHORTEST_SHARE * length);
            self.edges.ahead = Some(if within { touch } else { start + 0.125 * length });
        }
    }

    /// Takes the last step back.
    fn go_back(&mut self) {
        self.state.copy_from(&self.edges.start);
        self.integrator.work_done = self.edges.start_work;
        self.integrator.take_back();
    }

    /// Instants just before and after the first edge that the last step has passed (s).
    fn first_edge(&mut self) -> Result<Option<(f64, f64)>, SimulationError> {
        let (start, end) = (self.edges.start.time, self.state.time);
        let mut first: Option<(f64, f64)> = None;
        for i in 0..self.edges.places.len() {
            let (x, y) = self.ends(i);
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
            let (x, y) = self.ends(i);
            let (element, places) = &self.edges.places[i];
            if passed(places, x, y).is_some() {
                let (model, work) = (self.model, &mut self.sample_work);
                sum += stored(model, *element, &self.state, work);
                sum -= stored(model, *element, &self.edges.start, work);
            }
        }
        sum
    }

    /// Places along the road at both ends of the last step (m).
    fn ends(&mut self, i: usize) -> (f64, f64) {
        let (element, work) = (self.edges.places[i].0, &mut self.sample_work);
        let first = way(self.model, element, &self.edges.start, work);
        (first, way(self.model, element, &self.state, work))
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
