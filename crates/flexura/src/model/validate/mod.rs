//! Validation: everything that is wrong with a description, found in one step.
//!
//! The same step serves files and models built in code. Findings carry the path
//! the item has in a model file (`body[0].modal.node[3].slopes`), the item in
//! words, the cause with its numbers and the fix. Axes and quaternions that are
//! not of unit length are corrected in place.
//!
//! Connectivity is not looked at here: unconnected bodies and loops are found
//! where the tree is chosen.

mod beam;
mod bodies;
mod boundary;
mod coordinates;
mod damping;
mod elements;
mod finite;
pub(crate) mod joints;
mod loads;
mod mass;
pub(crate) mod matrix;
mod modal;
mod names;
mod overshoot;
mod pictures;
mod point_mass;
pub(crate) mod rotation;
mod segments;
mod settings;

use std::collections::HashSet;

use super::description::Description;
use super::item::{Item, ItemPath, ROOT};
use crate::diagnostic::Diagnostic;
use names::Names;

/// Lists everything wrong or suspicious in `description`, and brings axes and
/// quaternions to unit length.
///
/// The description can be built if none of the findings is an error.
pub fn validate(description: &mut Description) -> Vec<Diagnostic> {
    let mut numbers = Report::default();
    finite::check(description, &mut numbers);
    let broken: Vec<String> = numbers.0.iter().map(|found| found.path.clone()).collect();

    let mut report = Report::default();
    rotation::normalise(description, &mut report);
    if description.bodies.is_empty() {
        let item = Item::section("model");
        report.error("no-bodies", &ROOT.key("body"), &item, "there are no bodies", "add a [[body]]");
    }
    let names = Names::check(description, &mut report);
    bodies::check(description, &mut report);
    joints::check(description, &names, &mut report);
    boundary::check(description, &mut report);
    elements::check(description, &names, &mut report);
    loads::check(description, &mut report);
    pictures::check(description, &names, &mut report);
    settings::check(description, &names, &mut report);

    // What a nan leads to is not worth a message of its own.
    let mut found = numbers.0;
    found.extend(unrelated(report.0, &broken));
    found
}

/// The findings that are neither at, nor inside, nor around any of `paths`.
pub(crate) fn unrelated(findings: Vec<Diagnostic>, paths: &[String]) -> Vec<Diagnostic> {
    let exact: HashSet<&str> = paths.iter().map(String::as_str).collect();
    let around: HashSet<&str> = paths.iter().flat_map(|path| enclosing(path)).collect();
    let keep = |found: &Diagnostic| {
        !around.contains(found.path.as_str()) && !enclosing(&found.path).any(|path| exact.contains(path))
    };
    findings.into_iter().filter(keep).collect()
}

/// The whole file, `body[0]`, `body[0].frame`, ... and the path itself.
fn enclosing(path: &str) -> impl Iterator<Item = &str> {
    let ends = path.char_indices().filter(|&(_, letter)| letter == '.' || letter == '[');
    ends.map(|(end, _)| &path[..end]).chain(["", path])
}

/// Findings of the checks.
#[derive(Default)]
struct Report(Vec<Diagnostic>);

impl Report {
    fn error(
        &mut self,
        code: &'static str,
        path: &ItemPath<'_>,
        item: &Item<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let path = path.to_string();
        self.0.push(Diagnostic::error(code, path, item.to_string(), message, help));
    }

    fn warning(
        &mut self,
        code: &'static str,
        path: &ItemPath<'_>,
        item: &Item<'_>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let path = path.to_string();
        self.0.push(Diagnostic::warning(code, path, item.to_string(), message, help));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_at_in_and_around_a_path_are_related_to_it() {
        let broken = ["body[1].mass".to_owned()];
        let kept = |path: &str| {
            let finding = Diagnostic::error("code", path, "item", "message", "help");
            unrelated(vec![finding], &broken).len() == 1
        };
        assert!(!kept("body[1].mass") && !kept("body[1].mass[0]") && !kept("body[1]"));
        assert!(kept("body[1].massive") && kept("body[10].mass") && kept("body[1].name"));
    }
}
