//! Comparisons that many cases make.

use crate::context::{Context, Fault};
use crate::figure::{Curve, Panel};
use crate::quantity::Quantity;
use crate::run::Run;
use crate::sampled::{Sampled, Table};
use flexura::spatial::{matrix_from_quaternion, transposed_matrix_vector};

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

/// Place of a frame of a body seen from the body's own frame, along its axis 0 (x) to 2 (z).
pub fn seen_from_body(run: &Run, body: &str, frame: &str, axis: usize) -> Result<Sampled, Fault> {
    let columns = |name: String, parts: &[&str]| -> Result<Vec<Sampled>, Fault> {
        parts.iter().map(|part| run.channel(&format!("{name}.{part}"))).collect()
    };
    let origin = columns(format!("{body}.position"), &["x", "y", "z"])?;
    let place = columns(format!("{body}.{frame}.position"), &["x", "y", "z"])?;
    let pose = columns(format!("{body}.quaternion"), &["w", "x", "y", "z"])?;
    let along = |i: usize| {
        let rotation = matrix_from_quaternion(&[0, 1, 2, 3].map(|part| pose[part].y[i]));
        let from = [0, 1, 2].map(|k| place[k].y[i] - origin[k].y[i]);
        transposed_matrix_vector(&rotation, &from)[axis]
    };
    let x = run.time();
    let y = (0..x.len()).map(along).collect();
    Ok(Sampled { x, y })
}
