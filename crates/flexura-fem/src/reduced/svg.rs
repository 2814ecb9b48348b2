//! Pictures of modes as SVG: the still part in grey, the deformed one in colour.
//!
//! Isometric view along (-1, -1, -1) with z upwards; faces are painted from far to near
//! and coloured by the size of the displacement. The largest displacement is drawn as a
//! tenth of the part's size.

use super::ReducedBody;
use crate::error::FemError;
use crate::linear::generalized_eigen;
use nalgebra::{DMatrix, Vector3};
use std::fmt::Write;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 600.0;
const MARGIN: f64 = 60.0;
/// Largest drawn displacement relative to the size of the part.
const AMPLITUDE: f64 = 0.1;
/// From this many faces on, edges are not drawn.
const FINE: usize = 4000;

/// Modes of the reduced part, by ascending frequency: one column of shape amplitudes each.
pub fn mode_amplitudes(body: &ReducedBody) -> Result<DMatrix<f64>, FemError> {
    let stiffness = DMatrix::from_row_slice(body.modal.modes, body.modal.modes, &body.modal.stiffness);
    Ok(generalized_eigen(&stiffness, &body.mass)?.1)
}

/// The picture of a displacement given by amplitudes of the shapes.
pub fn picture(body: &ReducedBody, amplitudes: &[f64], title: &str) -> String {
    let still: Vec<Vector3<f64>> = body.picture.nodes.iter().map(|node| Vector3::from(*node)).collect();
    let moves = displacements(body, amplitudes);
    let largest = moves.iter().map(|move_| move_.norm()).fold(0.0, f64::max);
    let (low, high) = bounds(&still);
    let size = (high - low).norm();
    let scale = if largest > 0.0 { AMPLITUDE * size / largest } else { 0.0 };
    let moved: Vec<Vector3<f64>> = still.iter().zip(&moves).map(|(at, step)| at + step * scale).collect();
    let part: Vec<f64> =
        moves.iter().map(|step| if largest > 0.0 { step.norm() / largest } else { 0.0 }).collect();

    let view = View::around(still.iter().chain(&moved));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"20\" y=\"32\" font-family=\"sans-serif\" font-size=\"18\" fill=\"#222\">{}</text>\n",
        escaped(title)
    );
    draw_still(&mut svg, body, &still, &view);
    draw_moved(&mut svg, body, &moved, &part, &view);
    draw_axes(&mut svg);
    draw_scale(&mut svg);
    svg += "</svg>\n";
    svg
}

fn displacements(body: &ReducedBody, amplitudes: &[f64]) -> Vec<Vector3<f64>> {
    let mut sum = vec![Vector3::zeros(); body.picture.nodes.len()];
    for (shape, amplitude) in amplitudes.iter().enumerate() {
        for (total, step) in sum.iter_mut().zip(body.picture.shape(shape)) {
            *total += Vector3::from(*step) * *amplitude;
        }
    }
    sum
}

fn bounds<'a>(points: impl IntoIterator<Item = &'a Vector3<f64>>) -> (Vector3<f64>, Vector3<f64>) {
    let start = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
    points.into_iter().fold(start, |(low, high), point| (low.inf(point), high.sup(point)))
}

/// Right, up and towards the eye.
fn axes() -> [Vector3<f64>; 3] {
    let towards = Vector3::new(1.0, -1.0, 0.8).normalize();
    let right = Vector3::z().cross(&towards).normalize();
    [right, towards.cross(&right), towards]
}

/// From the part to the sheet.
struct View {
    axes: [Vector3<f64>; 3],
    center: [f64; 2],
    scale: f64,
}

impl View {
    fn around<'a>(points: impl Iterator<Item = &'a Vector3<f64>>) -> Self {
        let axes = axes();
        let flat: Vec<Vector3<f64>> =
            points.map(|p| Vector3::new(axes[0].dot(p), axes[1].dot(p), 0.0)).collect();
        let (low, high) = bounds(&flat);
        let span = high - low;
        let scale =
            ((WIDTH - 2.0 * MARGIN) / span.x.max(1e-12)).min((HEIGHT - 2.0 * MARGIN) / span.y.max(1e-12));
        let scale = if scale.is_finite() && span.norm() > 0.0 { scale } else { 1.0 };
        Self { axes, center: [0.5 * (low.x + high.x), 0.5 * (low.y + high.y)], scale }
    }

    fn place(&self, point: &Vector3<f64>) -> [f64; 2] {
        let (x, y) = (self.axes[0].dot(point) - self.center[0], self.axes[1].dot(point) - self.center[1]);
        [0.5 * WIDTH + self.scale * x, 0.5 * HEIGHT - self.scale * y]
    }

    fn depth(&self, point: &Vector3<f64>) -> f64 {
        self.axes[2].dot(point)
    }
}

/// The still part: beams and edges of faces, thin and grey, as one path.
fn draw_still(svg: &mut String, body: &ReducedBody, points: &[Vector3<f64>], view: &View) {
    let mut edges: Vec<[u32; 2]> = body.picture.lines.clone();
    if body.picture.triangles.len() <= FINE {
        let sides = body.picture.triangles.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]);
        edges.extend(sides.map(|[a, b]| [a.min(b), a.max(b)]));
        edges.sort_unstable();
        edges.dedup();
    }
    *svg += "<path fill=\"none\" stroke=\"#bbb\" stroke-width=\"0.8\" d=\"";
    for [a, b] in edges {
        let ([x, y], [u, v]) = (view.place(&points[a as usize]), view.place(&points[b as usize]));
        write_to(svg, format_args!("M{x:.1} {y:.1}L{u:.1} {v:.1}"));
    }
    *svg += "\"/>\n";
}

fn draw_moved(svg: &mut String, body: &ReducedBody, points: &[Vector3<f64>], part: &[f64], view: &View) {
    let mean = |nodes: &[u32], value: &dyn Fn(usize) -> f64| {
        nodes.iter().map(|node| value(*node as usize)).sum::<f64>() / nodes.len() as f64
    };
    let mut order: Vec<&[u32; 3]> = body.picture.triangles.iter().collect();
    let depth = |nodes: &[u32]| mean(nodes, &|node| view.depth(&points[node]));
    order.sort_by(|a, b| depth(&a[..]).total_cmp(&depth(&b[..])));
    let stroke = if order.len() <= FINE { " stroke=\"#334\" stroke-width=\"0.3\"" } else { "" };
    write_to(svg, format_args!("<g fill-opacity=\"0.92\"{stroke}>\n"));
    for nodes in order {
        let corner = |place: usize| view.place(&points[nodes[place] as usize]);
        let ([a, b], [c, d], [e, f]) = (corner(0), corner(1), corner(2));
        let color = color(mean(&nodes[..], &|node| part[node]));
        write_to(
            svg,
            format_args!("<path fill=\"{color}\" d=\"M{a:.1} {b:.1}L{c:.1} {d:.1}L{e:.1} {f:.1}Z\"/>\n"),
        );
    }
    *svg += "</g>\n<g stroke-width=\"3\" stroke-linecap=\"round\">\n";
    for line in &body.picture.lines {
        let ([x, y], [u, v]) = (view.place(&points[line[0] as usize]), view.place(&points[line[1] as usize]));
        let color = color(mean(&line[..], &|node| part[node]));
        write_to(svg, format_args!("<path stroke=\"{color}\" d=\"M{x:.1} {y:.1}L{u:.1} {v:.1}\"/>\n"));
    }
    *svg += "</g>\n";
}

/// Dark blue over green to yellow for 0 to 1, readable in grey.
fn color(part: f64) -> String {
    const STOPS: [[f64; 3]; 5] = [
        [59.0, 76.0, 138.0],
        [44.0, 114.0, 142.0],
        [40.0, 160.0, 130.0],
        [122.0, 200.0, 82.0],
        [245.0, 220.0, 50.0],
    ];
    let at = part.clamp(0.0, 1.0) * 4.0;
    let low = (at.floor() as usize).min(3);
    let mix = at - low as f64;
    let channel = |i: usize| (STOPS[low][i] + mix * (STOPS[low + 1][i] - STOPS[low][i])).round() as u8;
    format!("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2))
}

fn draw_axes(svg: &mut String) {
    let [right, up, _] = axes();
    let origin = [60.0, HEIGHT - 60.0];
    for (index, name) in ["x", "y", "z"].iter().enumerate() {
        let (dx, dy) = (35.0 * right[index], -35.0 * up[index]);
        let (x, y) = (origin[0] + dx, origin[1] + dy);
        write_to(
            svg,
            format_args!(
                "<path stroke=\"#444\" stroke-width=\"1.5\" d=\"M{} {}L{x:.1} {y:.1}\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-family=\"sans-serif\" font-size=\"13\" fill=\"#444\">{name}</text>\n",
                origin[0],
                origin[1],
                x + 0.25 * dx - 4.0,
                y + 0.25 * dy + 4.0
            ),
        );
    }
}

fn draw_scale(svg: &mut String) {
    for step in 0..20 {
        let color = color(f64::from(step) / 19.0);
        let x = WIDTH - 230.0 + 8.0 * f64::from(step);
        write_to(
            svg,
            format_args!(
                "<rect x=\"{x}\" y=\"{}\" width=\"8.5\" height=\"10\" fill=\"{color}\"/>\n",
                HEIGHT - 40.0
            ),
        );
    }
    write_to(
        svg,
        format_args!(
            "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#444\">displacement, still to largest</text>\n",
            WIDTH - 232.0,
            HEIGHT - 48.0
        ),
    );
}

fn escaped(text: &str) -> String {
    // XML has no room for control characters.
    let text = text.replace(char::is_control, "\u{fffd}");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn write_to(svg: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = svg.write_fmt(text);
}
