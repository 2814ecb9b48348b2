//! Reading result files, finished or not.

mod joined;

pub use joined::PARTS_KEY;
pub(crate) use joined::parts;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_schema::Schema;

use crate::closing::{self, Closing};
use crate::columns;
use crate::error::ResultsError;
use crate::files::io_error;
use crate::frames::{Frame, damaged, decode_batch, decode_schema, frame_at};
use crate::names;
use crate::schema::{FORMAT_KEY, FORMAT_VERSION, Layout, TIME};

/// Where a channel lies within the columns.
#[derive(Debug, Clone, Copy)]
struct Place {
    column: usize,
    offset: usize,
    width: usize,
}

/// The contents of a result file, up to its last whole batch.
#[derive(Debug)]
pub struct ResultFile {
    path: PathBuf,
    layout: Layout,
    places: HashMap<String, Place>,
    batches: Vec<Vec<ScalarBuffer<f64>>>,
    time: Vec<f64>,
    complete: bool,
    torn: Option<String>,
    /// Of an index: what its parts say and it does not, part by part.
    parts: Vec<Closing>,
    pub(crate) whole_bytes: usize,
}

impl ResultFile {
    /// Reads all whole batches of the file at `path`, which may still be growing.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ResultsError> {
        let path = path.as_ref();
        let bytes = crate::files::read(path).map_err(io_error("read", path))?;
        Self::parse(path, Buffer::from_vec(bytes))
    }

    /// Reads the contents of `path` from memory.
    pub(crate) fn parse(path: &Path, bytes: Buffer) -> Result<Self, ResultsError> {
        let (schema, header_bytes) = read_header(path, &bytes)?;
        let layout = columns::to_layout(&schema).map_err(|reason| not_a_result(path, reason))?;
        let mut file = Self {
            path: path.to_owned(),
            places: places(&layout),
            layout,
            batches: Vec::new(),
            time: Vec::new(),
            complete: false,
            torn: None,
            parts: Vec::new(),
            whole_bytes: header_bytes,
        };
        file.read_batches(&Arc::new(schema), &bytes);
        if let Some(found) = parts(path, &file.layout) {
            file.take_parts(&found.map_err(|reason| not_a_result(path, reason))?)?;
        }
        Ok(file)
    }

    /// The rows of an index: those of its parts.
    fn take_parts(&mut self, paths: &[PathBuf]) -> Result<(), ResultsError> {
        let mut parts = Vec::with_capacity(paths.len());
        for path in paths {
            let part = Self::open(path)?;
            if part.layout.metadata.contains_key(PARTS_KEY) {
                return Err(not_a_result(
                    &self.path,
                    format!("its part {} is an index itself", path.display()),
                ));
            }
            parts.push(part);
        }
        let found = joined::join(&self.layout, &parts).map_err(|reason| not_a_result(&self.path, reason))?;
        let (time, columns, complete, torn) = found;
        let known = &self.layout.metadata;
        let own = |part: ResultFile| {
            part.layout.metadata.into_iter().filter(|(key, _)| !known.contains_key(key)).collect()
        };
        self.parts = parts.into_iter().map(own).collect();
        self.batches = vec![columns];
        (self.time, self.torn) = (time, torn);
        self.complete &= complete;
        Ok(())
    }

    fn read_batches(&mut self, schema: &Arc<Schema>, bytes: &Buffer) {
        loop {
            let start = self.whole_bytes;
            match frame_at(bytes, start) {
                Frame::Message { metadata, body, end } => {
                    let values =
                        decode_batch(&metadata, &body, schema).and_then(|batch| columns::from_batch(&batch));
                    match values {
                        Ok(values) => {
                            for (key, text) in closing::decode(&metadata) {
                                // What the header says stands.
                                self.layout.metadata.entry(key).or_insert(text);
                            }
                            self.append(values, end);
                        }
                        Err(reason) => return self.torn = Some(damaged(start, &reason)),
                    }
                }
                Frame::EndMarker { end } if end == bytes.len() => return self.complete = true,
                Frame::EndMarker { end } => {
                    let extra = bytes.len() - end;
                    return self.torn = Some(format!("{extra} bytes follow the end marker"));
                }
                Frame::EndOfBytes => return,
                Frame::Torn(reason) => return self.torn = Some(reason),
            }
        }
    }

    fn append(&mut self, values: Vec<ScalarBuffer<f64>>, end: usize) {
        self.whole_bytes = end;
        let Some(time) = values.first().filter(|time| !time.is_empty()) else { return };
        self.time.extend_from_slice(time);
        self.batches.push(values);
    }

    /// The path the file was opened with.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The families, channels, units and metadata of the file, with what was written behind its rows.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The metadata called `key`: of the file itself, or of every part of an index that does not have it.
    pub fn texts<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        let own = self.layout.metadata.get(key);
        own.into_iter().chain(self.parts.iter().filter_map(move |part| part.get(key))).map(String::as_str)
    }

    /// Number of rows that could be read.
    pub fn rows(&self) -> usize {
        self.time.len()
    }

    /// Number of batches that could be read.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// Whether the file ends with the end marker, that is, whether its writer finished.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// Why reading stopped before the end of the file, if it did.
    pub fn torn(&self) -> Option<&str> {
        self.torn.as_deref()
    }

    /// The time of every row in s.
    pub fn time(&self) -> &[f64] {
        &self.time
    }

    /// All full channel names in row order, `time` first.
    pub fn channel_names(&self) -> impl Iterator<Item = &str> {
        self.layout.channel_names()
    }

    /// The values of one channel in every row, in the unit given by the layout.
    pub fn channel(&self, name: &str) -> Result<Vec<f64>, ResultsError> {
        let place = self.places.get(name).ok_or_else(|| ResultsError::UnknownChannel {
            name: name.to_owned(),
            near: names::near(name, self.channel_names()),
        })?;
        let mut values = Vec::with_capacity(self.rows());
        for batch in &self.batches {
            let rows = batch[place.column].chunks_exact(place.width);
            values.extend(rows.map(|row| row[place.offset]));
        }
        Ok(values)
    }

    /// The full names that match any of `patterns`, each once and in row order.
    ///
    /// In a pattern `*` stands for any text and `?` for one character. A pattern that matches
    /// nothing is an error.
    pub fn select(&self, patterns: &[&str]) -> Result<Vec<&str>, ResultsError> {
        for pattern in patterns {
            if !self.channel_names().any(|n| names::matches(pattern, n)) {
                return Err(ResultsError::NoMatch {
                    pattern: (*pattern).to_owned(),
                    near: names::near(pattern, self.channel_names()),
                });
            }
        }
        let wanted = |name: &&str| patterns.iter().any(|p| names::matches(p, name));
        Ok(self.channel_names().filter(wanted).collect())
    }
}

/// The schema at the start of the file and its length in bytes.
fn read_header(path: &Path, bytes: &Buffer) -> Result<(Schema, usize), ResultsError> {
    let (metadata, end) = match frame_at(bytes, 0) {
        Frame::Message { metadata, end, .. } => (metadata, end),
        Frame::EndOfBytes => return Err(not_a_result(path, "it is empty".to_owned())),
        Frame::EndMarker { .. } => return Err(not_a_result(path, "it has no header".to_owned())),
        Frame::Torn(reason) => return Err(not_a_result(path, reason)),
    };
    let schema = decode_schema(&metadata).map_err(|reason| not_a_result(path, reason))?;
    match schema.metadata().get(FORMAT_KEY) {
        Some(version) if version == FORMAT_VERSION => Ok((schema, end)),
        Some(version) => Err(ResultsError::Version {
            path: path.to_owned(),
            found: version.clone(),
            supported: FORMAT_VERSION,
        }),
        None => {
            let reason = format!("its header lacks the key `{FORMAT_KEY}`");
            Err(not_a_result(path, reason))
        }
    }
}

fn not_a_result(path: &Path, reason: String) -> ResultsError {
    ResultsError::NotAResult { path: path.to_owned(), reason }
}

fn places(layout: &Layout) -> HashMap<String, Place> {
    let time = Place { column: 0, offset: 0, width: 1 };
    let mut places = HashMap::from([(TIME.to_owned(), time)]);
    for (index, family) in layout.families.iter().enumerate() {
        for (offset, channel) in family.channels.iter().enumerate() {
            let place = Place { column: index + 1, offset, width: family.channels.len() };
            places.insert(channel.name.clone(), place);
        }
    }
    places
}
