//! The value of a formula.

use std::ops::Range;
use std::sync::Arc;

use super::quantity::Quantity;
use super::{Expression, FormulaFault, Kind, Operator};
use crate::model::words;

/// Longest text a formula may make (bytes), so that texts of texts do not grow without end.
const LONGEST_TEXT: usize = 10_000;

/// Where variables come from.
pub(in crate::file) trait Lookup {
    /// The value of a variable.
    fn find(&self, name: &str) -> Option<Quantity>;
    /// Names of all variables, for messages.
    fn names(&self) -> Vec<String>;
}

/// The value of `expression` with the variables of `scope`.
pub(in crate::file) fn evaluate(
    expression: &Expression,
    scope: &dyn Lookup,
) -> Result<Quantity, FormulaFault> {
    let range = &expression.range;
    match &expression.kind {
        Kind::Number(number) => Ok(Quantity::Number(*number)),
        Kind::Truth(truth) => Ok(Quantity::Truth(*truth)),
        Kind::Text(text) => Ok(Quantity::Text(text.clone())),
        Kind::Name(name) => scope.find(name).ok_or_else(|| unknown(name, range, scope)),
        Kind::Negative(inner) => Ok(Quantity::Number(-number(inner, scope)?)),
        Kind::Not(inner) => Ok(Quantity::Truth(!truth(inner, scope)?)),
        Kind::Chain(first, rest) => chain(first, rest, scope),
        Kind::Power(base, exponent) => {
            let (base, exponent) = (number(base, scope)?, number(exponent, scope)?);
            finite(base.powf(exponent), range, || match base == 0.0 {
                true => format!("0^({exponent}) divides by zero"),
                false => format!("({base})^({exponent}) has no finite value"),
            })
        }
        Kind::Entry(list, index) => entry(list, index, range, scope),
        Kind::If(parts) => {
            let [condition, then, otherwise] = parts.as_ref();
            evaluate(if truth(condition, scope)? { then } else { otherwise }, scope)
        }
        Kind::Call(function, arguments) => {
            let values: Result<Vec<_>, _> = arguments.iter().map(|part| evaluate(part, scope)).collect();
            function.apply(&values?, range)
        }
    }
}

fn unknown(name: &str, range: &Range<usize>, scope: &dyn Lookup) -> FormulaFault {
    let names = scope.names();
    let known = || names.iter().map(String::as_str);
    let help = match words::nearest(name, known()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("add a table [let] with {name} = .."),
        None => format!("add `{name}` to [let]; variables here: {}", words::list(known())),
    };
    FormulaFault::new("unknown-variable", range.clone(), format!("there is no variable `{name}`"), help)
}

fn finite(value: f64, range: &Range<usize>, message: impl Fn() -> String) -> Result<Quantity, FormulaFault> {
    if value.is_finite() {
        return Ok(Quantity::Number(value));
    }
    let help = "see where the numbers come from; if(condition, a, b) leaves out what is not needed";
    Err(FormulaFault::new("formula-domain", range.clone(), message(), help))
}

fn kind(expression: &Expression, found: &Quantity, wanted: &str, help: &str) -> FormulaFault {
    let message = format!("{wanted} is needed here, but this is {}", found.words());
    FormulaFault::new("formula-kind", expression.range.clone(), message, help)
}

fn number(expression: &Expression, scope: &dyn Lookup) -> Result<f64, FormulaFault> {
    match evaluate(expression, scope)? {
        Quantity::Number(number) => Ok(number),
        other @ Quantity::List(_) => {
            Err(kind(expression, &other, "a number", "name an entry, counted from one, such as list[1]"))
        }
        other => Err(kind(expression, &other, "a number", "texts are joined by &, conditions go into if()")),
    }
}

fn truth(expression: &Expression, scope: &dyn Lookup) -> Result<bool, FormulaFault> {
    match evaluate(expression, scope)? {
        Quantity::Truth(truth) => Ok(truth),
        other => Err(kind(expression, &other, "a condition", "compare, such as i == 1 or r > 0")),
    }
}

fn chain(
    first: &Expression,
    rest: &[(Operator, Expression)],
    scope: &dyn Lookup,
) -> Result<Quantity, FormulaFault> {
    use Operator::{And, Join, Minus, Or, Over, Plus, Times};
    let operator = rest.first().map(|(operator, _)| *operator);
    match operator {
        Some(stop @ (Or | And)) => {
            // The first operand that decides ends the search.
            let decides = stop == Or;
            for part in std::iter::once(first).chain(rest.iter().map(|(_, part)| part)) {
                if truth(part, scope)? == decides {
                    return Ok(Quantity::Truth(decides));
                }
            }
            Ok(Quantity::Truth(!decides))
        }
        Some(Join) => join(first, rest, scope),
        Some(Plus | Minus | Times | Over) => {
            let mut value = number(first, scope)?;
            for (operator, part) in rest {
                let right = number(part, scope)?;
                let whole = first.range.start..part.range.end;
                if *operator == Over && right == 0.0 {
                    let help =
                        "see where the divisor comes from; if(condition, a, b) leaves out what is not needed";
                    let message = format!("{value} is divided by zero");
                    return Err(FormulaFault::new("division-by-zero", part.range.clone(), message, help));
                }
                let (result, sign) = match operator {
                    Plus => (value + right, '+'),
                    Minus => (value - right, '-'),
                    Times => (value * right, '*'),
                    _ => (value / right, '/'),
                };
                finite(result, &whole, || format!("{value:e} {sign} {right:e} is beyond 1.8e308"))?;
                value = result;
            }
            Ok(Quantity::Number(value))
        }
        Some(operator) => compare(operator, first, &rest[0].1, scope),
        None => evaluate(first, scope),
    }
}

fn compare(
    operator: Operator,
    left: &Expression,
    right: &Expression,
    scope: &dyn Lookup,
) -> Result<Quantity, FormulaFault> {
    let (a, b) = (evaluate(left, scope)?, evaluate(right, scope)?);
    if std::mem::discriminant(&a) != std::mem::discriminant(&b) {
        let message = format!("{} is compared with {}", a.words(), b.words());
        let range = left.range.start..right.range.end;
        return Err(FormulaFault::new("formula-kind", range, message, "compare values of one kind"));
    }
    let order = match (&a, &b) {
        (Quantity::Number(a), Quantity::Number(b)) => a.partial_cmp(b),
        _ if matches!(operator, Operator::Equal | Operator::Different) => None,
        _ => return Err(kind(left, &a, "a number", "texts, lists and conditions are only == or !=")),
    };
    let less = order.is_some_and(std::cmp::Ordering::is_lt);
    let equal = if order.is_some() { order.is_some_and(std::cmp::Ordering::is_eq) } else { a == b };
    Ok(Quantity::Truth(match operator {
        Operator::Less => less,
        Operator::LessOrEqual => less || equal,
        Operator::Greater => !(less || equal),
        Operator::GreaterOrEqual => !less,
        Operator::Different => !equal,
        _ => equal,
    }))
}

fn join(
    first: &Expression,
    rest: &[(Operator, Expression)],
    scope: &dyn Lookup,
) -> Result<Quantity, FormulaFault> {
    let mut text = String::new();
    for part in std::iter::once(first).chain(rest.iter().map(|(_, part)| part)) {
        append(&mut text, &evaluate(part, scope)?, &part.range)?;
    }
    Ok(Quantity::Text(text.into()))
}

/// Adds a value to a text, which stays short.
pub(super) fn append(text: &mut String, value: &Quantity, range: &Range<usize>) -> Result<(), FormulaFault> {
    if let Quantity::List(_) = value {
        let help = "name an entry, counted from one, such as list[1]";
        let message = "a list cannot stand inside a text";
        return Err(FormulaFault::new("formula-kind", range.clone(), message, help));
    }
    text.push_str(&value.to_string());
    if text.len() > LONGEST_TEXT {
        let message = format!("the text grows beyond {LONGEST_TEXT} bytes");
        return Err(FormulaFault::new("formula-size", range.clone(), message, "join less text"));
    }
    Ok(())
}

fn entry(
    list: &Expression,
    index: &Expression,
    range: &Range<usize>,
    scope: &dyn Lookup,
) -> Result<Quantity, FormulaFault> {
    let found = evaluate(list, scope)?;
    let Quantity::List(entries) = &found else {
        return Err(kind(
            list,
            &found,
            "a list",
            "only lists of [let] have numbered entries: radii = [0.1, 0.2]",
        ));
    };
    let wanted = number(index, scope)?;
    let whole = wanted.fract() == 0.0 && wanted >= 1.0 && wanted <= entries.len() as f64;
    if whole {
        return Ok(entries[wanted as usize - 1].clone());
    }
    let count = words::count(entries.len(), "entry");
    let message = format!("there is no entry {wanted}: the list has {count}, counted from one");
    let help = match entries.len() {
        0 => "give the list an entry".to_owned(),
        last => format!("the entries are 1 to {last}; repeat no more often, or make the list longer"),
    };
    Err(FormulaFault::new("index-range", range.clone(), message, help))
}

/// A value as a shared text.
pub(super) fn shared(text: String) -> Quantity {
    Quantity::Text(Arc::from(text))
}
