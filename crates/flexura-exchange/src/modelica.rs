//! Linear systems for Modelica: a record with A, B, C, D and the names of states, inputs and outputs.
//!
//! Source: Modelica Language Specification 3.6, chapters 2 (lexical structure), 9 (records) and 10 (arrays). The record fits
//! `Modelica.Blocks.Continuous.StateSpace(A = s.A, B = s.B, C = s.C, D = s.D)`. An empty matrix is written by `fill`, since `{}` has no size.

use flexura::analysis::LinearSystem;
use std::fmt::Write;

/// Words of the language, which are no names.
const RESERVED: [&str; 62] = [
    "algorithm",
    "and",
    "annotation",
    "assert",
    "block",
    "break",
    "class",
    "connect",
    "connector",
    "constant",
    "constrainedby",
    "der",
    "discrete",
    "each",
    "else",
    "elseif",
    "elsewhen",
    "encapsulated",
    "end",
    "enumeration",
    "equation",
    "expandable",
    "extends",
    "external",
    "false",
    "final",
    "flow",
    "for",
    "function",
    "if",
    "import",
    "impure",
    "in",
    "initial",
    "inner",
    "input",
    "loop",
    "model",
    "not",
    "operator",
    "or",
    "outer",
    "output",
    "package",
    "parameter",
    "partial",
    "protected",
    "public",
    "pure",
    "record",
    "redeclare",
    "replaceable",
    "return",
    "stream",
    "then",
    "true",
    "type",
    "when",
    "while",
    "within",
    "Real",
    "Integer",
];

/// A name that Modelica takes: letters, digits and lines, not a word of the language.
pub fn identifier(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let word: String = name.chars().map(plain).collect();
    let starts = word.chars().next().is_some_and(|first| first.is_ascii_alphabetic());
    if starts && !RESERVED.contains(&word.as_str()) { word } else { format!("model_{word}") }
}

/// The record of a linear system; `about` says about which state.
pub fn record(name: &str, about: &str, system: &LinearSystem) -> String {
    let name = identifier(name);
    let (n, m, p) = (system.states.len(), system.inputs.len(), system.outputs.len());
    let mut out =
        format!("record {name} {}\n", quoted(&format!("x' = A x + B u, y = C x + D u about {about}")));
    for (count, word, what) in [(n, "nx", "states"), (m, "nu", "inputs"), (p, "ny", "outputs")] {
        let _ = writeln!(out, "  parameter Integer {word} = {count} \"number of {what}\";");
    }
    let matrices =
        [("A", &system.a, n, n), ("B", &system.b, n, m), ("C", &system.c, p, n), ("D", &system.d, p, m)];
    for (word, values, rows, columns) in matrices {
        let _ =
            writeln!(out, "  parameter Real {word}[{rows}, {columns}] = {};", matrix(values, rows, columns));
    }
    for (word, list) in [("states", &system.states), ("inputs", &system.inputs), ("outputs", &system.outputs)]
    {
        let texts: Vec<String> = list.iter().map(|text| quoted(text)).collect();
        let value =
            if list.is_empty() { "fill(\"\", 0)".to_owned() } else { format!("{{{}}}", texts.join(", ")) };
        let _ = writeln!(out, "  parameter String {word}[{}] = {value};", list.len());
    }
    let _ = writeln!(out, "end {name};");
    out
}

fn matrix(values: &[f64], rows: usize, columns: usize) -> String {
    if rows == 0 || columns == 0 {
        return format!("fill(0.0, {rows}, {columns})");
    }
    let row = |row: &[f64]| {
        // Shortest texts that read back as the same number.
        let entries: Vec<String> = row.iter().map(|value| format!("{value:?}")).collect();
        format!("{{{}}}", entries.join(", "))
    };
    let lines: Vec<String> = values.chunks_exact(columns).map(row).collect();
    format!("{{\n    {}}}", lines.join(",\n    "))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_language() {
        for (given, name) in
            [("arm", "arm"), ("2 links", "model_2_links"), ("end", "model_end"), ("a-b", "a_b")]
        {
            assert_eq!(identifier(given), name);
        }
    }

    #[test]
    fn empty_sides_have_their_sizes() {
        let system = LinearSystem {
            states: vec!["x \"1\"".into()],
            inputs: Vec::new(),
            outputs: vec!["y".into()],
            a: vec![-1e-300],
            b: Vec::new(),
            c: vec![0.1],
            d: Vec::new(),
            speeds: Vec::new(),
        };
        let text = record("s", "rest", &system);
        for part in [
            "A[1, 1] = {\n    {-1e-300}};",
            "B[1, 0] = fill(0.0, 1, 0);",
            "states[1] = {\"x \\\"1\\\"\"};",
            "end s;",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
