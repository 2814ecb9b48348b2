//! Nodes and elements.

use super::super::deck::{DeckElement, Property, Shape};
use super::super::error::{Blockers, ImportError, Place};
use super::super::number::identity;
use super::super::source::Source;
use super::Reader;
use super::block::Block;

/// What a type of element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Beam, shell or solid.
    Structural(Shape),
    /// Rod.
    Rod,
    /// Reference of a distributing coupling.
    Coupling,
    /// Dashpots and gaps: neither mass nor linear stiffness.
    Still,
    /// A type that is not read.
    Unread,
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
            Self::Mass | Self::RotaryInertia | Self::Spring1 | Self::Coupling => 1,
            Self::Spring2 | Self::SpringAlong | Self::Rod | Self::Still => 2,
            Self::Unread => 0,
        }
    }
}

/// An element as read, waiting for its section.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    pub place: Place,
    /// The deck's word for its type.
    pub word: String,
    pub kind: Kind,
    pub nodes: Vec<u64>,
    pub property: Option<Property>,
    /// Whether a mass, rotary inertia or spring has been given.
    pub used: bool,
}

const KINDS: [(&str, Kind); 36] = [
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
    ("C3D8R", Kind::Structural(Shape::Hexahedron8Reduced)),
    ("C3D10M", Kind::Structural(Shape::Tetrahedron10)),
    ("C3D20", Kind::Structural(Shape::Hexahedron20)),
    ("C3D20R", Kind::Structural(Shape::Hexahedron20Reduced)),
    ("C3D6", Kind::Structural(Shape::Wedge6)),
    ("C3D15", Kind::Structural(Shape::Wedge15)),
    ("C3D5", Kind::Structural(Shape::Pyramid5)),
    ("T3D2", Kind::Rod),
    ("DCOUP3D", Kind::Coupling),
    ("DASHPOTA", Kind::Still),
    ("DASHPOT2", Kind::Still),
    ("GAPUNI", Kind::Still),
    ("B31H", Kind::Structural(Shape::Line2)),
    ("MASS", Kind::Mass),
    ("ROTARYI", Kind::RotaryInertia),
    ("SPRING1", Kind::Spring1),
    ("SPRING2", Kind::Spring2),
    ("SPRINGA", Kind::SpringAlong),
];

impl Reader {
    /// Nodes of beams and shells turn.
    pub(super) fn note_turning(&mut self, kind: Kind, nodes: &[u64]) {
        if let Kind::Structural(shape) = kind
            && shape.dimension() < 3
        {
            self.turning.extend(nodes);
        }
    }

    pub(super) fn nodes(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["NSET", "SYSTEM"], source)?;
        let system = block.value("SYSTEM").unwrap_or("R").to_ascii_uppercase();
        if !matches!(system.as_str(), "R" | "C" | "S") {
            return Err(block.error(source, format!("SYSTEM={system} is not known"), "use R, C or S"));
        }
        let set = block.value("NSET").map(str::to_ascii_uppercase);
        for data in &block.data {
            let number = block.identity(data, &data.words[0], "the number of the node", source)?;
            let mut position = [0.0; 3];
            for (axis, coordinate) in position.iter_mut().enumerate() {
                *coordinate =
                    block.real_or(data, axis + 1, 0.0, &format!("a coordinate of node {number}"), source)?;
            }
            if data.words.len() > 4 && data.words[4..].iter().any(|word| !word.is_empty()) {
                self.ignored.add("normals of *NODE", &block.place_of(data), source);
            }
            let position = rectangular(position, &system);
            let position = self.node_system.map_or(position, |system| system.to_body(position));
            if self.deck.nodes.insert(number, position).is_some_and(|known| known != position) {
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
            self.skip_elements(block, &word);
            return Ok(());
        };
        let set = block.value("ELSET").map(str::to_ascii_uppercase);
        if let Some(set) = &set {
            // Known also where an element of the block cannot be read.
            self.element_sets.entry(set.clone()).or_default();
        }
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
            self.note_turning(*kind, &nodes);
            *self.deck.kinds.entry(word.clone()).or_default() += 1;
            let place = block.place_of(first);
            if *kind == Kind::Still {
                self.ignored.add(&format!("*ELEMENT, TYPE={word}"), &place, source);
            }
            let word = word.clone();
            let raw = Raw { place, word, kind: *kind, nodes, property: None, used: *kind == Kind::Still };
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
    pub(super) fn place_elements(&mut self, source: &Source, blockers: &mut Blockers) {
        for (number, raw) in &self.elements {
            let shape = match raw.kind {
                Kind::Structural(shape) => shape,
                Kind::Rod => Shape::Line2,
                Kind::Unread => continue,
                _ => {
                    if !raw.used {
                        let message = format!("element {number} has no value");
                        let help = "add *MASS, *ROTARY INERTIA or *SPRING for its set";
                        blockers.catch::<()>(Err(source.error(&raw.place, message, help)));
                    }
                    continue;
                }
            };
            let (place, nodes) = (raw.place.clone(), raw.nodes.clone());
            match raw.property {
                Some(property) => {
                    self.deck.elements.push(DeckElement { place, number: *number, shape, nodes, property });
                }
                // A section that could not be read has been told.
                None if raw.used => {}
                None => {
                    let message = format!("element {number} has no section");
                    let help =
                        "add *SOLID SECTION, *SHELL SECTION or *BEAM SECTION for a set with this element";
                    blockers.catch::<()>(Err(source.error(&raw.place, message, help)));
                }
            }
        }
    }

    /// Elements of a type that is not read: their numbers are kept, so that sets of them are known.
    fn skip_elements(&mut self, block: &Block, word: &str) {
        let set = block.value("ELSET").map(str::to_ascii_uppercase);
        let mut continues = false;
        for data in &block.data {
            let starts = !std::mem::replace(&mut continues, data.open);
            let Some(number) = starts.then(|| identity(&data.words[0])).flatten() else { continue };
            let place = block.place_of(data);
            let raw = Raw {
                place: place.clone(),
                word: word.to_owned(),
                kind: Kind::Unread,
                nodes: Vec::new(),
                property: None,
                used: false,
            };
            self.elements.entry(number).or_insert(raw);
            *self.deck.kinds.entry(word.to_owned()).or_default() += 1;
            self.unread.entry(word.to_owned()).or_insert((block.place.clone(), 0)).1 += 1;
            if let Some(set) = &set {
                self.element_sets.entry(set.clone()).or_default().push(number);
            }
        }
        if block.data.is_empty() {
            self.unread.entry(word.to_owned()).or_insert((block.place.clone(), 0));
        }
    }

    /// One fault for every type of element that is not read.
    pub(super) fn refuse_unread(&self, source: &Source, blockers: &mut Blockers) {
        for (word, (place, count)) in &self.unread {
            let message =
                format!("elements of type {word} are not supported: {} ({count} of them)", why(word));
            let known: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
            blockers.catch::<()>(Err(source.error(
                place,
                message,
                format!("supported: {}", known.join(", ")),
            )));
        }
    }
}

/// Why a type of element has no place in a part.
fn why(word: &str) -> &'static str {
    match word {
        _ if word.starts_with("CP") || word.starts_with("CAX") || word.starts_with("CGAX") => {
            "plane and axisymmetric elements are no bodies in space"
        }
        _ if word.starts_with("SAX") || word.starts_with("MAX") => {
            "axisymmetric shells are no bodies in space"
        }
        _ if word.starts_with("F3D") || word == "D" => "fluids and networks of fluids are no structure",
        _ if word.starts_with("DC") || word.starts_with("DS") => "heat transfer is no structure",
        _ if word.starts_with("AC") => "acoustic fluids are no structure",
        _ if word.starts_with('M') => "membranes have no stiffness of their own without tension",
        _ if word.starts_with('U') => "elements of the user are known to their program only",
        _ => "there is no counterpart",
    }
}

/// Coordinates of a rectangular, cylindrical or spherical system (degrees) as rectangular ones.
fn rectangular(place: [f64; 3], system: &str) -> [f64; 3] {
    let [radius, first, second] = place;
    let (a, b) = (first.to_radians(), second.to_radians());
    match system {
        "C" => [radius * a.cos(), radius * a.sin(), second],
        // Longitude from x, latitude from the x-y plane.
        "S" => [radius * b.cos() * a.cos(), radius * b.cos() * a.sin(), radius * b.sin()],
        _ => place,
    }
}
