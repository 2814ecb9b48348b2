//! The worst place of a duty cycle as a figure: its stress over time, and how many cycles exceed a range.

use super::Damaged;
use crate::failure::Failure;
use crate::plot::draw::{Figure, Panel};
use crate::plot::series::Series;
use flexura_output::fatigue::{Equivalent, FatigueCase, rainflow};
use flexura_output::stress::{on_plane, principal, signed_von_mises};

/// Stress of the worst place over time (MPa), and its ranges over the number of cycles that reach them.
pub fn figure(bodies: &[Damaged], case: &FatigueCase) -> Result<Figure, Failure> {
    let worst = bodies.iter().filter_map(|body| Some((body, *body.ranked().first()?)));
    let more =
        |a: &(&Damaged, usize), b: &(&Damaged, usize)| a.0.damages[a.1].sum.total_cmp(&b.0.damages[b.1].sum);
    let Some((body, point)) = worst.max_by(more) else {
        return Err(Failure::Usage("there is no place with stresses to draw".into()));
    };
    let plane = body.damages[point].plane;
    let number = |stress: &[f64; 6]| match (case.equivalent, plane) {
        (Equivalent::CriticalPlane, Some(normal)) => on_plane(stress, &normal),
        (Equivalent::Principal, _) => {
            let [first, _, third] = principal(stress);
            if first.abs() >= third.abs() { first } else { third }
        }
        _ => signed_von_mises(stress),
    };
    let (mut curves, mut ranges): (Vec<Series>, Vec<(f64, f64)>) = (Vec::new(), Vec::new());
    for (run, (instants, times)) in body.runs.iter().enumerate() {
        let history: Vec<f64> = body.field.history(point, instants).iter().map(number).collect();
        let name = if body.runs.len() == 1 { "stress".into() } else { format!("result {}", run + 1) };
        let y = history.iter().map(|value| case.factor * value / 1e6).collect();
        curves.push(series(&name, instants.times.clone(), y));
        ranges.extend(rainflow(&history).iter().map(|c| (case.factor * c.range / 1e6, c.count * times)));
    }
    ranges.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut x, mut y, mut sum) = (Vec::new(), Vec::new(), 0.0);
    for (range, count) in ranges {
        // Steps: every range holds from the cycles above it to those that reach it.
        x.extend([sum, sum + count]);
        y.extend([range, range]);
        sum += count;
    }
    let place = &body.field.points[point];
    let node = crate::stress::node_words(&body.rows, place.node);
    let title =
        format!("{}, node {node}, {}: damage {:.3e}", body.name, place.words(), body.damages[point].sum);
    let panel = |series: Vec<Series>, x_label: &str, y_label: &str| Panel {
        series,
        x_label: x_label.into(),
        y_label: y_label.into(),
        unit: "MPa".into(),
        ..Panel::default()
    };
    let panels = vec![
        panel(curves, "time [s]", "stress"),
        panel(vec![series("cycles of at least this range", x, y)], "cycles per duty cycle", "range"),
    ];
    Ok(Figure { width: 640.0, height: 190.0, title, panels })
}

fn series(name: &str, x: Vec<f64>, y: Vec<f64>) -> Series {
    Series { name: name.into(), unit: "MPa".into(), source: String::new(), file: 0, reference: false, x, y }
}
