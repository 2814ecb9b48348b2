//! A tyre on a road: radial spring, damper and forces in the plane of the road.
//!
//! The first frame carries the road, z up and x along it; the second is the wheel
//! or its hub, origin at the centre, y along the axis of rotation. The road under
//! the centre has height z(x) and slope s; its tangent there is the plane of
//! contact with normal n. With the height h of the centre above the road the
//! deflection is δ = R − h cos β (distance to the plane, β the slope) or, as the
//! IAVSD benchmark has it, δ = (R − h) cos β. While δ > 0 the road pushes along n
//! with N = max(0, k δ + c w), w the approach along n, and in the plane as
//! `side_force.rs` says, at the point where the spoke meets the plane.
//! E = ½ k δ², P = W·V + k δ δ̇: what rolls over a slope exchanges energy with the
//! motion of the vehicle, and friction takes it away.
//!
//! Axes of contact: e_x = e_y × n, along the rolling; e_y' = n × e_x; e_z = e_x × e_y
//! the spoke, e_y the axis of the wheel.

mod road;
mod side_force;

pub use road::{Road, RoadFeature, RoadPoint};
pub use side_force::{Brush, Calspan, Linear, SideForce};

use super::fault::Faults;
use super::relative::{FrameState, Relative};
use super::{ElementForce, ElementKind};
use crate::scalar::Scalar;
use crate::spatial::{Vector3, add, cross, dot, join, matrix_vector, norm, scale, transposed_matrix_vector};
use side_force::Slip;

/// Speed below which slip angles lose their meaning, where none is given (m/s).
pub(crate) const DEFAULT_LOW_SPEED: f64 = 0.1;

/// How the deflection follows from the height above the road.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Deflection {
    /// Distance of the centre to the tangent of the road.
    #[default]
    Normal,
    /// Height above the road, turned into the normal: the IAVSD benchmark.
    Vertical,
}

/// The point of the wheel whose lateral velocity makes the slip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SlipPoint {
    /// The one that touches the road.
    #[default]
    Contact,
    /// The centre of the wheel: the IAVSD benchmark.
    Center,
}

/// Parameters of a tyre.
#[derive(Clone, Debug, PartialEq)]
pub struct Tyre {
    /// Radius without load R (m).
    pub radius: f64,
    /// Radial stiffness k (N/m).
    pub stiffness: f64,
    /// Radial damping c (N s/m).
    pub damping: f64,
    /// How the deflection is measured.
    pub deflection: Deflection,
    /// Forces in the plane of the road.
    pub side_force: SideForce,
    /// Where the lateral slip is measured.
    pub slip_point: SlipPoint,
    /// Longitudinal speed that is added, squared, to the real one so that slip angles stay
    /// finite at rest (m/s).
    pub low_speed: f64,
    /// The road.
    pub road: Road,
}

/// The wheel over the road, in the axes of the road.
struct Contact<S> {
    normal: Vector3<S>,
    deflection: S,
    /// δ̇ (m/s).
    rate: S,
    /// Distance of the centre to the plane (m).
    distance: S,
}

impl Tyre {
    pub(super) fn evaluate<S: Scalar>(
        &self,
        first: &FrameState<S>,
        second: &FrameState<S>,
    ) -> ElementForce<S> {
        let relative = Relative::new(first, second);
        let to_road = |v: &Vector3<S>| transposed_matrix_vector(&first.rotation, v);
        let center = to_road(&relative.arm);
        let velocity = to_road(&relative.velocity);
        let contact = self.contact(&center, &velocity);
        if contact.deflection.at_most(0.0) {
            return ElementForce::zero(contact.deflection);
        }
        let spring = contact.deflection * self.stiffness;
        let load = spring - dot(&contact.normal, &velocity) * self.damping;
        let stored = spring * contact.deflection * 0.5;
        if load.at_most(0.0) {
            let power = spring * contact.rate;
            return ElementForce { energy: stored, power, ..ElementForce::zero(contact.deflection) };
        }
        let axis = to_road(&matrix_vector(&second.rotation, &[S::ZERO, S::ONE, S::ZERO]));
        let spin = to_road(&relative.spin);
        let (moment, force) = self.push(&contact, load, &axis, &velocity, &spin);
        ElementForce {
            wrench: join(&matrix_vector(&first.rotation, &moment), &matrix_vector(&first.rotation, &force)),
            energy: stored,
            power: dot(&force, &velocity) + dot(&moment, &spin) + spring * contact.rate,
            measure: contact.deflection,
        }
    }

    /// Sine of the angle between the wheel's axis and the road's normal while they touch, one otherwise.
    pub(super) fn uprightness(&self, first: &FrameState, second: &FrameState) -> f64 {
        let relative = Relative::new(first, second);
        let to_road = |v: &Vector3| transposed_matrix_vector(&first.rotation, v);
        let contact = self.contact(&to_road(&relative.arm), &to_road(&relative.velocity));
        let axis = to_road(&matrix_vector(&second.rotation, &[0.0, 1.0, 0.0]));
        if contact.deflection > 0.0 { norm(&cross(&axis, &contact.normal)) } else { 1.0 }
    }

    /// Where the road is under a wheel at `center`.
    fn contact<S: Scalar>(&self, center: &Vector3<S>, velocity: &Vector3<S>) -> Contact<S> {
        let road = self.road.at(center[0]);
        let cosine = S::ONE / (S::ONE + road.slope * road.slope).sqrt();
        let normal = [-(road.slope * cosine), S::ZERO, cosine];
        let height = center[2] - road.height;
        let radius = S::from_f64(self.radius);
        // Rates of the height and, by the curvature, of the cosine.
        let climb = velocity[2] - road.slope * velocity[0];
        let turn = -(road.slope * road.curvature * velocity[0] * cosine * cosine * cosine);
        let (deflection, rate) = match self.deflection {
            Deflection::Normal => (radius - height * cosine, -(climb * cosine + height * turn)),
            Deflection::Vertical => ((radius - height) * cosine, (radius - height) * turn - climb * cosine),
        };
        Contact { normal, deflection, rate, distance: height * cosine }
    }

    /// Moment about the centre and force on the wheel, axes of the road.
    fn push<S: Scalar>(
        &self,
        contact: &Contact<S>,
        load: S,
        axis: &Vector3<S>,
        velocity: &Vector3<S>,
        spin: &Vector3<S>,
    ) -> (Vector3<S>, Vector3<S>) {
        let normal = &contact.normal;
        let along = cross(axis, normal);
        let size = norm(&along);
        if size.below(1e-6) {
            // A wheel that lies flat has no direction to roll: the road only pushes.
            return ([S::ZERO; 3], scale(load, normal));
        }
        let along = scale(S::ONE / size, &along);
        let across = cross(normal, &along);
        let spoke = cross(&along, axis);
        let upright = dot(normal, &spoke);
        let forward = dot(velocity, &along);
        let arm = scale(-(contact.distance / upright), &spoke);
        // Slip of the point that touches: with that of the centre, rolling of the wheel about x at
        // the frequencies of stiff links would be fed instead of damped.
        let touching = add(velocity, &cross(spin, &arm));
        let sideways = match self.slip_point {
            SlipPoint::Contact => &touching,
            SlipPoint::Center => velocity,
        };
        let speed = (forward * forward + S::from_f64(self.low_speed * self.low_speed)).sqrt();
        let slip = Slip {
            load,
            sliding: dot(&touching, &along),
            lateral: dot(sideways, &across),
            speed,
            // A leaning wheel pulls aside because it rolls: at rest it does not.
            camber: dot(normal, axis).atan2(upright) * (forward * forward / (speed * speed)),
        };
        let plane = self.side_force.evaluate(&slip);
        let force = add(
            &scale(load, normal),
            &add(&scale(plane.longitudinal, &along), &scale(plane.lateral, &across)),
        );
        let foot = add(&arm, &scale(S::from_f64(-plane.trail), &along));
        let twist = add(&scale(plane.aligning, normal), &scale(plane.overturning, &along));
        (add(&cross(&foot, &force), &twist), force)
    }

    pub(super) fn check(&self, faults: &mut Faults) {
        faults.positive("radius", self.radius, "m");
        faults.positive("stiffness", self.stiffness, "N/m");
        faults.damping("damping", self.damping);
        faults.positive("low_speed", self.low_speed, "m/s");
        self.side_force.check(faults);
        self.road.check(faults);
    }
}

impl From<Tyre> for ElementKind {
    fn from(element: Tyre) -> Self {
        Self::Tyre(element)
    }
}
