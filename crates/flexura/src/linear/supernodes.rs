//! Structure of a sparse symmetric factor: elimination order, tree and supernodes.
//!
//! Sources: Davis, Direct Methods for Sparse Linear Systems (2006), chapter 4
//! (elimination tree, row patterns, postorder); Ashcraft & Grimes, The influence of
//! relaxed supernode partitions on the multifrontal method (1989). Columns of L
//! with the same rows form a supernode, stored as one dense panel; a child is
//! merged into its parent where that stores few zeros. Found once per model.

use super::minimum_degree::minimum_degree;

/// Zeros that one merging may add, as a share of the entries after it: the width up to which it holds, and the share.
const RELAXED: [(usize, f64); 4] = [(4, 1.0), (8, 0.4), (16, 0.2), (usize::MAX, 0.05)];
const NONE: usize = usize::MAX;

/// Consecutive columns of L with the same rows below them.
#[derive(Clone, Debug)]
pub(super) struct Supernode {
    /// First column.
    pub first: usize,
    /// Number of columns.
    pub width: usize,
    /// Rows below the diagonal block, ascending.
    pub rows: Vec<usize>,
}

impl Supernode {
    /// Entries of the panel, its diagonal block taken whole.
    pub fn entries(&self) -> usize {
        (self.width + self.rows.len()) * self.width
    }

    /// Entries of L, diagonal included.
    fn factor_entries(&self) -> usize {
        self.width * (self.width + 1) / 2 + self.width * self.rows.len()
    }

    /// Row of the panel that holds row `i` of L.
    pub fn panel_row(&self, i: usize) -> Option<usize> {
        if (self.first..self.first + self.width).contains(&i) {
            return Some(i - self.first);
        }
        self.rows.binary_search(&i).ok().map(|place| self.width + place)
    }

    /// This node and its parent in one.
    fn merged(&self, parent: &Self) -> Self {
        Self { first: self.first, width: self.width + parent.width, rows: parent.rows.clone() }
    }

    fn may_merge(&self, parent: &Self) -> bool {
        if self.rows.first() != Some(&parent.first) || self.first + self.width != parent.first {
            return false;
        }
        let merged = self.merged(parent);
        let zeros = merged.factor_entries() - self.factor_entries() - parent.factor_entries();
        let allowed = RELAXED.iter().find(|(width, _)| merged.width <= *width).map_or(0.0, |rule| rule.1);
        zeros as f64 <= allowed * merged.factor_entries() as f64
    }
}

/// Position of each unknown in the elimination order, and the supernodes in that order.
pub(super) fn supernodes(count: usize, cliques: &[Vec<usize>]) -> (Vec<usize>, Vec<Supernode>) {
    let degrees = positions(&minimum_degree(count, cliques));
    let (parent, _) = factor_columns(&upper_columns(&degrees, cliques));
    // Children right before their parents, so that columns with the same rows are neighbours.
    let placed = positions(&postorder(&parent));
    let position: Vec<usize> = degrees.iter().map(|&place| placed[place]).collect();
    let (_, columns) = factor_columns(&upper_columns(&position, cliques));
    let mut found: Vec<Supernode> = Vec::new();
    for (first, rows) in columns.into_iter().enumerate() {
        let mut node = Supernode { first, width: 1, rows };
        // A column may complete the node before it, and that the one before.
        while let Some(child) = found.pop_if(|child| child.may_merge(&node)) {
            node = child.merged(&node);
        }
        found.push(node);
    }
    (position, found)
}

fn positions(order: &[usize]) -> Vec<usize> {
    let mut position = vec![0; order.len()];
    for (place, &unknown) in order.iter().enumerate() {
        position[unknown] = place;
    }
    position
}

/// Rows above the diagonal of each column, ascending, in the order of `position`.
fn upper_columns(position: &[usize], cliques: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut columns: Vec<Vec<usize>> = vec![Vec::new(); position.len()];
    for clique in cliques {
        for &a in clique {
            for &b in clique {
                let (i, j) = (position[a], position[b]);
                if i < j {
                    columns[j].push(i);
                }
            }
        }
    }
    for column in &mut columns {
        column.sort_unstable();
        column.dedup();
    }
    columns
}

/// The elimination tree and the rows of each column of L: paths in the tree from the entries of A.
fn factor_columns(columns: &[Vec<usize>]) -> (Vec<usize>, Vec<Vec<usize>>) {
    let count = columns.len();
    let (mut parent, mut seen) = (vec![NONE; count], vec![NONE; count]);
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); count];
    for k in 0..count {
        for &entry in &columns[k] {
            let mut i = entry;
            while i < k && seen[i] != k {
                seen[i] = k;
                rows[i].push(k);
                if parent[i] == NONE {
                    parent[i] = k;
                }
                i = parent[i];
            }
        }
    }
    (parent, rows)
}

/// Nodes of the tree, every one after all below it; brothers in ascending order.
fn postorder(parent: &[usize]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parent.len()];
    let mut stack: Vec<usize> = Vec::new();
    for (node, &above) in parent.iter().enumerate().rev() {
        match children.get_mut(above) {
            Some(list) => list.push(node),
            None => stack.push(node),
        }
    }
    let mut order = Vec::with_capacity(parent.len());
    while let Some(&node) = stack.last() {
        match children[node].pop() {
            Some(child) => stack.push(child),
            None => order.extend(stack.pop()),
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknowns_of_one_clique_form_one_node() {
        let (position, nodes) = supernodes(5, &[vec![0, 2, 4], vec![4, 1, 3]]);
        assert_eq!(nodes.iter().map(|node| node.width).sum::<usize>(), 5);
        let mut sorted = position.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, [0, 1, 2, 3, 4]);
        assert!(nodes.len() <= 2, "{nodes:?}");
    }

    #[test]
    fn children_come_before_their_parents() {
        // 0 and 3 below 2, 2 and 1 below 4.
        let order = postorder(&[2, 4, 4, 2, NONE]);
        assert_eq!(order, [1, 0, 3, 2, 4]);
    }

    #[test]
    fn rows_of_a_node_lie_in_the_nodes_above() {
        let cliques: Vec<Vec<usize>> = (0..20).map(|i| vec![i, (i * 7 + 3) % 20, (i * 5 + 1) % 20]).collect();
        let (_, nodes) = supernodes(20, &cliques);
        for node in &nodes {
            for (k, &column) in node.rows.iter().enumerate() {
                let above =
                    nodes.iter().find(|other| other.panel_row(column).is_some_and(|r| r < other.width));
                let above = above.unwrap_or_else(|| panic!("no node of column {column}"));
                assert!(
                    node.rows[k..].iter().all(|&row| above.panel_row(row).is_some()),
                    "{node:?} {above:?}"
                );
            }
        }
    }
}
