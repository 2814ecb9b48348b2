//! What the page is given: the scene as JSON, poses and channels as `f32`.
//!
//! Everything here comes from the result file alone.

use crate::error::OutputError;
use crate::picture::PICTURE_KEY;
use crate::verdicts::verdicts_in;
use flexura_results::{CREATED_BY_KEY, MODEL_KEY, ResultFile};
use serde_json::{Value, json};

/// Metadata key of the modes in a result of mode shapes.
pub(crate) const MODES_KEY: &str = "modes";

/// A result file ready to be shown.
pub struct Scene {
    /// Picture section of the file.
    picture: Value,
    title: String,
    created_by: String,
    /// Number, frequency and damping of mode shapes; null for a run.
    modes: Value,
    /// How far the run can be trusted; null where nobody has judged it.
    verdicts: Value,
    /// Whether the run has ended as planned.
    pub complete: bool,
    /// Whether more rows may come.
    pub growing: bool,
    /// Time of every row (s).
    pub times: Vec<f64>,
    /// Values per row of `frames`.
    pub width: usize,
    /// Poses of all bodies, then their modal coordinates, row after row.
    pub frames: Vec<f32>,
    /// Names and units of the channels offered as plots.
    pub channels: Vec<(String, String)>,
    /// What the page has to say about the data.
    pub notes: Vec<String>,
    file: ResultFile,
}

impl Scene {
    /// The scene of a result file.
    pub fn new(file: ResultFile) -> Result<Self, OutputError> {
        let shown = file.path().display().to_string();
        let metadata = &file.layout().metadata;
        let text = metadata.get(PICTURE_KEY).ok_or_else(|| OutputError::NoPicture { path: shown.clone() })?;
        let picture: Value = serde_json::from_str(text)
            .map_err(|cause| OutputError::DamagedPicture { path: shown.clone(), cause })?;
        let text_of = |key: &str| metadata.get(key).cloned().unwrap_or_default();
        let (title, created_by) = (text_of(MODEL_KEY), text_of(CREATED_BY_KEY));
        // Written by `flexura modes --shapes`; what cannot be read is not shown.
        let value = |key: &str| metadata.get(key).and_then(|text| serde_json::from_str(text).ok());
        let modes = value(MODES_KEY).unwrap_or(Value::Null);
        let verdicts = verdicts_in(&file);
        if file.rows() == 0 {
            return Err(OutputError::NoRows { path: shown });
        }
        let (width, frames) = frames(&file, &picture, &shown)?;
        let layout = file.layout();
        let channels = layout.families.iter().flat_map(|family| &family.channels);
        let channels = channels.map(|channel| (channel.name.clone(), channel.unit.clone())).collect();
        let mut notes = Vec::new();
        if let Some(reason) = file.torn() {
            notes.push(format!("The file is torn ({reason}); whole rows are shown."));
        }
        let (times, complete) = (file.time().to_vec(), file.complete());
        Ok(Self {
            picture,
            title,
            created_by,
            modes,
            verdicts,
            complete,
            growing: false,
            times,
            width,
            frames,
            channels,
            notes,
            file,
        })
    }

    /// Takes in what was appended to the file of a growing scene; a file that cannot be read now may be later.
    pub fn refresh(&mut self) {
        if !self.growing {
            return;
        }
        let Ok(file) = ResultFile::open(self.file.path()) else { return };
        self.growing = !file.complete();
        if file.rows() == self.rows() {
            self.verdicts = verdicts_in(&file);
            self.complete = file.complete();
        } else if let Ok(scene) = Self::new(file) {
            *self = Self { growing: self.growing, notes: std::mem::take(&mut self.notes), ..scene };
        }
    }

    /// Place of the body called `name` in the picture.
    pub fn body(&self, name: &str) -> Option<usize> {
        self.picture["bodies"].as_array()?.iter().position(|body| body["name"] == name)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.times.len()
    }

    /// Values of channel `index` in every row.
    pub fn channel(&self, index: usize) -> Option<Vec<f32>> {
        let (name, _) = self.channels.get(index)?;
        let values = self.file.channel(name).ok()?;
        Some(values.into_iter().map(|value| value as f32).collect())
    }

    /// How far the run can be trusted; a growing result has this at its end.
    pub fn verdicts(&self) -> &Value {
        &self.verdicts
    }

    /// The JSON the page starts with.
    pub fn description(&self) -> Value {
        let (names, units): (Vec<&str>, Vec<&str>) =
            self.channels.iter().map(|(name, unit)| (name.as_str(), unit.as_str())).unzip();
        json!({
            "title": self.title,
            "createdBy": self.created_by,
            "complete": self.complete,
            "growing": self.growing,
            "rows": self.rows(),
            "width": self.width,
            "notes": self.notes,
            "channels": names,
            "units": units,
            "picture": self.picture,
            "modes": self.modes,
            "verdicts": self.verdicts,
        })
    }
}

/// Names of the channels that a picture draws, in the order of a frame: poses of all bodies, then their modal coordinates. The
/// file has `known` channels.
pub(crate) fn drawn_channels(picture: &Value, known: usize, shown: &str) -> Result<Vec<String>, OutputError> {
    let bodies = picture["bodies"].as_array().map_or(&[][..], Vec::as_slice);
    let asked: u64 =
        bodies.iter().map(|body| body["modes"].as_u64().unwrap_or(0)).fold(0, u64::saturating_add);
    if asked > known as u64 || bodies.len() > known {
        // Before a name is made for each of them.
        return Err(OutputError::CrowdedPicture {
            path: shown.into(),
            asked: asked.max(bodies.len() as u64),
            known,
        });
    }
    let mut names = Vec::new();
    for body in bodies {
        let name = body["name"].as_str().unwrap_or_default();
        names.extend(["x", "y", "z"].map(|axis| format!("{name}.position.{axis}")));
        names.extend(["w", "x", "y", "z"].map(|axis| format!("{name}.quaternion.{axis}")));
    }
    for body in bodies {
        let name = body["name"].as_str().unwrap_or_default();
        names.extend((1..=body["modes"].as_u64().unwrap_or(0)).map(|mode| format!("{name}.eta.{mode}")));
    }
    Ok(names)
}

/// Row-major poses and modal coordinates, and the width of a row.
fn frames(file: &ResultFile, picture: &Value, shown: &str) -> Result<(usize, Vec<f32>), OutputError> {
    let names = drawn_channels(picture, file.channel_names().count(), shown)?;
    let (rows, width) = (file.rows(), names.len());
    let mut frames = vec![0.0f32; rows * width];
    for (column, name) in names.iter().enumerate() {
        let values = file
            .channel(name)
            .map_err(|cause| OutputError::IncompletePicture { path: shown.into(), cause })?;
        for (row, value) in values.into_iter().enumerate() {
            frames[row * width + column] = value as f32;
        }
    }
    Ok((width, frames))
}

/// Little-endian bytes.
pub fn bytes_f32(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

/// Little-endian bytes.
pub fn bytes_f64(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}
