//! A linear graph: named vertices, oriented named edges, one datum.
//!
//! Source: Richard (2012), section 2. A vertex is a frame, an edge a component
//! from its tail to its head, the datum the inertial frame.

use super::component::Component;
use super::search::{RankedEdge, RootedTree};

/// An oriented edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearEdge {
    /// Name.
    pub name: String,
    /// Vertex it starts at.
    pub tail: usize,
    /// Vertex it ends at.
    pub head: usize,
    /// What it stands for.
    pub component: Component,
    /// Priority as a branch: the smaller, the sooner.
    pub rank: u32,
}

/// A linear graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinearGraph {
    vertices: Vec<String>,
    datum: usize,
    edges: Vec<LinearEdge>,
}

impl LinearGraph {
    /// A graph of the datum alone.
    pub fn new(datum: &str) -> Self {
        Self { vertices: vec![datum.into()], datum: 0, edges: Vec::new() }
    }

    /// A graph of the given vertices, one of which is the datum.
    ///
    /// # Panics
    /// If there is no vertex number `datum`.
    pub fn with_vertices(names: &[&str], datum: usize) -> Self {
        assert!(datum < names.len(), "the datum is one of the vertices");
        Self { vertices: names.iter().map(ToString::to_string).collect(), datum, edges: Vec::new() }
    }

    /// Adds a vertex and returns its number.
    pub fn add_vertex(&mut self, name: impl Into<String>) -> usize {
        self.vertices.push(name.into());
        self.vertices.len() - 1
    }

    /// Adds an edge of the priority of its component and returns its number.
    ///
    /// # Panics
    /// If an end is not a vertex.
    pub fn add_edge(
        &mut self,
        name: impl Into<String>,
        tail: usize,
        head: usize,
        component: Component,
    ) -> usize {
        assert!(tail.max(head) < self.vertices.len(), "both ends are vertices");
        self.edges.push(LinearEdge { name: name.into(), tail, head, component, rank: component.rank() });
        self.edges.len() - 1
    }

    /// Gives edge `index` another priority.
    pub fn set_rank(&mut self, index: usize, rank: u32) {
        self.edges[index].rank = rank;
    }

    /// Names of the vertices.
    pub fn vertices(&self) -> &[String] {
        &self.vertices
    }

    /// The inertial frame.
    pub fn datum(&self) -> usize {
        self.datum
    }

    /// The edges in the order they were added.
    pub fn edges(&self) -> &[LinearEdge] {
        &self.edges
    }

    /// Number of the edge called `name`.
    pub fn edge(&self, name: &str) -> Option<usize> {
        self.edges.iter().position(|edge| edge.name == name)
    }

    /// The tree by the priorities of the edges.
    pub fn tree(&self) -> Result<GraphTree, GraphError> {
        self.tree_by(|_, edge| edge.rank)
    }

    /// The tree by priorities with the bodies before all joints: absolute coordinates.
    pub fn absolute_tree(&self) -> Result<GraphTree, GraphError> {
        self.forced_tree(&[])
    }

    /// A tree that has all of `wanted` as branches next to arms and position drivers, and bodies where
    /// those do not reach: mixed coordinates.
    pub fn forced_tree(&self, wanted: &[usize]) -> Result<GraphTree, GraphError> {
        let mut forced = vec![false; self.edges.len()];
        wanted.iter().for_each(|&index| forced[index] = true);
        let tree = self.tree_by(|index, edge| match edge.component {
            Component::RigidArm | Component::FlexibleArm | Component::PositionDriver => edge.rank,
            _ if forced[index] => Component::FORCED,
            Component::Body => Component::FORCED + 1,
            _ => edge.rank.saturating_add(Component::FORCED + 1),
        })?;
        match tree.chords.iter().find(|&&chord| forced[chord]) {
            None => Ok(tree),
            Some(&chord) => Err(GraphError::ForcedCircuit(self.names(tree.circuit_of(self, chord)))),
        }
    }

    fn names(&self, circuit: Vec<(usize, i32)>) -> Vec<String> {
        circuit.into_iter().map(|(edge, _)| self.edges[edge].name.clone()).collect()
    }

    fn tree_by(&self, rank: impl Fn(usize, &LinearEdge) -> u32) -> Result<GraphTree, GraphError> {
        let ranked = self.edges.iter().enumerate().map(|(index, edge)| RankedEdge {
            ends: [edge.tail, edge.head],
            rank: rank(index, edge),
            length: edge.component.length(),
        });
        let ranked: Vec<RankedEdge> = ranked.collect();
        let rooted = RootedTree::search(self.vertices.len(), self.datum, &ranked);
        if rooted.order.len() < self.vertices.len() {
            let lost = (0..self.vertices.len()).filter(|&vertex| !rooted.reaches(vertex));
            return Err(GraphError::Unconnected(lost.map(|vertex| self.vertices[vertex].clone()).collect()));
        }
        let (branches, chords) = (0..self.edges.len()).partition(|&index| rooted.branch[index]);
        Ok(GraphTree { branches, chords, rooted })
    }
}

/// Why a graph has no such tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// Vertices without a path to the datum.
    #[error("no edges connect {} to the datum", .0.join(", "))]
    Unconnected(Vec<String>),
    /// Edges that were to be branches form a circuit.
    #[error("the edges {} form a circuit and cannot all be branches", .0.join(", "))]
    ForcedCircuit(Vec<String>),
    /// A name that no edge has.
    #[error("no edge, joint or body is called `{0}`")]
    UnknownEdge(String),
}

/// A spanning tree of a linear graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphTree {
    /// Edges of the tree, in the order of the graph.
    pub branches: Vec<usize>,
    /// The other edges, in the order of the graph; each closes one circuit.
    pub chords: Vec<usize>,
    pub(super) rooted: RootedTree,
}

impl GraphTree {
    /// Whether edge `index` is a branch.
    pub fn is_branch(&self, index: usize) -> bool {
        self.rooted.branch[index]
    }

    /// Place of every edge among the branches, or among the chords.
    pub(super) fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.branches.len() + self.chords.len()];
        for list in [&self.branches, &self.chords] {
            list.iter().enumerate().for_each(|(place, &edge)| places[edge] = place);
        }
        places
    }

    /// The circuit of a chord as it is walked: the chord from tail to head, then branches back to
    /// its tail, each with +1 where it is walked along its own direction and −1 against it.
    pub fn circuit_of(&self, graph: &LinearGraph, chord: usize) -> Vec<(usize, i32)> {
        let LinearEdge { tail, head, .. } = graph.edges()[chord];
        // Both ends climb until they meet.
        let (mut up, mut down) = (vec![(chord, 1)], Vec::new());
        let (mut from, mut to) = (head, tail);
        while from != to {
            let climbs = self.rooted.depth[from] >= self.rooted.depth[to];
            let at = if climbs { from } else { to };
            let Some(step) = self.rooted.above[at] else { break };
            let away = if graph.edges()[step.edge].head == at { 1 } else { -1 };
            if climbs {
                up.push((step.edge, -away));
                from = step.from;
            } else {
                down.push((step.edge, away));
                to = step.from;
            }
        }
        up.extend(down.into_iter().rev());
        up
    }
}
