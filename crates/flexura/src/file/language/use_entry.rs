//! `[[use]]`: a file taken in, its parameters, its frames outside, its place.

use std::sync::Arc;

use super::super::fields::Fields;
use super::super::node::Node;
use super::super::rotation::read_orientation;
use super::super::value::Value;
use super::placement::Placement;

/// One use of a file.
pub(super) struct Use {
    pub name: String,
    pub file: String,
    /// Values for variables of the file.
    pub given: Vec<(Arc<str>, Node)>,
    /// What `outer.NAME` stands for in the file.
    pub outer: Vec<(Arc<str>, Node)>,
    pub placement: Option<Placement>,
}

/// An entry of `[[use]]`.
pub(super) fn read_use(fields: &mut Fields<'_>) -> Option<Use> {
    let before = fields.sink.count();
    let name = fields.need_text("name", "name = \"front_left\"");
    let file = fields.need_text("file", "file = \"corner.toml\"");
    let given = fields.get("let").map(|value| free_table(&value)).unwrap_or_default();
    let outer = fields.get("outer").map(|value| free_table(&value)).unwrap_or_default();
    let position = fields.get("position").map(|value| value.vector3().unwrap_or_default());
    let rotation = fields.get("rotation").map(|value| read_orientation(&value).unwrap_or_default());
    let placement = (position.is_some() || rotation.is_some())
        .then(|| Placement { position: position.unwrap_or_default(), rotation });
    check_name(fields, &name);
    let path = fields.path.key("outer");
    for (key, node) in &outer {
        if !node.is_text() {
            let value = Value { node, path: path.key(key), item: fields.item, sink: fields.sink };
            let _: Option<()> = value.wrong_type("a string");
        }
    }
    (fields.sink.count() == before).then_some(Use { name, file, given, outer, placement })
}

/// A table whose keys are names of the user.
fn free_table(value: &Value<'_>) -> Vec<(Arc<str>, Node)> {
    let Some(table) = value.node.as_table() else {
        let _: Option<()> = value.wrong_type("a table");
        return Vec::new();
    };
    table.fields.iter().map(|field| (field.key.clone(), field.node.clone())).collect()
}

/// Names of items become `NAME/item`.
fn check_name(fields: &Fields<'_>, name: &str) {
    let bad = name.find(|c: char| c.is_whitespace() || matches!(c, '.' | '*' | '?' | '/'));
    let reserved = matches!(name, "ground" | "outer");
    if fields.has("name") && (name.is_empty() || bad.is_some() || reserved) {
        let message = format!("`{name}` cannot be the name of a use");
        let help =
            "use letters, digits, _ and -, but no dots, slashes, white space, * or ?; not ground or outer";
        fields.error("bad-name", "name", message, help);
    }
}
