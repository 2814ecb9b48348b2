//! Physical laws on random trees: energy, momentum, joint reactions, and what may
//! not depend on the observer or on the choice of frames.
//!
//! Rates are exact: the state is a dual number whose derivative part is its rate
//! along the flow. Where a law holds, only rounding is left (tolerance 1e-11
//! relative to the largest term of the balance); where a level breaks it, the
//! defect is shown to be far larger.

use crate::common::random_model::*;
use crate::common::relative_error;
use flexura::algorithm::{FlexibleRoute, energy, momentum};
use flexura::model::description::*;
use flexura::motion::observe::{FrameMotion, frame_motion};
use flexura::scalar::Scalar;
use flexura::spatial::*;
use flexura::{Model, State, Workspace, build};

const SYSTEMS: u64 = 200;
const TOLERANCE: f64 = 1e-11;

/// Poses and mass blocks with their rates along the flow.
fn moving(model: &Model, state: &State, work: &Workspace) -> (State<Moving>, Workspace<Moving>) {
    let moving = along_flow(model, state, &work.accelerations.chidot);
    let mut rates = Workspace::new(model);
    rates.kinematics(model, &moving);
    rates.poses(model, &moving);
    (moving, rates)
}

/// |dE/dt − power| relative to the largest power in the balance, drivers included.
fn energy_defect(model: &Model, state: &mut State) -> f64 {
    let work = evaluated(model, state, FlexibleRoute::Automatic);
    let (moving, rates) = moving(model, state, &work);
    let e = energy(model, &moving, &rates.motion, &rates.inertias);
    let stored = [e.kinetic, e.gravity, e.elastic, e.springs].map(|x| x.eps[0]);
    let p = &work.power;
    let drivers: f64 = work.accelerations.driving.iter().zip(&state.v).map(|(f, u)| f * u).sum();
    let supplied = [p.efforts, p.forces, p.dampers, p.friction, p.modal_damping, drivers];
    let largest = stored.iter().chain(&supplied).fold(1.0_f64, |m, x| m.max(x.abs()));
    (stored.iter().sum::<f64>() - supplied.iter().sum::<f64>()).abs() / largest
}

/// dE/dt = power of efforts, forces, dampers, friction and drivers, at the energy-exact levels, with
/// springs, prescribed coordinates, gravity and all joints.
#[test]
fn energy_changes_by_the_power_supplied() {
    for level in EXACT_LEVELS {
        let recipe = Recipe { bodies: 60, prescribed: 0.3, ..Recipe::small(level) };
        sweep(&format!("energy balance, {level:?}"), SYSTEMS, TOLERANCE, |seed| {
            let (model, mut state) = random_case(&recipe, seed + 100);
            energy_defect(&model, &mut state)
        });
    }
}

/// The same systems and states at all levels: `ruthless` and `paper` leave a defect that the balance
/// sees (their mass depends on deformation otherwise than their bias), the others do not.
#[test]
fn only_exact_levels_conserve_energy() {
    let worst = LEVELS.map(|level| {
        (1..=40).fold(0.0_f64, |worst, seed| {
            let mut random = Random::new(seed);
            let mut description = Recipe::small(InertiaLevel::Consistent).describe(&mut random);
            let small = build(description.clone()).expect("valid").model;
            let mut state = random_state(&small, &mut random);
            let bodies = description.bodies.iter_mut();
            bodies.filter(|body| body.level.is_some()).for_each(|body| body.level = Some(level));
            let model = build(description).expect("valid").model;
            worst.max(energy_defect(&model, &mut state))
        })
    });
    println!("energy defects (ruthless, paper, consistent, full, gram): {worst:?}");
    assert!(worst[0] > 1e-3 && worst[1] > 1e-3, "{worst:?}");
    assert!(worst[2..].iter().all(|defect| *defect < TOLERANCE), "{worst:?}");
}

/// Motion of every frame of the model.
fn frames<S: Scalar>(model: &Model, state: &State<S>, work: &Workspace<S>) -> Vec<FrameMotion<S>> {
    let (alpha, chidot) = (&work.accelerations.acceleration, &work.accelerations.chidot);
    let motion = |f| frame_motion(model, state, &work.motion, alpha, chidot, f);
    model.frames.iter().map(motion).collect()
}

/// Applied wrenches and weight of each body about the origin, from frames and centres of mass.
fn external_wrenches(model: &Model, state: &State, work: &Workspace) -> Vec<Spatial> {
    let mut sums = vec![[0.0; 6]; model.body_count()];
    let motions = frames(model, state, work);
    for force in &model.forces {
        let factor = force.scale.as_ref().map_or(1.0, |scale| scale.sample(state.time).value);
        let (at, wrench) = (&motions[force.frame.0], scale6(factor, &force.wrench));
        let wrench = if force.inertial { wrench } else { rotate6(&at.rotation, &wrench) };
        let sum = &mut sums[model.frames[force.frame.0].body.expect("forces act on bodies").0];
        *sum = add6(sum, &shift_force(&at.position, &wrench));
    }
    for (k, sum) in sums.iter_mut().enumerate() {
        let inertia = &work.inertias.rigid[k];
        let moment = matrix_vector(&work.motion.poses.rotation[k], &inertia.mass_moment());
        let center = add(&scale(inertia.mass(), &work.motion.poses.position[k]), &moment);
        let weight = join(&cross(&center, &model.gravity), &scale(inertia.mass(), &model.gravity));
        *sum = add6(sum, &weight);
    }
    sums
}

/// |d(momentum)/dt − external wrench| relative to the wrench (at least 1 N).
fn momentum_defect(model: &Model, state: &mut State) -> f64 {
    let work = evaluated(model, state, FlexibleRoute::Automatic);
    let (moving, rates) = moving(model, state, &work);
    let origin = [0.0; 3];
    let p = momentum(model, &moving, &rates.motion, &rates.inertias, &origin);
    let found = join(&p.angular, &p.linear).map(|x| x.eps[0]);
    let external = external_wrenches(model, state, &work).iter().fold([0.0; 6], |sum, f| add6(&sum, f));
    relative_error(&found, &external, 1.0)
}

/// Free-floating trees: linear and angular momentum change by gravity and applied wrenches only, not
/// by joint loads, drivers or elastic forces. At `ruthless` they do not (its momentum ignores the
/// deformation that the poses have), and the balance sees that.
#[test]
fn momenta_of_floating_trees_change_by_external_wrenches_only() {
    for level in EXACT_LEVELS {
        let recipe = Recipe { floating: true, bodies: 60, prescribed: 0.3, ..Recipe::small(level) };
        sweep(&format!("momentum balance, {level:?}"), SYSTEMS, TOLERANCE, |seed| {
            let (model, mut state) = random_case(&recipe, seed + 200);
            momentum_defect(&model, &mut state)
        });
    }
    let recipe = Recipe { floating: true, ..Recipe::small(InertiaLevel::Ruthless) };
    let worst = (1..=40).fold(0.0_f64, |worst, seed| {
        let (model, mut state) = random_case(&recipe, seed);
        worst.max(momentum_defect(&model, &mut state))
    });
    assert!(worst > 1e-3, "{worst:.1e}");
}

/// Momentum [about the inertial origin; linear] of each body from its mass block, inertial axes.
fn block_momenta(model: &Model, state: &State<Moving>, work: &Workspace<Moving>) -> Vec<Spatial<Moving>> {
    (0..model.body_count())
        .map(|k| {
            let part = &model.layout.bodies[k];
            let (columns, rates) = (part.modal(), &state.v[part.modal_v()]);
            let mut referred = work.motion.poses.velocity[k];
            for (column, &rate) in work.motion.kinematics.inboard[columns.clone()].iter().zip(rates) {
                referred = add6(&referred, &scale6(rate, column));
            }
            let mut momentum = work.inertias.rigid[k].apply(&referred);
            for (column, &rate) in work.inertias.coupling[columns].iter().zip(rates) {
                momentum = add6(&momentum, &scale6(rate, column));
            }
            shift_force(&work.motion.poses.position[k], &rotate6(&work.motion.poses.rotation[k], &momentum))
        })
        .collect()
}

/// The nodes of a body; a rigid body is one node.
fn nodes_of(kind: &BodyKind) -> Vec<NodeDescription> {
    match kind {
        BodyKind::Modal(modal) => modal.nodes.clone(),
        BodyKind::Rigid(rigid) => {
            let (mass, offset) = (rigid.mass, rigid.center_of_mass);
            let square = matrix_product(&skew(&offset), &skew(&offset));
            let inertia =
                std::array::from_fn(|i| std::array::from_fn(|j| rigid.inertia[i][j] - mass * square[i][j]));
            vec![NodeDescription { mass, inertia, offset, ..Default::default() }]
        }
        _ => unreachable!("random bodies are rigid or modal"),
    }
}

/// Σ x_r v_r.
fn combine(vectors: &[Vector3], x: &[Moving]) -> Vector3<Moving> {
    let mut sum = zero3();
    vectors.iter().zip(x).for_each(|(v, &x)| axpy(&mut sum, x, v));
    sum
}

/// Momentum of one node about the body frame (book/src/theory/inertia.md (IN.3)), body axes.
fn node_momentum(
    node: &NodeDescription,
    eta: &[Moving],
    rate: &[Moving],
    body: &Spatial<Moving>,
) -> Spatial<Moving> {
    let n = eta.len();
    let (theta, theta_rate) = (combine(&node.slopes, eta), combine(&node.slopes, rate));
    let e = exp_coefficients(dot(&theta, &theta));
    let first = cross(&theta, &theta_rate);
    let spin = add(&theta_rate, &add(&scale(e.b, &first), &scale(e.c, &cross(&theta, &first))));
    let mut position = add(&lift3(&node.position), &combine(&node.translations, eta));
    let mut slide = combine(&node.translations, rate);
    for (r, row) in node.quadratic.chunks(n.max(1)).enumerate() {
        position = add(&position, &scale(eta[r] * 0.5, &combine(row, eta)));
        slide = add(&slide, &scale(rate[r], &combine(row, eta)));
    }
    let turn = rotation_exp(&theta);
    let velocity = add6(&shift_motion(&position, body), &join(&spin, &slide));
    let local = rotate_back6(&turn, &velocity);
    let (w, v) = (angular(&local), linear(&local));
    let (mass, p) = (Moving::from_f64(node.mass), lift3(&node.offset));
    let linear_part = scale(mass, &add(&v, &cross(&w, &p)));
    let angular_part = add(&matrix_vector(&lift_matrix(&node.inertia), &w), &scale(mass, &cross(&p, &v)));
    shift_force(&position, &rotate6(&turn, &join(&angular_part, &linear_part)))
}

/// The same momenta from the nodes of the description, without any mass block.
fn node_momenta(
    model: &Model,
    description: &Description,
    state: &State<Moving>,
    work: &Workspace<Moving>,
) -> Vec<Spatial<Moving>> {
    (0..model.body_count())
        .map(|k| {
            let part = &model.layout.bodies[k];
            let (eta, rate) = (&state.q[part.modal_q()], &state.v[part.modal_v()]);
            let named = |body: &&BodyDescription| body.name == model.bodies[k].name;
            let body = description.bodies.iter().find(named).expect("named body");
            let sum = nodes_of(&body.kind).iter().fold([Moving::ZERO; 6], |sum, node| {
                add6(&sum, &node_momentum(node, eta, rate, &work.motion.poses.velocity[k]))
            });
            shift_force(&work.motion.poses.position[k], &rotate6(&work.motion.poses.rotation[k], &sum))
        })
        .collect()
}

/// What the joint of each body must transmit so that the momentum of everything outboard changes as
/// it does: rates of momentum minus external wrenches, about the inertial origin.
fn balance(model: &Model, momenta: &[Spatial<Moving>], state: &State, work: &Workspace) -> Vec<Spatial> {
    let external = external_wrenches(model, state, work);
    let mut sums: Vec<Spatial> =
        momenta.iter().zip(&external).map(|(h, f)| sub6(&h.map(|x| x.eps[0]), f)).collect();
    for k in (0..model.body_count()).rev() {
        if let Some(parent) = model.joints[k].parent {
            sums[parent] = add6(&sums[parent], &sums[k]);
        }
    }
    sums
}

/// Joint reactions equal the free-body balance of everything outboard: at level `full` with momenta
/// of the nodes themselves, at the others with those of their own mass block. Driven joints too.
#[test]
fn reactions_balance_the_momentum_of_the_outboard_bodies() {
    for level in EXACT_LEVELS {
        let recipe = Recipe { bodies: 30, prescribed: 0.3, ..Recipe::small(level) };
        sweep(&format!("reactions, {level:?}"), SYSTEMS, TOLERANCE, |seed| {
            let mut random = Random::new(seed + 4000);
            let built = build(recipe.describe(&mut random)).expect("valid");
            let model = &built.model;
            let mut state = random_state(model, &mut random);
            let mut work = evaluated(model, &mut state, FlexibleRoute::Automatic);
            work.reactions(model);
            let (moving, rates) = moving(model, &state, &work);
            let momenta = match level {
                InertiaLevel::Full => node_momenta(model, &built.description, &moving, &rates),
                _ => block_momenta(model, &moving, &rates),
            };
            let expected = balance(model, &momenta, &state, &work);
            let found: Vec<Spatial> = (0..model.body_count())
                .map(|k| {
                    let turned = rotate6(&work.motion.poses.rotation[k], &work.inverse.joint_force[k]);
                    shift_force(&work.motion.poses.position[k], &turned)
                })
                .collect();
            relative_error(found.as_flattened(), expected.as_flattened(), 1.0)
        });
    }
}

/// Of every frame, the velocity is the rate of the pose and the acceleration the rate of the velocity.
#[test]
fn frame_motions_are_rates_of_each_other() {
    for level in EXACT_LEVELS {
        let recipe = Recipe { prescribed: 0.3, ..Recipe::small(level) };
        sweep(&format!("frame motion, {level:?}"), SYSTEMS, TOLERANCE, |seed| {
            let (model, mut state) = random_case(&recipe, seed + 300);
            let work = evaluated(&model, &mut state, FlexibleRoute::Automatic);
            let (moving, rates) = moving(&model, &state, &work);
            let (values, rates) = (frames(&model, &state, &work), frames(&model, &moving, &rates));
            values.iter().zip(&rates).fold(0.0, |worst, (value, rate)| {
                let turning = matrix_product(&skew(&angular(&value.velocity)), &value.rotation);
                let found = rate.rotation.map(|row| row.map(|x| x.eps[0]));
                relative_error(found.as_flattened(), turning.as_flattened(), 1.0)
                    .max(relative_error(&rate.position.map(|x| x.eps[0]), &linear(&value.velocity), 1.0))
                    .max(relative_error(&rate.velocity.map(|x| x.eps[0]), &value.acceleration, 1.0))
                    .max(worst)
            })
        });
    }
}

/// Adding a uniform velocity to a floating tree leaves all accelerations unchanged, at all levels; the
/// components v = R* ṗ of the base turn with the base, so that their rates differ by −ω × Δv.
#[test]
fn uniform_velocity_changes_no_acceleration() {
    for level in LEVELS {
        let recipe = Recipe { floating: true, prescribed: 0.3, ..Recipe::small(level) };
        sweep(&format!("Galilean invariance, {level:?}"), SYSTEMS / 2, TOLERANCE, |seed| {
            let (model, mut state) = random_case(&recipe, seed + 400);
            let rest = evaluated(&model, &mut state, FlexibleRoute::Automatic).accelerations.chidot;
            let base = model.layout.bodies[0].joint_v();
            let added = Random::new(seed).vector(10.0);
            let spin: Vector3 = std::array::from_fn(|i| state.v[base.start + i]);
            for i in 0..3 {
                state.v[base.start + 3 + i] += added[i];
            }
            let mut found = evaluated(&model, &mut state, FlexibleRoute::Automatic).accelerations.chidot;
            let turning = cross(&spin, &added);
            for i in 0..3 {
                found[base.start + 3 + i] += turning[i];
            }
            relative_error(&found, &rest, 1.0)
        });
    }
}

/// Accelerations, kinetic energy and potential energy of a description at a state of it.
fn observed(description: Description, state: &State) -> (Vec<f64>, f64, f64, Workspace) {
    let model = build(description).expect("valid").model;
    let state = &mut state.clone();
    let work = evaluated(&model, state, FlexibleRoute::Automatic);
    let e = energy(&model, state, &work.motion, &work.inertias);
    (work.accelerations.chidot.clone(), e.kinetic, e.gravity + e.elastic + e.springs, work)
}

/// Turns and moves a frame description by (`turn`, `shift`): x → turn x + shift.
fn moved(frame: &FrameDescription, turn: &Matrix3, shift: &Vector3) -> FrameDescription {
    let RotationDescription::Quaternion(q) = frame.rotation else { unreachable!("random frames") };
    let rotation = RotationDescription::Matrix(matrix_product(turn, &matrix_from_quaternion(&q)));
    let position = add(&matrix_vector(turn, &frame.position), shift);
    FrameDescription { rotation, position, ..frame.clone() }
}

/// The whole system turned and moved in space, with gravity and inertial forces: accelerations and
/// kinetic energy stay, the potential changes by the weight times the lift, at all levels.
#[test]
fn turning_and_moving_everything_changes_nothing() {
    for level in LEVELS {
        let recipe = Recipe { prescribed: 0.3, ..Recipe::small(level) };
        sweep(&format!("frame invariance, {level:?}"), SYSTEMS / 2, TOLERANCE, |seed| {
            let mut random = Random::new(seed + 500);
            let before = recipe.describe(&mut random);
            let state = random_state(&build(before.clone()).expect("valid").model, &mut random);
            let (turn, shift) = (rotation_exp(&random.vector(2.0)), random.vector(3.0));
            let mut after = before.clone();
            after.gravity = matrix_vector(&turn, &before.gravity);
            after.ground_frames = before.ground_frames.iter().map(|f| moved(f, &turn, &shift)).collect();
            for force in after.forces.iter_mut().filter(|force| force.inertial) {
                force.force = matrix_vector(&turn, &force.force);
                force.moment = matrix_vector(&turn, &force.moment);
            }
            let lift = dot(&after.gravity, &shift);
            let (a, t, v, work) = observed(before, &state);
            let (b, turned_t, turned_v, _) = observed(after, &state);
            let mass: f64 = work.inertias.rigid.iter().map(SymmetricSpatial::mass).sum();
            relative_error(&b, &a, 1.0).max(relative_error(&[turned_t], &[t], 1.0)).max(relative_error(
                &[turned_v],
                &[v - mass * lift],
                (mass * lift).abs().max(1.0),
            ))
        });
    }
}

/// Describes a body in a reference frame turned and moved by (`turn`, `shift`) relative to the old one.
fn rebase(body: &mut BodyDescription, turn: &Matrix3, shift: &Vector3) {
    let at = |x: &Vector3| transposed_matrix_vector(turn, &sub(x, shift));
    let along = |x: &Vector3| transposed_matrix_vector(turn, x);
    let inertia = |j: &Matrix3| matrix_product(&transposed(turn), &matrix_product(j, turn));
    match &mut body.kind {
        BodyKind::Rigid(rigid) => {
            rigid.center_of_mass = at(&rigid.center_of_mass);
            rigid.inertia = inertia(&rigid.inertia);
        }
        BodyKind::Modal(modal) => {
            for node in &mut modal.nodes {
                node.position = at(&node.position);
                node.offset = along(&node.offset);
                node.inertia = inertia(&node.inertia);
                for list in [&mut node.slopes, &mut node.translations, &mut node.quadratic] {
                    list.iter_mut().for_each(|vector| *vector = along(vector));
                }
            }
        }
        _ => unreachable!("random bodies are rigid or modal"),
    }
    let back = transposed(turn);
    for frame in &mut body.frames {
        let origin = if frame.place == Place::Origin { negate(&along(shift)) } else { [0.0; 3] };
        *frame = moved(frame, &back, &origin);
    }
}

/// Difference in accelerations and kinetic energy when every body uses another reference frame;
/// `still` takes the modal speeds out of the state.
fn rebasing_error(level: InertiaLevel, seed: u64, still: bool) -> f64 {
    let mut random = Random::new(seed + 600);
    let before = Recipe { prescribed: 0.3, ..Recipe::small(level) }.describe(&mut random);
    let model = build(before.clone()).expect("valid").model;
    let mut state = random_state(&model, &mut random);
    if still {
        model.layout.bodies.iter().for_each(|part| state.v[part.modal_v()].fill(0.0));
    }
    let mut after = before.clone();
    for body in &mut after.bodies {
        rebase(body, &rotation_exp(&random.vector(2.0)), &random.vector(1.0));
    }
    let ((a, t, ..), (b, u, ..)) = (observed(before, &state), observed(after, &state));
    relative_error(&b, &a, 1.0).max(relative_error(&[u], &[t], 1.0))
}

/// The reference frame of a body is a matter of description: any other frame rigidly connected to it
/// gives the same accelerations. At `ruthless` only without modal speeds: with a deforming inboard
/// point the frozen kinematics drops ω × η̇ terms whose size depends on where the frame is.
#[test]
fn reference_frames_of_bodies_are_arbitrary() {
    for level in LEVELS {
        let still = level == InertiaLevel::Ruthless;
        sweep(&format!("reference frames, {level:?}"), SYSTEMS, TOLERANCE, |seed| {
            rebasing_error(level, seed, still)
        });
    }
    let dropped = |seed| rebasing_error(InertiaLevel::Ruthless, seed, false);
    let worst = (1..=40).map(dropped).fold(0.0, f64::max);
    assert!(worst > 1e-3, "{worst:.1e}");
}

/// Angular momentum about any point: H(p) = H(0) − p × P.
#[test]
fn momentum_about_another_point() {
    sweep("momentum about a point", 50, 1e-12, |seed| {
        let (model, mut state) = random_case(&Recipe::everything(&[InertiaLevel::Full]), seed);
        let work = evaluated(&model, &mut state, FlexibleRoute::Automatic);
        let at = |p: &[f64; 3]| momentum(&model, &state, &work.motion, &work.inertias, p);
        let point = [0.7, -1.1, 2.3];
        let (here, there) = (at(&[0.0; 3]), at(&point));
        let expected = sub(&here.angular, &cross(&point, &here.linear));
        let scale = expected.iter().chain(&here.linear).fold(1.0_f64, |m, x| m.max(x.abs()));
        (0..3).fold(0.0_f64, |m, i| m.max((there.angular[i] - expected[i]).abs())) / scale
    });
}

/// The powers of single forces and joints add up to the powers of all of their kind.
#[test]
fn powers_of_single_forces_add_up() {
    sweep("powers", 50, 1e-11, |seed| {
        let (model, mut state) = random_case(&Recipe::everything(&[InertiaLevel::Consistent]), seed);
        let mut work = evaluated(&model, &mut state, FlexibleRoute::Automatic);
        let mut recorder = flexura::Recorder::new(&model, &["*power*".to_string()]).unwrap();
        let mut row = vec![0.0; recorder.channels().len() + 1];
        recorder.sample(&model, &state, 0.0, &mut work, &mut row).unwrap();
        let sum = |ending: &str| -> f64 {
            let named = recorder.channels().iter().zip(&row[1..]).filter(|(c, _)| c.name.ends_with(ending));
            named.map(|(_, value)| value).sum()
        };
        let pairs =
            [(sum(".force_power"), sum("power.forces")), (sum(".driving_power"), sum("power.drivers"))];
        pairs.iter().fold(0.0_f64, |m, (a, b)| m.max((a - b).abs() / (1.0 + b.abs())))
    });
}
