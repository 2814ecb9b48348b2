//! Splines that leave the range of their table.

use super::Report;
use crate::model::item::{Item, ItemPath};
use crate::model::words;
use crate::time_function::TimeFunction;

/// Warns where a spline goes far beyond the values it was given.
pub(super) fn check(
    function: Option<&TimeFunction>,
    path: &ItemPath<'_>,
    item: &Item<'_>,
    report: &mut Report,
) {
    self::report(function.and_then(TimeFunction::overshoot), path, item, report);
}

/// Warns of a range that was met beyond the values given.
pub(super) fn report(met: Option<(f64, f64)>, path: &ItemPath<'_>, item: &Item<'_>, report: &mut Report) {
    let Some((least, largest)) = met else { return };
    let (least, largest) = (words::number(least), words::number(largest));
    let message = format!(
        "the spline through the table goes from {least} to {largest}, far beyond the values that are given"
    );
    let help =
        "write interpolation = \"monotone\" or \"linear\" into the table, or add points where it bends";
    report.warning("table-overshoot", path, item, message, help);
}
