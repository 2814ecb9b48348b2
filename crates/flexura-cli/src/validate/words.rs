//! Outcomes in words: numbers, lines and tables.

use flexura_validate::{CaseOutcome, Measure, Quantity, Verdict};
use std::fmt::Write;

/// A number with about six digits.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".into()
    } else if size.is_finite() && size == size.round() && size < 1e7 {
        format!("{value:.0}")
    } else if (1e-2..1e6).contains(&size) {
        let digits = (6 - size.log10().floor() as i32 - 1).max(0) as usize;
        trimmed(format!("{value:.digits$}"))
    } else if size.is_finite() {
        format!("{value:.5e}")
    } else {
        value.to_string()
    }
}

/// An error or tolerance, as a percentage where it is a share that can be read so.
pub fn share(quantity: &Quantity, value: f64) -> String {
    let percentage = matches!(quantity.measure, Measure::Share | Measure::Interval);
    match value {
        0.0 => "0".into(),
        v if percentage && (1e-4..10.0).contains(&v) => format!("{} %", short(100.0 * v)),
        v => short(v),
    }
}

/// Without zeros at the end of a fraction.
fn trimmed(text: String) -> String {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').into(),
        false => text,
    }
}

fn short(value: f64) -> String {
    if (1e-2..1e4).contains(&value.abs()) {
        let digits = (2 - value.abs().log10().floor() as i32).max(0) as usize;
        trimmed(format!("{value:.digits$}"))
    } else {
        format!("{value:.1e}")
    }
}

/// A value with its unit.
pub fn with_unit(quantity: &Quantity, value: f64) -> String {
    match quantity.unit {
        "1" | "" => number(value),
        unit => format!("{} {unit}", number(value)),
    }
}

/// Words in a page.
pub fn escape(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Verdicts of a case that occur, with their counts.
pub fn counts(outcome: &CaseOutcome) -> String {
    let one = |verdict: Verdict| {
        let count = outcome.count(verdict);
        (count > 0).then(|| format!("{count} {}", verdict.word()))
    };
    Verdict::ALL.into_iter().filter_map(one).collect::<Vec<_>>().join(", ")
}

/// The line of one case.
pub fn line(outcome: &CaseOutcome) -> String {
    format!("{:<25}{:>8.1} s  {}", outcome.id, outcome.seconds, counts(outcome))
}

/// All cases, with every quantity if `all`, else those that fail.
pub fn table(outcomes: &[CaseOutcome], all: bool) -> String {
    let mut text = String::new();
    for outcome in outcomes {
        let _ = writeln!(text, "{}", line(outcome));
        for quantity in outcome.quantities.iter().filter(|quantity| all || !quantity.verdict.is_good()) {
            let _ = writeln!(text, "    {}", quantity_line(quantity));
        }
    }
    let total: usize = outcomes.iter().map(|outcome| outcome.quantities.len()).sum();
    let failed: usize = outcomes.iter().map(|outcome| outcome.count(Verdict::Fail)).sum();
    let plural = if outcomes.len() == 1 { "" } else { "s" };
    let _ = writeln!(text, "{total} quantities of {} case{plural}, {failed} failed", outcomes.len());
    text
}

fn quantity_line(quantity: &Quantity) -> String {
    let value = with_unit(quantity, quantity.value);
    let mut text = format!("{:<17}{}: {value}", quantity.verdict.word(), quantity.name);
    if let (Some(reference), Some(error), Some(tolerance)) =
        (quantity.reference, quantity.error, quantity.tolerance)
    {
        let _ = match quantity.measure {
            Measure::Limit => write!(text, " (at most {})", short(tolerance)),
            Measure::Floor => write!(text, " (at least {})", short(reference)),
            Measure::Ceiling => write!(text, " (at most {})", short(reference)),
            _ => write!(
                text,
                " (reference {}, error {}, tolerance {})",
                with_unit(quantity, reference),
                share(quantity, error),
                share(quantity, tolerance)
            ),
        };
    }
    if !quantity.verdict.is_good() || quantity.verdict == Verdict::NoReference {
        let _ = write!(text, ": {}", quantity.reason);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_six_digits() {
        let written = [0.0, 5.0, -0.57385123, 35906.0, 1.23456789e-5, 0.0123456789, 0.0421].map(number);
        assert_eq!(written, ["0", "5", "-0.573851", "35906", "1.23457e-5", "0.0123457", "0.0421"]);
    }
}
