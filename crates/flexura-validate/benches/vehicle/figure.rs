//! A figure with linear axes as SVG text; few points get marks.

use std::fmt::Write;

/// One line with marks.
pub struct Series {
    /// Text at its end.
    pub name: &'static str,
    /// Whether it is dashed, in black, over the others.
    pub dashed: bool,
    /// Points; those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
}

/// Left, right, top and bottom edge of the axes.
const EDGES: [f64; 4] = [70.0, 520.0, 40.0, 330.0];
const COLOURS: [&str; 4] = ["#d1495b", "#1f6fb4", "#2e8b57", "#8d6cab"];

/// A round distance of marks that divides `span` into four to ten.
fn spacing(span: f64) -> f64 {
    let decade = 10f64.powf(span.log10().floor());
    [0.1, 0.2, 0.5, 1.0].map(|part| part * decade).into_iter().find(|s| span / s <= 10.0).unwrap_or(decade)
}

fn text(out: &mut String, (x, y): (f64, f64), more: &str, words: &str) {
    let _ = writeln!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\" {more}>{words}</text>");
}

/// A mark without the digits of rounding.
fn mark(value: f64) -> String {
    format!("{}", (1e6 * value).round() / 1e6)
}

/// Draws `series` on axes that begin at zero.
pub fn draw(title: &str, [across, up]: [&str; 2], series: &[Series]) -> String {
    let all = || series.iter().flat_map(|s| &s.points).filter(|p| p.1.is_finite());
    let far = all().fold(0.0_f64, |most, p| most.max(p.0));
    let high = all().fold(0.0_f64, |most, p| most.max(p.1));
    let marks = [spacing(far), spacing(high)];
    let high = (high / marks[1]).ceil() * marks[1];
    let x = |value: f64| EDGES[0] + value / far * (EDGES[1] - EDGES[0]);
    let y = |value: f64| EDGES[3] - value / high * (EDGES[3] - EDGES[2]);
    let mut out = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 660 390\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
    );
    text(&mut out, (EDGES[0], 22.0), "font-size=\"14\"", title);
    text(&mut out, (0.5 * (EDGES[0] + EDGES[1]), 372.0), "text-anchor=\"middle\"", across);
    text(&mut out, (18.0, 185.0), "text-anchor=\"middle\" transform=\"rotate(-90 18 185)\"", up);
    for k in 0..=(far / marks[0] + 1e-9) as usize {
        let value = k as f64 * marks[0];
        text(&mut out, (x(value), EDGES[3] + 18.0), "text-anchor=\"middle\"", &mark(value));
    }
    for k in 0..=(high / marks[1] + 1e-9) as usize {
        let value = k as f64 * marks[1];
        text(&mut out, (EDGES[0] - 8.0, y(value) + 4.0), "text-anchor=\"end\"", &mark(value));
        let _ =
            writeln!(out, "<path d=\"M{:.1} {:.1}H{:.1}\" stroke=\"#ddd\"/>", EDGES[0], y(value), EDGES[1]);
    }
    for (series, colour) in series.iter().zip(COLOURS) {
        let points: Vec<_> =
            series.points.iter().filter(|p| p.1.is_finite()).map(|p| (x(p.0), y(p.1))).collect();
        let path: Vec<String> = points.iter().map(|p| format!("{:.1},{:.1}", p.0, p.1)).collect();
        let colour = if series.dashed { "#222" } else { colour };
        let dash = if series.dashed { " stroke-dasharray=\"4 4\"" } else { "" };
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dash}/>",
            path.join(" ")
        );
        for p in points.iter().filter(|_| points.len() < 20) {
            let _ = writeln!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"/>", p.0, p.1);
        }
        if let Some(end) = points.last() {
            let colour = format!("fill=\"{colour}\"");
            text(&mut out, (end.0 + 8.0, end.1 + 4.0), &colour, series.name);
        }
    }
    out.push_str("</svg>\n");
    out
}
