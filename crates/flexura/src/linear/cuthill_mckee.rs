//! Orders of elimination that keep the envelope of a symmetric matrix small.
//!
//! Source: Cuthill & McKee, Reducing the bandwidth of sparse symmetric matrices
//! (1969), reversed as George & Liu advise. Offline: may allocate.

use std::collections::BTreeSet;

/// Reverse Cuthill-McKee order, starting each part from a node far from its first one.
pub(crate) fn cuthill_mckee(neighbours: &[BTreeSet<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(neighbours.len());
    let mut seen = vec![false; neighbours.len()];
    for node in 0..neighbours.len() {
        if seen[node] {
            continue;
        }
        let mut far = node;
        for _ in 0..2 {
            far = *breadth_first(neighbours, far).last().unwrap_or(&far);
        }
        for reached in breadth_first(neighbours, far) {
            seen[reached] = true;
            order.push(reached);
        }
    }
    order.reverse();
    order
}

/// Nodes connected with `start`, nearest first, among equals those with few neighbours first.
fn breadth_first(neighbours: &[BTreeSet<usize>], start: usize) -> Vec<usize> {
    let mut list = vec![start];
    let mut seen: BTreeSet<usize> = BTreeSet::from([start]);
    let mut at = 0;
    while at < list.len() {
        let mut next: Vec<usize> =
            neighbours[list[at]].iter().copied().filter(|b| !seen.contains(b)).collect();
        next.sort_by_key(|&node| (neighbours[node].len(), node));
        seen.extend(&next);
        list.extend(next);
        at += 1;
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffled_chain_gets_a_narrow_band() {
        // A path through 12 nodes numbered in a scattered order.
        let path = [5, 0, 9, 3, 11, 7, 1, 10, 4, 8, 2, 6];
        let mut sets = vec![BTreeSet::new(); 12];
        for pair in path.windows(2) {
            sets[pair[0]].insert(pair[1]);
            sets[pair[1]].insert(pair[0]);
        }
        let order = cuthill_mckee(&sets);
        let at = |node: usize| order.iter().position(|&b| b == node).unwrap() as i64;
        assert!(path.windows(2).all(|pair| (at(pair[0]) - at(pair[1])).abs() == 1), "{order:?}");
    }
}
