//! Functions of time as numbers.

use crate::time_function::{Side, TimeFunction};

/// Appends `function`; returns where it begins.
pub(super) fn append(function: &TimeFunction, out: &mut Vec<f64>) -> usize {
    match function {
        TimeFunction::Constant(value) => put(out, &[0.0, *value]),
        TimeFunction::Polynomial { coefficients } => {
            let at = put(out, &[1.0, coefficients.len() as f64]);
            out.extend(coefficients);
            at
        }
        TimeFunction::Harmonic { offset, amplitude, angular_frequency, phase } => {
            put(out, &[2.0, *offset, *amplitude, *angular_frequency, *phase])
        }
        TimeFunction::Cycloidal { from, to, start, duration } => {
            put(out, &[3.0, *from, *to, *start, *duration])
        }
        TimeFunction::Quadratic { start, value, rate, acceleration } => {
            let (t, half) = (*start, 0.5 * acceleration);
            put(out, &[1.0, 3.0, value - t * (rate - t * half), rate - 2.0 * t * half, half])
        }
        TimeFunction::Table(table) => cubic_pieces(function, table.times(), out),
        TimeFunction::Piecewise { breaks, pieces } => {
            let places: Vec<f64> = pieces.iter().map(|piece| append(piece, out) as f64).collect();
            let at = put(out, &[5.0, breaks.len() as f64]);
            out.extend(breaks);
            out.extend(places);
            at
        }
    }
}

fn put(out: &mut Vec<f64>, numbers: &[f64]) -> usize {
    let at = out.len();
    out.extend(numbers);
    at
}

/// Every interval as a cubic of the time since its start: second derivatives are linear there.
fn cubic_pieces(function: &TimeFunction, times: &[f64], out: &mut Vec<f64>) -> usize {
    let at = put(out, &[4.0, (times.len() - 1) as f64]);
    out.extend(times);
    for pair in times.windows(2) {
        let start = function.sample_side(pair[0], Side::After);
        let end = function.sample_side(pair[1], Side::Before);
        let third = (end.acceleration - start.acceleration) / (pair[1] - pair[0]);
        out.extend([start.value, start.rate, 0.5 * start.acceleration, third / 6.0]);
    }
    at
}
