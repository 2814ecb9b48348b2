//! Nothing that is described is left out: whatever has no counterpart in the model is refused by name.
//!
//! The parts of a model are found one kind at a time, by name; a search that comes back empty must not end in a run
//! without the part.

use super::Model;
use super::description::Description;
use crate::diagnostic::Diagnostic;
use crate::record::Recorder;

/// What `description` has and `model` has not.
pub(super) fn left_out(model: &Model, description: &Description) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    let mut refuse = |kind: &str, index: usize, name: &str| {
        let message = "it has no counterpart in the model, so it would do nothing".to_string();
        let help = "it acts on a part that was merged with another one: name a frame or body that is left";
        let path = format!("{kind}[{index}]");
        list.push(Diagnostic::error("left-out", path, format!("{kind} `{name}`"), message, help));
    };
    for (index, force) in description.forces.iter().enumerate() {
        if !model.forces.iter().any(|found| found.name == force.name) {
            refuse("force", index, &force.name);
        }
    }
    for (index, load) in description.loads.iter().enumerate() {
        if !model.loads.iter().any(|found| found.name == load.name) {
            refuse("load", index, &load.name);
        }
    }
    for (index, element) in description.elements.iter().enumerate() {
        let named = |name: &String| *name == element.name;
        let between_frames = model.elements.iter().any(|found| named(&found.name));
        if !between_frames && !model.couplers.iter().any(|found| named(&found.name)) {
            refuse("element", index, &element.name);
        }
    }
    for (index, controller) in description.controllers.iter().enumerate() {
        if !model.controllers.iter().any(|found| found.name == controller.name) {
            refuse("controller", index, &controller.name);
        }
    }
    list.extend(unwatched(model, description));
    list
}

/// Events on channels that the model does not have, or that are several.
fn unwatched(model: &Model, description: &Description) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    for (index, event) in description.simulation.events.iter().enumerate() {
        let message = match Recorder::new(model, std::slice::from_ref(&event.channel)) {
            Ok(recorder) if recorder.channels().len() == 1 => continue,
            Ok(_) => format!("`{}` names several channels", event.channel),
            Err(error) => error.to_string(),
        };
        let path = format!("simulation.event[{index}].channel");
        let help = "name one channel in full";
        list.push(Diagnostic::error("event-channel", path, format!("event `{}`", event.name), message, help));
    }
    list
}
