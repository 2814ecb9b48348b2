//! Figures of cases by the plotter of `flexura plot`.

use crate::plot::draw::{self, Panel};
use crate::plot::series::Series;
use flexura_validate::{Curve, Figure, Look};

/// Points per curve that are kept: more cannot be seen.
const MOST: usize = 600;

/// The figure as SVG.
pub fn svg(figure: &Figure) -> String {
    let panels = figure.panels.iter().map(panel).collect();
    // The label of the ordinate, its power of ten and unit included, must fit beside its panel.
    let longest =
        figure.panels.iter().map(|panel| panel.y_label.chars().count() + panel.unit.len() + 8).max();
    let needed = 7.0 * longest.unwrap_or(0) as f64;
    let height = needed.max(if figure.panels.len() > 1 { 170.0 } else { 260.0 });
    draw::svg(&draw::Figure { width: 720.0, height, title: String::new(), panels })
}

fn panel(panel: &flexura_validate::Panel) -> Panel {
    Panel {
        series: panel
            .curves
            .iter()
            .enumerate()
            .map(|(k, curve)| series(curve, references(panel, k)))
            .collect(),
        x_label: panel.x_label.clone(),
        y_label: panel.y_label.clone(),
        unit: panel.unit.clone(),
        logarithmic: panel.logarithmic,
        shared: panel.rising,
        ..Panel::default()
    }
}

/// References before curve `k`: each has a colour of its own.
fn references(panel: &flexura_validate::Panel, k: usize) -> usize {
    panel.curves[..k].iter().filter(|curve| curve.look == Look::Points).count()
}

fn series(curve: &Curve, references: usize) -> Series {
    let every = curve.x.len().div_ceil(MOST).max(1);
    let thin = |values: &[f64]| values.iter().copied().step_by(every).collect();
    Series {
        name: curve.name.clone(),
        unit: String::new(),
        source: String::new(),
        file: match curve.look {
            Look::Line => 0,
            Look::Broken => 1,
            Look::Points => references,
        },
        reference: curve.look == Look::Points,
        x: thin(&curve.x),
        y: thin(&curve.y),
    }
}
