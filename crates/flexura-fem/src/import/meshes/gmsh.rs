//! Gmsh meshes, formats 2.2 and 4.1 (Gmsh reference manual, "File formats"), ASCII; binary ones become text first (`binary`).
//!
//! Gmsh knows no materials: the part file gives each physical group its material with
//! thickness or section. Groups without one serve as sets of nodes. Counts in the file
//! are compared with what is there, never trusted for memory.

mod binary;

use super::grouped::{Grouped, MeshGroups, Raw};
use crate::import::deck::{Imported, Shape};
use crate::import::error::{ImportError, Place};
use crate::import::group::Group;
use crate::import::left_out::LeftOut;
use crate::import::number::{identity, real};
use crate::import::source::{Source, read_plain};
use crate::material::Material;
use std::collections::BTreeMap;
use std::path::Path;

/// Reads a mesh file.
pub fn read_file(path: &Path, materials: Vec<Material>, groups: &[Group]) -> Result<Imported, ImportError> {
    read(&source_of(&read_plain(path)?, &path.display().to_string())?, materials, groups)
}

/// Reads a mesh given as the bytes of a file.
pub fn read_bytes(
    bytes: &[u8],
    file: &str,
    materials: Vec<Material>,
    groups: &[Group],
) -> Result<Imported, ImportError> {
    read(&source_of(bytes, file)?, materials, groups)
}

/// Reads a mesh given as text.
pub fn read_text(
    text: &str,
    file: &str,
    materials: Vec<Material>,
    groups: &[Group],
) -> Result<Imported, ImportError> {
    read_bytes(text.as_bytes(), file, materials, groups)
}

/// What the reader has elements for.
const SUPPORTED: &str = "supported: lines, triangles, quadrilaterals, tetrahedra, hexahedra and prisms of order 1 and 2 \
                         (without nodes inside faces), pyramids of order 1";

struct Reader<'a> {
    source: &'a Source,
    next: usize,
    section: String,
    mesh: Grouped,
    names: BTreeMap<(usize, u64), String>,
    /// Physical groups of each entity, by dimension and tag.
    entities: BTreeMap<(usize, i64), Vec<(usize, u64)>>,
    elements: Vec<(Raw, Vec<(usize, u64)>)>,
}

/// The groups of a mesh file.
pub fn groups_of_file(path: &Path) -> Result<MeshGroups, ImportError> {
    let source = source_of(&read_plain(path)?, &path.display().to_string())?;
    Ok(collect(&source, Vec::new())?.overview())
}

/// The lines of a mesh; those of a binary one have no number, since the file has none.
fn source_of(bytes: &[u8], file: &str) -> Result<Source, ImportError> {
    if !binary::is_binary(bytes) {
        return Ok(Source::from_text(&String::from_utf8_lossy(bytes), file));
    }
    let source = Source::from_text("", file);
    let text = binary::text(bytes).map_err(|(card, message)| {
        source.error(
            &Place { file: 0, line: 0, card },
            message,
            "write the mesh again, or as ASCII (Mesh.Binary = 0)",
        )
    })?;
    let mut source = Source::from_text(&text, file);
    source.lines.iter_mut().for_each(|line| line.number = 0);
    Ok(source)
}

fn read(source: &Source, materials: Vec<Material>, groups: &[Group]) -> Result<Imported, ImportError> {
    collect(source, materials)?.finish(source, groups)
}

fn collect(source: &Source, materials: Vec<Material>) -> Result<Grouped, ImportError> {
    let mut reader = Reader {
        source,
        next: 0,
        section: String::new(),
        mesh: Grouped::new("physical group", materials),
        names: BTreeMap::new(),
        entities: BTreeMap::new(),
        elements: Vec::new(),
    };
    reader.sections()?;
    let Reader { mut mesh, names, elements, .. } = reader;
    // Names may stand behind the elements.
    let name = |key: &(usize, u64)| names.get(key).cloned().unwrap_or_else(|| key.1.to_string());
    for (raw, groups) in elements {
        mesh.elements.push(Raw { groups: groups.iter().map(name).collect(), ..raw });
    }
    Ok(mesh)
}

impl<'a> Reader<'a> {
    fn place(&self) -> Place {
        let line = self.source.lines.get(self.next.saturating_sub(1));
        Place { file: 0, line: line.map_or(0, |line| line.number), card: self.section.clone() }
    }

    fn error(&self, message: impl Into<String>, help: &str) -> ImportError {
        self.source.error(&self.place(), message, help)
    }

    /// Words of the next line that is not empty.
    fn line(&mut self) -> Result<Vec<&'a str>, ImportError> {
        while let Some(line) = self.source.lines.get(self.next) {
            self.next += 1;
            if !line.text.trim().is_empty() {
                return Ok(line.text.split_whitespace().collect());
            }
        }
        Err(self.error("the file ends too early", "write the mesh again"))
    }

    fn numbers<T: std::str::FromStr>(&mut self, least: usize, what: &str) -> Result<Vec<T>, ImportError> {
        let words = self.line()?;
        let numbers: Option<Vec<T>> = words.iter().map(|word| word.parse().ok()).collect();
        match numbers.filter(|numbers| numbers.len() >= least) {
            Some(numbers) => Ok(numbers),
            None => Err(self
                .error(format!("{what} must be {least} or more whole numbers"), "write the mesh as ASCII")),
        }
    }

    fn sections(&mut self) -> Result<(), ImportError> {
        let mut version = 0;
        while self.next < self.source.lines.len() {
            let Ok(words) = self.line() else { break };
            let Some(name) = words[0].strip_prefix('$') else {
                return Err(self
                    .error("a line outside of sections", "a Gmsh file has sections from $Name to $EndName"));
            };
            self.section = format!("${name}");
            if version == 0 && name != "MeshFormat" {
                return Err(
                    self.error("the section $MeshFormat is missing", "the file must start with $MeshFormat")
                );
            }
            match (name, version) {
                ("MeshFormat", _) => version = self.format()?,
                ("PhysicalNames", _) => self.physical_names()?,
                ("Nodes", 2) => self.nodes_2()?,
                ("Nodes", _) => self.nodes_4()?,
                ("Elements", 2) => self.elements_2()?,
                ("Elements", _) => self.elements_4()?,
                ("Entities", _) => self.read_entities()?,
                (other, _)
                    if matches!(
                        other,
                        "Comments"
                            | "NodeData"
                            | "ElementData"
                            | "Parametrizations"
                            | "PartitionedEntities"
                            | "GhostElements"
                    ) =>
                {
                    let mut ignored = LeftOut::default();
                    ignored.add(&self.section, &self.place(), self.source);
                    self.mesh.deck.notices.extend(ignored.notices("it has no part in a reduction"));
                    let end = format!("$End{other}");
                    while self.line()?[0] != end {}
                    continue;
                }
                (other, _) => {
                    let message = format!("the section ${other} is not supported");
                    return Err(self.error(message, "save nodes, elements and physical groups only"));
                }
            }
            let words = self.line()?;
            let end = words[0].strip_prefix("$End").is_some_and(|end| self.section[1..] == *end);
            if !end {
                let message = format!("the section does not end here with $End{}", &self.section[1..]);
                return Err(self.error(message, "the count of the section and its lines disagree"));
            }
        }
        Ok(())
    }

    fn format(&mut self) -> Result<u8, ImportError> {
        let words = self.line()?;
        let version = words[0];
        if words.get(1) != Some(&"0") {
            return Err(self.error("the mesh is neither ASCII nor binary", "save it with Mesh.Binary = 0"));
        }
        match version {
            "2.2" | "2.1" | "2" | "2.0" => Ok(2),
            "4.1" => Ok(4),
            _ => Err(self.error(
                format!("version {version} is not supported"),
                "save it with Mesh.MshFileVersion = 4.1 or 2.2",
            )),
        }
    }

    fn physical_names(&mut self) -> Result<(), ImportError> {
        let count = self.numbers::<usize>(1, "the number of names")?[0];
        for _ in 0..count {
            let words = self.line()?;
            let name = words.get(2..).map(|rest| rest.join(" ").trim_matches('"').to_owned());
            let dimension = words[0].parse::<usize>().ok();
            let tag = words.get(1).and_then(|word| identity(word));
            let (Some(name), Some(dimension), Some(tag)) = (name, dimension, tag) else {
                return Err(self.error("a name needs dimension, tag and name", "such as 2 1 \"panel\""));
            };
            self.names.insert((dimension, tag), name);
        }
        Ok(())
    }

    fn node(&mut self, number: u64, words: &[&str]) -> Result<(), ImportError> {
        let position: Option<Vec<f64>> = words.iter().take(3).map(|word| real(word)).collect();
        let Some([x, y, z]) = position.as_deref() else {
            return Err(self.error(format!("node {number} needs three coordinates"), "write the mesh again"));
        };
        match self.mesh.deck.nodes.insert(number, [*x, *y, *z]) {
            None => Ok(()),
            Some(_) => Err(self.error(format!("node {number} is defined twice"), "write the mesh again")),
        }
    }

    fn nodes_2(&mut self) -> Result<(), ImportError> {
        let count = self.numbers::<usize>(1, "the number of nodes")?[0];
        for _ in 0..count {
            let words = self.line()?;
            let Some(number) = identity(words[0]) else {
                let message =
                    format!("the number of the node is `{}`; the section announces {count} nodes", words[0]);
                return Err(self.error(message, "the count of the section and its lines disagree"));
            };
            self.node(number, &words[1..])?;
        }
        Ok(())
    }

    fn nodes_4(&mut self) -> Result<(), ImportError> {
        let head = self.numbers::<u64>(4, "the head of the section")?;
        for _ in 0..head[0] {
            let block = self.numbers::<i64>(4, "the head of a block of nodes")?;
            let mut tags = Vec::new();
            for _ in 0..block[3].max(0) {
                tags.push(self.numbers::<u64>(1, "the number of a node")?[0]);
            }
            for tag in tags {
                let words = self.line()?;
                self.node(tag, &words)?;
            }
        }
        match self.mesh.deck.nodes.len() as u64 == head[1] {
            true => Ok(()),
            false => Err(self.error(
                format!("{} nodes instead of {}", self.mesh.deck.nodes.len(), head[1]),
                "write the mesh again",
            )),
        }
    }

    fn read_entities(&mut self) -> Result<(), ImportError> {
        let head = self.numbers::<u64>(4, "the head of the section")?;
        for dimension in 0..4 {
            for _ in 0..head[dimension] {
                let words = self.line()?;
                let tag = words[0].parse::<i64>().ok();
                let skip = if dimension == 0 { 4 } else { 7 };
                let count = words.get(skip).and_then(|word| word.parse::<usize>().ok());
                let tags: Option<Vec<i64>> = count.and_then(|count| {
                    let tags = words.get(skip + 1..)?.get(..count)?;
                    tags.iter().map(|word| word.parse().ok()).collect()
                });
                let (Some(tag), Some(tags)) = (tag, tags) else {
                    return Err(self.error("an entity is not complete", "write the mesh again"));
                };
                let groups = tags.iter().map(|tag| (dimension, tag.unsigned_abs())).collect();
                self.entities.insert((dimension, tag), groups);
            }
        }
        Ok(())
    }

    fn elements_2(&mut self) -> Result<(), ImportError> {
        let count = self.numbers::<usize>(1, "the number of elements")?[0];
        for _ in 0..count {
            let words = self.numbers::<u64>(3, "an element")?;
            let (number, kind, tags) = (words[0], words[1], usize::try_from(words[2]).unwrap_or(usize::MAX));
            let Some(nodes) = tags.checked_add(3).and_then(|start| words.get(start..)) else {
                return Err(self.error(format!("element {number} is not complete"), "write the mesh again"));
            };
            let dimension = self.dimension(kind)?;
            let groups = if tags > 0 && words[3] > 0 { vec![(dimension, words[3])] } else { Vec::new() };
            self.push(number, kind, nodes.to_vec(), groups)?;
        }
        Ok(())
    }

    fn elements_4(&mut self) -> Result<(), ImportError> {
        let head = self.numbers::<u64>(4, "the head of the section")?;
        for _ in 0..head[0] {
            let block = self.numbers::<i64>(4, "the head of a block of elements")?;
            let dimension = usize::try_from(block[0]).unwrap_or(usize::MAX);
            let groups = self.entities.get(&(dimension, block[1])).cloned().unwrap_or_default();
            for _ in 0..block[3].max(0) {
                let words = self.numbers::<u64>(2, "an element")?;
                self.push(words[0], block[2].unsigned_abs(), words[1..].to_vec(), groups.clone())?;
            }
        }
        match self.elements.len() as u64 == head[1] {
            true => Ok(()),
            false => Err(self.error(
                format!("{} elements instead of {}", self.elements.len(), head[1]),
                "write the mesh again",
            )),
        }
    }

    fn kind(&self, kind: u64) -> Result<(Option<Shape>, usize), ImportError> {
        shape_of(kind)
            .ok_or_else(|| self.error(format!("elements of type {kind} are not supported"), SUPPORTED))
    }

    fn dimension(&self, kind: u64) -> Result<usize, ImportError> {
        Ok(self.kind(kind)?.0.map_or(0, Shape::dimension))
    }

    fn push(
        &mut self,
        number: u64,
        kind: u64,
        mut nodes: Vec<u64>,
        groups: Vec<(usize, u64)>,
    ) -> Result<(), ImportError> {
        let (shape, count) = self.kind(kind)?;
        if nodes.len() != count {
            let message = format!("element {number} has {} nodes instead of {count}", nodes.len());
            return Err(self.error(message, "write the mesh again"));
        }
        match shape {
            Some(Shape::Line3) => nodes.swap(1, 2),
            Some(Shape::Tetrahedron10) => nodes.swap(8, 9),
            // Gmsh goes from corner to corner, here the lower edges come first, then the upper ones.
            Some(Shape::Hexahedron20) => {
                let middles = [8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15].map(|place: usize| nodes[place]);
                nodes[8..].copy_from_slice(&middles);
            }
            Some(Shape::Wedge15) => {
                let middles = [6, 9, 7, 12, 14, 13, 8, 10, 11].map(|place: usize| nodes[place]);
                nodes[6..].copy_from_slice(&middles);
            }
            _ => {}
        }
        let place = self.place();
        let raw = Raw { place, number, shape, nodes, groups: Vec::new(), implied: None };
        self.elements.push((raw, groups));
        Ok(())
    }
}

/// Shape of a type of elements, none of points, and its number of nodes.
fn shape_of(kind: u64) -> Option<(Option<Shape>, usize)> {
    let shape = match kind {
        1 => Shape::Line2,
        2 => Shape::Triangle3,
        3 => Shape::Quadrilateral4,
        4 => Shape::Tetrahedron4,
        5 => Shape::Hexahedron8,
        6 => Shape::Wedge6,
        7 => Shape::Pyramid5,
        8 => Shape::Line3,
        9 => Shape::Triangle6,
        11 => Shape::Tetrahedron10,
        16 => Shape::Quadrilateral8,
        17 => Shape::Hexahedron20,
        18 => Shape::Wedge15,
        15 => return Some((None, 1)),
        _ => return None,
    };
    Some((Some(shape), shape.nodes()))
}
