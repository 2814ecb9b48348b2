//! What a result file holds: families of channels, and free metadata.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::error::ResultsError;

/// Version of the file format, stored under [`FORMAT_KEY`].
pub const FORMAT_VERSION: &str = "1";
/// Metadata key of the format version, written and checked by this crate itself.
pub const FORMAT_KEY: &str = "flexura.format";
/// Metadata key of the model's name.
pub const MODEL_KEY: &str = "model";
/// Metadata key of the hash of the model.
pub const MODEL_HASH_KEY: &str = "model_hash";
/// Metadata key of the program (with version) that wrote the file.
pub const CREATED_BY_KEY: &str = "created_by";
/// Name of the first column, the time in s.
pub const TIME: &str = "time";
/// Unit of the first column.
pub const TIME_UNIT: &str = "s";

/// One scalar that is recorded in every row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Channel {
    /// Full name, unique in the file, for example `crank.position.x`.
    pub name: String,
    /// Unit as text, for example `m`; empty where there is none.
    pub unit: String,
}

impl Channel {
    /// Makes a channel from its full name and unit.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }
}

/// Channels that belong together and form one column of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// Column name, unique in the file, for example `pose`.
    pub name: String,
    /// One sentence on what the channels are.
    pub description: String,
    /// The channels in row order; at least one.
    pub channels: Vec<Channel>,
}

impl Family {
    /// Makes a family from its parts.
    pub fn new(name: impl Into<String>, description: impl Into<String>, channels: Vec<Channel>) -> Self {
        Self { name: name.into(), description: description.into(), channels }
    }
}

/// The columns of a result file after `time`, and the file's metadata.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Layout {
    /// The families in row order.
    pub families: Vec<Family>,
    /// Free key/value texts; [`FORMAT_KEY`] is reserved.
    pub metadata: BTreeMap<String, String>,
}

impl Layout {
    /// Makes a layout without families that names its model, the model's hash and its writer.
    pub fn new(model: &str, model_hash: &str, created_by: &str) -> Self {
        Self::default()
            .with_metadata(MODEL_KEY, model)
            .with_metadata(MODEL_HASH_KEY, model_hash)
            .with_metadata(CREATED_BY_KEY, created_by)
    }

    /// Appends a family.
    #[must_use]
    pub fn with_family(mut self, family: Family) -> Self {
        self.families.push(family);
        self
    }

    /// Sets one metadata text.
    #[must_use]
    pub fn with_metadata(mut self, key: &str, value: &str) -> Self {
        self.metadata.insert(key.to_owned(), value.to_owned());
        self
    }

    /// Number of values in a row: the time and every channel.
    pub fn row_width(&self) -> usize {
        1 + self.families.iter().map(|family| family.channels.len()).sum::<usize>()
    }

    /// All full channel names in row order, `time` first.
    pub fn channel_names(&self) -> impl Iterator<Item = &str> {
        let channels = self.families.iter().flat_map(|family| &family.channels);
        std::iter::once(TIME).chain(channels.map(|channel| channel.name.as_str()))
    }

    /// All units in row order, `s` of the time first.
    pub fn units(&self) -> impl Iterator<Item = &str> {
        let channels = self.families.iter().flat_map(|family| &family.channels);
        std::iter::once(TIME_UNIT).chain(channels.map(|channel| channel.unit.as_str()))
    }

    /// Checks that names are present and unique and that no reserved name is used.
    pub fn validate(&self) -> Result<(), ResultsError> {
        if self.metadata.contains_key(FORMAT_KEY) {
            return Err(ResultsError::Layout(format!("metadata key `{FORMAT_KEY}` is reserved")));
        }
        self.validate_families()?;
        self.validate_channels()
    }

    fn validate_families(&self) -> Result<(), ResultsError> {
        let mut seen = BTreeSet::from([TIME]);
        for family in &self.families {
            let name = family.name.as_str();
            if name.is_empty() {
                return Err(ResultsError::Layout("a family has no name".to_owned()));
            }
            if !seen.insert(name) {
                return Err(ResultsError::Layout(format!("family name `{name}` is used twice")));
            }
            // A list of width zero loses its row count in some readers of the format.
            if family.channels.is_empty() {
                return Err(ResultsError::Layout(format!("family `{name}` has no channels; leave it out")));
            }
        }
        Ok(())
    }

    fn validate_channels(&self) -> Result<(), ResultsError> {
        let mut owners = HashMap::from([(TIME, TIME)]);
        for family in &self.families {
            for (index, channel) in family.channels.iter().enumerate() {
                if channel.name.is_empty() {
                    return Err(ResultsError::Layout(format!(
                        "channel {index} of family `{}` has no name",
                        family.name
                    )));
                }
                if let Some(first) = owners.insert(&channel.name, &family.name) {
                    return Err(ResultsError::DuplicateChannel {
                        name: channel.name.clone(),
                        first: first.to_owned(),
                        second: family.name.clone(),
                    });
                }
            }
        }
        Ok(())
    }
}
