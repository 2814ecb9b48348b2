#![doc = include_str!("../../MODEL_FILE.md")]
//!
//! # How files are read
//!
//! The reader walks the spanned table of the `toml` crate by hand and fills a
//! [`Description`]. It goes on after a problem and reports all of them.
//! Findings carry item paths; a [`SpanTable`] turns a path into a place of the
//! file, and [`render()`] into text.

mod beam;
mod body;
mod body_source;
mod channels;
mod controller;
mod coordinate;
mod element;
mod fields;
mod fingerprint;
mod formula;
mod graph;
mod joint;
mod language;
mod load;
mod modal;
mod node;
mod parameter;
mod picture;
mod plain;
mod render;
mod rotation;
mod settings;
mod sink;
mod sources;
mod span;
mod time_function;
mod tyre;
mod value;

use std::fmt;
use std::path::Path;
use std::rc::Rc;

use toml::de::DeTable;

use self::language::{Program, from_disk, place_frames};
use self::node::Reading;
use self::sources::Sources;
use crate::build::{Built, build};
use crate::diagnostic::Diagnostic;
use crate::model::description::Description;
use crate::model::item::{Item, ROOT};
use crate::model::validate::{unrelated, validate};

pub use body_source::{BodySource, NoSource, RememberedBodies, SourceError, SourcedBody, resolve};
pub use channels::with_known_channels;
pub use fields::Fields;
pub use fingerprint::{content_hash, fnv1a};
#[doc(hidden)]
pub use language::condense;
pub use modal::read_damping;
pub use node::{Node, Table};
pub use parameter::{Parameter, ParameterError, find_parameter, parameters, set_parameter};
pub use plain::{read_plain, read_plain_text};
pub use render::{render, render_all};
pub use sink::{Findings, KnownKeys, Sink};
pub use span::SpanTable;
pub use value::Value;

/// JSON schema of model files, for editors; `flexura schema` prints it. Tests hold it against
/// [`known_keys`] and against every model of the repository.
pub const SCHEMA: &str = include_str!("../../model.schema.json");

/// Path of a syntax error, which belongs to no item.
const SYNTAX: &str = "(syntax)";
/// Gravity of a file that does not give it (m/s²).
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

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
    let (mut description, findings, spans) = read(text, file_name)?;
    let mut diagnostics = findings.diagnostics;
    // Where the reader had to guess, validation would only judge the guess.
    let mut guessed = findings.unreliable;
    let sourced = resolve(&mut description, file_name, source);
    if sourced.iter().any(Diagnostic::is_error) {
        // Frames and modes of such a body are unknown.
        guessed.push(ROOT.to_string());
    }
    diagnostics.extend(sourced);
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
            let further = built.warnings.iter().filter(|found| !warnings.contains(found));
            let further: Vec<Diagnostic> = further.cloned().collect();
            warnings.extend(further);
            Ok(Loaded { built, spans, warnings })
        }
        Err(error) => {
            let further = error.diagnostics.into_iter().filter(|found| !warnings.contains(found));
            let diagnostics = warnings.iter().cloned().chain(further).collect();
            Err(FileErrors { diagnostics, spans: Box::new(spans) })
        }
    }
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

/// Reads what can be read and lists what cannot.
fn read(text: &str, file_name: &str) -> Result<(Description, Findings, SpanTable), FileErrors> {
    read_model(Sink::default(), text, file_name)
}

/// Reads a model with the files it uses.
fn read_model(
    sink: Sink,
    text: &str,
    file_name: &str,
) -> Result<(Description, Findings, SpanTable), FileErrors> {
    let mut sources = Sources::new(file_name, text);
    let program = match Program::new(&mut sources, &from_disk, &sink) {
        Ok(program) => Rc::new(program),
        Err(fault) => return Err(syntax_error(&fault, "model file", SpanTable::of_model(sources))),
    };
    let sink = sink.with_program(program.clone());
    let read = |fields: &mut Fields<'_>| read_description(fields, file_name, &program);
    let (description, findings) = read_table(sink, &program.sections, "model file", read);
    Ok(with_marks(description, findings, SpanTable::of_model(sources)))
}

/// Walks a TOML text with `read`, which takes the keys it knows from the top-level
/// table; unknown keys are found here. `words` name the kind of file in messages.
#[doc(hidden)]
pub fn read_document<T>(
    text: &str,
    file_name: &str,
    words: &str,
    read: impl FnOnce(&mut Fields<'_>) -> T,
) -> Result<(T, Findings, SpanTable), FileErrors> {
    read_into(Sink::default(), text, file_name, words, read)
}

/// The tables of a model file and the keys that the reader knows in each: what a schema must say.
#[doc(hidden)]
pub fn known_keys(text: &str, file_name: &str) -> Result<Vec<KnownKeys>, FileErrors> {
    let (_, findings, _) = read_model(Sink::listing(), text, file_name)?;
    Ok(findings.tables)
}

/// The same for another kind of file and its reader, as in [`read_document`].
#[doc(hidden)]
pub fn list_keys(
    text: &str,
    file_name: &str,
    words: &str,
    read: impl FnOnce(&mut Fields<'_>),
) -> Result<Vec<KnownKeys>, FileErrors> {
    let (_, findings, _) = read_into(Sink::listing(), text, file_name, words, read)?;
    Ok(findings.tables)
}

fn read_into<T>(
    sink: Sink,
    text: &str,
    file_name: &str,
    words: &str,
    read: impl FnOnce(&mut Fields<'_>) -> T,
) -> Result<(T, Findings, SpanTable), FileErrors> {
    let spans = SpanTable::new(file_name, text);
    let table = match DeTable::parse(text) {
        Ok(table) => table.into_inner(),
        Err(fault) => return Err(syntax_error(&fault, words, spans)),
    };
    let table = Reading { source: text, base: 0, formulas: false }.table(table);
    let (document, findings) = read_table(sink, &table, words, read);
    Ok(with_marks(document, findings, spans))
}

/// Hands the table of a whole file to its reader.
fn read_table<T>(
    sink: Sink,
    table: &Table,
    words: &str,
    read: impl FnOnce(&mut Fields<'_>) -> T,
) -> (T, Findings) {
    let item = Item::section(words);
    let mut fields = Fields::new(table, ROOT, &item, &sink);
    let document = read(&mut fields);
    fields.finish();
    (document, sink.finish())
}

fn with_marks<T>(document: T, mut findings: Findings, mut spans: SpanTable) -> (T, Findings, SpanTable) {
    for (path, span) in std::mem::take(&mut findings.marks) {
        spans.mark(path, span);
    }
    (document, findings, spans)
}

fn syntax_error(fault: &toml::de::Error, words: &str, mut spans: SpanTable) -> FileErrors {
    spans.mark(SYNTAX.into(), fault.span().unwrap_or(0..0));
    let place = fault.span().map_or(0, |span| span.start);
    let help = format!(
        "{}the file is not valid TOML; nothing after this place was read",
        syntax_hint(fault.message(), spans.source(), place)
    );
    let diagnostic = Diagnostic::error("syntax", SYNTAX, words, fault.message(), help);
    FileErrors { diagnostics: vec![diagnostic], spans: Box::new(spans) }
}

/// What was probably meant where TOML gives up.
fn syntax_hint(message: &str, source: &str, place: usize) -> &'static str {
    let before = source.get(..place).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    match message {
        _ if message.starts_with("duplicate key") && line.starts_with('[') => {
            "a section that occurs more than once has two brackets everywhere, such as [[body]]; "
        }
        _ if message.starts_with("duplicate key") => "give each key once; ",
        _ if message.contains("leading zero") => "decimals have a point, not a comma: 0.5; ",
        _ if source.get(place..).is_some_and(|rest| rest.starts_with(',')) => {
            "decimals have a point, not a comma: 0.5; lists have brackets: [1, 2]; "
        }
        _ if message.contains("must be quoted") => {
            "text has quotes; numbers are plain, without units or formulas (1.5708, not pi/2); "
        }
        _ => "",
    }
}

fn read_description(fields: &mut Fields<'_>, file_name: &str, program: &Program) -> Description {
    let stem = Path::new(file_name).file_stem().map(|stem| stem.to_string_lossy());
    let mut description = Description {
        name: stem.unwrap_or_default().into_owned(),
        gravity: GRAVITY,
        ..Description::default()
    };
    // Taken by the program before; what is left of them is no table.
    for key in ["let", "define", "use"] {
        if let Some(value) = fields.get(key) {
            let _: Option<()> = value.wrong_type(if key == "use" { "a list of tables" } else { "a table" });
        }
    }
    section(fields, "model", "model settings", |model| {
        if let Some(name) = model.get("name").and_then(|value| value.text()) {
            description.name = name.to_owned();
        }
        description.gravity = model.vector3("gravity", GRAVITY);
    });
    section(fields, "ground", "ground", |ground| {
        let frames = ground.entries_of_units("frame", "ground frame", rotation::read_ground_frame);
        description.ground_frames = place_frames(frames, program);
    });
    description.bodies = fields.entries("body", "body", body::read_body);
    description.joints = fields.entries("joint", "joint", joint::read_joint);
    description.forces = fields.entries("force", "force", settings::read_force);
    description.loads = fields.entries("load", "load", load::read_load);
    description.controllers = fields.entries("controller", "controller", controller::read_controller);
    description.elements = fields.entries("element", "element", element::read_element);
    section(fields, "graph", "graph settings", |settings| {
        description.graph = graph::read_graph(settings);
    });
    description.pictures = fields.entries("picture", "picture", picture::read_picture);
    section(fields, "simulation", "simulation settings", |simulation| {
        description.simulation = settings::read_simulation(simulation);
    });
    section(fields, "output", "output settings", |output| {
        description.output = settings::read_output(output);
    });
    description
}

/// Reads a top-level table as an item of its own.
fn section(fields: &mut Fields<'_>, key: &'static str, words: &str, read: impl FnOnce(&mut Fields<'_>)) {
    if let Some(value) = fields.get(key) {
        let item = Item::section(words);
        Value { item: &item, ..value }.table(read);
    }
}
