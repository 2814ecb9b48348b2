//! Inputs: numbers of a model that are set from outside while it runs.
//!
//! | name | what it is |
//! |---|---|
//! | `JOINT.effort`, `JOINT.effort.K` | effort of the K-th coordinate of a joint (N, N m) |
//! | `ACTUATOR.effort` | effort of an actuator element (N, N m) |
//! | `FORCE.scale` | factor of an applied force |
//! | `CONTROLLER.reference`, `CONTROLLER.reference.K` | wanted value of the K-th sensor |
//!
//! An input takes the place of the function of time in the file, which must be absent or a constant: its start. The function is
//! put into the description before the model is built, so that the model knows it; afterwards only its value changes.

use flexura::Model;
use flexura::model::description::{Description, ElementKindDescription};
use flexura::model::element::ElementKind;
use flexura::time_function::TimeFunction;

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

/// Where the value goes, by name of the item.
#[derive(Clone, Debug, PartialEq)]
enum Target {
    Joint { name: String, coordinate: usize },
    Actuator { name: String },
    Force { name: String },
    Reference { name: String, index: usize },
}

/// The constant of a function that is absent or constant; `None` where it changes with time.
fn constant(function: Option<&TimeFunction>, otherwise: f64) -> Option<f64> {
    match function {
        None => Some(otherwise),
        Some(TimeFunction::Constant(value)) => Some(*value),
        Some(_) => None,
    }
}

fn element_unit(turns: bool) -> &'static str {
    if turns { "N m" } else { "N" }
}

/// Everything of a description that can be an input.
pub fn inputs_of(description: &Description) -> Vec<Input> {
    let mut list = Vec::new();
    for joint in &description.joints {
        let units = joint.kind.coordinate_names();
        let count = joint.kind.degrees_of_freedom();
        for coordinate in 0..count {
            let given = joint.coordinates.get(coordinate);
            if given.is_some_and(|given| given.motion.is_some()) {
                continue;
            }
            let Some(start) = constant(given.and_then(|given| given.effort.as_ref()), 0.0) else { continue };
            let turns = match count {
                6 | 3 if units.len() > count => coordinate < 3,
                _ => units.get(coordinate).is_some_and(|(_, unit)| *unit == "rad"),
            };
            let name = match count {
                1 => format!("{}.effort", joint.name),
                _ => format!("{}.effort.{}", joint.name, coordinate + 1),
            };
            let target = Target::Joint { name: joint.name.clone(), coordinate };
            list.push(Input { name, unit: element_unit(turns), start, target });
        }
    }
    for element in &description.elements {
        if let ElementKindDescription::Frames(ElementKind::Actuator(actuator)) = &element.kind {
            let unit = element_unit(actuator.axis.is_some());
            if let Some(start) = constant(Some(&actuator.effort), 0.0) {
                let target = Target::Actuator { name: element.name.clone() };
                list.push(Input { name: format!("{}.effort", element.name), unit, start, target });
            }
        }
    }
    for force in &description.forces {
        if let Some(start) = constant(force.scale.as_ref(), 1.0) {
            let target = Target::Force { name: force.name.clone() };
            list.push(Input { name: format!("{}.scale", force.name), unit: "1", start, target });
        }
    }
    for controller in &description.controllers {
        let count = controller.references.len();
        for (index, reference) in controller.references.iter().enumerate() {
            let Some(start) = constant(Some(reference), 0.0) else { continue };
            let name = match count {
                1 => format!("{}.reference", controller.name),
                _ => format!("{}.reference.{}", controller.name, index + 1),
            };
            let target = Target::Reference { name: controller.name.clone(), index };
            list.push(Input { name, unit: "1", start, target });
        }
    }
    list
}

/// Puts the functions of `inputs` into a description that is to be built.
pub fn prepare(description: &mut Description, inputs: &[Input]) {
    for input in inputs {
        let function = TimeFunction::Constant(input.start);
        match &input.target {
            Target::Joint { name, coordinate } => {
                if let Some(joint) = description.joints.iter_mut().find(|joint| joint.name == *name) {
                    let count = joint.kind.degrees_of_freedom();
                    joint.coordinates.resize(count, Default::default());
                    joint.coordinates[*coordinate].effort = Some(function);
                }
            }
            Target::Actuator { name } => {
                let found = description.elements.iter_mut().find(|element| element.name == *name);
                if let Some(ElementKindDescription::Frames(ElementKind::Actuator(actuator))) =
                    found.map(|found| &mut found.kind)
                {
                    actuator.effort = function;
                }
            }
            Target::Force { name } => {
                if let Some(force) = description.forces.iter_mut().find(|force| force.name == *name) {
                    force.scale = Some(function);
                }
            }
            // References are always there.
            Target::Reference { .. } => {}
        }
    }
}

impl Input {
    /// Sets the value in a model that was built from a prepared description; whether it was found.
    pub fn set(&self, model: &mut Model, value: f64) -> bool {
        let function = TimeFunction::Constant(value);
        match &self.target {
            Target::Joint { name, coordinate } => {
                let tree = model.joints.iter_mut().find(|joint| joint.name == *name);
                let slot = match tree {
                    Some(joint) => joint.coordinates.get_mut(*coordinate),
                    None => {
                        let chord = model.loops.iter_mut().find(|joint| joint.name == *name);
                        chord.and_then(|joint| joint.coordinates.get_mut(*coordinate))
                    }
                };
                slot.map(|slot| slot.effort = Some(function)).is_some()
            }
            Target::Actuator { name } => {
                let found = model.elements.iter_mut().find(|element| element.name == *name);
                match found.map(|element| &mut element.kind) {
                    Some(ElementKind::Actuator(actuator)) => {
                        actuator.effort = function;
                        true
                    }
                    _ => false,
                }
            }
            Target::Force { name } => {
                let found = model.forces.iter_mut().find(|force| force.name == *name);
                found.map(|force| force.scale = Some(function)).is_some()
            }
            Target::Reference { name, index } => {
                let found = model.controllers.iter_mut().find(|controller| controller.name == *name);
                let slot = found.and_then(|controller| controller.references.get_mut(*index));
                slot.map(|slot| *slot = function).is_some()
            }
        }
    }
}
