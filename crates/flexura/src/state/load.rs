//! What acts on a system at one instant, filled before any algorithm runs.

use crate::model::{Model, layout_of};
use crate::scalar::Scalar;
use crate::spatial::Spatial;

/// Generalised forces, wrenches and prescribed accelerations.
#[derive(Clone, Debug)]
pub struct Load<S = f64> {
    /// Generalised force on each speed: modal and joint efforts (N, N m).
    pub generalized: Vec<S>,
    /// Wrench on each body at its reference frame, F_k components (N m, N).
    pub wrench: Vec<Spatial<S>>,
    /// Whether each speed's acceleration is given rather than sought.
    pub prescribed: Vec<bool>,
    /// The given accelerations; other entries are ignored.
    pub acceleration: Vec<S>,
    /// Power of each applied force (W).
    pub force_power: Vec<S>,
    /// Factor of each applied force, controllers included.
    pub force_scale: Vec<S>,
    /// Power of each load spread over a body (W).
    pub body_power: Vec<S>,
    /// Factor of each load spread over a body, controllers included.
    pub body_scale: Vec<S>,
    /// Power of what each force element does not store (W), and of each coupler.
    pub element_power: Vec<S>,
    /// See `element_power`.
    pub coupler_power: Vec<S>,
    /// Wrench of forces, elements and loop joints at each attachment of every body, body components; kept only where the
    /// list is as long as the layout has attachments ([`Load::keep_points`]).
    pub points: Vec<Spatial<S>>,
    /// Input of each force element: the effort of an actuator, one for others.
    pub element_input: Vec<S>,
    /// Efforts along coordinates of joints that close loops, beside those of their laws: joint, coordinate, effort.
    pub loop_efforts: Vec<(usize, usize, S)>,
}

impl<S: Scalar> Load<S> {
    /// No load; coordinates prescribed as the model says, with zero acceleration.
    pub fn new(model: &Model) -> Self {
        let speeds = model.speed_count();
        Self {
            generalized: vec![S::ZERO; speeds],
            wrench: vec![[S::ZERO; 6]; model.body_count()],
            prescribed: model.prescribed.clone(),
            acceleration: vec![S::ZERO; speeds],
            force_power: vec![S::ZERO; model.forces.len()],
            force_scale: vec![S::ZERO; model.forces.len()],
            body_power: vec![S::ZERO; model.loads.len()],
            body_scale: vec![S::ZERO; model.loads.len()],
            element_power: vec![S::ZERO; model.elements.len()],
            coupler_power: vec![S::ZERO; model.couplers.len()],
            points: Vec::new(),
            element_input: vec![S::ONE; model.elements.len()],
            loop_efforts: Vec::new(),
        }
    }

    /// Keeps wrenches attachment by attachment from the next evaluation on.
    pub fn keep_points(&mut self, model: &Model) {
        self.points = vec![[S::ZERO; 6]; model.layout.attachment];
    }

    /// Sets every force to zero; prescribed flags and accelerations stay.
    pub fn clear(&mut self) {
        self.generalized.fill(S::ZERO);
        self.wrench.fill([S::ZERO; 6]);
    }

    /// What acts on body `k`.
    pub(crate) fn of_body(&mut self, model: &Model, k: usize) -> Felt<'_, S> {
        let part = layout_of(model, k);
        let points = part.attachment..part.attachment + model.bodies[k].attachments.len();
        Felt {
            generalized: &mut self.generalized[part.speeds()],
            wrench: &mut self.wrench[k],
            points: if self.points.is_empty() { &mut [] } else { &mut self.points[points] },
        }
    }
}

/// The part of a [`Load`] that one body feels: so that the bodies of a system may be loaded at the same time.
pub(crate) struct Felt<'a, S> {
    /// Forces on the speeds of the body, modes first.
    pub generalized: &'a mut [S],
    /// Wrench at its reference frame.
    pub wrench: &'a mut Spatial<S>,
    /// Wrench at each of its attachments; empty where these are not kept.
    pub points: &'a mut [Spatial<S>],
}
