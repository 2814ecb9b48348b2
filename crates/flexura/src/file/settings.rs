//! Loads, simulation settings and output.

use super::fields::Fields;
use super::time_function::read_time_function;
use crate::model::description::{
    EventDescription, ForceDescription, MethodDescription, OutputDescription, SimulationDescription,
};

/// An entry of `[[force]]`.
pub(super) fn read_force(fields: &mut Fields<'_>) -> ForceDescription {
    ForceDescription {
        name: fields.need_text("name", "name = \"push\""),
        at: fields.need_text("at", "at = \"arm.tip\""),
        inertial: fields.choice("axes", &[("inertial", true), ("frame", false)]).unwrap_or(true),
        force: fields.vector3("force", [0.0; 3]),
        moment: fields.vector3("moment", [0.0; 3]),
        scale: fields.get("scale").and_then(|value| read_time_function(&value)),
    }
}

/// The table `[simulation]`.
pub(super) fn read_simulation(fields: &mut Fields<'_>) -> SimulationDescription {
    let default = SimulationDescription::default();
    let initial = fields.entries("initial", "initial values", |fields| {
        let body = fields.need_text("body", "body = \"arm\"");
        let mut list = |key| fields.get(key).and_then(|value| value.numbers()).unwrap_or_default();
        (body, list("modal_position"), list("modal_speed"))
    });
    // Both lists keep the order of the file, so that an index finds its entry;
    // no values mean zero.
    let position = initial.iter().map(|(body, position, _)| (body.clone(), position.clone()));
    let speed = initial.iter().map(|(body, _, speed)| (body.clone(), speed.clone()));
    SimulationDescription {
        start: fields.f64("start", default.start),
        end: fields.f64("end", default.end),
        method: read_method(fields),
        output_interval: fields.f64("output_interval", default.output_interval),
        modal_position: position.collect(),
        modal_speed: speed.collect(),
        events: fields.entries("event", "event", read_event),
    }
}

fn read_method(fields: &mut Fields<'_>) -> MethodDescription {
    const ADAPTIVE: [&str; 4] = ["relative_tolerance", "absolute_tolerance", "initial_step", "largest_step"];
    let rk4 = fields.choice("method", &[("rk4", true), ("dormand-prince", false)]);
    fields.allow(&ADAPTIVE);
    if rk4 == Some(true) {
        fields.unused(&ADAPTIVE, "the method \"rk4\" has a fixed step");
        return MethodDescription::Rk4 { step: fields.need_f64("step", "step = 0.001 (seconds)") };
    }
    fields.allow(&["step"]);
    if rk4 == Some(false) || !fields.has("method") {
        let reason = "the method \"dormand-prince\" chooses its steps";
        fields.unused(&["step"], reason);
    }
    MethodDescription::DormandPrince {
        relative_tolerance: fields.f64("relative_tolerance", 1e-8),
        absolute_tolerance: fields.f64("absolute_tolerance", 1e-10),
        initial_step: fields.f64("initial_step", 0.0),
        largest_step: fields.f64("largest_step", f64::INFINITY),
    }
}

fn read_event(fields: &mut Fields<'_>) -> EventDescription {
    let directions = [("rising", 1), ("falling", -1), ("both", 0)];
    EventDescription {
        name: fields.need_text("name", "name = \"touch-down\""),
        channel: fields.need_text("channel", "channel = the name of a recorded channel"),
        value: fields.f64("value", 0.0),
        direction: fields.choice("direction", &directions).unwrap_or(0),
        stop: fields.choice("action", &[("stop", true), ("record", false)]).unwrap_or(false),
    }
}

/// The table `[output]`.
pub(super) fn read_output(fields: &mut Fields<'_>) -> OutputDescription {
    let channels = fields.get("channels");
    let patterns = channels.and_then(|value| value.each(|name| name.text().map(str::to_owned)));
    patterns.map_or_else(OutputDescription::default, |channels| OutputDescription { channels })
}
