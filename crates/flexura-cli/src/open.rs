//! Opens a model file for any sub-command.

use crate::failure::Failure;
use flexura::diagnostic::Diagnostic;
use flexura::file::{
    FileErrors, Loaded, build_text_with, load_checked_with, load_model_with, render_all, set_parameter,
    with_known_channels,
};
use flexura::model::description::Description;
use flexura::model::words::count;
use flexura_fem::PartSource;
use std::path::Path;
use std::sync::OnceLock;

/// Whether reduced parts come from the cache; said once on the command line.
static CACHED: OnceLock<bool> = OnceLock::new();

/// Chooses whether reduced parts come from the cache.
pub fn use_cache(cached: bool) {
    let _ = CACHED.set(cached);
}

/// The model at `path` with the numbers of `settings` (`PATH=NUMBER`) put in; warnings go to standard error.
pub fn open(path: &Path, settings: &[String]) -> Result<Loaded, Failure> {
    let loaded = open_quietly(path, settings)?;
    if !loaded.warnings.is_empty() {
        eprint!("{}", render_all(&loaded.warnings, &loaded.spans));
    }
    Ok(loaded)
}

/// Like [`open`], but warnings are left to the caller.
pub fn open_quietly(path: &Path, settings: &[String]) -> Result<Loaded, Failure> {
    let loaded =
        if settings.is_empty() { load_model_with(path, &source()) } else { load_with(path, settings)? };
    loaded.and_then(with_known_channels).map_err(|errors| refuse(path, &errors))
}

/// Makes bodies of finite element parts.
pub fn source() -> PartSource {
    crate::part_source::source(CACHED.get().copied().unwrap_or(true))
}

/// The model of the text with other numbers.
fn load_with(path: &Path, settings: &[String]) -> Result<Result<Loaded, FileErrors>, Failure> {
    let mut text = flexura::file::read_plain_text(path)
        .map_err(|error| Failure::File(format!("cannot read model file {}: {error}", path.display())))?;
    for setting in settings {
        let Some((name, value)) = setting.split_once('=') else {
            return Err(Failure::Usage(format!("--set {setting}: write PATH=NUMBER, such as arm.mass=2.5")));
        };
        text = set_parameter(&text, name.trim(), value)
            .map_err(|error| Failure::Usage(format!("--set {setting}: {error}")))?;
    }
    Ok(build_text_with(&text, &path.display().to_string(), &source()))
}

/// The model of a text written by this program; parts are found beside `path`.
pub fn open_text(text: &str, path: &Path) -> Result<Loaded, Failure> {
    build_text_with(text, &path.display().to_string(), &source()).map_err(|errors| refuse(path, &errors))
}

/// The description at `path`, valid in its parts but not built; warnings go to standard error.
pub fn open_description(path: &Path) -> Result<Description, Failure> {
    let parsed = load_checked_with(path, &source()).map_err(|errors| refuse(path, &errors))?;
    if !parsed.warnings.is_empty() {
        eprint!("{}", render_all(&parsed.warnings, &parsed.spans));
    }
    Ok(parsed.description)
}

/// The failure for a file that gives no model.
fn refuse(path: &Path, errors: &FileErrors) -> Failure {
    if let Some(found) = errors.diagnostics.iter().find(|found| found.code == "unreadable-file") {
        let text = format!("cannot read model file {}: {}; {}", path.display(), found.message, found.help);
        return Failure::File(text);
    }
    let number = errors.diagnostics.iter().filter(|found| Diagnostic::is_error(found)).count();
    Failure::Model(format!("{errors}\n\n{}: {}, no model was built", path.display(), count(number, "error")))
}

/// Refuses to replace what was read by what is written.
pub fn refuse_same_file(read: &Path, written: &Path) -> Result<(), Failure> {
    match (read.canonicalize(), written.canonicalize()) {
        (Ok(read), Ok(written)) if read == written => {
            Err(Failure::Usage(format!("--output {} would replace the file that is read", written.display())))
        }
        _ => Ok(()),
    }
}
