//! The graph as a picture of its own.

use super::layout::{Curve, Layout, MARGIN, Point};
use super::names::{Name, place_names};
use super::picture::Picture;
use flexura::graph::Component;
use std::fmt::Write;

/// Most loops drawn around one branch.
const MOST_STRANDS: usize = 6;

/// The text of an SVG file.
pub fn svg(picture: &Picture<'_>) -> String {
    let layout = Layout::new(picture.graph, &picture.shown);
    let names = place_names(picture.graph, &layout);
    let [width, height] = layout.size;
    let legend = 26.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" viewBox=\"0 {:.0} {width:.0} {:.0}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\">\n<rect y=\"{:.0}\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        height + legend,
        -legend,
        height + legend,
        -legend
    );
    title(&mut out, picture);
    loops(&mut out, picture, &layout);
    ground(&mut out, picture, &layout);
    for (index, curve) in layout.curves.iter().enumerate() {
        if let Some(curve) = curve {
            edge(&mut out, picture, index, curve);
        }
    }
    vertices(&mut out, picture, &layout);
    for (index, name) in names.edges.iter().enumerate() {
        if let Some(name) = name {
            text(&mut out, name, &picture.graph.edges()[index].name, picture.stroke(index), "");
        }
    }
    for (vertex, name) in names.vertices.iter().enumerate() {
        if let Some(name) = name {
            text(&mut out, name, &picture.graph.vertices()[vertex], "#1c2430", " font-weight=\"bold\"");
        }
    }
    out + "</svg>\n"
}

/// Name of the model and what the strokes mean.
fn title(out: &mut String, picture: &Picture<'_>) {
    let meaning = "bold: tree · thin: chords · double: flexible arm · dashed: body · dots: forces, virtual work · coloured: loops";
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"-4\" font-size=\"14\" font-weight=\"bold\" fill=\"#1c2430\">{}</text>\n\
         <text x=\"{MARGIN}\" y=\"12\" font-size=\"10\" fill=\"#5b6b7f\">{meaning}</text>",
        escaped(picture.name)
    );
}

/// A broad coloured band under all edges of each loop, one outside the other where loops share edges.
fn loops(out: &mut String, picture: &Picture<'_>, layout: &Layout) {
    for (index, curve) in layout.curves.iter().enumerate() {
        let Some(curve) = curve else { continue };
        let through: Vec<usize> = picture.loops_through(index).take(MOST_STRANDS).collect();
        for (strand, &number) in through.iter().enumerate().rev() {
            let (colour, width) = (Picture::tint(number), 9.0 + 7.0 * strand as f64);
            let _ = writeln!(
                out,
                "<path d=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linecap=\"round\"/>",
                path(curve)
            );
        }
    }
    // The datum is part of a loop between the two feet of it.
    for (number, members) in picture.loops.iter().enumerate() {
        let feet = members.iter().filter_map(|&(edge, _)| layout.curves[edge].as_ref()?.foot);
        let feet: Vec<Point> = feet.collect();
        if let [one, two] = feet[..] {
            let y = layout.ground + 4.0 + 5.0 * (number % MOST_STRANDS) as f64;
            let _ = writeln!(
                out,
                "<path d=\"M {:.1} {y} L {:.1} {y}\" stroke=\"{}\" stroke-width=\"5\"/>",
                one[0],
                two[0],
                Picture::tint(number)
            );
        }
    }
}

/// The datum: a bar with hatching.
fn ground(out: &mut String, picture: &Picture<'_>, layout: &Layout) {
    let (left, right, y) = (MARGIN / 2.0, layout.size[0] - MARGIN / 2.0, layout.ground);
    let _ = writeln!(out, "<path d=\"M {left} {y} L {right} {y}\" stroke=\"#1c2430\" stroke-width=\"3\"/>");
    let mut hatches = String::new();
    let mut x = left + 10.0;
    while x < right {
        let _ = write!(hatches, "M {x:.0} {:.0} l -8 10 ", y + 1.0);
        x += 12.0;
    }
    let _ = writeln!(out, "<path d=\"{hatches}\" stroke=\"#8a93a0\" stroke-width=\"1\" fill=\"none\"/>");
    let name = Name { at: [left + 30.0, y + 26.0], angle: 0.0 };
    let datum = &picture.graph.vertices()[picture.graph.datum()];
    text(out, &name, datum, "#1c2430", " font-weight=\"bold\"");
}

fn edge(out: &mut String, picture: &Picture<'_>, index: usize, curve: &Curve) {
    let (colour, width) = (picture.stroke(index), picture.width(index));
    let dashes = picture.dashes(index);
    let dashes = if dashes.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dashes}\"") };
    let d = path(curve);
    let flexible = picture.graph.edges()[index].component == Component::FlexibleArm;
    if flexible {
        let _ = writeln!(
            out,
            "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\"/>",
            width + 3.0
        );
        let _ = writeln!(out, "<path d=\"{d}\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"2.4\"/>");
    } else {
        let _ = writeln!(
            out,
            "<path d=\"{d}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"{dashes}/>"
        );
    }
    arrow(out, picture, index, curve);
}

/// A head in the middle of the edge, in its direction.
fn arrow(out: &mut String, picture: &Picture<'_>, index: usize, curve: &Curve) {
    let edge = &picture.graph.edges()[index];
    let (at, along) = match curve.foot {
        // Feet are drawn downwards; most edges come up from the datum.
        Some(foot) => {
            let up = if edge.tail == picture.graph.datum() { -1.0 } else { 1.0 };
            ([foot[0], (curve.points[3][1] + 6.0).min(foot[1])], [0.0, up])
        }
        None => {
            let (before, after) = (curve.at(0.74), curve.at(0.78));
            (curve.at(0.76), [after[0] - before[0], after[1] - before[1]])
        }
    };
    let length = along[0].hypot(along[1]).max(1e-9);
    let [ux, uy] = [along[0] / length, along[1] / length];
    let size = 4.0 + picture.width(index);
    let corner = |forward: f64, side: f64| {
        format!(
            "{:.1},{:.1}",
            at[0] + size * (forward * ux - side * uy),
            at[1] + size * (forward * uy + side * ux)
        )
    };
    let points = [corner(0.9, 0.0), corner(-0.6, 0.6), corner(-0.6, -0.6)].join(" ");
    let _ = writeln!(out, "<polygon points=\"{points}\" fill=\"{}\"/>", picture.stroke(index));
}

fn vertices(out: &mut String, picture: &Picture<'_>, layout: &Layout) {
    for (vertex, [x, y]) in layout.vertices.iter().enumerate() {
        if vertex == picture.graph.datum() {
            continue;
        }
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6\" fill=\"#ffffff\" stroke=\"#1c2430\" stroke-width=\"2\"/>"
        );
    }
}

fn text(out: &mut String, name: &Name, words: &str, colour: &str, further: &str) {
    let [x, y] = name.at;
    let turn = if name.angle == 0.0 {
        String::new()
    } else {
        format!(" transform=\"rotate({:.1} {x:.1} {y:.1})\"", name.angle)
    };
    // A white rim keeps names readable where they cross something; numbers are lowered to their middle.
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\"0.34em\" text-anchor=\"middle\" fill=\"{colour}\" stroke=\"#ffffff\" \
         stroke-width=\"3\" paint-order=\"stroke\"{further}{turn}>{}</text>",
        escaped(words)
    );
}

fn path(curve: &Curve) -> String {
    let [a, b, c, d] = curve.points;
    let mut path = format!(
        "M {:.1} {:.1} C {:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
        a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]
    );
    if let Some(foot) = curve.foot {
        let _ = write!(path, " L {:.1} {:.1}", foot[0], foot[1]);
    }
    path
}

fn escaped(text: &str) -> String {
    // XML has no room for control characters.
    let text = text.replace(char::is_control, "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
