//! Whole files: the table of a text handed to its reader, faults of syntax, and the sections of a model.

use std::path::Path;
use std::rc::Rc;

use super::FileErrors;
use super::fields::Fields;
use super::language::{Fetch, Program, from_disk, place_frames};
use super::node::Table;
use super::pieces;
use super::sink::{Findings, KnownKeys, Sink};
use super::sources::Sources;
use super::span::SpanTable;
use super::value::Value;
use crate::diagnostic::Diagnostic;
use crate::model::description::Description;
use crate::model::item::{Item, ROOT};

/// Path of a syntax error, which belongs to no item.
const SYNTAX: &str = "(syntax)";
/// Gravity of a file that does not give it (m/s²).
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

/// Reads what can be read and lists what cannot.
pub(super) fn read(text: &str, file_name: &str) -> Result<(Description, Findings, SpanTable), FileErrors> {
    read_model(Sink::default(), text, file_name, &from_disk)
}

/// Reads a model with the files it uses.
pub(super) fn read_model(
    sink: Sink,
    text: &str,
    file_name: &str,
    fetch: Fetch<'_>,
) -> Result<(Description, Findings, SpanTable), FileErrors> {
    let mut sources = Sources::new(file_name, text);
    let program = match Program::new(&mut sources, fetch, &sink) {
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
    let (_, findings, _) = read_model(Sink::listing(), text, file_name, &from_disk)?;
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
    let table = match pieces::read_table(text, 0, false) {
        Ok(table) => table,
        Err(fault) => return Err(syntax_error(&fault, words, spans)),
    };
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
            "text has quotes; numbers are plain, without units; formulas are texts (\"= pi/2\"); "
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
        let frames = ground.entries_of_units("frame", "ground frame", super::rotation::read_ground_frame);
        description.ground_frames = place_frames(frames, program);
    });
    description.bodies = fields.entries("body", "body", super::body::read_body);
    description.joints = fields.entries("joint", "joint", super::joint::read_joint);
    description.forces = fields.entries("force", "force", super::settings::read_force);
    description.loads = fields.entries("load", "load", super::load::read_load);
    description.controllers = fields.entries("controller", "controller", super::controller::read_controller);
    description.elements = fields.entries("element", "element", super::element::read_element);
    section(fields, "graph", "graph settings", |settings| {
        description.graph = super::graph::read_graph(settings);
    });
    description.pictures = fields.entries("picture", "picture", super::picture::read_picture);
    section(fields, "simulation", "simulation settings", |simulation| {
        description.simulation = super::settings::read_simulation(simulation);
    });
    section(fields, "output", "output settings", |output| {
        description.output = super::settings::read_output(output);
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
