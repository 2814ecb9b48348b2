//! The variables of an FMU and their references: time, inputs, parameters, outputs, continuous states and their derivatives, in
//! this order, counted from zero.

use flexura::Model;
use flexura::file::parameters;
use flexura::record::{Channel, all_channels, matches_pattern};
use flexura::simulate::{Input, inputs_of};

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    /// Time.
    Independent,
    /// Set from outside while running.
    Input,
    /// A number of the model file, set before the start.
    Parameter,
    /// A channel.
    Output,
    /// A continuous state.
    State,
    /// The derivative of the state at this place in the list of states.
    Derivative(usize),
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Name, unique in the FMU.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// What it is for.
    pub causality: Causality,
    /// Value before anything is set, where there is one.
    pub start: Option<f64>,
}

/// All variables of an FMU.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// Variables; the place is the reference.
    pub variables: Vec<Variable>,
    /// Inputs, in their order.
    pub inputs: Vec<Input>,
    /// Paths of the parameters, in their order.
    pub parameters: Vec<String>,
    /// Channels of the outputs, in their order.
    pub outputs: Vec<Channel>,
    /// Number of continuous states; zero where the model is not offered for model exchange.
    pub states: usize,
}

impl Interface {
    /// The variables of a model: chosen inputs and outputs, every number of its text, and states where `exchange` holds.
    pub fn new(
        text: &str,
        model: &Model,
        (inputs, outputs): (&[String], &[String]),
        exchange: bool,
    ) -> Result<Self, String> {
        // A held acceleration moves a coordinate on from where it is: importers that take steps back would move it twice.
        let possible: Vec<Input> = inputs_of(model).into_iter().filter(|input| !input.is_motion()).collect();
        let mut chosen = Vec::new();
        for pattern in inputs {
            let before = chosen.len();
            let fitting = possible.iter().filter(|input| matches_pattern(pattern, &input.name));
            chosen.extend(fitting.filter(|input| !inputs[..0].contains(&input.name)).cloned());
            if chosen.len() == before {
                let names: Vec<&str> = possible.iter().map(|input| input.name.as_str()).collect();
                return Err(format!(
                    "no input is called `{pattern}`; possible are (unless a function of time of the file is there): {}",
                    names.join(", ")
                ));
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        chosen.retain(|input| seen.insert(input.name.clone()));
        let channels = all_channels(model);
        let wanted = |name: &str| outputs.iter().any(|pattern| matches_pattern(pattern, name));
        let outputs: Vec<Channel> = channels.into_iter().filter(|channel| wanted(&channel.name)).collect();
        let numbers = parameters(text).map_err(|fault| fault.to_string())?;
        let mut variables = vec![Variable {
            name: "time".into(),
            unit: "s".into(),
            causality: Causality::Independent,
            start: None,
        }];
        variables.extend(chosen.iter().map(|input| Variable {
            name: input.name.clone(),
            unit: input.unit.into(),
            causality: Causality::Input,
            start: Some(input.start),
        }));
        variables.extend(numbers.iter().map(|number| Variable {
            name: format!("parameter.{}", number.path),
            unit: String::new(),
            causality: Causality::Parameter,
            start: Some(number.value),
        }));
        variables.extend(outputs.iter().map(|channel| Variable {
            name: channel.name.clone(),
            unit: channel.unit.into(),
            causality: Causality::Output,
            start: None,
        }));
        let states = if exchange { model.layout.coordinates + model.layout.speeds } else { 0 };
        if exchange {
            let names = state_names(model);
            variables.extend(names.iter().map(|name| state(format!("state.{name}"), Causality::State)));
            let derivatives = names.iter().enumerate();
            variables
                .extend(derivatives.map(|(k, name)| state(format!("der.{name}"), Causality::Derivative(k))));
        }
        let parameters = numbers.into_iter().map(|number| number.path).collect();
        Ok(Self { variables, inputs: chosen, parameters, outputs, states })
    }

    /// First reference of the parameters.
    pub fn first_parameter(&self) -> usize {
        1 + self.inputs.len()
    }

    /// First reference of the outputs.
    pub fn first_output(&self) -> usize {
        self.first_parameter() + self.parameters.len()
    }

    /// First reference of the states.
    pub fn first_state(&self) -> usize {
        self.first_output() + self.outputs.len()
    }
}

fn state(name: String, causality: Causality) -> Variable {
    Variable { name, unit: String::new(), causality, start: None }
}

/// Names of coordinates, then of speeds, in the order of the state.
fn state_names(model: &Model) -> Vec<String> {
    let mut names = Vec::new();
    for kind in ["q", "v"] {
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let (body, joint) = (&model.bodies[k].name, &model.joints[k].name);
            let modal = if kind == "q" { "eta" } else { "eta_rate" };
            names.extend((0..part.modes).map(|r| format!("{body}.{modal}.{}", r + 1)));
            let count = if kind == "q" { part.joint_q } else { part.joint_v };
            names.extend((0..count).map(|i| format!("{joint}.{kind}.{}", i + 1)));
        }
    }
    names
}

/// The list of inputs and outputs as the resources keep it.
pub fn choices_text(inputs: &[String], outputs: &[String], exchange: bool) -> String {
    let list = |names: &[String]| toml::Value::Array(names.iter().map(|name| name.clone().into()).collect());
    format!("inputs = {}\noutputs = {}\nmodel_exchange = {exchange}\n", list(inputs), list(outputs))
}

/// Inputs, outputs and whether there are states, from that list.
pub fn choices_from(text: &str) -> Option<(Vec<String>, Vec<String>, bool)> {
    let table: toml::Table = text.parse().ok()?;
    let list = |key: &str| -> Option<Vec<String>> {
        table.get(key)?.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect()
    };
    Some((list("inputs")?, list("outputs")?, table.get("model_exchange")?.as_bool()?))
}
