//! The graph in the language of Graphviz.

use super::picture::Picture;
use std::fmt::Write;

/// The text of a DOT file.
pub fn dot(picture: &Picture<'_>) -> String {
    let graph = picture.graph;
    let mut text = format!(
        "digraph {} {{\n  rankdir=BT; node [shape=circle, width=0.12, fontsize=11];\n",
        quoted(picture.name)
    );
    for (vertex, name) in graph.vertices().iter().enumerate() {
        let style = if vertex == graph.datum() {
            "shape=box, style=filled, fillcolor=\"#d9d9d9\", width=2"
        } else {
            "fixedsize=false"
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  v{vertex} [label={}, {style}];", quoted(name));
    }
    for (index, edge) in graph.edges().iter().enumerate().filter(|&(index, _)| picture.shown[index]) {
        let style = match (picture.tree.is_branch(index), picture.dashes(index)) {
            (true, _) => "bold",
            (false, "") => "solid",
            (false, "1.5 4") => "dotted",
            (false, _) => "dashed",
        };
        let _ = writeln!(
            text,
            "  v{} -> v{} [label={}, style={style}, penwidth={}, color={}, fontcolor={}, fontsize=10];",
            edge.tail,
            edge.head,
            quoted(&edge.name),
            picture.width(index),
            colours(picture, index),
            quoted(picture.stroke(index)),
        );
    }
    text + "}\n"
}

/// Its own colour, then those of the loops it is a branch of, as parallel strands.
fn colours(picture: &Picture<'_>, edge: usize) -> String {
    let mut list = vec![picture.stroke(edge)];
    if picture.closes(edge).is_none() {
        list.extend(picture.loops_through(edge).take(4).map(Picture::colour));
    }
    quoted(&list.join(":"))
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
