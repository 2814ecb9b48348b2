//! The generated equations with symbols for coordinates and speeds, and code written from them.
//!
//! Source: Richard (2012), section 5: the program that generates the equations of motion from a spanning tree writes them down. The generator
//! of the numbers (`generate`) runs with [`Traced`] numbers; v̇^p and Λ are derivatives of the formulas along q̇ (`derivative`). What is
//! left are the terms of M̂, Q, Φ_q and Λ over q and u, each operation once.
//!
//! | what | file |
//! |---|---|
//! | formulas, and their values at a state | here, `program` |
//! | derivatives along the motion | `derivative` |
//! | sums of products of sines, cosines, coordinates and speeds; text and LaTeX | `polynomial`, `text` |
//! | C and Rust | `code` |
//!
//! Accelerations of prescribed coordinates are inputs of the code. What depends on time otherwise, on controllers or on switching elements is
//! refused: formulas are compared with the numbers of the engine at other states and times before they are given out.

mod code;
mod derivative;
mod polynomial;
mod program;
mod text;

pub use code::Language;
pub use program::{Counts, Program};

use super::bias::BiasMotion;
use super::generate::Generator;
use super::{Equations, INEXACT, INEXACT_FIX, inexact_joint};
use crate::constraint::loop_motion;
use crate::model::Model;
use crate::model::joint::JointKind;
use crate::motion::retract::coordinate_rates;
use crate::scalar::{Scalar, Tape, Traced};
use crate::spatial::{Spatial, rotate6};
use crate::state::State;
use crate::workspace::Workspace;
use derivative::along;

/// Difference to the numbers of the engine, relative to the largest entry, above which formulas are not those of the model.
const SAME: f64 = 1e-10;
/// States at which formulas are compared.
const STATES: u64 = 4;

/// The equations of a model as formulas.
#[derive(Clone, Debug)]
pub struct Symbolic {
    /// Name of the model.
    pub name: String,
    /// Names of the coordinates q, in order.
    pub coordinates: Vec<String>,
    /// Names of the speeds u, in order.
    pub speeds: Vec<String>,
    /// Whether the acceleration of a speed is given.
    pub prescribed: Vec<bool>,
    /// Number of constraint rows.
    pub rows: usize,
    /// The operations; outputs are M̂ row by row, Q, Φ_q row by row, Λ.
    pub program: Program,
}

impl Symbolic {
    /// The formulas of `model`; refused, with the reason, where it has parts that are no formulas of q and u.
    pub fn generate(model: &Model) -> Result<Self, String> {
        refuse(model)?;
        let state = general_state(model, 0, 0.0);
        let (tape, outputs) = Tape::of(|| trace(model, &state));
        let out = Self {
            name: model.name.clone(),
            coordinates: names(model, true),
            speeds: names(model, false),
            prescribed: model.prescribed.clone(),
            rows: model.constraint_count(),
            program: Program::new(&tape, outputs, state.q.len() + state.v.len()),
        };
        out.check(model)?;
        Ok(out)
    }

    /// M̂, Q, Φ_q and Λ from the formulas at coordinates `q` and speeds `u`.
    pub fn evaluate(&self, q: &[f64], u: &[f64]) -> Equations {
        let values = self.program.evaluate(&[q, u].concat());
        let n = self.speeds.len();
        let mut rest = values.into_iter();
        let mut take = |count: usize| rest.by_ref().take(count).collect::<Vec<f64>>();
        Equations {
            speeds: n,
            mass: take(n * n),
            force: take(n),
            jacobian: take(self.rows * n),
            right: take(self.rows),
            prescribed: self.prescribed.clone(),
            given: vec![0.0; n],
        }
    }

    /// Compares with the numbers of the engine at states and times not seen yet.
    fn check(&self, model: &Model) -> Result<(), String> {
        for seed in 1..=STATES {
            let state = general_state(model, seed, 0.37 * seed as f64);
            let mut work = Workspace::new(model);
            work.kinematics(model, &state);
            work.poses(model, &state);
            work.loads(model, &state);
            let (mut bias, mut numbers) = (BiasMotion::new(model), Equations::new(model));
            bias.evaluate(model, &state);
            let mut generator = Generator::new(model);
            generator.fill(model, &state, &work, &mut numbers);
            generator.fill_forces(model, &work, &bias.acceleration, &mut numbers);
            let found = self.evaluate(&state.q, &state.v);
            let pairs = [
                ("M̂", &found.mass, &numbers.mass),
                ("Q", &found.force, &numbers.force),
                ("Φ_q", &found.jacobian, &numbers.jacobian),
                ("Λ", &found.right, &bias.right),
            ];
            for (what, found, known) in pairs {
                let size = known.iter().fold(1e-300, |most: f64, x| most.max(x.abs()));
                // A number that is none is not the same either.
                let same = found.iter().zip(known).all(|(a, b)| (a - b).abs() <= SAME * size);
                if !same {
                    return Err(format!(
                        "{what} of `{}` is no formula of coordinates and speeds alone: something depends on time, or switches \
                         with the state (contacts, stops, tables); leave it out",
                        self.name
                    ));
                }
            }
        }
        Ok(())
    }
}

/// What has no formula, by name.
fn refuse(model: &Model) -> Result<(), String> {
    if let Some(joint) = inexact_joint(model) {
        return Err(format!("{INEXACT} (joint `{joint}`): {INEXACT_FIX}"));
    }
    if let Some(controller) = model.controllers.first() {
        return Err(format!(
            "controller `{}`: its states are not in the equations; leave it out",
            controller.name
        ));
    }
    let driven = |row: &crate::model::closure::Row| row.driver.is_some();
    if let Some(joint) = model.loops.iter().find(|joint| joint.rows.iter().any(driven)) {
        return Err(format!(
            "joint `{}` closes a loop and is driven, so that Λ depends on time; cut the loop at another joint ([graph] cut)",
            joint.name
        ));
    }
    Ok(())
}

/// Names of all coordinates, or of all speeds, in their order.
fn names(model: &Model, coordinates: bool) -> Vec<String> {
    let mut list = Vec::new();
    for (k, part) in model.layout.bodies.iter().enumerate() {
        let (body, joint) = (&model.bodies[k].name, &model.joints[k]);
        let word = if coordinates { "eta" } else { "eta_rate" };
        list.extend((1..=part.modes).map(|mode| format!("{body}.{word}.{mode}")));
        let (kind, owner) = (&joint.joint.kind, &joint.name);
        if coordinates {
            list.extend(kind.coordinate_names().iter().map(|(word, _)| format!("{owner}.{word}")));
        } else {
            list.extend(kind.speed_names().iter().map(|(word, ..)| format!("{owner}.{word}")));
        }
    }
    list
}

/// Coordinates and speeds without symmetry, from a number; quaternions are units.
fn general_state(model: &Model, seed: u64, time: f64) -> State {
    let mut state = State::unprescribed(model, time);
    let mut word = 0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed + 1);
    let mut next = || {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
        (word >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    for (part, joint) in model.layout.bodies.iter().zip(&model.joints) {
        // Deformations are small beside joint motion.
        state.q[part.modal_q()].iter_mut().for_each(|x| *x = 1e-2 * next());
        state.v[part.modal_v()].iter_mut().for_each(|x| *x = next());
        let q = &mut state.q[part.joint_q()];
        q.iter_mut().for_each(|x| *x = 1.7 * next());
        if matches!(joint.joint.kind, JointKind::Spherical | JointKind::Free) {
            q[0] += 1.5;
            let norm = q[..4].iter().map(|x| x * x).sum::<f64>().sqrt();
            q[..4].iter_mut().for_each(|x| *x /= norm);
        }
        state.v[part.joint_v()].iter_mut().for_each(|x| *x = 3.0 * next());
    }
    state
}

/// Runs the generator with symbols; returns M̂, Q, Φ_q and Λ.
fn trace(model: &Model, at: &State) -> Vec<Traced> {
    let coordinates = at.q.len();
    let mut state = State::<Traced>::lift(at);
    let symbols = |first: usize, slots: &mut [Traced], values: &[f64]| {
        for (i, (slot, &value)) in slots.iter_mut().zip(values).enumerate() {
            *slot = Traced::symbol((first + i) as u32, value);
        }
    };
    symbols(0, &mut state.q, &at.q);
    symbols(coordinates, &mut state.v, &at.v);
    let mut rates = vec![Traced::ZERO; coordinates];
    coordinate_rates(model, &state, &mut rates);
    let mut work = Workspace::<Traced>::new(model);
    work.kinematics(model, &state);
    work.poses(model, &state);
    work.loads(model, &state);
    let mut velocities: Vec<Traced> = Vec::new();
    for k in 0..model.body_count() {
        velocities.extend(rotate6(&work.motion.poses.rotation[k], &work.motion.poses.velocity[k]));
    }
    for joint in &model.loops {
        let (_, relative) = loop_motion(model, &state, &work, joint);
        velocities.extend(joint.rows.iter().map(|row| row.shape.evaluate(&relative, &[0.0; 3]).rate));
    }
    let accelerations = along(&velocities, &rates);
    let (bodies, rows) = accelerations.split_at(6 * model.body_count());
    let mut bias: Vec<Spatial<Traced>> =
        bodies.chunks_exact(6).map(|six| std::array::from_fn(|i| six[i])).collect();
    for slot in &mut bias {
        for i in 0..3 {
            slot[3 + i] -= Traced::from_f64(model.gravity[i]);
        }
    }
    let (mut generator, mut out) = (Generator::new(model), Equations::new(model));
    generator.fill(model, &state, &work, &mut out);
    generator.fill_forces(model, &work, &bias, &mut out);
    let right: Vec<Traced> = rows.iter().map(|&rate| -rate).collect();
    [out.mass, out.force, out.jacobian, right].concat()
}
