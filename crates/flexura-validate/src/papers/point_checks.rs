//! Checks of points of one flexible body: places, velocities, accelerations, partial velocities, and modes referred to a hinge.

use super::Finding;
use super::body_checks::{ETA, Nodes, RATE, nodes, rod};
use super::checks::{Found, finding};
use super::models::{apart, evaluated};
use super::operators::Matrix;
use crate::context::Fault;
use flexura::model::description::{
    AttachmentRule, BodyDescription, Description, InertiaLevel, JointDescription, ModalDescription,
};
use flexura::motion::observe::{frame_motion, inertial_acceleration, inertial_velocity};
use flexura::spatial::{add, cross, matrix_vector, scale};
use flexura::{Model, State, Workspace};

/// The rod flying, with its evaluation.
fn flying() -> Result<(Model, State, Workspace), Fault> {
    let model = rod(Nodes::General, InertiaLevel::Full)?;
    let mut state = State::initial(&model, 0.0);
    let part = &model.layout.bodies[0];
    state.q[part.modal_q()].copy_from_slice(&ETA);
    state.q[part.joint_q()].copy_from_slice(&[0.8, 0.36, -0.48, 0.0, 0.4, -0.7, 1.1]);
    for (i, v) in state.v.iter_mut().enumerate() {
        *v = 1.3 - 0.37 * i as f64;
    }
    let mut work = evaluated(&model, &state)?;
    work.poses(&model, &state);
    Ok((model, state, work))
}

pub(super) fn points_move_as_kinematics_say() -> Found {
    let (model, state, work) = flying()?;
    let tip = &model.frames[model.frame("rod.tip").ok_or_else(|| Fault("no frame".into()))?.0];
    let (accelerations, chidot) = (&work.accelerations.acceleration, &work.accelerations.chidot);
    let found = frame_motion(&model, &state, &work.motion, accelerations, chidot, tip);
    let (node, part) = (nodes(Nodes::General).remove(2), &model.layout.bodies[0]);
    let world = &work.motion.poses.rotation[0];
    let combine = |list: &[[f64; 3]], x: &[f64]| {
        matrix_vector(world, &add(&scale(x[0], &list[0]), &scale(x[1], &list[1])))
    };
    let (eta, rate, second) = (&state.q[part.modal_q()], &state.v[part.modal_v()], &chidot[part.modal_v()]);
    let arm = add(&matrix_vector(world, &node.position), &combine(&node.translations, eta));
    let (omega, drift) = inertial_velocity(&work.motion.poses, 0);
    let body = inertial_acceleration(&model, &work.motion, accelerations, chidot, 0);
    let (alpha, rise) = ([body[0], body[1], body[2]], [body[3], body[4], body[5]]);
    let (slide, turn) = (combine(&node.translations, rate), combine(&node.slopes, rate));
    let place = add(&work.motion.poses.position[0], &arm);
    let velocity = [add(&omega, &turn), add(&add(&drift, &cross(&omega, &arm)), &slide)].concat();
    let swing = cross(&omega, &add(&cross(&omega, &arm), &scale(2.0, &slide)));
    let linear = add(&add(&rise, &cross(&alpha, &arm)), &add(&swing, &combine(&node.translations, second)));
    let angular = add(&add(&alpha, &cross(&omega, &turn)), &combine(&node.slopes, second));
    Ok(vec![
        finding("place of a tip against R + Π(s_o + Σ φ q)", apart(&found.position, &place), 1e-14),
        finding("its velocity against V + ω × r + Φ q̇", apart(&found.velocity, &velocity), 1e-13),
        finding(
            "its acceleration against A + α × r + Φ q̈ + ω × (ω × r) + 2 ω × φ q̇",
            apart(&found.acceleration, &[angular, linear].concat()),
            1e-12,
        ),
    ])
}

pub(super) fn partial_velocities_are_carried_to_points() -> Found {
    let (model, state, work) = flying()?;
    let columns = |name: &str| -> Result<Vec<[f64; 6]>, Fault> {
        let frame = &model.frames[model.frame(name).ok_or_else(|| Fault("no frame".into()))?.0];
        let mut columns = vec![[0.0; 6]; model.speed_count()];
        work.motion.frame_jacobian(&model, &state, frame, &mut columns);
        Ok(columns)
    };
    let (at_tip, at_frame) = (columns("rod.tip")?, columns("rod.origin")?);
    let (node, part) = (nodes(Nodes::General).remove(2), &model.layout.bodies[0]);
    let world = &work.motion.poses.rotation[0];
    let eta = &state.q[part.modal_q()];
    let local = add(
        &node.position,
        &add(&scale(eta[0], &node.translations[0]), &scale(eta[1], &node.translations[1])),
    );
    let arm = matrix_vector(world, &local);
    let (mut found, mut known) = (Vec::new(), Vec::new());
    for (i, column) in at_frame.iter().enumerate() {
        let (spin, slide) = ([column[0], column[1], column[2]], [column[3], column[4], column[5]]);
        let mut expected = [spin, add(&slide, &cross(&spin, &arm))].concat();
        if let Some(r) = i.checked_sub(part.v).filter(|&r| r < part.modes) {
            let own =
                [matrix_vector(world, &node.slopes[r]), matrix_vector(world, &node.translations[r])].concat();
            expected.iter_mut().zip(own).for_each(|(slot, x)| *slot += x);
        }
        found.extend(at_tip[i]);
        known.extend(expected);
    }
    // (27)-(30): the six speeds of the frame move it, the modes do not.
    let still = at_frame[part.modal_v()].iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    let six = Matrix::from_fn(6, 6, |i, j| at_frame[part.joint_v().start + j][i]);
    let unit = (six.transpose() * &six - Matrix::identity(6, 6)).amax();
    Ok(vec![
        finding("partial velocities of a tip against (S)ᵀ P + Φ", apart(&found, &known), 1e-13),
        finding("partial velocities of the frame with modes", still, 0.0),
        finding("those with the six speeds of the base against an orthonormal basis", unit, 1e-12),
    ])
}

pub(super) fn modes_are_referred_to_the_hinge() -> Found {
    // A rod that hangs on its tip, which the modes move: H_f = [1, −(Π^d)* φ(d, k)], so that N = [1 0; −φ* Π^d 1].
    let modal = ModalDescription {
        modes: 2,
        nodes: nodes(Nodes::General),
        stiffness: vec![80.0, 5.0, 5.0, 900.0],
        ..ModalDescription::default()
    };
    let mut body = BodyDescription::modal("rod", modal);
    (body.level, body.attachments) = (Some(InertiaLevel::Full), Some(AttachmentRule::LambdaEtad));
    let body = body.node("tip", "tip");
    let joint =
        JointDescription::revolute("hinge", ["ground.origin", "rod.tip"], [0.0, 0.6, 0.8]).speed(&[3.0]);
    let model = Description::new("rod").body(body).joint(joint).build()?.model;
    let mut state = State::initial(&model, 0.0);
    let part = &model.layout.bodies[0];
    state.q[part.modal_q()].copy_from_slice(&ETA);
    state.v[part.modal_v()].copy_from_slice(&RATE);
    let work = evaluated(&model, &state)?;
    let node = nodes(Nodes::General).remove(2);
    let place = add(
        &node.position,
        &add(&scale(ETA[0], &node.translations[0]), &scale(ETA[1], &node.translations[1])),
    );
    let mut change = Matrix::identity(8, 8);
    for r in 0..2 {
        // Π^d seen at the frame: back from the tip by −l.
        let shifted = add(&node.translations[r], &cross(&node.slopes[r], &scale(-1.0, &place)));
        for i in 0..3 {
            change[(2 + i, r)] = -node.slopes[r][i];
            change[(5 + i, r)] = -shifted[i];
        }
    }
    let (mass, _) = model.bodies[0].mass_and_bias(&ETA, &RATE, &work.motion.kinematics.bodies[0].omega);
    let known = change.transpose() * Matrix::from_row_slice(8, 8, &mass) * &change;
    let (found, inertias) = (
        Matrix::from_fn(8, 2, |i, r| {
            if i < 2 { work.inertias.modal[2 * i + r] } else { work.inertias.coupling[r][i - 2] }
        }),
        known.columns(0, 2).into_owned(),
    );
    let root = rod(Nodes::General, InertiaLevel::Full)?;
    Ok(vec![
        finding(
            "mass block of a rod on its moving tip against N* M_m N",
            apart(found.as_slice(), inertias.as_slice()),
            1e-12,
        ),
        Finding {
            what: "Π^d of a rod on its root (cantilever modes)",
            value: root_motion(&root),
            limit: 0.0,
        },
    ])
}

fn root_motion(model: &Model) -> f64 {
    let shape = &model.bodies[0].attachments[model.joints[0].inner.attachment].shape;
    shape.slopes.iter().chain(&shape.translations).flatten().fold(0.0, |most: f64, x| most.max(x.abs()))
}
