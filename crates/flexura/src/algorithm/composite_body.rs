//! Mass matrix by composite bodies and forward dynamics by Cholesky.
//!
//! Source: JPL 90-26 eqs 5.1-5.5, A.1 over trees, for the mass matrix and bias of JPL 90-26 eqs 3.42-3.45. R(k) is the composite inertia; each
//! column X = R H* travels to the base and is projected on every joint and mode
//! on its way. M χ̇ + h = T is then solved for the free speeds. Cost O(𝒩² depth)
//! for the matrix and O(𝒩³) for the factorisation, memory 8 𝒩² bytes.
//!
//! Typeset: book/src/theory/composite_body.md (CB.1) to (CB.4).

use super::body_inertia::BodyInertias;
use super::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use super::transfer::carrier;
use crate::error::DynamicsError;
use crate::linear::{cholesky_in_place, solve_lower, solve_lower_transposed};
use crate::model::{Model, layout_of};
use crate::motion::kinematics::Kinematics;
use crate::scalar::Scalar;
use crate::spatial::{Spatial, SymmetricSpatial, add6, dot6, rotate6, shift_force};
use crate::state::Load;

/// Largest mass matrix built, in speeds (8 000² × 8 bytes = 512 MB).
#[doc(hidden)]
pub const LARGEST_SPEED_COUNT: usize = 8_000;

/// Mass matrix, scratch and solution of the composite-body method.
#[derive(Clone, Debug)]
pub struct CompositeBody<S = f64> {
    /// Mass matrix, row-major over all speeds.
    pub mass: Vec<S>,
    /// Generalised accelerations.
    pub chidot: Vec<S>,
    /// Driving force of each prescribed speed; zero elsewhere.
    pub driving: Vec<S>,
    composite: CompositeInertias<S>,
    factor: Vec<S>,
    right: Vec<S>,
    free: Vec<usize>,
    inverse: InverseDynamics<S>,
}

/// What each body shows at its frame with everything it carries held.
#[derive(Clone, Debug)]
pub(crate) struct CompositeInertias<S = f64> {
    rigid: Vec<SymmetricSpatial<S>>,
    coupling: Vec<Spatial<S>>,
    modal: Vec<S>,
    columns: Vec<Spatial<S>>,
}

impl<S: Scalar> CompositeInertias<S> {
    /// Scratch for `model`.
    pub fn new(model: &Model) -> Self {
        let widest = model.layout.bodies.iter().map(|part| part.modes + part.joint_v).max().unwrap_or(0);
        Self {
            rigid: vec![SymmetricSpatial::ZERO; model.body_count()],
            coupling: vec![[S::ZERO; 6]; model.layout.modal],
            modal: vec![S::ZERO; model.layout.modal_square],
            columns: vec![[S::ZERO; 6]; widest],
        }
    }
}

impl<S: Scalar> CompositeBody<S> {
    /// Scratch for `model`; refused when the matrix would exceed the stated size.
    pub fn new(model: &Model) -> Result<Self, DynamicsError> {
        let n = model.speed_count();
        if n > LARGEST_SPEED_COUNT {
            return Err(DynamicsError::TooLargeForComposite { speeds: n, limit: LARGEST_SPEED_COUNT });
        }
        Ok(Self {
            mass: vec![S::ZERO; n * n],
            chidot: vec![S::ZERO; n],
            driving: vec![S::ZERO; n],
            composite: CompositeInertias::new(model),
            factor: vec![S::ZERO; n * n],
            right: vec![S::ZERO; n],
            free: Vec::with_capacity(n),
            inverse: InverseDynamics::new(model),
        })
    }
}

/// Fills `out.mass` (eq. 5.5).
pub fn mass_matrix<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    out: &mut CompositeBody<S>,
) {
    let size = model.speed_count();
    let mass = &mut out.mass;
    mass_entries(model, kin, inertias, &mut out.composite, |row, column, value| {
        mass[row * size + column] = value;
        mass[column * size + row] = value;
    });
}

/// Hands every entry of the mass matrix that can differ from zero to `entry` once (row, column, value); the
/// order depends on the model only.
pub(crate) fn mass_entries<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    out: &mut CompositeInertias<S>,
    mut entry: impl FnMut(usize, usize, S),
) {
    accumulate_inertias(model, kin, inertias, out);
    for k in 0..model.body_count() {
        spread_columns(model, kin, k, out, &mut entry);
    }
}

/// R(k) = Σ children A Γ A* + M_m, tip to base; of the modal blocks the lower triangle.
///
/// With joints and modes held, what hangs on a point is one rigid body: R_rr and Γ are
/// given by mass, mass moment and inertia.
#[doc(hidden)]
pub fn composite_inertias<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    out: &mut CompositeBody<S>,
) {
    accumulate_inertias(model, kin, inertias, &mut out.composite);
}

pub(super) fn accumulate_inertias<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    out: &mut CompositeInertias<S>,
) {
    out.rigid.copy_from_slice(&inertias.rigid);
    out.coupling.copy_from_slice(&inertias.coupling);
    out.modal.copy_from_slice(&inertias.modal);
    for k in (0..model.body_count()).rev() {
        let Some(carrier) = carrier(model, kin, k) else { continue };
        let body = &kin.bodies[k];
        let turned = out.rigid[k].rotated_as_rigid(&body.rotation);
        if carrier.influence.is_empty() {
            out.rigid[carrier.body].accumulate_rigid(&turned.shifted_as_rigid(&body.from_parent));
            continue;
        }
        let gamma = turned.shifted_as_rigid(&body.from_node);
        let part = layout_of(model, carrier.body);
        let n = part.modes;
        for r in 0..n {
            let force = gamma.apply_as_rigid(&carrier.influence[r]);
            let at_frame = carrier.lever.map_or(force, |l| shift_force(&l, &force));
            out.coupling[part.modal + r] = add6(&out.coupling[part.modal + r], &at_frame);
            for s in 0..=r {
                out.modal[part.modal_square + r * n + s] += dot6(&carrier.influence[s], &force);
            }
        }
        out.rigid[carrier.body].accumulate_rigid(&turned.shifted_as_rigid(&body.from_parent));
    }
}

/// Lower triangle of the diagonal block of body `k`; leaves its columns at its frame.
pub(super) fn diagonal_block<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    k: usize,
    out: &mut CompositeInertias<S>,
    entry: &mut impl FnMut(usize, usize, S),
) {
    let part = *layout_of(model, k);
    let (n, width) = (part.modes, part.modes + part.joint_v);
    for r in 0..n {
        out.columns[r] = out.coupling[part.modal + r];
    }
    for (i, h) in kin.subspace[part.joint()].iter().enumerate() {
        out.columns[n + i] = out.rigid[k].apply_as_rigid(h);
    }
    // Modal-modal, joint-modal, joint-joint.
    for a in 0..width {
        for b in 0..=a {
            let value = if a < n {
                out.modal[part.modal_square + a * n + b]
            } else {
                dot6(&kin.subspace[part.joint + a - n], &out.columns[b])
            };
            entry(part.v + a, part.v + b, value);
        }
    }
}

/// Diagonal block of body `k`, then its columns along the path to the base.
fn spread_columns<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    k: usize,
    out: &mut CompositeInertias<S>,
    entry: &mut impl FnMut(usize, usize, S),
) {
    diagonal_block(model, kin, k, out, entry);
    let part = *layout_of(model, k);
    let width = part.modes + part.joint_v;
    // X(j) = Φ(j, j−1) X(j−1)
    let mut child = k;
    while let Some(carrier) = carrier(model, kin, child) {
        let body = &kin.bodies[child];
        let parent = layout_of(model, carrier.body);
        for b in 0..width {
            let turned = rotate6(&body.rotation, &out.columns[b]);
            let at_point = shift_force(&body.from_node, &turned);
            for r in 0..parent.modes {
                let value = if carrier.influence.is_empty() {
                    S::ZERO
                } else {
                    dot6(&carrier.influence[r], &at_point)
                };
                entry(part.v + b, parent.v + r, value);
            }
            let at_frame = carrier.lever.map_or(at_point, |l| shift_force(&l, &at_point));
            out.columns[b] = at_frame;
            for (i, h) in kin.subspace[parent.joint()].iter().enumerate() {
                let value = dot6(h, &at_frame);
                entry(part.v + b, parent.v + parent.modes + i, value);
            }
        }
        child = carrier.body;
    }
}

/// Accelerations of the free speeds and driving forces of the prescribed ones.
pub fn composite_body<S: Scalar>(
    model: &Model,
    kin: &Kinematics<S>,
    inertias: &BodyInertias<S>,
    load: &Load<S>,
    out: &mut CompositeBody<S>,
) -> Result<(), DynamicsError> {
    mass_matrix(model, kin, inertias, out);
    let size = model.speed_count();
    // Bias with the prescribed accelerations in place: right = T − h − M_p χ̇_p.
    for i in 0..size {
        out.chidot[i] = if load.prescribed[i] { load.acceleration[i] } else { S::ZERO };
    }
    inverse_dynamics(model, kin, inertias, &out.chidot, &load.wrench, Terms::All, &mut out.inverse);
    out.free.clear();
    out.free.extend((0..size).filter(|&i| !load.prescribed[i]));
    let n = out.free.len();
    for a in 0..n {
        out.right[a] = load.generalized[out.free[a]] - out.inverse.generalized[out.free[a]];
        for b in 0..=a {
            out.factor[a * n + b] = out.mass[out.free[a] * size + out.free[b]];
        }
    }
    cholesky_in_place(&mut out.factor[..n * n], n).map_err(|pivot| singular(model, out.free[pivot]))?;
    solve_lower(&out.factor, n, &mut out.right[..n]);
    solve_lower_transposed(&out.factor, n, &mut out.right[..n]);
    for a in 0..n {
        out.chidot[out.free[a]] = out.right[a];
    }
    driving_forces(load, size, out);
    Ok(())
}

/// τ_p = (M χ̇ + h)_p − T_p.
fn driving_forces<S: Scalar>(load: &Load<S>, size: usize, out: &mut CompositeBody<S>) {
    for i in 0..size {
        out.driving[i] = S::ZERO;
        if load.prescribed[i] {
            let mut sum = out.inverse.generalized[i] - load.generalized[i];
            for &j in &out.free {
                sum += out.mass[i * size + j] * out.chidot[j];
            }
            out.driving[i] = sum;
        }
    }
}

/// The error for a mass matrix that is not positive definite at speed `index`.
pub(crate) fn singular(model: &Model, index: usize) -> DynamicsError {
    let body = model.layout.bodies.partition_point(|part| part.v <= index).saturating_sub(1);
    let part = &model.layout.bodies[body];
    let local = index - part.v;
    let (name, joint) = (model.bodies[body].name.clone(), model.joints[body].name.clone());
    if local < part.modes {
        DynamicsError::ModalMassLost { body: name, mode: local + 1 }
    } else if part.modes > 0 {
        DynamicsError::InertiaLost { joint, body: name }
    } else {
        DynamicsError::SingularJoint { joint, body: name }
    }
}
