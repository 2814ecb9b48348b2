//! Classes of defaults: attributes that elements have unless they say otherwise. A class takes over those of the class it stands
//! in; an element belongs to its `class`, else to the `childclass` of the nearest body around it, else to the outermost.

use crate::finding::Findings;
use crate::robot::xml::Node;
use std::collections::BTreeMap;

/// Attributes of every tag, with those of the classes around already in place.
type Tags = BTreeMap<String, Vec<(String, String)>>;

/// All classes by name.
#[derive(Debug, Default)]
pub struct Defaults(BTreeMap<String, Tags>);

/// The name of the outermost class where it has none.
const MAIN: &str = "main";

/// The classes of all `<default>` sections.
pub fn read(root: &Node, findings: &mut Findings) -> Defaults {
    let mut defaults = Defaults::default();
    defaults.0.insert(MAIN.to_owned(), Tags::new());
    for node in root.all("default") {
        let outer = defaults.0[MAIN].clone();
        class(node, &outer, true, &mut defaults, findings);
    }
    defaults
}

fn class(node: &Node, outer: &Tags, top: bool, defaults: &mut Defaults, findings: &mut Findings) {
    node.only(&["class"], findings);
    let name = match node.text("class") {
        Some(name) if !top || name == MAIN => name.to_owned(),
        // The outermost class is the one of elements without a class, whatever it is called.
        Some(name) => name.to_owned(),
        None if top => MAIN.to_owned(),
        None => node.need("class", findings),
    };
    let mut tags = outer.clone();
    for child in node.children.iter().filter(|child| child.tag != "default") {
        let known = tags.entry(child.tag.clone()).or_default();
        for (key, value) in &child.attributes {
            known.retain(|(old, _)| old != key);
            known.push((key.clone(), value.clone()));
        }
    }
    if top {
        defaults.0.insert(MAIN.to_owned(), tags.clone());
    }
    let again = name != MAIN && defaults.0.contains_key(&name);
    if again {
        findings.fault(&node.place, format!("a second class `{name}`"), "give every class a name of its own");
    }
    defaults.0.insert(name, tags.clone());
    for inner in node.all("default") {
        class(inner, &tags, false, defaults, findings);
    }
}

impl Defaults {
    /// The element with the attributes of its class where it has none of its own.
    pub fn complete(&self, node: &Node, around: &str, findings: &mut Findings) -> Node {
        let mut whole = node.clone();
        let name = node.text("class").unwrap_or(around);
        let Some(tags) = self.0.get(if name.is_empty() { MAIN } else { name }) else {
            let known: Vec<&str> = self.0.keys().map(String::as_str).collect();
            let help = format!("classes are: {}", known.join(", "));
            findings.fault(&node.place, format!("no class is called `{name}`"), help);
            return whole;
        };
        for (key, value) in tags.get(&node.tag).into_iter().flatten() {
            if whole.text(key).is_none() {
                whole.attributes.push((key.clone(), value.clone()));
            }
        }
        whole
    }
}
