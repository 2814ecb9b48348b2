//! Parts and their instances as one flat deck.
//!
//! Every instance gets the blocks of its part: nodes moved, numbers of nodes and elements raised by a step of its own (none for the first), names
//! of sets, surfaces and orientations led by that of the instance, as assemblies name them (`Arm-1.TIP`). Of the assembly's own
//! blocks numbers belong to the instance that is named, to `INSTANCE.NUMBER`, or to nodes of the assembly itself, which come last.
//! A deck of one part with one instance that is not moved keeps its names and numbers.

use super::super::error::ImportError;
use super::super::number::{identity, real};
use super::super::source::Source;
use super::block::{Block, Data};
use super::ignored::IGNORED;
use nalgebra::{Rotation3, Unit, Vector3};
use std::collections::{BTreeMap, BTreeSet};

/// What blocks of a part can be taken along.
const OF_PARTS: [&str; 14] = [
    "NODE",
    "ELEMENT",
    "NSET",
    "ELSET",
    "SURFACE",
    "ORIENTATION",
    "SOLID SECTION",
    "SHELL SECTION",
    "BEAM SECTION",
    "BEAM GENERAL SECTION",
    "MASS",
    "NGEN",
    "SECTION CONTROLS",
    "PREPRINT",
];

/// How an instance lies.
#[derive(Clone, Copy)]
struct Place {
    turn: Rotation3<f64>,
    shift: Vector3<f64>,
}

/// An instance of a part.
struct Instance {
    name: String,
    place: Place,
    /// Added to its numbers.
    raised: u64,
    blocks: Vec<Block>,
    /// Numbers of its own nodes and elements.
    numbers: BTreeSet<u64>,
    /// Whether it lies elsewhere than its part, or is turned too.
    moved: bool,
    turned: bool,
}

/// The blocks of a flat deck, and what the user should know.
pub(super) fn flat(blocks: Vec<Block>, source: &Source) -> Result<(Vec<Block>, Vec<String>), ImportError> {
    let count = |keyword: &str| blocks.iter().filter(|block| block.keyword == keyword).count();
    let still = |block: &Block| block.keyword != "INSTANCE" || block.data.is_empty();
    if count("INSTANCE") == 0 && count("PART") < 2 || count("INSTANCE") == 1 && blocks.iter().all(still) {
        return Ok((blocks, Vec::new()));
    }
    let mut parts: BTreeMap<String, Vec<Block>> = BTreeMap::new();
    let mut instances: Vec<Instance> = Vec::new();
    let (mut own, mut outside): (Vec<Block>, Vec<Block>) = (Vec::new(), Vec::new());
    let (mut part, mut in_instance, mut in_assembly) = (None::<String>, false, false);
    for block in blocks {
        match block.keyword.as_str() {
            "PART" => part = Some(block.need("NAME", source)?),
            "END PART" => part = None,
            "ASSEMBLY" => in_assembly = true,
            "END ASSEMBLY" => in_assembly = false,
            "INSTANCE" => {
                instances.push(instance(&block, &parts, source)?);
                in_instance = true;
            }
            "END INSTANCE" => in_instance = false,
            _ => match (&part, instances.last_mut()) {
                (Some(name), _) => parts.entry(name.clone()).or_default().push(block),
                (None, Some(last)) if in_instance => last.blocks.push(block),
                _ if in_assembly => own.push(block),
                _ => outside.push(block),
            },
        }
    }
    joined(instances, own, outside, source)
}

fn instance(
    block: &Block,
    parts: &BTreeMap<String, Vec<Block>>,
    source: &Source,
) -> Result<Instance, ImportError> {
    block.only(&["NAME", "PART"], source)?;
    let (name, part) = (block.need("NAME", source)?, block.need("PART", source)?);
    let unknown = || block.error(source, format!("there is no part {part}"), "add *PART before the assembly");
    let blocks = parts.get(&part).ok_or_else(unknown)?.clone();
    let mut place = Place { turn: Rotation3::identity(), shift: Vector3::zeros() };
    let vector = |data: &Data, first: usize| -> Result<Vector3<f64>, ImportError> {
        let number = |index| block.real_or(data, first + index, 0.0, "a number of the place", source);
        Ok(Vector3::new(number(0)?, number(1)?, number(2)?))
    };
    if let Some(data) = block.data.first() {
        place.shift = vector(data, 0)?;
    }
    if let Some(data) = block.data.get(1) {
        let (from, to) = (vector(data, 0)?, vector(data, 3)?);
        let angle = block.real(data, 6, "the angle of the rotation", source)?.to_radians();
        let axis = Unit::try_new(to - from, 0.0).ok_or_else(|| {
            block.error_at(data, source, "the axis of the rotation has no direction", "give two points")
        })?;
        place.turn = Rotation3::from_axis_angle(&axis, angle);
        place.shift = place.turn * (place.shift - from) + from;
    }
    Ok(Instance {
        name,
        place,
        raised: 0,
        blocks,
        numbers: BTreeSet::new(),
        moved: !block.data.is_empty(),
        turned: block.data.len() > 1,
    })
}

fn joined(
    mut instances: Vec<Instance>,
    own: Vec<Block>,
    outside: Vec<Block>,
    source: &Source,
) -> Result<(Vec<Block>, Vec<String>), ImportError> {
    let largest = instances.iter().flat_map(|one| &one.blocks).chain(&own).map(largest).max().unwrap_or(0);
    let too_many = |block: Option<&Block>| {
        let place = block.map(|block| block.place.clone()).unwrap_or_default();
        source.error(&place, "the numbers of nodes are too large to be raised", "number from one")
    };
    let step = 10_u64.checked_pow(largest.max(1).ilog10() + 1).ok_or_else(|| too_many(own.first()))?;
    let mut told = Vec::new();
    for (index, one) in instances.iter_mut().enumerate() {
        one.raised = step.checked_mul(index as u64).ok_or_else(|| too_many(one.blocks.first()))?;
        let numbers = if index == 0 { "as in its part".into() } else { format!("raised by {}", one.raised) };
        told.push(format!("{} {numbers}", one.name));
        let items = one.blocks.iter().filter(|block| matches!(block.keyword.as_str(), "NODE" | "ELEMENT"));
        let first = items.flat_map(|block| &block.data).filter_map(|data| identity(data.words.first()?));
        one.numbers = first.collect();
    }
    let last = step.checked_mul(instances.len() as u64).ok_or_else(|| too_many(own.first()))?;
    let mut all = Vec::new();
    for one in &instances {
        let names = local_names(&one.blocks);
        for block in &one.blocks {
            all.push(of_part(block.clone(), one, &names, source)?);
        }
    }
    for block in own {
        all.push(of_assembly(block, &instances, last, source)?);
    }
    all.extend(outside);
    let notice = format!(
        "{} instances as one mesh, their sets are INSTANCE.SET; numbers of nodes and elements: {}",
        instances.len(),
        told.join(", ")
    );
    Ok((all, vec![notice]))
}

/// Largest number of a node or element that a block defines.
fn largest(block: &Block) -> u64 {
    let starts = match block.keyword.as_str() {
        "NODE" | "ELEMENT" => 1,
        "NGEN" => 2,
        _ => 0,
    };
    let words = block.data.iter().flat_map(|data| data.words.iter().take(starts));
    words.filter_map(|word| identity(word)).max().unwrap_or(0)
}

/// Names that a part defines.
fn local_names(blocks: &[Block]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for block in blocks {
        let keys: &[&str] = match block.keyword.as_str() {
            "NODE" | "NSET" => &["NSET"],
            "ELEMENT" | "ELSET" => &["ELSET"],
            "NGEN" => &["NSET"],
            "SURFACE" | "ORIENTATION" => &["NAME"],
            _ => &[],
        };
        let values = keys.iter().filter_map(|key| block.value(key));
        names.extend(values.map(|value| value.to_ascii_uppercase()));
    }
    names
}

impl Instance {
    fn lead(&self, name: &str) -> String {
        format!("{}.{}", self.name, name.to_ascii_uppercase())
    }

    fn raise(&self, word: &mut String) {
        if let Some(number) = identity(word) {
            *word = number.saturating_add(self.raised).to_string();
        }
    }

    /// A number raised, a name of the part led by that of the instance.
    fn refer(&self, word: &mut String, names: &BTreeSet<String>) {
        if identity(word).is_some() {
            self.raise(word);
        } else if names.contains(&word.to_ascii_uppercase()) {
            *word = self.lead(word);
        }
    }

    /// Three numbers of a line moved; `point` with the shift, or a direction.
    fn moved_words(&self, data: &mut Data, first: usize, point: bool) {
        let word = |index: usize| data.words.get(first + index).map_or("", String::as_str);
        let get = |index: usize| if word(index).is_empty() { Some(0.0) } else { real(word(index)) };
        // What is no number stays, to be refused where it stands.
        let (Some(x), Some(y), Some(z)) = (get(0), get(1), get(2)) else { return };
        let given = Vector3::new(x, y, z);
        let shift = if point { self.place.shift } else { Vector3::zeros() };
        let found = self.place.turn * given + shift;
        if data.words.len() < first + 3 {
            data.words.resize(first + 3, String::new());
        }
        (0..3).for_each(|i| data.words[first + i] = format!("{:?}", found[i]));
    }
}

/// A block of a part as one of an instance.
fn of_part(
    mut block: Block,
    one: &Instance,
    names: &BTreeSet<String>,
    source: &Source,
) -> Result<Block, ImportError> {
    let keyword = block.keyword.clone();
    if IGNORED.contains(&keyword.as_str()) {
        return Ok(block);
    }
    if !OF_PARTS.contains(&keyword.as_str()) {
        let help = "write it in the assembly, or the deck as a flat one";
        return Err(block.error(
            source,
            "this keyword inside a part that has several instances or is moved",
            help,
        ));
    }
    for (key, value) in &mut block.parameters {
        let name = matches!(key.as_str(), "NSET" | "ELSET" | "ORIENTATION")
            || key == "NAME" && keyword != "SECTION CONTROLS";
        if let (true, Some(value)) = (name, value.as_mut())
            && (names.contains(&value.to_ascii_uppercase()) || key != "ORIENTATION")
        {
            *value = one.lead(value);
        }
    }
    let generate = block.has("GENERATE");
    let cylindrical = block.value("SYSTEM").is_some_and(|word| word.eq_ignore_ascii_case("CYLINDRICAL"));
    if keyword == "NGEN" && block.has("LINE") && one.moved {
        return Err(block.error(
            source,
            "nodes along a curve in an instance that is moved",
            "write them out",
        ));
    }
    for (index, data) in block.data.iter_mut().enumerate() {
        match keyword.as_str() {
            "NODE" => {
                one.raise(&mut data.words[0]);
                one.moved_words(data, 1, true);
            }
            "ELEMENT" => data.words.iter_mut().for_each(|word| one.raise(word)),
            "NGEN" => data.words.iter_mut().take(2).for_each(|word| one.raise(word)),
            "NSET" | "ELSET" if generate => data.words.iter_mut().take(2).for_each(|word| one.raise(word)),
            "NSET" | "ELSET" => data.words.iter_mut().for_each(|word| one.refer(word, names)),
            "SURFACE" => one.refer(&mut data.words[0], names),
            // The axes of a round system are points, those of a straight one directions from its origin.
            "ORIENTATION" if index == 0 && one.moved => {
                one.moved_words(data, 0, cylindrical);
                one.moved_words(data, 3, cylindrical);
                if data.words.len() > 6 {
                    one.moved_words(data, 6, cylindrical);
                }
            }
            "BEAM SECTION" | "BEAM GENERAL SECTION" if index == 1 && one.turned => {
                one.moved_words(data, 0, false)
            }
            // Layers: an angle, or an orientation.
            "SHELL SECTION" if data.words.get(3).is_some_and(|word| real(word).is_none()) => {
                one.refer(&mut data.words[3], names);
            }
            _ => {}
        }
    }
    let beams = matches!(keyword.as_str(), "BEAM SECTION" | "BEAM GENERAL SECTION");
    if beams && one.turned && block.data.len() < 2 {
        let help = "add the line with the first axis of the section";
        return Err(block.error(
            source,
            "a section without its first axis in an instance that is turned",
            help,
        ));
    }
    Ok(block)
}

/// A block of the assembly, its numbers those of the flat deck.
fn of_assembly(
    mut block: Block,
    instances: &[Instance],
    own: u64,
    source: &Source,
) -> Result<Block, ImportError> {
    let named = block.value("INSTANCE").map(str::to_ascii_uppercase);
    let instance = match &named {
        None => None,
        Some(name) => {
            let unknown = || block.error(source, format!("there is no instance {name}"), "correct the name");
            Some(instances.iter().find(|one| one.name == *name).ok_or_else(unknown)?)
        }
    };
    let names = instance.map(|one| local_names(&one.blocks)).unwrap_or_default();
    block.parameters.retain(|(key, _)| key != "INSTANCE");
    let raise = |word: &mut String| match (identity(word), instance) {
        (Some(number), None) => *word = number.saturating_add(own).to_string(),
        (_, Some(one)) => one.refer(word, &names),
        // `ARM-1.12`: a node of an instance.
        (None, None) => {
            let found = instances.iter().find_map(|one| {
                let rest = word.to_ascii_uppercase();
                let number = rest.strip_prefix(&one.name)?.strip_prefix('.').and_then(identity)?;
                one.numbers.contains(&number).then(|| number.saturating_add(one.raised))
            });
            if let Some(number) = found {
                *word = number.to_string();
            }
        }
    };
    for (key, value) in &mut block.parameters {
        if let ("REF NODE", Some(value)) = (key.as_str(), value) {
            raise(value);
        }
    }
    let (keyword, generate) = (block.keyword.clone(), block.has("GENERATE"));
    for data in &mut block.data {
        match keyword.as_str() {
            "NODE" => raise(&mut data.words[0]),
            "NSET" | "ELSET" if generate => data.words.iter_mut().take(2).for_each(raise),
            "ELEMENT" | "NSET" | "ELSET" => data.words.iter_mut().for_each(raise),
            "SURFACE" => raise(&mut data.words[0]),
            "MPC" => data.words.iter_mut().skip(1).for_each(raise),
            // A line with the number of terms, then triples of node or set, freedom and factor.
            "EQUATION" if data.words.len() > 2 => data.words.iter_mut().step_by(3).for_each(raise),
            _ => {}
        }
    }
    Ok(block)
}
