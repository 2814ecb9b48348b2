//! What acts on every body beside its joint and its modes: so that powers can be summed, and forces added, body by body.

use crate::model::Model;
use crate::model::closure::LoopJoint;
use crate::model::element::CouplerEnd;

/// An item that acts on a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    Force(usize),
    Load(usize),
    Element(usize),
    Coupler(usize),
}

/// What a body feels: an item with the side it has there, 0 for the first frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Touch {
    Force(usize),
    Load(usize),
    Element(usize, usize),
    /// A coupler by one of its ends, with the side of a joint that closes a loop, 0 for its second frame.
    Coupler(usize, usize, usize),
}

/// Lists of what touches every body.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    /// First entry of every body, then the end; empty where nothing touches any.
    first: Vec<usize>,
    entries: Vec<T>,
}

impl<T: Ord + Copy> Lists<T> {
    /// Lists of `count` bodies from entries with their body.
    pub fn new(count: usize, mut all: Vec<(usize, T)>) -> Self {
        if all.is_empty() {
            return Self { first: Vec::new(), entries: Vec::new() };
        }
        all.sort();
        let first = (0..=count).map(|body| all.partition_point(|&(of, _)| of < body)).collect();
        Self { first, entries: all.into_iter().map(|(_, entry)| entry).collect() }
    }

    /// Number of entries of all lists.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// All entries, body by body.
    pub fn all(&self) -> &[T] {
        &self.entries
    }

    /// First entry of every body, then the end.
    pub fn starts(&self) -> &[usize] {
        &self.first
    }

    /// What touches `body`, in rising order.
    pub fn on(&self, body: usize) -> &[T] {
        match self.first.get(body..body + 2) {
            Some(&[first, end]) => &self.entries[first..end],
            _ => &[],
        }
    }
}

/// Forces, loads and elements by the bodies that feel them.
pub(super) fn touching(model: &Model) -> Lists<Touch> {
    let of_frame = |frame: usize| model.frames[frame].body.map(|body| body.0);
    let forces = model.forces.iter().enumerate();
    let forces = forces.filter_map(|(i, force)| Some((of_frame(force.frame.0)?, Touch::Force(i))));
    let loads = model.loads.iter().enumerate().map(|(i, load)| (load.body.0, Touch::Load(i)));
    let elements = model.elements.iter().enumerate().flat_map(|(i, element)| {
        let of_side = move |side: usize| Some((of_frame(element.frames[side].0)?, Touch::Element(i, side)));
        [0, 1].into_iter().filter_map(of_side)
    });
    let couplers = (0..model.couplers.len()).flat_map(|i| {
        let of_end = move |end: usize| coupler_touches(model, i, end);
        [0, 1].into_iter().flat_map(of_end)
    });
    Lists::new(model.body_count(), forces.chain(loads).chain(elements).chain(couplers).collect())
}

/// Who feels one end of coupler `i`: the body of a speed of the tree, or both bodies of a joint that closes a loop.
fn coupler_touches(model: &Model, i: usize, end: usize) -> impl Iterator<Item = (usize, Touch)> {
    let bodies = match model.couplers[i].ends[end] {
        CouplerEnd::Tree { speed, .. } => [Some(model.body_of_speed(speed)), None],
        CouplerEnd::Loop { joint, .. } => {
            let [first, second] =
                model.loops[joint].frames.map(|id| model.frames[id.0].body.map(|body| body.0));
            [second, first]
        }
    };
    let touch = move |side: usize| Some((bodies[side]?, Touch::Coupler(i, end, side)));
    [0, 1].into_iter().filter_map(touch)
}

/// Joints that close loops by the bodies that feel their reactions, 0 for the second frame.
pub(super) fn reacting(model: &Model) -> Lists<(usize, usize)> {
    let of_joint = |(l, joint): (usize, &LoopJoint)| {
        let frames = [joint.frames[1], joint.frames[0]];
        let side = |side: usize| Some((model.frames[frames[side].0].body?.0, (l, side)));
        [side(0), side(1)].into_iter().flatten()
    };
    Lists::new(model.body_count(), model.loops.iter().enumerate().flat_map(of_joint).collect())
}

/// Items by the body they are counted with; those that touch no body of the tree come last.
#[derive(Clone, Debug, Default)]
pub(super) struct Acting {
    /// First item of every body, then the end; empty where nothing acts.
    first: Vec<usize>,
    items: Vec<Item>,
}

impl Acting {
    /// The items of `model`: with the first body they act on.
    pub fn new(model: &Model) -> Self {
        let of_frame = |frame: usize| model.frames[frame].body.map(|body| body.0);
        let forces =
            model.forces.iter().enumerate().map(|(i, force)| (of_frame(force.frame.0), Item::Force(i)));
        let loads = model.loads.iter().enumerate().map(|(i, load)| (Some(load.body.0), Item::Load(i)));
        let elements = model.elements.iter().enumerate().map(|(i, element)| {
            let [first, second] = element.frames.map(|frame| of_frame(frame.0));
            (first.or(second), Item::Element(i))
        });
        let couplers = model
            .couplers
            .iter()
            .enumerate()
            .map(|(i, coupler)| (coupler.bodies(model).next(), Item::Coupler(i)));
        let count = model.body_count();
        let all = forces.chain(loads).chain(elements).chain(couplers);
        let mut list: Vec<(usize, Item)> = all.map(|(body, item)| (body.unwrap_or(count), item)).collect();
        if list.is_empty() {
            return Self::default();
        }
        list.sort();
        let first = (0..=count + 1).map(|body| list.partition_point(|&(of, _)| of < body)).collect();
        Self { first, items: list.into_iter().map(|(_, item)| item).collect() }
    }

    /// Whether there is no item at all.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// What is counted with `body`; with the number of bodies, what touches none.
    pub fn on(&self, body: usize) -> &[Item] {
        match self.first.get(body..body + 2) {
            Some(&[first, end]) => &self.items[first..end],
            _ => &[],
        }
    }
}
