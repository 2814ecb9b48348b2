//! Constraint rows of each joint kind, and how its coordinates are measured.
//!
//! With R and r the orientation and position of the second frame in the first,
//! every row is one of four scalar functions, or a row of `rolling`:
//!
//! | shape | value | ∂/∂ω | ∂/∂ṙ |
//! |---|---|---|---|
//! | along a | a·r | 0 | a |
//! | between a, b | a·R b − c | R b × a | 0 |
//! | about a | angle of R about a | see `about_gradient` | 0 |
//! | advance | a·r − pitch · angle | −pitch × the above | a |
//!
//! ω and ṙ are rates of R and r in components of the first frame. Angles are
//! taken modulo 2π about their target, so that a joint may turn for ever.
//!
//! Typeset: book/src/theory/loops.md (LO.1), (LO.2).

use super::rolling::{self, Disc};
use crate::model::joint::JointKind;
use crate::scalar::Scalar;
use crate::spatial::{Matrix3, Spatial, Vector3, cross, dot, join, lift3, matrix_vector, norm, scale, sub};
use std::f64::consts::TAU;

/// One constraint: a measured quantity that stays constant or follows a driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// What is measured.
    pub(crate) shape: RowShape,
    /// Coordinate of the joint whose motion is the target; `None`: zero.
    pub driver: Option<usize>,
}

/// A scalar function of the pose of the second frame in the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowShape {
    /// Distance along an axis of the first frame (m).
    Along(Vector3),
    /// Cosine between an axis of the first and one of the second frame, minus `value`.
    Between {
        /// Axis fixed in the first frame.
        first: Vector3,
        /// Axis fixed in the second frame.
        second: Vector3,
        /// Cosine to be kept.
        value: f64,
    },
    /// Angle about an axis (rad); `first` and `second` complete it to a right-handed triad.
    About {
        /// First normal.
        first: Vector3,
        /// Second normal.
        second: Vector3,
    },
    /// Distance along an axis minus pitch times the angle about it (m).
    Advance {
        /// Axis.
        axis: Vector3,
        /// First normal.
        first: Vector3,
        /// Second normal.
        second: Vector3,
        /// Advance (m/rad).
        pitch: f64,
    },
    /// Height of the lowest point of a disc above the plane it rolls on (m).
    Touch(Disc),
    /// Slip along `direction` of the point of a disc at the contact (m/s): on speeds alone.
    Slip {
        /// The disc and its plane.
        disc: Disc,
        /// Unit vector in the plane.
        direction: Vector3,
    },
    /// Velocity of the second origin along an axis of the second frame (m/s): on speeds alone.
    Sideways(Vector3),
}

/// Pose, velocity and acceleration of the second frame in the first, components of the first.
#[derive(Clone, Copy, Debug)]
pub struct RelativeMotion<S = f64> {
    /// R.
    pub rotation: Matrix3<S>,
    /// r (m).
    pub position: Vector3<S>,
    /// [ω; ṙ] (rad/s, m/s).
    pub velocity: Spatial<S>,
    /// [ω̇; r̈], rates of the components (rad/s², m/s²).
    pub acceleration: Spatial<S>,
}

/// Value, gradient and time derivatives of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowValue<S = f64> {
    /// Value minus target.
    pub value: S,
    /// Gradient with respect to [ω; ṙ].
    pub gradient: Spatial<S>,
    /// First time derivative.
    pub rate: S,
    /// Second time derivative.
    pub acceleration: S,
}

/// Target of a row: value, rate and acceleration.
pub(crate) type Target = [f64; 3];

const AXES: [Vector3; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Two unit vectors that complete the unit vector `axis` to a right-handed triad.
pub(super) fn normals(axis: &Vector3) -> [Vector3; 2] {
    let smallest = (0..3).fold(0, |best, i| if axis[i].abs() < axis[best].abs() { i } else { best });
    let first = cross(axis, &AXES[smallest]);
    let first = scale(1.0 / norm(&first), &first);
    [first, cross(axis, &first)]
}

/// Rows that the reactions of a joint enforce.
pub(super) fn reaction_rows(kind: &JointKind) -> Vec<Row> {
    let along = |axes: &[Vector3]| -> Vec<RowShape> { axes.iter().map(|&a| RowShape::Along(a)).collect() };
    let between = |first: Vector3, second: Vector3| RowShape::Between { first, second, value: 0.0 };
    let locked = || (0..3).map(|i| between(AXES[i], AXES[(i + 1) % 3])).collect::<Vec<_>>();
    let parallel = |axis: &Vector3| normals(axis).map(|normal| between(normal, *axis)).to_vec();
    let shapes = match kind {
        JointKind::Weld => [along(&AXES), locked()].concat(),
        JointKind::Revolute { axis } => [along(&AXES), parallel(axis)].concat(),
        JointKind::Prismatic { axis } => [along(&normals(axis)), locked()].concat(),
        JointKind::Cylindrical { axis } => [along(&normals(axis)), parallel(axis)].concat(),
        JointKind::Helical { axis, pitch } => {
            let [first, second] = normals(axis);
            let advance = RowShape::Advance { axis: *axis, first, second, pitch: *pitch };
            [along(&[first, second]), parallel(axis), vec![advance]].concat()
        }
        JointKind::Universal { axis, axis2 } => {
            let kept = RowShape::Between { first: *axis, second: *axis2, value: dot(axis, axis2) };
            [along(&AXES), vec![kept]].concat()
        }
        JointKind::Spherical => along(&AXES),
        JointKind::Planar => [along(&AXES[2..]), parallel(&AXES[2])].concat(),
        JointKind::Translational => locked(),
        JointKind::Free => Vec::new(),
        JointKind::Rolling { radius, axis, normal } => {
            let disc = Disc { radius: *radius, axis: *axis, normal: *normal };
            let slip = normals(normal).map(|direction| RowShape::Slip { disc, direction });
            [vec![RowShape::Touch(disc)], slip.to_vec()].concat()
        }
        JointKind::Blade { axis } => vec![RowShape::Sideways(*axis)],
    };
    shapes.into_iter().map(|shape| Row { shape, driver: None }).collect()
}

/// How coordinate `index` of a joint is measured from the pose, where that is possible.
pub(super) fn measure(kind: &JointKind, index: usize) -> Option<RowShape> {
    let about = |axis: &Vector3| {
        let [first, second] = normals(axis);
        Some(RowShape::About { first, second })
    };
    match (kind, index) {
        (JointKind::Revolute { axis } | JointKind::Helical { axis, .. }, _) => about(axis),
        (JointKind::Prismatic { axis }, _) => Some(RowShape::Along(*axis)),
        (JointKind::Cylindrical { axis }, 0) => about(axis),
        (JointKind::Cylindrical { axis }, _) => Some(RowShape::Along(*axis)),
        (JointKind::Planar, 2) => about(&AXES[2]),
        (JointKind::Planar | JointKind::Translational, i) => Some(RowShape::Along(AXES[i])),
        _ => None,
    }
}

/// x modulo 2π, between −π and π; derivatives pass through.
pub(crate) fn wrapped<S: Scalar>(x: S) -> S {
    x - S::from_f64(TAU * (x.value() / TAU).round())
}

impl RowShape {
    /// Whether it restricts speeds and no position: its value is zero wherever the frames are.
    pub fn is_on_speeds(&self) -> bool {
        matches!(self, Self::Slip { .. } | Self::Sideways(_))
    }

    /// Value minus target with gradient and time derivatives.
    pub fn evaluate<S: Scalar>(&self, motion: &RelativeMotion<S>, target: &Target) -> RowValue<S> {
        let mut row = match self {
            Self::Along(axis) => along(axis, motion),
            Self::Between { first, second, value } => {
                let mut row = cosine(first, second, motion);
                row.value -= S::from_f64(*value);
                row
            }
            Self::About { first, second } => about(first, second, motion),
            Self::Advance { axis, first, second, pitch } => advance(axis, first, second, *pitch, motion),
            Self::Touch(disc) => rolling::touch(disc, motion),
            Self::Slip { disc, direction } => rolling::slip(disc, direction, motion),
            Self::Sideways(axis) => rolling::sideways(axis, motion),
        };
        row.value -= S::from_f64(target[0]);
        if let Self::About { .. } = self {
            row.value = wrapped(row.value);
        }
        row.rate -= S::from_f64(target[1]);
        row.acceleration -= S::from_f64(target[2]);
        row
    }
}

fn along<S: Scalar>(axis: &Vector3, motion: &RelativeMotion<S>) -> RowValue<S> {
    let axis = lift3::<S>(axis);
    let part = |six: &Spatial<S>| dot(&axis, &crate::spatial::linear(six));
    RowValue {
        value: dot(&axis, &motion.position),
        gradient: join(&[S::ZERO; 3], &axis),
        rate: part(&motion.velocity),
        acceleration: part(&motion.acceleration),
    }
}

/// a·R b.
fn cosine<S: Scalar>(a: &Vector3, b: &Vector3, motion: &RelativeMotion<S>) -> RowValue<S> {
    let (a, turned) = (lift3::<S>(a), matrix_vector(&motion.rotation, &lift3(b)));
    let (omega, alpha) =
        (crate::spatial::angular(&motion.velocity), crate::spatial::angular(&motion.acceleration));
    let gradient = cross(&turned, &a);
    let centripetal = dot(&a, &cross(&omega, &cross(&omega, &turned)));
    RowValue {
        value: dot(&a, &turned),
        gradient: join(&gradient, &[S::ZERO; 3]),
        rate: dot(&gradient, &omega),
        acceleration: dot(&gradient, &alpha) + centripetal,
    }
}

/// atan2(s, c) with s = second·R first and c = first·R first.
fn about<S: Scalar>(first: &Vector3, second: &Vector3, motion: &RelativeMotion<S>) -> RowValue<S> {
    let (s, c) = (cosine(second, first, motion), cosine(first, first, motion));
    let square = s.value * s.value + c.value * c.value;
    let inverse = S::ONE / square;
    let turned = sub(
        &scale(c.value, &crate::spatial::angular(&s.gradient)),
        &scale(s.value, &crate::spatial::angular(&c.gradient)),
    );
    let numerator = c.value * s.rate - s.value * c.rate;
    let square_rate = (s.value * s.rate + c.value * c.rate) * 2.0;
    RowValue {
        value: s.value.atan2(c.value),
        gradient: join(&scale(inverse, &turned), &[S::ZERO; 3]),
        rate: numerator * inverse,
        acceleration: (c.value * s.acceleration - s.value * c.acceleration) * inverse
            - numerator * square_rate * inverse * inverse,
    }
}

/// a·r − pitch · angle, the angle taken on the turn nearest to a·r / pitch.
fn advance<S: Scalar>(
    axis: &Vector3,
    first: &Vector3,
    second: &Vector3,
    pitch: f64,
    motion: &RelativeMotion<S>,
) -> RowValue<S> {
    let (slide, angle) = (along(axis, motion), about(first, second, motion));
    let lag = wrapped(slide.value * (1.0 / pitch) - angle.value);
    RowValue {
        value: lag * pitch,
        gradient: std::array::from_fn(|i| slide.gradient[i] - angle.gradient[i] * pitch),
        rate: slide.rate - angle.rate * pitch,
        acceleration: slide.acceleration - angle.acceleration * pitch,
    }
}
