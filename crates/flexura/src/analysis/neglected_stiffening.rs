//! Bodies whose model leaves out geometric stiffening where it matters.
//!
//! Source: book/src/theory/stiffening.md (ST.7). A stretched body is stiffer in bending, a compressed one softer; a linear model
//! without second-order displacements Γ2 knows neither. What it leaves out of the first bending mode r is
//! K_geo(r,r) = −Σ f · Γ2(r,r) over all forces f along the axis: the centrifugal ones of the body's mass and of what it
//! carries, weight, and applied forces. The estimate follows the drivers through the run with all else as at the
//! start, takes distances to the axis of rotation from the root of the body, and divides by the modal stiffness K(r,r).
//! For a body that is no beam Γ2 is not known: there K_geo is of the order of Ω² times the modal mass.

use crate::beam::{BeamInput, ModeKind, Station, assemble, station_at};
use crate::build::Built;
use crate::model::Model;
use crate::model::body::held_frequencies;
use crate::model::body::{InertiaModel, MassNode};
use crate::model::description::{BodyDescription, BodyKind};
use crate::spatial::{Vector3, matrix_vector, norm, transposed_matrix_vector};
use crate::state::State;
use crate::state::prescribe::apply_prescribed;
use crate::time_function::Side;
use crate::workspace::Workspace;
use std::collections::HashMap;

/// Instants of the run that are looked at.
const INSTANTS: usize = 101;

/// What the model of a body leaves out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct NeglectedStiffening {
    /// Body.
    pub body: String,
    /// Largest neglected stiffness of the first bending mode against its own stiffness; negative where it softens.
    pub ratio: f64,
    /// Part of it that comes from spin.
    pub from_spin: f64,
    /// Largest angular speed across the body (rad/s).
    pub spin: f64,
    /// Largest force along the body besides that of the spin (N).
    pub axial: f64,
}

/// Every body with modes that has no stiffening, in tree order.
pub fn neglected_stiffening(built: &Built) -> Vec<NeglectedStiffening> {
    let model = &built.model;
    let mut list: Vec<(usize, Gauge, NeglectedStiffening)> = Vec::new();
    let described: HashMap<&str, &BodyDescription> =
        built.description.bodies.iter().rev().map(|body| (body.name.as_str(), body)).collect();
    for (k, body) in model.bodies.iter().enumerate().filter(|(_, body)| body.modes > 0) {
        let description = described.get(body.name.as_str()).copied();
        if let Some(gauge) = description.and_then(|description| Gauge::new(model, k, description)) {
            let body = body.name.clone();
            let none = NeglectedStiffening { body, ratio: 0.0, from_spin: 0.0, spin: 0.0, axial: 0.0 };
            list.push((k, gauge, none));
        }
    }
    if list.is_empty() {
        return Vec::new();
    }
    let (settings, mut work) = (&built.description.simulation, Workspace::new(model));
    for i in 0..INSTANTS {
        let part = i as f64 / (INSTANTS - 1) as f64;
        let time = settings.start + part * (settings.end - settings.start);
        let mut state = State::initial(model, time);
        apply_prescribed(model, &mut state, None);
        work.kinematics(model, &state);
        work.poses(model, &state);
        for (k, gauge, found) in &mut list {
            gauge.read(model, *k, time, &work, found);
        }
    }
    list.into_iter().map(|(_, _, found)| found).collect()
}

/// How a body answers to forces along it.
enum Gauge {
    /// A beam: shortening of its first bending mode.
    Beam(Box<BeamGauge>),
    /// Any other body: angular frequency of its first mode (rad/s).
    Other(f64),
}

struct BeamGauge {
    input: BeamInput,
    /// First bending mode and its stiffness.
    mode: usize,
    stiffness: f64,
    /// Σ m x (−Γ2_x): neglected stiffness per square of the spin, of the beam itself.
    per_spin: f64,
    /// Σ m (−Γ2_x): per acceleration along the beam.
    per_acceleration: f64,
}

impl Gauge {
    fn new(model: &Model, k: usize, description: &BodyDescription) -> Option<Self> {
        let body = &model.bodies[k];
        let ruthless = matches!(body.inertia, InertiaModel::Ruthless(_));
        let quadratic = |node: &MassNode| !node.shape.quadratic.is_empty();
        let summed = body.sums.as_ref().is_some_and(|sums| !sums.moment2.is_empty());
        if body.modes == 0 || (!ruthless && (body.nodes.iter().any(quadratic) || summed)) {
            return None;
        }
        match &description.kind {
            BodyKind::Beam(beam) => {
                let input = crate::build::beam_input(beam).ok()?;
                BeamGauge::new(BeamInput { foreshortening: true, ..input })
                    .map(|gauge| Self::Beam(Box::new(gauge)))
            }
            _ => held_frequencies(body).first().copied().map(Self::Other),
        }
    }

    /// Takes the instant in `work` into account.
    fn read(&self, model: &Model, k: usize, time: f64, work: &Workspace, found: &mut NeglectedStiffening) {
        let [x, y, z] = std::array::from_fn(|i| work.motion.poses.velocity[k][i]);
        let (spin, stiffness, of_spin, of_load, axial) = match self {
            Self::Other(frequency) => {
                let spin = norm(&[x, y, z]);
                (spin, frequency * frequency, spin * spin, 0.0, 0.0)
            }
            Self::Beam(gauge) => {
                // Spin about its own axis does not stretch a beam.
                let spin = y.hypot(z);
                let (of_spin, of_load, axial) = gauge.neglected(model, k, time, work, spin);
                (spin, gauge.stiffness, of_spin, of_load, axial)
            }
        };
        let ratio = (of_spin + of_load) / stiffness;
        found.spin = found.spin.max(spin);
        found.axial = found.axial.max(axial);
        if ratio.abs() > found.ratio.abs() {
            (found.ratio, found.from_spin) = (ratio, of_spin / stiffness);
        }
    }
}

impl BeamGauge {
    fn new(input: BeamInput) -> Option<Self> {
        let data = assemble(&input).ok()?;
        let n = input.modes.len();
        let bends = |r: &usize| matches!(input.modes[*r].kind, ModeKind::BendingY | ModeKind::BendingZ);
        let square = |r: usize| data.stiffness[r * n + r] / data.modal_mass[r * n + r];
        let mode = (0..n).filter(bends).min_by(|a, b| square(*a).total_cmp(&square(*b)))?;
        let shortening = |station: &Station| {
            station.quadratic.as_ref().map_or(0.0, |quadratic| -quadratic[mode * n + mode][0])
        };
        let stations = data.stations.iter();
        Some(Self {
            mode,
            stiffness: data.stiffness[mode * n + mode],
            per_spin: stations.clone().map(|s| s.mass * s.position[0] * shortening(s)).sum(),
            per_acceleration: stations.map(|s| s.mass * shortening(s)).sum(),
            input,
        })
    }

    /// −Γ2 along the beam at `x` (m) for the first bending mode.
    fn shortening(&self, x: f64) -> f64 {
        let n = self.input.modes.len();
        let station = station_at(&self.input, x.clamp(0.0, self.input.length)).ok();
        let quadratic = station.and_then(|station| station.quadratic);
        quadratic.map_or(0.0, |quadratic| -quadratic[self.mode * n + self.mode][0])
    }

    /// Stiffness by the spin, by weight and forces, and the force that those make along the beam (N).
    fn neglected(&self, model: &Model, k: usize, time: f64, work: &Workspace, spin: f64) -> (f64, f64, f64) {
        let along = |v: &Vector3| transposed_matrix_vector(&work.motion.poses.rotation[k], v)[0];
        let weight = along(&model.gravity);
        let square = spin * spin;
        let (mut by_spin, mut by_load) = (square * self.per_spin, weight * self.per_acceleration);
        let mut axial = weight * self.input.properties.mass * self.input.length;
        let below: Vec<Option<usize>> = carriers(model, k);
        for (child, joint) in model.joints.iter().enumerate().filter(|(_, joint)| joint.parent == Some(k)) {
            let x = model.bodies[k].attachments[joint.outer.attachment].shape.position[0];
            let members = (0..model.body_count()).filter(|&body| below[body] == Some(child));
            let mass: f64 = members.map(|body| model.bodies[body].mass()).sum();
            by_spin += mass * square * x * self.shortening(x);
            by_load += mass * weight * self.shortening(x);
            axial += mass * weight;
        }
        for force in &model.forces {
            let frame = &model.frames[force.frame.0];
            let Some(body) = frame.body.map(|body| body.0) else { continue };
            let attachment = match below[body] {
                _ if body == k => frame.mount.attachment,
                Some(child) => model.joints[child].outer.attachment,
                None => continue,
            };
            let x = model.bodies[k].attachments[attachment].shape.position[0];
            let [.., fx, fy, fz] =
                force.wrench.map(|component| component * force.scale_at(time, Side::After));
            let turned = matrix_vector(&frame.mount.rotation, &[fx, fy, fz]);
            let world = if force.inertial {
                [fx, fy, fz]
            } else {
                matrix_vector(&work.motion.poses.rotation[body], &turned)
            };
            by_load += along(&world) * self.shortening(x);
            axial += along(&world);
        }
        (by_spin, by_load, axial.abs())
    }
}

/// For every body outboard of `k`: the child of `k` through which it hangs on it.
fn carriers(model: &Model, k: usize) -> Vec<Option<usize>> {
    let mut list: Vec<Option<usize>> = vec![None; model.body_count()];
    for (body, joint) in model.joints.iter().enumerate() {
        list[body] = match joint.parent {
            Some(parent) if parent == k => Some(body),
            Some(parent) => list[parent],
            None => None,
        };
    }
    list
}
