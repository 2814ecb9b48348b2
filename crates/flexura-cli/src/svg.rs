//! Line plots as SVG text, for frequency responses and Campbell diagrams.

use std::fmt::Write;

const WIDTH: f64 = 860.0;
const PANEL: f64 = 300.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 290.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 52.0;
/// Lines longer than this list repeat colours.
const COLORS: [&str; 8] =
    ["#1f6fb4", "#d1495b", "#2e8b57", "#8e5ea2", "#e08e1b", "#17a2b8", "#6b4f3a", "#555555"];

/// One line.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
    pub dashed: bool,
}

/// One set of axes.
pub struct Panel {
    pub title: String,
    pub x: String,
    pub y: String,
    pub log_x: bool,
    pub log_y: bool,
    pub series: Vec<Series>,
}

/// How values become places.
struct Scale {
    low: f64,
    high: f64,
    log: bool,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>, log: bool) -> Self {
        let usable = values.filter(|v| v.is_finite() && (!log || *v > 0.0));
        let (mut low, mut high) =
            usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        if low > high {
            (low, high) = (1.0, 10.0);
        }
        if log {
            (low, high) = (10.0_f64.powf(low.log10().floor()), 10.0_f64.powf(high.log10().ceil()));
            high = high.max(10.0 * low);
        } else if low == high {
            (low, high) = (low - 1.0, high + 1.0);
        }
        Self { low, high, log }
    }

    /// 0 at the low end, 1 at the high end.
    fn place(&self, value: f64) -> f64 {
        match self.log {
            true => (value / self.low).log10() / (self.high / self.low).log10(),
            false => (value - self.low) / (self.high - self.low),
        }
    }

    fn ticks(&self) -> Vec<f64> {
        if self.log {
            let decades = (self.high / self.low).log10().round() as i32;
            let stride = (decades / 8 + 1) as usize;
            return (0..=decades).step_by(stride).map(|i| self.low * 10.0_f64.powi(i)).collect();
        }
        let raw = (self.high - self.low) / 6.0;
        let decade = 10.0_f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * decade).into_iter().find(|s| *s >= raw).unwrap_or(raw);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }
}

/// The panels, one below the other.
pub fn figure(panels: &[Panel]) -> String {
    let height = PANEL * panels.len() as f64;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        let _ = writeln!(text, "<g transform=\"translate(0 {})\">", PANEL * i as f64);
        draw(panel, &mut text);
        text.push_str("</g>\n");
    }
    text.push_str("</svg>\n");
    text
}

fn draw(panel: &Panel, text: &mut String) {
    let all = || panel.series.iter().flat_map(|series| &series.points);
    let x = Scale::new(all().map(|p| p.0), panel.log_x);
    // Reference lines must not stretch the picture.
    let solid = panel.series.iter().filter(|series| !series.dashed).flat_map(|series| &series.points);
    let y = Scale::new(solid.map(|p| p.1), panel.log_y);
    let (width, height) = (WIDTH - LEFT - RIGHT, PANEL - TOP - BOTTOM);
    let at_x = |v: f64| LEFT + width * x.place(v);
    let at_y = |v: f64| TOP + height * (1.0 - y.place(v));
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"20\" font-weight=\"bold\">{}</text>\n<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{width}\" \
         height=\"{height}\" fill=\"none\" stroke=\"#333\"/>",
        escape(&panel.title)
    );
    for tick in x.ticks() {
        let (px, bottom) = (at_x(tick), TOP + height);
        let _ = writeln!(
            text,
            "<path d=\"M{px:.1} {TOP}V{bottom:.1}\" stroke=\"#ddd\"/><text x=\"{px:.1}\" y=\"{:.1}\" \
             text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            label(tick)
        );
    }
    for tick in y.ticks() {
        let py = at_y(tick);
        let _ = writeln!(
            text,
            "<path d=\"M{LEFT} {py:.1}H{:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" \
             text-anchor=\"end\">{}</text>",
            LEFT + width,
            LEFT - 6.0,
            py + 4.0,
            label(tick)
        );
    }
    let (middle, side) = (LEFT + 0.5 * width, TOP + 0.5 * height);
    let _ = writeln!(
        text,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n<text transform=\"translate(18 {side:.1}) \
         rotate(-90)\" text-anchor=\"middle\">{}</text>",
        PANEL - 14.0,
        escape(&panel.x),
        escape(&panel.y)
    );
    for (i, series) in panel.series.iter().enumerate() {
        let color = if series.dashed { "#999" } else { COLORS[i % COLORS.len()] };
        let dash = if series.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
        let mut path = String::new();
        let mut pen = 'M';
        for &(px, py) in &series.points {
            let inside = px.is_finite() && py.is_finite() && (-1e-9..=1.0 + 1e-9).contains(&y.place(py));
            if inside {
                let _ = write!(path, "{pen}{:.2} {:.2}", at_x(px), at_y(py));
            }
            pen = if inside { 'L' } else { 'M' };
        }
        let _ = writeln!(
            text,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\"{dash}/>"
        );
        if i < 16 {
            let (px, py) = (LEFT + width + 10.0, TOP + 10.0 + 14.0 * i as f64);
            let _ = writeln!(
                text,
                "<text x=\"{px:.1}\" y=\"{py:.1}\" fill=\"{color}\" font-size=\"11\">{}</text>",
                escape(&series.name)
            );
        }
    }
}

fn label(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        format!("{value:.0e}")
    } else {
        format!("{}", (value * 1e9).round() / 1e9)
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
