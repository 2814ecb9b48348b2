//! What a fit has found, in words and as JSON.

use flexura::analysis::{Fitted, Measured, Unseen};
use serde_json::json;
use std::fmt::Write;
use std::path::Path;

/// Correlations from here on are worth a word.
const CLOSE: f64 = 0.95;

/// The result in words.
pub fn words(
    found: &Fitted,
    measured: &Measured,
    figure: &Path,
    output: Option<&Path>,
    confidence: f64,
) -> String {
    let mut text = String::new();
    let rows = found.estimates.iter().map(|one| one.name.len()).max().unwrap_or(0).max(9);
    let share = 100.0 * confidence;
    let _ = writeln!(
        text,
        "{:rows$}  {:>14}  {:>14}  {:>11}  {share} % interval",
        "unknown", "before", "found", "deviation"
    );
    for one in &found.estimates {
        let (low, high) = one.interval;
        let bound = if one.at_bound { "  at its bound" } else { "" };
        let _ = writeln!(
            text,
            "{:rows$}  {:>14.6e}  {:>14.6e}  {:>11.2e}  {low:.6e} … {high:.6e}{bound}",
            one.name, one.start, one.value, one.deviation
        );
    }
    let _ = writeln!(text);
    for ((name, before), after) in measured.channels.iter().zip(&found.residuals_before).zip(&found.residuals)
    {
        let _ = writeln!(text, "{name}: residual {after:.3e} (before {before:.3e}), root of the mean square");
    }
    for name in &found.poor {
        let _ = writeln!(
            text,
            "much of {name} is not explained: start elsewhere (--set), free more parameters, or doubt the model"
        );
    }
    let values: Vec<String> = found.singular_values.iter().map(|value| format!("{value:.1e}")).collect();
    let _ = writeln!(text, "singular values over the largest: {}", values.join("  "));
    for unseen in &found.unseen {
        let _ = writeln!(text, "not seen by the data: {}", combination(unseen));
    }
    let n = found.estimates.len();
    for i in 0..n {
        for j in 0..i {
            let correlation = found.correlations[i * n + j];
            if correlation.abs() > CLOSE {
                let names = (&found.estimates[j].name, &found.estimates[i].name);
                let _ = writeln!(
                    text,
                    "hard to tell apart: {} and {}, correlation {correlation:.3}",
                    names.0, names.1
                );
            }
        }
    }
    let end = if found.converged { "" } else { "; not at its end: give more --iterations" };
    let _ = writeln!(
        text,
        "{} iterations, {} runs, derivatives by {}{end}",
        found.iterations, found.runs, found.route
    );
    let _ = writeln!(text, "{}", figure.display());
    if let Some(path) = output {
        let _ = writeln!(text, "{}", path.display());
    }
    text
}

/// A combination of unknowns as a product of powers.
fn combination(unseen: &Unseen) -> String {
    let parts: Vec<String> =
        unseen.weights.iter().map(|(name, weight)| format!("{name}^{weight:.2}")).collect();
    format!("{} (could change by {:.0} % and more)", parts.join(" · "), 100.0 * unseen.deviation.min(1e4))
}

/// The result for programs.
pub fn json(found: &Fitted, measured: &Measured, figure: &Path) -> String {
    let estimates: Vec<_> = found
        .estimates
        .iter()
        .map(|one| {
            json!({ "name": one.name, "before": one.start, "value": one.value, "deviation": one.deviation,
                    "interval": [one.interval.0, one.interval.1], "at_bound": one.at_bound })
        })
        .collect();
    let unseen: Vec<_> = found
        .unseen
        .iter()
        .map(|one| json!({ "weights": one.weights.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(), "deviation": one.deviation }))
        .collect();
    let value = json!({
        "estimates": estimates,
        "channels": measured.channels,
        "residuals": found.residuals,
        "residuals_before": found.residuals_before,
        "poor": found.poor,
        "singular_values": found.singular_values,
        "correlations": found.correlations.chunks(found.estimates.len().max(1)).collect::<Vec<_>>(),
        "unseen": unseen,
        "iterations": found.iterations,
        "runs": found.runs,
        "converged": found.converged,
        "derivatives": found.route,
        "figure": figure.to_string_lossy(),
    });
    format!("{value:#}\n")
}
