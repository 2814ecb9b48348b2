//! Panels of curves as SVG, the one description of a figure; PNG is made from it.

use super::axis::Axis;
use super::series::Series;
use crate::failure::Failure;
use std::fmt::Write;
use std::sync::Arc;

/// Curves that share axes.
#[derive(Default)]
pub struct Panel {
    /// The curves.
    pub series: Vec<Series>,
    /// Label of the abscissa, with unit.
    pub x_label: String,
    /// Label of the ordinate without unit; may be empty.
    pub y_label: String,
    /// Unit of the ordinate.
    pub unit: String,
    /// Whether the ordinate is logarithmic.
    pub logarithmic: bool,
    /// Whether the abscissa is time or frequency, which all panels share.
    pub shared: bool,
    /// Whether the abscissa is logarithmic.
    pub logarithmic_x: bool,
    /// Whether the ordinate begins at zero.
    pub from_zero: bool,
    /// Lines that help to read the curves and do not stretch the picture.
    pub guides: Vec<Guide>,
}

/// A straight line with its name where it leaves the panel.
pub struct Guide {
    /// Name.
    pub name: String,
    /// Both ends.
    pub ends: [(f64, f64); 2],
}

/// Size and heading of a figure.
pub struct Figure {
    /// Width (px).
    pub width: f64,
    /// Height of one panel (px).
    pub height: f64,
    /// Heading; may be empty.
    pub title: String,
    /// Panels from top to bottom.
    pub panels: Vec<Panel>,
}

const LEFT: f64 = 74.0;
const RIGHT: f64 = 16.0;
const FONT: f64 = 12.0;
/// Width of a usual letter (em).
const LETTER: f64 = 0.57;
// After Okabe and Ito (2008): told apart by colour-blind readers and on paper.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a6d3b"];
/// Patterns of the lines of further result files.
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
static FONT_FILE: &[u8] = include_bytes!("../../fonts/DejaVuSans-subset.ttf");

/// The figure as SVG.
pub fn svg(figure: &Figure) -> String {
    let mut body = String::new();
    let mut y = 14.0;
    if !figure.title.is_empty() {
        y += 18.0;
        let middle = (LEFT + figure.width - RIGHT) / 2.0;
        text(&mut body, middle, y - 6.0, "middle", "font-weight=\"bold\"", &figure.title);
    }
    for (index, panel) in figure.panels.iter().enumerate() {
        let last = index + 1 == figure.panels.len();
        y = draw_panel(&mut body, figure, panel, y, last);
    }
    let (width, height) = (figure.width, y + 4.0);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" font-size=\"{FONT}\" fill=\"#111\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n{body}</svg>\n"
    )
}

/// The figure as PNG, `scale` pixels per unit of the SVG.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, Failure> {
    let mut options = resvg::usvg::Options::default();
    let mut fonts = resvg::usvg::fontdb::Database::new();
    fonts.load_font_data(FONT_FILE.to_vec());
    options.font_family = "DejaVu Sans".into();
    options.fontdb = Arc::new(fonts);
    let wrong = |error: String| Failure::File(format!("the figure cannot be drawn: {error}"));
    let tree = resvg::usvg::Tree::from_str(svg, &options).map_err(|error| wrong(error.to_string()))?;
    let size = tree.size();
    let pixels = |length: f32| (length * scale).round().max(1.0) as u32;
    let mut picture = resvg::tiny_skia::Pixmap::new(pixels(size.width()), pixels(size.height()))
        .ok_or_else(|| wrong("it is too large".into()))?;
    resvg::render(&tree, resvg::tiny_skia::Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().map_err(|error| wrong(error.to_string()))
}

fn text(out: &mut String, x: f64, y: f64, anchor: &str, more: &str, words: &str) {
    // XML has no room for control characters.
    let words = words.replace(char::is_control, "\u{fffd}").replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {more}>{words}</text>");
}

/// Draws a panel whose legend starts at `top`; returns where the next one starts.
fn draw_panel(out: &mut String, figure: &Figure, panel: &Panel, top: f64, last: bool) -> f64 {
    let top = legend(out, figure, panel, top);
    let (width, height) = (figure.width - LEFT - RIGHT, figure.height);
    let all_x = || panel.series.iter().flat_map(|series| series.x.iter().copied());
    let all_y = || panel.series.iter().flat_map(|series| series.y.iter().copied());
    let x = match panel.logarithmic_x {
        true => Axis::decades(all_x()),
        false => Axis::linear(all_x(), if panel.shared { 0.0 } else { 0.05 }, (width / 90.0).max(2.0)),
    };
    let y = if panel.logarithmic {
        Axis::logarithmic(all_y())
    } else if panel.from_zero {
        let most = all_y().filter(|y| y.is_finite()).fold(0.0, f64::max);
        Axis::linear([0.0, 1.06 * most].into_iter(), 0.0, (height / 38.0).max(2.0))
    } else {
        Axis::linear(all_y(), 0.06, (height / 38.0).max(2.0))
    };
    let labelled = last || !panel.shared;
    grid(out, &x, &y, (LEFT, top, width, height), labelled);
    for line in &panel.guides {
        guide(out, line, &x, &y, (LEFT, top, width, height));
    }
    for series in &panel.series {
        curve(out, panel, series, &x, &y, (LEFT, top, width, height));
    }
    let _ = writeln!(
        out,
        "<rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"none\" stroke=\"#444\"/>"
    );
    let unit = match (y.factor(), panel.unit.as_str()) {
        (factor, "" | "1") if factor.is_empty() => String::new(),
        (factor, "" | "1") => format!("[{}]", factor.trim_end()),
        (factor, unit) => format!("[{factor}{unit}]"),
    };
    let label = format!("{} {unit}", panel.y_label);
    let turn = format!("transform=\"rotate(-90 18 {:.1})\"", top + height / 2.0);
    text(out, 18.0, top + height / 2.0, "middle", &turn, label.trim());
    if !labelled {
        return top + height + 12.0;
    }
    let x_label = match x.factor() {
        factor if factor.is_empty() => panel.x_label.clone(),
        factor => panel.x_label.replace('[', &format!("[{factor}")),
    };
    text(out, LEFT + width / 2.0, top + height + 36.0, "middle", "", &x_label);
    top + height + 50.0
}

fn grid(
    out: &mut String,
    x: &Axis,
    y: &Axis,
    (left, top, width, height): (f64, f64, f64, f64),
    labelled: bool,
) {
    for &tick in &x.ticks {
        let Some(at) = x.place(tick).map(|share| left + share * width) else { continue };
        let bottom = top + height;
        let _ = writeln!(out, "<path d=\"M{at:.1} {top:.1}V{bottom:.1}\" stroke=\"#e3e3e3\"/>");
        if labelled {
            text(out, at, bottom + 16.0, "middle", "", &x.label(tick));
        }
    }
    for &tick in &y.ticks {
        let Some(at) = y.place(tick).map(|share| top + (1.0 - share) * height) else { continue };
        let right = left + width;
        let _ = writeln!(out, "<path d=\"M{left} {at:.1}H{right:.1}\" stroke=\"#e3e3e3\"/>");
        text(out, left - 6.0, at + 4.0, "end", "", &y.label(tick));
    }
}

/// A guide up to where it leaves the panel, and its name there.
fn guide(
    out: &mut String,
    line: &Guide,
    x: &Axis,
    y: &Axis,
    (left, top, width, height): (f64, f64, f64, f64),
) {
    let place = |(a, b): (f64, f64)| Some((x.place(a)?, y.place(b)?));
    let [Some(from), Some(to)] = line.ends.map(place) else { return };
    // Guides go to the right; those that are steep leave at the top.
    let share = if to.1 > 1.0 { ((1.0 - from.1) / (to.1 - from.1)).clamp(0.0, 1.0) } else { 1.0 };
    let end = (from.0 + share * (to.0 - from.0), from.1 + share * (to.1 - from.1));
    let at = |(a, b): (f64, f64)| (left + a * width, top + (1.0 - b) * height);
    let ((x0, y0), (x1, y1)) = (at(from), at(end));
    let _ = writeln!(
        out,
        "<path d=\"M{x0:.1} {y0:.1}L{x1:.1} {y1:.1}\" stroke=\"#777\" stroke-width=\"1\" stroke-dasharray=\"5 4\"/>"
    );
    text(out, x1 - 5.0, y1 + 14.0, "end", "fill=\"#555\" font-size=\"11\"", &line.name);
}

/// Colour of a curve: one per channel, whatever file it comes from.
fn colour(panel: &Panel, series: &Series) -> &'static str {
    let mut names: Vec<&str> = Vec::new();
    for other in panel.series.iter().filter(|other| !other.reference) {
        if !names.contains(&other.name.as_str()) {
            names.push(&other.name);
        }
    }
    match names.iter().position(|name| *name == series.name) {
        // Reference data of a channel that is drawn too stands out in black.
        Some(_) if series.reference => "#111111",
        Some(index) => COLOURS[index % COLOURS.len()],
        None => COLOURS[(names.len() + series.file) % COLOURS.len()],
    }
}

fn curve(
    out: &mut String,
    panel: &Panel,
    series: &Series,
    x: &Axis,
    y: &Axis,
    (left, top, width, height): (f64, f64, f64, f64),
) {
    let stroke = colour(panel, series);
    let point = |(&a, &b): (&f64, &f64)| {
        let (a, b) = (x.place(a)?, y.place(b)?);
        (b > -0.5).then_some((left + a * width, top + (1.0 - b) * height))
    };
    let points = series.x.iter().zip(&series.y).map(point);
    if series.reference {
        // Not more marks than can be told apart.
        let every = (series.x.len() / 60).max(1);
        for (cx, cy) in points.step_by(every).flatten() {
            let _ = writeln!(
                out,
                "<circle cx=\"{cx:.2}\" cy=\"{cy:.2}\" r=\"2.6\" fill=\"none\" stroke=\"{stroke}\"/>"
            );
        }
        return;
    }
    let dash = DASHES[series.file % DASHES.len()];
    let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
    for piece in pieces(points, panel.shared) {
        let path: Vec<String> = piece.iter().map(|(a, b)| format!("{a:.2},{b:.2}")).collect();
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"1.5\" stroke-linejoin=\"round\"{dash}/>",
            path.join(" ")
        );
    }
}

/// Unbroken runs of points; along a rising abscissa each half pixel keeps its first, lowest, highest and last.
fn pieces(points: impl Iterator<Item = Option<(f64, f64)>>, rising: bool) -> Vec<Vec<(f64, f64)>> {
    let mut out: Vec<Vec<(f64, f64)>> = vec![Vec::new()];
    let mut column: Vec<(f64, f64)> = Vec::new();
    let flush = |column: &mut Vec<(f64, f64)>, run: &mut Vec<(f64, f64)>| {
        if column.len() > 4 {
            let pick = |better: fn(f64, f64) -> bool| {
                (1..column.len() - 1)
                    .fold(1, |best, i| if better(column[i].1, column[best].1) { i } else { best })
            };
            let mut keep = [0, pick(|a, b| a < b), pick(|a, b| a > b), column.len() - 1];
            keep.sort_unstable();
            run.extend(keep.map(|i| column[i]));
            run.dedup();
        } else {
            run.append(column);
        }
        column.clear();
    };
    for point in points {
        let Some(last) = out.last_mut() else { break };
        match point {
            None => {
                flush(&mut column, last);
                out.push(Vec::new());
            }
            Some(point) => {
                if !rising || column.first().is_some_and(|first| point.0 - first.0 > 0.5) {
                    flush(&mut column, last);
                }
                column.push(point);
            }
        }
    }
    if let Some(last) = out.last_mut() {
        flush(&mut column, last);
    }
    out.retain(|run| !run.is_empty());
    out
}

/// Names of the curves above the panel; returns where the panel starts.
fn legend(out: &mut String, figure: &Figure, panel: &Panel, top: f64) -> f64 {
    let sources = panel.series.iter().map(|series| series.file).collect::<std::collections::BTreeSet<_>>();
    if panel.series.len() < 2 {
        return top;
    }
    let (mut x, mut y) = (LEFT, top + 10.0);
    for series in panel.series.iter().filter(|series| !series.name.is_empty()) {
        let words = match (sources.len() > 1, series.name == panel.y_label) {
            (true, false) if !series.source.is_empty() => format!("{} ({})", series.name, series.source),
            (true, true) => series.source.clone(),
            _ => series.name.clone(),
        };
        let needed = 34.0 + LETTER * FONT * words.chars().count() as f64;
        if x > LEFT && x + needed > figure.width - RIGHT {
            (x, y) = (LEFT, y + 17.0);
        }
        let stroke = colour(panel, series);
        let at = y - 4.0;
        let _ = if series.reference {
            writeln!(
                out,
                "<circle cx=\"{:.1}\" cy=\"{at:.1}\" r=\"2.6\" fill=\"none\" stroke=\"{stroke}\"/>",
                x + 12.0
            )
        } else {
            let dash = DASHES[series.file % DASHES.len()];
            writeln!(
                out,
                "<path d=\"M{x:.1} {at:.1}h24\" stroke=\"{stroke}\" stroke-width=\"1.5\" stroke-dasharray=\"{dash}\"/>"
            )
        };
        text(out, x + 29.0, y, "start", "", &words);
        x += needed + 10.0;
    }
    y + 8.0
}
