//! Which columns of a row a page draws, from the layout alone: for a page that gets its rows from a run, without a file.

use crate::error::OutputError;
use crate::picture::PICTURE_KEY;
use crate::scene::{MODES_KEY, drawn_channels};
use flexura_results::{CREATED_BY_KEY, Layout, MODEL_KEY};
use serde_json::{Value, json};

/// The scene of a run that has no rows yet.
pub struct Columns(Value);

impl Columns {
    /// The scene of a run that records `layout`, which holds a picture.
    pub fn of(layout: &Layout) -> Result<Self, OutputError> {
        let shown = "the run";
        let text = layout.metadata.get(PICTURE_KEY);
        let text = text.ok_or_else(|| OutputError::NoPicture { path: shown.into() })?;
        let picture: Value = serde_json::from_str(text)
            .map_err(|cause| OutputError::DamagedPicture { path: shown.into(), cause })?;
        let names: Vec<&str> = layout.channel_names().collect();
        let places: std::collections::BTreeMap<&str, usize> =
            names.iter().enumerate().map(|(place, &name)| (name, place)).collect();
        let drawn = drawn_channels(&picture, names.len(), shown)?;
        let columns: Option<Vec<usize>> =
            drawn.iter().map(|name| places.get(name.as_str()).copied()).collect();
        let columns = columns.ok_or_else(|| OutputError::NoPicture { path: shown.into() })?;
        let text_of = |key: &str| layout.metadata.get(key).cloned().unwrap_or_default();
        Ok(Self(json!({
            "title": text_of(MODEL_KEY),
            "createdBy": text_of(CREATED_BY_KEY),
            "complete": false,
            "growing": false,
            "rows": 0,
            "width": columns.len(),
            "notes": [],
            "channels": names[1..],
            "units": layout.units().skip(1).collect::<Vec<_>>(),
            "picture": picture,
            "modes": layout.metadata.get(MODES_KEY),
            "columns": columns,
        })))
    }

    /// The JSON that [`Scene::description`](crate::Scene::description) gives of a file, without rows, and `columns`: the places
    /// in a row, time first, of the values of a frame.
    pub fn description(&self) -> &Value {
        &self.0
    }
}
