//! Coarser graphs: strongly connected pairs of vertices become one.
//!
//! Heavy-edge matching after G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
//! graphs" (1998).

use super::graph::{Graph, OUTSIDE};

/// A coarser graph, and the coarse vertex of every fine one. `None` where pairing hardly helps any more. `turn` gives other pairs.
pub(super) fn coarser(fine: &Graph, heaviest: u32, turn: u32) -> Option<(Graph, Vec<u32>)> {
    let partner = matching(fine, heaviest, turn);
    let (mut coarse_of, mut count) = (vec![OUTSIDE; fine.size()], 0);
    for vertex in 0..fine.size() {
        if coarse_of[vertex] == OUTSIDE {
            coarse_of[vertex] = count;
            coarse_of[partner[vertex] as usize] = count;
            count += 1;
        }
    }
    if count as usize * 20 > fine.size() * 19 {
        return None;
    }
    let (mut coarse, mut slot) = (Graph::new(), vec![usize::MAX; count as usize]);
    for vertex in 0..fine.size() as u32 {
        let other = partner[vertex as usize];
        if other < vertex {
            continue;
        }
        let (own, first) = (coarse_of[vertex as usize], coarse.neighbours.len());
        let mut weight = fine.weight[vertex as usize];
        gather(fine, vertex, &coarse_of, first, &mut slot, &mut coarse);
        if other != vertex {
            weight += fine.weight[other as usize];
            gather(fine, other, &coarse_of, first, &mut slot, &mut coarse);
        }
        coarse.close_vertex(weight);
        debug_assert_eq!(coarse.size() as u32, own + 1);
    }
    Some((coarse, coarse_of))
}

/// Adds the edges of a fine vertex to the coarse vertex under construction, whose edges begin at `first`.
fn gather(
    fine: &Graph,
    vertex: u32,
    coarse_of: &[u32],
    first: usize,
    slot: &mut [usize],
    coarse: &mut Graph,
) {
    let own = coarse_of[vertex as usize];
    for (other, strength) in fine.edges(vertex) {
        let other = coarse_of[other as usize];
        if other == own {
            continue;
        }
        let place = slot[other as usize];
        if place != usize::MAX
            && place >= first
            && place < coarse.neighbours.len()
            && coarse.neighbours[place] == other
        {
            coarse.strength[place] += strength;
        } else {
            slot[other as usize] = coarse.neighbours.len();
            coarse.neighbours.push(other);
            coarse.strength.push(strength);
        }
    }
}

/// Partner of every vertex, itself where there is none: along the strongest edge that is left, vertices with few neighbours first.
fn matching(graph: &Graph, heaviest: u32, turn: u32) -> Vec<u32> {
    let mut order: Vec<u32> = (0..graph.size() as u32).collect();
    // Equal degrees in an order that no numbering of meshes runs along, the same in every run.
    order.sort_unstable_by_key(|&v| {
        (graph.around(v).len(), (v ^ turn.wrapping_mul(0x5bd1_e995)).wrapping_mul(0x9e37_79b1))
    });
    let mut partner: Vec<u32> = vec![OUTSIDE; graph.size()];
    for vertex in order {
        if partner[vertex as usize] != OUTSIDE {
            continue;
        }
        let own = graph.weight[vertex as usize];
        let free = graph.edges(vertex).filter(|&(other, _)| {
            partner[other as usize] == OUTSIDE && own + graph.weight[other as usize] <= heaviest
        });
        // Of equal edges the one to the lighter vertex: weights stay even.
        let best = free.max_by_key(|&(other, strength)| {
            (strength, u32::MAX - graph.weight[other as usize], u32::MAX - other)
        });
        let other = best.map_or(vertex, |(other, _)| other);
        partner[vertex as usize] = other;
        partner[other as usize] = vertex;
    }
    partner
}
