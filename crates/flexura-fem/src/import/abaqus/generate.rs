//! Nodes and elements from counting rules: `*NGEN`, `*NFILL`, `*ELGEN`; systems of nodes.

use super::super::error::ImportError;
use super::super::source::Source;
use super::Reader;
use super::block::{Block, Data};
use nalgebra::{Matrix3, Vector3};

/// More items than this from the rules of a deck are a slip of the keyboard.
const MOST: u64 = 2_000_000;

/// System in which the nodes that follow are given.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeSystem {
    origin: Vector3<f64>,
    axes: Matrix3<f64>,
}

impl NodeSystem {
    /// A place in body axes.
    pub fn to_body(self, place: [f64; 3]) -> [f64; 3] {
        (self.origin + self.axes * Vector3::from(place)).into()
    }
}

impl Reader {
    /// `*SYSTEM`: origin, a point of the local x axis, a point of the x-y plane.
    pub(super) fn system(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        self.node_system = None;
        let Some(data) = block.data.first() else { return Ok(()) };
        let mut numbers = [0.0; 9];
        for (place, entry) in numbers.iter_mut().enumerate() {
            let line = if place < 6 { data } else { block.data.get(1).unwrap_or(data) };
            let given = place < 6 || block.data.len() > 1;
            if given {
                *entry = block.real_or(line, place % 6, 0.0, "a coordinate of the system", source)?;
            }
        }
        let [a, b, c, d, e, f, g, h, i] = numbers;
        let (origin, first) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
        let along = if first == Vector3::zeros() { Vector3::x() } else { first - origin };
        let second = if block.data.len() > 1 {
            Vector3::new(g, h, i) - origin
        } else {
            // One point turns the system about the global z axis.
            Vector3::z().cross(&along)
        };
        let normal = along.cross(&second);
        if normal.norm() <= 1e-12 * along.norm() * second.norm() {
            let help = "give a point of the x axis and one of the x-y plane that is not on it";
            return Err(block.error_at(data, source, "the axes of the system have no direction", help));
        }
        let (x, z) = (along.normalize(), normal.normalize());
        let axes = Matrix3::from_columns(&[x, z.cross(&x), z]);
        self.node_system = Some(NodeSystem { origin, axes });
        Ok(())
    }

    /// `*NGEN`: nodes on the straight line between two.
    pub(super) fn generate_nodes(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["NSET"], source)?;
        for data in &block.data {
            let [first, last] = self.two_nodes(block, data, source)?;
            let step = number_or(block, data, 2, 1, source)?;
            if last <= first || (last - first) % step != 0 || !self.may_generate((last - first) / step) {
                let help = "write first, last, step with last = first + n step";
                return Err(block.error_at(data, source, "the numbers do not make a line of nodes", help));
            }
            let [a, b] = [first, last].map(|node| Vector3::from(self.deck.nodes[&node]));
            let numbers: Vec<u64> = (first..=last).step_by(step as usize).collect();
            for number in &numbers {
                let share = (number - first) as f64 / (last - first) as f64;
                self.deck.nodes.entry(*number).or_insert(a.lerp(&b, share).into());
            }
            if let Some(set) = block.value("NSET") {
                self.deck.sets.entry(set.to_ascii_uppercase()).or_default().extend(numbers);
            }
        }
        Ok(())
    }

    /// `*NFILL`: rows of nodes between two sets.
    pub(super) fn fill_nodes(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["NSET"], source)?;
        for data in &block.data {
            let sets = [0, 1].map(|i| data.words.get(i).map_or("", String::as_str).to_ascii_uppercase());
            let mut bounds = Vec::new();
            for name in &sets {
                let unknown = || {
                    let help = "name it by NSET= of *NODE or *NGEN before this keyword";
                    block.error_at(data, source, format!("there is no node set {name}"), help)
                };
                bounds.push(self.deck.sets.get(name).cloned().ok_or_else(unknown)?);
            }
            let rows = number_or(block, data, 2, 1, source)?;
            let step = number_or(block, data, 3, 1, source)?;
            let count = rows.saturating_mul(bounds[0].len() as u64);
            if bounds[0].len() != bounds[1].len() || !self.may_generate(count) {
                let help = "both sets have the same number of nodes, in the same order";
                return Err(block.error_at(data, source, "the sets do not bound rows of nodes", help));
            }
            for (first, last) in bounds[0].iter().zip(&bounds[1]) {
                let [a, b] = [first, last].map(|node| Vector3::from(self.deck.nodes[node]));
                for row in 1..rows {
                    let place = a.lerp(&b, row as f64 / rows as f64).into();
                    let number = row.checked_mul(step).and_then(|shift| first.checked_add(shift));
                    let number = number.ok_or_else(|| too_large(block, data, source))?;
                    self.deck.nodes.entry(number).or_insert(place);
                    if let Some(set) = block.value("NSET") {
                        self.deck.sets.entry(set.to_ascii_uppercase()).or_default().push(number);
                    }
                }
            }
        }
        Ok(())
    }

    /// `*ELGEN`: copies of an element in a row, in rows and in layers.
    pub(super) fn generate_elements(&mut self, block: &Block, source: &Source) -> Result<(), ImportError> {
        block.only(&["ELSET"], source)?;
        for data in &block.data {
            let master = block.identity(data, &data.words[0], "the number of the element", source)?;
            let Some(raw) = self.elements.get(&master).cloned() else {
                let message = format!("element {master} does not exist");
                return Err(block.error_at(
                    data,
                    source,
                    message,
                    "define it by *ELEMENT before this keyword",
                ));
            };
            // Count, step of the nodes, step of the elements: of a row, of rows, of layers.
            let mut rules = [[1, 0, 0]; 3];
            for (rule, entry) in rules.iter_mut().enumerate() {
                if data.words.get(1 + 3 * rule).is_some_and(|word| !word.is_empty()) {
                    for (place, value) in entry.iter_mut().enumerate() {
                        *value = number_or(block, data, 1 + 3 * rule + place, 1, source)?;
                    }
                }
            }
            let [row, rows, layers] = rules;
            if !self.may_generate(row[0].saturating_mul(rows[0]).saturating_mul(layers[0])) {
                return Err(block.error_at(
                    data,
                    source,
                    "these are too many elements",
                    "correct the counts",
                ));
            }
            for (k, j, i) in (0..layers[0])
                .flat_map(|k| (0..rows[0]).flat_map(move |j| (0..row[0]).map(move |i| (k, j, i))))
            {
                let shifted = |number: u64, place: usize| {
                    let parts = [(i, row[place]), (j, rows[place]), (k, layers[place])];
                    let sum = parts
                        .iter()
                        .try_fold(number, |sum, (count, step)| sum.checked_add(count.checked_mul(*step)?));
                    sum.ok_or_else(|| too_large(block, data, source))
                };
                let number = shifted(master, 2)?;
                let mut copy = raw.clone();
                for node in &mut copy.nodes {
                    *node = shifted(*node, 1)?;
                }
                self.note_turning(copy.kind, &copy.nodes);
                copy.place = block.place_of(data);
                if number != master {
                    if self.elements.insert(number, copy).is_some() {
                        let message = format!("element {number} is defined twice");
                        return Err(block.error_at(
                            data,
                            source,
                            message,
                            "correct the step of the elements",
                        ));
                    }
                    *self.deck.kinds.entry(raw.word.clone()).or_default() += 1;
                }
                if let Some(set) = block.value("ELSET") {
                    self.element_sets.entry(set.to_ascii_uppercase()).or_default().push(number);
                }
            }
        }
        Ok(())
    }

    /// Counts items of rules; whether the deck may have so many.
    fn may_generate(&mut self, count: u64) -> bool {
        self.generated = self.generated.saturating_add(count);
        self.generated <= MOST
    }

    fn two_nodes(&self, block: &Block, data: &Data, source: &Source) -> Result<[u64; 2], ImportError> {
        let mut both = [0; 2];
        for (place, node) in both.iter_mut().enumerate() {
            let word = data.words.get(place).map_or("", String::as_str);
            *node = block.identity(data, word, "an end of the line", source)?;
            if !self.deck.nodes.contains_key(node) {
                let message = format!("node {node} does not exist");
                return Err(block.error_at(data, source, message, "define it by *NODE before this keyword"));
            }
        }
        Ok(both)
    }
}

fn too_large(block: &Block, data: &Data, source: &Source) -> ImportError {
    block.error_at(data, source, "a number is too large", "correct the counts and steps")
}

fn number_or(
    block: &Block,
    data: &Data,
    index: usize,
    default: u64,
    source: &Source,
) -> Result<u64, ImportError> {
    match data.words.get(index).filter(|word| !word.is_empty()) {
        None => Ok(default),
        Some(word) => block.identity(data, word, "a count or step", source),
    }
}
