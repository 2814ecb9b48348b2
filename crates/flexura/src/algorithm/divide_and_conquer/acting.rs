//! What acts on every body beside its joint and its modes: so that powers can be summed body by body.

use crate::model::Model;

/// An item that acts on a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    Force(usize),
    Load(usize),
    Element(usize),
    Coupler(usize),
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

    /// What is counted with `body`; with the number of bodies, what touches none.
    pub fn on(&self, body: usize) -> &[Item] {
        match self.first.get(body..body + 2) {
            Some(&[first, end]) => &self.items[first..end],
            _ => &[],
        }
    }
}
