//! From the path of an instance to the lines it was made from.

use std::ops::Range;
use std::sync::OnceLock;

use super::super::formula::Quantity;
use super::super::node::{Content, Node, Step, Table, inside, steps};
use super::super::sink::Sink;
use super::super::sources::Sources;
use super::LISTS;
use super::program::Program;
use super::walk::Run;

/// Finds places; made anew from the texts at the first finding, so that a model without findings does not pay for it.
#[derive(Debug)]
pub(in crate::file) struct Locator {
    program: Program,
    /// Runs of each list, where they have been asked for.
    runs: [OnceLock<Vec<Run>>; LISTS.len()],
}

/// A value that was found.
struct Found {
    node: Node,
    /// List, run and number of the instance that holds it.
    instance: Option<(usize, Run, usize)>,
}

impl Locator {
    /// A locator for texts that have been read before.
    pub(in crate::file) fn new(sources: &Sources) -> Option<Self> {
        let mut again = Sources::new(&sources.first().name, &sources.first().text);
        let fetch = |name: &str| sources.text(name).map(str::to_owned).ok_or_else(String::new);
        let program = Program::new(&mut again, &fetch, &Sink::default()).ok()?;
        Some(Self { program, runs: Default::default() })
    }

    /// Whether any entry is made more than once or comes from another file.
    pub(in crate::file) fn has_instances(&self) -> bool {
        let file = &self.program.units[0].file;
        self.program.units.len() > 1 || file.lists.iter().flatten().any(|template| !template.plain)
    }

    /// Where the value at `path`, or the nearest one around it, was written.
    pub(in crate::file) fn locate(&self, path: &str) -> Option<Range<usize>> {
        let found = self.find(path).map(|found| found.node.span);
        found.or_else(|| self.locate_section(path))
    }

    /// What a reader of the finding should know about the instance.
    /// `span` is where the finding is shown.
    pub(in crate::file) fn notes(
        &self,
        path: &str,
        span: Option<&Range<usize>>,
        sources: &Sources,
    ) -> Vec<String> {
        let mut notes = Vec::new();
        let mut unit = self.unit_of_use(path);
        if let Some(Found { node, instance: Some((list, run, number)) }) = self.find(path) {
            if let Content::Computed(value) = node.content {
                notes.push(format!("the formula gives {}", Quantity::Number(value)));
            }
            let template = &self.program.units[run.unit].file.lists[list][run.entry].node;
            if span.is_some_and(|span| !has_span(template, span)) {
                notes.push(format!("taken over by `like` at {}", sources.words(&template.span)));
            }
            let named: Vec<String> = self.indices(list, run, number);
            if !named.is_empty() {
                notes.push(format!("for {}", named.join(", ")));
            }
            unit = Some(run.unit);
        }
        while let Some(at) = unit.filter(|&at| at > 0) {
            let used = &self.program.units[at];
            let using = &self.program.units[used.parent];
            let place = sources.words(&using.file.uses[used.entry].node.span);
            notes.push(format!("in `{}`, used at {place}", used.prefix.trim_end_matches('/')));
            unit = Some(used.parent);
        }
        notes
    }

    /// The unit that `use[3]` makes, and every finding inside its file.
    fn unit_of_use(&self, path: &str) -> Option<usize> {
        let mut steps = steps(path);
        match (steps.next()?, steps.next()?, steps.next()) {
            (Step::Key("use"), Step::Index(number), Some(Step::Key("file"))) => {
                let unit = self.program.units.get(number + 1);
                unit.map(|_| number + 1)
            }
            (Step::Key("use"), Step::Index(number), _) => {
                self.program.units.get(number + 1).map(|unit| unit.parent)
            }
            _ => None,
        }
    }

    /// Every place that names a used file, with the name the file has in messages; a place in a repeated entry comes often.
    pub(in crate::file) fn uses(&self) -> Vec<(Range<usize>, &str)> {
        let mut uses = Vec::new();
        for unit in self.program.units.iter().skip(1) {
            let using = &self.program.units[unit.parent];
            let Some(table) = using.file.uses[unit.entry].node.as_table() else { continue };
            let root = crate::model::item::ROOT;
            let prepared = self.program.maker(unit.parent).prepared(table, &using.scope(), root);
            let span = prepared.ok().and_then(|entry| entry.span("file"));
            uses.extend(span.map(|span| (span, unit.file.name.as_str())));
        }
        uses
    }

    fn indices(&self, list: usize, run: Run, number: usize) -> Vec<String> {
        let unit = &self.program.units[run.unit];
        let Some(table) = unit.file.lists[list][run.entry].node.as_table() else { return Vec::new() };
        let root = crate::model::item::ROOT;
        let Ok(prepared) = self.program.maker(run.unit).prepared(table, &unit.scope(), root) else {
            return Vec::new();
        };
        let indices = prepared.ranges.indices(number as u64);
        indices.iter().map(|(name, value)| format!("{name} = {value}")).collect()
    }

    fn find(&self, path: &str) -> Option<Found> {
        let all: Vec<Step<'_>> = steps(path).collect();
        if let [Step::Key("use"), Step::Index(number), ref rest @ ..] = all[..] {
            let unit = self.program.units.get(number + 1)?;
            let using = &self.program.units[unit.parent];
            let node = inside(&using.file.uses[unit.entry].node, rest);
            return Some(Found { node: node.clone(), instance: None });
        }
        let (list, length) = LISTS.iter().enumerate().find_map(|(at, list)| {
            let mut keys = list.split('.');
            let length = list.split('.').count();
            let fits = all
                .iter()
                .take(length)
                .all(|step| matches!(step, Step::Key(key) if keys.next() == Some(key)));
            (fits && all.len() >= length).then_some((at, length))
        })?;
        let Some(&Step::Index(number)) = all.get(length) else { return self.first_of(list) };
        let runs = self.runs[list].get_or_init(|| self.program.runs(list));
        let place = runs.partition_point(|run| run.first <= number).checked_sub(1)?;
        let run = runs[place];
        if number >= run.first + run.total {
            return None;
        }
        let instance = Some((list, run, number - run.first));
        let made = self.program.instance_of(list, run, number - run.first);
        let node = match made {
            Some(made) => inside(&made, &all[length + 1..]).clone(),
            None => self.program.units[run.unit].file.lists[list][run.entry].node.clone(),
        };
        Some(Found { node, instance })
    }

    /// The first entry of a list of the model file.
    fn first_of(&self, list: usize) -> Option<Found> {
        let first = self.program.units[0].file.lists[list].first()?;
        Some(Found { node: first.node.clone(), instance: None })
    }

    /// Where a value of another section was written.
    fn locate_section(&self, path: &str) -> Option<Range<usize>> {
        let all: Vec<Step<'_>> = steps(path).collect();
        let Some(Step::Key(key)) = all.first() else { return None };
        let file = &self.program.units[0].file;
        let tables: [(&str, &Table); 2] = [("let", &file.variables), ("define", &file.definitions)];
        let (node, rest) = match (tables.iter().find(|(name, _)| name == key), all.get(1)) {
            (Some((_, table)), Some(Step::Key(name))) => (table.get(name)?, &all[2..]),
            (Some(_), _) => return None,
            // Entries of repeated lists stand where they were written.
            (None, _) => (self.program.sections.get(key).or_else(|| file.sections.get(key))?, &all[1..]),
        };
        Some(inside(node, rest).span.clone())
    }
}

/// Whether any value of a template, or a key of it, holds `span`.
fn has_span(node: &Node, span: &Range<usize>) -> bool {
    let holds = |place: &Range<usize>| place.start <= span.start && span.end <= place.end;
    holds(&node.span)
        || match &node.content {
            Content::List(list) => list.iter().any(|node| has_span(node, span)),
            Content::Table(table) => {
                table.fields.iter().any(|field| holds(&field.key_span) || has_span(&field.node, span))
            }
            _ => false,
        }
}
