//! Writing the index of a result in several files (see [`PARTS_KEY`]).

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::ResultsError;
use crate::files::{io_error, sync_folder};
use crate::reader::PARTS_KEY;
use crate::schema::Layout;
use crate::writer::{Writer, WriterOptions};

/// Writes the index of a result whose rows stand in `parts`, file names in the folder of `path`.
///
/// It appears under its name in one step, with all that it says: written beside and moved. Without `overwrite` an earlier
/// file is an error and stays.
pub fn write_index(
    path: impl AsRef<Path>,
    layout: &Layout,
    parts: &[String],
    overwrite: bool,
) -> Result<(), ResultsError> {
    let path = path.as_ref();
    let quoted: Vec<String> =
        parts.iter().map(|name| serde_json::Value::from(name.as_str()).to_string()).collect();
    let layout = layout.clone().with_metadata(PARTS_KEY, &format!("[{}]", quoted.join(", ")));
    let beside = beside(path);
    let options =
        WriterOptions { overwrite: true, batch_rows: 1, spare_batches: 1, ..WriterOptions::default() };
    let outcome = Writer::create(&beside, &layout, &options)
        .and_then(Writer::finish)
        .and_then(|_| settle(&beside, path, overwrite));
    if outcome.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&beside);
    }
    outcome
}

/// A name in the same folder, since a file cannot be moved from one file system to another in one step.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    path.with_file_name(name)
}

fn settle(beside: &Path, path: &Path, overwrite: bool) -> Result<(), ResultsError> {
    if !overwrite && path.exists() {
        return Err(ResultsError::AlreadyExists { path: path.to_owned() });
    }
    fs::rename(beside, path).map_err(io_error("replace", path))?;
    sync_folder(path);
    Ok(())
}
