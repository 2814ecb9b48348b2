//! M̂, Q, Φ_q, Λ, accelerations and λ at a state.

use super::rows::GraphRows;
use flexura::analysis::speed_labels;
use flexura::formulation::graph::{Equations, Solution};
use flexura::model::words::{count, number};
use flexura::{DynamicsError, Model, State};
use serde_json::{Value, json};
use std::fmt::Write;

/// Speeds up to which matrices are printed as text.
const PRINTED: usize = 12;

/// The equations at a state and their solution.
pub struct Numbers {
    time: f64,
    speeds: Vec<String>,
    rows: Vec<String>,
    equations: Equations,
    solution: Solution,
}

impl Numbers {
    /// At `state` of `model`.
    pub fn new(model: &Model, state: &State) -> Result<Self, DynamicsError> {
        let equations = Equations::generate(model, state);
        let solution = equations.solve(model)?;
        let rows = model.loops.iter().flat_map(|joint| {
            (1..=joint.rows.len()).map(|row| format!("{}[{row}]", joint.name)).collect::<Vec<_>>()
        });
        Ok(Self {
            time: state.time,
            speeds: speed_labels(model).into_iter().map(|label| label.speed).collect(),
            rows: rows.collect(),
            equations,
            solution,
        })
    }

    /// Tables with the names of their rows; columns are the speeds in order.
    pub fn text(&self) -> String {
        let (equations, solution) = (&self.equations, &self.solution);
        let mut text = format!(
            "t = {} s, {}, {}\n",
            self.time,
            count(self.speeds.len(), "speed"),
            count(self.rows.len(), "constraint row")
        );
        let wide = self.speeds.len() > PRINTED;
        if wide {
            let _ = writeln!(text, "M and Phi_q with more than {PRINTED} speeds: --json");
        }
        let mut table = |title: &str, names: &[String], values: &[f64], width: usize| {
            if names.is_empty() {
                return;
            }
            let _ = writeln!(text, "{title}:");
            for (name, row) in names.iter().zip(values.chunks(width)) {
                let _ = write!(text, "  {name:24}");
                row.iter().for_each(|value| {
                    let _ = write!(text, " {:>12}", number(*value));
                });
                text.push('\n');
            }
        };
        let n = self.speeds.len().max(1);
        if !wide {
            table("M", &self.speeds, &equations.mass, n);
        }
        table("Q", &self.speeds, &equations.force, 1);
        if !wide {
            table("Phi_q", &self.rows, &equations.jacobian, n);
        }
        table("Lambda", &self.rows, &equations.right, 1);
        table("accelerations", &self.speeds, &solution.accelerations, 1);
        table("lambda", &self.rows, &solution.multipliers, 1);
        text
    }

    /// Everything, matrices row by row.
    pub fn json(&self, graph: &GraphRows) -> Value {
        let (equations, n) = (&self.equations, self.speeds.len().max(1));
        json!({
            "time": self.time,
            "graph": graph.json(),
            "speeds": self.speeds,
            "constraints": self.rows,
            "M": equations.mass.chunks(n).collect::<Vec<_>>(),
            "Q": equations.force,
            "Phi_q": equations.jacobian.chunks(n).collect::<Vec<_>>(),
            "Lambda": equations.right,
            "prescribed": equations.prescribed,
            "accelerations": self.solution.accelerations,
            "lambda": self.solution.multipliers,
        })
    }
}
