//! What is wrong with the parameters of an element, as validation reports it.

use crate::model::words;

/// One finding about a parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Kind of the finding.
    pub code: &'static str,
    /// The parameter, as it is called in model files.
    pub key: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// Whether the model can be built nevertheless.
    pub is_warning: bool,
}

/// Findings about one element.
#[derive(Clone, Debug, Default)]
#[doc(hidden)]
pub struct Faults(pub Vec<Fault>);

const SPRING: &str = "a spring of negative stiffness pushes away from its rest; give zero or more";
const DAMPER: &str = "negative damping feeds energy in; give zero or a positive number";

impl Faults {
    pub(super) fn error(
        &mut self,
        code: &'static str,
        key: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let (message, help) = (message.into(), help.into());
        self.0.push(Fault { code, key, message, help, is_warning: false });
    }

    pub(super) fn warning(&mut self, code: &'static str, key: &'static str, message: &str, help: &str) {
        let (message, help) = (message.into(), help.into());
        self.0.push(Fault { code, key, message, help, is_warning: true });
    }

    /// Reports numbers that are not finite.
    pub(super) fn finite(&mut self, key: &'static str, values: &[f64]) {
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            self.error("not-finite", key, format!("`{key}` is {value}"), "give finite numbers");
        }
    }

    /// Reports a number that is not positive.
    pub(super) fn positive(&mut self, key: &'static str, value: f64, unit: &str) {
        self.finite(key, &[value]);
        if value <= 0.0 {
            let message = format!("`{key}` must be positive, but is {}", words::number(value));
            self.error("not-positive", key, message, format!("give a positive number [{unit}]"));
        }
    }

    /// Reports a negative number.
    pub(super) fn not_negative(&mut self, key: &'static str, value: f64, code: &'static str, help: &str) {
        self.finite(key, &[value]);
        if value < 0.0 {
            let message = format!("`{key}` is negative: {}", words::number(value));
            self.error(code, key, message, help);
        }
    }

    /// Reports a negative stiffness.
    pub(super) fn stiffness(&mut self, key: &'static str, value: f64) {
        self.not_negative(key, value, "negative-stiffness", SPRING);
    }

    /// Reports a negative damping.
    pub(super) fn damping(&mut self, key: &'static str, value: f64) {
        self.not_negative(key, value, "negative-damping", DAMPER);
    }

    /// Reports an exponent below one, whose stiffness is infinite at first touch.
    pub(super) fn exponent(&mut self, value: f64) {
        self.finite("exponent", &[value]);
        if value < 1.0 {
            let message = format!("the exponent {} is below 1", words::number(value));
            let help = "1 is a linear spring, 1.5 a sphere on a plane (Hertz)";
            self.error("exponent-range", "exponent", message, help);
        }
    }
}
