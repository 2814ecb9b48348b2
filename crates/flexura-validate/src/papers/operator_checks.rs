//! Checks of JPL 90-26: what sweeps of the engine give against the report's operators multiplied out.

use super::Finding;
use super::checks::{Found, ROUNDING, finding, mass};
use super::models::{apart, arm};
use super::operators::{Matrix, Operators, Vector};
use crate::context::Fault;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::spatial::{add6, matrix_vector, scale6};
use flexura::{Model, State, Workspace};

pub(super) fn at(level: &str) -> Result<(Model, State, Operators, Workspace), Fault> {
    let (model, state) = arm(level)?;
    let (all, work) = Operators::at(&model, &state)?;
    Ok((model, state, all, work))
}

/// Entries row by row.
pub(super) fn rows(matrix: &Matrix) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

pub(super) fn differ(found: &Matrix, expected: &Matrix) -> f64 {
    apart(found.as_slice(), expected.as_slice())
}

pub(super) fn coordinates_are_modes_then_hinge() -> Found {
    let (model, state, all, _) = at("gram")?;
    // Body by body and without gaps: ϑ = col{η, θ}, χ = col{η̇, β}.
    let mut wrong = 0;
    let (mut q, mut v) = (0, 0);
    for (k, part) in model.layout.bodies.iter().enumerate() {
        wrong += usize::from(part.modal_q().start != q || part.modal_v().start != v);
        wrong +=
            usize::from(part.joint_q().start != part.modal_q().end || part.modal_v().len() != all.modes[k]);
        (q, v) = (part.joint_q().end, part.joint_v().end);
    }
    wrong += usize::from(q != state.q.len() || v != state.v.len());
    Ok(vec![finding("bodies whose coordinates do not follow those before them", wrong as f64, 0.0)])
}

pub(super) fn velocities_are_the_operator_product() -> Found {
    let (model, state, all, work) = at("gram")?;
    let wide = all.chain.transpose() * all.joint.transpose() * Vector::from_column_slice(&state.v);
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    for k in 0..model.body_count() {
        let part = &model.layout.bodies[k];
        let mut hinge = work.motion.poses.velocity[k];
        // V_R = V(k) + φ*(d, k) Π^d η̇ (errata A1).
        for (column, rate) in
            work.motion.kinematics.inboard[part.modal()].iter().zip(&state.v[part.modal_v()])
        {
            hinge = add6(&hinge, &scale6(*rate, column));
        }
        found.extend(all.frame(&wide, k));
        expected.extend(hinge);
    }
    // (3.7): the velocity of an attachment, from that of its body.
    let tip = &model.frames[model.frame("upper.tip").ok_or_else(|| Fault("no frame".into()))?.0];
    let motion = work.motion.frame(&model, &state, tip);
    let point =
        &work.motion.kinematics.attachments[model.layout.bodies[0].attachment + tip.mount.attachment].state;
    let node = add6(&flexura::spatial::shift_motion(&point.position, &all.frame(&wide, 0)), &point.rate);
    let world = &work.motion.poses.rotation[0];
    let turned: Vec<f64> = [[node[0], node[1], node[2]], [node[3], node[4], node[5]]]
        .iter()
        .flat_map(|half| matrix_vector(world, half))
        .collect();
    let power = (0..model.body_count())
        .fold(Matrix::identity(all.mass.nrows(), all.mass.nrows()), |p, _| p * &all.step);
    Ok(vec![
        finding("V_m = Φ* H* χ against velocities passed outward", apart(&found, &expected), 1e-13),
        finding(
            "velocity of a tip from φ* V + Π η̇ against the frame there",
            apart(&turned, &motion.velocity),
            1e-13,
        ),
        finding("E_Φ to the power of the number of bodies", power.amax(), 0.0),
    ])
}

pub(super) fn accelerations_are_the_operator_product() -> Found {
    let (model, _, all, work) = at("gram")?;
    let chidot = Vector::from_column_slice(&work.accelerations.chidot);
    let wide = all.chain.transpose() * (all.joint.transpose() * chidot + &all.bias);
    let found: Vec<f64> = (0..model.body_count()).flat_map(|k| all.frame(&wide, k)).collect();
    let expected: Vec<f64> = work.accelerations.acceleration.iter().flatten().copied().collect();
    Ok(vec![finding(
        "α_m = Φ*(H* χ̇ + a_m) against accelerations passed outward",
        apart(&found, &expected),
        1e-12,
    )])
}

pub(super) fn motion_is_the_operator_product() -> Found {
    let mut list = velocities_are_the_operator_product()?;
    list.extend(accelerations_are_the_operator_product()?);
    Ok(list)
}

pub(super) fn forces_are_the_operator_product() -> Found {
    let (model, _, all, mut work) = at("gram")?;
    let chidot = Vector::from_column_slice(&work.accelerations.chidot);
    let accelerations = all.chain.transpose() * (all.joint.transpose() * chidot + &all.bias);
    let single = &all.mass * accelerations + &all.force;
    let forces = &all.chain * &single;
    work.reactions(&model);
    let found: Vec<f64> = (0..model.body_count()).flat_map(|k| all.frame(&forces, k)).collect();
    let expected: Vec<f64> = work.inverse.joint_force.iter().flatten().copied().collect();
    // (3.16): what one joint carries inward, alone.
    let crossing = &all.step * &forces;
    let passed: Vec<f64> = (0..model.body_count() - 1).flat_map(|k| all.frame(&crossing, k)).collect();
    let own = |k: usize| all.frame(&single, k);
    let known: Vec<f64> = (0..model.body_count() - 1)
        .flat_map(|k| (0..6).map(move |i| (k, i)))
        .map(|(k, i)| work.inverse.joint_force[k][i] - own(k)[i])
        .collect();
    let size = single.amax();
    let worst = (&all.joint * &forces - &all.load).amax() / size;
    Ok(vec![
        finding(
            "f_m = Φ(M_m α_m + b_m + K_m ϑ) against forces passed inward",
            apart(&found, &expected),
            1e-12,
        ),
        finding("Φ(p, k) f(k) against what the joint hands to the parent", apart(&passed, &known), 1e-11),
        finding("T = H f_m against the loads", worst, ROUNDING),
    ])
}

pub(super) fn newton_euler_factors_are_the_mass_matrix() -> Found {
    let mut list = Vec::new();
    for (level, what) in [
        ("gram", "H Φ M_m Φ* H* against the recursive mass matrix, level gram"),
        ("paper", "H Φ M_m Φ* H* against the recursive mass matrix, level paper"),
    ] {
        let (_, _, _, known) = mass(level)?;
        let (.., all, _) = at(level)?;
        list.push(finding(what, apart(&rows(&all.system_mass()), &known), 1e-13));
    }
    let (model, _, all, work) = at("gram")?;
    let coriolis = &all.joint * &all.chain * (&all.mass * all.chain.transpose() * &all.bias + &all.force);
    let mut inverse = InverseDynamics::new(&model);
    let (still, kin) = (vec![0.0; model.speed_count()], &work.motion.kinematics);
    inverse_dynamics(&model, kin, &work.inertias, &still, &work.load.wrench, Terms::All, &mut inverse);
    list.push(finding(
        "C = H Φ(M_m Φ* a_m + b_m + K_m ϑ) against inverse dynamics without accelerations",
        apart(coriolis.as_slice(), &inverse.generalized),
        1e-12,
    ));
    let dense =
        all.system_mass().cholesky().ok_or_else(|| Fault("singular".into()))?.solve(&(&all.load - coriolis));
    let mut composite = CompositeBody::new(&model)?;
    composite_body(&model, kin, &work.inertias, &work.load, &mut composite)?;
    let value = apart(&composite.chidot, dense.as_slice());
    list.push(finding("accelerations by composite bodies against ℳ⁻¹(T − C)", value, ROUNDING));
    Ok(list)
}

/// R (5.2), block diagonal; the arm is a chain.
fn composite(all: &Operators) -> Matrix {
    let mut inertia = Matrix::zeros(all.mass.nrows(), all.mass.ncols());
    for k in (0..all.rows.len()).rev() {
        let mut own = all.block(&all.mass, k, k);
        if k + 1 < all.rows.len() {
            let carried = all.block(&all.step, k, k + 1);
            own += &carried * all.block(&inertia, k + 1, k + 1) * carried.transpose();
        }
        all.put(&mut inertia, k, &own);
    }
    inertia
}

pub(super) fn composite_bodies_are_the_decomposition() -> Found {
    let (.., all, _) = at("gram")?;
    let (_, _, _, known) = mass("gram")?;
    let inertia = composite(&all);
    let strict = &all.chain - Matrix::identity(all.mass.nrows(), all.mass.nrows());
    let product = &all.chain * &all.mass * all.chain.transpose();
    let sum = &inertia + &strict * &inertia + &inertia * strict.transpose();
    let parts = &all.joint * &sum * all.joint.transpose();
    let telescoped = &inertia - &all.step * &inertia * all.step.transpose();
    Ok(vec![
        finding("H(R + Φ~R + RΦ~*)H* against the recursive mass matrix", apart(&rows(&parts), &known), 1e-13),
        finding("Φ M_m Φ* against R + Φ~R + RΦ~*", differ(&sum, &product), 1e-13),
        finding("R − E_Φ R E_Φ* against M_m", differ(&telescoped, &all.mass), 1e-11),
    ])
}

pub(super) fn stiffness_leaves_the_frame_alone() -> Found {
    let (model, state, _, work) = at("gram")?;
    let (body, part) = (&model.bodies[0], &model.layout.bodies[0]);
    let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
    let (_, bias) = body.mass_and_bias(eta, rate, &work.motion.kinematics.bodies[0].omega);
    let n = part.modes;
    let elastic: Vec<f64> =
        (0..n).map(|r| (0..n).map(|s| body.stiffness.entry(r, s, n) * eta[s]).sum()).collect();
    let found: Vec<f64> = (0..n).map(|r| work.inertias.bias_modal[part.modal + r] - bias[r]).collect();
    Ok(vec![
        finding("modal rows of an evaluation less b_m against K η", apart(&found, &elastic), 1e-10),
        Finding {
            what: "rows of the frame against those without stiffness",
            value: apart(&work.inertias.bias_rigid[0], &bias[n..]),
            limit: 1e-13,
        },
    ])
}
