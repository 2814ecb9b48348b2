//! Every kind of joint, forward and reversed: evaluation against exact rates,
//! dynamics against the free joint constrained to the same motion, and systems
//! described from either end.

use crate::common::random_model::*;
use crate::common::relative_error;
use flexura::algorithm::FlexibleRoute;
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::model::description::*;
use flexura::model::joint::{Joint, JointKind, JointMotion};
use flexura::motion::observe::{FrameMotion, frame_motion};
use flexura::scalar::{Dual, Scalar};
use flexura::spatial::*;
use flexura::state::prescribe::apply_prescribed;
use flexura::time_function::Side;
use flexura::{Load, Model, State, Workspace, build};

/// Number of joint kinds that [`random_kind`] knows.
const KINDS: usize = 10;

/// Rounding only: a handful of products per number.
const TOLERANCE: f64 = 1e-12;

/// The kind as the engine has it.
fn engine_kind(kind: &JointKindDescription) -> JointKind {
    match *kind {
        JointKindDescription::Weld => JointKind::Weld,
        JointKindDescription::Revolute { axis } => JointKind::Revolute { axis },
        JointKindDescription::Prismatic { axis } => JointKind::Prismatic { axis },
        JointKindDescription::Cylindrical { axis } => JointKind::Cylindrical { axis },
        JointKindDescription::Helical { axis, pitch } => JointKind::Helical { axis, pitch },
        JointKindDescription::Universal { axis, axis2 } => JointKind::Universal { axis, axis2 },
        JointKindDescription::Spherical => JointKind::Spherical,
        JointKindDescription::Planar => JointKind::Planar,
        JointKindDescription::Translational => JointKind::Translational,
        JointKindDescription::Free => JointKind::Free,
        ref other => panic!("a kind these tests do not know: {other:?}"),
    }
}

/// Derivative parts.
fn rates<const N: usize>(values: [Moving; N]) -> [f64; N] {
    values.map(|x| x.eps[0])
}

/// Largest deviation of velocity, columns and bias of an evaluated joint from the rates of its pose.
fn evaluation_error(joint: &Joint, q: &[Moving], u: &[f64]) -> f64 {
    let still: Vec<f64> = q.iter().map(|x| x.re).collect();
    let mut value = JointMotion::<f64>::at_rest();
    joint.evaluate(&still, u, &mut value);
    let mut moving = JointMotion::<Moving>::at_rest();
    let speeds: Vec<Moving> = u.iter().map(|&x| Moving::from_f64(x)).collect();
    joint.evaluate(q, &speeds, &mut moving);
    // Ṙ = R ω~ and ṗ = R v
    let turning = matrix_product(&value.rotation, &skew(&angular(&value.velocity)));
    let turned = moving.rotation.map(rates);
    let slide = matrix_vector(&value.rotation, &linear(&value.velocity));
    // (R ω)˙ and (R v)˙ at u̇ = 0 are R times the bias
    let second = rates(rotate6(&moving.rotation, &moving.velocity));
    let bias = rotate6(&value.rotation, &value.bias);
    let sum = u.iter().zip(&value.columns).fold([0.0; 6], |sum, (&u, h)| add6(&sum, &scale6(u, h)));
    relative_error(turned.as_flattened(), turning.as_flattened(), 1.0)
        .max(relative_error(&rates(moving.translation), &slide, 1.0))
        .max(relative_error(&second, &bias, 1.0))
        .max(relative_error(&sum, &value.velocity, 1.0))
}

/// Velocity H u is the rate of the pose along the motion that `retract` and `increment_rate` describe,
/// at zero and finite increments, and the bias is the rate of that velocity at constant speeds.
#[test]
fn evaluation_gives_the_rates_of_the_pose() {
    sweep("pose, twist, bias", 50 * KINDS as u64, TOLERANCE, |seed| {
        let mut random = Random::new(seed);
        let kind = engine_kind(&random_kind(seed as usize % KINDS, &mut random));
        let start = random_coordinates(&kind, &mut random);
        let u = random.numbers(kind.degrees_of_freedom(), 1.5);
        let step = random.numbers(u.len(), 1.0);
        let mut q = start.clone();
        kind.retract(&start, &step, &mut q);
        let mut rate = vec![0.0; u.len()];
        kind.increment_rate(&q, &step, &u, &mut rate);
        let step: Vec<Moving> = step.iter().zip(&rate).map(|(&x, &r)| Dual::new(x, [r])).collect();
        let start: Vec<Moving> = start.iter().map(|&x| Moving::from_f64(x)).collect();
        let mut along = start.clone();
        kind.retract(&start, &step, &mut along);
        let at_zero = moving_coordinates(&kind, &q, &u);
        let numbers = |list: &[Moving]| list.iter().flat_map(|x| [x.re, x.eps[0]]).collect::<Vec<f64>>();
        let same = relative_error(&numbers(&along), &numbers(&at_zero), 1.0);
        [false, true]
            .iter()
            .fold(same, |worst, &reversed| worst.max(evaluation_error(&Joint { kind, reversed }, &along, &u)))
    });
}

/// Relative motion of the second frame seen from the first: orientation and angular velocity in the
/// second frame's axes, position in the first frame's.
#[derive(Default)]
struct Relative {
    turn: [f64; 4],
    spin: Vector3,
    spin_rate: Vector3,
    position: Vector3,
    velocity: Vector3,
    acceleration: Vector3,
}

/// The motion that coordinates `q`, speeds `u` and accelerations `a` of a joint mean, by definition.
fn relative_motion(kind: &JointKindDescription, q: &[f64], u: &[f64], a: &[f64]) -> Relative {
    let mut m = Relative { turn: [1.0, 0.0, 0.0, 0.0], ..Relative::default() };
    let mut spin_about = |axis: &Vector3, i: usize| {
        m.turn = quaternion_exp(&scale(q[i], axis));
        m.spin = scale(u[i], axis);
        m.spin_rate = scale(a[i], axis);
    };
    let along = |axis: &Vector3, x: f64| scale(x, axis);
    match kind {
        JointKindDescription::Weld => {}
        JointKindDescription::Revolute { axis } => spin_about(axis, 0),
        JointKindDescription::Prismatic { axis } => {
            (m.position, m.velocity, m.acceleration) =
                (along(axis, q[0]), along(axis, u[0]), along(axis, a[0]));
        }
        JointKindDescription::Cylindrical { axis } => {
            spin_about(axis, 0);
            (m.position, m.velocity, m.acceleration) =
                (along(axis, q[1]), along(axis, u[1]), along(axis, a[1]));
        }
        JointKindDescription::Helical { axis, pitch: p } => {
            spin_about(axis, 0);
            (m.position, m.velocity, m.acceleration) =
                (along(axis, p * q[0]), along(axis, p * u[0]), along(axis, p * a[0]));
        }
        JointKindDescription::Universal { axis, axis2 } => {
            let second = quaternion_exp(&scale(q[1], axis2));
            m.turn = quaternion_product(&quaternion_exp(&scale(q[0], axis)), &second);
            // The first axis seen from the second frame turns back as the second angle grows.
            let first = transposed_matrix_vector(&matrix_from_quaternion(&second), axis);
            let turning = cross(&first, &scale(u[1], axis2));
            m.spin = add(&scale(u[0], &first), &scale(u[1], axis2));
            m.spin_rate = add(&add(&scale(a[0], &first), &scale(a[1], axis2)), &scale(u[0], &turning));
        }
        JointKindDescription::Planar => {
            spin_about(&[0.0, 0.0, 1.0], 2);
            (m.position, m.velocity, m.acceleration) =
                ([q[0], q[1], 0.0], [u[0], u[1], 0.0], [a[0], a[1], 0.0]);
        }
        JointKindDescription::Translational => {
            (m.position, m.velocity, m.acceleration) =
                ([q[0], q[1], q[2]], [u[0], u[1], u[2]], [a[0], a[1], a[2]]);
        }
        JointKindDescription::Spherical => {
            m.turn = [q[0], q[1], q[2], q[3]];
            (m.spin, m.spin_rate) = ([u[0], u[1], u[2]], [a[0], a[1], a[2]]);
        }
        JointKindDescription::Free => unreachable!("the free joint is what others are compared with"),
        other => panic!("a kind these tests do not know: {other:?}"),
    }
    m
}

impl Relative {
    /// Coordinates, speeds and accelerations of a free joint with this motion (v = R* ṗ).
    fn as_free(&self) -> (Vec<f64>, Spatial, Spatial) {
        let r = matrix_from_quaternion(&self.turn);
        let v = transposed_matrix_vector(&r, &self.velocity);
        let a = sub(&transposed_matrix_vector(&r, &self.acceleration), &cross(&self.spin, &v));
        ([&self.turn[..], &self.position].concat(), join(&self.spin, &v), join(&self.spin_rate, &a))
    }
}

/// A random tree with the given kind at one of its joints, and the same tree with a free joint there;
/// the joint is called `chosen`.
fn pair(kind: &JointKindDescription, level: InertiaLevel, random: &mut Random) -> [Model; 2] {
    let mut description = Recipe { bodies: 6, ..Recipe::small(level) }.describe(random);
    let at = random.below(description.joints.len());
    description.joints[at].name = "chosen".into();
    let mut with = |kind: JointKindDescription| {
        (description.joints[at].kind, description.joints[at].coordinates) = (kind, Vec::new());
        build(description.clone()).expect("valid").model
    };
    [with(*kind), with(JointKindDescription::Free)]
}

/// Forces on the joint's own speeds that the free joint needs to follow its motion: J* (M v̇ + h).
fn projected_forces(
    kind: &JointKindDescription,
    models: &[Model; 2],
    state: &State,
    chidot: &[f64],
) -> Vec<f64> {
    let [model, free_model] = models;
    let k = model.joint("chosen").expect("named").0;
    let (own, free) = (&model.layout.bodies[k], &free_model.layout.bodies[k]);
    let (q, u, a) = (&state.q[own.joint_q()], &state.v[own.joint_v()], &chidot[own.joint_v()]);
    let (free_q, free_u, free_a) = relative_motion(kind, q, u, a).as_free();
    let widened = |all: &[f64], place: std::ops::Range<usize>, part: &[f64]| {
        [&all[..place.start], part, &all[place.end..]].concat()
    };
    let mut free_state = State {
        z: Vec::new(),
        turns: Default::default(),
        time: state.time,
        side: Side::After,
        q: widened(&state.q, own.joint_q(), &free_q),
        v: widened(&state.v, own.joint_v(), &free_u),
    };
    let work = evaluated(free_model, &mut free_state, FlexibleRoute::Automatic);
    let mut inverse = InverseDynamics::new(free_model);
    let free_chidot = widened(chidot, own.joint_v(), &free_a);
    let (kin, blocks, wrench) = (&work.motion.kinematics, &work.inertias, &work.load.wrench);
    inverse_dynamics(free_model, kin, blocks, &free_chidot, wrench, Terms::All, &mut inverse);
    let forces = &inverse.generalized;
    let on_free: Spatial = std::array::from_fn(|i| forces[free.joint_v().start + i]);
    let projected: Vec<f64> = (0..own.joint_v)
        .map(|i| {
            let mut unit = vec![0.0; own.joint_v];
            unit[i] = 1.0;
            dot6(&relative_motion(kind, q, &unit, &vec![0.0; own.joint_v]).as_free().1, &on_free)
        })
        .collect();
    widened(forces, free.joint_v(), &projected)
}

/// Every joint, planar and helical above all, is the free joint held to its motion: accelerations by
/// articulated bodies satisfy J*(M v̇ + h) = load with mass and bias of the free joint, whichever frame
/// is named first, at any level. This is exact, unlike chains of joints over nearly massless bodies.
#[test]
fn every_joint_is_a_constrained_free_joint() {
    sweep("projection of the free joint", 30 * (KINDS as u64 - 1), 1e-11, |seed| {
        let mut random = Random::new(seed);
        let kind = random_kind(seed as usize % (KINDS - 1), &mut random);
        let models = pair(&kind, LEVELS[random.below(LEVELS.len())], &mut random);
        let mut state = random_state(&models[0], &mut random);
        let work = evaluated(&models[0], &mut state, FlexibleRoute::Automatic);
        let found = projected_forces(&kind, &models, &state, &work.accelerations.chidot);
        relative_error(&found, &work.load.generalized, 1.0)
    });
}

/// A helical joint moves as a cylindrical one held to the screw: with the accelerations of angle and
/// slide given, all others agree and the forces that hold the screw do no work.
#[test]
fn helical_is_a_constrained_cylindrical_joint() {
    sweep("helical = constrained cylindrical", 50, 1e-11, |seed| {
        let mut random = Random::new(seed);
        let (axis, pitch) = (random.axis(), random.between(0.1, 0.5));
        let level = LEVELS[random.below(LEVELS.len())];
        let mut same = random.clone();
        let [helical, _] = pair(&JointKindDescription::Helical { axis, pitch }, level, &mut random);
        let [cylindrical, _] = pair(&JointKindDescription::Cylindrical { axis }, level, &mut same);
        let mut state = random_state(&helical, &mut random);
        let expected = evaluated(&helical, &mut state, FlexibleRoute::Automatic).accelerations.chidot;
        let part = &helical.layout.bodies[helical.joint("chosen").expect("named").0];
        let with_slide = |all: &[f64], at: usize| [&all[..at], &[pitch * all[at - 1]], &all[at..]].concat();
        let slide = part.joint_v().end;
        let state = State {
            z: Vec::new(),
            turns: Default::default(),
            time: state.time,
            side: Side::After,
            q: with_slide(&state.q, part.joint_q().end),
            v: with_slide(&state.v, slide),
        };
        let mut work = Workspace::new(&cylindrical);
        work.kinematics(&cylindrical, &state);
        work.loads(&cylindrical, &state);
        work.load.prescribed[slide - 1..=slide].fill(true);
        work.load.acceleration = with_slide(&expected, slide);
        work.accelerations(&cylindrical).expect("well conditioned");
        let [turn, push] = [slide - 1, slide].map(|i| work.accelerations.driving[i]);
        relative_error(&work.accelerations.chidot, &work.load.acceleration, 1.0)
            .max((turn + pitch * push).abs() / push.abs().max(1.0))
    });
}

/// Two bodies `a` and `b`, joined by `kind` in either direction; `root` is carried by a free joint.
fn two_bodies(kind: usize, level: InertiaLevel, root: &str, random: &mut Random) -> Description {
    let mut out = Description { name: "two".into(), gravity: random.vector(6.0), ..Default::default() };
    for name in ["a", "b"] {
        let modes = random.below(5);
        let flexible = modes > 0;
        let body = if flexible { BodyKind::Modal(modal(modes, random)) } else { rigid(random) };
        let names = ["joint", "base", "load"].map(str::to_owned);
        let frames = names.map(|name| random_frame(name, &body, random)).to_vec();
        let level = flexible.then_some(level);
        out.bodies.push(BodyDescription {
            name: name.into(),
            kind: body,
            frames,
            level,
            attachments: None,
            carriers: None,
        });
        out.forces.push(ForceDescription {
            name: format!("on_{name}"),
            at: format!("{name}.load"),
            inertial: name == "a",
            force: random.vector(5.0),
            moment: random.vector(3.0),
            scale: None,
        });
    }
    let mut between = ["a.joint".to_owned(), "b.joint".to_owned()];
    if random.chance(0.5) {
        between.reverse();
    }
    let joint = |name: &str, kind, between| JointDescription {
        name: name.into(),
        kind,
        between,
        position: Vec::new(),
        speed: Vec::new(),
        coordinates: Vec::new(),
    };
    out.joints.push(joint("between", random_kind(kind, random), between));
    let base = ["ground.origin".to_owned(), format!("{root}.base")];
    out.joints.push(joint("base", JointKindDescription::Free, base));
    let springs = CoordinateDescription { stiffness: 3.0, damping: 0.4, rest: 0.1, ..Default::default() };
    let count = engine_kind(&out.joints[0].kind).degrees_of_freedom();
    out.joints[0].coordinates = vec![springs; count];
    out
}

fn motion_of(model: &Model, state: &State, work: &Workspace, frame: &str) -> FrameMotion {
    let frame = &model.frames[model.frame(frame).expect("named frame").0];
    let (alpha, chidot) = (&work.accelerations.acceleration, &work.accelerations.chidot);
    frame_motion(model, state, &work.motion, alpha, chidot, frame)
}

/// The state of `other` in which everything moves as in `state` of `model`.
fn translated(model: &Model, state: &State, work: &Workspace, other: &Model, base: &str) -> State {
    let at = motion_of(model, state, work, base);
    let v = rotate_back6(&at.rotation, &at.velocity);
    let mut out = State::initial(other, state.time);
    for name in ["a", "b"] {
        let [from, to] = [model, other].map(|m| &m.layout.bodies[m.body(name).expect("named").0]);
        out.q[to.modal_q()].copy_from_slice(&state.q[from.modal_q()]);
        out.v[to.modal_v()].copy_from_slice(&state.v[from.modal_v()]);
    }
    let [from, to] = [model, other].map(|m| &m.layout.bodies[m.joint("between").expect("named").0]);
    out.q[to.joint_q()].copy_from_slice(&state.q[from.joint_q()]);
    out.v[to.joint_v()].copy_from_slice(&state.v[from.joint_v()]);
    let to = &other.layout.bodies[other.joint("base").expect("named").0];
    let pose = [&quaternion_from_matrix(&at.rotation)[..], &at.position].concat();
    out.q[to.joint_q()].copy_from_slice(&pose);
    out.v[to.joint_v()].copy_from_slice(&v);
    out
}

/// Two bodies described from either end: the tree runs through their joint forward in one model and
/// backward in the other, with the same coordinates. Accelerations of joint and modes, and of every
/// frame in space, are the same, at the levels with exact kinematics.
#[test]
fn either_body_may_be_the_root() {
    for level in EXACT_LEVELS {
        sweep(&format!("either root, {level:?}"), 30 * KINDS as u64, 1e-11, |seed| {
            let [first, second] = ["a", "b"].map(|root| {
                let mut random = Random::new(seed + 100);
                build(two_bodies(seed as usize % KINDS, level, root, &mut random)).expect("valid").model
            });
            let mut state = random_state(&first, &mut Random::new(seed));
            let work = evaluated(&first, &mut state, FlexibleRoute::Automatic);
            let mut other = translated(&first, &state, &work, &second, "b.base");
            let other_work = evaluated(&second, &mut other, FlexibleRoute::Automatic);
            let back = translated(&second, &other, &other_work, &first, "a.base");
            let chidot = |model: &Model, work: &Workspace| -> Vec<f64> {
                let joint = model.layout.bodies[model.joint("between").expect("named").0].joint_v();
                let modal =
                    ["a", "b"].map(|b| model.layout.bodies[model.body(b).expect("named").0].modal_v());
                let ranges = [joint, modal[0].clone(), modal[1].clone()];
                ranges.into_iter().flat_map(|r| work.accelerations.chidot[r].to_vec()).collect()
            };
            let frames = ["a.joint", "a.base", "a.load", "b.joint", "b.base", "b.origin"];
            let in_space = frames.iter().fold(0.0_f64, |worst, frame| {
                let one = motion_of(&first, &state, &work, frame).acceleration;
                let two = motion_of(&second, &other, &other_work, frame).acceleration;
                worst.max(relative_error(&two, &one, 1.0))
            });
            relative_error(&chidot(&second, &other_work), &chidot(&first, &work), 1.0)
                .max(relative_error(&back.v, &state.v, 1.0))
                .max(in_space)
        });
    }
}

/// Fourth-order central difference of a vector function of time.
fn difference(of: impl Fn(f64) -> Vec<f64>, t: f64) -> Vec<f64> {
    let h = 3e-4;
    let at = [-2.0, -1.0, 1.0, 2.0].map(|i| of(t + i * h));
    let weights = [1.0, -8.0, 8.0, -1.0].map(|w| w / (12.0 * h));
    (0..at[0].len()).map(|i| (0..4).map(|j| weights[j] * at[j][i]).sum()).collect()
}

/// Prescribed coordinates, speeds and accelerations are rates of each other, for all kinds; on free
/// joints also with only orientation or only position prescribed while the rest moves by itself.
/// Tolerance 1e-10: h⁴ of the difference (3e-4)⁴ times its sixth derivative, up to 1e4; rounding 1e-16/h.
#[test]
fn prescribed_motions_are_rates_of_each_other() {
    sweep("prescribed motion", 20 * KINDS as u64, 1e-10, |seed| {
        let mut random = Random::new(seed + 200);
        let mut description = two_bodies(seed as usize % KINDS, InertiaLevel::Full, "a", &mut random);
        let (joint, part) = (&mut description.joints[0], random.below(3));
        let free = joint.kind == JointKindDescription::Free;
        for (i, c) in joint.coordinates.iter_mut().enumerate() {
            let given = !free || part == 0 || (i < 3) == (part == 1);
            c.motion = given.then(|| time_function(&mut random));
        }
        let model = build(description).expect("valid").model;
        let start = random_state(&model, &mut random);
        let k = model.joint("between").expect("named").0;
        let (part, kind) = (&model.layout.bodies[k], &model.joints[k].joint.kind);
        let (q, v) = (part.joint_q(), part.joint_v());
        // What is not prescribed moves at constant speed.
        let at = |t: f64| {
            let (mut state, mut load) = (start.clone(), Load::new(&model));
            let step: Vec<f64> = start.v[v.clone()].iter().map(|u| u * (t - start.time)).collect();
            kind.retract(&start.q[q.clone()], &step, &mut state.q[q.clone()]);
            state.time = t;
            apply_prescribed(&model, &mut state, Some(&mut load));
            (state, load.acceleration[v.clone()].to_vec())
        };
        let (now, acceleration) = at(start.time);
        let moving = moving_coordinates(kind, &now.q[q.clone()], &now.v[v.clone()]);
        let given = |i: usize| model.prescribed[v.start + i];
        let rate = difference(|t| at(t).0.q[q.clone()].to_vec(), start.time);
        let second = difference(|t| at(t).0.v[v.clone()].to_vec(), start.time);
        // The first coordinate of a quaternion belongs to the same rotation as the second.
        let extra = q.len() - v.len();
        let of_q = |all: &[f64]| -> Vec<f64> {
            (0..q.len()).filter(|&i| given(i.saturating_sub(extra))).map(|i| all[i]).collect()
        };
        let of_v = |all: &[f64]| -> Vec<f64> { (0..v.len()).filter(|&i| given(i)).map(|i| all[i]).collect() };
        let moving: Vec<f64> = moving.iter().map(|x| x.eps[0]).collect();
        relative_error(&of_q(&moving), &of_q(&rate), 1.0).max(relative_error(
            &of_v(&acceleration),
            &of_v(&second),
            1.0,
        ))
    });
}
