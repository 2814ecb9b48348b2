//! A figure with logarithmic axes as SVG text.

use std::fmt::Write;

/// One line of the figure.
pub struct Curve {
    /// Text at its end.
    pub name: String,
    /// Whether it is drawn dashed.
    pub dashed: bool,
    /// Points; those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

const SIZE: [f64; 2] = [760.0, 460.0];
/// Left, right, top and bottom edge of the axes.
const EDGES: [f64; 4] = [70.0, 560.0, 40.0, 410.0];
const COLOURS: [&str; 5] = ["#1f6fb4", "#d1495b", "#2e8b57", "#8d6cab", "#c77f1a"];

/// Draws `curves`; colours repeat after five.
pub fn log_log(title: &str, across: &str, up: &str, curves: &[Curve]) -> String {
    let all = || curves.iter().flat_map(|curve| &curve.points).filter(|p| p.1.is_finite());
    let bounds = |values: &mut dyn Iterator<Item = f64>| {
        let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        [low.log10().floor(), high.log10().ceil()]
    };
    let (x, y) = (bounds(&mut all().map(|p| p.0)), bounds(&mut all().map(|p| p.1)));
    let place = |p: &(f64, f64)| {
        let share = |value: f64, ends: [f64; 2]| (value.log10() - ends[0]) / (ends[1] - ends[0]);
        let across = EDGES[0] + share(p.0, x) * (EDGES[1] - EDGES[0]);
        (across, EDGES[3] - share(p.1, y) * (EDGES[3] - EDGES[2]))
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        SIZE[0], SIZE[1]
    );
    let mut text = |x: f64, y: f64, more: &str, words: &str| {
        let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" {more}>{words}</text>");
    };
    text(EDGES[0], 22.0, "font-size=\"14\"", title);
    text(0.5 * (EDGES[0] + EDGES[1]), 448.0, "text-anchor=\"middle\"", across);
    text(18.0, 225.0, "text-anchor=\"middle\" transform=\"rotate(-90 18 225)\"", up);
    for decade in x[0] as i32..=x[1] as i32 {
        let at = place(&(10f64.powi(decade), 10f64.powf(y[0])));
        text(at.0, at.1 + 18.0, "text-anchor=\"middle\"", &format!("{}", 10f64.powi(decade)));
    }
    for decade in y[0] as i32..=y[1] as i32 {
        let at = place(&(10f64.powf(x[0]), 10f64.powi(decade)));
        text(at.0 - 8.0, at.1 + 4.0, "text-anchor=\"end\"", &format!("{}", 10f64.powi(decade)));
    }
    grid(&mut out, x, y, &place);
    label_ends(&mut out, curves, &place);
    out.push_str("</svg>\n");
    out
}

fn grid(out: &mut String, x: [f64; 2], y: [f64; 2], place: &impl Fn(&(f64, f64)) -> (f64, f64)) {
    let mut line = |a: (f64, f64), b: (f64, f64)| {
        let _ = writeln!(
            out,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#ddd\"/>",
            a.0, a.1, b.0, b.1
        );
    };
    for decade in x[0] as i32..=x[1] as i32 {
        let at = |y: f64| place(&(10f64.powi(decade), 10f64.powf(y)));
        line(at(y[0]), at(y[1]));
    }
    for decade in y[0] as i32..=y[1] as i32 {
        let at = |x: f64| place(&(10f64.powf(x), 10f64.powi(decade)));
        line(at(x[0]), at(x[1]));
    }
}

/// The curves, their names beside their ends, moved apart where they would overlap.
fn label_ends(out: &mut String, curves: &[Curve], place: &impl Fn(&(f64, f64)) -> (f64, f64)) {
    let mut ends = Vec::new();
    for (index, curve) in curves.iter().enumerate() {
        let points: Vec<(f64, f64)> = curve.points.iter().filter(|p| p.1.is_finite()).map(place).collect();
        let Some(&last) = points.last() else { continue };
        let dash = if curve.dashed { " stroke-dasharray=\"5 3\"" } else { "" };
        let path: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
        let colour = COLOURS[index % COLOURS.len()];
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dash}/>",
            path.join(" ")
        );
        ends.push((last, curve.name.as_str(), colour));
    }
    ends.sort_by(|a, b| a.0.1.total_cmp(&b.0.1));
    let mut above = f64::NEG_INFINITY;
    for ((x, y), name, colour) in ends {
        above = y.max(above + 14.0);
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>",
            x + 8.0,
            above + 4.0
        );
    }
}
