//! Units: the model itself, and every use of a file with its own variables and prefix.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::super::fields::Fields;
use super::super::node::{Field, Node, Table, inside_table};
use super::super::sink::Sink;
use super::super::sources::Sources;
use super::finding::Fault;
use super::instance::Maker;
use super::limit::{Budget, DEEPEST_USE, MOST_FILES, MOST_UNITS};
use super::names::warn_unused;
use super::placement::Placement;
use super::program::{Fetch, ModelFile, Program};
use super::rename::renamed;
use super::scope::{Scope, Variable, variables};
use super::use_entry::{Use, read_use};
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::words;

/// The model, or one use of a file.
#[derive(Debug)]
pub(in crate::file) struct Unit {
    pub file: Arc<ModelFile>,
    /// What stands before the names of its items: nothing, or `front_left/`.
    pub prefix: Arc<str>,
    pub variables: Vec<Variable>,
    /// Whether it has no variables because one of them is wrong: then nothing is made of it.
    pub(super) is_broken: bool,
    /// Where its ground stands in that of the model.
    pub placement: Option<Placement>,
    /// What `outer.NAME` stands for, in names of the model.
    pub outer: Vec<(Arc<str>, Arc<str>)>,
    /// The unit that uses it, the entry of that unit's file and the instance of the entry.
    pub(super) parent: usize,
    pub(super) entry: usize,
    pub(super) number: u64,
    /// Units it uses itself, in the order of their entries.
    pub(super) children: Vec<usize>,
}

impl Unit {
    /// Its variables.
    pub(super) fn scope(&self) -> Scope<'_> {
        Scope { around: None, variables: &self.variables }
    }
}

impl Program {
    /// Makes values of what the file of a unit has.
    pub(super) fn maker(&self, unit: usize) -> Maker<'_> {
        Maker { file: &self.units[unit].file, budget: &self.budget }
    }
}

/// The model itself.
pub(super) fn root_unit(file: &Arc<ModelFile>, budget: &Budget, sink: &Sink) -> Unit {
    let maker = Maker { file, budget };
    let found = variables(&file.variables, Vec::new(), &Scope::default(), &maker, &ROOT.key("let"));
    let is_broken = found.is_err();
    let variables = found.unwrap_or_else(|fault| {
        sink.unreliable(ROOT);
        fault.report(&Item::section("variables"), sink);
        Vec::new()
    });
    Unit {
        file: file.clone(),
        prefix: "".into(),
        variables,
        is_broken,
        placement: None,
        outer: Vec::new(),
        parent: 0,
        entry: 0,
        number: 0,
        children: Vec::new(),
    }
}

/// Adds the units that unit `parent` uses, and theirs. `chain` holds the names of the files around.
pub(super) fn add_uses(
    program: &mut Program,
    parent: usize,
    chain: &mut Vec<String>,
    sources: &mut Sources,
    fetch: Fetch<'_>,
    sink: &Sink,
) {
    if program.units[parent].is_broken {
        return;
    }
    let file = program.units[parent].file.clone();
    let mut names: HashSet<String> = HashSet::new();
    for (entry, template) in file.uses.iter().enumerate() {
        let list = ROOT.key("use");
        let first = list.index(program.units.len() - 1);
        let place = sources.words(&template.node.span);
        let Some(table) = template.node.as_table() else {
            let message = format!("an entry of `use` must be a table, but this is {}", template.node.words());
            let span = template.node.span.clone();
            let fault = Fault::new("wrong-type", span, &first, message, "write the header [[use]]");
            report_use(fault, "", &place, sink);
            continue;
        };
        let prepared = program.maker(parent).prepared(table, &program.units[parent].scope(), &first);
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(fault) => {
                report_use(fault, "", &place, sink);
                continue;
            }
        };
        for number in 0..prepared.ranges.total() {
            let at = program.units.len();
            program.budget.begin();
            let path = list.index(at - 1);
            let made =
                program.maker(parent).use_instance(&prepared, number, &program.units[parent].scope(), &path);
            let name = made.as_ref().ok().and_then(|table| table.get("name")?.as_text()).unwrap_or_default();
            let name = name.to_owned();
            let new = made.and_then(|table| {
                let item = Item::named("use", &name, entry);
                let Some(taken) = read_entry(&table, &template.node, &path, &item, sink) else {
                    return Ok(None);
                };
                if !names.insert(taken.name.clone()) {
                    let message = format!("there are two uses of the name `{name}`");
                    let help = "give each use a name of its own";
                    let span = table.get("name").map_or(0..0, |node| node.span.clone());
                    return Err(Fault::new("duplicate-name", span, &path.key("name"), message, help));
                }
                let mut unit =
                    new_unit(program, parent, &taken, &table, &path, chain, (sources, fetch, sink))?;
                (unit.entry, unit.number) = (entry, number);
                Ok(Some(unit))
            });
            match new {
                Ok(Some(unit)) => {
                    chain.push(unit.file.name.clone());
                    program.units.push(unit);
                    program.units[parent].children.push(at);
                    add_uses(program, at, chain, sources, fetch, sink);
                    chain.pop();
                }
                Ok(None) => {
                    sink.unreliable(ROOT);
                    break;
                }
                Err(fault) => {
                    report_use(fault, &format!("{}{name}", program.units[parent].prefix), &place, sink);
                    break;
                }
            }
        }
    }
}

/// Reports what is wrong with the use of a file, by the name and the place of the use.
fn report_use(fault: Fault, name: &str, place: &str, sink: &Sink) {
    sink.unreliable(ROOT);
    let words = format!("use `{name}` at {place}");
    fault.report(&Item::section(if name.is_empty() { "use of a file" } else { &words }), sink);
}

/// Reads an entry of `[[use]]`, written as `entry`, with its values filled in.
fn read_entry(table: &Table, entry: &Node, path: &ItemPath<'_>, item: &Item<'_>, sink: &Sink) -> Option<Use> {
    let before = sink.count();
    let mut fields = Fields::new(table, path, item, sink);
    let taken = read_use(&mut fields);
    fields.finish();
    // What is refused has no unit that could say where its values stand.
    sink.mark_since(before, |found| {
        let inner = found.strip_prefix(&path.to_string())?.trim_start_matches('.').to_owned();
        Some(inside_table(table, &inner).map_or(entry.span.clone(), |node| node.span.clone()))
    });
    taken.filter(|_| sink.count() == before)
}

/// What reads files and takes findings.
type Outside<'a> = (&'a mut Sources, Fetch<'a>, &'a Sink);

fn new_unit(
    program: &mut Program,
    parent: usize,
    taken: &Use,
    table: &Table,
    path: &ItemPath<'_>,
    chain: &[String],
    outside: Outside<'_>,
) -> Result<Unit, Fault> {
    let place = |key: &str| table.get(key).map_or(0..0, |node| node.span.clone());
    if program.units.len() >= MOST_UNITS {
        let message = format!("the model has more than {MOST_UNITS} uses of files");
        return Err(Fault::new("model-size", place("file"), path, message, "use files less often"));
    }
    let file = used_file(program, parent, &taken.file, &place("file"), &path.key("file"), chain, outside)?;
    let using = &program.units[parent];
    let maker = Maker { file: &file, budget: &program.budget };
    let mut given = Vec::new();
    let inner = path.key("let");
    for (name, node) in &taken.given {
        let path = inner.key(name);
        if file.variables.get(name).is_none() {
            return Err(unknown_parameter(name, &file, node.span.clone(), &path));
        }
        given.push((name.clone(), maker.quantity(node, &Scope::default(), &path)?));
    }
    // Of the file, not of the use: the marks of findings name it.
    let variables = variables(&file.variables, given, &Scope::default(), &maker, &path.key("file"))?;
    let mut outer = Vec::new();
    for (name, node) in &taken.outer {
        let path = path.key("outer");
        if !super::rename::mentions(&file, name) {
            let message = format!("{} has no `outer.{name}`", file.name);
            let help =
                "remove it, or refer to it in the file, as in between = [\"outer.mount\", \"arm.root\"]";
            return Err(Fault::new("outer-frame", node.span.clone(), &path.key(name), message, help));
        }
        let reference = node.as_text().unwrap_or_default();
        outer.push((name.clone(), renamed(reference, using, &node.span, &path.key(name))?));
    }
    let placement = match (using.placement, taken.placement) {
        (Some(around), Some(own)) => Some(around.then(&own)),
        (around, own) => own.or(around),
    };
    let prefix = format!("{}{}/", using.prefix, taken.name).into();
    let (entry, number, children) = (0, 0, Vec::new());
    let is_broken = false;
    Ok(Unit { file, prefix, variables, is_broken, placement, outer, parent, entry, number, children })
}

fn unknown_parameter(name: &str, file: &ModelFile, span: Range<usize>, path: &ItemPath<'_>) -> Fault {
    let known = || file.variables.fields.iter().map(|field| field.key.as_ref());
    let help = match words::nearest(name, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known().next().is_none() => format!("add a table [let] with {name} = .. to {}", file.name),
        None => format!("variables of {}: {}", file.name, words::list(known())),
    };
    let message = format!("{} has no variable `{name}`", file.name);
    Fault::new("unknown-parameter", span, path, message, help)
}

/// The file of a use, read if it is new.
fn used_file(
    program: &mut Program,
    parent: usize,
    named: &str,
    span: &Range<usize>,
    path: &ItemPath<'_>,
    chain: &[String],
    (sources, fetch, sink): Outside<'_>,
) -> Result<Arc<ModelFile>, Fault> {
    let fault = |code, message: String, help: &str| Fault::new(code, span.clone(), path, message, help);
    let using = &program.units[parent].file;
    let folder_of = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let name = folder_of(Path::new(&using.name)).join(named).display().to_string();
    if chain.contains(&name) {
        let message = format!("the files use each other: {} -> {name}", chain.join(" -> "));
        return Err(fault("use-cycle", message, "a file cannot be a part of itself"));
    }
    if chain.len() > DEEPEST_USE {
        let message = format!("files use files more than {DEEPEST_USE} deep");
        return Err(fault("model-size", message, "put what belongs together into one file"));
    }
    if let Some(known) = program.files.iter().find(|file| file.name == name) {
        return Ok(known.clone());
    }
    if program.files.len() >= MOST_FILES {
        let message = format!("the model has more than {MOST_FILES} files");
        return Err(fault("model-size", message, "give one file parameters in place of many files"));
    }
    let text = fetch(&name).map_err(|why| {
        let help = "check the name; it is relative to the folder of the file that names it";
        fault("use-file", format!("cannot read {name}: {why}"), help)
    })?;
    let folder = using.folder.join(folder_of(Path::new(named)));
    let file = program.add_file(&name, folder, &text, sources).map_err(|(error, base)| {
        let place = error.span().unwrap_or(0..0);
        let span = place.start + base..place.end + base;
        let help = "the file is not valid TOML; nothing of it was read";
        Fault::new("syntax", span, path, error.message().to_owned(), help)
    })?;
    warn_unused(&file, sink);
    file.sections.fields.iter().try_for_each(|field| allowed(field, &file, path))?;
    Ok(file)
}

/// Refuses settings of a run, and keys that no model file has, in a used file.
fn allowed(field: &Field, file: &ModelFile, path: &ItemPath<'_>) -> Result<(), Fault> {
    let Field { key, key_span, node } = field;
    let header = node.span.start < key_span.start;
    let span = if header { node.span.clone() } else { key_span.clone() };
    let path = path.key(key);
    match key.as_ref() {
        "ground" if node.as_table().is_some_and(|table| table.fields.is_empty()) => Ok(()),
        "model" | "simulation" | "output" | "graph" => {
            let message = format!("`{key}` stands in {}, which is used as a part", file.name);
            let help = "settings belong to the model that is run: move them there, or to a file of its own that uses this one";
            Err(Fault::new("settings-in-part", span, &path, message, help))
        }
        _ => {
            let known = super::LISTS.into_iter().chain(["let", "define", "use", "ground"]);
            let help = match words::nearest(key, known.clone()) {
                Some(near) => format!("did you mean `{near}`? lists have two brackets: [[{near}]]"),
                None => format!("valid keys here: {}", words::list(known)),
            };
            Err(Fault::new("unknown-key", span, &path, format!("unknown key `{key}`"), help))
        }
    }
}
