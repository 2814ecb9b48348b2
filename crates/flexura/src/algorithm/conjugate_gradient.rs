//! Forward dynamics by conjugate gradients: M x by inverse dynamics, without a matrix.
//!
//! Source: JPL 90-26, section 10, names the method as a consequence of the operator form: M x is the Newton-Euler recursion with
//! its velocity terms left out (eqs 3.42-3.45, 4.1-4.2). The iteration is that of M. R. Hestenes and E. Stiefel, J. Res. Nat. Bur.
//! Standards 49 (1952) 409, with a preconditioner B. M_ff χ̇_f = T_f − h_f − M_fp χ̇_p is solved for the free speeds;
//!
//! | symbol | meaning |
//! |---|---|
//! | r | residual T − h − M χ̇ of the free speeds, zero at prescribed ones |
//! | B | blocks of M of each body's modes and joint, all it carries held (composite inertias); Cholesky factors |
//! | z | B⁻¹ r |
//! | p | direction of the next step |
//!
//! Iterations start from zero, so that a result depends on the state alone, and end where |r| ≤ ε (|T − h| + |B χ̇|) in the norm of
//! B⁻¹, that is at the rounding of one product, confirmed by a residual computed anew. Cost O(N n²) per iteration beside one
//! kinematics; as many iterations as M seen by B has distinct eigenvalues, more by rounding: few for a short arm, many for a
//! long chain.
//!
//! Typeset: book/src/theory/conjugate_gradient.md (CG.1) to (CG.3).

use super::body_inertia::BodyInertias;
use super::composite_body::{CompositeInertias, accumulate_inertias, diagonal_block, singular};
use super::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use crate::error::DynamicsError;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::{Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::state::Load;

/// Where iterations end, as a share: some roundings of a product.
const TOLERANCE: f64 = 1e-14;

/// What a residual computed anew may exceed that by.
const CONFIRMED: f64 = 10.0;

/// Iterations per free speed, and at least, before the method is given up.
const PER_SPEED: usize = 20;
const AT_LEAST: usize = 100;

/// Scratch and solution of conjugate gradients.
#[derive(Clone, Debug)]
pub struct ConjugateGradient<S = f64> {
    /// Generalised accelerations.
    pub chidot: Vec<S>,
    /// Driving force of each prescribed speed; zero elsewhere.
    pub driving: Vec<S>,
    /// Iterations of the last solution.
    pub iterations: usize,
    /// Bodies' accelerations and joint forces of the solution.
    pub inverse: InverseDynamics<S>,
    composite: CompositeInertias<S>,
    /// Cholesky factors of B, row-major, one body after the other.
    factors: Vec<S>,
    /// T − h − M_fp χ̇_p.
    right: Vec<S>,
    residual: Vec<S>,
    conditioned: Vec<S>,
    direction: Vec<S>,
}

impl<S: Scalar> ConjugateGradient<S> {
    /// Scratch for `model`: linear in its bodies.
    pub fn new(model: &Model) -> Self {
        let speeds = || vec![S::ZERO; model.speed_count()];
        let squares = model.layout.bodies.iter().map(|part| part.speeds().len().pow(2)).sum();
        Self {
            chidot: speeds(),
            driving: speeds(),
            iterations: 0,
            inverse: InverseDynamics::new(model),
            composite: CompositeInertias::new(model),
            factors: vec![S::ZERO; squares],
            right: speeds(),
            residual: speeds(),
            conditioned: speeds(),
            direction: speeds(),
        }
    }
}

/// Accelerations of the free speeds and driving forces of the prescribed ones.
pub fn conjugate_gradient<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    out: &mut ConjugateGradient<S>,
) -> Result<(), DynamicsError> {
    precondition(model, kin, inertias, load, out)?;
    for (i, slot) in out.chidot.iter_mut().enumerate() {
        *slot = if load.prescribed[i] { load.acceleration[i] } else { S::ZERO };
    }
    inverse_dynamics(model, kin, inertias, &out.chidot, &load.wrench, Terms::All, &mut out.inverse);
    for (i, slot) in out.right.iter_mut().enumerate() {
        *slot = if load.prescribed[i] { S::ZERO } else { load.generalized[i] - out.inverse.generalized[i] };
        // From here on χ̇ holds the free speeds alone.
        out.chidot[i] = S::ZERO;
    }
    out.residual.copy_from_slice(&out.right);
    iterate(model, kin, inertias, load, out)?;
    for (i, slot) in out.chidot.iter_mut().enumerate() {
        *slot = if load.prescribed[i] { load.acceleration[i] } else { *slot };
    }
    inverse_dynamics(model, kin, inertias, &out.chidot, &load.wrench, Terms::All, &mut out.inverse);
    for (i, slot) in out.driving.iter_mut().enumerate() {
        let needed = out.inverse.generalized[i] - load.generalized[i];
        *slot = if load.prescribed[i] { needed } else { S::ZERO };
    }
    Ok(())
}

/// Factors of B; prescribed speeds have a one on the diagonal and nothing beside it.
fn precondition<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    out: &mut ConjugateGradient<S>,
) -> Result<(), DynamicsError> {
    accumulate_inertias(model, kin, inertias, &mut out.composite);
    let mut start = 0;
    for k in 0..model.body_count() {
        let speeds = layout_of(model, k).speeds();
        let (n, first) = (speeds.len(), speeds.start);
        let block = &mut out.factors[start..start + n * n];
        diagonal_block(model, kin, k, &mut out.composite, &mut |row, column, value| {
            let held = load.prescribed[row] || load.prescribed[column];
            let unit = if row == column { S::ONE } else { S::ZERO };
            block[(row - first) * n + column - first] = if held { unit } else { value };
        });
        cholesky_in_place(block, n).map_err(|pivot| singular(model, first + pivot))?;
        start += n * n;
    }
    Ok(())
}

/// Steps until the residual is that of rounding, and is so when computed anew.
fn iterate<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    out: &mut ConjugateGradient<S>,
) -> Result<(), DynamicsError> {
    let free = load.prescribed.iter().filter(|&&prescribed| !prescribed).count();
    let limit = AT_LEAST + PER_SPEED * free;
    out.iterations = 0;
    let first = apply_factors(model, out);
    let mut square = first;
    out.direction.copy_from_slice(&out.conditioned);
    loop {
        let small = |share: f64, size: f64| share * share * (first.value() + size);
        if square.value() <= small(TOLERANCE, size_of(model, out)) {
            renew_residual(model, kin, inertias, load, out);
            square = apply_factors(model, out);
            if square.value() <= small(CONFIRMED * TOLERANCE, size_of(model, out)) {
                return Ok(());
            }
            out.direction.copy_from_slice(&out.conditioned);
        }
        if !square.value().is_finite() {
            // What is not finite is named where all accelerations are judged.
            out.chidot.copy_from_slice(&out.conditioned);
            return Ok(());
        }
        if out.iterations >= limit {
            let left = (square.value() / (first.value() + size_of(model, out))).sqrt();
            return Err(DynamicsError::GradientsStalled { iterations: out.iterations, left });
        }
        square = step(model, kin, inertias, load, square, out);
        out.iterations += 1;
    }
}

/// One step along the direction, and the next direction; the new r·z.
fn step<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    square: S,
    out: &mut ConjugateGradient<S>,
) -> S {
    inverse_dynamics(model, kin, inertias, &out.direction, &load.wrench, Terms::MassOnly, &mut out.inverse);
    let product = &out.inverse.generalized;
    let along = out.direction.iter().zip(product).fold(S::ZERO, |sum, (&p, &mp)| sum + p * mp);
    let length = square / along;
    for i in 0..product.len() {
        out.chidot[i] += length * out.direction[i];
        if !load.prescribed[i] {
            out.residual[i] -= length * product[i];
        }
    }
    let next = apply_factors(model, out);
    let share = next / square;
    for (p, &z) in out.direction.iter_mut().zip(&out.conditioned) {
        *p = z + share * *p;
    }
    next
}

/// z = B⁻¹ r; returns r·z.
fn apply_factors<S: Scalar>(model: &Model, out: &mut ConjugateGradient<S>) -> S {
    out.conditioned.copy_from_slice(&out.residual);
    let mut start = 0;
    for part in &model.layout.bodies {
        let n = part.speeds().len();
        let (factor, slot) = (&out.factors[start..start + n * n], &mut out.conditioned[part.speeds()]);
        solve_lower(factor, n, slot);
        solve_lower_transposed(factor, n, slot);
        start += n * n;
    }
    out.residual.iter().zip(&out.conditioned).fold(S::ZERO, |sum, (&r, &z)| sum + r * z)
}

/// χ̇·B χ̇ by the factors: what the rounding of a product is a share of.
fn size_of<S: Scalar>(model: &Model, out: &ConjugateGradient<S>) -> f64 {
    let (mut start, mut sum) = (0, 0.0);
    for part in &model.layout.bodies {
        let (n, x) = (part.speeds().len(), &out.chidot[part.speeds()]);
        for column in 0..n {
            let entry = |row: usize| out.factors[start + row * n + column].value() * x[row].value();
            sum += (column..n).map(entry).sum::<f64>().powi(2);
        }
        start += n * n;
    }
    sum
}

/// r = T − h − M χ̇ computed anew.
fn renew_residual<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    out: &mut ConjugateGradient<S>,
) {
    let (x, wrench) = (&out.chidot, &load.wrench);
    inverse_dynamics(model, kin, inertias, x, wrench, Terms::MassOnly, &mut out.inverse);
    for (i, slot) in out.residual.iter_mut().enumerate() {
        let product = out.inverse.generalized[i];
        *slot = if load.prescribed[i] { S::ZERO } else { out.right[i] - product };
    }
}
