//! Jacobians of frames and the retraction against velocities and against derivatives of places.

use crate::common::random_model::*;
use flexura::model::description::InertiaLevel;
use flexura::motion::Motion;
use flexura::motion::retract::{move_by_twist, retract};
use flexura::scalar::{Dual, Scalar};
use flexura::{Model, State};
use flexura_samples::chains;

/// Levels whose points move with the deformation as they are seen to: `ruthless` and `paper` keep them undeformed.
const EXACT: [InertiaLevel; 3] = [InertiaLevel::Gram, InertiaLevel::Full, InertiaLevel::Consistent];

/// The state that moves by `twist` from `state`, as duals.
fn moved(model: &Model, state: &State, twist: &[f64]) -> State<Dual<1>> {
    let mut moving = State::<Dual<1>>::lift(state);
    let start = moving.q.clone();
    let step: Vec<Dual<1>> = twist.iter().map(|&x| Dual::new(0.0, [x])).collect();
    move_by_twist(model, &start, &step, &mut moving.q);
    moving
}

/// Largest difference of J v from the velocity of a frame and from the derivative of its place, over its velocity.
fn apart(model: &Model, state: &State) -> f64 {
    let mut motion = Motion::new(model);
    motion.evaluate(model, state);
    let mut moving = Motion::<Dual<1>>::new(model);
    let ahead = moved(model, state, &state.v);
    moving.evaluate(model, &ahead);
    let mut columns = vec![[0.0; 6]; model.speed_count()];
    let mut worst = 0.0_f64;
    for frame in &model.frames {
        motion.frame_jacobian(model, state, frame, &mut columns);
        let found = motion.frame(model, state, frame);
        let place = moving.frame(model, &ahead, frame).position;
        let size = 1.0 + found.velocity.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        for i in 0..6 {
            let sum: f64 = columns.iter().zip(&state.v).map(|(column, v)| column[i] * v).sum();
            worst = worst.max((sum - found.velocity[i]).abs() / size);
            if i >= 3 {
                worst = worst.max((sum - place[i - 3].eps[0]).abs() / size);
            }
        }
    }
    worst
}

#[test]
fn jacobians_give_velocities_and_derivatives_of_places() {
    sweep("frames: J v = velocity = d place", 60, 1e-11, |seed| {
        let (model, state) = random_case(&Recipe { rules: false, ..Recipe::everything(&EXACT) }, seed);
        apart(&model, &state)
    });
}

/// Frames that no joint uses are not carried by the recursions, which leave them undeformed.
#[test]
fn frames_that_are_only_looked_at_move_too() {
    let models = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for name in ["controlled_arm", "satellite", "rotor_blade", "flexible_arm"] {
        let loaded = flexura::file::load_model(models.join(format!("{name}.toml")));
        let model = loaded.unwrap_or_else(|error| panic!("{error}")).built.model;
        let found = apart(&model, &chains::random_state(&model, 5));
        println!("{name}: {found:.1e}");
        assert!(found < 1e-12, "{name}: {found:.1e}");
    }
}

/// Both charts agree to first order, but for places of free joints, which one takes along parent and the other along body axes.
#[test]
fn charts_agree_to_first_order() {
    sweep("charts", 40, 1e-12, |seed| {
        let (model, state) = random_case(&Recipe::everything(&LEVELS), seed);
        let start: Vec<Dual<1>> = state.q.iter().map(|&x| Dual::from_f64(x)).collect();
        let (mut one, mut other) = (start.clone(), start.clone());
        let step: Vec<Dual<1>> = state.v.iter().map(|&x| Dual::new(0.0, [x])).collect();
        retract(&model, &start, &step, &mut one);
        move_by_twist(&model, &start, &step, &mut other);
        let mut worst = 0.0_f64;
        for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
            let free = matches!(joint.joint.kind, flexura::model::joint::JointKind::Free);
            let range = if free {
                part.joint_q().start..part.joint_q().start + 4
            } else {
                part.q..part.joint_q().end
            };
            worst = range.fold(worst, |most, i| most.max((one[i].eps[0] - other[i].eps[0]).abs()));
        }
        worst
    });
}
