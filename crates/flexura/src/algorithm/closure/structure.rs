//! Which speeds a loop can move: the sparsity of J, M⁻¹J* and J M⁻¹J*.
//!
//! Trees that hang on the ground separately do not share inertia. A chord moves,
//! and feels, only the one or two of them that it joins, so its rows of J and
//! M⁻¹J* have entries there only, and J M⁻¹J* has blocks only where two chords
//! share a tree. Offline: may allocate.

use crate::linear::cuthill_mckee;
use crate::model::Model;
use crate::scalar::Scalar;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where the rows of all chords have entries.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowStructure {
    /// Bodies of each tree on the ground, inboard first.
    pub trees: Vec<Vec<usize>>,
    /// Place of the first speed of each body among those of its tree.
    pub place: Vec<usize>,
    /// Chords, as in the model.
    pub chords: Vec<Chord>,
    /// Chord of each row.
    chord_of: Vec<usize>,
    /// Number of values of a row matrix.
    size: usize,
}

/// Rows of one chord.
#[derive(Clone, Debug)]
pub(crate) struct Chord {
    /// First row.
    first: usize,
    /// Place of its first row in the values.
    start: usize,
    /// Speed of each entry of a row.
    pub columns: Vec<usize>,
    /// Trees that the chord joins, with the place of their first entry in a row.
    pub trees: Vec<(usize, usize)>,
    /// Place of the entries of the tree of each frame; `None` on the ground.
    pub branch: [Option<usize>; 2],
}

impl RowStructure {
    /// The structure of `model`.
    pub fn new(model: &Model) -> Self {
        let mut tree_of: Vec<usize> = Vec::with_capacity(model.body_count());
        let (mut trees, mut columns) = (Vec::<Vec<usize>>::new(), Vec::<Vec<usize>>::new());
        let mut place = Vec::with_capacity(model.body_count());
        for (k, part) in model.layout.bodies.iter().enumerate() {
            let tree = model.joints[k].parent.map_or(trees.len(), |parent| tree_of[parent]);
            if tree == trees.len() {
                trees.push(Vec::new());
                columns.push(Vec::new());
            }
            tree_of.push(tree);
            trees[tree].push(k);
            place.push(columns[tree].len());
            columns[tree].extend(part.v..part.v + part.modes + part.joint_v);
        }
        let mut structure = Self { trees, place, chords: Vec::new(), chord_of: Vec::new(), size: 0 };
        for (index, joint) in model.loops.iter().enumerate() {
            let ends = joint.frames.map(|id| model.frames[id.0].body.map(|body| tree_of[body.0]));
            let mut chord = Chord {
                first: joint.first_row,
                start: structure.size,
                columns: Vec::new(),
                trees: Vec::new(),
                branch: [None; 2],
            };
            for side in 0..2 {
                let Some(tree) = ends[side] else { continue };
                if !chord.trees.iter().any(|known| known.0 == tree) {
                    chord.trees.push((tree, chord.columns.len()));
                    chord.columns.extend(&columns[tree]);
                }
                chord.branch[side] = chord.offset(tree);
            }
            structure.size += chord.columns.len() * joint.rows.len();
            structure.chord_of.extend(std::iter::repeat_n(index, joint.rows.len()));
            structure.chords.push(chord);
        }
        structure
    }

    /// Whether there is a structure: the one by default has no place for any row.
    pub fn is_made(&self) -> bool {
        !self.chords.is_empty()
    }

    /// Number of speeds of a tree.
    pub fn tree_width(&self, model: &Model, tree: usize) -> usize {
        let width = |&k: &usize| model.layout.bodies[k].modes + model.layout.bodies[k].joint_v;
        self.trees[tree].iter().map(width).sum()
    }

    /// Chords that share a tree with each chord.
    pub fn neighbours(&self) -> Vec<BTreeSet<usize>> {
        let mut of_tree = vec![Vec::new(); self.trees.len()];
        for (index, chord) in self.chords.iter().enumerate() {
            chord.trees.iter().for_each(|&(tree, _)| of_tree[tree].push(index));
        }
        let mut sets = vec![BTreeSet::new(); self.chords.len()];
        for (index, chord) in self.chords.iter().enumerate() {
            for &(tree, _) in &chord.trees {
                sets[index].extend(of_tree[tree].iter().copied().filter(|&other| other != index));
            }
        }
        sets
    }

    /// An order of the chords with a small envelope.
    pub fn order(&self) -> Vec<usize> {
        let neighbours = self.neighbours();
        let natural: Vec<usize> = (0..self.chords.len()).collect();
        let other = cuthill_mckee(&neighbours);
        let size =
            |order: &[usize]| envelope(order, &neighbours).iter().enumerate().map(|(b, f)| b - f).sum();
        let (a, b): (usize, usize) = (size(&natural), size(&other));
        if b < a { other } else { natural }
    }
}

/// First neighbour of each chord in the given order.
pub(crate) fn envelope(order: &[usize], neighbours: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut position = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &chord)| position[chord] = at);
    let first = |(at, &chord): (usize, &usize)| {
        neighbours[chord].iter().map(|&other| position[other]).fold(at, usize::min)
    };
    order.iter().enumerate().map(first).collect()
}

impl Chord {
    /// Place of the entries of `tree` in a row.
    pub fn offset(&self, tree: usize) -> Option<usize> {
        self.trees.iter().find(|known| known.0 == tree).map(|known| known.1)
    }
}

/// A matrix with one row per constraint over all speeds, of which only those a chord moves are stored.
#[derive(Clone, Debug)]
pub struct RowMatrix<S = f64> {
    structure: Arc<RowStructure>,
    values: Vec<S>,
}

impl<S: Scalar> RowMatrix<S> {
    pub(crate) fn new(structure: &Arc<RowStructure>) -> Self {
        Self { structure: Arc::clone(structure), values: vec![S::ZERO; structure.size] }
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        let chord = &self.structure.chords[self.structure.chord_of[row]];
        let start = chord.start + (row - chord.first) * chord.columns.len();
        start..start + chord.columns.len()
    }

    /// Speeds of the entries of a row.
    pub fn columns(&self, row: usize) -> &[usize] {
        &self.structure.chords[self.structure.chord_of[row]].columns
    }

    /// Entries of a row.
    pub fn row(&self, row: usize) -> &[S] {
        &self.values[self.range(row)]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [S] {
        let range = self.range(row);
        &mut self.values[range]
    }

    /// Takes over another matrix, with every column multiplied by its weight.
    pub(crate) fn scaled_from(&mut self, other: &Self, weights: &[S]) {
        for row in 0..self.structure.chord_of.len() {
            let range = self.range(row);
            let columns = &self.structure.chords[self.structure.chord_of[row]].columns;
            for ((slot, &x), &speed) in self.values[range].iter_mut().zip(other.row(row)).zip(columns) {
                *slot = x * weights[speed];
            }
        }
    }

    /// Entries of a row with their speeds.
    pub fn entries(&self, row: usize) -> impl Iterator<Item = (usize, S)> + '_ {
        self.columns(row).iter().copied().zip(self.row(row).iter().copied())
    }

    /// The entry of a row at `speed`.
    pub fn entry(&self, row: usize, speed: usize) -> S {
        self.entries(row).find(|entry| entry.0 == speed).map_or(S::ZERO, |entry| entry.1)
    }

    /// A row times a vector over all speeds.
    pub fn times(&self, row: usize, vector: &[S]) -> S {
        let mut sum = S::ZERO;
        for (speed, x) in self.entries(row) {
            sum += x * vector[speed];
        }
        sum
    }

    /// Adds `factor` times a row to a vector over all speeds.
    pub fn add_to(&self, row: usize, factor: S, vector: &mut [S]) {
        for (speed, x) in self.entries(row) {
            vector[speed] += factor * x;
        }
    }

    /// All rows over all `speeds`, zeros included, row by row.
    pub fn dense(&self, speeds: usize) -> Vec<S> {
        let rows = self.structure.chord_of.len();
        let mut out = vec![S::ZERO; rows * speeds];
        for row in 0..rows {
            self.entries(row).for_each(|(speed, x)| out[row * speeds + speed] = x);
        }
        out
    }
}
