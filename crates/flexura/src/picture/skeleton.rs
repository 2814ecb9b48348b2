//! Lines between nodes whose connections are unknown.
//!
//! Source: Prim's minimum spanning tree over the distances of the nodes: a chain
//! of nodes along a beam becomes that chain, a cloud becomes a plausible frame.
//! Cost: O(n²) time, O(n) memory; above [`LARGEST`] nodes only points are drawn.

use crate::model::body::NodeShape;
use crate::spatial::{dot, sub};

/// Most nodes that are joined by lines.
pub(super) const LARGEST: usize = 2_000;

/// Pairs of nodes of the shortest tree that joins all of them.
pub(super) fn skeleton(nodes: &[NodeShape]) -> Vec<[usize; 2]> {
    let n = nodes.len();
    if !(2..=LARGEST).contains(&n) {
        return Vec::new();
    }
    // For every node outside the tree: the nearest one inside, and how far.
    let mut nearest = vec![(f64::INFINITY, 0usize); n];
    let mut inside = vec![false; n];
    let mut lines = Vec::with_capacity(n - 1);
    let mut last = 0;
    inside[0] = true;
    for _ in 1..n {
        for (i, near) in nearest.iter_mut().enumerate().filter(|(i, _)| !inside[*i]) {
            let gap = sub(&nodes[i].position, &nodes[last].position);
            let distance = dot(&gap, &gap);
            if distance < near.0 {
                *near = (distance, last);
            }
        }
        let next = (0..n).filter(|&i| !inside[i]).min_by(|&a, &b| nearest[a].0.total_cmp(&nearest[b].0));
        let Some(next) = next else { break };
        inside[next] = true;
        lines.push([nearest[next].1, next]);
        last = next;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(position: [f64; 3]) -> NodeShape {
        NodeShape { position, ..NodeShape::default() }
    }

    #[test]
    fn nodes_along_a_line_become_a_chain_whatever_their_order() {
        let nodes: Vec<NodeShape> = [0.0, 3.0, 1.0, 2.0].map(|x| node([x, 0.5 * x, 0.0])).to_vec();
        let mut lines = skeleton(&nodes);
        lines.iter_mut().for_each(|line| line.sort_unstable());
        lines.sort_unstable();
        assert_eq!(lines, [[0, 2], [1, 3], [2, 3]]);
    }

    #[test]
    fn few_or_too_many_nodes_have_no_lines() {
        assert!(skeleton(&[]).is_empty() && skeleton(&[node([0.0; 3])]).is_empty());
        assert!(skeleton(&vec![node([0.0; 3]); LARGEST + 1]).is_empty());
    }
}
