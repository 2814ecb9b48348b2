//! Modes of a reduced part against the flexibility of the whole part.
//!
//! With the load c at an instant and η_s what the modes make of it in statics (`compliance`, `mod`):
//! E_s = ½ c*Cc, E_m = ½ c*Cc − c*Pη_s + ½ η_s*Kη_s, E_a = ½ η*Kη.

use super::acting::{Acting, Source};
use super::verdict::{Family, ModeVerdict, Remedy};
use super::{HARDLY_BENT, LEAST_ACTING, LEAST_STATIC};
use crate::checkpoint::Tape;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::Compliance;
use crate::model::body::NodeShape;
use crate::model::{Body, Model, layout_of};
use crate::motion::observe::reference_acceleration;
use crate::spatial::{Vector3, angular, cross, linear, norm, sub};
use crate::state::State;
use crate::workspace::Workspace;

/// A reduced part with its forces and the extremes so far.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    acting: Acting,
    compliance: Compliance,
    /// Place of every force; `None` at the reference frame, where nothing bends.
    places: Vec<Option<usize>>,
    /// Cholesky factor of the stiffness, and the mass of the modes.
    factor: Vec<f64>,
    mass: Vec<f64>,
    size: f64,
    load: Vec<f64>,
    response: Vec<f64>,
    eta: Vec<f64>,
    eta_static: Vec<f64>,
    /// Extremes: missing, acting and static energy (J), relative deflection.
    extremes: [f64; 4],
    /// Work on the missing deflection of every unit load, where most was missing (J).
    worst: Vec<f64>,
}

impl Elements {
    pub fn new(model: &Model, k: usize, compliance: &Compliance) -> Option<Self> {
        let (body, n) = (&model.bodies[k], model.bodies[k].modes);
        if compliance.modes != n || !compliance.is_whole() {
            return None;
        }
        let acting = Acting::new(model, k, false);
        let loads = model.loads.iter().filter(|load| load.body.0 == k);
        let points = loads.flat_map(|load| load.points.iter().map(|point| &point.attachment.shape));
        let shapes = body.attachments.iter().map(|attachment| &attachment.shape).chain(points);
        let mut places = Vec::new();
        for (i, shape) in shapes.enumerate() {
            let found = (0..compliance.places).find(|place| moves_alike(compliance, *place, shape));
            // A place that is not known cannot be judged, but for the frame, which holds.
            if found.is_none() && i > 0 {
                return None;
            }
            places.push(found.filter(|_| i > 0));
        }
        let mut factor: Vec<f64> = (0..n * n).map(|i| body.stiffness.entry(i / n, i % n, n)).collect();
        cholesky_in_place(&mut factor, n).ok()?;
        let size = acting.list.iter().map(|force| norm(&force.place)).fold(0.0, f64::max);
        let m = compliance.loads();
        Some(Self {
            acting,
            places,
            factor,
            mass: modal_mass(body),
            size,
            load: vec![0.0; m],
            response: vec![0.0; m],
            eta: vec![0.0; n],
            eta_static: vec![0.0; n],
            extremes: [0.0; 4],
            worst: vec![0.0; m],
            compliance: compliance.clone(),
        })
    }

    pub fn see(&mut self, model: &Model, state: &State, work: &Workspace, k: usize) {
        self.acting.fill(model, state, work);
        self.fill_load(model, work, k);
        self.hold(model, state, work, k);
        let (m, n) = (self.load.len(), self.eta.len());
        let (c, p) = (&self.compliance.flexibility, &self.compliance.participation);
        for i in 0..m {
            self.response[i] = dot(&c[i * m..(i + 1) * m], &self.load);
        }
        let stiffness = &model.bodies[k].stiffness;
        let whole = 0.5 * dot(&self.load, &self.response);
        let held = 0.5 * stiffness.quadratic_form(&self.eta_static);
        let carried: f64 = (0..m).map(|i| self.load[i] * dot(&p[i * n..(i + 1) * n], &self.eta_static)).sum();
        let deflection = self.deflection();
        let missing = (whole - carried + held).max(0.0);
        if missing > self.extremes[0] {
            for i in 0..m {
                let lacking = self.response[i] - dot(&p[i * n..(i + 1) * n], &self.eta_static);
                self.worst[i] = self.load[i] * lacking;
            }
        }
        let found = [missing, 0.5 * stiffness.quadratic_form(&self.eta), whole, deflection];
        self.extremes.iter_mut().zip(found).for_each(|(most, now)| *most = most.max(now));
    }

    /// Largest rotation of a place, or displacement against the size of the body.
    fn deflection(&self) -> f64 {
        let places = self.response.chunks_exact(6).take(self.compliance.places);
        let of = |u: &[f64]| norm(&[u[0], u[1], u[2]]).max(norm(&[u[3], u[4], u[5]]) / self.size.max(1e-12));
        places.map(of).fold(0.0, f64::max)
    }

    fn fill_load(&mut self, model: &Model, work: &Workspace, k: usize) {
        self.load.fill(0.0);
        for (force, place) in self.acting.list.iter().zip(&self.places) {
            let Some(place) = place else { continue };
            let pull = linear(&force.still);
            let moment = sub(&angular(&force.still), &cross(&force.place, &pull));
            for i in 0..3 {
                self.load[6 * place + i] += moment[i];
                self.load[6 * place + 3 + i] += pull[i];
            }
        }
        let (found, kin) = (&work.accelerations, &work.motion.kinematics);
        let alpha = reference_acceleration(model, kin, &found.acceleration, &found.chidot, k);
        let first = 6 * self.compliance.places;
        for (slot, a) in self.load[first..first + 6].iter_mut().zip(alpha) {
            *slot = -a;
        }
        let [x, y, z] = kin.bodies[k].omega;
        let centripetal = [-y * y - z * z, -x * x - z * z, -x * x - y * y, x * y, y * z, z * x];
        for (slot, s) in self.load[first + 6..].iter_mut().zip(centripetal) {
            *slot = -s;
        }
    }

    /// What the modes hold, with and without the inertia of the vibration.
    fn hold(&mut self, model: &Model, state: &State, work: &Workspace, k: usize) {
        let (part, body, n) = (layout_of(model, k), &model.bodies[k], self.eta.len());
        self.eta.fill(0.0);
        body.damping.accumulate(&state.v[part.modal_v()], &mut self.eta);
        let loads = model.loads.iter().enumerate().filter(|(_, load)| load.body.0 == k);
        for (index, load) in loads {
            let factor = work.load.body_scale[index];
            self.eta.iter_mut().zip(&load.modal).for_each(|(x, force)| *x -= factor * force);
        }
        let vibration = &work.accelerations.chidot[part.modal_v()];
        for r in 0..n {
            self.eta_static[r] = self.eta[r] + dot(&self.mass[r * n..(r + 1) * n], vibration);
        }
        for list in [&mut self.eta, &mut self.eta_static] {
            solve_lower(&self.factor, n, list);
            solve_lower_transposed(&self.factor, n, list);
            list.iter_mut().zip(&state.q[part.modal_q()]).for_each(|(x, eta)| *x += eta);
        }
    }

    /// Counts the bodies as bent by the loads so far.
    pub fn settle(&mut self) {
        self.extremes[1] = self.extremes[1].max(self.extremes[2]);
    }

    pub fn verdict(&self, model: &Model, k: usize, words: impl Fn(Source) -> String) -> ModeVerdict {
        let [missing, acting, whole, deflection] = self.extremes;
        let held = (acting + missing).max(LEAST_ACTING * whole);
        let reference = (held * whole.max(LEAST_STATIC * held)).sqrt();
        let judged = deflection > HARDLY_BENT && reference > 0.0;
        let share = judged.then(|| missing / reference);
        let mut verdict = ModeVerdict {
            body: model.bodies[k].name.clone(),
            family: Family::Any,
            count: model.bodies[k].modes,
            missing: share,
            deflection,
            unknown: "which hardly deform",
            load: words(self.main_source()),
            resonance: None,
            remedy: None,
        };
        verdict.remedy = verdict.is_alarm().then_some(Remedy::Interface);
        verdict
    }

    /// The source that does most work on the missing deflection.
    fn main_source(&self) -> Source {
        let first = 6 * self.compliance.places;
        let mut best = (Source::Mass, self.worst[first..].iter().sum::<f64>());
        for (force, place) in self.acting.list.iter().zip(&self.places) {
            let Some(place) = place else { continue };
            let work: f64 = self.worst[6 * place..6 * place + 6].iter().sum();
            if work > best.1 {
                best = (force.source, work);
            }
        }
        best.0
    }

    pub fn remember(&mut self, tape: &mut Tape) {
        tape.numbers(&mut self.extremes);
        tape.numbers(&mut self.worst);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Whether a place of the part moves with the shapes as a point of the body does.
fn moves_alike(compliance: &Compliance, place: usize, shape: &NodeShape) -> bool {
    let n = compliance.modes;
    let alike = |first: usize, list: &[Vector3]| {
        list.iter()
            .enumerate()
            .all(|(r, v)| (0..3).all(|i| compliance.participation[(6 * place + first + i) * n + r] == v[i]))
    };
    shape.slopes.len() == n && alike(0, &shape.slopes) && alike(3, &shape.translations)
}

/// Mass of the modes of the undeformed body, row by row.
fn modal_mass(body: &Body) -> Vec<f64> {
    let n = body.modes;
    let still = vec![0.0; n];
    let (mass, _) = body.mass_and_bias(&still, &still, &[0.0; 3]);
    (0..n * n).map(|i| mass[(i / n) * (n + 6) + i % n]).collect()
}
