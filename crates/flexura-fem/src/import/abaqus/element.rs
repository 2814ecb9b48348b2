//! Nodes and elements.

use super::super::deck::{DeckElement, Property, Shape};
use super::super::error::{ImportError, Place};
use super::super::source::Source;
use super::Reader;
use super::block::Block;

/// What a type of element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Beam, shell or solid.
    Structural(Shape),
    Mass,
    RotaryInertia,
    /// Spring from a node to the ground.
    Spring1,
    /// Spring between freedoms of two nodes.
    Spring2,
    /// Spring along the line between two nodes.
    SpringAlong,
}

impl Kind {
    fn nodes(self) -> usize {
        match self {
            Self::Structural(shape) => shape.nodes(),
            Self::Mass | Self::RotaryInertia | Self::Spring1 => 1,
            Self::Spring2 | Self::SpringAlong => 2,
        }
    }
}

/// An element as read, waiting for its section.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub place: Place,
    pub kind: Kind,
    pub nodes: Vec<u64>,
    pub property: Option<Property>,
    /// Whether a mass, rotary inertia or spring has been given.
    pub used: bool,
}

const KINDS: [(&str, Kind); 24] = [
    ("B31", Kind::Structural(Shape::Line2)),
    ("B31R", Kind::Structural(Shape::Line2)),
    ("B33", Kind::Structural(Shape::Line2)),
    ("B32", Kind::Structural(Shape::Line3)),
    ("B32R", Kind::Structural(Shape::Line3)),
    ("S3", Kind::Structural(Shape::Triangle3)),
    ("S3R", Kind::Structural(Shape::Triangle3)),
    ("STRI3", Kind::Structural(Shape::Triangle3)),
    ("S4", Kind::Structural(Shape::Quadrilateral4)),
    ("S4R", Kind::Structural(Shape::Quadrilateral4)),
    ("S6", Kind::Structural(Shape::Triangle6)),
    ("STRI65", Kind::Structural(Shape::Triangle6)),
    ("S8", Kind::Structural(Shape::Quadrilateral8)),
    ("S8R", Kind::Structural(Shape::Quadrilateral8)),
    ("C3D4", Kind::Structural(Shape::Tetrahedron4)),
    ("C3D10", Kind::Structural(Shape::Tetrahedron10)),
    ("C3D8", Kind::Structural(Shape::Hexahedron8)),
    ("C3D8I", Kind::Structural(Shape::Hexahedron8)),
    ("C3D8R", Kind::Structural(Shape::Hexahedron8)),
    ("MASS", Kind::Mass),
    ("ROTARYI", Kind::RotaryInertia),
    ("SPRING1", Kind::Spring1),
    ("SPRING2", Kind::Spring2),
    ("SPRINGA", Kind::SpringAlong),
];

impl Reader {
    pub(super) fn nodes(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["NSET"], source)?;
        let set = block.value("NSET").map(str::to_ascii_uppercase);
        for data in &block.data {
            let number = block.identity(data, &data.words[0], "the number of the node", source)?;
            let mut position = [0.0; 3];
            for (axis, coordinate) in position.iter_mut().enumerate() {
                *coordinate =
                    block.real_or(data, axis + 1, 0.0, &format!("a coordinate of node {number}"), source)?;
            }
            if data.words.len() > 4 && data.words[4..].iter().any(|word| !word.is_empty()) {
                let help = "a node has a number and three coordinates; normals of shells are not supported";
                return Err(block.error_at(
                    data,
                    source,
                    format!("node {number} has too many numbers"),
                    help,
                ));
            }
            if self.deck.nodes.insert(number, position).is_some() {
                let help = "give every node a number of its own";
                return Err(block.error_at(data, source, format!("node {number} is defined twice"), help));
            }
            if let Some(set) = &set {
                self.deck.sets.entry(set.clone()).or_default().push(number);
            }
        }
        Ok(())
    }

    pub(super) fn read_elements(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["TYPE", "ELSET"], source)?;
        let word = block.need("TYPE", source)?;
        let Some((_, kind)) = KINDS.iter().find(|(name, _)| *name == word) else {
            let known: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            let message = format!("elements of type {word} are not supported");
            return Err(block.error(source, message, format!("supported: {}", known.join(", "))));
        };
        let set = block.value("ELSET").map(str::to_ascii_uppercase);
        let mut lines = block.data.iter().peekable();
        while let Some(first) = lines.next() {
            let number = block.identity(first, &first.words[0], "the number of the element", source)?;
            let mut nodes = Vec::new();
            let mut data = first;
            let mut words = &first.words[1..];
            loop {
                for word in words.iter().filter(|word| !word.is_empty()) {
                    nodes.push(block.identity(data, word, &format!("a node of element {number}"), source)?);
                }
                if nodes.len() >= kind.nodes() || !(data.open || nodes.is_empty()) {
                    break;
                }
                let Some(next) = lines.next() else { break };
                (data, words) = (next, &next.words[..]);
            }
            if nodes.len() != kind.nodes() {
                let message = format!(
                    "element {number} of type {word} has {} nodes instead of {}",
                    nodes.len(),
                    kind.nodes()
                );
                return Err(block.error_at(first, source, message, "give all nodes of the element"));
            }
            let raw = Raw { place: block.place_of(first), kind: *kind, nodes, property: None, used: false };
            if self.elements.insert(number, raw).is_some() {
                let help = "give every element a number of its own";
                return Err(block.error_at(
                    first,
                    source,
                    format!("element {number} is defined twice"),
                    help,
                ));
            }
            if let Some(set) = &set {
                self.element_sets.entry(set.clone()).or_default().push(number);
            }
        }
        Ok(())
    }

    /// Hands every element with its section to the deck.
    pub(super) fn place_elements(&mut self, source: &Source) -> Result<(), ImportError> {
        for (number, raw) in &self.elements {
            let Kind::Structural(shape) = raw.kind else {
                if !raw.used {
                    let message = format!("element {number} has no value");
                    let help = "add *MASS, *ROTARY INERTIA or *SPRING for its set";
                    return Err(source.error(&raw.place, message, help));
                }
                continue;
            };
            let Some(property) = raw.property else {
                let message = format!("element {number} has no section");
                let help = "add *SOLID SECTION, *SHELL SECTION or *BEAM SECTION for a set with this element";
                return Err(source.error(&raw.place, message, help));
            };
            let (place, nodes) = (raw.place.clone(), raw.nodes.clone());
            self.deck.elements.push(DeckElement { place, number: *number, shape, nodes, property });
        }
        Ok(())
    }
}
