//! Joints: a closed set of kinds, one file each with the same few functions.
//!
//! A joint connects frame O⁺ (on the inboard body or ground) to frame O (on the
//! outboard body). `evaluate` gives the pose of O in O⁺, the motion subspace H
//! and the relative velocity Δ = H u in components of O, and the bias: the
//! relative acceleration seen from O⁺ when u̇ = 0. The
//! recursions know kinds through these functions alone. What a kind means elsewhere is said
//! there: rows of joints that close loops (`model/closure`), joints in natural coordinates
//! (`formulation/global`), rotations that are prescribed (`state/prescribe.rs`), pictures.

mod cylindrical;
mod free;
mod helical;
mod planar;
mod prismatic;
mod reversed;
mod revolute;
mod spherical;
mod translational;
mod universal;

use crate::scalar::Scalar;
use crate::spatial::{Matrix3, Spatial, Vector3, identity3};

/// The kinds of joint with their geometry in the joint frames: O⁺ in the first of them, O in the second, as described
/// and as built.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum JointKind {
    /// No relative motion.
    Weld,
    /// Rotation about `axis`.
    Revolute {
        /// Unit axis.
        axis: Vector3,
    },
    /// Translation along `axis`.
    Prismatic {
        /// Unit axis.
        axis: Vector3,
    },
    /// Rotation about and translation along `axis`.
    Cylindrical {
        /// Unit axis.
        axis: Vector3,
    },
    /// Rotation about `axis` with proportional advance.
    Helical {
        /// Unit axis.
        axis: Vector3,
        /// Advance per radian (m/rad).
        pitch: f64,
    },
    /// Rotation about `axis` (fixed in O⁺), then about `axis2` (fixed in O).
    Universal {
        /// Unit axis fixed in O⁺.
        axis: Vector3,
        /// Unit axis fixed in O.
        axis2: Vector3,
    },
    /// Three rotations.
    Spherical,
    /// Two translations in the x-y plane of O⁺ and a rotation about its normal.
    Planar,
    /// Three translations.
    Translational,
    /// Six degrees of freedom.
    Free,
    /// A disc about `axis` of O that rolls without slip on the plane of O⁺ with normal `normal`. No joint of a tree: one row
    /// on positions and two on speeds alone (`model/closure/rolling.rs`).
    Rolling {
        /// Radius of the disc (m).
        radius: f64,
        /// Unit axis of the disc, fixed in O; its centre is the origin of O.
        axis: Vector3,
        /// Unit normal of the plane through the origin of O⁺, towards the disc.
        normal: Vector3,
    },
    /// An edge that does not slip sideways: the origin of O has no velocity along `axis`. No joint of a tree: one row on speeds.
    Blade {
        /// Unit axis across the edge, fixed in O.
        axis: Vector3,
    },
}

/// Relative motion across a joint.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct JointMotion<S> {
    /// Orientation of O in O⁺.
    pub rotation: Matrix3<S>,
    /// Position of O in O⁺ components.
    pub translation: Vector3<S>,
    /// Columns of H in O components; the first `degrees_of_freedom` are used.
    pub columns: [Spatial<S>; 6],
    /// Δ = H u in O components.
    pub velocity: Spatial<S>,
    /// Relative acceleration at u̇ = 0 seen from O⁺, in O components.
    pub bias: Spatial<S>,
}

impl<S: Scalar> JointMotion<S> {
    /// No motion at all.
    #[inline(always)]
    pub fn at_rest() -> Self {
        Self {
            rotation: identity3(),
            translation: [S::ZERO; 3],
            columns: [[S::ZERO; 6]; 6],
            velocity: [S::ZERO; 6],
            bias: [S::ZERO; 6],
        }
    }
}

impl JointKind {
    /// Number of speeds in a tree, and of coordinates with laws; none where a joint only closes loops.
    pub fn degrees_of_freedom(&self) -> usize {
        match self {
            Self::Weld | Self::Rolling { .. } | Self::Blade { .. } => 0,
            Self::Revolute { .. } | Self::Prismatic { .. } | Self::Helical { .. } => 1,
            Self::Cylindrical { .. } | Self::Universal { .. } => 2,
            Self::Spherical | Self::Planar | Self::Translational => 3,
            Self::Free => 6,
        }
    }

    /// Independent speeds that it leaves to two frames it connects.
    pub fn freedoms(&self) -> usize {
        match self {
            Self::Rolling { .. } => 3,
            Self::Blade { .. } => 5,
            _ => self.degrees_of_freedom(),
        }
    }

    /// Whether it has rows on speeds that follow from no row on positions: such a joint closes loops and is in no tree.
    pub fn is_nonholonomic(&self) -> bool {
        matches!(self, Self::Rolling { .. } | Self::Blade { .. })
    }

    /// Number of coordinates; larger than the degrees of freedom where a quaternion is used.
    pub fn coordinate_count(&self) -> usize {
        match self {
            Self::Spherical => 4,
            Self::Free => 7,
            _ => self.degrees_of_freedom(),
        }
    }

    /// The word used in model files.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Weld => "weld",
            Self::Revolute { .. } => "revolute",
            Self::Prismatic { .. } => "prismatic",
            Self::Cylindrical { .. } => "cylindrical",
            Self::Helical { .. } => "helical",
            Self::Universal { .. } => "universal",
            Self::Spherical => "spherical",
            Self::Planar => "planar",
            Self::Translational => "translational",
            Self::Free => "free",
            Self::Rolling { .. } => "rolling",
            Self::Blade { .. } => "blade",
        }
    }

    /// Name and unit of each coordinate, for channels.
    pub fn coordinate_names(&self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Weld | Self::Rolling { .. } | Self::Blade { .. } => &[],
            Self::Revolute { .. } | Self::Helical { .. } => &[("angle", "rad")],
            Self::Prismatic { .. } => &[("displacement", "m")],
            Self::Cylindrical { .. } => &[("angle", "rad"), ("displacement", "m")],
            Self::Universal { .. } => &[("angle1", "rad"), ("angle2", "rad")],
            Self::Spherical => &[("qw", "1"), ("qx", "1"), ("qy", "1"), ("qz", "1")],
            Self::Planar => &[("x", "m"), ("y", "m"), ("angle", "rad")],
            Self::Translational => &[("x", "m"), ("y", "m"), ("z", "m")],
            Self::Free => {
                &[("qw", "1"), ("qx", "1"), ("qy", "1"), ("qz", "1"), ("x", "m"), ("y", "m"), ("z", "m")]
            }
        }
    }

    /// Name, speed unit and effort unit of each degree of freedom, for channels.
    pub fn speed_names(&self) -> &'static [(&'static str, &'static str, &'static str)] {
        const TURN: (&str, &str, &str) = ("rate", "rad/s", "N m");
        const SLIDE: (&str, &str, &str) = ("speed", "m/s", "N");
        match self {
            Self::Weld | Self::Rolling { .. } | Self::Blade { .. } => &[],
            Self::Revolute { .. } | Self::Helical { .. } => &[TURN],
            Self::Prismatic { .. } => &[SLIDE],
            Self::Cylindrical { .. } => &[TURN, SLIDE],
            Self::Universal { .. } => &[("rate1", "rad/s", "N m"), ("rate2", "rad/s", "N m")],
            Self::Spherical => &[("wx", "rad/s", "N m"), ("wy", "rad/s", "N m"), ("wz", "rad/s", "N m")],
            Self::Planar => &[("vx", "m/s", "N"), ("vy", "m/s", "N"), TURN],
            Self::Translational => &[("vx", "m/s", "N"), ("vy", "m/s", "N"), ("vz", "m/s", "N")],
            Self::Free => &[
                ("wx", "rad/s", "N m"),
                ("wy", "rad/s", "N m"),
                ("wz", "rad/s", "N m"),
                ("vx", "m/s", "N"),
                ("vy", "m/s", "N"),
                ("vz", "m/s", "N"),
            ],
        }
    }

    /// Whether the joint lets the outboard body turn.
    pub fn leaves_rotation_free(&self) -> bool {
        !matches!(self, Self::Weld | Self::Prismatic { .. } | Self::Translational)
    }

    /// Coordinates of the assembled reference position.
    pub fn zero_coordinates(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.coordinate_count()];
        if matches!(self, Self::Spherical | Self::Free) {
            q[0] = 1.0;
        }
        q
    }

    /// The kind with the roles of the two frames exchanged, where it is of the same family
    /// with the same coordinates; `None` where [`Joint::reversed`] must do it in general.
    pub fn flipped(&self) -> Option<Self> {
        let negative = |a: &Vector3| a.map(|x| -x);
        match self {
            Self::Weld => Some(Self::Weld),
            Self::Revolute { axis } => Some(Self::Revolute { axis: negative(axis) }),
            Self::Prismatic { axis } => Some(Self::Prismatic { axis: negative(axis) }),
            Self::Cylindrical { axis } => Some(Self::Cylindrical { axis: negative(axis) }),
            Self::Helical { axis, pitch } => Some(Self::Helical { axis: negative(axis), pitch: *pitch }),
            _ => None,
        }
    }

    fn evaluate_forward<S: Scalar>(&self, q: &[S], u: &[S], out: &mut JointMotion<S>) {
        match self {
            // The others are never branches of a tree (`graph/component.rs`).
            Self::Weld | Self::Rolling { .. } | Self::Blade { .. } => *out = JointMotion::at_rest(),
            Self::Revolute { axis } => revolute::evaluate(axis, q, u, out),
            Self::Prismatic { axis } => prismatic::evaluate(axis, q, u, out),
            Self::Cylindrical { axis } => cylindrical::evaluate(axis, q, u, out),
            Self::Helical { axis, pitch } => helical::evaluate(axis, *pitch, q, u, out),
            Self::Universal { axis, axis2 } => universal::evaluate(axis, axis2, q, u, out),
            Self::Spherical => spherical::evaluate(q, u, out),
            Self::Planar => planar::evaluate(q, u, out),
            Self::Translational => translational::evaluate(q, u, out),
            Self::Free => free::evaluate(q, u, out),
        }
    }

    /// `q` = `start` moved by the local increment `step` (one entry per degree of freedom).
    pub fn retract<S: Scalar>(&self, start: &[S], step: &[S], q: &mut [S]) {
        match self {
            Self::Spherical => spherical::retract(start, step, q),
            Self::Free => free::retract(start, step, q),
            _ => {
                for i in 0..q.len() {
                    q[i] = start[i] + step[i];
                }
            }
        }
    }

    /// `q` = `start` moved by a constant body twist over a unit of time: the exponential map.
    pub fn move_by_twist<S: Scalar>(&self, start: &[S], twist: &[S], q: &mut [S]) {
        match self {
            Self::Free => free::move_by_twist(start, twist, q),
            _ => self.retract(start, twist, q),
        }
    }

    /// Rate of a small disturbance, the twist `step` between a motion and its neighbour with speeds `u`:
    /// ẋ = u − ad_u x to first order. Unlike the increment of a step, whose origin stands still, it is
    /// measured from a motion that goes on.
    pub fn disturbance_rate<S: Scalar>(&self, step: &[S], u: &[S], rate: &mut [S]) {
        match self {
            Self::Spherical => spherical::disturbance_rate(step, u, rate),
            Self::Free => free::disturbance_rate(step, u, rate),
            _ => rate.copy_from_slice(u),
        }
    }

    /// Rate of the local increment `step` at coordinates `q` and speeds `u`.
    pub fn increment_rate<S: Scalar>(&self, q: &[S], step: &[S], u: &[S], rate: &mut [S]) {
        match self {
            Self::Spherical => spherical::increment_rate(step, u, rate),
            Self::Free => free::increment_rate(q, step, u, rate),
            _ => rate.copy_from_slice(u),
        }
    }
}

/// A joint of the tree, possibly traversed from its second frame to its first.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Kind and axes.
    pub kind: JointKind,
    /// Whether the tree runs from the second named frame to the first.
    pub reversed: bool,
}

impl Joint {
    /// Relative motion of the outboard frame for coordinates `q` and speeds `u`.
    #[inline]
    pub fn evaluate<S: Scalar>(&self, q: &[S], u: &[S], out: &mut JointMotion<S>) {
        self.kind.evaluate_forward(q, u, out);
        if self.reversed {
            reversed::reverse(self.kind.degrees_of_freedom(), out);
        }
    }
}
