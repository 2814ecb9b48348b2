//! Terminals of FMI 3.0: what belongs to one item of the model, so that an importer connects it by one line.
//!
//! Every joint, actuator, force or controller that has an input is a terminal, with its inputs and those of its channels that are
//! outputs. Members are called as they are after the item's name and match by that name (`bus`).

use super::interface::{Causality, Interface};
use super::xml::Xml;

/// The file of terminals; `None` where there is no input.
pub fn terminals(interface: &Interface) -> Option<String> {
    let mut items: Vec<&str> = Vec::new();
    for input in &interface.inputs {
        let item = item_of(&input.name);
        if !items.contains(&item) {
            items.push(item);
        }
    }
    if items.is_empty() {
        return None;
    }
    let mut xml = Xml::new();
    xml.open("fmiTerminalsAndIcons", &[("fmiVersion", "3.0".to_owned())]);
    xml.open("Terminals", &[]);
    for item in items {
        let head = [("name", item.to_owned()), ("matchingRule", "bus".to_owned())];
        xml.open("Terminal", &head);
        let known = |kind: Causality| matches!(kind, Causality::Input | Causality::Output);
        let members = interface.variables.iter().filter(|variable| known(variable.causality));
        for variable in members.filter(|variable| item_of(&variable.name) == item) {
            let member = variable.name.get(item.len() + 1..).unwrap_or_default();
            let own = [
                ("variableName", variable.name.clone()),
                ("memberName", member.to_owned()),
                ("variableKind", "signal".to_owned()),
            ];
            xml.leaf("TerminalMemberVariable", &own);
        }
        xml.close();
    }
    Some(xml.finish())
}

/// The item that a variable belongs to: names of items have no dots.
fn item_of(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}
