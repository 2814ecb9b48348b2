//! Modal damping: sizes and signs.

use super::Report;
use super::matrix::{asymmetry, lost_definiteness};
use crate::model::description::DampingDescription;
use crate::model::item::{Item, ItemPath};
use crate::model::words;

/// Checks the damping of a body with `modes` modes.
pub(super) fn check(
    damping: &DampingDescription,
    modes: usize,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    match damping {
        DampingDescription::None => {}
        DampingDescription::Ratios(values) => per_mode(values, modes, &path.key("ratios"), item, report),
        DampingDescription::Coefficients(values) => {
            per_mode(values, modes, &path.key("coefficients"), item, report);
        }
        DampingDescription::Matrix(values) => matrix(values, modes, &path.key("matrix"), item, report),
        DampingDescription::Rayleigh { mass, stiffness } => {
            let path = path.key("rayleigh");
            not_negative(*mass, &path.key("mass"), item, report);
            not_negative(*stiffness, &path.key("stiffness"), item, report);
        }
        DampingDescription::KelvinVoigt { time } => {
            not_negative(*time, &path.key("kelvin_voigt"), item, report);
        }
    }
}

fn not_negative(value: f64, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if value < 0.0 {
        let message = format!("the damping is negative: {}", words::number(value));
        report.error("negative-damping", path, item, message, NEGATIVE);
    }
}

const NEGATIVE: &str = "negative damping feeds energy in; give zero or a positive number";

fn per_mode(values: &[f64], modes: usize, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if values.len() != modes {
        let message = format!(
            "`{}` has {}, but the body has {}",
            path.last_key(),
            words::count(values.len(), "number"),
            words::count(modes, "mode"),
        );
        report.error("damping-size", path, item, message, "give one number per mode");
    }
    for (mode, &value) in values.iter().enumerate() {
        not_negative(value, &path.index(mode), item, report);
    }
}

fn matrix(values: &[f64], n: usize, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    if values.len() != n * n {
        let (found, modes) = (values.len(), words::count(n, "mode"));
        let message = format!("the damping matrix has {found} entries, but {modes} need {}", n * n);
        report.error("damping-size", path, item, message, "give one row per mode");
        return;
    }
    if let Some((row, column)) = asymmetry(values, n) {
        let (upper, lower) =
            (words::number(values[row * n + column]), words::number(values[column * n + row]));
        let (a, b) = (row + 1, column + 1);
        let message =
            format!("the damping matrix is not symmetric: d{a}{b} = {upper}, but d{b}{a} = {lower}");
        report.error("damping-not-symmetric", path, item, message, "make both equal");
        return;
    }
    // A little extra on the diagonal lets singular matrices pass, but not negative ones.
    let largest = values.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
    let mut shifted = values.to_vec();
    (0..n).for_each(|k| shifted[k * n + k] += 1e-9 * largest);
    if let Some(mode) = lost_definiteness(&shifted, n, 0.0).filter(|_| largest > 0.0) {
        let message = format!("the damping matrix is not positive: it feeds energy into mode {}", mode + 1);
        report.error("negative-damping", &path.index(mode), item, message, NEGATIVE);
    }
}
