//! The entries of a list through all units, one instance at a time.

use super::super::node::{Content, Node};
use super::LISTS;
use super::finding::Fault;
use super::program::{Place, Program};
use super::rename::rename;
use crate::model::item::{ItemPath, ROOT};

/// Instances of one entry of one unit: `total` of them, the first with the number `first` in the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub first: usize,
    pub total: usize,
    pub unit: usize,
    pub entry: usize,
}

/// What is found on the way.
pub(in crate::file) enum Step<'a> {
    /// An entry, its number in the list and its unit.
    Entry(usize, usize, &'a Node),
    /// An entry that cannot be made, its number and name; its further instances are left out.
    Fault(usize, String, Fault),
}

impl Program {
    /// Hands every entry of `list`, one of the [`LISTS`], to `visit`.
    pub(in crate::file) fn each(&self, list: &str, visit: &mut dyn FnMut(Step<'_>)) {
        let Some(place) = LISTS.iter().position(|known| *known == list) else { return };
        let mut next = 0;
        self.visit_unit(0, place, &mut next, &mut |run| match run {
            Ok(run) => self.visit_run(place, run, visit),
            Err((number, fault)) => visit(Step::Fault(number, String::new(), fault)),
        });
    }

    /// All runs of a list.
    pub(super) fn runs(&self, list: usize) -> Vec<Run> {
        let mut runs = Vec::new();
        self.visit_unit(0, list, &mut 0, &mut |run| runs.extend(run.ok()));
        runs
    }

    /// Goes through the entries of a unit and of the units it uses, in the order of the text.
    fn visit_unit(
        &self,
        unit: usize,
        list: usize,
        next: &mut usize,
        visit: &mut dyn FnMut(Result<Run, (usize, Fault)>),
    ) {
        if self.units[unit].is_broken {
            return;
        }
        let file = self.units[unit].file.clone();
        for place in &file.order[list] {
            match *place {
                Place::Entry(entry) => {
                    let first = *next;
                    match self.total(unit, list, entry, first) {
                        Ok(total) => {
                            *next += total;
                            visit(Ok(Run { first, total, unit, entry }));
                        }
                        Err(fault) => visit(Err((entry, fault))),
                    }
                }
                Place::Use(entry) => {
                    for &child in self.children_of(unit, entry) {
                        self.visit_unit(child, list, next, visit);
                    }
                }
            }
        }
    }

    /// Units made by one entry of `[[use]]`.
    fn children_of(&self, unit: usize, entry: usize) -> &[usize] {
        let children = &self.units[unit].children;
        let from = children.partition_point(|&child| self.units[child].entry < entry);
        let to = children.partition_point(|&child| self.units[child].entry <= entry);
        &children[from..to]
    }

    /// How often an entry is made.
    fn total(&self, unit: usize, list: usize, entry: usize, first: usize) -> Result<usize, Fault> {
        let template = &self.units[unit].file.lists[list][entry];
        match template.node.as_table().filter(|_| !template.plain) {
            Some(table) => with_path(list, first, |path| {
                let prepared = self.maker(unit).prepared(table, &self.units[unit].scope(), path)?;
                Ok(prepared.ranges.total() as usize)
            }),
            None => Ok(1),
        }
    }

    fn visit_run(&self, list: usize, run: Run, visit: &mut dyn FnMut(Step<'_>)) {
        let (unit, maker) = (&self.units[run.unit], self.maker(run.unit));
        let template = &unit.file.lists[list][run.entry];
        let table = match template.node.as_table() {
            Some(table) if !template.plain || !unit.prefix.is_empty() => table,
            _ => return visit(Step::Entry(run.first, run.unit, &template.node)),
        };
        let prepared = with_path(list, run.first, |path| maker.prepared(table, &unit.scope(), path));
        let Ok(prepared) = prepared else { return };
        for number in 0..run.total {
            let at = run.first + number;
            self.budget.begin();
            let made = with_path(list, at, |path| {
                let mut table = maker.instance(&prepared, number as u64, &unit.scope(), path)?;
                if !unit.prefix.is_empty() {
                    rename(LISTS[list], &mut table, unit, path)?;
                }
                Ok(Node { span: template.node.span.clone(), content: Content::Table(table) })
            });
            match made {
                Ok(node) => visit(Step::Entry(at, run.unit, &node)),
                Err(fault) => {
                    let name = maker.name(&prepared, number as u64, &unit.scope()).unwrap_or_default();
                    return visit(Step::Fault(at, format!("{}{name}", unit.prefix), fault));
                }
            }
        }
    }

    /// One instance as it is written, without the prefix of its unit.
    pub(super) fn instance_of(&self, list: usize, run: Run, number: usize) -> Option<Node> {
        let (unit, maker) = (&self.units[run.unit], self.maker(run.unit));
        let template = &unit.file.lists[list][run.entry];
        let Some(table) = template.node.as_table().filter(|_| !template.plain) else {
            return Some(template.node.clone());
        };
        let scope = unit.scope();
        let prepared = maker.prepared(table, &scope, ROOT).ok()?;
        let table = maker.instance(&prepared, number as u64, &scope, ROOT).ok()?;
        Some(Node { span: template.node.span.clone(), content: Content::Table(table) })
    }
}

/// Hands the path of an entry to `use_it`.
fn with_path<T>(list: usize, number: usize, use_it: impl FnOnce(&ItemPath<'_>) -> T) -> T {
    match LISTS[list].split_once('.') {
        Some((outer, inner)) => use_it(&ROOT.key(outer).key(inner).index(number)),
        None => use_it(&ROOT.key(LISTS[list]).index(number)),
    }
}
