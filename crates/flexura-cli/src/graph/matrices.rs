//! Incidence, cutset and circuit matrices as text and as JSON.

use flexura::graph::{GraphTree, IntegerMatrix, LinearGraph, circuit, cutset, cutset_chords, incidence};
use serde_json::{Value, json};
use std::fmt::Write;

/// The three matrices with the names of rows and columns.
pub struct Matrices {
    columns: Vec<String>,
    branches: usize,
    tables: [(&'static str, Vec<String>, IntegerMatrix); 3],
}

impl Matrices {
    /// Columns of all three: branches, then chords.
    pub fn new(graph: &LinearGraph, tree: &GraphTree) -> Self {
        let order: Vec<usize> = tree.branches.iter().chain(&tree.chords).copied().collect();
        let name = |&edge: &usize| graph.edges()[edge].name.clone();
        let chords = cutset_chords(graph, tree);
        Self {
            columns: order.iter().map(name).collect(),
            branches: tree.branches.len(),
            tables: [
                ("incidence", graph.vertices().to_vec(), in_order(&incidence(graph), &order)),
                ("cutset", tree.branches.iter().map(name).collect(), cutset(graph, tree)),
                ("circuit", tree.chords.iter().map(name).collect(), circuit(&chords)),
            ],
        }
    }

    /// Tables with numbered columns and their names in front; a bar parts tree and cotree.
    pub fn text(&self) -> String {
        let mut text = String::from("columns (tree | cotree):\n");
        for (number, name) in self.columns.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  {:>3}  {}{name}",
                number + 1,
                if number < self.branches { "" } else { "| " }
            );
        }
        for (title, rows, matrix) in &self.tables {
            let width = rows.iter().map(|name| name.chars().count()).max().unwrap_or(0);
            let _ = write!(text, "{title}, {} × {}\n  {:width$} ", matrix.rows(), matrix.columns(), "");
            text += &self.line(|column| format!("{:>3}", column + 1));
            for (i, name) in rows.iter().enumerate() {
                let _ = write!(text, "  {name:width$} ");
                text += &self.line(|column| match matrix.get(i, column) {
                    0 => "  .".into(),
                    value => format!("{value:>3}"),
                });
            }
        }
        text
    }

    fn line(&self, entry: impl Fn(usize) -> String) -> String {
        let mut line = String::new();
        for column in 0..self.columns.len() {
            line += if column == self.branches { " |" } else { "" };
            line += &entry(column);
        }
        line + "\n"
    }

    /// Per row the terms that are not zero, by name.
    pub fn json(&self) -> Value {
        let table = |rows: &[String], matrix: &IntegerMatrix| -> Value {
            let row = |(i, name): (usize, &String)| {
                let terms: serde_json::Map<String, Value> = matrix
                    .row(i)
                    .map(|(column, value)| (self.columns[column].clone(), json!(value)))
                    .collect();
                json!({ "row": name, "terms": terms })
            };
            rows.iter().enumerate().map(row).collect()
        };
        let tables = self.tables.iter().map(|(title, rows, matrix)| (title.to_string(), table(rows, matrix)));
        Value::Object(tables.collect())
    }
}

/// The matrix with its columns in the given order.
fn in_order(matrix: &IntegerMatrix, order: &[usize]) -> IntegerMatrix {
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(at, &column)| place[column] = at);
    let mut moved = IntegerMatrix::new(matrix.columns());
    for i in 0..matrix.rows() {
        moved.push_row(&mut matrix.row(i).map(|(column, value)| (place[column], value)).collect());
    }
    moved
}
