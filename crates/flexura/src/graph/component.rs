//! Kinds of component and their priority as branches of the tree.
//!
//! Source: Richard (2012), section 2, after McPhee (1998): arms N1, position
//! drivers N2, spherical or revolute joints N3, cylindrical or prismatic joints
//! N4, bodies N5, force actuators N6, virtual work N7. Joints that the list does
//! not name: a weld has no coordinate of its own and comes right after the arms;
//! what keeps the two origins together (universal) or turns (helical) counts as
//! revolute; planar and translational count as prismatic; a free joint only repeats
//! what a body edge says and comes just before the bodies. Within a class of joints
//! those with forces of their own come first (their coordinates are wanted), then
//! those with the fewest freedoms (cutting the others costs the fewest equations).
//! Joints with constraints on speeds alone have no coordinates and are never branches.

use super::search::CUT;
use crate::model::description::{JointDescription, JointKindDescription as Kind};

/// What a joint lets move, as far as the choice of the tree asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum JointClass {
    /// Nothing: weld.
    Rigid,
    /// Rotations: revolute, helical, universal, spherical.
    Turning,
    /// Translations: prismatic, cylindrical, planar, translational.
    Sliding,
    /// Everything.
    Free,
    /// Rows on speeds: rolling, blade. Always a chord.
    NonHolonomic,
}

/// What a force edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ForceClass {
    /// Springs, dampers, friction, contact: follows from the motion.
    Passive,
    /// An effort given over time, by a controller, or needed by a prescribed coordinate.
    Actuator,
    /// A load from outside.
    Applied,
}

/// The component an edge stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Component {
    /// From a body's reference frame to a frame that does not move on the body (N1).
    RigidArm,
    /// From a body's reference frame to a frame that moves with the deformation (N1).
    FlexibleArm,
    /// From the datum to a frame whose place is given (N2).
    PositionDriver,
    /// Between two frames whose relative motion is given: a joint with all coordinates prescribed (N2).
    MotionDriver,
    /// A joint (N3, N4).
    Joint(JointClass),
    /// From the datum to the reference frame of a body: its inertia and weight (N5).
    Body,
    /// A force or moment (N6).
    Force(ForceClass),
    /// Dependent virtual work, from the datum to a frame at an end of a component (N7).
    VirtualWork,
}

/// Ranks of one class of joints: with and without forces of their own, 0 to 6 freedoms.
const PER_CLASS: u32 = 16;

impl Component {
    /// Priority as a branch: the smaller, the sooner.
    pub fn rank(&self) -> u32 {
        match self {
            Self::RigidArm | Self::FlexibleArm => 0,
            Self::PositionDriver => 1,
            Self::Joint(JointClass::Rigid) => 8,
            Self::MotionDriver => PER_CLASS,
            Self::Joint(JointClass::Turning) => 2 * PER_CLASS,
            Self::Joint(JointClass::Sliding) => 3 * PER_CLASS,
            Self::Joint(JointClass::Free) => 4 * PER_CLASS,
            Self::Joint(JointClass::NonHolonomic) => CUT,
            Self::Body => 5 * PER_CLASS,
            Self::Force(_) => 6 * PER_CLASS,
            Self::VirtualWork => 7 * PER_CLASS,
        }
    }

    /// Rank of an edge that must be a branch: right after arms and position drivers.
    pub(super) const FORCED: u32 = 2;

    /// How much farther from the ground it leads, counted in joints; forces and bodies lead nowhere.
    pub(super) fn length(&self) -> Option<u32> {
        match self {
            Self::RigidArm | Self::FlexibleArm | Self::PositionDriver => Some(0),
            Self::MotionDriver | Self::Joint(_) => Some(1),
            Self::Body | Self::Force(_) | Self::VirtualWork => None,
        }
    }

    /// Whether it restricts where its frames can go, as opposed to bodies and forces.
    pub fn is_kinematic(&self) -> bool {
        self.length().is_some()
    }

    /// The word for listings.
    pub fn word(&self) -> &'static str {
        match self {
            Self::RigidArm => "rigid arm",
            Self::FlexibleArm => "flexible arm",
            Self::PositionDriver => "position driver",
            Self::MotionDriver => "motion driver",
            Self::Joint(_) => "joint",
            Self::Body => "body",
            Self::Force(ForceClass::Passive) => "force element",
            Self::Force(ForceClass::Actuator) => "actuator",
            Self::Force(ForceClass::Applied) => "applied force",
            Self::VirtualWork => "virtual work",
        }
    }
}

/// The component of a joint: a motion driver where nothing is left to find.
pub(crate) fn joint_component(joint: &JointDescription) -> Component {
    let prescribed = joint.coordinates.iter().filter(|c| c.motion.is_some()).count();
    match joint.kind {
        Kind::Weld => Component::Joint(JointClass::Rigid),
        _ if prescribed > 0 && prescribed == joint.coordinates.len() => Component::MotionDriver,
        Kind::Revolute { .. } | Kind::Helical { .. } | Kind::Universal { .. } | Kind::Spherical => {
            Component::Joint(JointClass::Turning)
        }
        Kind::Cylindrical { .. } | Kind::Prismatic { .. } | Kind::Planar | Kind::Translational => {
            Component::Joint(JointClass::Sliding)
        }
        Kind::Free => Component::Joint(JointClass::Free),
        Kind::Rolling { .. } | Kind::Blade { .. } => Component::Joint(JointClass::NonHolonomic),
    }
}

/// Priority of a joint: its class, then forces of its own, then the fewest freedoms.
#[doc(hidden)]
pub fn joint_rank(joint: &JointDescription) -> u32 {
    let driven = joint.coordinates.iter().any(|c| c.motion.is_some());
    let component = joint_component(joint);
    let class = match component {
        Component::Joint(JointClass::Rigid | JointClass::NonHolonomic) => return component.rank(),
        _ if driven => Component::MotionDriver.rank(),
        _ => component.rank(),
    };
    let loaded = joint.coordinates.iter().any(|c| c.acts());
    class + PER_CLASS / 2 * u32::from(!loaded) + joint.kind.degrees_of_freedom() as u32
}
