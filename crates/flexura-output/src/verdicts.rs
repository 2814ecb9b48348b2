//! How far a run can be trusted, for the page: what the report says in words (`validity` of `flexura run`), body by body.

use flexura::simulate::Outcome;
use flexura::truncation::ModeVerdict;
use flexura_results::ResultFile;
use serde_json::{Value, json};

/// Metadata key of the verdicts on a run.
pub const VERDICTS_KEY: &str = "verdicts";
/// Verdicts that a file keeps; a model of thousands of flexible bodies has more, the worst stand first.
const MOST: usize = 500;

/// Metadata of a run that ended so: verdicts on its modes, and whatever else is doubtful about it.
pub fn verdicts_of(outcome: &Outcome) -> (String, String) {
    let doubt = |kind: &str, body: Option<&String>, text: String| json!({ "kind": kind, "body": body, "sufficient": false, "text": text });
    let mut found: Vec<Value> = Vec::new();
    found.extend(outcome.unbalanced.iter().map(|energy| doubt("energy", None, energy.to_string())));
    found.extend(
        outcome.warnings.iter().map(|warning| doubt("range", Some(&warning.body), warning.to_string())),
    );
    found.extend(mode_entries(&outcome.modes));
    found.extend(
        outcome.unresolved.iter().map(|fast| doubt("accelerations", Some(&fast.body), fast.to_string())),
    );
    let pulling = outcome.contacts.iter().filter(|contact| contact.pulls());
    found.extend(pulling.map(|contact| doubt("contact", None, contact.to_string())));
    let left = outcome.half_turns.iter().filter(|law| law.is_alarm());
    found.extend(left.map(|law| doubt("law", None, law.to_string())));
    entry(found)
}

/// Metadata of verdicts on modes alone, such as those of a start without a run.
pub fn mode_verdicts(modes: &[ModeVerdict]) -> (String, String) {
    entry(mode_entries(modes).collect())
}

fn mode_entries(modes: &[ModeVerdict]) -> impl Iterator<Item = Value> {
    modes.iter().map(|found| {
        json!({
            "kind": "modes",
            "body": found.body,
            "sufficient": found.missing.map(|_| !found.is_alarm()),
            "missing": found.missing,
            "reason": found.unknown,
            "text": found.to_string(),
        })
    })
}

/// What a result says about itself: null where nobody has judged it; of several ranks what each of them has found.
pub(crate) fn verdicts_in(file: &ResultFile) -> Value {
    let read: Vec<Value> =
        file.texts(VERDICTS_KEY).filter_map(|text| serde_json::from_str(text).ok()).collect();
    if read.len() < 2 {
        return read.into_iter().next().unwrap_or(Value::Null);
    }
    let left_out = read.iter().filter_map(|verdicts| verdicts["left_out"].as_u64()).sum();
    let mut found: Vec<Value> = Vec::new();
    for verdict in read.into_iter().flat_map(|mut verdicts| list(verdicts["found"].take())) {
        // What is about the whole, such as its energy, every rank has found.
        if !verdict["body"].is_null() || !found.contains(&verdict) {
            found.push(verdict);
        }
    }
    worst_first(found, left_out)
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(list) => list,
        _ => Vec::new(),
    }
}

fn entry(found: Vec<Value>) -> (String, String) {
    (VERDICTS_KEY.into(), worst_first(found, 0).to_string())
}

/// Doubts first, then what was not judged, then what is well.
fn worst_first(mut found: Vec<Value>, already_left_out: u64) -> Value {
    found.sort_by_key(|verdict| match verdict["sufficient"].as_bool() {
        Some(false) => 0,
        None => 1,
        Some(true) => 2,
    });
    let left_out = already_left_out.saturating_add(found.len().saturating_sub(MOST) as u64);
    found.truncate(MOST);
    json!({ "version": 1, "found": found, "left_out": left_out })
}
