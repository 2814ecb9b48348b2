//! Nothing that is described is left out: whatever has no counterpart in the model is refused by name.
//!
//! The parts of a model are found one kind at a time, by name; a search that comes back empty must not end in a run
//! without the part.

use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::model::description::Description;
use crate::model::words;
use crate::record::{all_channels, matches_pattern};
use std::collections::HashSet;

/// What `description` has and `model` has not.
pub(super) fn left_out(model: &Model, description: &Description) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    let mut refuse = |kind: &str, index: usize, name: &str| {
        let message = "it has no counterpart in the model, so it would do nothing".to_string();
        let help = "it acts on a part that was merged with another one: name a frame or body that is left";
        let path = format!("{kind}[{index}]");
        list.push(Diagnostic::error("left-out", path, format!("{kind} `{name}`"), message, help));
    };
    fn names<'a, T>(list: &'a [T], name: fn(&'a T) -> &'a str) -> HashSet<&'a str> {
        list.iter().map(name).collect()
    }
    let forces = names(&model.forces, |found| &found.name);
    for (index, force) in description.forces.iter().enumerate() {
        if !forces.contains(force.name.as_str()) {
            refuse("force", index, &force.name);
        }
    }
    let loads = names(&model.loads, |found| &found.name);
    for (index, load) in description.loads.iter().enumerate() {
        if !loads.contains(load.name.as_str()) {
            refuse("load", index, &load.name);
        }
    }
    let mut elements = names(&model.elements, |found| &found.name);
    elements.extend(names(&model.couplers, |found| &found.name));
    for (index, element) in description.elements.iter().enumerate() {
        if !elements.contains(element.name.as_str()) {
            refuse("element", index, &element.name);
        }
    }
    let controllers = names(&model.controllers, |found| &found.name);
    for (index, controller) in description.controllers.iter().enumerate() {
        if !controllers.contains(controller.name.as_str()) {
            refuse("controller", index, &controller.name);
        }
    }
    list.extend(unwatched(model, description));
    list
}

/// Events on channels that the model does not have, or that are several.
fn unwatched(model: &Model, description: &Description) -> Vec<Diagnostic> {
    let mut list = Vec::new();
    let events = &description.simulation.events;
    if events.is_empty() {
        return list; // the list of channels of a large model is not free
    }
    let channels = all_channels(model);
    for (index, event) in events.iter().enumerate() {
        let matching =
            channels.iter().filter(|channel| matches_pattern(&event.channel, &channel.name)).count();
        let (code, message, help) = match matching {
            0 => {
                let names: Vec<&str> = channels.iter().map(|channel| channel.name.as_str()).collect();
                let message = format!("no channel matches `{}`", event.channel);
                ("unknown-channel", message, near_channels(&event.channel, &names))
            }
            1 => continue,
            more => {
                let help = "an event watches one channel: write its whole name".to_string();
                ("ambiguous-channel", format!("`{}` matches {more} channels", event.channel), help)
            }
        };
        let path = format!("simulation.event[{index}].channel");
        list.push(Diagnostic::error(code, path, format!("event `{}`", event.name), message, help));
    }
    list
}

/// A near channel, else those of the item that was named.
fn near_channels(channel: &str, names: &[&str]) -> String {
    if let Some(near) = words::nearest(channel, names.iter().copied()) {
        return format!("did you mean `{near}`?");
    }
    let (item, _) = channel.split_once('.').unwrap_or((channel, ""));
    let prefix = format!("{item}.");
    let own: Vec<&str> = names.iter().copied().filter(|name| name.starts_with(&prefix)).collect();
    if own.is_empty() {
        return "a channel starts with energy, power, momentum or the name of a body or joint".into();
    }
    format!("channels of `{item}`: {}", words::list(own))
}
