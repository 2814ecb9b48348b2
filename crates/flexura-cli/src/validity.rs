//! How far a run can be trusted: energies that balance, deformations that stay small.

use flexura::simulate::{LINEAR_SHIFT_LIMIT, LINEAR_SLOPE_LIMIT, Outcome};
use flexura_results::Layout;
use serde_json::{Value, json};

/// Watches the energies of recorded rows.
pub struct EnergyAudit {
    balance: Option<usize>,
    sizes: Vec<usize>,
    /// Largest magnitude of the balance (J).
    worst: f64,
    /// Largest magnitude of any energy or work (J).
    largest: f64,
}

impl EnergyAudit {
    /// An audit of the rows of `layout`, time first.
    pub fn new(layout: &Layout) -> Self {
        let place = |name: &str| layout.channel_names().position(|channel| channel == name);
        let parts = ["kinetic", "elastic", "springs", "elements", "gravity", "work"];
        let sizes = parts.iter().filter_map(|part| place(&format!("energy.{part}"))).collect();
        Self { balance: place("energy.balance"), sizes, worst: 0.0, largest: 0.0 }
    }

    /// Takes a row into account.
    pub fn see(&mut self, row: &[f64]) {
        if let Some(balance) = self.balance {
            self.worst = self.worst.max(row[balance].abs());
            let sizes = self.sizes.iter().map(|&i| row[i].abs());
            self.largest = sizes.fold(self.largest, f64::max);
        }
    }

    /// Energy created or lost by the integration, and its share of the largest energy met.
    pub fn error(&self) -> Option<(f64, f64)> {
        self.balance.map(|_| (self.worst, if self.largest > 0.0 { self.worst / self.largest } else { 0.0 }))
    }
}

/// Lines for people; bodies in the order of their slopes, the worst first.
pub fn lines(outcome: &Outcome, audit: &EnergyAudit) -> Vec<String> {
    const MOST: usize = 5;
    let mut lines = match audit.error() {
        Some((worst, share)) => {
            vec![format!("energy: {worst:.2e} J unaccounted for ({share:.1e} of the largest)")]
        }
        None => vec!["energy: not audited (record `energy.*` for that)".into()],
    };
    let mut bodies: Vec<_> = outcome.deformations.iter().collect();
    bodies.sort_by(|a, b| b.slope.total_cmp(&a.slope));
    for body in bodies.iter().take(MOST) {
        lines.push(format!(
            "body `{}`: slopes up to {:.3} rad (limit {LINEAR_SLOPE_LIMIT}), deflection up to {:.2} % of its size (limit {:.0} %)",
            body.body,
            body.slope,
            100.0 * body.shift,
            100.0 * LINEAR_SHIFT_LIMIT
        ));
    }
    if bodies.len() > MOST {
        lines.push(format!("and {} bodies that bend less", bodies.len() - MOST));
    }
    lines
}

/// The same for programs.
pub fn value(outcome: &Outcome, audit: &EnergyAudit) -> Value {
    let bodies = outcome.deformations.iter();
    json!({
        "energy_error_joule": audit.error().map(|error| error.0),
        "energy_error_share": audit.error().map(|error| error.1),
        "bodies": bodies
            .map(|body| json!({ "body": body.body, "slope_rad": body.slope, "deflection_share": body.shift }))
            .collect::<Vec<_>>(),
        "beyond_linear_range": outcome.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
