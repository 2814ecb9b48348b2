//! Elements in groups, and what the part file says the groups are made of.

use crate::import::deck::{Deck, DeckElement, Imported, Property, Shape};
use crate::import::error::{Blockers, ImportError, Place};
use crate::import::group::Group;
use crate::import::source::Source;
use crate::layup::Layup;
use crate::material::Material;
use std::collections::{BTreeMap, BTreeSet};

/// An element before its group is looked up.
pub(super) struct Raw {
    pub place: Place,
    pub number: u64,
    /// None of a single point, which can only be meant as part of a set.
    pub shape: Option<Shape>,
    pub nodes: Vec<u64>,
    pub groups: Vec<String>,
    /// The group that the element belongs to by a number of its own, where none of the others has a material.
    pub implied: Option<String>,
}

/// What a reader collects.
pub(super) struct Grouped {
    /// The format's word for its groups.
    word: &'static str,
    pub deck: Deck,
    pub elements: Vec<Raw>,
    pub blockers: Blockers,
}

/// What a mesh has to be given materials.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshGroups {
    /// Number of nodes.
    pub nodes: usize,
    /// Corners of the box around them, in the unit of the file.
    pub corners: [[f64; 3]; 2],
    /// Each group with the kinds of its elements and how many there are; of points no kind.
    pub groups: BTreeMap<String, BTreeMap<&'static str, usize>>,
    /// Elements that are in no group.
    pub loose: usize,
    /// What was left out, and what cannot be read.
    pub notices: Vec<String>,
}

impl Grouped {
    pub fn new(word: &'static str, materials: Vec<Material>) -> Self {
        let deck = Deck { materials, ..Deck::default() };
        Self { word, deck, elements: Vec::new(), blockers: Blockers::default() }
    }

    /// What there is to be given materials; nothing is refused.
    pub fn overview(self) -> MeshGroups {
        let mut found =
            MeshGroups { nodes: self.deck.nodes.len(), notices: self.deck.notices, ..MeshGroups::default() };
        for (corner, better) in [(0, f64::min as fn(f64, f64) -> f64), (1, f64::max)] {
            let places = self.deck.nodes.values().copied();
            let extreme = places.reduce(|a, b| std::array::from_fn(|i| better(a[i], b[i])));
            found.corners[corner] = extreme.unwrap_or_default();
        }
        for raw in self.elements {
            found.loose += usize::from(raw.groups.is_empty() && raw.implied.is_none());
            for name in raw.groups.into_iter().chain(raw.implied) {
                let kinds = found.groups.entry(name).or_default();
                if let Some(shape) = raw.shape {
                    *kinds.entry(shape.word()).or_default() += 1;
                }
            }
        }
        if let Some(fault) = self.blockers.error(String::new) {
            found
                .notices
                .extend(fault.all().map(|fault| ImportError { rest: None, ..fault.clone() }.to_string()));
        }
        found
    }

    /// Gives elements the properties of their groups, and groups their nodes.
    pub fn finish(mut self, source: &Source, groups: &[Group]) -> Result<Imported, ImportError> {
        let (mut loose, mut unnamed) = (0, BTreeSet::new());
        let mut used = BTreeSet::new();
        for raw in std::mem::take(&mut self.elements) {
            if raw.groups.is_empty() && raw.implied.is_none() {
                loose += 1;
                continue;
            }
            let mut property: Option<&Group> = None;
            for name in raw.groups.iter().chain(&raw.implied) {
                self.deck.sets.entry(name.clone()).or_default().extend(&raw.nodes);
                let implied = raw.implied.as_ref() == Some(name);
                match groups.iter().find(|group| group.name == *name) {
                    Some(_) if raw.shape.is_none() || implied && property.is_some() => {}
                    Some(group) => {
                        used.insert(name.clone());
                        self.blockers.catch(only_one(property, group, &raw, source));
                        property = Some(group);
                    }
                    None if implied => {}
                    None if raw.shape.is_some() => {
                        unnamed.insert(name.clone());
                    }
                    // A group of points can only be meant as a set.
                    None => {}
                }
            }
            if let (Some(group), Some(shape)) = (property, raw.shape) {
                let property = self.property(group, shape, &raw, source)?;
                let Raw { place, number, nodes, .. } = raw;
                self.deck.elements.push(DeckElement { place, number, shape, nodes, property });
            }
        }
        let word = self.word;
        let missing = groups.iter().find(|group| !used.contains(&group.name));
        // Where elements could not be read, their groups are missing too: that is told first.
        if let Some(group) = missing.filter(|_| !self.blockers.any()) {
            let message = format!("there is no {word} `{}` with elements", group.name);
            let known: Vec<&str> = unnamed.union(&used).map(String::as_str).collect();
            let help = format!("{word}s of the file: {}", known.join(", "));
            return Err(ImportError::of_file(&source.files[0], message, help));
        }
        let notices = &mut self.deck.notices;
        if loose > 0 {
            notices.push(format!("left out {loose} elements that belong to no {word}"));
        }
        if !unnamed.is_empty() {
            let names: Vec<String> = unnamed.into_iter().collect();
            notices.push(format!("{word}s without [[group]] serve as sets only: {}", names.join(", ")));
        }
        self.deck.finish(source, self.blockers)
    }

    fn property(
        &mut self,
        group: &Group,
        shape: Shape,
        raw: &Raw,
        source: &Source,
    ) -> Result<Property, ImportError> {
        let material = group.material;
        if shape.dimension() != 2 && !group.layup.is_empty() {
            let message = format!(
                "element {} of group `{}` is no surface, and the group has a layup",
                raw.number, group.name
            );
            let help = "give `material` to groups of lines and solids, `layup` to those of surfaces";
            return Err(source.error(&raw.place, message, help));
        }
        match (shape.dimension(), group.thickness, group.section) {
            (1, _, Some((section, orientation))) => Ok(Property::Beam {
                material,
                section,
                orientation,
                offsets: [[0.0; 3]; 2],
                pins: [[false; 6]; 2],
            }),
            (2, Some(thickness), _) => {
                let material_axis = group.material_axis;
                let layup =
                    (!group.layup.is_empty()).then(|| self.deck.layup(Layup::new(group.layup.clone())));
                Ok(Property::Shell { material, thickness, material_axis, offset: 0.0, layup })
            }
            (3, ..) => Ok(Property::Solid { material }),
            (dimension, ..) => {
                let what = if dimension == 1 { "section" } else { "thickness" };
                let message = format!("element {} of group `{}` needs a {what}", raw.number, group.name);
                Err(source.error(
                    &raw.place,
                    message,
                    format!("add `{what}` to the [[group]] of the part file"),
                ))
            }
        }
    }
}

/// An element is made of one thing.
fn only_one(known: Option<&Group>, other: &Group, raw: &Raw, source: &Source) -> Result<(), ImportError> {
    match known {
        Some(known) if known != other => {
            let message = format!(
                "element {} is in the groups `{}` and `{}`, which both have a [[group]]",
                raw.number, known.name, other.name
            );
            Err(source.error(&raw.place, message, "take it out of one of them, or remove one [[group]]"))
        }
        _ => Ok(()),
    }
}
