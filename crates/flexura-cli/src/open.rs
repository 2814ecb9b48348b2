//! Opens a model file for any sub-command.

use crate::failure::Failure;
use flexura::file::{Loaded, load_model, render_all};
use std::path::Path;

/// The model at `path`; warnings go to standard error.
pub fn open(path: &Path) -> Result<Loaded, Failure> {
    let loaded = load_model(path).map_err(|errors| {
        let unreadable = errors.diagnostics.iter().any(|found| found.code == "unreadable-file");
        if unreadable {
            return Failure::File(format!("{}: {}", path.display(), errors.diagnostics[0].message));
        }
        let count = errors.diagnostics.iter().filter(|found| found.is_error()).count();
        let plural = if count == 1 { "error" } else { "errors" };
        Failure::Model(format!("{errors}\n\n{}: {count} {plural}, no model was built", path.display()))
    })?;
    if !loaded.warnings.is_empty() {
        eprint!("{}", render_all(&loaded.warnings, &loaded.spans));
    }
    Ok(loaded)
}
