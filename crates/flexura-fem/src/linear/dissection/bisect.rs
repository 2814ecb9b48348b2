//! Two halves of a graph by coarser and coarser graphs.

use super::coarsen::coarser;
use super::graph::{Graph, OUTSIDE};
use super::separator::{BETWEEN, Scratch, Split};
use std::collections::BinaryHeap;

/// Graphs of so many vertices are split directly.
const COARSEST: usize = 120;
/// Graphs of more vertices are split once, at a coarser graph.
const LARGE: usize = 5000;
/// Ways through coarser graphs that are tried.
const WAYS: u32 = 4;
/// First guesses at the coarsest graph.
const GUESSES: u32 = 4;

/// Splits a graph: of a large one the coarser one, of a middling one the best of several ways through coarser ones.
pub(super) fn bisect(graph: &Graph, scratch: &mut Scratch) -> Split {
    let heaviest = (graph.total() * 3 / (2 * COARSEST as u64)).clamp(1, u64::from(u32::MAX)) as u32;
    if graph.size() > LARGE
        && let Some((coarse, coarse_of)) = coarser(graph, heaviest, 0)
    {
        let split = bisect(&coarse, scratch);
        return split.carried(graph, &coarse_of, scratch);
    }
    let ways = (0..WAYS).map(|turn| through_coarser(graph, heaviest, turn, scratch));
    ways.min_by_key(Split::quality).unwrap_or_else(|| Split::new(graph, Vec::new()))
}

fn through_coarser(graph: &Graph, heaviest: u32, turn: u32, scratch: &mut Scratch) -> Split {
    if graph.size() > COARSEST
        && let Some((coarse, coarse_of)) = coarser(graph, heaviest, turn)
    {
        return through_coarser(&coarse, heaviest, turn, scratch).carried(graph, &coarse_of, scratch);
    }
    first_split(graph, scratch)
}

/// The best of several guesses, each refined.
fn first_split(graph: &Graph, scratch: &mut Scratch) -> Split {
    let size = graph.size() as u32;
    let splits = (0..GUESSES.min(size)).map(|number| {
        let mut split =
            grown(graph, (u64::from(number) * u64::from(size) / u64::from(GUESSES.min(size))) as u32);
        split.refine(graph, scratch);
        split
    });
    splits.min_by_key(Split::quality).unwrap_or_else(|| Split::new(graph, Vec::new()))
}

/// One half grown from a vertex, always by the vertex that adds the least to the edges cut; what it touches of the other half separates
/// them. In graphs of several components the next one follows when one is full.
fn grown(graph: &Graph, first: u32) -> Split {
    let (half, mut grown, mut part) = (graph.total() / 2, 0, vec![1; graph.size()]);
    let mut gain: Vec<i64> = (0..graph.size() as u32)
        .map(|vertex| -graph.edges(vertex).map(|(_, strength)| i64::from(strength)).sum::<i64>())
        .collect();
    let mut front = BinaryHeap::from([(i64::MAX, first)]);
    let mut untouched = 0..graph.size() as u32;
    while grown < half {
        let next = front.pop().or_else(|| {
            untouched.find(|&vertex| part[vertex as usize] == 1).map(|vertex| (gain[vertex as usize], vertex))
        });
        let Some((offered, vertex)) = next else { break };
        if part[vertex as usize] == 0 || (offered != gain[vertex as usize] && offered != i64::MAX) {
            continue;
        }
        part[vertex as usize] = 0;
        grown += u64::from(graph.weight[vertex as usize]);
        for (other, strength) in graph.edges(vertex) {
            gain[other as usize] += 2 * i64::from(strength);
            if part[other as usize] == 1 {
                front.push((gain[other as usize], other));
            }
        }
    }
    for vertex in 0..graph.size() as u32 {
        let touches = |&near: &u32| part[near as usize] == 0;
        if part[vertex as usize] == 1 && graph.around(vertex).iter().any(touches) {
            part[vertex as usize] = BETWEEN;
        }
    }
    Split::new(graph, part)
}

/// Vertices of the two sides and of what is between them.
pub(super) fn lists(split: &Split) -> [Vec<u32>; 3] {
    let mut lists: [Vec<u32>; 3] = Default::default();
    split.part.iter().zip(0..OUTSIDE).for_each(|(&part, vertex)| lists[part as usize].push(vertex));
    lists
}
