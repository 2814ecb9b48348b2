//! Functions of formulas.

use std::ops::Range;

use super::FormulaFault;
use super::quantity::Quantity;
use crate::model::words;

/// A function by its place in the [`LIST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) struct Function(usize);

/// What a function takes.
enum Rule {
    One(fn(f64) -> f64),
    Two(fn(f64, f64) -> f64),
    /// At least one number, or one list of them.
    Several(fn(f64, f64) -> f64),
    /// Number of entries of a list.
    Length,
}

/// Names, rules and examples. Angles are in radians.
const LIST: [(&str, Rule, &str); 27] = [
    ("sin", Rule::One(f64::sin), "sin(a)"),
    ("cos", Rule::One(f64::cos), "cos(a)"),
    ("tan", Rule::One(f64::tan), "tan(a)"),
    ("asin", Rule::One(f64::asin), "asin(x)"),
    ("acos", Rule::One(f64::acos), "acos(x)"),
    ("atan", Rule::One(f64::atan), "atan(x)"),
    ("atan2", Rule::Two(f64::atan2), "atan2(y, x)"),
    ("sinh", Rule::One(f64::sinh), "sinh(x)"),
    ("cosh", Rule::One(f64::cosh), "cosh(x)"),
    ("tanh", Rule::One(f64::tanh), "tanh(x)"),
    ("sqrt", Rule::One(f64::sqrt), "sqrt(x)"),
    ("exp", Rule::One(f64::exp), "exp(x)"),
    ("ln", Rule::One(f64::ln), "ln(x)"),
    ("log10", Rule::One(f64::log10), "log10(x)"),
    ("abs", Rule::One(f64::abs), "abs(x)"),
    ("sign", Rule::One(sign), "sign(x)"),
    ("floor", Rule::One(f64::floor), "floor(x)"),
    ("ceil", Rule::One(f64::ceil), "ceil(x)"),
    ("round", Rule::One(f64::round), "round(x)"),
    ("radians", Rule::One(f64::to_radians), "radians(90)"),
    ("degrees", Rule::One(f64::to_degrees), "degrees(a)"),
    ("hypot", Rule::Two(f64::hypot), "hypot(x, y)"),
    ("mod", Rule::Two(modulo), "mod(a, b)"),
    ("min", Rule::Several(f64::min), "min(a, b, ..)"),
    ("max", Rule::Several(f64::max), "max(a, b, ..)"),
    ("sum", Rule::Several(|sum, term| sum + term), "sum(list)"),
    ("len", Rule::Length, "len(list)"),
];

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Remainder with the sign of the divisor, so that mod(-1, 4) is 3.
fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

/// Whether a name cannot be a variable.
pub(in crate::file) fn is_reserved(name: &str) -> bool {
    matches!(name, "pi" | "if" | "and" | "or" | "not" | "true" | "false")
        || LIST.iter().any(|(known, ..)| *known == name)
}

impl Function {
    /// The function `name` of so many arguments; `range` is where the name stands.
    pub(super) fn find(name: &str, range: &Range<usize>, arguments: usize) -> Result<Self, FormulaFault> {
        let Some(place) = LIST.iter().position(|(known, ..)| *known == name) else {
            let names = LIST.iter().map(|(known, ..)| *known);
            let help = match name {
                "log" => "write ln(x) for the natural logarithm, log10(x) for that of base ten".to_owned(),
                _ => match words::nearest(name, names.clone()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("functions: if, {}; products have a sign: a*(b)", words::list(names)),
                },
            };
            let message = format!("there is no function `{name}`");
            return Err(FormulaFault::new("unknown-function", range.clone(), message, help));
        };
        let (wanted, fits) = match &LIST[place].1 {
            Rule::One(_) | Rule::Length => ("one argument", arguments == 1),
            Rule::Two(_) => ("two arguments", arguments == 2),
            Rule::Several(_) => ("at least one argument", arguments >= 1),
        };
        if fits {
            return Ok(Self(place));
        }
        let message = format!("`{name}` needs {wanted}, but has {arguments}");
        Err(FormulaFault::new("formula-syntax", range.clone(), message, format!("write {}", LIST[place].2)))
    }

    /// The value for arguments that have been counted.
    pub(super) fn apply(
        self,
        arguments: &[Quantity],
        whole: &Range<usize>,
    ) -> Result<Quantity, FormulaFault> {
        let (name, rule, example) = &LIST[self.0];
        let wrong = |found: &Quantity, wanted: &str| {
            let message = format!("`{name}` needs {wanted}, but this is {}", found.words());
            FormulaFault::new("formula-kind", whole.clone(), message, format!("write {example}"))
        };
        let numbers = |list: &[Quantity]| -> Result<Vec<f64>, FormulaFault> {
            list.iter()
                .map(|found| match found {
                    Quantity::Number(number) => Ok(*number),
                    other => Err(wrong(other, "numbers")),
                })
                .collect()
        };
        let value = match (rule, arguments) {
            (Rule::Length, [Quantity::List(list)]) => list.len() as f64,
            (Rule::Length, [other, ..]) => return Err(wrong(other, "a list")),
            (Rule::Several(fold), [Quantity::List(list)]) => {
                let Some(value) = numbers(list)?.into_iter().reduce(fold) else {
                    let message = format!("`{name}` of an empty list has no value");
                    let help = "give the list an entry";
                    return Err(FormulaFault::new("formula-domain", whole.clone(), message, help));
                };
                value
            }
            (Rule::Several(fold), list) => numbers(list)?.into_iter().reduce(fold).unwrap_or(0.0),
            (Rule::One(function), list) => numbers(list)?.first().map_or(f64::NAN, |x| function(*x)),
            (Rule::Two(function), list) => match numbers(list)?[..] {
                [x, y] => function(x, y),
                _ => f64::NAN,
            },
            (Rule::Length, []) => f64::NAN,
        };
        if value.is_finite() {
            return Ok(Quantity::Number(value));
        }
        let shown: Vec<String> = arguments.iter().map(Quantity::to_string).collect();
        let message = format!("{name}({}) has no finite value", shown.join(", "));
        let help = "see where the argument comes from; if(condition, a, b) leaves out what is not needed";
        Err(FormulaFault::new("formula-domain", whole.clone(), message, help))
    }
}
