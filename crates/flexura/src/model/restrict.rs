//! Some bodies of a model as a model of their own: what one of several ranks computes with.

use super::element::CouplerEnd;
use super::{BodyId, FrameId, Layout, Model, Unreduced};

/// Which items of a model are kept.
pub(crate) struct Kept<'a> {
    /// Bodies in their order; parents before children.
    pub bodies: &'a [usize],
    /// Applied forces.
    pub forces: &'a dyn Fn(usize) -> bool,
    /// Loads spread over bodies.
    pub loads: &'a dyn Fn(usize) -> bool,
    /// Force elements; those kept have kept bodies only.
    pub elements: &'a dyn Fn(usize) -> bool,
    /// Couplers; the same.
    pub couplers: &'a dyn Fn(usize) -> bool,
}

/// No such item among those kept.
const NONE: usize = usize::MAX;

impl Model {
    /// The kept items as a model without controllers and loops. A body whose parent is not kept stands on the ground: its
    /// joint means nothing.
    pub(crate) fn restricted(&self, kept: &Kept<'_>) -> Self {
        let numbers = numbers_of(self.body_count(), kept.bodies);
        let bodies: Vec<_> = kept.bodies.iter().map(|&k| self.bodies[k].clone()).collect();
        let mut joints: Vec<_> = kept.bodies.iter().map(|&k| self.joints[k].clone()).collect();
        for joint in &mut joints {
            joint.parent = joint.parent.map(|p| numbers[p]).filter(|&p| p != NONE);
        }
        let has_body = |frame: &super::Frame| frame.body.is_none_or(|body| numbers[body.0] != NONE);
        let listed: Vec<usize> = (0..self.frames.len()).filter(|&f| has_body(&self.frames[f])).collect();
        let frame_numbers = numbers_of(self.frames.len(), &listed);
        let frames = listed.iter().map(|&f| {
            let mut frame = self.frames[f].clone();
            frame.body = frame.body.map(|body| BodyId(numbers[body.0]));
            frame
        });
        let moved = |frame: FrameId| FrameId(frame_numbers[frame.0]);
        let layout = Layout::new(&bodies, &joints);
        let mut out = Self {
            name: self.name.clone(),
            gravity: self.gravity,
            frames: frames.collect(),
            forces: chosen(&self.forces, kept.forces),
            loads: chosen(&self.loads, kept.loads),
            controllers: Vec::new(),
            controller_states: 0,
            elements: chosen(&self.elements, kept.elements),
            couplers: chosen(&self.couplers, kept.couplers),
            loops: Vec::new(),
            initial_q: self.coordinates_of(kept.bodies, &self.initial_q),
            initial_v: self.speeds_of(kept.bodies, &self.initial_v),
            prescribed: self.speeds_of(kept.bodies, &self.prescribed),
            unreduced: vec![Unreduced::Unknown; bodies.len()],
            nodal_masses: Vec::new(),
            natural: self.natural.clone(),
            bodies,
            joints,
            layout,
        };
        out.forces.iter_mut().for_each(|force| force.frame = moved(force.frame));
        out.loads.iter_mut().for_each(|load| load.body = BodyId(numbers[load.body.0]));
        out.elements.iter_mut().for_each(|element| element.frames = element.frames.map(moved));
        for end in out.couplers.iter_mut().flat_map(|coupler| &mut coupler.ends) {
            if let CouplerEnd::Tree { coordinate, speed } = end {
                let k = self.body_of_speed(*speed);
                let (from, to) = (&self.layout.bodies[k], &out.layout.bodies[numbers[k]]);
                *coordinate = *coordinate - from.q + to.q;
                *speed = *speed - from.v + to.v;
            }
        }
        out
    }

    /// The body whose speeds include `speed`.
    pub(crate) fn body_of_speed(&self, speed: usize) -> usize {
        self.layout.bodies.partition_point(|part| part.v <= speed).saturating_sub(1)
    }

    /// Entries of `bodies` in a vector of coordinates.
    pub(crate) fn coordinates_of<T: Clone>(&self, bodies: &[usize], q: &[T]) -> Vec<T> {
        let parts = bodies.iter().map(|&k| &self.layout.bodies[k]);
        parts.flat_map(|part| q[part.q..part.joint_q().end].iter().cloned()).collect()
    }

    /// Entries of `bodies` in a vector of speeds.
    pub(crate) fn speeds_of<T: Clone>(&self, bodies: &[usize], v: &[T]) -> Vec<T> {
        bodies.iter().flat_map(|&k| v[self.layout.bodies[k].speeds()].iter().cloned()).collect()
    }
}

/// New numbers of the listed items, [`NONE`] for others.
fn numbers_of(count: usize, listed: &[usize]) -> Vec<usize> {
    let mut out = vec![NONE; count];
    listed.iter().enumerate().for_each(|(new, &old)| out[old] = new);
    out
}

fn chosen<T: Clone>(items: &[T], keep: &dyn Fn(usize) -> bool) -> Vec<T> {
    items.iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, item)| item.clone()).collect()
}
