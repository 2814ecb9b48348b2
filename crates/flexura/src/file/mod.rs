#![doc = include_str!("../../MODEL_FILE.md")]
//!
//! # How files are read
//!
//! The text becomes a tree of values with places; the language of the file is resolved
//! entry by entry; the reader walks the plain entries by hand and fills a
//! [`Description`]. It goes on after a problem and reports all of them.
//! Findings carry item paths; a [`SpanTable`] turns a path into a place of the
//! file, and [`render()`] into text.

mod beam;
mod body;
mod body_source;
mod channels;
mod controller;
mod coordinate;
mod document;
mod element;
mod fields;
mod fingerprint;
mod formula;
mod geometry;
mod graph;
mod joint;
mod language;
mod load;
mod modal;
mod node;
mod parameter;
mod picture;
mod pieces;
mod plain;
mod render;
mod rotation;
mod settings;
mod sink;
mod sources;
mod span;
mod synonyms;
mod time_function;
mod tyre;
mod value;

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use self::document::{read, read_model};
use crate::build::{Built, build};
use crate::diagnostic::Diagnostic;
use crate::model::description::Description;
use crate::model::item::ROOT;
use crate::model::validate::{unrelated, validate};

pub use body_source::{BodySource, NoSource, RememberedBodies, SourceError, SourcedBody, resolve};
pub use channels::with_known_channels;
pub use document::{known_keys, list_keys, read_document};
pub use fields::Fields;
pub use fingerprint::{content_hash, fnv1a};
#[doc(hidden)]
pub use language::condense;
pub use modal::read_damping;
pub use node::{Node, Table};
pub use parameter::{Parameter, ParameterError, find_parameter, parameters, set_parameter};
#[doc(hidden)]
pub use plain::lies_beside;
pub use plain::{read_plain, read_plain_text};
pub use render::{render, render_all};
pub use sink::{Findings, KnownKeys, Sink};
pub use span::SpanTable;
pub use value::Value;

/// JSON schema of model files, for editors; `flexura schema` prints it. Tests hold it against
/// [`known_keys`] and against every model of the repository.
pub const SCHEMA: &str = include_str!("../../model.schema.json");

/// A model read from a file.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Parsed {
    /// What the file describes.
    pub description: Description,
    /// Where it describes it.
    pub spans: SpanTable,
    /// What is suspicious but allowed.
    pub warnings: Vec<Diagnostic>,
}

/// Everything found in a file with at least one error.
#[derive(Clone, Debug)]
pub struct FileErrors {
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The text they are about.
    pub spans: Box<SpanTable>,
}

impl fmt::Display for FileErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(render_all(&self.diagnostics, &self.spans).trim_end())
    }
}

impl std::error::Error for FileErrors {}

/// Reads the text of a model file; `file_name` is used in messages only.
///
/// The description is complete but unchecked: see [`check`].
pub fn parse(text: &str, file_name: &str) -> Result<Parsed, FileErrors> {
    let (description, findings, spans) = read(text, file_name)?;
    settle(description, findings.diagnostics, spans)
}

/// Reads and validates the text of a model file, reporting the problems of
/// both steps at once. Bodies from finite elements are refused: see [`check_with`].
pub fn check(text: &str, file_name: &str) -> Result<Parsed, FileErrors> {
    check_with(text, file_name, &NoSource)
}

/// Reads and validates the text of a model file; `source` makes the bodies it
/// names by `fe`, relative to the folder of `file_name`.
pub fn check_with(text: &str, file_name: &str, source: &dyn BodySource) -> Result<Parsed, FileErrors> {
    check_read(read(text, file_name)?, file_name, source, true)
}

/// The same for a model whose used files are in memory, by their names without folders. Pictures stay without their geometry
/// files: what reads a model this way draws nothing.
#[doc(hidden)]
pub fn check_with_files(
    text: &str,
    file_name: &str,
    source: &dyn BodySource,
    files: &[(String, Vec<u8>)],
) -> Result<Parsed, FileErrors> {
    let fetch = |name: &str| {
        let name = Path::new(name).file_name().unwrap_or_default().to_string_lossy();
        let found =
            files.iter().find(|(known, _)| *known == name).ok_or_else(|| format!("no file {name}"))?;
        String::from_utf8(found.1.clone()).map_err(|fault| fault.to_string())
    };
    check_read(read_model(Sink::default(), text, file_name, &fetch)?, file_name, source, false)
}

/// Validates what was read; geometry files are looked for on disk only if `drawn`.
fn check_read(
    (mut description, findings, spans): (Description, Findings, SpanTable),
    file_name: &str,
    source: &dyn BodySource,
    drawn: bool,
) -> Result<Parsed, FileErrors> {
    let mut diagnostics = findings.diagnostics;
    // Where the reader had to guess, validation would only judge the guess.
    let mut guessed = findings.unreliable;
    let sourced = resolve(&mut description, file_name, source);
    if sourced.iter().any(Diagnostic::is_error) {
        // Frames and modes of such a body are unknown.
        guessed.push(ROOT.to_string());
    }
    diagnostics.extend(sourced);
    if drawn {
        diagnostics.extend(geometry::resolve(&mut description, file_name, &spans));
    }
    let wrong = diagnostics.iter().filter(|found| found.is_error() && found.code != "unknown-key");
    guessed.extend(wrong.map(|found| found.path.clone()));
    let further = validate(&mut description);
    diagnostics.extend(unrelated(further, &guessed));
    settle(description, diagnostics, spans)
}

/// Reads the model file at `path`, as [`parse`] does.
pub fn load(path: impl AsRef<Path>) -> Result<Parsed, FileErrors> {
    let name = path.as_ref().display().to_string();
    parse(&text_of(path.as_ref(), &name)?, &name)
}

/// Reads and validates the model file at `path`, as [`check`] does.
#[doc(hidden)]
pub fn load_checked(path: impl AsRef<Path>) -> Result<Parsed, FileErrors> {
    load_checked_with(path, &NoSource)
}

/// Reads and validates the model file at `path`, as [`check_with`] does.
#[doc(hidden)]
pub fn load_checked_with(path: impl AsRef<Path>, source: &dyn BodySource) -> Result<Parsed, FileErrors> {
    let name = path.as_ref().display().to_string();
    check_with(&text_of(path.as_ref(), &name)?, &name, source)
}

/// A model built from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model and the description it was built from.
    pub built: Built,
    /// Where the file describes what.
    pub spans: SpanTable,
    /// What is suspicious but allowed.
    pub warnings: Vec<Diagnostic>,
}

/// Reads, validates and builds the model file at `path`.
pub fn load_model(path: impl AsRef<Path>) -> Result<Loaded, FileErrors> {
    load_model_with(path, &NoSource)
}

/// Reads, validates and builds the model file at `path`; `source` makes the bodies
/// it names by `fe`.
pub fn load_model_with(path: impl AsRef<Path>, source: &dyn BodySource) -> Result<Loaded, FileErrors> {
    let name = path.as_ref().display().to_string();
    build_text_with(&text_of(path.as_ref(), &name)?, &name, source)
}

/// Reads, validates and builds the text of a model file.
pub fn build_text(text: &str, file_name: &str) -> Result<Loaded, FileErrors> {
    build_text_with(text, file_name, &NoSource)
}

/// Reads, validates and builds the text of a model file; `source` makes the bodies
/// it names by `fe`, relative to the folder of `file_name`.
pub fn build_text_with(text: &str, file_name: &str, source: &dyn BodySource) -> Result<Loaded, FileErrors> {
    let Parsed { description, spans, mut warnings } = check_with(text, file_name, source)?;
    match build(description) {
        Ok(built) => {
            let further = not_yet_found(&warnings, built.warnings.clone());
            warnings.extend(further);
            Ok(Loaded { built, spans, warnings })
        }
        Err(error) => {
            let further = not_yet_found(&warnings, error.diagnostics);
            let diagnostics = warnings.into_iter().chain(further).collect();
            Err(FileErrors { diagnostics, spans: Box::new(spans) })
        }
    }
}

/// Findings of building that reading had not found before.
#[doc(hidden)]
pub fn not_yet_found(before: &[Diagnostic], found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let known: HashSet<(&str, &str, &str)> = before.iter().map(identity).collect();
    found.into_iter().filter(|found| !known.contains(&identity(found))).collect()
}

fn identity(found: &Diagnostic) -> (&str, &str, &str) {
    (found.code, &found.path, &found.message)
}

fn text_of(path: &Path, name: &str) -> Result<String, FileErrors> {
    read_plain_text(path).map_err(|fault| {
        let help = "check the name of the file and that it is UTF-8 text";
        let message = fault.to_string();
        let diagnostic = Diagnostic::error("unreadable-file", "", "model file", message, help);
        let spans = Box::new(SpanTable::new(name, ""));
        FileErrors { diagnostics: vec![diagnostic], spans }
    })
}

/// A model where nothing forbids it.
fn settle(
    description: Description,
    diagnostics: Vec<Diagnostic>,
    spans: SpanTable,
) -> Result<Parsed, FileErrors> {
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(FileErrors { diagnostics, spans: Box::new(spans) });
    }
    Ok(Parsed { description, spans, warnings: diagnostics })
}
