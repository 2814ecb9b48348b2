//! Checks of JPL 90-26: what sweeps of the engine give against the report's operators multiplied out.

use super::Finding;
use super::checks::{Found, ROUNDING, finding, mass};
use super::models::{apart, arm};
use super::operators::{Matrix, Operators, Vector};
use crate::context::Fault;
use flexura::algorithm::composite_body::{CompositeBody, composite_body};
use flexura::algorithm::innovations::{Innovations, log_determinant, solve};
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::spatial::{add6, matrix_vector, scale6};
use flexura::{Model, State, Workspace};

fn at(level: &str) -> Result<(Model, State, Operators, Workspace), Fault> {
    let (model, state) = arm(level)?;
    let (all, work) = Operators::at(&model, &state)?;
    Ok((model, state, all, work))
}

/// Entries row by row.
pub(super) fn rows(matrix: &Matrix) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

fn differ(found: &Matrix, expected: &Matrix) -> f64 {
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

/// (6.1)-(6.3): articulated body quantities, all freedoms of a body at once.
struct Articulated {
    /// P.
    inertia: Matrix,
    /// D.
    pivot: Matrix,
    /// K = E_Φ G.
    gain: Matrix,
    /// E_Ψ = E_Φ τ̄.
    step: Matrix,
    /// Ψ.
    chain: Matrix,
}

impl Articulated {
    fn new(all: &Operators) -> Result<Self, Fault> {
        let (wide, n) = (all.mass.nrows(), all.joint.nrows());
        let mut inertia = Matrix::zeros(wide, wide);
        let mut passed = Matrix::zeros(wide, wide);
        for k in (0..all.rows.len()).rev() {
            let mut own = all.block(&all.mass, k, k);
            if k + 1 < all.rows.len() {
                let carried = all.block(&all.step, k, k + 1);
                own += &carried * all.block(&passed, k + 1, k + 1) * carried.transpose();
            }
            let joint = all.joint_of(k);
            let pivot =
                (&joint * &own * joint.transpose()).try_inverse().ok_or_else(|| Fault("singular".into()))?;
            let left = &own - &own * joint.transpose() * pivot * &joint * &own;
            all.put(&mut inertia, k, &own);
            all.put(&mut passed, k, &left);
        }
        let pivot = &all.joint * &inertia * all.joint.transpose();
        let inverse = pivot.clone().try_inverse().ok_or_else(|| Fault("singular".into()))?;
        let blind = &inertia * all.joint.transpose() * inverse;
        let step = &all.step * (Matrix::identity(wide, wide) - &blind * &all.joint);
        let chain =
            (Matrix::identity(wide, wide) - &step).try_inverse().ok_or_else(|| Fault("singular".into()))?;
        debug_assert_eq!(pivot.nrows(), n);
        Ok(Self { inertia, pivot, gain: &all.step * blind, step, chain })
    }

    fn pivot_inverse(&self) -> Result<Matrix, Fault> {
        self.pivot.clone().try_inverse().ok_or_else(|| Fault("singular".into()))
    }

    /// 1 − H Ψ K.
    fn back(&self, all: &Operators) -> Matrix {
        let n = all.joint.nrows();
        Matrix::identity(n, n) - &all.joint * &self.chain * &self.gain
    }
}

pub(super) fn innovations_are_the_operator_factors() -> Found {
    let (model, _, all, work) = at("gram")?;
    let (_, _, _, known) = mass("gram")?;
    let own = Articulated::new(&all)?;
    let n = all.joint.nrows();
    let one = Matrix::identity(n, n);
    let forth = &one + &all.joint * &all.chain * &own.gain;
    let factors = &forth * &own.pivot * forth.transpose();
    let back = own.back(&all);
    let inverse = back.transpose() * own.pivot_inverse()? * &back;
    let x: Vec<f64> = (0..n).map(|i| 0.3 + (i as f64).sin()).collect();
    let (mut scratch, mut found) = (Innovations::new(&model), vec![0.0; n]);
    solve(&model, &work.motion.kinematics, &work.articulated, &x, &mut scratch, &mut found)?;
    let expected = inverse * Vector::from_column_slice(&x);
    Ok(vec![
        finding(
            "[1 + HΦK] D [1 + HΦK]* against the recursive mass matrix",
            apart(&rows(&factors), &known),
            1e-11,
        ),
        finding("[1 + HΦK][1 − HΨK] against 1", (&forth * &back - one).amax() / forth.amax(), 1e-11),
        finding(
            "ℳ⁻¹x by sweeps against [1 − HΨK]* D⁻¹ [1 − HΨK] x",
            apart(&found, expected.as_slice()),
            1e-9,
        ),
    ])
}

pub(super) fn articulated_quantities_obey_their_identities() -> Found {
    let (model, _, all, work) = at("gram")?;
    let own = Articulated::new(&all)?;
    let wide = all.mass.nrows();
    let one = Matrix::identity(wide, wide);
    let by_psi = &own.inertia - &own.step * &own.inertia * own.step.transpose();
    let mixed = &own.inertia - &own.step * &own.inertia * all.step.transpose();
    let by_phi = &own.inertia - &all.step * &own.inertia * all.step.transpose()
        + &own.gain * &own.pivot * own.gain.transpose();
    let size = own.inertia.amax();
    let worst =
        [by_psi, mixed, by_phi].iter().fold(0.0, |most: f64, found| most.max((found - &all.mass).amax()));
    let inverse = &one - &all.step + &own.gain * &all.joint;
    let logarithm = own.pivot.clone().lu().determinant().abs().ln();
    let found = log_determinant(&model, &work.articulated)?;
    Ok(vec![
        finding("M_m by three recursions of P against the bodies' own", worst / size, 1e-12),
        finding("Ψ⁻¹ against Φ⁻¹ + K H", differ(&(inverse * &own.chain), &one), 1e-12),
        finding("log det D against that of the factors of the sweeps", apart(&[found], &[logarithm]), 1e-10),
    ])
}

pub(super) fn accelerations_are_the_operator_form() -> Found {
    let (_, _, all, work) = at("gram")?;
    let own = Articulated::new(&all)?;
    let (pivot, back) = (own.pivot_inverse()?, own.back(&all));
    let filter = &all.joint * &own.chain;
    let first = &own.gain * &all.load + &own.inertia * &all.bias + &all.force;
    // (7.1).
    let form = back.transpose() * &pivot * (&all.load - &filter * first)
        - own.gain.transpose() * own.chain.transpose() * &all.bias;
    let strict = &all.chain - Matrix::identity(all.mass.nrows(), all.mass.nrows());
    // (A.5), (A.7), (A.9): the same before it is simplified.
    let whole =
        &all.load - &all.joint * &all.chain * (&all.mass * all.chain.transpose() * &all.bias + &all.force);
    let fifth = back.transpose() * &pivot * &back * whole;
    let seventh = back.transpose()
        * &pivot
        * (&all.load
            - &filter * (&own.gain * &all.load + &all.mass * all.chain.transpose() * &all.bias + &all.force));
    let again = &own.gain * &all.load + &own.inertia * &all.bias + &all.force;
    let ninth = back.transpose()
        * &pivot
        * (&all.load - &filter * again - &all.joint * &own.inertia * strict.transpose() * &all.bias);
    let known = &work.accelerations.chidot;
    let close = |what, found: &Vector| finding(what, apart(found.as_slice(), known), 1e-9);
    Ok(vec![
        close("(7.1) against accelerations by articulated bodies", &form),
        close("(A.5) against the same", &fifth),
        close("(A.7) against the same", &seventh),
        close("(A.9) against the same", &ninth),
        finding("(A.6): [1 − HΨK]HΦ against HΨ", differ(&(&back * &all.joint * &all.chain), &filter), 1e-11),
        finding(
            "(A.8): Ψ M_m Φ* against ΨP + PΦ~*",
            differ(
                &(&own.chain * &all.mass * all.chain.transpose()),
                &(&own.chain * &own.inertia + &own.inertia * strict.transpose()),
            ),
            1e-10,
        ),
        finding(
            "(A.10): [1 − HΨK]* D⁻¹ H P Φ~* against K*Ψ*",
            differ(
                &(back.transpose() * &pivot * &all.joint * &own.inertia * strict.transpose()),
                &(own.gain.transpose() * own.chain.transpose()),
            ),
            1e-9,
        ),
    ])
}

pub(super) fn split_elimination_is_the_joint_one() -> Found {
    let (model, state, all, work) = at("gram")?;
    let own = Articulated::new(&all)?;
    let (mut logarithm, mut worst) = (0.0, 0.0_f64);
    for k in 0..model.body_count() {
        let (whole, n) = (all.block(&own.inertia, k, k), all.modes[k]);
        let joint = all.joint_of(k);
        let hinge = joint.view((n, n), (joint.nrows() - n, 6)).into_owned();
        let modal = whole.view((0, 0), (n, n)).into_owned();
        let coupling = whole.view((n, 0), (6, n)).into_owned();
        let mut inertia: Matrix = whole.view((n, n), (6, 6)).into_owned();
        if n > 0 {
            let inverse = modal.clone().try_inverse().ok_or_else(|| Fault("singular".into()))?;
            inertia -= &coupling * inverse * coupling.transpose();
            logarithm += modal.determinant().ln();
        }
        let pivot = &hinge * &inertia * hinge.transpose();
        logarithm += pivot.determinant().ln();
        let left = &inertia
            - &inertia
                * hinge.transpose()
                * pivot.try_inverse().ok_or_else(|| Fault("singular".into()))?
                * &hinge
                * &inertia;
        if let Some(p) = model.joints[k].parent {
            let carried = all
                .step
                .view((all.rows[p].start, all.rows[k].start + n), (all.rows[p].len(), 6))
                .into_owned();
            let difference = all.block(&all.mass, p, p) + &carried * left * carried.transpose()
                - all.block(&own.inertia, p, p);
            worst = worst.max(difference.amax() / own.inertia.amax());
        }
    }
    // (7.4), (7.6): modes first, hinge after, is H*(k) χ(k).
    let k = 1;
    let (n, joint) = (all.modes[k], all.joint_of(k));
    let speeds = Vector::from_column_slice(&state.v[all.speeds[k].clone()]);
    let (flexible, hinge) = (joint.rows(0, n).transpose(), joint.rows(n, joint.nrows() - n).transpose());
    let two = flexible * speeds.rows(0, n) + hinge * speeds.rows(n, speeds.len() - n);
    let found = log_determinant(&model, &work.articulated)?;
    Ok(vec![
        finding("P by modes, then hinge, against both at once", worst, 1e-12),
        finding(
            "log det D_f + log det D_R against the factors of the sweeps",
            apart(&[found], &[logarithm]),
            1e-10,
        ),
        finding(
            "H_f* η̇ + H_r* β against H* χ",
            apart(two.as_slice(), (joint.transpose() * speeds).as_slice()),
            1e-15,
        ),
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
