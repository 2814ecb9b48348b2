//! Amplitude spectrum of a curve.
//!
//! The curve is brought to an even grid of 2^n points by linear interpolation,
//! its mean is taken off, and a Hann window applied; the discrete Fourier
//! transform is that of Cooley and Tukey (1965), O(N log N). The amplitude of bin
//! k is 2 |X_k| / Σ w_j, so that a sine of amplitude a shows a peak of height a
//! where its frequency lies on the grid.

use super::series::Series;
use std::f64::consts::PI;

/// Most points of the grid.
const MOST: usize = 1 << 18;

/// Amplitude over frequency (Hz); empty for less than four instants.
pub fn spectrum(series: &Series) -> Series {
    let mut out = Series { x: Vec::new(), y: Vec::new(), ..series.clone() };
    let (Some(&first), Some(&last)) = (series.x.first(), series.x.last()) else { return out };
    if series.x.len() < 4 || last <= first {
        return out;
    }
    let n = (series.x.len() - 1).next_power_of_two().min(MOST);
    // n intervals, the last point left out: the span is one period of the transform.
    let step = (last - first) / n as f64;
    let mut real = even(series, first, step, n);
    let mean = real.iter().sum::<f64>() / n as f64;
    let window = |j: usize| 0.5 - 0.5 * (2.0 * PI * j as f64 / n as f64).cos();
    real.iter_mut().enumerate().for_each(|(j, value)| *value = (*value - mean) * window(j));
    let total: f64 = (0..n).map(window).sum();
    let mut imaginary = vec![0.0; n];
    transform(&mut real, &mut imaginary);
    for k in 1..n / 2 {
        out.x.push(k as f64 / (last - first));
        out.y.push(2.0 * real[k].hypot(imaginary[k]) / total);
    }
    // Beyond the rate of the rows there is only interpolation.
    let nyquist = 0.5 * (series.x.len() - 1) as f64 / (last - first);
    let kept = out.x.partition_point(|&frequency| frequency <= nyquist);
    out.x.truncate(kept);
    out.y.truncate(kept);
    out
}

fn even(series: &Series, first: f64, step: f64, n: usize) -> Vec<f64> {
    let (x, y) = (&series.x, &series.y);
    (0..n)
        .map(|j| {
            let at = first + step * j as f64;
            let i = x.partition_point(|&x| x <= at).clamp(1, x.len() - 1);
            let gap = x[i] - x[i - 1];
            let share = if gap > 0.0 { (at - x[i - 1]) / gap } else { 0.0 };
            y[i - 1] + share * (y[i] - y[i - 1])
        })
        .collect()
}

/// In-place transform of 2^k points.
fn transform(real: &mut [f64], imaginary: &mut [f64]) {
    let n = real.len();
    let bits = n.trailing_zeros();
    for i in 0..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            real.swap(i, j);
            imaginary.swap(i, j);
        }
    }
    let mut size = 2;
    while size <= n {
        for start in (0..n).step_by(size) {
            for k in 0..size / 2 {
                let (s, c) = (-2.0 * PI * k as f64 / size as f64).sin_cos();
                let (i, j) = (start + k, start + k + size / 2);
                let (u, v) = (real[j] * c - imaginary[j] * s, real[j] * s + imaginary[j] * c);
                (real[j], imaginary[j]) = (real[i] - u, imaginary[i] - v);
                (real[i], imaginary[i]) = (real[i] + u, imaginary[i] + v);
            }
        }
        size *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(rows: usize, end: f64, f: impl Fn(f64) -> f64) -> Series {
        let x: Vec<f64> = (0..rows).map(|i| end * i as f64 / (rows - 1) as f64).collect();
        let y = x.iter().map(|&t| f(t)).collect();
        let text = String::new;
        Series { name: text(), unit: text(), source: text(), file: 0, reference: false, x, y }
    }

    /// Two sines on an offset: two peaks of the right height and place, nothing else.
    #[test]
    fn peaks_have_the_amplitudes_and_frequencies_of_the_sines() {
        let wave = |t: f64| 3.0 + 0.7 * (2.0 * PI * 5.0 * t).sin() + 0.2 * (2.0 * PI * 12.0 * t).cos();
        let found = spectrum(&curve(4097, 4.0, wave));
        let at = |frequency: f64| found.y[found.x.partition_point(|&x| x < frequency - 1e-9)];
        assert!((at(5.0) - 0.7).abs() < 1e-9 && (at(12.0) - 0.2).abs() < 1e-9, "{} {}", at(5.0), at(12.0));
        let far = |x: f64| (x - 5.0).abs() > 0.6 && (x - 12.0).abs() > 0.6;
        let rest = found.x.iter().zip(&found.y).filter(|(x, _)| far(**x)).map(|(_, y)| *y);
        assert!(rest.fold(0.0, f64::max) < 1e-9);
    }

    /// The transform against its definition.
    #[test]
    fn the_fast_transform_is_the_sum_it_stands_for() {
        let values: Vec<f64> = (0..16).map(|i| ((i * i * 7 + 3) % 11) as f64).collect();
        let (mut real, mut imaginary) = (values.clone(), vec![0.0; 16]);
        transform(&mut real, &mut imaginary);
        for k in 0..16 {
            let angle = |j: usize| -2.0 * PI * (j * k) as f64 / 16.0;
            let expected: f64 = values.iter().enumerate().map(|(j, v)| v * angle(j).cos()).sum();
            let other: f64 = values.iter().enumerate().map(|(j, v)| v * angle(j).sin()).sum();
            assert!((real[k] - expected).abs() < 1e-12 && (imaginary[k] - other).abs() < 1e-12);
        }
    }

    #[test]
    fn too_few_rows_give_no_spectrum() {
        assert!(spectrum(&curve(3, 1.0, |t| t)).x.is_empty());
    }
}
