//! Checks of JPL 90-26, sections 6 and 7: articulated body quantities multiplied out, against the sweeps.

use super::checks::{Found, finding, mass};
use super::models::apart;
use super::operator_checks::{at, differ, rows};
use super::operators::{Matrix, Operators, Vector};
use crate::context::Fault;
use flexura::algorithm::innovations::{Innovations, log_determinant, solve};

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
