//! Equal blades of a rotor, found in the tree: subtrees on one body that turns, alike (`likeness`) and evenly spaced.

use super::likeness::{Likeness, alike};
use crate::analysis::AnalysisError;
use crate::analysis::linearize::LinearSystem;
use crate::model::Model;
use crate::motion::Motion;
use crate::spatial::{Vector3, add, dot, matrix_vector, scale, sub};
use crate::state::State;
use std::f64::consts::TAU;

/// Difference of angles between blades (rad) that counts as none.
const EVEN: f64 = 1e-6;

/// N blades: their azimuths at the start and, blade by blade, which coordinates of the system are theirs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Blades {
    /// First body of each blade.
    pub bodies: Vec<String>,
    /// Azimuth of each (rad) about the axis of the turn, in its order round the axis.
    pub azimuths: Vec<f64>,
    /// Coordinates of the system, blade by blade, in one order.
    pub coordinates: Vec<Vec<usize>>,
}

impl Blades {
    pub fn count(&self) -> usize {
        self.bodies.len()
    }

    /// Names of the coordinates: what the j-th multi-blade coordinate of a group is, by the name in the first blade.
    pub fn names(&self, plain: &[String]) -> Vec<String> {
        let mut names = plain.to_vec();
        for place in 0..self.coordinates[0].len() {
            for (j, blade) in self.coordinates.iter().enumerate() {
                names[blade[place]] =
                    format!("{} {}", word(j, self.count()), plain[self.coordinates[0][place]]);
            }
        }
        names
    }
}

/// What the j-th multi-blade coordinate of N blades is called.
fn word(j: usize, count: usize) -> String {
    let harmonic = j.div_ceil(2);
    let times = if harmonic > 1 { format!("{harmonic}× ") } else { String::new() };
    match j {
        0 => "collective".into(),
        _ if j == count - 1 && count.is_multiple_of(2) => "differential".into(),
        _ if j % 2 == 1 => format!("{times}cosine"),
        _ => format!("{times}sine"),
    }
}

/// The blades of the rotor that `joint` turns about `axis`, with their coordinates of the system.
pub(super) fn find(
    model: &Model,
    state: &State,
    (joint, axis): (usize, &Vector3),
    system: &LinearSystem,
) -> Result<Option<Blades>, AnalysisError> {
    let mut motion = Motion::new(model);
    motion.evaluate(model, state);
    let likeness = Likeness::new(model, state, (joint, axis), system)?;
    let turning = subtree(model, joint);
    let same = |one: &[usize], other: &[usize]| {
        let [here, there] = [one, other].map(|blade| coordinates(model, blade, &system.speeds));
        alike(model, one, other)
            && likeness.same_places(&motion, one, other)
            && here.len() == there.len()
            && likeness.same_matrices(&here, &there)
    };
    let sets = turning.iter().map(|&hub| alike_children(model, hub, same)).filter(|set| set.len() >= 3);
    Ok(sets
        .filter_map(|set| evenly_spaced(model, &motion, axis, &set, &system.speeds))
        .max_by_key(Blades::count))
}

/// A body and all that it carries, parents before children.
fn subtree(model: &Model, root: usize) -> Vec<usize> {
    let mut found = vec![root];
    for k in root + 1..model.body_count() {
        if model.joints[k].parent.is_some_and(|parent| found.contains(&parent)) {
            found.push(k);
        }
    }
    found
}

/// The largest set of children of a body whose subtrees are alike and move.
fn alike_children(model: &Model, hub: usize, same: impl Fn(&[usize], &[usize]) -> bool) -> Vec<Vec<usize>> {
    let children = (0..model.body_count()).filter(|&k| model.joints[k].parent == Some(hub));
    let mut sets: Vec<Vec<Vec<usize>>> = Vec::new();
    for blade in children.map(|k| subtree(model, k)) {
        match sets.iter_mut().find(|set| same(&set[0], &blade)) {
            Some(set) => set.push(blade),
            None => sets.push(vec![blade]),
        }
    }
    sets.into_iter().max_by_key(Vec::len).unwrap_or_default()
}

/// The set as blades where they stand evenly round the axis and have coordinates.
fn evenly_spaced(
    model: &Model,
    motion: &Motion,
    axis: &Vector3,
    set: &[Vec<usize>],
    free: &[usize],
) -> Option<Blades> {
    let centres: Vec<Vector3> = set.iter().map(|blade| centre_of_mass(model, motion, blade)).collect();
    let share = 1.0 / set.len() as f64;
    let middle = centres.iter().fold([0.0; 3], |sum, centre| add(&sum, &scale(share, centre)));
    let (first, second) = crate::analysis::whirl::across(axis);
    let angle = |centre: &Vector3| {
        let out = sub(centre, &middle);
        dot(&out, &second).atan2(dot(&out, &first)).rem_euclid(TAU)
    };
    let mut blades: Vec<(f64, &Vec<usize>)> = centres.iter().map(angle).zip(set).collect();
    blades.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The first of the model begins.
    let first = (0..blades.len()).min_by_key(|&i| blades[i].1[0]).unwrap_or(0);
    blades.rotate_left(first);
    let pitch = TAU * share;
    let even = |i: usize| {
        let step = (blades[(i + 1) % blades.len()].0 - blades[i].0).rem_euclid(TAU);
        (step - pitch).abs() < EVEN
    };
    if !(0..blades.len()).all(even) {
        return None;
    }
    let coordinates: Vec<Vec<usize>> =
        blades.iter().map(|(_, blade)| coordinates(model, blade, free)).collect();
    let moving = !coordinates[0].is_empty() && coordinates.iter().all(|c| c.len() == coordinates[0].len());
    moving.then(|| Blades {
        bodies: blades.iter().map(|(_, blade)| model.bodies[blade[0]].name.clone()).collect(),
        azimuths: blades.iter().map(|(angle, _)| *angle).collect(),
        coordinates,
    })
}

/// Coordinates of the system that belong to a subtree.
fn coordinates(model: &Model, blade: &[usize], free: &[usize]) -> Vec<usize> {
    let speeds = blade.iter().flat_map(|&k| {
        let part = &model.layout.bodies[k];
        part.v..part.v + part.modes + part.joint_v
    });
    speeds.filter_map(|speed| free.iter().position(|&known| known == speed)).collect()
}

/// Centre of the mass in nodes, undeformed; of bodies without nodes their frames.
pub(super) fn centre_of_mass(model: &Model, motion: &Motion, blade: &[usize]) -> Vector3 {
    let (mut mass, mut moment, mut frames) = (0.0, [0.0; 3], [0.0; 3]);
    for &k in blade {
        let (turn, place) = (&motion.poses.rotation[k], &motion.poses.position[k]);
        frames = add(&frames, &scale(1.0 / blade.len() as f64, place));
        for node in model.bodies[k].nodes.iter() {
            let own = add(&node.shape.position, &node.offset);
            let there = add(place, &matrix_vector(turn, &own));
            mass += node.mass;
            moment = add(&moment, &scale(node.mass, &there));
        }
    }
    if mass > 0.0 { scale(1.0 / mass, &moment) } else { frames }
}
