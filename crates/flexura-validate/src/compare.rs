//! Comparisons that many cases make.

use crate::context::{Context, Fault};
use crate::figure::{Curve, Panel};
use crate::quantity::Quantity;
use crate::run::Run;
use crate::sampled::{Sampled, Table};

/// Known values of several channels at some times (s).
pub type Known<'a, const N: usize> = &'a [(f64, [f64; N])];

impl Context<'_> {
    /// Judges channels at known times, each within `tolerance` of its unit.
    pub fn known<const N: usize>(
        &mut self,
        run: &Run,
        channels: [(&str, &str, &'static str); N],
        known: Known<N>,
        tolerance: f64,
        why: &str,
    ) -> Result<(), Fault> {
        for &(time, values) in known {
            for ((channel, name, unit), value) in channels.into_iter().zip(values) {
                let found = run.at(channel, time)?;
                let quantity = Quantity::new(format!("{name} at {time} s"), unit, found);
                self.judge(quantity.absolute(value, tolerance, why));
            }
        }
        Ok(())
    }
}

/// Our channels as lines with the columns of a table as points.
pub fn over_reference(
    run: &Run,
    table: &Table,
    pairs: &[(&str, &str)],
    y_label: &str,
    unit: &str,
) -> Result<Panel, Fault> {
    let mut curves = Vec::new();
    for (channel, column) in pairs {
        let ours = run.channel(channel)?;
        curves.push(Curve::line(*column, &ours.x, &ours.y));
    }
    for (_, column) in pairs {
        let known = table.column(column)?;
        curves.push(Curve::points(format!("{column}, reference"), &known.x, &known.y));
    }
    Ok(Panel::over_time(y_label, unit, curves))
}

/// Deflection of a middle point from the chord of two others in the x-y plane, positive to the left.
pub fn from_chord(run: &Run, [start, middle, end]: [&str; 3]) -> Result<Sampled, Fault> {
    let plane = |frame: &str| -> Result<[Vec<f64>; 2], Fault> {
        Ok([run.channel(&format!("{frame}.position.x"))?.y, run.channel(&format!("{frame}.position.y"))?.y])
    };
    let ([ax, ay], [mx, my], [bx, by]) = (plane(start)?, plane(middle)?, plane(end)?);
    let across = |i: usize| {
        let (ex, ey) = (bx[i] - ax[i], by[i] - ay[i]);
        ((my[i] - ay[i]) * ex - (mx[i] - ax[i]) * ey) / ex.hypot(ey)
    };
    Ok(Sampled { x: run.time(), y: (0..ax.len()).map(across).collect() })
}
