//! Order of elimination for sparse symmetric factorisation: minimum degree.
//!
//! Source: Rose, A graph-theoretic study of the numerical solution of sparse
//! positive definite systems (1972). At each step the node with the fewest
//! neighbours is eliminated and its neighbours are joined; ties go to the smallest
//! index, so that the order depends on the model only. Done once per model; cost
//! about the fill of the factor.

use std::collections::BTreeSet;

/// Order of elimination of `count` unknowns whose couplings are the given cliques.
pub(super) fn minimum_degree(count: usize, cliques: &[Vec<usize>]) -> Vec<usize> {
    let mut neighbours: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); count];
    for clique in cliques {
        for &i in clique {
            neighbours[i].extend(clique.iter().copied().filter(|&j| j != i));
        }
    }
    let mut queue: BTreeSet<(usize, usize)> = (0..count).map(|i| (neighbours[i].len(), i)).collect();
    let mut order = Vec::with_capacity(count);
    while let Some((_, node)) = queue.pop_first() {
        order.push(node);
        let around = std::mem::take(&mut neighbours[node]);
        for &i in &around {
            queue.remove(&(neighbours[i].len(), i));
            neighbours[i].remove(&node);
            neighbours[i].extend(around.iter().copied().filter(|&j| j != i));
            queue.insert((neighbours[i].len(), i));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_eliminated_from_its_tips() {
        let cliques: Vec<Vec<usize>> = (1..6).map(|tip| vec![0, tip]).collect();
        let order = minimum_degree(6, &cliques);
        assert!(order.iter().position(|&i| i == 0) >= Some(4), "{order:?}");
    }
}
