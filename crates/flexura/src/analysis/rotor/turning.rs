//! The linear system of a rotor over a turn, in coordinates that suit it.
//!
//! A motion of constant rate turns a revolute joint; every other coordinate rests, or moves steadily, at every azimuth. Then
//! ẋ = A(ψ) x, ψ = Ωt, A(ψ + 2π) = A(ψ), with A by `linearize` at the time of ψ. With blades, x = T(ψ) z and
//! ż = (TᵀAT − TᵀṪ) z. Cost per azimuth: one linear system, and O(n²) for the transform.

use super::blades::{self, Blades};
use super::multi_blade::Transform;
use super::{RotorMode, RotorModes};
use crate::analysis::linearize::{LinearSystem, linearize};
use crate::analysis::mass_matrices::mass_matrices;
use crate::analysis::{AnalysisError, WHIRL_OUTPUTS, imbalance};
use crate::model::Model;
use crate::model::joint::JointKind;
use crate::motion::Motion;
use crate::motion::observe::inertial_velocity;
use crate::spatial::{Vector3, dot, scale};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use nalgebra::DMatrix;
use std::f64::consts::TAU;

/// Change of the linear system after a whole turn, relative, that counts as none.
const REPEATS: f64 = 1e-8;
/// Azimuths (turns) at which the motion must be steady; no simple fractions.
const LOOKS: [f64; 4] = [0.0, 0.137, 0.419, 0.763];

/// A rotor about its steady motion.
pub(super) struct Turning<'m> {
    model: &'m Model,
    start: State,
    /// Axis, of length one, and speed about it (rad/s), not negative.
    pub axis: Vector3,
    pub speed: f64,
    pub blades: Option<Blades>,
    transform: Option<Transform>,
    /// Names of the coordinates, transformed.
    pub coordinates: Vec<String>,
    /// Inertia of every coordinate.
    pub inertia: Vec<f64>,
    /// Whether the body that has the coordinate turns with the rotor.
    pub rotating: Vec<bool>,
    /// The system at the start, as linearised: names and outputs.
    pub system: LinearSystem,
}

impl<'m> Turning<'m> {
    pub fn new(model: &'m Model, state: &State) -> Result<Self, AnalysisError> {
        if !model.loops.is_empty() {
            return refused("modes of a turning rotor need a tree: joints close loops here");
        }
        let mut start = state.clone();
        apply_prescribed(model, &mut start, None);
        let (joint, axis, speed) = turned_joint(model, &start)?;
        let system = linearize(model, &start, &[], &[WHIRL_OUTPUTS.into()])?;
        let rotating: Vec<bool> = system.speeds.iter().map(|&s| turns_with(model, joint, s)).collect();
        let blades = blades::find(model, &start, (joint, &axis), &system)?;
        let transform =
            blades.as_ref().map(|blades| Transform::new(blades, system.states.len(), rotating.len()));
        let names = system.states[..rotating.len()].to_vec();
        let coordinates = blades.as_ref().map_or_else(|| names.clone(), |blades| blades.names(&names));
        let inertia = inertias(model, &start, &system)?;
        let turning =
            Self { model, start, axis, speed, blades, transform, coordinates, inertia, rotating, system };
        turning.must_be_steady()?;
        turning.must_repeat()?;
        Ok(turning)
    }

    /// Time of a turn (s).
    pub fn period(&self) -> f64 {
        TAU / self.speed
    }

    /// The matrix of the system at an azimuth (turns since the start).
    pub fn matrix(&self, turns: f64) -> Result<DMatrix<f64>, AnalysisError> {
        let system = linearize(self.model, &self.at(turns), &[], &[])?;
        let n = system.states.len();
        let plain = DMatrix::from_row_slice(n, n, &system.a);
        Ok(match &self.transform {
            Some(transform) => transform.apply(&plain, TAU * turns, self.speed),
            None => plain,
        })
    }

    /// The steady motion at an azimuth.
    fn at(&self, turns: f64) -> State {
        let mut later = self.start.clone();
        if self.speed > 0.0 {
            later.time += turns * self.period();
            apply_prescribed(self.model, &mut later, None);
        }
        later
    }

    /// What was found, slowest first.
    pub fn result(
        &self,
        mut list: Vec<RotorMode>,
        unresolved: usize,
        change: f64,
        steps: usize,
    ) -> RotorModes {
        list.sort_by(|a, b| a.mode.frequency().total_cmp(&b.mode.frequency()));
        let blades = self.blades.as_ref().map_or_else(Vec::new, |blades| blades.bodies.clone());
        let coordinates = self.coordinates.clone();
        RotorModes { coordinates, list, speed: self.speed, blades, change, unresolved, missing: 0, steps }
    }

    /// Whether nothing but the rotor moves on, whatever the azimuth.
    fn must_be_steady(&self) -> Result<(), AnalysisError> {
        for turns in LOOKS {
            if let Some(found) = imbalance(self.model, &self.at(turns))? {
                return refused(&format!(
                    "modes of a turning rotor need a steady motion, and at {:.0}° of a turn {} accelerates by {:.3e} per s²: \
                     take gravity and other loads that change round the turn away ([model] gravity = [0, 0, 0]), or start from \
                     the balanced state (--static)",
                    360.0 * turns,
                    found.coordinate,
                    found.acceleration
                ));
            }
        }
        Ok(())
    }

    fn must_repeat(&self) -> Result<(), AnalysisError> {
        for turns in [0.0, LOOKS[2]] {
            let (one, other) = (self.matrix(turns)?, self.matrix(turns + 1.0)?);
            if (&one - &other).amax() > REPEATS * one.amax() {
                return refused(
                    "modes of a turning rotor need a system that repeats after a turn: another motion has another period, or \
                     the speed of the rotor changes",
                );
            }
        }
        Ok(())
    }
}

pub(super) fn refused<T>(text: &str) -> Result<T, AnalysisError> {
    Err(AnalysisError::Name(text.into()))
}

/// The joint that a motion turns fastest: its index, its axis in ground axes along the turn, its speed.
fn turned_joint(model: &Model, start: &State) -> Result<(usize, Vector3, f64), AnalysisError> {
    let revolute = |k: &usize| matches!(model.joints[*k].joint.kind, JointKind::Revolute { .. });
    let driven = |k: &usize| model.joints[*k].coordinates.iter().any(|c| c.motion.is_some());
    let speed = |k: usize| start.v[model.layout.bodies[k].joint_v().start];
    let turned = (0..model.body_count()).filter(revolute).filter(driven);
    let Some(joint) = turned.max_by(|&a, &b| speed(a).abs().total_cmp(&speed(b).abs())) else {
        return refused(
            "modes of a turning rotor need a motion that turns it: give a revolute joint `motion = { polynomial = [0, SPEED] }`",
        );
    };
    // Its axis is what the body turns about when this speed alone is one.
    let mut alone = start.clone();
    alone.v.fill(0.0);
    alone.v[model.layout.bodies[joint].joint_v().start] = if speed(joint) < 0.0 { -1.0 } else { 1.0 };
    let mut motion = Motion::new(model);
    motion.evaluate(model, &alone);
    let turn = inertial_velocity(&motion.poses, joint).0;
    Ok((joint, scale(1.0 / dot(&turn, &turn).sqrt(), &turn), speed(joint).abs()))
}

/// Whether the axes of a coordinate turn with the body of `joint`.
fn turns_with(model: &Model, joint: usize, speed: usize) -> bool {
    let body = model.layout.bodies.partition_point(|part| part.v <= speed).saturating_sub(1);
    let mut here = Some(body);
    while let Some(k) = here {
        if k == joint {
            return true;
        }
        here = model.joints[k].parent;
    }
    false
}

/// The diagonal of the mass matrix, over the coordinates of the system.
fn inertias(model: &Model, state: &State, system: &LinearSystem) -> Result<Vec<f64>, AnalysisError> {
    let mass = mass_matrices(model, state)?.mass;
    let n = model.speed_count();
    Ok(system.speeds.iter().map(|&i| mass[i * n + i]).collect())
}
