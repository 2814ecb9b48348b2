//! Whether branches of the tree are equal as blades, whatever axes they were written in.
//!
//! Equal blades have equal joints, springs, dampers and modes, equal own blocks of the mass, stiffness and damping matrices (elements and
//! the stiffening by the spin included), equal couplings with the turn, and hang alike in the cylindrical axes of their
//! azimuth: centres of mass and what every joint coordinate moves. Cost: one motion per joint coordinate, O(n³) for the blocks.

use crate::analysis::AnalysisError;
use crate::analysis::linearize::LinearSystem;
use crate::analysis::mass_matrices::mass_matrices;
use crate::model::Model;
use crate::model::body::Body;
use crate::model::coordinate::Coordinate;
use crate::motion::Motion;
use crate::motion::observe::inertial_velocity;
use crate::spatial::{Vector3, add, cross, dot, scale, sub};
use crate::state::State;
use nalgebra::DMatrix;

/// Relative difference of given numbers that counts as none.
const ALIKE: f64 = 1e-9;
/// Relative difference of what follows from them that counts as none.
const FOLLOWS: f64 = 1e-6;
/// Rounding of the accelerations beside their largest.
const ROUNDING: f64 = 1e-10;

fn equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= ALIKE * a.abs().max(b.abs())
}

/// Whether two subtrees have the same joints, springs, dampers, modes and masses, body by body.
pub(super) fn alike(model: &Model, one: &[usize], other: &[usize]) -> bool {
    let place = |set: &[usize], k: usize| {
        let parent = model.joints[k].parent;
        set.iter().position(|&body| Some(body) == parent)
    };
    let free = |k: usize| {
        &model.prescribed[model.layout.bodies[k].v..]
            [..model.layout.bodies[k].modes + model.layout.bodies[k].joint_v]
    };
    one.len() == other.len()
        && one.iter().zip(other).all(|(&a, &b)| {
            let kinds = [a, b].map(|k| std::mem::discriminant(&model.joints[k].joint.kind));
            let [here, there] = [a, b].map(|k| &model.joints[k].coordinates);
            kinds[0] == kinds[1]
                && here.iter().zip(there).all(|(here, there)| same_coordinate(here, there))
                && same_body(&model.bodies[a], &model.bodies[b])
                && free(a) == free(b)
                && (a == one[0] || place(one, a) == place(other, b))
        })
}

fn same_coordinate(a: &Coordinate, b: &Coordinate) -> bool {
    let rest = |c: &Coordinate| if c.stiffness == 0.0 { 0.0 } else { c.rest };
    equal(a.stiffness, b.stiffness)
        && equal(a.damping, b.damping)
        && equal(a.friction, b.friction)
        && equal(rest(a), rest(b))
}

fn same_body(a: &Body, b: &Body) -> bool {
    let entries = || (0..a.modes).flat_map(|i| (0..a.modes).map(move |j| (i, j)));
    a.modes == b.modes && equal(a.mass(), b.mass()) && {
        [(&a.stiffness, &b.stiffness), (&a.damping, &b.damping)].iter().all(|(one, other)| {
            let of = |i, j| (one.entry(i, j, a.modes), other.entry(i, j, a.modes));
            let size = entries().fold(0.0_f64, |most, (i, j)| most.max(of(i, j).0.abs()));
            // Off the diagonal rounding leaves what it likes.
            entries().all(|(i, j)| {
                let (one, other) = of(i, j);
                equal(one, other) || (i != j && (one - other).abs() <= ALIKE * size)
            })
        })
    }
}

/// What the blades of a rotor are compared by.
pub(super) struct Likeness<'a> {
    model: &'a Model,
    state: &'a State,
    axis: &'a Vector3,
    joint: usize,
    /// Speed of the turn.
    spin: usize,
    system: &'a LinearSystem,
    /// M over all speeds.
    mass: DMatrix<f64>,
    /// M times the rows of the accelerations: stiffness and damping, over the free speeds.
    forces: DMatrix<f64>,
}

impl<'a> Likeness<'a> {
    pub fn new(
        model: &'a Model,
        state: &'a State,
        (joint, axis): (usize, &'a Vector3),
        system: &'a LinearSystem,
    ) -> Result<Self, AnalysisError> {
        let all = model.speed_count();
        let mass = DMatrix::from_row_slice(all, all, &mass_matrices(model, state)?.mass);
        let (free, states) = (&system.speeds, system.states.len());
        let own = DMatrix::from_fn(free.len(), free.len(), |i, j| mass[(free[i], free[j])]);
        let a = DMatrix::from_row_slice(states, states, &system.a);
        let forces = own * a.view((free.len(), 0), (free.len(), 2 * free.len()));
        let spin = model.layout.bodies[joint].joint_v().start;
        Ok(Self { model, state, axis, joint, spin, system, mass, forces })
    }

    /// Whether blades with these coordinates of the system have equal blocks.
    pub fn same_matrices(&self, one: &[usize], other: &[usize]) -> bool {
        let (speed, count) = (|i: usize| self.system.speeds[i], self.system.speeds.len());
        let mass = |set: &[usize], i: usize, j: usize| self.mass[(speed(set[i]), speed(set[j]))];
        let turn = |set: &[usize], i: usize| self.mass[(self.spin, speed(set[i]))];
        let stiffness = |set: &[usize], i: usize, j: usize| self.forces[(set[i], set[j])];
        let damping = |set: &[usize], i: usize, j: usize| self.forces[(set[i], count + set[j])];
        let hub = self.mass[(self.spin, self.spin)];
        let turns =
            |i: usize| (turn(one, i) - turn(other, i)).abs() <= FOLLOWS * (hub * mass(one, i, i)).sqrt();
        let rounding = ROUNDING * self.forces.amax();
        let block = |entry: &dyn Fn(&[usize], usize, usize) -> f64| {
            let pairs = || (0..one.len()).flat_map(|i| (0..one.len()).map(move |j| (i, j)));
            // Beside the diagonal entries of row and column, so that stiff coordinates hide no soft ones.
            let size = |i: usize| entry(one, i, i).abs().max(entry(other, i, i).abs());
            pairs().all(|(i, j)| {
                let allowed = FOLLOWS * (size(i) * size(j)).sqrt() + rounding;
                (entry(one, i, j) - entry(other, i, j)).abs() <= allowed
            })
        };
        (0..one.len()).all(turns) && block(&mass) && block(&stiffness) && block(&damping)
    }

    /// Whether two blades are at one place, and their joint coordinates move them alike, in cylindrical axes at their azimuths.
    pub fn same_places(&self, motion: &Motion, one: &[usize], other: &[usize]) -> bool {
        let [one, other] = [one, other].map(|blade| self.geometry(motion, blade));
        let size = 1.0 + one.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        let apart = one.iter().flatten().zip(other.iter().flatten()).map(|(a, b)| (a - b).abs());
        one.len() == other.len() && apart.fold(0.0, f64::max) <= FOLLOWS * size
    }

    fn geometry(&self, motion: &Motion, blade: &[usize]) -> Vec<Vector3> {
        let centre = super::blades::centre_of_mass(self.model, motion, blade);
        let (hub, axes) = self.cylindrical(&centre);
        let turned = |v: &Vector3| axes.map(|axis| dot(&axis, v));
        let mut found: Vec<Vector3> = vec![turned(&sub(&centre, &hub))];
        for &k in blade {
            let own = super::blades::centre_of_mass(self.model, motion, &[k]);
            found.push(turned(&sub(&own, &hub)));
            for speed in self.model.layout.bodies[k].joint_v() {
                let (turn, there) = self.moved(k, speed, &centre);
                found.extend([turned(&turn), turned(&there)]);
            }
        }
        found
    }

    /// The point of the axis nearest to the origin, and the directions out, round and along it, of a place.
    fn cylindrical(&self, place: &Vector3) -> (Vector3, [Vector3; 3]) {
        // The place moves across its distance from the axis.
        let (turn, moved) = self.moved(self.joint, self.spin, place);
        let out = scale(1.0 / dot(&turn, &turn), &cross(&moved, &turn));
        let radius = dot(&out, &out).sqrt();
        let radial = if radius > 0.0 {
            scale(1.0 / radius, &out)
        } else {
            crate::analysis::whirl::across(self.axis).0
        };
        let beside = sub(place, &out);
        (
            sub(&beside, &scale(dot(self.axis, &beside), self.axis)),
            [radial, cross(self.axis, &radial), *self.axis],
        )
    }

    /// Angular velocity of body `k`, and velocity of a point on it, where `speed` alone is one.
    fn moved(&self, k: usize, speed: usize, point: &Vector3) -> (Vector3, Vector3) {
        let mut alone = self.state.clone();
        alone.v.fill(0.0);
        alone.v[speed] = 1.0;
        let mut motion = Motion::new(self.model);
        motion.evaluate(self.model, &alone);
        let (turn, own) = inertial_velocity(&motion.poses, k);
        let arm = sub(point, &motion.poses.position[k]);
        (turn, add(&own, &cross(&turn, &arm)))
    }
}
