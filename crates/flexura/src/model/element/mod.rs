//! Force elements: a closed set of kinds, one file each with the same few functions.
//!
//! An element acts between two frames. `evaluate` takes their poses and
//! velocities in one common basis and gives the wrench on the second frame; the
//! first gets the opposite, moved to its origin ([`ElementForce::on_first`]). All
//! laws use the motion of the second frame seen from the first, so they do not
//! depend on the observer. With W the wrenches and V the velocities of both frames
//!
//! W₁·V₁ + W₂·V₂ = −dE/dt + P,
//!
//! E the stored energy, P the power of what is not stored; P is never positive,
//! except that a moving medium may drive a [`Drag`], that a slope may drive a [`Tyre`],
//! and that an [`Actuator`] drives. Elsewhere kinds are
//! named only where they are treated apart: what a plane mechanism may hold
//! (`formulation/global/plane.rs`), what sensitivities refuse. Relations between joint coordinates are [`Coupler`]s.

mod actuator;
mod bump_stop;
mod bushing;
mod contact;
mod coupler;
mod description;
mod drag;
mod fault;
mod gain;
mod law;
mod one_sided;
mod relative;
mod rod;
mod spring_damper;
mod table;
mod tangent;
mod torsion_spring_damper;
mod tyre;

pub use actuator::Actuator;
pub use bump_stop::BumpStop;
pub use bushing::Bushing;
pub use contact::Contact;
pub(crate) use contact::DEFAULT_SLIP_SPEED;
pub(crate) use coupler::CouplerEnd;
pub use coupler::{Coupler, CouplerForce, CouplerLink};
pub use description::{ElementDescription, ElementKindDescription};
pub use drag::Drag;
pub use fault::{Fault, Faults};
pub use law::{Damping, ForceLaw};
pub use relative::FrameState;
pub use rod::Rod;
pub use spring_damper::SpringDamper;
pub use table::{ForceTable, ForceTableError};
pub use tangent::Tangent;
pub use torsion_spring_damper::TorsionSpringDamper;
pub(crate) use tyre::DEFAULT_LOW_SPEED;
pub use tyre::{
    Brush, Calspan, Deflection, Linear, Road, RoadFeature, RoadPoint, SideForce, SlipPoint, Tyre,
};

pub(crate) use coupler::find_coordinate;

use super::FrameId;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, Vector3, negate6, shift_force, sub};
use crate::time_function::TimeFunction;

/// The kinds of element with their parameters.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElementKind {
    /// Spring and damper along the line between the origins.
    SpringDamper(SpringDamper),
    /// Spring and damper about an axis of the first frame.
    TorsionSpringDamper(TorsionSpringDamper),
    /// Springs and dampers in all six directions.
    Bushing(Bushing),
    /// A spring that only pushes.
    BumpStop(BumpStop),
    /// A massless, stiff rod.
    Rod(Rod),
    /// Drag of a medium.
    Drag(Drag),
    /// A point or sphere on a plane.
    Contact(Contact),
    /// A driven force or torque; evaluated at unit effort.
    Actuator(Actuator),
    /// A wheel on a road.
    Tyre(Tyre),
}

/// An element of a model.
#[derive(Clone, Debug)]
pub struct Element {
    /// Name.
    pub name: String,
    /// Kind and parameters.
    pub kind: ElementKind,
    /// The two frames.
    pub frames: [FrameId; 2],
}

/// What an element does at one instant.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct ElementForce<S = f64> {
    /// Wrench on the second frame at its origin, common basis (N m, N).
    pub wrench: Spatial<S>,
    /// Stored energy (J).
    pub energy: S,
    /// Power of the part that is not stored (W).
    pub power: S,
    /// The quantity that rules the force: see [`ElementKind::measure_words`].
    pub measure: S,
}

impl<S: Scalar> ElementForce<S> {
    /// No force.
    pub fn zero(measure: S) -> Self {
        Self { wrench: [S::ZERO; 6], energy: S::ZERO, power: S::ZERO, measure }
    }

    /// What an actuator does at an effort, from what it does at unit effort.
    pub fn times(&self, effort: S) -> Self {
        let wrench = self.wrench.map(|x| x * effort);
        Self { wrench, energy: self.energy * effort, power: self.power * effort, measure: self.measure }
    }

    /// Wrench on the first frame at its origin, common basis (N m, N).
    pub fn on_first(&self, first: &FrameState<S>, second: &FrameState<S>) -> Spatial<S> {
        let arm = sub(&second.position, &first.position);
        negate6(&shift_force(&arm, &self.wrench))
    }
}

impl ElementKind {
    /// Wrench, energy and power for the motion of the two frames.
    #[inline]
    pub fn evaluate<S: Scalar>(&self, first: &FrameState<S>, second: &FrameState<S>) -> ElementForce<S> {
        match self {
            Self::SpringDamper(element) => element.evaluate(first, second),
            Self::TorsionSpringDamper(element) => element.evaluate(first, second),
            Self::Bushing(element) => element.evaluate(first, second),
            Self::BumpStop(element) => element.evaluate(first, second),
            Self::Rod(element) => element.evaluate(first, second),
            Self::Drag(element) => element.evaluate(first, second),
            Self::Contact(element) => element.evaluate(first, second),
            Self::Actuator(element) => element.evaluate(first, second),
            Self::Tyre(element) => element.evaluate(first, second),
        }
    }

    /// The rotation over which the law is periodic (rad), zero for others, and the sine of the angle that separates the frames
    /// from where the law is not defined, one for others.
    pub(crate) fn place(&self, first: &FrameState, second: &FrameState) -> (Vector3, f64) {
        match self {
            Self::TorsionSpringDamper(element) => element.place(first, second),
            Self::Bushing(_) => (bushing::turned(first, second), 1.0),
            Self::Tyre(element) => ([0.0; 3], element.uprightness(first, second)),
            _ => ([0.0; 3], 1.0),
        }
    }

    /// The word used in model files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::SpringDamper(_) => "spring-damper",
            Self::TorsionSpringDamper(_) => "torsion-spring-damper",
            Self::Bushing(_) => "bushing",
            Self::BumpStop(_) => "bump-stop",
            Self::Rod(_) => "rod",
            Self::Drag(_) => "drag",
            Self::Contact(_) => "contact",
            Self::Actuator(_) => "actuator",
            Self::Tyre(_) => "tyre",
        }
    }

    /// Name and unit of [`ElementForce::measure`], for channels.
    pub fn measure_words(&self) -> (&'static str, &'static str) {
        match self {
            Self::SpringDamper(_) | Self::Rod(_) => ("length", "m"),
            Self::TorsionSpringDamper(_) => ("angle", "rad"),
            Self::Bushing(_) => ("distance", "m"),
            Self::BumpStop(_) | Self::Contact(_) => ("clearance", "m"),
            Self::Drag(_) => ("speed", "m/s"),
            Self::Actuator(Actuator { axis: None, .. }) => ("length", "m"),
            Self::Actuator(_) => ("rate", "rad/s"),
            Self::Tyre(_) => ("deflection", "m"),
        }
    }

    /// What is wrong with the parameters.
    pub fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        match self {
            Self::SpringDamper(element) => element.check(&mut faults),
            Self::TorsionSpringDamper(element) => element.check(&mut faults),
            Self::Bushing(element) => element.check(&mut faults),
            Self::BumpStop(element) => element.check(&mut faults),
            Self::Rod(element) => element.check(&mut faults),
            Self::Drag(element) => element.check(&mut faults),
            Self::Contact(element) => element.check(&mut faults),
            Self::Actuator(element) => element.check(&mut faults),
            Self::Tyre(element) => element.check(&mut faults),
        }
        faults
    }

    /// The axis in the first frame, where the kind has one; validation brings it to unit length.
    pub fn axis_mut(&mut self) -> Option<&mut Vector3> {
        match self {
            Self::SpringDamper(element) => element.axis.as_mut(),
            Self::TorsionSpringDamper(element) => Some(&mut element.axis),
            Self::BumpStop(element) => element.axis.as_mut(),
            Self::Actuator(element) => element.axis.as_mut(),
            _ => None,
        }
    }

    /// The effort over time of an actuator.
    pub fn effort(&self) -> Option<&TimeFunction> {
        match self {
            Self::Actuator(element) => Some(&element.effort),
            _ => None,
        }
    }

    /// Whether the element acts only while it is closed.
    pub fn is_one_sided(&self) -> bool {
        matches!(self, Self::BumpStop(_) | Self::Contact(_) | Self::Tyre(_))
    }

    /// How far a one-sided element is open; negative while it acts (m).
    pub fn clearance(&self, first: &FrameState, second: &FrameState) -> f64 {
        let measure = self.evaluate(first, second).measure;
        match self {
            Self::Tyre(_) => -measure,
            _ => measure,
        }
    }

    /// Whether a one-sided element pushes with a force at once where it closes: a damper that does not wait for the spring.
    pub fn pushes_at_once(&self) -> bool {
        matches!(self, Self::Tyre(element) if element.damping > 0.0)
    }

    /// Places along the x axis of the first frame where the stored energy jumps, in order (m).
    pub fn edges(&self) -> Vec<f64> {
        match self {
            Self::Tyre(element) => element.road.edges(),
            _ => Vec::new(),
        }
    }

    /// Unit of the effort of an actuator.
    pub fn effort_unit(&self) -> &'static str {
        match self {
            Self::Actuator(Actuator { axis: Some(_), .. }) => "N m",
            _ => "N",
        }
    }
}
