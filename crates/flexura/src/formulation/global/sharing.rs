//! Which points and unit vectors neighbouring bodies share, and how each body uses them.
//!
//! Every joint makes points and directions common ([`shared`]); what coincides on one
//! body for several joints is one element. Elements that touch the ground are
//! constants. In a plane the normal is a constant too, and one direction fixes an
//! orientation. A point that the model lets its first body carry (`chosen`) has no
//! coordinates: it is a place on that body.

use super::chosen::{Chosen, Slide};
use super::frame::FrameMap;
use super::joint_ends::{JointEnds, normals, shared};
use super::natural::{Natural, NaturalKind};
use super::operand::LinearOperand;
use super::plane::{Plane, Survey};
use super::pose::BodyMotion;
use crate::model::joint::JointKind;
use crate::spatial::{Vector3, add, dot, matrix_vector, norm, scale, sub, transposed_matrix_vector};

/// Distance below which two points or directions on one body are the same.
const SAME: f64 = 1e-12;

/// An element as a body sees it.
#[derive(Clone, Debug)]
pub(super) struct Use {
    /// Index of the element.
    pub natural: usize,
    /// Attachment point that carries it; zero is the undeformed frame.
    pub attachment: usize,
    /// Position or direction relative to the attachment.
    pub local: Vector3,
}

/// All elements of one body.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyUses {
    pub points: Vec<Use>,
    pub vectors: Vec<Use>,
}

/// The elements of a system.
#[derive(Clone, Debug, Default)]
pub(super) struct Naturals {
    pub list: Vec<Natural>,
    pub coordinates: usize,
    pub plane: Option<Plane>,
    /// Subtracted from every position (m).
    pub origin: Vector3,
    /// Carried points: element, body, place on it.
    pub carried: Vec<(usize, usize, Vector3)>,
}

impl Naturals {
    /// Adds an element that moves and now has `value`.
    pub fn add_moving(&mut self, kind: NaturalKind, value: &Vector3) -> usize {
        let mut constant = [0.0; 3];
        let directions = match &self.plane {
            None => vec![[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Some(plane) => {
                if kind == NaturalKind::Point {
                    constant = scale(dot(&plane.normal, value), &plane.normal);
                }
                plane.directions.to_vec()
            }
        };
        let first = self.coordinates;
        self.coordinates += directions.len();
        self.list.push(Natural { kind, constant, first, directions, carried: Vec::new() });
        self.list.len() - 1
    }

    /// Adds a point that has one coordinate, along `slide`.
    pub fn add_sliding(&mut self, slide: Slide) -> usize {
        let Slide { start, direction } = slide;
        let (first, directions) = (self.coordinates, vec![direction]);
        self.coordinates += 1;
        let (kind, constant, carried) = (NaturalKind::Point, start.constant, start.columns);
        self.list.push(Natural { kind, constant, first, directions, carried });
        self.list.len() - 1
    }

    /// Adds a point that `body` will carry at `local`.
    fn add_carried(&mut self, body: usize, local: Vector3) -> usize {
        let natural = self.add_constant(NaturalKind::Point, [0.0; 3]);
        self.carried.push((natural, body, local));
        natural
    }

    /// Makes the points that `body` carries move with its frame, which is known now.
    pub fn carry_along(&mut self, body: usize, map: &FrameMap) {
        for &(natural, _, local) in self.carried.iter().filter(|carried| carried.1 == body) {
            let place = LinearOperand::of_frame(map, &[1.0, local[0], local[1], local[2]]);
            (self.list[natural].constant, self.list[natural].carried) = (place.constant, place.columns);
        }
    }

    /// Adds an element that never moves.
    pub fn add_constant(&mut self, kind: NaturalKind, value: Vector3) -> usize {
        let (directions, carried) = (Vec::new(), Vec::new());
        self.list.push(Natural { kind, constant: value, first: 0, directions, carried });
        self.list.len() - 1
    }
}

/// An element on one body, before it is joined with those of its neighbours.
struct Slot {
    kind: NaturalKind,
    body: Option<usize>,
    attachment: usize,
    local: Vector3,
    /// Initial value, inertial components.
    value: Vector3,
}

#[derive(Default)]
struct Slots {
    list: Vec<Slot>,
    /// Slots of each body, ground first.
    of_body: Vec<Vec<usize>>,
    parent: Vec<usize>,
    /// Points on the bodies that shall carry them.
    carried: Vec<usize>,
}

impl Slots {
    fn find(&self, slot: &Slot, sign: f64) -> Option<usize> {
        let home = slot.body.map_or(0, |k| k + 1);
        let same = |&&i: &&usize| {
            let other = &self.list[i];
            other.kind == slot.kind
                && other.attachment == slot.attachment
                && norm(&sub(&other.local, &scale(sign, &slot.local))) < SAME
        };
        self.of_body[home].iter().find(same).copied()
    }

    fn add(&mut self, slot: Slot) -> usize {
        if let Some(known) = self.find(&slot, 1.0) {
            return known;
        }
        let index = self.list.len();
        self.of_body[slot.body.map_or(0, |k| k + 1)].push(index);
        self.parent.push(index);
        self.list.push(slot);
        index
    }

    fn root(&self, mut i: usize) -> usize {
        while self.parent[i] != i {
            i = self.parent[i];
        }
        i
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}

/// Assigns the shared elements; coordinates are numbered in the order of the joints.
pub(super) fn share(survey: &Survey<'_>, chosen: &Chosen, naturals: &mut Naturals) -> Vec<BodyUses> {
    let bodies = survey.model.body_count();
    let mut slots = Slots { of_body: vec![Vec::new(); bodies + 1], ..Slots::default() };
    for (index, joint) in survey.joints.iter().enumerate() {
        let [a, b] = [0, 1].map(|side| point_slot(survey, joint, side));
        if shared(&joint.kind).point {
            let (a, b) = (slots.add(a), slots.add(b));
            slots.unite(a, b);
            if chosen.carries(index) {
                slots.carried.push([a, b][joint.first]);
            }
        }
        for (side, axis) in chosen.axes(index, joint) {
            let slot = |sign: f64| vector_slot(survey, joint, side, &scale(sign, &axis));
            if slots.find(&slot(-1.0), 1.0).is_none() {
                slots.add(slot(1.0));
            }
        }
        for direction in common_directions(survey, joint, naturals.plane.as_ref()) {
            let ends =
                |sign: f64| [0, 1].map(|side| vector_slot(survey, joint, side, &scale(sign, &direction)));
            let [a, b] = ends(1.0);
            // A direction already known with the other sign is taken with that sign.
            let opposite = slots.find(&a, -1.0).or(slots.find(&b, -1.0)).is_some();
            let [a, b] = if opposite { ends(-1.0) } else { [a, b] };
            let (a, b) = (slots.add(a), slots.add(b));
            slots.unite(a, b);
        }
    }
    number(&slots, naturals, bodies)
}

/// Directions that both bodies of a joint share and that are not constants of the plane.
fn common_directions(survey: &Survey<'_>, joint: &JointEnds, plane: Option<&Plane>) -> Vec<Vector3> {
    let all = shared(&joint.kind).vectors;
    let Some(plane) = plane else { return all };
    match joint.kind {
        JointKind::Weld | JointKind::Prismatic { .. } => {
            let first = survey.end_motion(&joint.ends[0]);
            vec![normals(&transposed_matrix_vector(&first.rotation, &plane.normal))[0]]
        }
        _ => Vec::new(),
    }
}

fn point_slot(survey: &Survey<'_>, joint: &JointEnds, side: usize) -> Slot {
    let end = &joint.ends[side];
    Slot {
        kind: NaturalKind::Point,
        body: end.body,
        attachment: end.mount.attachment,
        local: end.mount.position,
        value: survey.end_motion(end).position,
    }
}

fn vector_slot(survey: &Survey<'_>, joint: &JointEnds, side: usize, direction: &Vector3) -> Slot {
    let end = &joint.ends[side];
    Slot {
        kind: NaturalKind::Vector,
        body: end.body,
        attachment: end.mount.attachment,
        local: matrix_vector(&end.mount.rotation, direction),
        value: matrix_vector(&survey.end_motion(end).rotation, direction),
    }
}

fn number(slots: &Slots, naturals: &mut Naturals, bodies: usize) -> Vec<BodyUses> {
    let roots: Vec<usize> = (0..slots.list.len()).map(|i| slots.root(i)).collect();
    let mut grounded: Vec<Option<Vector3>> = vec![None; roots.len()];
    for (slot, &root) in slots.list.iter().zip(&roots) {
        if slot.body.is_none() {
            grounded[root].get_or_insert(slot.value);
        }
    }
    let mut carrier: Vec<Option<usize>> = vec![None; roots.len()];
    for &slot in &slots.carried {
        if grounded[roots[slot]].is_none() {
            carrier[roots[slot]].get_or_insert(slot);
        }
    }
    let mut natural_of: Vec<Option<usize>> = vec![None; roots.len()];
    let mut uses = vec![BodyUses::default(); bodies];
    for (index, (slot, &root)) in slots.list.iter().zip(&roots).enumerate() {
        let value = grounded[root].unwrap_or(slot.value);
        let shift = if slot.kind == NaturalKind::Point { naturals.origin } else { [0.0; 3] };
        let value = sub(&value, &shift);
        let natural = *natural_of[root].get_or_insert_with(|| match grounded[root] {
            Some(_) => naturals.add_constant(slot.kind, value),
            None => match carrier[root].map(|carrier| &slots.list[carrier]) {
                Some(&Slot { body: Some(body), local, .. }) => naturals.add_carried(body, local),
                _ => naturals.add_moving(slot.kind, &value),
            },
        });
        // To the body that carries it the element is nothing new.
        if carrier[root] == Some(index) {
            continue;
        }
        let Some(k) = slot.body else { continue };
        let entry = Use { natural, attachment: slot.attachment, local: slot.local };
        match slot.kind {
            NaturalKind::Point => uses[k].points.push(entry),
            NaturalKind::Vector => uses[k].vectors.push(entry),
        }
    }
    uses
}

/// Mean of the positions of all bodies: coordinates are counted from here, so that travelling far costs no digits.
pub(super) fn common_origin(motions: &[BodyMotion]) -> Vector3 {
    let count = motions.len().max(1) as f64;
    let sum = motions.iter().fold([0.0; 3], |sum, motion| add(&sum, &motion.position));
    scale(1.0 / count, &sum)
}
