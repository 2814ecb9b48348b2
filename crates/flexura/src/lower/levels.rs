//! The assembly tree as lanes, nodes and lists of launches, level by level.
//!
//! Source: the order of assemblies of `algorithm/divide_and_conquer` (book/src/theory/divide_and_conquer.md): everything at one
//! height is independent, so that a level is one launch over its lanes and one over its joins. Levels upward assemble,
//! levels downward take apart; the angular velocity goes both ways before. Cost O(n), once.

use super::lanes::LaneDraft;
use super::words::{BUNDLE, RUN};
use super::{Kernel, Launch};
use crate::algorithm::divide_and_conquer::{AssemblyTree, GROUND, Kind};

/// A node on the device.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeDraft {
    pub left: usize,
    pub right: usize,
    /// Lane of its first body.
    pub lane: usize,
    pub open: bool,
}

/// A branch taken up by a lane.
#[derive(Clone, Debug)]
pub(super) struct BranchDraft {
    pub slot: usize,
    pub node: usize,
    /// Lane and slot of its first body.
    pub lane: usize,
    pub link: usize,
}

/// Lanes, nodes and levels of a huge system.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    pub lanes: Vec<LaneDraft>,
    pub kind: Vec<i32>,
    pub node_of_lane: Vec<usize>,
    /// Lane and slot of the carrier of each lane; `None` on the ground.
    pub carrier: Vec<Option<(usize, usize)>>,
    pub next: Vec<Option<usize>>,
    pub branches: Vec<Vec<BranchDraft>>,
    pub nodes: Vec<NodeDraft>,
    /// Lane and slot of each body.
    pub place: Vec<(usize, usize)>,
    height_of_lane: Vec<usize>,
    joins: Vec<Vec<usize>>,
    sums: Vec<Vec<usize>>,
    roots: Vec<Vec<usize>>,
}

impl Assembly {
    /// From the assembly tree of a model.
    pub fn new(tree: &AssemblyTree) -> Self {
        let mut out = Self::default();
        let levels = tree.depth() + 1;
        (out.joins, out.sums, out.roots) =
            (vec![Vec::new(); levels], vec![Vec::new(); levels], vec![Vec::new(); levels]);
        let number = out.number_nodes(tree);
        out.place_lanes(tree, &number);
        out.link_nodes(tree, &number);
        out
    }

    /// Numbers lanes by height and place, then the other nodes by height; splits have none.
    fn number_nodes(&mut self, tree: &AssemblyTree) -> Vec<usize> {
        let leaf = |kind: Kind| matches!(kind, Kind::Run | Kind::Bundle);
        let mut order: Vec<usize> =
            (0..tree.nodes.len()).filter(|&i| tree.nodes[i].kind != Kind::Split).collect();
        order.sort_by_key(|&i| (!leaf(tree.nodes[i].kind), tree.nodes[i].height, tree.nodes[i].start));
        let mut number = vec![usize::MAX; tree.nodes.len()];
        for (place, &i) in order.iter().enumerate() {
            number[i] = place;
        }
        self.nodes = vec![NodeDraft::default(); order.len()];
        let lanes = order.iter().filter(|&&i| leaf(tree.nodes[i].kind)).count();
        self.lanes = vec![LaneDraft::default(); lanes];
        self.kind = vec![RUN; lanes];
        self.node_of_lane = (0..lanes).collect();
        self.carrier = vec![None; lanes];
        self.next = vec![None; lanes];
        self.branches = vec![Vec::new(); lanes];
        self.height_of_lane = vec![0; lanes];
        self.place = vec![(0, 0); tree.order.len()];
        number
    }

    fn place_lanes(&mut self, tree: &AssemblyTree, number: &[usize]) {
        for (i, node) in tree.nodes.iter().enumerate() {
            if !matches!(node.kind, Kind::Run | Kind::Bundle) {
                continue;
            }
            let lane = number[i];
            for position in node.start..node.own_end {
                self.place[tree.order[position]] = (lane, position - node.start);
            }
        }
        for (i, node) in tree.nodes.iter().enumerate() {
            if !matches!(node.kind, Kind::Run | Kind::Bundle) {
                continue;
            }
            let lane = number[i];
            let draft = &mut self.lanes[lane];
            draft.reserve(node.own_end - node.start);
            for position in node.start..node.own_end {
                let carrier = tree.carrier[position];
                let inside = carrier != GROUND && carrier >= node.start && carrier < position;
                draft.bodies.push(tree.order[position]);
                draft.carrier.push(inside.then(|| carrier - node.start));
                draft.on_path.push(tree.on_path[position]);
            }
            let carrier = tree.carrier[node.start];
            self.carrier[lane] = (carrier != GROUND).then(|| self.place[tree.order[carrier]]);
            self.kind[lane] = if node.kind == Kind::Run { RUN } else { BUNDLE };
            self.height_of_lane[lane] = node.height;
            self.next[lane] = node.next.filter(|_| node.kind == Kind::Run).map(|body| self.place[body].0);
        }
    }

    fn link_nodes(&mut self, tree: &AssemblyTree, number: &[usize]) {
        let mut inside_path = vec![false; tree.nodes.len()];
        for (i, node) in tree.nodes.iter().enumerate() {
            if node.kind == Kind::Join {
                tree.children[node.children.clone()].iter().for_each(|&child| inside_path[child] = true);
            }
            let Some(own) = self.nodes.get_mut(number[i]) else { continue };
            own.lane = self.place[tree.order[node.start]].0;
            own.open = node.next.is_some() && matches!(node.kind, Kind::Run | Kind::Join);
            if matches!(node.kind, Kind::Join | Kind::Sum) {
                let first = node.children.start;
                (own.left, own.right) = (number[tree.children[first]], number[tree.children[first + 1]]);
            }
            match node.kind {
                Kind::Join => self.joins[node.height].push(number[i]),
                Kind::Sum => self.sums[node.height].push(number[i]),
                Kind::Run | Kind::Bundle => self.take_branches(tree, number, i),
                Kind::Split => {}
            }
            if matches!(node.kind, Kind::Run | Kind::Join) && !inside_path[i] {
                self.roots[node.height].push(number[i]);
            }
        }
        self.joins
            .iter_mut()
            .chain(&mut self.sums)
            .chain(&mut self.roots)
            .for_each(|list| list.sort_unstable());
    }

    fn take_branches(&mut self, tree: &AssemblyTree, number: &[usize], i: usize) {
        let (node, lane) = (&tree.nodes[i], number[i]);
        for &child in &tree.children[node.children.clone()] {
            let start = tree.nodes[child].start;
            let slot = tree.carrier[start] - node.start;
            let (first_lane, link) = self.place[tree.order[start]];
            self.branches[lane].push(BranchDraft { slot, node: number[child], lane: first_lane, link });
            self.lanes[lane].bears.push(slot);
        }
        self.branches[lane].sort_by_key(|branch| branch.slot);
    }

    /// Whether branches hang on carriers in other lanes, beside the paths.
    pub fn is_branched(&self) -> bool {
        let bundled = |lane: usize| self.kind[lane] == BUNDLE && self.carrier[lane].is_some();
        self.branches.iter().any(|list| !list.is_empty()) || (0..self.lanes.len()).any(bundled)
    }

    /// The launches of one evaluation; appends the lists of nodes they go over to `list`. Handles of `flexible` systems have a
    /// pass of their own; `loads` at frames need poses, which go up and down as the angular velocity does.
    pub fn launches(&self, flexible: bool, loads: usize, list: &mut Vec<i32>) -> Vec<Launch> {
        let levels = self.joins.len();
        let mut out = vec![Launch { kernel: Kernel::LaneSpin, first: 0, count: self.lanes.len() }];
        let mut over = |kernel: Kernel, nodes: &[usize], out: &mut Vec<Launch>| {
            if !nodes.is_empty() {
                out.push(Launch { kernel, first: list.len(), count: nodes.len() });
                list.extend(nodes.iter().map(|&node| node as i32));
            }
        };
        let open = |h: usize| -> Vec<usize> {
            self.joins[h].iter().copied().filter(|&node| self.nodes[node].open).collect()
        };
        let carried = |h: usize| -> Vec<usize> {
            let on_carrier = |&node: &usize| self.carrier[self.nodes[node].lane].is_some();
            self.roots[h].iter().copied().filter(on_carrier).collect()
        };
        for h in 0..levels {
            over(Kernel::SpinUp, &open(h), &mut out);
        }
        for h in (0..levels).rev() {
            over(Kernel::SpinRoot, &self.roots[h], &mut out);
            over(Kernel::SpinDown, &self.joins[h], &mut out);
            self.lanes_at(Kernel::LaneMotion, h, &mut out);
        }
        if loads > 0 {
            out.push(Launch { kernel: Kernel::LaneWay, first: 0, count: self.lanes.len() });
            for h in 0..levels {
                over(Kernel::WayUp, &open(h), &mut out);
            }
            for h in (0..levels).rev() {
                over(Kernel::WayRoot, &self.roots[h], &mut out);
                over(Kernel::WayDown, &self.joins[h], &mut out);
                self.lanes_at(Kernel::LanePose, h, &mut out);
            }
            out.push(Launch { kernel: Kernel::FrameLoad, first: 0, count: loads });
        }
        for h in 0..levels {
            self.lanes_at(Kernel::LaneIn, h, &mut out);
            if flexible {
                self.lanes_at(Kernel::LaneHandle, h, &mut out);
            }
            over(Kernel::Join, &self.joins[h], &mut out);
            over(Kernel::Show, &carried(h), &mut out);
            over(Kernel::Sum, &self.sums[h], &mut out);
        }
        for h in (0..levels).rev() {
            over(Kernel::Hang, &self.roots[h], &mut out);
            over(Kernel::Part, &self.joins[h], &mut out);
            self.lanes_at(Kernel::LaneOut, h, &mut out);
        }
        out
    }

    /// Lanes of one height stand side by side.
    fn lanes_at(&self, kernel: Kernel, height: usize, out: &mut Vec<Launch>) {
        let first = self.height_of_lane.partition_point(|&h| h < height);
        let count = self.height_of_lane.partition_point(|&h| h <= height) - first;
        if count > 0 {
            out.push(Launch { kernel, first, count });
        }
    }
}
