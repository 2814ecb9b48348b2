//! What a picture shows: tree and loops of a graph, colours and strokes.

use flexura::graph::{Component, ForceClass, GraphTree, LinearGraph};

/// Colours of loops, told apart also by the colour-blind (Okabe and Ito), repeated where there are more.
const COLOURS: [&str; 7] = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195"];

/// A graph with its tree, ready to be drawn.
pub struct Picture<'a> {
    /// Title.
    pub name: &'a str,
    /// The graph.
    pub graph: &'a LinearGraph,
    /// Its tree.
    pub tree: &'a GraphTree,
    /// Which edges are shown.
    pub shown: Vec<bool>,
    /// Circuits of joints that close loops: edges with the direction they are walked in, the chord first.
    pub loops: Vec<Vec<(usize, i32)>>,
}

impl<'a> Picture<'a> {
    /// A picture with or without dependent virtual work.
    pub fn new(name: &'a str, graph: &'a LinearGraph, tree: &'a GraphTree, work: bool) -> Self {
        let shown = graph.edges().iter().map(|edge| work || edge.component != Component::VirtualWork);
        let closing = tree.chords.iter().filter(|&&chord| graph.edges()[chord].component.is_kinematic());
        let loops = closing.map(|&chord| tree.circuit_of(graph, chord)).collect();
        Self { name, graph, tree, shown: shown.collect(), loops }
    }

    /// Loops that run through an edge.
    pub fn loops_through(&self, edge: usize) -> impl Iterator<Item = usize> + '_ {
        let through = move |members: &Vec<(usize, i32)>| members.iter().any(|&(member, _)| member == edge);
        self.loops.iter().enumerate().filter(move |(_, members)| through(members)).map(|(number, _)| number)
    }

    /// The loop that an edge closes.
    pub fn closes(&self, edge: usize) -> Option<usize> {
        self.loops.iter().position(|members| members[0].0 == edge)
    }

    /// Colour of a loop.
    pub fn colour(number: usize) -> &'static str {
        COLOURS[number % COLOURS.len()]
    }

    /// The same, half way to white: the band under the edges of a loop.
    pub fn tint(number: usize) -> String {
        let part = |at: usize| u8::from_str_radix(&Self::colour(number)[at..at + 2], 16).unwrap_or(0);
        let [r, g, b] = [1, 3, 5].map(|at| part(at) / 2 + 128);
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Colour of an edge.
    pub fn stroke(&self, edge: usize) -> &'static str {
        if let Some(number) = self.closes(edge) {
            return Self::colour(number);
        }
        match self.graph.edges()[edge].component {
            Component::Body => "#5b6b7f",
            Component::Force(_) => "#9c4221",
            Component::VirtualWork => "#7d8794",
            _ => "#1c2430",
        }
    }

    /// Dashes of an edge; empty for a full line.
    pub fn dashes(&self, edge: usize) -> &'static str {
        match self.graph.edges()[edge].component {
            Component::Body => "9 4",
            Component::Force(ForceClass::Passive) => "2 3",
            Component::Force(_) => "7 3 2 3",
            Component::VirtualWork => "1.5 4",
            _ => "",
        }
    }

    /// Width of an edge: branches are bold.
    pub fn width(&self, edge: usize) -> f64 {
        match (self.tree.is_branch(edge), self.closes(edge)) {
            (true, _) => 3.4,
            (false, Some(_)) => 2.2,
            (false, None) => 1.2,
        }
    }
}
