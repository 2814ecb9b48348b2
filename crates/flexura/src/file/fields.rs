//! One table of a file: keys are taken one by one, the rest is unknown.

use super::language::{LISTS, Step};
use super::node::{Content, Node, Table};
use super::sink::Sink;
use super::value::Value;
use crate::model::item::{Item, ItemPath, ROOT};
use crate::model::words;

/// A table that remembers which keys were asked for.
#[doc(hidden)]
pub struct Fields<'t> {
    table: &'t Table,
    /// Where the table stands.
    pub path: &'t ItemPath<'t>,
    /// The item it belongs to.
    pub item: &'t Item<'t>,
    /// Where findings go.
    pub sink: &'t Sink,
    known: Vec<&'static str>,
    missing: Vec<Missing>,
}

/// A required key that is not there; reported last, because a misspelt key
/// already says so.
struct Missing {
    keys: Vec<&'static str>,
    code: &'static str,
    message: String,
    help: String,
}

impl<'t> Fields<'t> {
    /// The whole file.
    pub fn new(table: &'t Table, path: &'t ItemPath<'t>, item: &'t Item<'t>, sink: &'t Sink) -> Self {
        Self { table, path, item, sink, known: Vec::new(), missing: Vec::new() }
    }

    /// The value of `key`, if given.
    pub fn get(&mut self, key: &'static str) -> Option<Value<'t>> {
        self.allow(&[key]);
        let node = self.table.get(key)?;
        Some(Value { node, path: self.path.key(key), item: self.item, sink: self.sink })
    }

    /// The value of a key that must be given.
    pub fn need(&mut self, key: &'static str, help: &str) -> Option<Value<'t>> {
        let value = self.get(key);
        if value.is_none() {
            self.missing("missing-key", &[key], format!("`{key}` is missing"), format!("add {help}"));
        }
        value
    }

    /// Declares keys valid without reading them.
    pub fn allow(&mut self, keys: &[&'static str]) {
        for key in keys {
            if !self.known.contains(key) {
                self.known.push(key);
            }
        }
    }

    /// Whether `key` is given.
    pub fn has(&self, key: &str) -> bool {
        self.table.get(key).is_some()
    }

    /// Those of `keys` that are given.
    pub fn given(&self, keys: &[&'static str]) -> Vec<&'static str> {
        keys.iter().copied().filter(|key| self.has(key)).collect()
    }

    /// Reports, at the end, that none of `keys` is given.
    pub fn missing(
        &mut self,
        code: &'static str,
        keys: &[&'static str],
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let (keys, message, help) = (keys.to_vec(), message.into(), help.into());
        self.missing.push(Missing { keys, code, message, help });
    }

    /// Reports an error at `key`.
    pub fn error(&self, code: &'static str, key: &str, message: impl Into<String>, help: impl Into<String>) {
        self.sink.error(code, &self.path.key(key), self.item, message, help);
    }

    /// Warns about those of `keys` that are given although they do nothing.
    pub fn unused(&self, keys: &[&'static str], reason: &str) {
        for key in self.given(keys) {
            let message = format!("`{key}` has no effect: {reason}");
            let path = self.path.key(key);
            self.sink.warning("unused-key", &path, self.item, message, format!("remove `{key}`"));
        }
    }

    /// The one of `keys` that is given; several are an error, none is `None`.
    pub fn one_of(&mut self, keys: &[&'static str]) -> Option<&'static str> {
        self.allow(keys);
        let given = self.given(keys);
        if let [first, second, ..] = given[..] {
            let message = format!("gives both `{first}` and `{second}`");
            let help = format!("keep one of: {}", words::list(keys.iter().copied()));
            self.error("conflicting-keys", second, message, help);
            given.iter().for_each(|key| self.sink.unreliable(&self.path.key(key)));
        }
        given.first().copied()
    }

    /// A number, or `default` where the key is absent or wrong.
    pub fn f64(&mut self, key: &'static str, default: f64) -> f64 {
        self.get(key).and_then(|value| value.f64()).unwrap_or(default)
    }

    /// A number that must be given; zero stands in for a missing one.
    pub fn need_f64(&mut self, key: &'static str, help: &str) -> f64 {
        self.need(key, help).and_then(|value| value.f64()).unwrap_or(0.0)
    }

    /// A vector, or `default`.
    pub fn vector3(&mut self, key: &'static str, default: [f64; 3]) -> [f64; 3] {
        self.get(key).and_then(|value| value.vector3()).unwrap_or(default)
    }

    /// A yes or no, or `default`.
    pub fn bool(&mut self, key: &'static str, default: bool) -> bool {
        self.get(key).and_then(|value| value.bool()).unwrap_or(default)
    }

    /// One of a few words, if given.
    pub fn choice<T: Copy>(&mut self, key: &'static str, choices: &[(&'static str, T)]) -> Option<T> {
        self.get(key)?.choice(choices)
    }

    /// A string that must be given; an empty one stands in for a missing one.
    pub fn need_text(&mut self, key: &'static str, help: &str) -> String {
        self.need(key, help).and_then(|value| value.text()).unwrap_or_default().to_owned()
    }

    /// Reads the table at `key` as a part of the same item.
    pub fn section<T>(&mut self, key: &'static str, read: impl FnOnce(&mut Fields<'_>) -> T) -> Option<T> {
        self.get(key)?.table(read)
    }

    /// Reads the list of tables at `key`; each is an item of `kind` with a name.
    pub fn entries<T>(
        &mut self,
        key: &'static str,
        kind: &'static str,
        read: impl Fn(&mut Fields<'_>) -> T,
    ) -> Vec<T> {
        let mut entries: Vec<T> =
            self.entries_of_units(key, kind, read).into_iter().map(|(_, entry)| entry).collect();
        // It stands in the place of larger entries, and most bodies have one frame.
        entries.shrink_to_fit();
        entries
    }

    /// The same with the unit that each of them belongs to: zero but for entries of used files.
    pub(super) fn entries_of_units<T>(
        &mut self,
        key: &'static str,
        kind: &'static str,
        read: impl Fn(&mut Fields<'_>) -> T,
    ) -> Vec<(usize, T)> {
        let given = self.get(key);
        if let Some(value) = given.filter(|value| value.node.is_table()) {
            single_table(&value, key);
            return Vec::new();
        }
        let list = self.path.key(key).to_string();
        let made = self.sink.program().filter(|_| LISTS.contains(&list.as_str()) && given.is_none());
        let mut all = Vec::new();
        let path = self.path.key(key);
        let mut take = |index: usize, unit: usize, node: &Node| {
            let entry = Value { node, path: path.index(index), item: self.item, sink: self.sink };
            all.extend(self.entry(entry, index, kind, &read).map(|entry| (unit, entry)));
        };
        if let Some(program) = made {
            program.each(&list, &mut |step| match step {
                Step::Entry(index, unit, node) => take(index, unit, node),
                Step::Fault(index, name, fault) => {
                    self.sink.unreliable(ROOT);
                    fault.report(&Item::named(kind, &name, index), self.sink);
                }
            });
        } else if let Some(items) = given.as_ref().and_then(Value::items) {
            items.enumerate().for_each(|(index, entry)| take(index, 0, entry.node));
        }
        all
    }

    /// Reads one entry of a list.
    fn entry<T>(
        &self,
        entry: Value<'_>,
        index: usize,
        kind: &'static str,
        read: impl Fn(&mut Fields<'_>) -> T,
    ) -> Option<T> {
        let name = entry.node.get("name").and_then(Node::as_text);
        let item = Item::named(kind, name.unwrap_or_default(), index);
        let owner = self.item.is_entry().then_some(self.item);
        let item = match owner {
            Some(owner) => item.of(owner),
            None => item,
        };
        let read = Value { item: &item, ..entry }.table(read);
        if read.is_none() {
            // Leaving one out shifts the numbers of all that follow.
            entry.sink.unreliable(ROOT);
        }
        read
    }

    /// Reports unknown and missing keys.
    pub fn finish(mut self) {
        self.sink.table(self.path, &self.known);
        for field in &self.table.fields {
            let name: &str = &field.key;
            if self.known.contains(&name) {
                continue;
            }
            let near = words::nearest(name, self.known.iter().copied());
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("valid keys here: {}", words::list(self.known.iter().copied())),
            };
            let path = self.path.key(name);
            // A header such as [[boddy]] is better shown whole.
            let header = field.node.span.start < field.key_span.start;
            let place = if header { &field.node.span } else { &field.key_span };
            self.sink.mark(&path, place.clone());
            self.sink.error("unknown-key", &path, self.item, format!("unknown key `{name}`"), help);
            if let Some(near) = near {
                self.sink.unreliable(&self.path.key(near));
            }
            // What is missing is probably here, under a wrong name.
            self.missing.retain(|Missing { keys, .. }| {
                keys.len() == 1 && near.is_none_or(|near| !keys.contains(&near))
            });
        }
        for Missing { keys, code, message, help } in self.missing {
            let key = keys.first().copied().unwrap_or_default();
            self.sink.error(code, &self.path.key(key), self.item, message, help);
        }
    }
}

impl<'t> Value<'t> {
    /// Reads the value as a table; reports if it is none.
    pub fn table<T>(&self, read: impl FnOnce(&mut Fields<'_>) -> T) -> Option<T> {
        let Content::Table(table) = &self.node.content else {
            return self.wrong_type("a table");
        };
        let mut fields = Fields::new(table, &self.path, self.item, self.sink);
        let read = read(&mut fields);
        fields.finish();
        Some(read)
    }
}

/// Reports a table where a list of tables is meant.
fn single_table(value: &Value<'_>, key: &str) {
    let message = format!("`{key}` is a list of tables, but this is a single table");
    // `body[2].frame` in the file is the header [[body.frame]].
    let path = value.path.to_string();
    let header = path.split('[').map(|part| part.rsplit(']').next().unwrap_or_default());
    let header: String = header.collect();
    value.error("wrong-type", message, format!("write the header with two brackets: [[{header}]]"));
    value.sink.unreliable(ROOT);
}
