//! Sets of nodes and elements, and surfaces as sets of nodes.

use super::super::error::ImportError;
use super::super::number::identity;
use super::super::source::Source;
use super::super::tie::Face;
use super::Reader;
use super::block::{Block, Data};
use super::element::Kind;
use crate::element::solid::faces;

/// A surface: its nodes, and its faces where it is given by elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Surface {
    pub nodes: Vec<u64>,
    pub faces: Vec<Face>,
}

impl Reader {
    pub(super) fn node_set(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["NSET", "GENERATE", "ELSET", "INSTANCE", "INTERNAL", "UNSORTED"], source)?;
        let name = block.need("NSET", source)?;
        let mut nodes = Vec::new();
        if block.has("ELSET") {
            nodes.extend(self.nodes_of_elements(&block.need("ELSET", source)?, block, source)?);
        }
        for data in &block.data {
            if block.has("GENERATE") {
                nodes.extend(generated(block, data, source, |first, last| {
                    self.deck.nodes.range(first..=last).map(|(number, _)| *number).collect()
                })?);
                continue;
            }
            for word in data.words.iter().filter(|word| !word.is_empty()) {
                match identity(word) {
                    Some(number) if self.deck.nodes.contains_key(&number) => nodes.push(number),
                    Some(number) => {
                        let help = "define the node, or correct the number";
                        return Err(block.error_at(
                            data,
                            source,
                            format!("node {number} does not exist"),
                            help,
                        ));
                    }
                    None => nodes.extend(self.nodes_of_set(word, block, source)?),
                }
            }
        }
        self.deck.sets.entry(name).or_default().extend(nodes);
        Ok(())
    }

    pub(super) fn element_set(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET", "GENERATE", "INSTANCE", "INTERNAL"], source)?;
        let name = block.need("ELSET", source)?;
        let mut elements = Vec::new();
        for data in &block.data {
            if block.has("GENERATE") {
                elements.extend(generated(block, data, source, |first, last| {
                    self.elements.range(first..=last).map(|(number, _)| *number).collect()
                })?);
                continue;
            }
            for word in data.words.iter().filter(|word| !word.is_empty()) {
                match identity(word) {
                    Some(number) if self.elements.contains_key(&number) => elements.push(number),
                    Some(number) => {
                        let help = "define the element, or correct the number";
                        return Err(block.error_at(
                            data,
                            source,
                            format!("element {number} does not exist"),
                            help,
                        ));
                    }
                    None => {
                        elements.extend(self.element_set_of(&word.to_ascii_uppercase(), block, source)?)
                    }
                }
            }
        }
        self.element_sets.entry(name).or_default().extend(elements);
        Ok(())
    }

    /// `*SURFACE`: its nodes.
    pub(super) fn surface(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        let name = block.need("NAME", source)?;
        let of_nodes = block.value("TYPE").is_some_and(|word| word.eq_ignore_ascii_case("NODE"));
        let (mut nodes, mut faces) = (Vec::new(), Vec::new());
        for data in &block.data {
            let word = data.words[0].to_ascii_uppercase();
            if of_nodes {
                match identity(&word) {
                    Some(number) => nodes.push(number),
                    None => nodes.extend(self.nodes_of_set(&word, block, source)?),
                }
                continue;
            }
            let face = data.words.get(1).map(|face| face.to_ascii_uppercase()).unwrap_or_default();
            let elements = match identity(&word) {
                Some(number) => vec![number],
                None => self.element_set_of(&word, block, source)?,
            };
            for number in elements {
                if self.elements.get(&number).is_some_and(|raw| raw.kind == Kind::Unread) {
                    continue;
                }
                let Some(places) = self.elements.get(&number).and_then(|raw| face_places(raw.kind, &face))
                else {
                    let message = format!("element {number} has no face `{face}`");
                    return Err(block.error_at(data, source, message, "faces are S1 to S6, SPOS and SNEG"));
                };
                let raw = &self.elements[&number];
                let face: Face = places.iter().map(|place| raw.nodes[*place]).collect();
                nodes.extend(&face);
                faces.push(face);
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        self.surfaces.insert(name, Surface { nodes, faces });
        Ok(())
    }

    /// Nodes of a set by its name in any letters.
    pub(super) fn nodes_of_set(
        &self,
        name: &str,
        block: &Block,
        source: &Source,
    ) -> Result<Vec<u64>, ImportError> {
        let name = name.to_ascii_uppercase();
        let unknown = || {
            block.error(
                source,
                format!("there is no node set {name}"),
                "add *NSET, NSET= before this keyword",
            )
        };
        self.deck.sets.get(&name).cloned().ok_or_else(unknown)
    }

    /// Elements of a set.
    pub(super) fn element_set_of(
        &self,
        name: &str,
        block: &Block,
        source: &Source,
    ) -> Result<Vec<u64>, ImportError> {
        let unknown = || {
            block.error(
                source,
                format!("there is no element set {name}"),
                "add *ELSET, ELSET= before this keyword",
            )
        };
        self.element_sets.get(name).cloned().ok_or_else(unknown)
    }

    pub(super) fn nodes_of_elements(
        &self,
        set: &str,
        block: &Block,
        source: &Source,
    ) -> Result<Vec<u64>, ImportError> {
        let elements = self.element_set_of(set, block, source)?;
        Ok(elements
            .iter()
            .filter_map(|number| self.elements.get(number))
            .flat_map(|raw| raw.nodes.clone())
            .collect())
    }

    /// Sets of elements serve as sets of their nodes where no node set has the name.
    pub(super) fn name_element_sets(&mut self) {
        for (name, numbers) in &self.element_sets {
            if !self.deck.sets.contains_key(name) {
                let nodes = numbers.iter().filter_map(|number| self.elements.get(number));
                self.deck.sets.insert(name.clone(), nodes.flat_map(|raw| raw.nodes.clone()).collect());
            }
        }
    }
}

/// Numbers first, last, step of a line with GENERATE: those that exist.
fn generated(
    block: &Block,
    data: &Data,
    source: &Source,
    existing: impl Fn(u64, u64) -> Vec<u64>,
) -> Result<Vec<u64>, ImportError> {
    let word = |index: usize| data.words.get(index).map_or("", String::as_str);
    let first = block.identity(data, word(0), "the first number", source)?;
    let last = block.identity(data, word(1), "the last number", source)?;
    let step = if word(2).is_empty() { 1 } else { block.identity(data, word(2), "the step", source)? };
    if last < first {
        return Err(block.error_at(
            data,
            source,
            "the last number is below the first",
            "write first, last, step",
        ));
    }
    Ok(existing(first, last).into_iter().filter(|number| (number - first) % step == 0).collect())
}

/// Places of the nodes of a face.
fn face_places(kind: Kind, face: &str) -> Option<&'static [usize]> {
    let Kind::Structural(shape) = kind else { return None };
    const ALL: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    if shape.dimension() == 2 {
        let known = matches!(face, "SPOS" | "SNEG" | "S1" | "S2" | "");
        return known.then_some(&ALL[..shape.nodes()]);
    }
    let number = face.strip_prefix('S').and_then(identity).map(|number| number as usize - 1)?;
    if shape.dimension() < 3 {
        return None;
    }
    faces::faces(shape.nodes()).get(number).copied()
}
