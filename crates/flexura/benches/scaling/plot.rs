//! The picture of a scaling run: time against bodies, speed-up against threads.

use super::Row;
use std::fmt::Write as _;

const COLORS: [&str; 6] = ["#999999", "#d95f02", "#e6ab02", "#1b9e77", "#7570b3", "#1f4e9c"];
const SIZE: [f64; 2] = [360.0, 300.0];
const MARGIN: [f64; 2] = [62.0, 34.0];

/// A panel with logarithmic axes over `x` and `y` (powers of two, powers of ten).
struct Panel {
    origin: [f64; 2],
    x: [f64; 2],
    y: [f64; 2],
}

impl Panel {
    fn place(&self, x: f64, y: f64) -> [f64; 2] {
        let along = |value: f64, [low, high]: [f64; 2]| (value / low).ln() / (high / low).ln();
        [self.origin[0] + SIZE[0] * along(x, self.x), self.origin[1] + SIZE[1] * (1.0 - along(y, self.y))]
    }

    fn frame(&self, out: &mut String, title: &str, names: [&str; 2], ticks: [Vec<(f64, String)>; 2]) {
        let [left, top] = self.origin;
        let _ = writeln!(
            out,
            "<rect x='{left}' y='{top}' width='{}' height='{}' fill='none' stroke='#444'/>",
            SIZE[0], SIZE[1]
        );
        let _ = writeln!(out, "<text x='{}' y='{}' font-weight='bold'>{title}</text>", left, top - 10.0);
        for (value, text) in &ticks[0] {
            let [x, y] = self.place(*value, self.y[0]);
            let _ = writeln!(out, "<path d='M{x:.1} {y:.1}v-{}' stroke='#e4e4e4'/>", SIZE[1]);
            let _ = writeln!(out, "<text x='{x:.1}' y='{:.1}' text-anchor='middle'>{text}</text>", y + 15.0);
        }
        for (value, text) in &ticks[1] {
            let [x, y] = self.place(self.x[0], *value);
            let _ = writeln!(out, "<path d='M{x:.1} {y:.1}h{}' stroke='#e4e4e4'/>", SIZE[0]);
            let _ =
                writeln!(out, "<text x='{:.1}' y='{:.1}' text-anchor='end'>{text}</text>", x - 5.0, y + 4.0);
        }
        let (middle, bottom) = (left + SIZE[0] / 2.0, top + SIZE[1] + 32.0);
        let _ = writeln!(out, "<text x='{middle}' y='{bottom}' text-anchor='middle'>{}</text>", names[0]);
        let (x, y) = (left - 46.0, top + SIZE[1] / 2.0);
        let turn = format!("transform='rotate(-90 {x} {y})'");
        let _ = writeln!(out, "<text x='{x}' y='{y}' text-anchor='middle' {turn}>{}</text>", names[1]);
    }

    fn curve(&self, out: &mut String, points: &[(f64, f64)], color: &str, dashed: bool) {
        let list: Vec<String> = points
            .iter()
            .map(|&(x, y)| self.place(x, y.clamp(self.y[0], self.y[1])))
            .map(|[x, y]| format!("{x:.1},{y:.1}"))
            .collect();
        let dash = if dashed { " stroke-dasharray='5 4'" } else { "" };
        let _ = writeln!(
            out,
            "<polyline points='{}' fill='none' stroke='{color}' stroke-width='1.8'{dash}/>",
            list.join(" ")
        );
    }

    fn legend(&self, out: &mut String, entries: &[(String, &str, bool)], at: [f64; 2]) {
        for (index, (text, color, dashed)) in entries.iter().enumerate() {
            let (x, y) = (self.origin[0] + at[0], self.origin[1] + at[1] + 16.0 * index as f64);
            let dash = if *dashed { " stroke-dasharray='5 4'" } else { "" };
            let _ = writeln!(out, "<path d='M{x} {y}h22' stroke='{color}' stroke-width='1.8'{dash}/>");
            let _ = writeln!(out, "<text x='{}' y='{}'>{text}</text>", x + 28.0, y + 4.0);
        }
    }
}

fn powers_of_two(low: f64, high: f64, step: usize) -> Vec<(f64, String)> {
    let range = low.log2().ceil() as i32..=high.log2().floor() as i32;
    range
        .step_by(step)
        .map(|e| (2_f64.powi(e), if e < 6 { format!("{}", 1 << e) } else { power(2, e) }))
        .collect()
}

fn power(base: u32, exponent: i32) -> String {
    format!("{base}<tspan baseline-shift='super' font-size='8'>{exponent}</tspan>")
}

/// Time against bodies on one of the thread counts; dashed: articulated bodies.
fn times(out: &mut String, rows: &[Row], fitted: [f64; 2], origin: [f64; 2], title: &str) {
    let Some((first, last)) = rows.first().zip(rows.last()) else { return };
    let all = || rows.iter().flat_map(|row| row.divided.iter().map(|&(_, t)| t).chain([row.articulated]));
    let (low, high) = (all().fold(f64::MAX, f64::min) * 1e6, all().fold(0.0, f64::max) * 1e6);
    let y = [10_f64.powf(low.log10().floor()), 10_f64.powf(high.log10().ceil())];
    let panel = Panel { origin, x: [first.n as f64, (last.n as f64).max(first.n as f64 * 2.0)], y };
    let decades = y[0].log10().round() as i32..=y[1].log10().round() as i32;
    let ticks =
        [powers_of_two(panel.x[0], panel.x[1], 2), decades.map(|e| (10_f64.powi(e), power(10, e))).collect()];
    panel.frame(out, title, ["bodies", "time of one evaluation (µs)"], ticks);
    let points: Vec<(f64, f64)> = rows.iter().map(|row| (row.n as f64, row.articulated * 1e6)).collect();
    panel.curve(out, &points, COLORS[0], true);
    let mut entries = vec![("articulated bodies".to_owned(), COLORS[0], true)];
    for (&p, color) in [1, 2, 4, 8, 16].iter().zip(&COLORS[1..]) {
        let of = |row: &Row| {
            row.divided.iter().find(|(count, _)| *count == p).map(|&(_, t)| (row.n as f64, t * 1e6))
        };
        let points: Vec<(f64, f64)> = rows.iter().filter_map(of).collect();
        if !points.is_empty() {
            panel.curve(out, &points, color, false);
            entries.push((format!("{p} thread{}", if p == 1 { "" } else { "s" }), color, false));
        }
    }
    panel.legend(out, &entries, [14.0, 18.0]);
    let text = format!("T = {:.0} ns n/p + {:.2} µs log2 n", fitted[0] * 1e9, fitted[1] * 1e6);
    let _ = writeln!(
        out,
        "<text x='{}' y='{}' text-anchor='end'>{text}</text>",
        origin[0] + SIZE[0] - 8.0,
        origin[1] + SIZE[1] - 10.0
    );
}

/// Time by articulated bodies over that by divide and conquer, against threads.
fn gains(out: &mut String, rows: &[Row], origin: [f64; 2], title: &str) {
    let largest = rows.iter().flat_map(|row| row.divided.iter().map(|&(p, _)| p)).max().unwrap_or(1);
    let top = (largest.max(2) as f64).max(2.0);
    let panel = Panel { origin, x: [1.0, top], y: [0.25, top] };
    let mut threads = powers_of_two(1.0, top, 1);
    threads.dedup_by(|a, b| a.0 == b.0);
    let ticks: Vec<(f64, String)> = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0]
        .into_iter()
        .filter(|&y| y <= top)
        .map(|y| (y, format!("{y}")))
        .collect();
    panel.frame(out, title, ["threads", "times faster than articulated bodies"], [threads, ticks]);
    panel.curve(out, &[(1.0, 1.0), (top, top)], "#cccccc", true);
    let mut entries = Vec::new();
    let chosen: Vec<&Row> = rows.iter().rev().step_by(3).take(5).collect();
    for (row, color) in chosen.into_iter().zip(COLORS[1..].iter().rev()) {
        let points: Vec<(f64, f64)> =
            row.divided.iter().map(|&(p, t)| (p as f64, row.articulated / t)).collect();
        panel.curve(out, &points, color, false);
        entries.push((format!("n = {}", row.n), *color, false));
    }
    panel.legend(out, &entries, [14.0, 18.0]);
}

/// Both panels for rigid and flexible chains.
pub fn picture(all: &[(Vec<Row>, [f64; 2])]) -> String {
    let step = [SIZE[0] + MARGIN[0] + 30.0, SIZE[1] + MARGIN[1] + 50.0];
    let (width, height) = (2.0 * step[0] + 10.0, step[1] * all.len() as f64 + 6.0);
    let mut out = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{width}' height='{height}' viewBox='0 0 {width} {height}' \
         font-family='sans-serif' font-size='11'>\n<rect width='100%' height='100%' fill='white'/>\n"
    );
    for (index, (rows, fitted)) in all.iter().enumerate() {
        let modes = rows.first().map_or(0, |row| row.modes);
        let kind = if modes == 0 { "rigid chain".into() } else { format!("flexible chain, {modes} modes") };
        let y = MARGIN[1] + index as f64 * step[1];
        times(&mut out, rows, *fitted, [MARGIN[0], y], &kind);
        gains(&mut out, rows, [MARGIN[0] + step[0], y], &kind);
    }
    out + "</svg>\n"
}
