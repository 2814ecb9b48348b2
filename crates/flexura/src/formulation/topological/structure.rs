//! Which unknowns meet in the equations: order of elimination and places of all entries.
//!
//! A body meets its ancestors (mass matrix) and all bodies of the loops and force
//! elements it belongs to (JᵀαJ, K and C). Above the lowest common ancestor of the two frames of a
//! loop the columns of J vanish and are left out. The order is the best of tree
//! order, its reverse and Cuthill-McKee (1969) on the graph of bodies, by the
//! size of the envelope. Offline: may allocate.

use crate::linear::Skyline;
use crate::linear::cuthill_mckee;
use crate::model::{FrameId, Model};
use std::collections::BTreeSet;

/// A speed that is no unknown, because it is prescribed.
const NONE: usize = usize::MAX;

/// One side of a loop: from the body of a frame towards the ground.
#[derive(Clone, Debug, Default)]
pub(super) struct Branch {
    /// Bodies with the place of their first speed in a row of J.
    pub bodies: Vec<(usize, usize)>,
    /// Whether the last body carries the other side too: its joint does not move the loop.
    pub shared: bool,
}

/// Rows of one loop.
#[derive(Clone, Debug)]
pub(super) struct LoopStructure {
    /// Place of its first row in the values of J.
    pub first: usize,
    /// Entries per row.
    pub width: usize,
    /// Unknown of each entry; the number of unknowns where prescribed.
    pub unknowns: Vec<usize>,
    /// Sides of the first and of the second frame.
    pub branches: [Branch; 2],
    /// Places of the lower triangle of the block `width × width`.
    pub places: Vec<usize>,
    /// Rows that move something; the others hold whatever the mechanism does.
    pub active: Vec<usize>,
}

impl LoopStructure {
    /// `values` += `weight` × row row*, at the places of the block.
    pub fn add_square(&self, weight: f64, row: &[f64], values: &mut [f64]) {
        let mut start = 0;
        for (a, &x) in row.iter().enumerate() {
            let places = &self.places[start..=start + a];
            start += a + 1;
            // Many coordinates do not move a row.
            if x == 0.0 {
                continue;
            }
            let x = weight * x;
            for (&y, &place) in row[..=a].iter().zip(places) {
                values[place] += x * y;
            }
        }
    }
}

/// Unknowns and places for one model.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    /// Speed of each unknown.
    pub speeds: Vec<usize>,
    /// Loops, as in the model.
    pub loops: Vec<LoopStructure>,
    /// Force elements that are not driven, with their place in the model.
    pub elements: Vec<(usize, LoopStructure)>,
    /// Places of the squares and of the product of the two speeds of each coupler.
    pub couplers: Vec<[usize; 3]>,
    /// Number of values of J.
    pub jacobian_size: usize,
    /// Unknown of each speed.
    unknown: Vec<usize>,
}

impl Structure {
    /// The structure of `model` and a matrix with its envelope.
    pub fn new(model: &Model) -> (Self, Skyline) {
        let of_loops: Vec<[Branch; 2]> =
            model.loops.iter().map(|joint| sides(model, &joint.frames)).collect();
        let elements =
            model.elements.iter().enumerate().filter(|(_, element)| element.kind.effort().is_none());
        let of_elements: Vec<(usize, [Branch; 2])> =
            elements.map(|(index, element)| (index, sides(model, &element.frames))).collect();
        let neighbours = neighbours(model, of_loops.iter().chain(of_elements.iter().map(|part| &part.1)));
        let natural: Vec<usize> = (0..model.body_count()).collect();
        let reversed: Vec<usize> = natural.iter().rev().copied().collect();
        let orders = [natural, reversed, cuthill_mckee(&neighbours)];
        let candidates = orders.map(|order| Numbering::new(model, &order, &neighbours));
        let [first, second, third] = candidates;
        let better = |a: Numbering, b: Numbering| if b.profile() < a.profile() { b } else { a };
        let best = better(better(first, second), third);
        let matrix = Skyline::new(best.first);
        let (speeds, unknown) = (best.speeds, best.unknown);
        let mut structure = Self {
            speeds,
            loops: Vec::new(),
            elements: Vec::new(),
            couplers: Vec::new(),
            jacobian_size: 0,
            unknown,
        };
        for (joint, branches) in model.loops.iter().zip(of_loops) {
            let rows = joint.rows.len();
            let part = structure.part(model, rows, branches, &matrix);
            structure.jacobian_size += rows * part.width;
            structure.loops.push(part);
        }
        for (index, branches) in of_elements {
            let part = structure.part(model, 0, branches, &matrix);
            structure.elements.push((index, part));
        }
        for speeds in model.couplers.iter().filter_map(|coupler| coupler.speeds()) {
            let [a, b] = speeds.map(|speed| structure.unknown(speed));
            structure.couplers.push([(a, a), (b, a), (b, b)].map(|(i, j)| matrix.place(i, j)));
        }
        (structure, matrix)
    }

    /// Most entries of a row of an element.
    pub fn widest_element(&self) -> usize {
        self.elements.iter().map(|part| part.1.width).max().unwrap_or(0)
    }

    /// Unknown of a speed; the number of unknowns where it is prescribed.
    pub fn unknown(&self, speed: usize) -> usize {
        self.unknown[speed].min(self.speeds.len())
    }

    /// What meets between two frames whose motion relative to each other has `rows` rows.
    fn part(&self, model: &Model, rows: usize, mut branches: [Branch; 2], matrix: &Skyline) -> LoopStructure {
        let bodies: BTreeSet<usize> =
            branches.iter().flat_map(|branch| branch.bodies.iter().map(|body| body.0)).collect();
        let mut unknowns = Vec::new();
        let mut place = std::collections::BTreeMap::new();
        for &body in &bodies {
            let part = &model.layout.bodies[body];
            place.insert(body, unknowns.len());
            unknowns.extend((part.v..part.v + part.modes + part.joint_v).map(|speed| self.unknown(speed)));
        }
        for (body, offset) in branches.iter_mut().flat_map(|branch| &mut branch.bodies) {
            *offset = place[body];
        }
        let width = unknowns.len();
        let mut places = Vec::with_capacity(width * (width + 1) / 2);
        for a in 0..width {
            places.extend((0..=a).map(|b| matrix.place(unknowns[a], unknowns[b])));
        }
        let active = (0..rows).collect();
        LoopStructure { first: self.jacobian_size, width, unknowns, branches, places, active }
    }
}

/// Both sides of a loop up to the lowest common ancestor.
fn sides(model: &Model, frames: &[FrameId; 2]) -> [Branch; 2] {
    let path = |frame: FrameId| {
        let mut list = Vec::new();
        let mut at = model.frames[frame.0].body.map(|body| body.0);
        while let Some(body) = at {
            list.push(body);
            at = model.joints[body].parent;
        }
        list
    };
    let paths = frames.map(path);
    let meeting = paths[0].iter().find(|body| paths[1].contains(body)).copied();
    paths.map(|path| {
        let end = meeting.and_then(|body| path.iter().position(|&b| b == body)).map_or(path.len(), |i| i + 1);
        Branch { bodies: path[..end].iter().map(|&body| (body, 0)).collect(), shared: meeting.is_some() }
    })
}

/// Bodies that meet each body.
fn neighbours<'a>(model: &Model, sides: impl Iterator<Item = &'a [Branch; 2]>) -> Vec<BTreeSet<usize>> {
    let mut sets = vec![BTreeSet::new(); model.body_count()];
    let mut meet = |a: usize, b: usize| {
        if a != b {
            sets[a].insert(b);
            sets[b].insert(a);
        }
    };
    for k in 0..model.body_count() {
        let mut at = model.joints[k].parent;
        while let Some(body) = at {
            meet(k, body);
            at = model.joints[body].parent;
        }
    }
    for branches in sides {
        let bodies: Vec<usize> = branches.iter().flat_map(|b| b.bodies.iter().map(|body| body.0)).collect();
        for &a in &bodies {
            bodies.iter().for_each(|&b| meet(a, b));
        }
    }
    for speeds in model.couplers.iter().filter_map(|coupler| coupler.speeds()) {
        let body_of = |speed: usize| model.layout.bodies.partition_point(|part| part.v <= speed) - 1;
        let [a, b] = speeds.map(body_of);
        meet(a, b);
    }
    sets
}

/// Unknowns in the order of given bodies, and the envelope that follows.
struct Numbering {
    unknown: Vec<usize>,
    speeds: Vec<usize>,
    first: Vec<usize>,
}

impl Numbering {
    fn new(model: &Model, order: &[usize], neighbours: &[BTreeSet<usize>]) -> Self {
        let mut unknown = vec![NONE; model.speed_count()];
        let (mut speeds, mut first) = (Vec::new(), Vec::new());
        // First unknown of each body already placed.
        let mut begin = vec![NONE; model.body_count()];
        for &body in order {
            let part = &model.layout.bodies[body];
            begin[body] = speeds.len();
            let placed = neighbours[body].iter().map(|&other| begin[other]).filter(|&at| at != NONE);
            let from = placed.fold(begin[body], usize::min);
            for speed in (part.v..part.v + part.modes + part.joint_v).filter(|&s| !model.prescribed[s]) {
                unknown[speed] = speeds.len();
                speeds.push(speed);
                first.push(from);
            }
        }
        Self { unknown, speeds, first }
    }

    /// Σ (row length)²: the work of a factorisation.
    fn profile(&self) -> usize {
        self.first.iter().enumerate().map(|(i, first)| (i - first + 1).pow(2)).sum()
    }
}
