//! Model files as documents that can be edited.

use toml::{Table, Value};

/// A model file that has been read.
pub type Document = Table;

/// The document of a text.
pub fn read(text: &str) -> Option<Document> {
    text.parse().ok()
}

/// The text of a document.
pub fn write(document: &Document) -> String {
    document.to_string()
}

/// The items of a section; an empty list where there are none.
pub fn array<'a>(document: &'a mut Document, section: &str) -> Option<&'a mut Vec<Value>> {
    document.entry(section).or_insert_with(|| Value::Array(Vec::new())).as_array_mut()
}

/// Adds the items of `text` to the sections they belong to.
pub fn extend(document: &mut Document, text: &str) -> Option<()> {
    for (section, items) in read(text)? {
        array(document, &section)?.extend(items.as_array()?.iter().cloned());
    }
    Some(())
}

/// Name of an item.
pub fn name(item: &Value) -> &str {
    item.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// Whether a value refers to the item `name` anywhere: by its name, or by that of a frame, channel or coordinate of it.
pub fn refers(value: &Value, item: &str) -> bool {
    match value {
        Value::String(text) => {
            text == item || text.strip_prefix(item).is_some_and(|rest| rest.starts_with('.'))
        }
        Value::Array(list) => list.iter().any(|one| refers(one, item)),
        Value::Table(table) => table.iter().any(|(key, one)| key != "name" && refers(one, item)),
        _ => false,
    }
}
