//! Controller descriptions to controllers: names become sources and actuators.

use super::evaluate::LARGEST_PORTS;
use super::{Actuator, Block, Controller};
use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::model::channel::{Channel, Source, all_channels};
use crate::model::controller::LARGEST_ORDER;
use crate::model::description::ControllerDescription;
use crate::model::words::nearest;
use crate::time_function::TimeFunction;

/// The actuator called `name`: `JOINT.effort`, `JOINT.effort.N` or the name of an applied force, a load or
/// an actuator between frames.
pub(crate) fn actuator(model: &Model, name: &str) -> Result<Actuator, String> {
    if let Some(index) = model.forces.iter().position(|force| force.name == name) {
        return Ok(Actuator::Force(index));
    }
    if let Some(index) = model.loads.iter().position(|load| load.name == name) {
        return Ok(Actuator::Load(index));
    }
    if let Some(index) = model.elements.iter().position(|e| e.name == name && e.kind.effort().is_some()) {
        return Ok(Actuator::Element(index));
    }
    let mut parts = name.split('.');
    let joint = parts.next().and_then(|joint| model.joint(joint));
    let effort = parts.next() == Some("effort");
    let direction = parts.next().map_or(Some(1), |number| number.parse::<usize>().ok());
    match (joint, effort, direction) {
        (Some(body), true, Some(number)) if number >= 1 && number <= model.layout.bodies[body.0].joint_v => {
            let speed = model.layout.bodies[body.0].joint_v().start + number - 1;
            if model.prescribed[speed] {
                return Err("this coordinate is prescribed, an effort on it moves nothing".into());
            }
            Ok(Actuator::Effort(speed))
        }
        _ => {
            let forces = model.forces.iter().map(|force| force.name.as_str());
            let loads = model.loads.iter().map(|load| load.name.as_str());
            let driven = model.elements.iter().filter(|element| element.kind.effort().is_some());
            let driven = driven.map(|element| element.name.as_str());
            let known: Vec<&str> = forces.chain(loads).chain(driven).collect();
            let known = if known.is_empty() { "this model has none".to_string() } else { known.join(", ") };
            Err(format!(
                "write JOINT.effort, JOINT.effort.N, or the name of an applied force, load or actuator ({known})"
            ))
        }
    }
}

/// Controllers of `descriptions`; findings go to `diagnostics`.
pub(crate) fn resolve(
    model: &Model,
    descriptions: &[ControllerDescription],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Controller> {
    if descriptions.is_empty() {
        return Vec::new();
    }
    let channels = all_channels(model);
    let (mut list, mut first, mut first_output) = (Vec::new(), 0, 0);
    for (index, description) in descriptions.iter().enumerate() {
        let mut reporter = Reporter { index, name: &description.name, diagnostics };
        if descriptions[..index].iter().any(|other| other.name == description.name) {
            reporter.error("name", "another controller has this name".into(), "choose another name");
        }
        let Some(mut controller) = one(model, description, &channels, &mut reporter) else { continue };
        controller.first = first;
        controller.first_output = first_output;
        first += controller.state_count();
        first_output += controller.actuators.len();
        list.push(controller);
    }
    list
}

struct Reporter<'a> {
    index: usize,
    name: &'a str,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Reporter<'_> {
    fn error(&mut self, key: &str, message: String, help: &str) {
        let path = format!("controller[{}].{key}", self.index);
        let item = format!("controller `{}`", self.name);
        self.diagnostics.push(Diagnostic::error("controller", path, item, message, help));
    }
}

fn one(
    model: &Model,
    description: &ControllerDescription,
    channels: &[Channel],
    report: &mut Reporter<'_>,
) -> Option<Controller> {
    let before = report.diagnostics.len();
    let sensors: Vec<Source> =
        description.sensors.iter().filter_map(|name| sensor(name, description, channels, report)).collect();
    let mut actuators = Vec::new();
    for name in &description.actuators {
        match actuator(model, name) {
            Ok(found) => actuators.push(found),
            Err(cause) => {
                report.error("actuators", format!("cannot drive `{name}`: {cause}"), "correct the name")
            }
        }
    }
    let block = description.block.clone();
    check_law(description, report);
    check_sizes(description, &block, report);
    let mut references = description.references.clone();
    references.resize(sensors.len(), TimeFunction::Constant(0.0));
    if report.diagnostics.len() > before {
        return None;
    }
    Some(Controller {
        name: description.name.clone(),
        memory: block.memory(),
        block,
        sensors,
        references,
        actuators,
        limit: description.limit,
        sample_time: description.sample_time,
        first: 0,
        first_output: 0,
    })
}

fn sensor(
    name: &str,
    description: &ControllerDescription,
    channels: &[Channel],
    report: &mut Reporter<'_>,
) -> Option<Source> {
    let Some(channel) = channels.iter().find(|channel| channel.name == name) else {
        let near = nearest(name, channels.iter().map(|channel| channel.name.as_str()));
        let hint = near
            .map_or("names of channels: see MODEL_FILE.md".to_string(), |n| format!("did you mean `{n}`?"));
        report.error("sensors", format!("no channel `{name}`"), &hint);
        return None;
    };
    // Work and balance belong to a run, not to an instant.
    if matches!(channel.source, Source::Energy(6..)) {
        report.error(
            "sensors",
            format!("`{name}` cannot be measured at one instant"),
            "measure another channel",
        );
        return None;
    }
    if !is_kinematic(channel.source) && description.sample_time <= 0.0 {
        let message =
            format!("`{name}` cannot be measured continuously: it depends on the controller's own output");
        let help = "measure a position, an orientation or a velocity, or give a sample_time (s): a sampled \
                    controller may measure any channel";
        report.error("sensors", message, help);
        return None;
    }
    Some(channel.source)
}

/// Whether a channel follows from positions and velocities alone.
pub(crate) fn is_kinematic(source: Source) -> bool {
    match source {
        Source::Coordinate(_) | Source::Speed(_) => true,
        Source::Body(_, i) | Source::Frame(_, i) => i < 13,
        Source::Element(_, i) => i == 6,
        Source::Coupler(_, i) => i == 0,
        _ => false,
    }
}

/// What a law needs besides its numbers.
fn check_law(description: &ControllerDescription, report: &mut Reporter<'_>) {
    let sampled = description.sample_time > 0.0;
    match &description.block {
        Block::Pid { derivative, filter, .. } if !sampled && *derivative != 0.0 && *filter <= 0.0 => {
            let help = "give filter (s), about a tenth of the fastest time constant, or a sample_time";
            report.error("filter", "a continuous derivative needs a filter".into(), help);
        }
        Block::Callback(..) if !sampled => {
            report.error("sample_time", "a callback is sampled".into(), "give a sample_time (s)");
        }
        Block::External(law) => {
            let help = "load the model with a source that runs FMUs, as the program `flexura` does";
            report.error("file", format!("`{}` has not been opened", law.file), help);
        }
        _ => {}
    }
}

fn check_sizes(description: &ControllerDescription, block: &Block, report: &mut Reporter<'_>) {
    let (inputs, outputs) = (description.sensors.len(), description.actuators.len());
    if inputs == 0 || outputs == 0 || inputs > LARGEST_PORTS || outputs > LARGEST_PORTS {
        let message = format!("{inputs} sensors and {outputs} actuators");
        report.error("sensors", message, "give at least one of each, at most 64");
    }
    if description.references.len() > inputs {
        let message = format!("{} references for {inputs} sensors", description.references.len());
        report.error("reference", message, "give one reference per sensor");
    }
    if description.sample_time < 0.0 || !description.sample_time.is_finite() {
        report.error("sample_time", "must be positive, or zero to act continuously".into(), "give seconds");
    }
    if description.limit.is_nan() || description.limit <= 0.0 {
        report.error("limit", "must be positive".into(), "leave it out for no limit");
    }
    match block {
        Block::Pid { .. } | Block::Function { .. } if inputs != 1 || outputs != 1 => {
            let message = format!(
                "a controller of this type has one sensor and one actuator, not {inputs} and {outputs}"
            );
            report.error("sensors", message, "use several pid controllers or type = \"state-space\"");
        }
        Block::StateSpace { a, b, c, d } => {
            let order = block.memory();
            let fits = a.len() == order * order
                && b.len() == order * inputs
                && c.len() == outputs * order
                && d.len() == outputs * inputs;
            if !fits || order > LARGEST_ORDER {
                let message = format!("the matrices do not fit {inputs} sensors and {outputs} actuators");
                report.error(
                    "a",
                    message,
                    "a: n×n, b: n×sensors, c: actuators×n, d: actuators×sensors, n up to 64",
                );
            }
        }
        _ => {}
    }
}
