//! Interfaces and point masses of a part file on its mesh.

use super::description::{Connection, Interface, PartDescription, Place};
use crate::constraint::{NO_ROTATION_HELP, nodes_without_rotation};
use crate::import::Imported;
use crate::mesh::{AverageLink, Mesh, PointMass, RigidLink};
use flexura::diagnostic::Diagnostic;
use flexura::model::words;
use nalgebra::Vector3;
use std::collections::{BTreeMap, HashSet};

/// Names the interface nodes of a mesh, adding reference nodes for sets; all other
/// names are dropped, so that attachments of the body are exactly the interfaces.
pub(super) fn place(part: &PartDescription, imported: &mut Imported) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (index, mass) in part.masses.iter().enumerate() {
        let (path, item) = (format!("mass[{index}].node"), format!("mass number {}", index + 1));
        match node_of(&mass.place, imported) {
            Ok(node) => {
                let (mass, inertia, offset) = (mass.mass, mass.inertia, mass.offset);
                imported.mesh.masses.push(PointMass { node, mass, inertia, offset });
            }
            Err((message, help)) => {
                findings.push(Diagnostic::error("unknown-place", path, item, message, help))
            }
        }
    }
    let mut names = BTreeMap::new();
    let mut seen = HashSet::new();
    for (index, interface) in part.interfaces.iter().enumerate() {
        let item = format!("interface `{}`", interface.name);
        if !seen.insert(interface.name.as_str()) || interface.name == "origin" {
            let (message, help) = match interface.name.as_str() {
                "origin" => {
                    ("`origin` is the name of the body's own frame", "give the interface another name")
                }
                _ => ("another interface has this name", "give every interface a name of its own"),
            };
            findings.push(Diagnostic::error(
                "duplicate-name",
                format!("interface[{index}].name"),
                &item,
                message,
                help,
            ));
        }
        match node_of_interface(interface, imported) {
            Ok(node) => {
                names.insert(interface.name.clone(), node);
            }
            Err((message, help)) => {
                let key = if matches!(interface.place, Place::Set(_)) { "set" } else { "node" };
                let path = format!("interface[{index}].{key}");
                findings.push(Diagnostic::error("unknown-place", path, &item, message, help));
            }
        }
    }
    imported.mesh.names = names;
    findings.extend(still_interfaces(part, &imported.mesh));
    let reference = &part.reduction.reference;
    if !reference.is_empty() && !imported.mesh.names.contains_key(reference) && findings.is_empty() {
        let known = imported.mesh.names.keys().map(String::as_str);
        let message = format!("there is no interface `{reference}`");
        let help = format!("the reference is one of the interfaces: {}", words::list(known));
        findings.push(Diagnostic::error("unknown-name", "reduction.reference", "reduction", message, help));
    }
    findings
}

/// Interfaces at nodes that have no rotation; what else is wrong with a mesh is told later.
fn still_interfaces(part: &PartDescription, mesh: &Mesh) -> Vec<Diagnostic> {
    let Ok(still) = nodes_without_rotation(mesh) else { return Vec::new() };
    let refused = part.interfaces.iter().enumerate().filter(|(_, interface)| {
        mesh.names.get(&interface.name).is_some_and(|node| still.get(*node) == Some(&true))
    });
    let explain = |(index, interface): (usize, &Interface)| {
        let key = if matches!(interface.place, Place::Set(_)) { "set" } else { "node" };
        let (path, item) = (format!("interface[{index}].{key}"), format!("interface `{}`", interface.name));
        let message = "its node belongs to solids alone and has no rotation, so that it cannot carry a frame";
        let help = format!("{NO_ROTATION_HELP}: `set` with connection = \"rigid\" or \"average\"");
        Diagnostic::error("no-rotation", path, item, message, help)
    };
    refused.map(explain).collect()
}

fn node_of(place: &Place, imported: &Imported) -> Result<usize, (String, String)> {
    let mesh = &imported.mesh;
    match place {
        Place::Node(name) => mesh.names.get(name).copied().ok_or_else(|| {
            (format!("node `{name}` is not part of the mesh"), "connect it to a beam or plate".into())
        }),
        Place::Number(number) => imported.numbers.get(number).copied().ok_or_else(|| {
            let help = match imported.numbers.is_empty() {
                true => "numbers are those of a mesh file; name a [[node]] instead".into(),
                false => {
                    "give the number of a node that an element or a connection of the mesh file uses".into()
                }
            };
            (format!("there is no node {number} in the mesh"), help)
        }),
        Place::Set(name) => Err((format!("`{name}` is a set, not a node"), "name a node".into())),
    }
}

fn node_of_interface(interface: &Interface, imported: &mut Imported) -> Result<usize, (String, String)> {
    let Place::Set(name) = &interface.place else { return node_of(&interface.place, imported) };
    let mesh = &mut imported.mesh;
    let set = find_set(mesh, name)?;
    if let ([single], None) = (&set[..], interface.position) {
        return Ok(*single);
    }
    let middle =
        set.iter().map(|node| Vector3::from(mesh.nodes[*node])).sum::<Vector3<f64>>() / set.len() as f64;
    let node = mesh.node(interface.position.unwrap_or(middle.into()));
    match interface.connection {
        Connection::Rigid => mesh.links.push(RigidLink::new(node, &set)),
        Connection::Average => {
            let mut link = AverageLink::new(node, &set);
            if on_a_line(mesh, &set) {
                // Translations along a line leave the rotation about it open.
                link.sources.iter_mut().for_each(|source| source.freedoms = [true; 6]);
            }
            mesh.averages.push(link);
        }
    }
    Ok(node)
}

/// Whether nodes lie on a line (or are fewer than three).
fn on_a_line(mesh: &Mesh, set: &[usize]) -> bool {
    let first = Vector3::from(mesh.nodes[set[0]]);
    let arms: Vec<Vector3<f64>> = set.iter().map(|node| Vector3::from(mesh.nodes[*node]) - first).collect();
    let Some(longest) = arms.iter().max_by(|a, b| a.norm().total_cmp(&b.norm())) else { return true };
    let size = longest.norm();
    arms.iter().all(|arm| arm.cross(longest).norm() <= 1e-6 * size * size)
}

fn find_set(mesh: &Mesh, name: &str) -> Result<Vec<usize>, (String, String)> {
    let exact = mesh.sets.get(name);
    let found = exact
        .or_else(|| mesh.sets.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, set)| set));
    match found {
        Some(set) if set.is_empty() => {
            Err((format!("set `{name}` has no nodes"), "choose a set with nodes".into()))
        }
        Some(set) => Ok(set.clone()),
        None => {
            let known = mesh.sets.keys().map(String::as_str);
            let help = match words::nearest(name, known.clone()) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None if known.len() == 0 => "the mesh has no sets".into(),
                None => format!("sets of the mesh: {}", words::list(known)),
            };
            Err((format!("there is no set `{name}` in the mesh"), help))
        }
    }
}
