//! Lines of a sweep's journal: one finished case each, as JSON.
//!
//! Numbers are kept as text in Rust's shortest form, which reads back as the same bits. A line that cannot be read is
//! passed over: its case is computed again.

use serde_json::{Value, json};

/// Last, smallest and largest value of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// At the end.
    pub last: f64,
    /// Smallest.
    pub least: f64,
    /// Largest.
    pub most: f64,
}

impl Default for Extent {
    fn default() -> Self {
        Self { last: f64::NAN, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }
}

impl Extent {
    /// Takes in the next value.
    pub fn see(&mut self, value: f64) {
        self.last = value;
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }
}

/// What a case came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// When its run ended (s).
    pub end_time: f64,
    /// Why there are no numbers.
    pub failure: Option<String>,
    /// Why its energy cannot be trusted.
    pub unbalanced: Option<String>,
    /// One per channel of the summary; nothing for a channel that this case does not have.
    pub extents: Vec<Option<Extent>>,
}

impl Entry {
    /// A case that gave no numbers.
    pub fn failed(reason: &str) -> Self {
        let failure = Some(reason.trim().to_owned());
        Self { end_time: f64::NAN, failure, unbalanced: None, extents: Vec::new() }
    }

    /// The line of the case with `key`, with its line ending.
    pub fn to_line(&self, key: &str) -> String {
        let text = |value: f64| format!("{value:?}");
        let extents = self
            .extents
            .iter()
            .map(|extent| extent.map_or(Value::Null, |e| json!([text(e.last), text(e.least), text(e.most)])));
        let value = json!({
            "key": key,
            "end_time": text(self.end_time),
            "failure": self.failure,
            "unbalanced": self.unbalanced,
            "extents": extents.collect::<Vec<_>>(),
        });
        format!("{value}\n")
    }

    /// Key and entry of a line.
    pub fn from_line(line: &str) -> Option<(String, Self)> {
        let value: Value = serde_json::from_str(line).ok()?;
        let number = |value: &Value| value.as_str()?.parse::<f64>().ok();
        let extents = value["extents"].as_array()?.iter().map(|extent| match extent.as_array() {
            Some(e) if e.len() == 3 => {
                Some(Some(Extent { last: number(&e[0])?, least: number(&e[1])?, most: number(&e[2])? }))
            }
            _ => extent.is_null().then_some(None),
        });
        let entry = Self {
            end_time: number(&value["end_time"])?,
            failure: value["failure"].as_str().map(str::to_owned),
            unbalanced: value["unbalanced"].as_str().map(str::to_owned),
            extents: extents.collect::<Option<Vec<_>>>()?,
        };
        Some((value["key"].as_str()?.to_owned(), entry))
    }
}

/// How many bytes of a journal are whole lines, and what they say.
pub fn read(bytes: &[u8]) -> (usize, Vec<(String, Entry)>) {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&bytes[..whole]);
    (whole, text.lines().filter_map(Entry::from_line).collect())
}
