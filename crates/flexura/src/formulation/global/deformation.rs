//! How a point of a flexible body and the directions fixed to it move with the modes.
//!
//! With θ = λη (and more in beams that bend far) the point sits at l = l₀ + γη + ½ η*Γ₂η in the frame of its body,
//! and a direction d fixed to it turns to exp(θ~) d; Λ_r = Jl λ_r is its rotation
//! rate per modal rate, Jl the left Jacobian of the exponential. `Linearised`
//! replaces exp by 1 + θ~ (Cuadrado et al. 2001): unit vectors then stretch at
//! second order in the slopes.

use crate::model::body::{NodeShape, SectionTurn};
use crate::spatial::{
    Matrix3, Vector3, add, axpy, cross, dot, exp_coefficients, identity3, left_jacobian_coefficient_rates,
    matrix_vector, rotation_from, skew,
};

/// How unit vectors on flexible bodies follow the slopes of the modes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum VectorRule {
    /// Finite rotation.
    #[default]
    Exact,
    /// First order in the slopes, as published.
    Linearised,
}

/// Motion of one point, in components of the body frame.
#[derive(Clone, Debug)]
pub(super) struct Deformation {
    /// l (m).
    pub position: Vector3,
    /// ∂l/∂η_r.
    pub slides: Vec<Vector3>,
    /// l̇ (m/s).
    pub slide: Vector3,
    /// l̈ at η̈ = 0 (m/s²).
    pub slide_bias: Vector3,
    /// Rotation of directions fixed to the point.
    pub rotation: Matrix3,
    /// Λ_r, or λ_r where linearised.
    pub turns: Vec<Vector3>,
    /// Angular velocity relative to the body frame (rad/s).
    pub spin: Vector3,
    /// Angular acceleration at η̈ = 0 (rad/s²).
    pub spin_bias: Vector3,
    rule: VectorRule,
}

/// A local vector carried by the deformation, with its rates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub value: Vector3,
    pub rate: Vector3,
    pub bias: Vector3,
}

impl Deformation {
    /// Room for a point with `modes` modes.
    pub fn new(modes: usize, rule: VectorRule) -> Self {
        Self {
            position: [0.0; 3],
            slides: vec![[0.0; 3]; modes],
            slide: [0.0; 3],
            slide_bias: [0.0; 3],
            rotation: identity3(),
            turns: vec![[0.0; 3]; modes],
            spin: [0.0; 3],
            spin_bias: [0.0; 3],
            rule,
        }
    }

    /// Fills everything for `shape` at modal coordinates `eta` and rates `rate`.
    pub fn evaluate(&mut self, shape: &NodeShape, eta: &[f64], rate: &[f64]) {
        self.translate(shape, eta, rate);
        let (mut theta, mut theta_rate) = ([0.0; 3], [0.0; 3]);
        for (r, slope) in shape.slopes.iter().enumerate() {
            axpy(&mut theta, eta[r], slope);
            axpy(&mut theta_rate, rate[r], slope);
        }
        match self.rule {
            VectorRule::Exact => {
                self.turns.copy_from_slice(&shape.slopes);
                let mut second = [0.0; 3];
                if let Some(turn) = &shape.turn {
                    self.turn_further(turn, eta, rate, [&mut theta, &mut theta_rate, &mut second]);
                }
                self.rotate(&theta, &theta_rate, &second);
            }
            VectorRule::Linearised => {
                let step = skew(&theta);
                self.rotation = identity3();
                for i in 0..3 {
                    self.rotation[i] = add(&self.rotation[i], &step[i]);
                }
                self.turns.copy_from_slice(&shape.slopes);
                self.spin = theta_rate;
                self.spin_bias = [0.0; 3];
            }
        }
    }

    fn translate(&mut self, shape: &NodeShape, eta: &[f64], rate: &[f64]) {
        let n = eta.len();
        self.position = shape.position;
        (self.slide, self.slide_bias) = ([0.0; 3], [0.0; 3]);
        self.slides.copy_from_slice(&shape.translations);
        for r in 0..n {
            axpy(&mut self.position, eta[r], &shape.translations[r]);
        }
        if !shape.quadratic.is_empty() {
            for r in 0..n {
                for s in 0..n {
                    let bend = &shape.quadratic[r * n + s];
                    axpy(&mut self.slides[r], eta[s], bend);
                    axpy(&mut self.position, 0.5 * eta[r] * eta[s], bend);
                    axpy(&mut self.slide_bias, rate[r] * rate[s], bend);
                }
            }
        }
        for r in 0..n {
            axpy(&mut self.slide, rate[r], &self.slides[r]);
        }
    }

    /// Sections of beams that bend far: with u = λη (in `angle`), w = |u_y, u_z|² and Λ₂ the rotation vector is
    /// θ = u + ½η*Λ₂η + w/6 (0, u_y, u_z); `turns` become ∂θ/∂η_r, and `second` θ̈ at η̈ = 0.
    fn turn_further(
        &mut self,
        turn: &SectionTurn,
        eta: &[f64],
        rate: &[f64],
        [angle, angle_rate, second]: [&mut Vector3; 3],
    ) {
        let (n, u, du) = (eta.len(), *angle, *angle_rate);
        let [w, dw, ddw] = [
            u[1] * u[1] + u[2] * u[2],
            2.0 * (u[1] * du[1] + u[2] * du[2]),
            2.0 * (du[1] * du[1] + du[2] * du[2]),
        ];
        // Of the third order: a sixth, or nothing where it is left out.
        let share = if turn.cubic { 1.0 / 6.0 } else { 0.0 };
        for i in 1..3 {
            angle[i] += w * u[i] * share;
            angle_rate[i] += (w * du[i] + dw * u[i]) * share;
            second[i] += (2.0 * dw * du[i] + ddw * u[i]) * share;
        }
        for r in 0..n {
            let slope = self.turns[r];
            let grows = 2.0 * (u[1] * slope[1] + u[2] * slope[2]);
            for i in 1..3 {
                self.turns[r][i] += (w * slope[i] + grows * u[i]) * share;
            }
        }
        for (place, term) in turn.quadratic.iter().enumerate() {
            let (r, s) = (place / n, place % n);
            axpy(angle, 0.5 * eta[r] * eta[s], term);
            axpy(angle_rate, rate[r] * eta[s], term);
            axpy(second, rate[r] * rate[s], term);
            axpy(&mut self.turns[r], eta[s], term);
        }
    }

    /// exp(θ~), Jl ∂θ/∂η_r, Jl θ̇ and (dJl/dt) θ̇ + Jl θ̈₀.
    fn rotate(&mut self, theta: &Vector3, rate: &Vector3, second: &Vector3) {
        let x = dot(theta, theta);
        let e = exp_coefficients(x);
        let jacobian = |v: &Vector3| -> Vector3 {
            let once = cross(theta, v);
            let twice = cross(theta, &once);
            std::array::from_fn(|i| v[i] + e.b * once[i] + e.c * twice[i])
        };
        self.rotation = rotation_from(theta, e.a, e.b);
        for turn in &mut self.turns {
            *turn = jacobian(turn);
        }
        let carried = jacobian(second);
        self.spin = jacobian(rate);
        let (db, dc) = left_jacobian_coefficient_rates(x, &e);
        let growth = 2.0 * dot(theta, rate);
        let once = cross(theta, rate);
        let (twice, mixed) = (cross(theta, &once), cross(rate, &once));
        self.spin_bias =
            std::array::from_fn(|i| carried[i] + growth * (db * once[i] + dc * twice[i]) + e.c * mixed[i]);
    }

    /// The direction or arm `local` fixed to the point, with rates.
    pub fn carry(&self, local: &Vector3) -> Carried {
        let value = matrix_vector(&self.rotation, local);
        match self.rule {
            VectorRule::Exact => {
                let rate = cross(&self.spin, &value);
                let bias = add(&cross(&self.spin_bias, &value), &cross(&self.spin, &rate));
                Carried { value, rate, bias }
            }
            VectorRule::Linearised => Carried { value, rate: cross(&self.spin, local), bias: [0.0; 3] },
        }
    }

    /// Derivative by η_r of what [`Deformation::carry`] gives for `local` with the value `carried`.
    pub fn carried_slope(&self, r: usize, local: &Vector3, carried: &Vector3) -> Vector3 {
        match self.rule {
            VectorRule::Exact => cross(&self.turns[r], carried),
            VectorRule::Linearised => cross(&self.turns[r], local),
        }
    }

    /// A frame origin at `local` from the point: position, rate and bias.
    pub fn arm(&self, local: &Vector3) -> Carried {
        let carried = self.carry(local);
        Carried {
            value: add(&self.position, &carried.value),
            rate: add(&self.slide, &carried.rate),
            bias: add(&self.slide_bias, &carried.bias),
        }
    }

    /// Derivative by η_r of [`Deformation::arm`].
    pub fn arm_slope(&self, r: usize, local: &Vector3) -> Vector3 {
        let carried = matrix_vector(&self.rotation, local);
        add(&self.slides[r], &self.carried_slope(r, local, &carried))
    }

    /// The symmetric matrix `m` turned with the point.
    pub fn turned(&self, m: &Matrix3) -> Matrix3 {
        let half = crate::spatial::matrix_product(&self.rotation, m);
        crate::spatial::matrix_product_transposed(&half, &self.rotation)
    }

    /// Ṁ of [`Deformation::turned`] for the current spin.
    pub fn turned_rate(&self, turned: &Matrix3) -> Matrix3 {
        let left = crate::spatial::matrix_product(&skew(&self.spin), turned);
        std::array::from_fn(|i| std::array::from_fn(|j| left[i][j] + left[j][i]))
    }
}
