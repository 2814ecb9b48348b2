//! Algorithms agree with each other on random trees: inverse, composite-body and
//! articulated-body dynamics, both eliminations of modes, the innovations
//! factorisation, and bodies described in equivalent ways.
//!
//! Tolerance 1e-9 relative: the systems have up to 60 bodies and some hundred
//! speeds, so that rounding is amplified by their condition number, at most
//! about 1e6. Every failure prints the seed that reproduces it.

use crate::common::random_model::*;
use crate::common::relative_error;
use flexura::algorithm::FlexibleRoute;
use flexura::algorithm::articulated_body::articulated_body;
use flexura::algorithm::composite_body::{CompositeBody, composite_body, mass_matrix};
use flexura::algorithm::innovations::{Innovations, log_determinant, multiply, solve};
use flexura::algorithm::inverse_dynamics::{InverseDynamics, Terms, inverse_dynamics};
use flexura::model::description::*;
use flexura::spatial::*;
use flexura::{DynamicsError, Load, Model, State, Workspace, build};

const SYSTEMS: u64 = 200;
const TOLERANCE: f64 = 1e-9;

/// Generalised forces that inverse dynamics finds for the accelerations in `work`.
fn required_forces(model: &Model, work: &Workspace, chidot: &[f64]) -> InverseDynamics {
    let mut inverse = InverseDynamics::new(model);
    let wrench = &work.load.wrench;
    inverse_dynamics(
        model,
        &work.motion.kinematics,
        &work.inertias,
        chidot,
        wrench,
        Terms::All,
        &mut inverse,
    );
    inverse
}

fn composite(model: &Model, work: &Workspace) -> CompositeBody {
    let mut out = CompositeBody::new(model).expect("small enough");
    composite_body(model, &work.motion.kinematics, &work.inertias, &work.load, &mut out)
        .expect("well conditioned");
    out
}

/// The applied forces, with driving forces where the speed is prescribed.
fn total_forces(load: &Load, driving: &[f64]) -> Vec<f64> {
    load.generalized.iter().zip(driving).map(|(a, b)| a + b).collect()
}

/// inverse(forward(forces)) = forces: the load on free speeds, load plus driving force on prescribed
/// ones, at all levels, by both eliminations of modes.
#[test]
fn inverse_dynamics_of_forward_dynamics_is_the_load() {
    let recipe = Recipe::everything(&LEVELS);
    sweep("inverse(forward(load)) = load", SYSTEMS, TOLERANCE, |seed| {
        let (model, mut state) = random_case(&recipe, seed);
        let route = [FlexibleRoute::Direct, FlexibleRoute::LowRank][seed as usize % 2];
        let work = evaluated(&model, &mut state, route);
        let expected = total_forces(&work.load, &work.accelerations.driving);
        let found = required_forces(&model, &work, &work.accelerations.chidot).generalized;
        relative_error(&found, &expected, 1.0)
    });
}

/// Articulated-body and composite-body dynamics give the same accelerations and driving forces.
#[test]
fn articulated_body_equals_composite_body() {
    let recipe = Recipe::everything(&LEVELS);
    sweep("articulated = composite", SYSTEMS, TOLERANCE, |seed| {
        let (model, mut state) = random_case(&recipe, seed + 1000);
        let work = evaluated(&model, &mut state, FlexibleRoute::Automatic);
        let reference = composite(&model, &work);
        let motion = relative_error(&work.accelerations.chidot, &reference.chidot, 1.0);
        motion.max(relative_error(&work.accelerations.driving, &reference.driving, 1.0))
    });
}

/// Both eliminations of constant modal blocks give the same accelerations and driving forces.
#[test]
fn routes_of_modal_elimination_agree() {
    let recipe = Recipe { rules: false, ..Recipe::everything(&[InertiaLevel::Ruthless]) };
    sweep("direct = low rank", SYSTEMS, TOLERANCE, |seed| {
        let (model, mut state) = random_case(&recipe, seed);
        let direct = evaluated(&model, &mut state, FlexibleRoute::Direct).accelerations;
        let low_rank = evaluated(&model, &mut state, FlexibleRoute::LowRank).accelerations;
        let motion = relative_error(&low_rank.chidot, &direct.chidot, 1.0);
        motion.max(relative_error(&low_rank.driving, &direct.driving, 1.0))
    });
}

/// Lower Cholesky factor, its diagonal's logarithms summed: log det of a symmetric matrix.
fn log_det(matrix: &[f64], n: usize) -> f64 {
    let mut l = matrix.to_vec();
    let mut sum = 0.0;
    for j in 0..n {
        for i in j..n {
            let done: f64 = (0..j).map(|k| l[i * n + k] * l[j * n + k]).sum();
            let rest = l[i * n + j] - done;
            l[i * n + j] = if i == j { rest.sqrt() } else { rest / l[j * n + j] };
        }
        sum += 2.0 * l[j * n + j].ln();
    }
    sum
}

fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    matrix.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

/// M x, M⁻¹ x and log det M of the innovations factorisation are those of the composite-body matrix.
#[test]
fn innovations_factorise_the_mass_matrix() {
    let recipe = Recipe { prescribed: 0.0, ..Recipe::everything(&LEVELS) };
    sweep("M M⁻¹ = 1, M x, log det M", SYSTEMS, TOLERANCE, |seed| {
        let (model, mut state) = random_case(&recipe, seed + 2000);
        let work = evaluated(&model, &mut state, FlexibleRoute::Direct);
        let n = model.speed_count();
        if n == 0 {
            return 0.0;
        }
        let mut reference = CompositeBody::new(&model).expect("small enough");
        mass_matrix(&model, &work.motion.kinematics, &work.inertias, &mut reference);
        let x = Random::new(seed).numbers(n, 1.0);
        let (mut product, mut inverse, mut back) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
        let (kin, factors, mut scratch) =
            (&work.motion.kinematics, &work.articulated, Innovations::new(&model));
        multiply(&model, kin, factors, &x, &mut scratch, &mut product).expect("factors");
        solve(&model, kin, factors, &x, &mut scratch, &mut inverse).expect("factors");
        multiply(&model, kin, factors, &inverse, &mut scratch, &mut back).expect("factors");
        let expected = log_det(&reference.mass, n);
        let determinant =
            (log_determinant(&model, factors).expect("factors") - expected).abs() / expected.abs().max(1.0);
        // The Newton-Euler factorisation (eq. 3.45): inverse dynamics without bias and gravity.
        let mut newton_euler = InverseDynamics::new(&model);
        inverse_dynamics(&model, kin, &work.inertias, &x, &[], Terms::MassOnly, &mut newton_euler);
        relative_error(&product, &times(&reference.mass, &x), 1.0)
            .max(relative_error(&newton_euler.generalized, &product, 1.0))
            .max(relative_error(&times(&reference.mass, &inverse), &x, 1.0))
            .max(relative_error(&back, &x, 1.0))
            .max(determinant)
    });
}

/// Factors that are not those of the whole mass matrix are refused, not used.
#[test]
fn innovations_need_all_factors() {
    let recipe = Recipe { rules: false, prescribed: 0.0, ..Recipe::small(InertiaLevel::Ruthless) };
    let mut cases = (1..).map(|seed| random_case(&recipe, seed));
    let (model, mut state) = cases.find(|(model, _)| model.layout.modal > 0).expect("endless");
    let direct = evaluated(&model, &mut state, FlexibleRoute::Direct);
    assert!(log_determinant(&model, &direct.articulated).is_ok());
    let low_rank = evaluated(&model, &mut state, FlexibleRoute::LowRank);
    assert_eq!(log_determinant(&model, &low_rank.articulated), Err(DynamicsError::NoFactors));
    let mut driven = direct;
    driven.load.prescribed.fill(true);
    driven.accelerations(&model).expect("well conditioned");
    assert_eq!(log_determinant(&model, &driven.articulated), Err(DynamicsError::NoFactors));
}

/// With all joint accelerations given, the modal accelerations found need no modal forces beyond the
/// load, and the driving forces are those of inverse dynamics. The same workspace then runs free.
#[test]
fn given_joint_motion_yields_consistent_modal_accelerations() {
    let recipe = Recipe { prescribed: 0.0, ..Recipe::everything(&LEVELS) };
    sweep("under-actuated inverse dynamics", SYSTEMS, TOLERANCE, |seed| {
        let (model, mut state) = random_case(&recipe, seed + 3000);
        let mut work = evaluated(&model, &mut state, FlexibleRoute::Automatic);
        let free = work.accelerations.chidot.clone();
        let mut random = Random::new(seed);
        let mut load = work.load.clone();
        for part in &model.layout.bodies {
            load.prescribed[part.joint_v()].fill(true);
            load.acceleration[part.joint_v()].copy_from_slice(&random.numbers(part.joint_v, 3.0));
        }
        let (kin, found) = (&work.motion.kinematics, &mut work.accelerations);
        articulated_body(&model, kin, &work.inertias, &load, &mut work.articulated, found)
            .expect("well conditioned");
        let expected = total_forces(&load, &work.accelerations.driving);
        let found = required_forces(&model, &work, &work.accelerations.chidot).generalized;
        let joint_rows = |values: &[f64]| -> Vec<f64> {
            (0..values.len()).filter(|&i| load.prescribed[i]).map(|i| values[i]).collect()
        };
        let given = joint_rows(&work.accelerations.chidot);
        work.accelerations(&model).expect("well conditioned");
        // Free again: nothing may be left of the driving forces.
        let nothing = vec![0.0; model.speed_count()];
        relative_error(&found, &expected, 1.0)
            .max(relative_error(&given, &joint_rows(&load.acceleration), 1.0))
            .max(relative_error(&work.accelerations.chidot, &free, 1.0))
            .max(relative_error(&work.accelerations.driving, &nothing, 1.0))
    });
}

/// Accelerations and mass matrix, by composite bodies.
fn dynamics(description: Description, state: &State) -> (Vec<f64>, Vec<f64>) {
    let model = build(description).expect("valid").model;
    let work = evaluated(&model, &mut state.clone(), FlexibleRoute::Automatic);
    let mut matrix = CompositeBody::new(&model).expect("small enough");
    mass_matrix(&model, &work.motion.kinematics, &work.inertias, &mut matrix);
    (work.accelerations.chidot, matrix.mass)
}

/// Largest difference in accelerations and mass matrix of two descriptions at one state.
fn difference(one: Description, other: Description, state: &State) -> f64 {
    let ((a, m), (b, n)) = (dynamics(one, state), dynamics(other, state));
    relative_error(&a, &b, 1.0).max(relative_error(&m, &n, 1.0))
}

/// Undeformed and without modal speeds all levels have the same accelerations and mass matrix; the
/// bodies turn at any speed. Tolerance 1e-12: nothing but rounding of up to ten bodies.
#[test]
fn undeformed_levels_coincide() {
    sweep("levels at zero deformation", SYSTEMS, 1e-12, |seed| {
        let recipe = Recipe { prescribed: 0.3, ..Recipe::small(InertiaLevel::Full) };
        let mut random = Random::new(seed + 5000);
        let description = recipe.describe(&mut random);
        let model = build(description.clone()).expect("valid").model;
        let mut state = random_state(&model, &mut random);
        undeform(&model, &mut state);
        let at_level = |level| {
            let mut copy = description.clone();
            copy.bodies.iter_mut().filter(|b| b.level.is_some()).for_each(|b| b.level = Some(level));
            copy
        };
        let full = || at_level(InertiaLevel::Full);
        LEVELS.iter().fold(0.0, |worst, &level| difference(at_level(level), full(), &state).max(worst))
    });
}

/// A flexible body without modes moves like the rigid body with its mass, centre and inertia.
#[test]
fn zero_mode_body_is_rigid() {
    sweep("zero modes = rigid", SYSTEMS, 1e-11, |seed| {
        let level = LEVELS[seed as usize % LEVELS.len()];
        let recipe = Recipe { modes: 0, prescribed: 0.3, ..Recipe::small(level) };
        let mut random = Random::new(seed + 6000);
        let mut flexible = recipe.describe(&mut random);
        let first = &mut flexible.bodies[0];
        if matches!(first.kind, BodyKind::Rigid(_)) {
            (first.kind, first.level) = (BodyKind::Modal(modal(0, &mut random)), Some(level));
        }
        let mut merged = flexible.clone();
        merged.bodies.iter_mut().for_each(merge_nodes);
        let model = build(flexible.clone()).expect("valid").model;
        let state = random_state(&model, &mut random);
        difference(flexible, merged, &state)
    });
}

/// Replaces a body of nodes without modes by the rigid body with the same mass properties.
fn merge_nodes(body: &mut BodyDescription) {
    let BodyKind::Modal(modal) = &body.kind else { return };
    for frame in &mut body.frames {
        if let Place::Node(name) = &frame.place {
            let node = modal.nodes.iter().find(|node| node.name == *name).expect("named node");
            frame.position = add(&frame.position, &node.position);
            frame.place = Place::Origin;
        }
    }
    let at = |node: &NodeDescription| add(&node.position, &node.offset);
    let mass: f64 = modal.nodes.iter().map(|node| node.mass).sum();
    let moment = modal.nodes.iter().fold([0.0; 3], |sum, n| add(&sum, &scale(n.mass, &at(n))));
    let center_of_mass = scale(1.0 / mass, &moment);
    let mut inertia = [[0.0; 3]; 3];
    for node in &modal.nodes {
        // Own inertia about the node's centre, then the distance to the common centre.
        let arm = sub(&at(node), &center_of_mass);
        let (own, far) = (skew(&node.offset), skew(&arm));
        let (own, far) = (matrix_product(&own, &own), matrix_product(&far, &far));
        for i in 0..3 {
            for j in 0..3 {
                inertia[i][j] += node.inertia[i][j] + node.mass * (own[i][j] - far[i][j]);
            }
        }
    }
    body.kind = BodyKind::Rigid(RigidDescription { mass, center_of_mass, inertia });
    (body.level, body.attachments) = (None, None);
}

/// Level `paper` by integrals over the body equals the same level by node sums, which an all-zero
/// quadratic term selects.
#[test]
fn paper_integrals_equal_node_sums() {
    sweep("paper: integrals = node sums", SYSTEMS, 1e-11, |seed| {
        let recipe = Recipe::small(InertiaLevel::Paper);
        let mut random = Random::new(seed + 7000);
        let mut integrals = recipe.describe(&mut random);
        set_quadratic(&mut integrals, |_| Vec::new());
        let mut sums = integrals.clone();
        set_quadratic(&mut sums, |modes| vec![[0.0; 3]; modes * modes]);
        let model = build(sums.clone()).expect("valid").model;
        let state = random_state(&model, &mut random);
        difference(integrals, sums, &state)
    });
}

fn set_quadratic(description: &mut Description, value: impl Fn(usize) -> Vec<[f64; 3]>) {
    for body in &mut description.bodies {
        if let BodyKind::Modal(modal) = &mut body.kind {
            modal.nodes.iter_mut().for_each(|node| node.quadratic = value(modal.modes));
        }
    }
}

/// The random trees of these tests really contain what they should: all sizes, kinds and directions,
/// prescribed coordinates of every kind, all levels, shared nodes, anchored bodies.
#[test]
fn random_trees_cover_all_kinds() {
    let mut seen = std::collections::HashSet::new();
    let (mut largest, mut modes) = (0, 0);
    for seed in 1..=200 {
        let (model, _) = random_case(&Recipe::everything(&LEVELS), seed);
        largest = largest.max(model.body_count());
        for (k, (joint, body)) in model.joints.iter().zip(&model.bodies).enumerate() {
            modes = modes.max(body.modes);
            let driven = joint.coordinates.iter().any(|c| c.motion.is_some());
            let twin = model.joints[..k].iter().any(|other| {
                other.parent.is_some()
                    && other.parent == joint.parent
                    && other.outer.attachment == joint.outer.attachment
                    && joint.outer.attachment > 0
            });
            seen.insert(format!("{} driven {driven}", joint.joint.kind.word()));
            seen.insert(format!("{} reversed {}", joint.joint.kind.word(), joint.joint.reversed));
            seen.insert(format!("{:?} {:?}", body.level(), body.rule));
            seen.insert(format!("shared node {twin}"));
        }
    }
    // 10 + 9 driven kinds, 10 + 5 reversed kinds, 15 pairs of level and rule, shared or not
    assert_eq!((largest, modes, seen.len()), (60, 8, 19 + 15 + 15 + 2), "{seen:#?}");
}
