//! Universal files of I-DEAS (`.unv`), as mesh generators write them (Gmsh, Salome, NX): nodes (dataset 2411 or 781),
//! elements (2412), groups (2467, 2477, 2435, 2452), coordinate systems (2420) and units (164).
//!
//! The datasets are those of the Universal File Datasets Summary of the University of Cincinnati. A universal file may hold
//! materials and sections; the part file gives them here, to groups of elements. An element none of whose groups has a material there
//! belongs to one with the number of its own, `material 3`.

mod elements;
mod words;

use super::grouped::{Grouped, MeshGroups, Raw};
use crate::import::deck::Imported;
use crate::import::error::{ImportError, Place};
use crate::import::group::Group;
use crate::import::left_out::LeftOut;
use crate::import::source::{Line, Source};
use crate::material::Material;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use words::{integers, reals};

/// Reads a mesh file.
pub fn read_file(path: &Path, materials: Vec<Material>, groups: &[Group]) -> Result<Imported, ImportError> {
    read(&Source::read(path, |_| None)?, materials, groups)
}

/// The groups of a mesh file.
pub fn groups_of_file(path: &Path) -> Result<MeshGroups, ImportError> {
    Ok(collect(&Source::read(path, |_| None)?, Vec::new())?.overview())
}

/// Reads a mesh given as text.
pub fn read_text(
    text: &str,
    file: &str,
    materials: Vec<Material>,
    groups: &[Group],
) -> Result<Imported, ImportError> {
    read(&Source::from_text(text, file), materials, groups)
}

/// A group of the file.
struct Collection {
    place: Place,
    name: String,
    nodes: Vec<u64>,
    elements: Vec<u64>,
}

struct Reader<'a> {
    source: &'a Source,
    mesh: Grouped,
    /// Numbers of elements so far.
    known: BTreeSet<u64>,
    collections: Vec<Collection>,
    /// Coordinate systems that are not the one of the file, and where nodes use them first.
    turned: BTreeMap<i64, bool>,
    systems: BTreeMap<i64, Place>,
}

/// Lines of one dataset, and how far they are read.
pub(super) struct Dataset<'a> {
    number: String,
    lines: &'a [Line],
    next: usize,
}

impl<'a> Dataset<'a> {
    fn place(&self) -> Place {
        let line = self.lines.get(self.next.saturating_sub(1)).or(self.lines.last());
        Place { file: 0, line: line.map_or(0, |line| line.number), card: format!("dataset {}", self.number) }
    }

    fn line(&mut self) -> Option<&'a str> {
        let line = self.lines.get(self.next)?;
        self.next += 1;
        Some(&line.text)
    }
}

fn read(source: &Source, materials: Vec<Material>, groups: &[Group]) -> Result<Imported, ImportError> {
    collect(source, materials)?.finish(source, groups)
}

fn collect(source: &Source, materials: Vec<Material>) -> Result<Grouped, ImportError> {
    let mut reader = Reader {
        source,
        mesh: Grouped::new("group", materials),
        known: BTreeSet::new(),
        collections: Vec::new(),
        turned: BTreeMap::new(),
        systems: BTreeMap::new(),
    };
    reader.datasets()?;
    reader.check_systems();
    reader.fill_groups();
    Ok(reader.mesh)
}

impl Reader<'_> {
    fn error(&self, data: &Dataset<'_>, message: impl Into<String>, help: &str) -> ImportError {
        self.source.error(&data.place(), message, help)
    }

    fn datasets(&mut self) -> Result<(), ImportError> {
        let lines = &self.source.lines;
        let delimiter = |line: &Line| line.text.trim() == "-1";
        let (mut next, mut left_out) = (0, LeftOut::default());
        while let Some(start) = lines[next..].iter().position(delimiter) {
            let start = next + start;
            let length = lines[start + 1..].iter().position(delimiter);
            let body = &lines[start + 1..start + 1 + length.unwrap_or(lines.len() - start - 1)];
            let number = body.first().map_or("", |line| line.text.trim()).to_owned();
            let mut data = Dataset { number, lines: body, next: 1 };
            if length.is_none() {
                return Err(self.error(&data, "the dataset does not end with -1", "write the file again"));
            }
            self.dataset(&mut data, &mut left_out)?;
            next = start + body.len() + 2;
        }
        if next == 0 {
            let help = "a universal file has datasets between lines of -1";
            return Err(ImportError::of_file(
                &self.source.files[0],
                "there is no dataset in this file",
                help,
            ));
        }
        let why = "nodes, elements and groups are read; materials and sections are those of the part file";
        self.mesh.deck.notices.extend(left_out.notices(why));
        Ok(())
    }

    fn dataset(&mut self, data: &mut Dataset<'_>, left_out: &mut LeftOut) -> Result<(), ImportError> {
        match data.number.as_str() {
            "2411" | "781" => self.nodes(data),
            "2412" => self.elements(data),
            "2467" | "2477" => self.groups(data, 4),
            "2435" | "2452" => self.groups(data, 2),
            "2420" => self.coordinate_systems(data),
            "164" => self.units(data),
            "15" | "18" | "71" | "780" | "2429" | "2430" | "2432" => {
                let help = "write nodes as dataset 2411, elements as 2412 and groups as 2467";
                Err(self.error(data, "this older dataset is not read", help))
            }
            "151" => Ok(()),
            _ => {
                left_out.add(&format!("dataset {}", data.number), &data.place(), self.source);
                Ok(())
            }
        }
    }

    fn nodes(&mut self, data: &mut Dataset<'_>) -> Result<(), ImportError> {
        while let Some(line) = data.line() {
            let head = integers(line);
            let place = data.line().and_then(reals);
            let (Some(&[label, system, ..]), Some([x, y, z])) = (head.as_deref(), place.as_deref()) else {
                let help = "a line of whole numbers and one of three coordinates";
                return Err(self.error(data, "a node is not complete", help));
            };
            let Some(label) = u64::try_from(label).ok().filter(|label| *label > 0) else {
                return Err(self.error(
                    data,
                    format!("{label} is no number of a node"),
                    "write the file again",
                ));
            };
            self.systems.entry(system).or_insert_with(|| data.place());
            if self.mesh.deck.nodes.insert(label, [*x, *y, *z]).is_some() {
                let message = format!("node {label} is defined twice");
                return Err(self.error(data, message, "write the file again"));
            }
        }
        Ok(())
    }

    /// Rows of the matrix of a system, and its origin; a number of the part and its name stand before all.
    fn coordinate_systems(&mut self, data: &mut Dataset<'_>) -> Result<(), ImportError> {
        data.line();
        data.line();
        while let Some(line) = data.line() {
            let head = integers(line);
            data.line();
            let rows: Option<Vec<Vec<f64>>> = (0..4).map(|_| data.line().and_then(reals)).collect();
            let (Some(&[label, kind, ..]), Some(rows)) = (head.as_deref(), rows) else {
                let help = "two lines of head and name, then four of three numbers";
                return Err(self.error(data, "a coordinate system is not complete", help));
            };
            let plain = |(row, numbers): (usize, &Vec<f64>)| {
                numbers.iter().enumerate().all(|(i, number)| *number == if i == row { 1.0 } else { 0.0 })
            };
            self.turned.insert(label, kind != 0 || !rows.iter().enumerate().all(plain));
        }
        Ok(())
    }

    /// Places in a system of their own are not what they look like.
    fn check_systems(&mut self) {
        for (system, place) in &self.systems {
            if self.turned.get(system) == Some(&true) {
                let message = format!(
                    "nodes are given in coordinate system {system}, which is turned, moved or not Cartesian"
                );
                let fault = self.source.error(place, message, "write the nodes in the system of the part");
                self.mesh.blockers.catch::<()>(Err(fault));
            }
        }
    }

    /// The factor of lengths: what the file has divided by it is in metres.
    fn units(&mut self, data: &mut Dataset<'_>) -> Result<(), ImportError> {
        data.line();
        let Some(&[length, ..]) = data.line().and_then(reals).as_deref() else {
            return Err(self.error(data, "the units are not complete", "write the file again"));
        };
        let (file, line) = (&self.source.files[0], data.place().line);
        self.mesh.deck.notices.push(format!(
            "{file}:{line}: dataset 164: the file calls 1/{length} m its unit of length; the part reads it by its `units`"
        ));
        Ok(())
    }

    /// Groups whose members are `width` numbers each: kind (7 is a node, 8 an element), number, and what is not needed here.
    fn groups(&mut self, data: &mut Dataset<'_>, width: usize) -> Result<(), ImportError> {
        while let Some(line) = data.line() {
            let head = integers(line);
            let place = data.place();
            let (Some(head), Some(name)) = (head.filter(|head| head.len() >= 8), data.line()) else {
                let help = "a line of eight whole numbers and one with the name";
                return Err(self.error(data, "the head of a group is not complete", help));
            };
            let mut left = usize::try_from(head[7]).unwrap_or(0);
            let name = match name.trim() {
                "" => format!("group {}", head[0]),
                name => name.to_owned(),
            };
            let mut group = Collection { place, name, nodes: Vec::new(), elements: Vec::new() };
            while left > 0 {
                let Some(numbers) = data.line().and_then(integers).filter(|numbers| numbers.len() >= width)
                else {
                    let message = format!("group `{}` lacks {left} of its members", group.name);
                    return Err(self.error(data, message, "the count of the group and its lines disagree"));
                };
                for member in numbers.chunks_exact(width).take(left) {
                    left -= 1;
                    match (member[0], u64::try_from(member[1])) {
                        (7, Ok(node)) => group.nodes.push(node),
                        (8, Ok(element)) => group.elements.push(element),
                        (kind, _) => {
                            let message = format!("group `{}` has members of kind {kind}", group.name);
                            return Err(self.error(
                                data,
                                message,
                                "groups of nodes (7) and elements (8) are read",
                            ));
                        }
                    }
                }
            }
            self.collections.push(group);
        }
        Ok(())
    }

    /// Puts elements into their groups and nodes into sets.
    fn fill_groups(&mut self) {
        let places: BTreeMap<u64, usize> =
            self.mesh.elements.iter().enumerate().map(|(place, raw)| (raw.number, place)).collect();
        for Collection { place, name, nodes, elements } in std::mem::take(&mut self.collections) {
            if !nodes.is_empty() {
                self.mesh.deck.sets.entry(name.clone()).or_default().extend(nodes);
            }
            let (there, missing): (Vec<u64>, Vec<u64>) =
                elements.into_iter().partition(|number| places.contains_key(number));
            for number in there {
                self.mesh.elements[places[&number]].groups.push(name.clone());
            }
            // Gmsh names points in groups that it does not write as elements.
            if let Some(first) = missing.first() {
                let (file, line, count) = (&self.source.files[0], place.line, missing.len());
                self.mesh.deck.notices.push(format!(
                    "{file}:{line}: {count} members of group `{name}` are no elements of this file, such as element {first}"
                ));
            }
        }
    }

    fn add(&mut self, raw: Raw) {
        if self.known.insert(raw.number) {
            self.mesh.elements.push(raw);
            return;
        }
        let message = format!("element {} is defined twice", raw.number);
        let fault =
            self.source.error(&raw.place, message, "number the elements of the file one after the other");
        self.mesh.blockers.catch::<()>(Err(fault));
    }
}
