//! Counts: what was run, refused and never tested.

use super::document::Document;
use super::judge::{Place, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use toml::Value;

/// What happened over many models.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Models that were run.
    pub models: usize,
    /// Models that the reference does not take, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// Comparisons that were made, by kind of comparison.
    pub compared: BTreeMap<String, usize>,
    /// Refusals by kind of comparison and reason.
    pub refused: BTreeMap<(String, String), usize>,
    /// Comparisons of models with an item of this kind, made and refused.
    pub kinds: BTreeMap<String, [usize; 2]>,
    /// Comparisons among them that agree at finer steps or tolerances only.
    pub closer: usize,
    /// Disagreements.
    pub faults: usize,
}

impl Tally {
    /// Counts one comparison of a model with items of these kinds.
    pub fn count(&mut self, kinds: &BTreeSet<String>, place: &Place, verdict: &Verdict) {
        let refused = match verdict {
            Verdict::Refused(reason) => {
                *self.refused.entry((place.words(), pattern(reason))).or_default() += 1;
                true
            }
            Verdict::Agrees | Verdict::AgreesCloser | Verdict::Fault(_) => {
                *self.compared.entry(place.words()).or_default() += 1;
                self.closer += usize::from(*verdict == Verdict::AgreesCloser);
                self.faults += usize::from(matches!(verdict, Verdict::Fault(_)));
                false
            }
        };
        for kind in kinds {
            self.kinds.entry(kind.clone()).or_default()[usize::from(refused)] += 1;
        }
    }

    /// Adds the counts of another.
    pub fn add(&mut self, other: Self) {
        self.models += other.models;
        self.faults += other.faults;
        self.closer += other.closer;
        for (key, count) in other.left_out {
            *self.left_out.entry(key).or_default() += count;
        }
        for (key, count) in other.compared {
            *self.compared.entry(key).or_default() += count;
        }
        for (key, count) in other.refused {
            *self.refused.entry(key).or_default() += count;
        }
        for (key, [made, refused]) in other.kinds {
            let entry = self.kinds.entry(key).or_default();
            *entry = [entry[0] + made, entry[1] + refused];
        }
    }

    /// Comparisons that were made.
    pub fn comparisons(&self) -> usize {
        self.compared.values().sum()
    }
}

/// A reason without the names and numbers of one model.
pub fn pattern(reason: &str) -> String {
    let first = reason.split("; ").next().unwrap_or_default();
    let mut text = String::new();
    let mut quoted = false;
    for letter in first.chars() {
        match letter {
            '`' => {
                quoted = !quoted;
                text.push_str(if quoted { "`…" } else { "`" });
            }
            _ if quoted => {}
            digit if digit.is_ascii_digit() => {
                if !text.ends_with('#') {
                    text.push('#');
                }
            }
            other => text.push(other),
        }
    }
    text.chars().take(120).collect()
}

/// Words for everything a model has: types of items, levels, keys of laws.
pub fn kinds(document: &Document) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for section in ["body", "joint", "element", "load", "controller", "force"] {
        for item in document.get(section).and_then(Value::as_array).into_iter().flatten() {
            let word = |key: &str| item.get(key).and_then(Value::as_str);
            found.insert(match word("type") {
                Some(kind) => format!("{section} {kind}"),
                None => section.to_string(),
            });
            for key in item.as_table().into_iter().flat_map(|table| table.keys()) {
                match (section, key.as_str()) {
                    ("body", "level" | "attachments" | "carriers") => {
                        found.insert(format!("{key} {}", word(key).unwrap_or_default()));
                    }
                    ("body", "mass" | "point_mass" | "beam" | "modal")
                    | ("joint", "stiffness" | "damping" | "friction" | "effort" | "motion") => {
                        found.insert(format!("{section} with {key}"));
                    }
                    _ => {}
                }
            }
        }
    }
    found
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} models, {} comparisons, {} of them at finer steps or tolerances, {} disagreements",
            self.models,
            self.comparisons(),
            self.closer,
            self.faults
        )?;
        for (reason, count) in &self.left_out {
            writeln!(f, "  {count:6} models left out: {reason}")?;
        }
        writeln!(f, "comparisons made:")?;
        for (place, count) in &self.compared {
            writeln!(f, "  {count:6} {place}")?;
        }
        writeln!(f, "refused by name:")?;
        for ((place, reason), count) in &self.refused {
            writeln!(f, "  {count:6} {place}: {reason}")?;
        }
        writeln!(f, "comparisons of models with an item of each kind, made and refused:")?;
        for (kind, [made, refused]) in &self.kinds {
            writeln!(f, "  {made:6} {refused:6} {kind}")?;
        }
        Ok(())
    }
}
