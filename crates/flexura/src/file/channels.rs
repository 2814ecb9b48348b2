//! Channel names in a model file: every output pattern and event must mean something.

use super::{FileErrors, Loaded};
use crate::diagnostic::Diagnostic;
use crate::model::Model;
use crate::model::channel::channels_where;
use crate::model::words::{list, nearest};
use crate::record::{all_channels, matches_pattern};
use std::collections::BTreeSet;

/// `loaded` again, if every channel it names exists; else what is wrong, after the warnings it came with.
#[doc(hidden)]
pub fn with_known_channels(loaded: Loaded) -> Result<Loaded, FileErrors> {
    let unknown = check_channels(&loaded);
    if unknown.is_empty() {
        return Ok(loaded);
    }
    let diagnostics = loaded.warnings.into_iter().chain(unknown).collect();
    Err(FileErrors { diagnostics, spans: Box::new(loaded.spans) })
}

/// Findings about `[output]` and `[[simulation.event]]` of a built model.
fn check_channels(loaded: &Loaded) -> Vec<Diagnostic> {
    let description = &loaded.built.description;
    let (patterns, events) = (&description.output.channels, &description.simulation.events);
    if events.is_empty() && patterns.iter().all(|pattern| pattern == "*") {
        return Vec::new(); // the list of channels of a large model is not free
    }
    let model = &loaded.built.model;
    let asked = patterns.iter().chain(events.iter().map(|event| &event.channel));
    let asked: Vec<&str> = asked.map(String::as_str).collect();
    let counts = matching(model, &asked);
    let (of_patterns, of_events) = counts.split_at(patterns.len());
    // All names, where one of them is missed.
    let names: Vec<String> = match counts.contains(&0) {
        true => all_channels(model).into_iter().map(|channel| channel.name).collect(),
        false => Vec::new(),
    };
    let mut found = Vec::new();
    for (i, pattern) in patterns.iter().enumerate().filter(|(i, _)| of_patterns[*i] == 0) {
        let path = format!("output.channels[{i}]");
        found.push(unknown(path, "output settings".into(), pattern, &names, model));
    }
    for (i, event) in events.iter().enumerate() {
        let path = format!("simulation.event[{i}].channel");
        let item = format!("event `{}`", event.name);
        match of_events[i] {
            0 => found.push(unknown(path, item, &event.channel, &names, model)),
            1 => {}
            more => {
                let message = format!("`{}` matches {more} channels", event.channel);
                let help = "an event watches one channel: write its whole name";
                found.push(Diagnostic::error("ambiguous-channel", path, item, message, help));
            }
        }
    }
    found
}

/// How many channels match each of `patterns`.
fn matching(model: &Model, patterns: &[&str]) -> Vec<usize> {
    let mut counts = vec![0; patterns.len()];
    channels_where(model, &mut |channel| {
        for (count, pattern) in counts.iter_mut().zip(patterns) {
            *count += usize::from(matches_pattern(pattern, &channel.name));
        }
        false
    });
    counts
}

fn unknown(path: String, item: String, pattern: &str, names: &[String], model: &Model) -> Diagnostic {
    let message = format!("no channel matches `{pattern}`");
    let help = hint(pattern, names, model);
    Diagnostic::error("unknown-channel", path, item, message, help)
}

/// The pattern with its first words, those without `*` and `?`, spelt like those of a channel.
fn near_pattern(pattern: &str, names: &[String]) -> Option<String> {
    let parts: Vec<&str> = pattern.split('.').collect();
    let plain = parts.iter().take_while(|part| !part.contains(['*', '?'])).count();
    if plain == 0 || plain == parts.len() {
        return None;
    }
    let heads: BTreeSet<String> =
        names.iter().map(|name| name.split('.').take(plain).collect::<Vec<_>>().join(".")).collect();
    let near = nearest(&parts[..plain].join("."), heads.iter().map(String::as_str))?;
    let offer = format!("{near}.{}", parts[plain..].join("."));
    names.iter().any(|name| matches_pattern(&offer, name)).then_some(offer)
}

/// A near channel, else the channels of the item that was named, else where names start.
fn hint(pattern: &str, names: &[String], model: &Model) -> String {
    let whole = || nearest(pattern, names.iter().map(String::as_str)).map(str::to_owned);
    if let Some(near) = near_pattern(pattern, names).or_else(whole) {
        return format!("did you mean `{near}`?");
    }
    let (item, _) = pattern.split_once('.').unwrap_or((pattern, ""));
    let prefix = format!("{item}.");
    let own = || names.iter().filter(|name| name.starts_with(&prefix)).map(String::as_str);
    if own().next().is_some() {
        return format!("channels of `{item}`: {}", list(own()));
    }
    let bodies = model.bodies.iter().map(|body| body.name.as_str());
    let items = bodies.chain(model.joints.iter().map(|joint| joint.name.as_str()));
    let near = nearest(item, items.clone()).map(|near| format!("; did you mean `{near}`?"));
    let near = near.unwrap_or_else(|| format!(": {}", list(items)));
    format!("a channel starts with energy, power, momentum or the name of a body or joint{near}")
}
