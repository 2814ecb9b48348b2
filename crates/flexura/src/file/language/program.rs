//! A model file and the files it uses, each read once.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::node::{Content, Field, Node, Table};
use super::super::pieces::read_table;
use super::super::plain::read_plain_text;
use super::super::sink::Sink;
use super::super::sources::Sources;
use super::LISTS;
use super::limit::Budget;
use super::names::warn_unused;
use super::unit::{Unit, add_uses, root_unit};
use crate::model::item::{Item, ROOT};

/// Gives the text of a file by its name, or says why not.
pub(in crate::file) type Fetch<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// The text of a file on disk.
pub(in crate::file) fn from_disk(name: &str) -> Result<String, String> {
    read_plain_text(Path::new(name)).map_err(|fault| fault.to_string())
}

/// A model with all files it is made of.
#[derive(Debug)]
pub(in crate::file) struct Program {
    pub(super) files: Vec<Arc<ModelFile>>,
    /// The model itself, then every use of a file, outer ones first.
    pub(super) units: Vec<Unit>,
    pub(super) budget: Budget,
    /// Sections of the model, with values in place of formulas.
    pub sections: Table,
}

/// What one file has.
#[derive(Debug)]
pub(in crate::file) struct ModelFile {
    /// Name in messages, with its folder.
    pub name: String,
    /// Its folder, seen from that of the model.
    pub folder: PathBuf,
    pub variables: Table,
    pub definitions: Table,
    /// Entries of each of the [`LISTS`].
    pub lists: Vec<Vec<Template>>,
    pub uses: Vec<Template>,
    /// For each list: its entries and the uses in the order of the text.
    pub order: Vec<Vec<Place>>,
    /// All other keys.
    pub sections: Table,
}

/// An entry of a list as it is written.
#[derive(Debug)]
pub(in crate::file) struct Template {
    pub node: Node,
    /// Whether it is its own only instance.
    pub plain: bool,
}

/// A place in the order of a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Entry(usize),
    Use(usize),
}

impl ModelFile {
    fn new(name: &str, folder: PathBuf, mut root: Table) -> Self {
        let mut table = |key: &str| match root.get(key).map(Node::is_table) {
            Some(true) => root.take(key).and_then(into_table).unwrap_or_default(),
            _ => Table::default(),
        };
        let (variables, definitions) = (table("let"), table("define"));
        let uses = templates(take_list(&mut root, "use"));
        let lists: Vec<Vec<Template>> =
            LISTS.iter().map(|list| templates(take_list(&mut root, list))).collect();
        let order = lists.iter().map(|entries| in_order(entries, &uses)).collect();
        Self { name: name.into(), folder, variables, definitions, lists, uses, order, sections: root }
    }
}

fn into_table(node: Node) -> Option<Table> {
    match node.content {
        Content::Table(table) => Some(table),
        _ => None,
    }
}

/// Takes the entries of a list, which may stand inside another table, out of a file.
fn take_list(root: &mut Table, list: &str) -> Vec<Node> {
    let (table, key) = match list.split_once('.') {
        Some((outer, key)) => {
            let found = root.fields.iter_mut().find(|field| *field.key == *outer);
            match found.map(|field| &mut field.node.content) {
                Some(Content::Table(table)) => (table, key),
                _ => return Vec::new(),
            }
        }
        None => (root, list),
    };
    // What is no list is left for the reader to complain about.
    match table.get(key).is_some_and(|node| node.as_list().is_some()).then(|| table.take(key)) {
        Some(Some(Node { content: Content::List(list), .. })) => list,
        _ => Vec::new(),
    }
}

fn templates(list: Vec<Node>) -> Vec<Template> {
    list.into_iter().map(|node| Template { plain: is_plain(&node), node }).collect()
}

/// Whether nothing in a value needs to be filled in.
fn is_plain(node: &Node) -> bool {
    match &node.content {
        Content::Formula(_) | Content::Pattern(_) | Content::Faulty(_) => false,
        Content::List(list) => list.iter().all(is_plain),
        Content::Table(table) => table
            .fields
            .iter()
            .all(|field| !matches!(field.key.as_ref(), "let" | "like" | "repeat") && is_plain(&field.node)),
        _ => true,
    }
}

fn in_order(entries: &[Template], uses: &[Template]) -> Vec<Place> {
    let start = |template: &Template| template.node.span.start;
    let own = entries.iter().enumerate().map(|(at, entry)| (start(entry), Place::Entry(at)));
    let others = uses.iter().enumerate().map(|(at, entry)| (start(entry), Place::Use(at)));
    let mut all: Vec<(usize, Place)> = own.chain(others).collect();
    all.sort_by_key(|(start, _)| *start);
    all.into_iter().map(|(_, place)| place).collect()
}

impl Program {
    /// The program of a text and of the files it uses, which are added to `sources`.
    pub(in crate::file) fn new(
        sources: &mut Sources,
        fetch: Fetch<'_>,
        sink: &Sink,
    ) -> Result<Self, toml::de::Error> {
        let (name, text) = (sources.first().name.clone(), sources.first().text.clone());
        let root = read_table(&text, 0, true)?;
        let file = Arc::new(ModelFile::new(&name, PathBuf::new(), root));
        let budget = Budget::default();
        let mut program =
            Self { files: vec![file.clone()], units: Vec::new(), budget, sections: Table::default() };
        program.units.push(root_unit(&file, &program.budget, sink));
        if !program.units[0].is_broken {
            warn_unused(&file, sink);
        }
        add_uses(&mut program, 0, &mut vec![name], sources, fetch, sink);
        program.sections = program.filled_sections(sink);
        Ok(program)
    }

    /// Adds a file; its place in the list.
    pub(super) fn add_file(
        &mut self,
        name: &str,
        folder: PathBuf,
        text: &str,
        sources: &mut Sources,
    ) -> Result<Arc<ModelFile>, (toml::de::Error, usize)> {
        let base = sources.add(name, text);
        let root = read_table(text, base, true).map_err(|fault| (fault, base))?;
        let file = Arc::new(ModelFile::new(name, folder, root));
        self.files.push(file.clone());
        Ok(file)
    }

    /// Sections of the model file with values in place of formulas.
    fn filled_sections(&self, sink: &Sink) -> Table {
        let (maker, unit) = (self.maker(0), &self.units[0]);
        let mut sections = Table::default();
        for Field { key, key_span, node } in &unit.file.sections.fields {
            if unit.is_broken {
                break;
            }
            self.budget.begin();
            match maker.node(node, &unit.scope(), &ROOT.key(key)) {
                Ok(node) => {
                    let (key, key_span) = (key.clone(), key_span.clone());
                    sections.fields.push(Field { key, key_span, node });
                }
                Err(fault) => {
                    sink.unreliable(ROOT);
                    fault.report(&Item::section(&format!("{key} settings")), sink);
                }
            }
        }
        // Frames on the ground may come from used files only.
        if self.units.len() > 1 && sections.get("ground").is_none() {
            let node = Node { span: 0..0, content: Content::Table(Table::default()) };
            sections.fields.push(Field { key: "ground".into(), key_span: 0..0, node });
        }
        sections
    }
}
