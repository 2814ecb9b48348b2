//! Bodies in an order in which all that a body carries follows it without a gap.

use crate::model::Model;

/// The order, with the children of every body.
#[derive(Clone, Debug)]
pub(super) struct Preorder {
    bodies: Vec<usize>,
    /// Place of each body, and the place behind the last body it carries.
    ranges: Vec<std::ops::Range<usize>>,
    children: Vec<Vec<usize>>,
}

impl Preorder {
    pub fn new(model: &Model) -> Self {
        let count = model.body_count();
        let (mut children, mut carried) = (vec![Vec::new(); count], vec![1; count]);
        for k in (0..count).rev() {
            if let Some(parent) = model.joints[k].parent {
                children[parent].push(k);
                carried[parent] += carried[k];
            }
        }
        // Parents come first: each hands its children consecutive ranges behind its own place.
        let (mut next, mut free) = (0, vec![0; count]);
        let mut ranges = Vec::with_capacity(count);
        let mut bodies = vec![0; count];
        for k in 0..count {
            let slot = model.joints[k].parent.map_or(&mut next, |parent| &mut free[parent]);
            let start = *slot;
            *slot += carried[k];
            free[k] = start + 1;
            ranges.push(start..start + carried[k]);
            bodies[start] = k;
        }
        Self { bodies, ranges, children }
    }

    /// Body `k` and all it carries.
    pub fn carried(&self, k: usize) -> &[usize] {
        &self.bodies[self.ranges[k].clone()]
    }

    /// Bodies whose joints stand on body `k`.
    pub fn children(&self, k: usize) -> &[usize] {
        &self.children[k]
    }
}
