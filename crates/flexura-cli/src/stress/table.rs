//! Stresses for the terminal: the worst nodes of a body, and the largest section forces of its beams.

use super::{Looked, Measure};
use flexura::model::recovery::Recovery;
use flexura_output::stress::{Extreme, SectionPeak, section_peaks};
use std::fmt::Write;

/// Names and units of section forces.
pub const FORCES: [(&str, &str); 6] =
    [("N", "N"), ("Qy", "N"), ("Qz", "N"), ("T", "N m"), ("My", "N m"), ("Mz", "N m")];

/// A stress in MPa with four digits.
pub fn megapascals(value: f64) -> String {
    let value = value / 1e6;
    let digits = match value.abs() {
        size if size >= 1000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        size if size >= 1.0 => 3,
        size if size >= 0.1 || size == 0.0 => 4,
        _ => return format!("{value:.3e}"),
    };
    format!("{value:.digits$}")
}

/// Number and name of a node.
pub fn node_words(rows: &Recovery, node: usize) -> String {
    let number = rows.numbers[node];
    match rows.names.iter().find(|(_, known)| *known as usize == node) {
        Some((name, _)) => format!("{number} ({name})"),
        None => number.to_string(),
    }
}

/// The worst nodes of a body, and its section forces.
pub fn table(body: &Looked, by: Measure, worst: usize, instant: bool) -> String {
    let (first, last) = (body.instants.times.first(), body.instants.times.last());
    let span = match (first, last) {
        (Some(time), _) if instant => format!("at {time} s"),
        (Some(first), Some(last)) => format!("{} rows from {first} to {last} s", body.instants.len()),
        _ => String::new(),
    };
    if body.field.points.is_empty() && body.rows.lines.is_empty() {
        return format!("{}: no stresses; the file of the part brings none\n", body.name);
    }
    let ranked = body.ranked(by);
    let mut out = format!(
        "{}: stresses at {} nodes, {} places; {span}\n",
        body.name,
        ranked.len(),
        body.field.points.len()
    );
    if !ranked.is_empty() && worst > 0 {
        let _ = writeln!(
            out,
            "  {:>13} {:>9}  {:>12} {:>9}  {:>12} {:>9}  {:<16} {:<28} position (m)",
            "von Mises MPa", "at s", "tension MPa", "at s", "compr. MPa", "at s", "node", "layer"
        );
    }
    for peak in ranked.iter().take(worst) {
        let point = &body.field.points[peak.point];
        let [x, y, z] = body.rows.positions[point.node];
        let cell = |width: usize, extreme: Extreme| {
            format!("{:>width$} {:>9.4}", megapascals(extreme.value), extreme.time)
        };
        let mises = Extreme { value: peak.von_mises.value.abs(), ..peak.von_mises };
        let _ = writeln!(
            out,
            "  {}  {}  {}  {:<16} {:<28} {x:.4}, {y:.4}, {z:.4}",
            cell(13, mises),
            cell(12, peak.tension),
            cell(12, peak.compression),
            node_words(&body.rows, point.node),
            point.words()
        );
    }
    out + &sections(body)
}

/// The largest of each section force over all lines.
fn sections(body: &Looked) -> String {
    let all = section_peaks(&body.rows, &body.instants, body.nodes.as_deref());
    let mut out = String::new();
    for (index, (name, unit)) in FORCES.into_iter().enumerate() {
        let size = |peak: &&SectionPeak| peak.forces[index].value.abs();
        let Some(most) = all.iter().max_by(|a, b| size(a).total_cmp(&size(b))) else { continue };
        if index == 0 {
            out += "  largest section forces\n";
        }
        let Extreme { value, time } = most.forces[index];
        let node = body.rows.lines[most.line][most.end] as usize;
        let words = node_words(&body.rows, node);
        let line = most.line + 1;
        let _ =
            writeln!(out, "  {name:>12} {value:>14.6} {unit:<4} at {time:.4} s, node {words}, line {line}");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::megapascals;

    #[test]
    fn four_digits() {
        let shown = [1234.6e6, 123.46e6, -12.3456e6, 1.23456e6, 0.123_456e6, 0.0, 1.5e3].map(megapascals);
        assert_eq!(shown, ["1235", "123.5", "-12.35", "1.235", "0.1235", "0.0000", "1.500e-3"]);
    }
}
