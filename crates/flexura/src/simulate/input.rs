//! Inputs: numbers of a model that are set from outside while it runs.
//!
//! | name | what it is |
//! |---|---|
//! | `JOINT.effort`, `JOINT.effort.K` | effort of the K-th coordinate of a joint (N, N m) |
//! | `ACTUATOR.effort` | effort of an actuator element (N, N m) |
//! | `FORCE.scale` | factor of an applied force |
//! | `CONTROLLER.reference`, `CONTROLLER.reference.K` | wanted value of the K-th sensor |
//! | `JOINT.acceleration`, `JOINT.acceleration.K` | acceleration of a coordinate with a prescribed motion (m/s², rad/s²) |
//!
//! An input takes the place of the function of time in the file, which must be absent or a constant: its start. It is put into the
//! model as it was built, not into the description: an effort that is there, though zero, may lead the graph to another tree.
//! Positions cannot be inputs: held over a piece they would jump at its start. An acceleration that is held moves a coordinate on
//! from where it is, p(t) = p₀ + ṗ₀(t − t₀) + ½ p̈ (t − t₀)². Whoever integrates the equations by himself has p and ṗ among his states: the motion then
//! goes through them at his instant ([`Input::follow`]), and their rates are ṗ and the input.

use crate::control::{Actuator, LARGEST_PORTS, drive, limited, measure_errors};
use crate::force::loop_joint::add_loop_effort;
use crate::model::Model;
use crate::model::element::ElementKind;
use crate::model::joint::JointKind;
use crate::scalar::Scalar;
use crate::state::State;
use crate::time_function::TimeFunction;
use crate::workspace::Workspace;

/// An input of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: &'static str,
    /// Value until another is set.
    pub start: f64,
    target: Target,
}

/// Where the value goes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Target {
    Joint { index: usize, coordinate: usize },
    Chord { index: usize, coordinate: usize },
    Actuator(usize),
    Force(usize),
    Reference { controller: usize, index: usize },
    Motion { index: usize, coordinate: usize },
}

/// The constant of a function that is absent or constant; `None` where it changes with time.
fn constant(function: Option<&TimeFunction>, otherwise: f64) -> Option<f64> {
    match function {
        None => Some(otherwise),
        Some(TimeFunction::Constant(value)) => Some(*value),
        Some(_) => None,
    }
}

/// `ITEM.word`, with a number where there are several.
fn numbered(item: &str, word: &str, count: usize, index: usize) -> String {
    if count == 1 { format!("{item}.{word}") } else { format!("{item}.{word}.{}", index + 1) }
}

/// Everything of a model that can be an input.
pub fn inputs_of(model: &Model) -> Vec<Input> {
    let mut list = Vec::new();
    let mut add = |name: String, unit: &'static str, start: Option<f64>, target: Target| {
        list.extend(start.map(|start| Input { name, unit, start, target }));
    };
    for (index, joint) in model.joints.iter().enumerate() {
        let (kind, units) = (&joint.joint.kind, joint.joint.kind.speed_names());
        let count = kind.degrees_of_freedom();
        for (coordinate, given) in joint.coordinates.iter().enumerate().take(count) {
            let turns = units[coordinate].2 == "N m";
            if given.motion.is_none() {
                let name = numbered(&joint.name, "effort", count, coordinate);
                let start = constant(given.effort.as_ref(), 0.0);
                add(name, units[coordinate].2, start, Target::Joint { index, coordinate });
            } else if !matches!(kind, JointKind::Spherical | JointKind::Free) {
                // What is prescribed of orientations is a rotation vector: its second derivative is no acceleration.
                let name = numbered(&joint.name, "acceleration", count, coordinate);
                let start = constant(given.motion.as_ref(), 0.0).map(|_| 0.0);
                let unit = if turns { "rad/s²" } else { "m/s²" };
                add(name, unit, start, Target::Motion { index, coordinate });
            }
        }
    }
    for (index, joint) in model.loops.iter().enumerate() {
        let (count, units) = (joint.kind.degrees_of_freedom(), joint.kind.speed_names());
        for coordinate in (0..count).filter(|&i| joint.measures[i].is_some()) {
            let given = joint.coordinates.get(coordinate);
            if given.is_none_or(|given| given.motion.is_none()) {
                let start = constant(given.and_then(|given| given.effort.as_ref()), 0.0);
                let name = numbered(&joint.name, "effort", count, coordinate);
                add(name, units[coordinate].2, start, Target::Chord { index, coordinate });
            }
        }
    }
    for (index, element) in model.elements.iter().enumerate() {
        if let ElementKind::Actuator(actuator) = &element.kind {
            let unit = if actuator.axis.is_some() { "N m" } else { "N" };
            let start = constant(Some(&actuator.effort), 0.0);
            add(format!("{}.effort", element.name), unit, start, Target::Actuator(index));
        }
    }
    for (index, force) in model.forces.iter().enumerate() {
        let start = constant(force.scale.as_ref(), 1.0);
        add(format!("{}.scale", force.name), "1", start, Target::Force(index));
    }
    for (controller, found) in model.controllers.iter().enumerate() {
        for (index, reference) in found.references.iter().enumerate() {
            let name = numbered(&found.name, "reference", found.references.len(), index);
            add(name, "1", constant(Some(reference), 0.0), Target::Reference { controller, index });
        }
    }
    list
}

/// Why `name` is no input of `model`, in words, with what could be meant.
pub fn no_input(model: &Model, name: &str) -> String {
    let possible = inputs_of(model);
    let item = name.split('.').next().unwrap_or(name);
    let joint = model.joints.iter().find(|joint| joint.name == item);
    let driven = joint.is_some_and(|joint| joint.coordinates.iter().any(|c| c.motion.is_some()));
    let why = if driven && name.ends_with(".motion") {
        format!(
            "`{name}` is no input: a position that is held would jump; write motion = 0 in the file and set `{item}.acceleration`"
        )
    } else if driven {
        format!(
            "`{name}` is no input: joint `{item}` follows a motion; one that is a constant can be moved by `{item}.acceleration`"
        )
    } else if joint.is_some() || model.controllers.iter().any(|controller| controller.name == item) {
        format!("`{name}` is no input: where the file has a function of time, that is followed")
    } else {
        format!("no input is called `{name}`")
    };
    match possible.is_empty() {
        true => format!("{why}; the model has no inputs"),
        false => {
            let names: Vec<&str> = possible.iter().map(|input| input.name.as_str()).collect();
            format!("{why}; inputs are {}", names.join(", "))
        }
    }
}

impl Input {
    /// Whether it is the acceleration of a prescribed motion, which goes on from where it is.
    pub fn is_motion(&self) -> bool {
        matches!(self.target, Target::Motion { .. })
    }

    /// Sets the value in the model, from `time` (s) on.
    pub fn set(&self, model: &mut Model, time: f64, value: f64) {
        let function = TimeFunction::Constant(value);
        match self.target {
            Target::Joint { index, coordinate } => {
                model.joints[index].coordinates[coordinate].effort = Some(function);
            }
            Target::Chord { index, coordinate } => {
                let joint = &mut model.loops[index];
                let count = joint.kind.degrees_of_freedom();
                joint.coordinates.resize(count, Default::default());
                joint.coordinates[coordinate].effort = Some(function);
            }
            Target::Actuator(index) => {
                if let ElementKind::Actuator(actuator) = &mut model.elements[index].kind {
                    actuator.effort = function;
                }
            }
            Target::Force(index) => model.forces[index].scale = Some(function),
            Target::Reference { controller, index } => {
                model.controllers[controller].references[index] = function
            }
            Target::Motion { index, coordinate } => {
                let motion = &mut model.joints[index].coordinates[coordinate].motion;
                let now = motion.as_ref().map(|motion| motion.sample(time)).unwrap_or_default();
                let (acceleration, start) = (value, time);
                let (value, rate) = (now.value, now.rate);
                *motion = Some(TimeFunction::Quadratic { start, value, rate, acceleration });
            }
        }
    }

    /// Adds what a small `change` of the input does to the loads; after those of the state, before the accelerations.
    pub(crate) fn disturb<S: Scalar>(
        &self,
        model: &Model,
        state: &State<S>,
        work: &mut Workspace<S>,
        change: S,
    ) {
        match self.target {
            Target::Joint { index, coordinate } => {
                let speed = model.layout.bodies[index].joint_v().start + coordinate;
                drive(model, state, work, Actuator::Effort(speed), change);
            }
            Target::Actuator(index) => drive(model, state, work, Actuator::Element(index), change),
            Target::Force(index) => drive(model, state, work, Actuator::Force(index), change),
            Target::Reference { controller, index } => {
                disturb_reference(model, state, work, (controller, index), change);
            }
            Target::Chord { index, coordinate } => {
                let sums = (&mut work.load, &mut work.power);
                add_loop_effort(model, state, &work.motion, (index, coordinate), change, sums);
            }
            Target::Motion { index, coordinate } => {
                work.load.acceleration[model.layout.bodies[index].joint_v().start + coordinate] += change;
            }
        }
    }

    /// Places of the coordinate and the speed that a motion prescribes.
    pub fn prescribed(&self, model: &Model) -> Option<(usize, usize)> {
        let Target::Motion { index, coordinate } = self.target else { return None };
        let part = &model.layout.bodies[index];
        Some((part.joint_q().start + coordinate, part.joint_v().start + coordinate))
    }

    /// Lets a motion go through position and speed of `state` at its time, with the acceleration `value`.
    pub fn follow(&self, model: &mut Model, state: &State, value: f64) {
        if let Some((q, v)) = self.prescribed(model) {
            self.set_motion(model, [state.time, state.q[q], state.v[v], value]);
        }
    }

    /// The motion of a prescribed coordinate as numbers: instant (s), position, speed, acceleration.
    pub fn motion(&self, model: &Model) -> Option<[f64; 4]> {
        let Target::Motion { index, coordinate } = self.target else { return None };
        match model.joints[index].coordinates[coordinate].motion.as_ref()? {
            TimeFunction::Quadratic { start, value, rate, acceleration } => {
                Some([*start, *value, *rate, *acceleration])
            }
            other => Some([0.0, other.sample(0.0).value, 0.0, 0.0]),
        }
    }

    /// Puts back what [`Input::motion`] has given.
    pub fn set_motion(&self, model: &mut Model, [start, value, rate, acceleration]: [f64; 4]) {
        if let Target::Motion { index, coordinate } = self.target {
            let function = TimeFunction::Quadratic { start, value, rate, acceleration };
            model.joints[index].coordinates[coordinate].motion = Some(function);
        }
    }
}

/// What a change of a reference does through a controller that acts continuously; a sampled one holds still.
fn disturb_reference<S: Scalar>(
    model: &Model,
    state: &State<S>,
    work: &mut Workspace<S>,
    (controller, index): (usize, usize),
    change: S,
) {
    let found = &model.controllers[controller];
    if found.is_sampled() || found.sensors.len() > LARGEST_PORTS || found.actuators.len() > LARGEST_PORTS {
        return;
    }
    let mut errors = [S::ZERO; LARGEST_PORTS];
    let count = measure_errors(model, state, work, found, &mut errors).len();
    let z = &state.z[found.first..found.first + found.state_count()];
    let (mut before, mut after) = ([S::ZERO; LARGEST_PORTS], [S::ZERO; LARGEST_PORTS]);
    let mut rates = [vec![S::ZERO; found.memory], vec![S::ZERO; found.memory]];
    let outputs = found.actuators.len();
    found.block.continuous(&errors[..count], z, &mut before[..outputs], &mut rates[0]);
    errors[index] += change;
    found.block.continuous(&errors[..count], z, &mut after[..outputs], &mut rates[1]);
    for (k, rate) in work.control.rates[found.first..found.first + found.memory].iter_mut().enumerate() {
        *rate += rates[1][k] - rates[0][k];
    }
    for (i, &actuator) in found.actuators.iter().enumerate() {
        let value = limited(after[i], found.limit) - limited(before[i], found.limit);
        work.control.outputs[found.first_output + i] += value;
        drive(model, state, work, actuator, value);
    }
}
