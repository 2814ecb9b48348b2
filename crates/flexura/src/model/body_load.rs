//! Loads spread over a body: line load, pressure, temperature, modal forces.
//!
//! All become forces on points of the body and forces on its modes, multiplied by
//! one function of time. Points deform with the body under its attachment rule.

use super::BodyId;
use super::body::Attachment;
use crate::spatial::Vector3;
use crate::time_function::Side;
use crate::time_function::TimeFunction;

/// A load on a body as users write it.
#[derive(Clone, Debug)]
pub struct LoadDescription {
    /// Name, unique among loads and forces.
    pub name: String,
    /// The body.
    pub body: String,
    /// What acts.
    pub kind: LoadKind,
    /// Factor as a function of time; `None` is the constant one.
    pub scale: Option<TimeFunction>,
}

/// The kinds of load on a body.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LoadKind {
    /// Force per length along a beam, linear between its two ends.
    Line {
        /// Where the load starts and ends (m); no end is the tip.
        span: (f64, Option<f64>),
        /// Force per length at the start and at the end (N/m).
        force: [Vector3; 2],
        /// Axes of the components.
        axes: LoadAxes,
    },
    /// Pressure on patches around nodes of a modal body; it pushes against the normals.
    Pressure {
        /// Pressure (Pa).
        pressure: f64,
        /// The patches.
        patches: Vec<Patch>,
        /// Whether normals turn with their nodes.
        axes: LoadAxes,
    },
    /// Temperature of a beam: uniform, and gradients over its cross-section.
    Thermal {
        /// Coefficient of expansion (1/K).
        expansion: f64,
        /// Temperature above that without stress (K).
        temperature: f64,
        /// Gradients along y and z (K/m).
        gradient: [f64; 2],
    },
    /// Generalised forces on the modes.
    Modal {
        /// One per mode (N m per modal unit).
        forces: Vec<f64>,
    },
}

/// What the components of a load on points refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadAxes {
    /// Inertial axes.
    Inertial,
    /// Axes of the body.
    Body,
    /// Axes that turn with each point (follower load).
    Follower,
}

/// A part of the surface around a node.
#[derive(Clone, Debug, PartialEq)]
pub struct Patch {
    /// Name of the node.
    pub node: String,
    /// Area (m²).
    pub area: f64,
    /// Outward normal, of any length, undeformed body axes.
    pub normal: Vector3,
}

/// A load of a model.
#[derive(Clone, Debug)]
pub struct BodyLoad {
    /// Name.
    pub name: String,
    /// The body.
    pub body: BodyId,
    /// Points with forces at unit scale.
    pub points: Vec<LoadPoint>,
    /// Axes of these forces.
    pub axes: LoadAxes,
    /// Forces on the modes at unit scale; empty where there are none.
    pub modal: Vec<f64>,
    /// Factor over time; `None` is one.
    pub scale: Option<TimeFunction>,
}

/// A point that carries a part of a load.
#[derive(Clone, Debug)]
pub struct LoadPoint {
    /// How the point moves.
    pub attachment: Attachment,
    /// Force at unit scale (N).
    pub force: Vector3,
}

impl BodyLoad {
    /// The factor at `time`, or its limit from the left.
    pub fn scale_at(&self, time: f64, side: Side) -> f64 {
        self.scale.as_ref().map_or(1.0, |scale| scale.sample_side(time, side).value)
    }
}
