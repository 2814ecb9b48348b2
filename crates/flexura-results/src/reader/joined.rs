//! Results in several files: an index that names them, read as one.
//!
//! Each rank of a run writes a result file of its own. The index is a result file without rows whose header has all
//! channels in their order, and the names of the parts under [`PARTS_KEY`], a JSON array of file names relative to its own
//! folder. Rows that all parts have are those of the result: after a crash some parts may have a few more.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use arrow_buffer::ScalarBuffer;

use super::ResultFile;
use crate::schema::Layout;

/// Metadata key of an index: file names of its parts as a JSON array of texts.
pub const PARTS_KEY: &str = "parts";

/// Files of the parts, where `layout` is that of an index at `path`.
pub(crate) fn parts(path: &Path, layout: &Layout) -> Option<Result<Vec<PathBuf>, String>> {
    let text = layout.metadata.get(PARTS_KEY)?;
    let names: Result<Vec<String>, _> = serde_json::from_str(text);
    let folder = path.parent().unwrap_or(Path::new(""));
    let inside = |name: String| match Path::new(&name).components().count() == 1 {
        true => Ok(folder.join(name)),
        false => Err(format!("its part `{name}` is no plain file name")),
    };
    let names = names.map_err(|error| format!("its list of parts is damaged: {error}"));
    Some(names.and_then(|names| names.into_iter().map(inside).collect()))
}

/// Time, columns of all families, and why rows of some parts are left out.
pub(crate) type Joined = (Vec<f64>, Vec<ScalarBuffer<f64>>, bool, Option<String>);

/// The rows that all `parts` have, in the columns of `layout`.
pub(crate) fn join(layout: &Layout, parts: &[ResultFile]) -> Result<Joined, String> {
    let rows = parts.iter().map(ResultFile::rows).min().unwrap_or(0);
    let time = parts.first().map_or(&[][..], |part| &part.time()[..rows]);
    for part in parts {
        let same = part.time()[..rows].iter().zip(time).all(|(a, b)| a.to_bits() == b.to_bits());
        if !same {
            return Err(format!("its part {} has other instants than the first", part.path().display()));
        }
    }
    let mut owners: HashMap<&str, &ResultFile> = HashMap::new();
    for part in parts {
        part.channel_names().skip(1).for_each(|name| {
            owners.insert(name, part);
        });
    }
    let mut columns = vec![ScalarBuffer::from(time.to_vec())];
    for family in &layout.families {
        let width = family.channels.len();
        let mut values = vec![0.0; rows * width];
        for (offset, channel) in family.channels.iter().enumerate() {
            let part = owners.get(channel.name.as_str());
            let part = part.ok_or_else(|| format!("none of its parts has channel `{}`", channel.name))?;
            let found = part.channel(&channel.name).map_err(|error| error.to_string())?;
            for (row, &value) in found[..rows].iter().enumerate() {
                values[row * width + offset] = value;
            }
        }
        columns.push(ScalarBuffer::from(values));
    }
    let torn =
        parts.iter().find_map(|part| part.torn().map(|why| format!("part {}: {why}", part.path().display())));
    let complete = parts.iter().all(|part| part.complete() && part.rows() == rows);
    Ok((time.to_vec(), columns, complete, torn))
}
