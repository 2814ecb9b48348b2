//! Attachment points: where joints, loads and output frames hold a body.
//!
//! Source: book/src/theory/kinematics.md (KI.1) to (KI.6); with θ = λη:
//! A = exp(θ~), l = l0 + γη + ½ η*Γ2η, Π = [Jl λ ; γ + Γ2η], and the bias
//! acceleration of the point; sections of beams may turn by more than λη (`section_turn.rs`). Rules: `exact` is that; `lambda_etad` keeps the
//! papers' constant Π with a finite rotation; `frozen` stays undeformed.

use super::node::NodeShape;
use super::section_turn::{SectionTurn, Turned};
use crate::model::description::AttachmentRule;
use crate::scalar::Scalar;
use crate::spatial::{
    Matrix3, Spatial, Vector3, add, angular, axpy, cross, dot, exp_coefficients, identity3, join,
    left_jacobian_coefficient_rates, lift3, linear, scale, zero3,
};

/// A point of a body with its mode shapes.
#[derive(Clone, Debug)]
pub struct Attachment {
    /// Motion of the point with the modes.
    pub shape: NodeShape,
    /// Whether frame and Jacobian never change (rigid point, or rule `frozen`).
    pub constant: bool,
    /// Whether no mode moves the point at all.
    pub rigid: bool,
    /// Whether a child or a load hangs on the point, so that dynamics must follow it.
    pub active: bool,
}

/// Everything the recursions need of an attachment, in F_k components.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct AttachmentState<S> {
    /// Orientation A of the point relative to F_k.
    pub rotation: Matrix3<S>,
    /// Position l of the point relative to F_k.
    pub position: Vector3<S>,
    /// Velocity due to the modes, Π η̇.
    pub rate: Spatial<S>,
    /// Π̇ η̇ as seen from F_k: what remains of the acceleration when ω = 0.
    pub convective: Spatial<S>,
}

impl<S: Scalar> AttachmentState<S> {
    /// The undeformed state at `position`.
    pub fn undeformed(position: &Vector3) -> Self {
        Self {
            rotation: identity3(),
            position: lift3(position),
            rate: [S::ZERO; 6],
            convective: [S::ZERO; 6],
        }
    }

    /// Acceleration of the point when F_k turns at `omega` and all accelerations are zero.
    #[inline(always)]
    pub fn bias(&self, omega: &Vector3<S>) -> Spatial<S> {
        let (spin, slide) = (angular(&self.rate), linear(&self.rate));
        let turning = cross(omega, &spin);
        let centripetal = cross(omega, &cross(omega, &self.position));
        let coriolis = cross(omega, &slide);
        let c = &self.convective;
        [
            turning[0] + c[0],
            turning[1] + c[1],
            turning[2] + c[2],
            centripetal[0] + coriolis[0] * 2.0 + c[3],
            centripetal[1] + coriolis[1] * 2.0 + c[4],
            centripetal[2] + coriolis[2] * 2.0 + c[5],
        ]
    }
}

/// Σ_r x_r v_r.
#[inline(always)]
pub(super) fn combine<S: Scalar>(vectors: &[Vector3], x: &[S]) -> Vector3<S> {
    let mut sum = zero3();
    for (v, &x) in vectors.iter().zip(x) {
        axpy(&mut sum, x, v);
    }
    sum
}

impl Attachment {
    /// An attachment for `shape` under `rule`.
    pub fn new(shape: NodeShape, rule: AttachmentRule) -> Self {
        let rigid = shape.is_rigid();
        Self { constant: rigid || rule == AttachmentRule::Frozen, rigid, active: false, shape }
    }

    /// Undeformed Jacobian [λ; γ], one column per mode.
    pub fn fill_constant_influence<S: Scalar>(&self, influence: &mut [Spatial<S>]) {
        for (r, column) in influence.iter_mut().enumerate() {
            *column = join(&lift3(&self.shape.slopes[r]), &lift3(&self.shape.translations[r]));
        }
    }

    /// State and Jacobian columns for deformation `eta` and rate `rate`.
    #[inline(always)]
    pub fn evaluate<S: Scalar>(
        &self,
        rule: AttachmentRule,
        eta: &[S],
        rate: &[S],
        influence: &mut [Spatial<S>],
    ) -> AttachmentState<S> {
        if self.constant {
            return self.frozen_state(rate);
        }
        self.evaluate_as_moving(rule, eta, rate, influence)
    }

    /// Like [`Attachment::evaluate`], but deformed even where the dynamics keeps the point frozen.
    #[inline(always)]
    pub fn evaluate_as_moving<S: Scalar>(
        &self,
        rule: AttachmentRule,
        eta: &[S],
        rate: &[S],
        influence: &mut [Spatial<S>],
    ) -> AttachmentState<S> {
        match rule {
            AttachmentRule::Exact => self.exact_state(eta, rate, influence),
            _ => self.linear_state(eta, rate, influence),
        }
    }

    /// Rule `frozen`: undeformed, with the modal velocity but no bias from it.
    fn frozen_state<S: Scalar>(&self, rate: &[S]) -> AttachmentState<S> {
        let mut state = AttachmentState::undeformed(&self.shape.position);
        state.rate = self.frozen_rate(rate);
        state
    }

    /// Velocity of the undeformed point due to the modes.
    pub fn frozen_rate<S: Scalar>(&self, rate: &[S]) -> Spatial<S> {
        if self.rigid {
            return [S::ZERO; 6];
        }
        join(&combine(&self.shape.slopes, rate), &combine(&self.shape.translations, rate))
    }

    /// Orientation and position with the deformation `eta`, whatever the rule of the dynamics; to first
    /// order in translation, as the Jacobian of a frozen point is.
    pub fn deformed_frame<S: Scalar>(&self, eta: &[S]) -> (Matrix3<S>, Vector3<S>) {
        let shape = &self.shape;
        let theta = match &shape.turn {
            Some(turn) => turn.angle(shape, eta),
            None => combine(&shape.slopes, eta),
        };
        let rotation = crate::spatial::rotation_exp(&theta);
        (rotation, add(&lift3(&shape.position), &combine(&shape.translations, eta)))
    }

    /// Rule `lambda_etad`: finite rotation, slopes as they are.
    fn linear_state<S: Scalar>(
        &self,
        eta: &[S],
        rate: &[S],
        influence: &mut [Spatial<S>],
    ) -> AttachmentState<S> {
        let shape = &self.shape;
        let slide = self.translation(eta, rate, influence);
        for (column, slope) in influence.iter_mut().zip(&shape.slopes) {
            column[..3].copy_from_slice(&lift3::<S>(slope));
        }
        AttachmentState {
            rotation: crate::spatial::rotation_exp(&combine(&shape.slopes, eta)),
            position: slide.position,
            rate: join(&combine(&shape.slopes, rate), &slide.rate),
            convective: join(&[S::ZERO; 3], &slide.convective),
        }
    }

    /// Position l, velocity and η̇*Γ2η̇; writes γ + Γ2η into the linear halves of `influence`.
    #[inline(always)]
    fn translation<S: Scalar>(&self, eta: &[S], rate: &[S], influence: &mut [Spatial<S>]) -> Translation<S> {
        let shape = &self.shape;
        let n = eta.len();
        let mut out = Translation { position: lift3(&shape.position), rate: zero3(), convective: zero3() };
        for r in 0..n {
            // γ_r + Γ2_r η, and l = l0 + Σ (γ_r + ½ Γ2_r η) η_r
            let mut along = lift3(&shape.translations[r]);
            if shape.quadratic.is_empty() {
                out.position = add(&out.position, &scale(eta[r], &along));
            } else {
                let row = &shape.quadratic[r * n..(r + 1) * n];
                let (mut bend, mut bend_rate) = (zero3(), zero3());
                for ((v, &x), &x_rate) in row.iter().zip(eta).zip(rate) {
                    axpy(&mut bend, x, v);
                    axpy(&mut bend_rate, x_rate, v);
                }
                for i in 0..3 {
                    out.position[i] += (along[i] + bend[i] * 0.5) * eta[r];
                    along[i] += bend[i];
                    out.convective[i] += bend_rate[i] * rate[r];
                }
            }
            out.rate = add(&out.rate, &scale(rate[r], &along));
            influence[r][3..].copy_from_slice(&along);
        }
        out
    }

    /// Rule `exact` (book/src/theory/kinematics.md (KI.1) to (KI.5)).
    #[inline(always)]
    fn exact_state<S: Scalar>(
        &self,
        eta: &[S],
        rate: &[S],
        influence: &mut [Spatial<S>],
    ) -> AttachmentState<S> {
        let slide = self.translation(eta, rate, influence);
        match &self.shape.turn {
            Some(turn) => self.turned_by_sections(turn, eta, rate, influence, &slide),
            None => self.turned_by_slopes(eta, rate, influence, &slide),
        }
    }

    /// [`Attachment::exact_state`] of a section of a beam that turns by more than its slopes.
    ///
    /// Never inlined and laid out apart: sums over hundreds of nodes take the other route and would lose registers to this one.
    #[cold]
    #[inline(never)]
    fn turned_by_sections<S: Scalar>(
        &self,
        turn: &SectionTurn,
        eta: &[S],
        rate: &[S],
        influence: &mut [Spatial<S>],
        slide: &Translation<S>,
    ) -> AttachmentState<S> {
        let Turned { theta, rate, convective } = turn.evaluate(&self.shape, eta, rate, influence);
        let x = dot(&theta, &theta);
        let e = exp_coefficients(x);
        for column in influence.iter_mut() {
            let spin = jacobian_times(&theta, &angular(column), e.b, e.c);
            column[..3].copy_from_slice(&spin);
        }
        let turning = jacobian_times(&theta, &rate, e.b, e.c);
        let carried = jacobian_times(&theta, &convective, e.b, e.c);
        let spin_bias = add(&jacobian_rate(&theta, &rate, x, &e), &carried);
        AttachmentState {
            rotation: crate::spatial::rotation_from(&theta, e.a, e.b),
            position: slide.position,
            rate: join(&turning, &slide.rate),
            convective: join(&spin_bias, &slide.convective),
        }
    }

    /// [`Attachment::exact_state`] of a point whose rotation vector is linear in the modes.
    #[inline(always)]
    fn turned_by_slopes<S: Scalar>(
        &self,
        eta: &[S],
        rate: &[S],
        influence: &mut [Spatial<S>],
        slide: &Translation<S>,
    ) -> AttachmentState<S> {
        let shape = &self.shape;
        let theta = combine(&shape.slopes, eta);
        let theta_rate = combine(&shape.slopes, rate);
        let x = dot(&theta, &theta);
        let e = exp_coefficients(x);
        for (column, slope) in influence.iter_mut().zip(&shape.slopes) {
            let spin = jacobian_times(&theta, &lift3(slope), e.b, e.c);
            column[..3].copy_from_slice(&spin);
        }
        let turning = jacobian_times(&theta, &theta_rate, e.b, e.c);
        let spin_bias = jacobian_rate(&theta, &theta_rate, x, &e);
        AttachmentState {
            rotation: crate::spatial::rotation_from(&theta, e.a, e.b),
            position: slide.position,
            rate: join(&turning, &slide.rate),
            convective: join(&spin_bias, &slide.convective),
        }
    }
}

/// The translational part of an attachment.
struct Translation<S> {
    position: Vector3<S>,
    rate: Vector3<S>,
    convective: Vector3<S>,
}

/// Jl v = v + b θ×v + c θ×(θ×v).
#[inline(always)]
fn jacobian_times<S: Scalar>(theta: &Vector3<S>, v: &Vector3<S>, b: S, c: S) -> Vector3<S> {
    let first = cross(theta, v);
    let second = cross(theta, &first);
    std::array::from_fn(|i| v[i] + b * first[i] + c * second[i])
}

/// s = (dJl/dt) θ̇ = ḃ θ×θ̇ + ċ θ×(θ×θ̇) + c θ̇×(θ×θ̇).
#[inline(always)]
fn jacobian_rate<S: Scalar>(
    theta: &Vector3<S>,
    rate: &Vector3<S>,
    x: S,
    e: &crate::spatial::ExpCoefficients<S>,
) -> Vector3<S> {
    let (b_slope, c_slope) = left_jacobian_coefficient_rates(x, e);
    let x_rate = dot(theta, rate) * 2.0;
    let first = cross(theta, rate);
    let second = cross(theta, &first);
    let third = cross(rate, &first);
    std::array::from_fn(|i| x_rate * b_slope * first[i] + x_rate * c_slope * second[i] + e.c * third[i])
}
