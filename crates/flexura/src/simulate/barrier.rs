//! Barriers of steps of a given length (`split`): which were reached, and how far away they are.

use super::Run;
use super::edges::{passed, side, way_after};
use super::touch::clearance;
use crate::record::Sink;

/// Time over which rates are taken (s).
const MOMENT: f64 = 1e-7;

/// What the last step has passed, and about when (s).
#[derive(Clone, Copy)]
pub(super) struct Barrier {
    pub kind: Kind,
    pub time: f64,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// Edge of an entry of `places`, passed in the direction of its road's x axis or against it.
    Edge { entry: usize, place: f64, forward: bool },
    /// Entry of the one-sided elements.
    Touch { entry: usize },
}

impl<K: Sink> Run<'_, K> {
    /// How far the state is past a barrier, positive once it is, and how fast that changes (m, m/s).
    pub(super) fn beyond(&mut self, kind: Kind) -> [f64; 2] {
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
    pub(super) fn reached_edge(&self, entry: usize) -> Option<(f64, f64, f64)> {
        let split = self.edges.split.as_ref()?;
        let (x, y) = (split.ways[0][entry], split.ways[1][entry]);
        let far = y + split.near(y - x).copysign(y - x);
        passed(&self.edges.places[entry].1, x, far).map(|place| (place, x, y))
    }

    pub(super) fn hard_count(&self) -> usize {
        self.edges.split.as_ref().map_or(0, |split| split.hard.len())
    }

    /// The entry of a tyre that was open and has touched the road in the step, or come near to it.
    pub(super) fn touched(&self, i: usize) -> Option<usize> {
        let split = self.edges.split.as_ref()?;
        let entry = split.hard[i];
        let (first, last) = (self.touches.first[entry][0], self.touches.last[entry][0]);
        (first > 0.0 && last < first && last < split.near(first - last)).then_some(entry)
    }
}
