//! Builds an [`AssemblyTree`]: heavy paths, leaves, trees of least height.
//!
//! Source: see `assembly_tree`. Trees of least height over a sequence: every part
//! of height h takes an interval of 2^h aligned to its own length; the smallest
//! power of two that holds all of them in order is the least height, and halving
//! it gives the tree. Parts whose order is free are sorted by height first, which
//! makes the same tree the best of all orders.
//!
//! Cost O(n log n) time (sorting), O(n) memory. Recursion goes over nested paths
//! and over assemblies only, both of logarithmic depth; walks along a path and
//! inside a leaf are loops.

use super::assembly_tree::{AssemblyTree, GROUND, Kind, Node, Topology};

/// A node before positions are known.
struct Draft {
    kind: Kind,
    own: Vec<usize>,
    children: Vec<usize>,
    /// Last body of the path.
    tip: usize,
    next: Option<usize>,
    height: usize,
}

/// Scratch of the construction.
pub(super) struct Planner<'a> {
    topology: &'a Topology<'a>,
    leaf: usize,
    /// Bodies of the subtree of each body.
    size: Vec<usize>,
    /// Child that continues the path.
    heavy: Vec<Option<usize>>,
    /// Compressed lists of the other children, sorted by group.
    light_start: Vec<usize>,
    light: Vec<usize>,
    roots: Vec<usize>,
    drafts: Vec<Draft>,
}

impl<'a> Planner<'a> {
    pub(super) fn new(topology: &'a Topology<'a>, leaf: usize) -> Self {
        let count = topology.parent.len();
        let mut size = vec![1; count];
        for body in (0..count).rev() {
            if let Some(parent) = topology.parent[body] {
                size[parent] += size[body];
            }
        }
        let mut heavy: Vec<Option<usize>> = vec![None; count];
        for body in 0..count {
            let Some(parent) = topology.parent[body] else { continue };
            if heavy[parent].is_none_or(|best| size[best] < size[body]) {
                heavy[parent] = Some(body);
            }
        }
        let roots = (0..count).filter(|&body| topology.parent[body].is_none()).collect();
        let mut planner = Self {
            topology,
            leaf,
            size,
            heavy,
            light_start: vec![0; count + 1],
            light: Vec::new(),
            roots,
            drafts: Vec::new(),
        };
        planner.list_light_children();
        planner
    }

    fn list_light_children(&mut self) {
        let parent = self.topology.parent;
        let is_light = |body: usize| parent[body].is_some_and(|p| self.heavy[p] != Some(body));
        let mut bodies: Vec<usize> = (0..parent.len()).filter(|&body| is_light(body)).collect();
        bodies.sort_by_key(|&body| (parent[body], self.topology.group[body]));
        for &body in &bodies {
            if let Some(p) = parent[body] {
                self.light_start[p + 1] += 1;
            }
        }
        for p in 0..parent.len() {
            self.light_start[p + 1] += self.light_start[p];
        }
        self.light = bodies;
    }

    fn lights(&self, body: usize) -> std::ops::Range<usize> {
        self.light_start[body]..self.light_start[body + 1]
    }

    pub(super) fn plan(mut self) -> AssemblyTree {
        let mut parts = Vec::new();
        let roots = std::mem::take(&mut self.roots);
        self.leaves_and_paths(&roots, &mut parts);
        let count = self.topology.parent.len();
        let mut tree = AssemblyTree {
            nodes: Vec::with_capacity(self.drafts.len()),
            children: Vec::with_capacity(self.drafts.len()),
            order: Vec::with_capacity(count),
            carrier: Vec::with_capacity(count),
            position: vec![0; count],
            on_path: vec![false; count],
        };
        if let Some(root) = self.combine(parts, Kind::Split) {
            self.place(root, &mut tree);
        }
        for (position, &body) in tree.order.iter().enumerate() {
            tree.position[body] = position;
        }
        for &body in &tree.order {
            tree.carrier.push(self.topology.parent[body].map_or(GROUND, |p| tree.position[p]));
        }
        for node in &mut tree.nodes {
            node.tip = tree.position[node.tip];
            let mut at = node.tip;
            while node.kind == Kind::Run && node.next.is_some() && at != GROUND && at >= node.start {
                tree.on_path[at] = true;
                at = tree.carrier[at];
            }
        }
        tree
    }

    /// Complete subtrees with a common carrier: small ones bundled, large ones as paths.
    fn leaves_and_paths(&mut self, bodies: &[usize], parts: &mut Vec<usize>) {
        let mut own = Vec::new();
        for &body in bodies {
            if self.size[body] > self.leaf {
                let path = self.path(body);
                parts.push(path);
                continue;
            }
            if own.len() + self.size[body] > self.leaf {
                self.push_bundle(&mut own, parts);
            }
            self.list_subtree(body, &mut own);
        }
        self.push_bundle(&mut own, parts);
    }

    fn push_bundle(&mut self, own: &mut Vec<usize>, parts: &mut Vec<usize>) {
        let Some(&tip) = own.first() else { return };
        parts.push(self.drafts.len());
        let own = std::mem::take(own);
        let draft = Draft { kind: Kind::Bundle, own, children: Vec::new(), tip, next: None, height: 0 };
        self.drafts.push(draft);
    }

    /// Appends the subtree of `root`, carriers first, the heavy child of each body last.
    fn list_subtree(&self, root: usize, own: &mut Vec<usize>) {
        let mut stack = vec![root];
        while let Some(body) = stack.pop() {
            own.push(body);
            stack.extend(self.heavy[body]);
            stack.extend(self.light[self.lights(body)].iter().rev());
        }
    }

    /// The complete assembly of everything `root` carries.
    fn path(&mut self, root: usize) -> usize {
        let (mut runs, mut first) = (Vec::new(), Some(root));
        while let Some(body) = first {
            let run = self.run(body);
            first = self.drafts[run].next;
            runs.push(run);
        }
        self.combine(runs, Kind::Join).unwrap_or_default()
    }

    /// Bodies eliminated with `body` itself if it is part of a run.
    fn item_weight(&self, body: usize) -> usize {
        self.size[body] - self.heavy[body].map_or(0, |child| self.size[child])
    }

    /// One leaf of a path, from `first` on.
    fn run(&mut self, first: usize) -> usize {
        let (mut own, mut carriers) = (Vec::new(), Vec::new());
        let mut body = first;
        let next = loop {
            own.push(body);
            if self.item_weight(body) <= self.leaf {
                for slot in self.lights(body) {
                    self.list_subtree(self.light[slot], &mut own);
                }
            } else {
                carriers.push(body);
            }
            let Some(child) = self.heavy[body] else { break None };
            let full = !carriers.is_empty() || own.len() + self.item_weight(child) > self.leaf;
            if full && self.topology.cut[body] {
                break Some(child);
            }
            body = child;
        };
        let mut children = Vec::new();
        for carrier in carriers {
            self.branches(carrier, &mut children);
        }
        let deepest = children.iter().map(|&child| self.drafts[child].height).max();
        let height = deepest.map_or(0, |height| height + children.len());
        self.drafts.push(Draft { kind: Kind::Run, own, children, tip: body, next, height });
        self.drafts.len() - 1
    }

    /// One assembly per group of branches of `carrier`.
    fn branches(&mut self, carrier: usize, children: &mut Vec<usize>) {
        let bodies = self.light[self.lights(carrier)].to_vec();
        let topology = self.topology;
        for group in bodies.chunk_by(|&a, &b| topology.group[a] == topology.group[b]) {
            let mut parts = Vec::new();
            self.leaves_and_paths(group, &mut parts);
            parts.sort_by_key(|&part| std::cmp::Reverse(self.drafts[part].height));
            children.extend(self.combine(parts, Kind::Sum));
        }
    }

    /// The tree of least height over `parts` in their order.
    fn combine(&mut self, parts: Vec<usize>, kind: Kind) -> Option<usize> {
        if parts.is_empty() {
            return None;
        }
        let mut places = Vec::with_capacity(parts.len());
        let mut end: u128 = 0;
        for &part in &parts {
            let length = 1_u128 << self.drafts[part].height.min(100);
            let place = end.div_ceil(length) * length;
            places.push(place);
            end = place + length;
        }
        Some(self.halve(&parts, &places, 0, end.next_power_of_two(), kind))
    }

    fn halve(&mut self, parts: &[usize], places: &[u128], base: u128, length: u128, kind: Kind) -> usize {
        if let [part] = parts {
            return *part;
        }
        let half = length / 2;
        let middle = places.partition_point(|&place| place < base + half);
        if middle == 0 {
            return self.halve(parts, places, base + half, half, kind);
        }
        if middle == parts.len() {
            return self.halve(parts, places, base, half, kind);
        }
        let left = self.halve(&parts[..middle], &places[..middle], base, half, kind);
        let right = self.halve(&parts[middle..], &places[middle..], base + half, half, kind);
        let (one, other) = (&self.drafts[left], &self.drafts[right]);
        let (tip, next) = (other.tip, other.next);
        let height = 1 + one.height.max(other.height);
        self.drafts.push(Draft { kind, own: Vec::new(), children: vec![left, right], tip, next, height });
        self.drafts.len() - 1
    }

    /// Gives the subtree of a draft its positions, nodes in preorder.
    fn place(&mut self, draft: usize, tree: &mut AssemblyTree) -> usize {
        let index = tree.nodes.len();
        let start = tree.order.len();
        tree.order.append(&mut self.drafts[draft].own);
        let list = std::mem::take(&mut self.drafts[draft].children);
        let draft = &self.drafts[draft];
        let first = tree.children.len();
        tree.children.resize(first + list.len(), 0);
        tree.nodes.push(Node {
            kind: draft.kind,
            start,
            own_end: tree.order.len(),
            end: 0,
            tree_end: 0,
            children: first..first + list.len(),
            tip: draft.tip,
            next: draft.next,
            height: draft.height,
        });
        for (slot, child) in list.into_iter().enumerate() {
            tree.children[first + slot] = self.place(child, tree);
        }
        tree.nodes[index].end = tree.order.len();
        tree.nodes[index].tree_end = tree.nodes.len();
        index
    }
}
