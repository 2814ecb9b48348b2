//! Which constraint rows each node of the assembly tree carries, and where they are closed.
//!
//! A row is open in a node that holds one of its ends; it is closed at the lowest
//! node that holds both. The ground counts as inside only where the inboard handle
//! is the ground itself: an end there would otherwise bind the motion of the handle.
//! Rows of a node are listed with the open ones first.
//!
//! Cost O(rows · depth), once per model.

use crate::algorithm::divide_and_conquer::assembly_tree::{AssemblyTree, GROUND, Kind};
use crate::model::Model;

/// An end of a row on a body of a leaf.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct End {
    /// Index among the rows of the leaf.
    pub slot: usize,
    /// Index among the rows of all loops.
    pub row: usize,
    /// 0 for the second frame of the joint, 1 for the first, like `unit_wrenches`.
    pub side: usize,
    /// Position of the body.
    pub position: usize,
}

/// Rows of one node.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct NodePlan {
    /// Rows among those of all loops; open ones first.
    pub rows: Vec<usize>,
    /// Number of open rows.
    pub open: usize,
    /// Ends on the node's own bodies (runs and bundles).
    pub ends: Vec<End>,
    /// Per child: where its open rows are among those of this node.
    pub maps: Vec<Vec<usize>>,
}

/// Plans of all nodes; empty without loops.
pub(in super::super) fn plans(model: &Model, tree: &AssemblyTree) -> Vec<Option<Box<NodePlan>>> {
    let ends = row_ends(model, tree);
    if ends.is_empty() {
        return Vec::new();
    }
    let on_ground = ground_nodes(tree);
    let mut of_leaf = vec![Vec::new(); tree.nodes.len()];
    let leaves = leaf_of_positions(tree);
    for (row, sides) in ends.iter().enumerate() {
        for (side, &position) in sides.iter().enumerate().filter(|(_, position)| **position != GROUND) {
            of_leaf[leaves[position]].push(End { slot: 0, row, side, position });
        }
    }
    let mut plans: Vec<Option<Box<NodePlan>>> = vec![None; tree.nodes.len()];
    for index in (0..tree.nodes.len()).rev() {
        let node = &tree.nodes[index];
        let children = &tree.children[node.children.clone()];
        let mut rows: Vec<usize> = of_leaf[index].iter().map(|end| end.row).collect();
        for plan in children.iter().filter_map(|&child| plans[child].as_ref()) {
            rows.extend(&plan.rows[..plan.open]);
        }
        rows.sort_unstable();
        rows.dedup();
        if rows.is_empty() {
            continue;
        }
        let inside = |&position: &usize| match position {
            GROUND => on_ground[index],
            position => (node.start..node.end).contains(&position),
        };
        let (mut list, closed): (Vec<usize>, Vec<usize>) =
            rows.into_iter().partition(|&row| !ends[row].iter().all(inside));
        let open = list.len();
        list.extend(closed);
        let slot_of = |row: usize| list.iter().position(|&r| r == row).unwrap_or_default();
        let map = |child: &usize| {
            let plan = plans[*child].as_ref();
            plan.map_or_else(Vec::new, |plan| {
                plan.rows[..plan.open].iter().map(|&row| slot_of(row)).collect()
            })
        };
        let maps = children.iter().map(map).collect();
        let mut own = std::mem::take(&mut of_leaf[index]);
        for end in &mut own {
            end.slot = slot_of(end.row);
        }
        plans[index] = Some(Box::new(NodePlan { rows: list, open, ends: own, maps }));
    }
    plans
}

/// Positions of the bodies at the second and first frame of every row.
fn row_ends(model: &Model, tree: &AssemblyTree) -> Vec<[usize; 2]> {
    let position = |frame: usize| model.frames[frame].body.map_or(GROUND, |body| tree.position[body.0]);
    let of = |joint: &crate::model::closure::LoopJoint| {
        vec![[position(joint.frames[1].0), position(joint.frames[0].0)]; joint.rows.len()]
    };
    model.loops.iter().flat_map(of).collect()
}

/// Whether the inboard handle of each node is the ground.
fn ground_nodes(tree: &AssemblyTree) -> Vec<bool> {
    let mut found = vec![false; tree.nodes.len()];
    let mut stack = vec![0];
    while let Some(index) = stack.pop() {
        found[index] = true;
        if tree.nodes[index].kind == Kind::Split {
            stack.extend(&tree.children[tree.nodes[index].children.clone()]);
        }
    }
    found
}

/// The run or bundle of every position.
fn leaf_of_positions(tree: &AssemblyTree) -> Vec<usize> {
    let mut leaf = vec![0; tree.order.len()];
    for (index, node) in tree.nodes.iter().enumerate() {
        if matches!(node.kind, Kind::Run | Kind::Bundle) {
            leaf[node.start..node.own_end].fill(index);
        }
    }
    leaf
}
