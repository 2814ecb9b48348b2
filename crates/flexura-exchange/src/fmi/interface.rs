//! The variables of an FMU and their references: time, inputs, parameters, outputs, continuous states, their derivatives and event indicators,
//! in this order, counted from zero.

use flexura::Model;
use flexura::file::parameters;
use flexura::model::description::EventDescription;
use flexura::record::{Channel, all_channels, matches_pattern};
use flexura::simulate::{Input, continuous_states, inputs_of};

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
    /// The event indicator at this place in the list of events.
    Indicator(usize),
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
    /// What a state comes to, where that is not one: importers' absolute tolerances are shares of it.
    pub nominal: Option<f64>,
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
    /// Whether the work done is one of them, the last: an output or an event asks for it.
    pub counts_work: bool,
    /// Events that stop the run, of which model exchange has indicators.
    pub events: Vec<EventDescription>,
}

impl Interface {
    /// The variables of a model: chosen inputs and outputs, every number of its text; states and indicators of the given events where it is
    /// offered for model exchange.
    pub fn new(
        text: &str,
        model: &Model,
        (inputs, outputs): (&[String], &[String]),
        exchange: Option<&[EventDescription]>,
    ) -> Result<Self, String> {
        let possible = inputs_of(model);
        let mut chosen = Vec::new();
        for pattern in inputs {
            let before = chosen.len();
            let fitting = possible.iter().filter(|input| is_meant(pattern, input));
            chosen.extend(fitting.cloned());
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
        let mut numbers = parameters(text).map_err(|fault| fault.to_string())?;
        // A path that means several numbers (two pictures of one body) is no name.
        let mut counts = std::collections::BTreeMap::new();
        numbers.iter().for_each(|number| *counts.entry(number.path.clone()).or_insert(0) += 1);
        numbers.retain(|number| counts.get(&number.path) == Some(&1));
        let mut variables = vec![Variable {
            name: "time".into(),
            unit: "s".into(),
            causality: Causality::Independent,
            start: None,
            nominal: None,
        }];
        variables.extend(chosen.iter().map(|input| Variable {
            name: input.name.clone(),
            unit: input.unit.into(),
            causality: Causality::Input,
            start: Some(input.start),
            nominal: None,
        }));
        variables.extend(numbers.iter().map(|number| Variable {
            name: format!("parameter.{}", number.path),
            unit: String::new(),
            causality: Causality::Parameter,
            start: Some(number.value),
            nominal: None,
        }));
        variables.extend(outputs.iter().map(|channel| Variable {
            name: channel.name.clone(),
            unit: channel.unit.into(),
            causality: Causality::Output,
            start: None,
            nominal: None,
        }));
        let stopping = exchange.unwrap_or_default().iter().filter(|event| event.stop);
        let watched = stopping.clone().map(|event| &event.channel);
        let mut named = outputs.iter().map(|channel| &channel.name).chain(watched);
        let counts_work = exchange.is_some() && named.any(|name| needs_work(name));
        let named = states_of(model, counts_work);
        let states = exchange.map_or(0, |_| named.len());
        let events: Vec<EventDescription> = stopping.filter(|_| states > 0).cloned().collect();
        if exchange.is_some() {
            variables.extend(named.iter().map(|state| Variable {
                name: format!("state.{}", state.name),
                unit: state.unit.into(),
                causality: Causality::State,
                start: None,
                nominal: state.nominal,
            }));
            variables.extend(named.iter().enumerate().map(|(k, state)| Variable {
                name: format!("der.{}", state.name),
                unit: per_second(state.unit).into(),
                causality: Causality::Derivative(k),
                start: None,
                nominal: None,
            }));
        }
        variables.extend(events.iter().enumerate().map(|(k, event)| Variable {
            name: format!("event.{}", event.name),
            unit: channel_unit(model, &event.channel).into(),
            causality: Causality::Indicator(k),
            start: None,
            nominal: None,
        }));
        let parameters = numbers.into_iter().map(|number| number.path).collect();
        Ok(Self { variables, inputs: chosen, parameters, outputs, states, counts_work, events })
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

/// Whether a pattern means an input. Motions are meant by their own word only: what a pattern for everything finds standing still, stands still.
fn is_meant(pattern: &str, input: &Input) -> bool {
    matches_pattern(pattern, &input.name) && (!input.is_motion() || pattern.contains("acceleration"))
}

/// Whether the channel of a name or pattern is one that the work done is part of.
fn needs_work(name: &str) -> bool {
    ["energy.work", "energy.balance"].iter().any(|channel| matches_pattern(name, channel))
}

/// Unit of the channel that an event watches.
fn channel_unit(model: &Model, name: &str) -> &'static str {
    all_channels(model)
        .iter()
        .find(|channel| matches_pattern(name, &channel.name))
        .map_or("", |channel| channel.unit)
}

/// The unit of a rate.
fn per_second(unit: &str) -> &'static str {
    match unit {
        "rad" => "rad/s",
        "m" => "m/s",
        "rad/s" => "rad/s²",
        "m/s" => "m/s²",
        "1/s" => "1/s²",
        "J" => "W",
        "" => "",
        _ => "1/s",
    }
}

/// A continuous state.
struct Named {
    name: String,
    unit: &'static str,
    nominal: Option<f64>,
}

/// Coordinates, speeds, continuous states of controllers and the work, in the order of the states. Those of controllers have units by their law.
///
/// Modal coordinates are small and their accelerations are not: an error e of η is one of ω²e of its acceleration. What they come to is 1/ω², and their speeds 1/ω, where one of another
/// coordinate comes to one: then an importer's tolerance means the same error of all accelerations.
fn states_of(model: &Model, counts_work: bool) -> Vec<Named> {
    let mut states = Vec::new();
    for moving in [false, true] {
        let (modal, kind, unit) = if moving { ("eta_rate", "v", "1/s") } else { ("eta", "q", "1") };
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let (body, joint) = (&model.bodies[k].name, &model.joints[k]);
            let frequencies = model.bodies[k].mode_frequencies();
            states.extend((0..part.modes).map(|r| Named {
                name: format!("{body}.{modal}.{}", r + 1),
                unit,
                nominal: frequencies.get(r).and_then(|&frequency| smallness(frequency, moving)),
            }));
            let units: Vec<&str> = match moving {
                false => joint.joint.kind.coordinate_names().iter().map(|name| name.1).collect(),
                true => joint.joint.kind.speed_names().iter().map(|name| name.1).collect(),
            };
            let count = if moving { part.joint_v } else { part.joint_q };
            let of = |i: usize| units.get(i).copied().unwrap_or(unit);
            states.extend((0..count).map(|i| Named {
                name: format!("{}.{kind}.{}", joint.name, i + 1),
                unit: of(i),
                nominal: None,
            }));
        }
    }
    states.extend(continuous_states(model).map(|(name, k, _)| Named {
        name: format!("{name}.x.{}", k + 1),
        unit: "",
        nominal: None,
    }));
    states.extend(counts_work.then(|| Named { name: "work".to_owned(), unit: "J", nominal: None }));
    states
}

/// What the coordinate of a mode, or its speed, comes to where its acceleration comes to one; `None` where that is one or more.
fn smallness(frequency: f64, moving: bool) -> Option<f64> {
    (frequency.is_finite() && frequency > 1.0).then(|| frequency.powi(if moving { -1 } else { -2 }))
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
