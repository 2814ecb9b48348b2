//! Cutset and circuit rows of the graph whose tree the model was built with.

use flexura::build::split_segments;
use flexura::graph::{SystemGraph, circuit, cutset, cutset_chords};
use flexura::model::description::Description;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// With more vertices than this rows are counted, not printed.
const LARGEST: usize = 60;

/// A row: its branch or chord, and the edges with their signs.
type Row = (String, Vec<(String, i32)>);

/// Rows of the cutset and of the circuit equations.
pub struct GraphRows {
    cutsets: Vec<Row>,
    circuits: Vec<Row>,
    printed: bool,
}

impl GraphRows {
    /// Those of `description` in its own tree; none where its graph has no such tree.
    pub fn new(description: &Description) -> Self {
        let description = split_segments(description);
        let system = SystemGraph::new(&description);
        let graph = &system.graph;
        let Ok(tree) = system.tree(&description.graph.tree) else {
            return Self { cutsets: Vec::new(), circuits: Vec::new(), printed: false };
        };
        let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
        let name = |edge: usize| graph.edges()[edge].name.clone();
        let rows = |matrix: &flexura::graph::IntegerMatrix, first: &[usize]| -> Vec<Row> {
            let row = |i: usize| matrix.row(i).map(|(column, sign)| (name(order[column]), sign)).collect();
            (0..matrix.rows()).map(|i| (name(first[i]), row(i))).collect()
        };
        let chords = cutset_chords(graph, &tree);
        Self {
            cutsets: rows(&cutset(graph, &tree), &tree.branches),
            circuits: rows(&circuit(&chords), &tree.chords),
            printed: graph.vertices().len() <= LARGEST,
        }
    }

    /// One equation per row.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (title, rows) in [("cutset", &self.cutsets), ("circuit", &self.circuits)] {
            let _ = writeln!(text, "{} {title} equations", rows.len());
            if !self.printed {
                continue;
            }
            for (_, terms) in rows {
                let sum: Vec<String> = terms
                    .iter()
                    .map(|(name, sign)| format!("{} {name}", if *sign < 0 { '-' } else { '+' }))
                    .collect();
                let _ = writeln!(text, "  {} = 0", sum.join(" ").trim_start_matches("+ "));
            }
        }
        text
    }

    /// Terms by name, row by row.
    pub fn json(&self) -> Value {
        let table = |rows: &[Row]| -> Value {
            let row = |(name, terms): &Row| {
                let terms: Map<String, Value> =
                    terms.iter().map(|(edge, sign)| (edge.clone(), json!(sign))).collect();
                json!({ "row": name, "terms": terms })
            };
            rows.iter().map(row).collect()
        };
        json!({ "cutset": table(&self.cutsets), "circuit": table(&self.circuits) })
    }
}
