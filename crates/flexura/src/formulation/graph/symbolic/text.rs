//! Formulas to be read: plain text and LaTeX.

use super::Symbolic;
use super::polynomial::{Expansion, Monomial, Polynomial};
use crate::scalar::{Operand, Operation};
use std::collections::BTreeSet;
use std::fmt::Write;

/// How symbols and functions are written.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Text,
    Latex,
}

/// Digits of coefficients: what rounding of a few products leaves.
const DIGITS: usize = 12;

impl Symbolic {
    /// All entries that are not zero, one per line, with a list of what the symbols are.
    pub fn text(&self) -> String {
        let mut text = self.legend(|letter, number, name, given| {
            format!("  {letter}{number} = {name}{}\n", if given { " (given)" } else { "" })
        });
        self.entries(Style::Text, |what, formula| {
            let _ = writeln!(text, "{what} = {formula}");
        });
        text
    }

    /// The same as one `align*` environment.
    pub fn latex(&self) -> String {
        let mut text = self.legend(|letter, number, name, given| {
            format!("% {letter}_{{{number}}}: {name}{}\n", if given { " (given)" } else { "" })
        });
        text += "\\begin{align*}\n";
        self.entries(Style::Latex, |what, formula| {
            let _ = writeln!(text, "{what} &= {formula} \\\\");
        });
        text + "\\end{align*}\n"
    }

    fn legend(&self, line: impl Fn(char, usize, &str, bool) -> String) -> String {
        let mut text = String::new();
        for (i, name) in self.coordinates.iter().enumerate() {
            text += &line('q', i + 1, name, false);
        }
        for (i, name) in self.speeds.iter().enumerate() {
            text += &line('u', i + 1, name, self.prescribed[i]);
        }
        text
    }

    /// Calls `take` with name and formula of every entry: M̂ (upper half), Q, Φ_q, Λ, then what they use.
    fn entries(&self, style: Style, mut take: impl FnMut(String, String)) {
        let (n, rows) = (self.speeds.len(), self.rows);
        let expansion = Expansion::new(&self.program.operations);
        let writer = Writer { symbolic: self, style };
        let mut used = BTreeSet::new();
        let name = |index: usize| match index {
            i if i < n * n => writer.entry("M", "\\hat M", &[i / n, i % n]),
            i if i < n * n + n => writer.entry("Q", "Q", &[i - n * n]),
            i if i < n * n + n + rows * n => {
                let at = i - n * n - n;
                writer.entry("Phi_q", "\\Phi_q", &[at / n, at % n])
            }
            i => writer.entry("Lambda", "\\Lambda", &[i - n * n - n - rows * n]),
        };
        for (index, &operand) in self.program.outputs.iter().enumerate() {
            let lower = index < n * n && index / n > index % n;
            if lower || operand.number() == Some(0.0) {
                continue;
            }
            let formula = match expansion.of(operand) {
                Some(sum) if sum.terms.is_empty() => continue,
                Some(sum) => writer.sum(&sum, &mut used),
                None => writer.too_long(),
            };
            take(name(index), formula);
        }
        // What is no sum of products is told after the entries that use it; it may use more.
        while let Some(place) = used.pop_last() {
            let (what, formula) = writer.definition(place, &expansion, &mut used);
            take(what, formula);
        }
    }
}

struct Writer<'a> {
    symbolic: &'a Symbolic,
    style: Style,
}

impl Writer<'_> {
    fn entry(&self, word: &str, symbol: &str, indices: &[usize]) -> String {
        let list: Vec<String> = indices.iter().map(|i| (i + 1).to_string()).collect();
        match self.style {
            Style::Text => format!("{word}[{}]", list.join(",")),
            Style::Latex => format!("{symbol}{{}}_{{{}}}", list.join(",")),
        }
    }

    fn too_long(&self) -> String {
        match self.style {
            Style::Text => "(too long to read; see the code)".into(),
            Style::Latex => "\\text{(too long to read; see the code)}".into(),
        }
    }

    fn symbol(&self, number: usize) -> String {
        let coordinates = self.symbolic.coordinates.len();
        let (letter, index) =
            if number < coordinates { ('q', number + 1) } else { ('u', number - coordinates + 1) };
        match self.style {
            Style::Text => format!("{letter}{index}"),
            Style::Latex => format!("{letter}_{{{index}}}"),
        }
    }

    /// A sum; atoms that need a definition are added to `used`.
    fn sum(&self, sum: &Polynomial, used: &mut BTreeSet<u32>) -> String {
        if sum.terms.is_empty() {
            return "0".into();
        }
        let mut text = String::new();
        for (monomial, &value) in &sum.terms {
            let sign = match (text.is_empty(), value < 0.0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text += sign;
            text += &self.term(monomial, value.abs(), used);
        }
        text
    }

    fn term(&self, monomial: &Monomial, value: f64, used: &mut BTreeSet<u32>) -> String {
        let mut factors = Vec::new();
        if value != 1.0 || monomial.is_empty() {
            factors.push(self.number(value));
        }
        for &(atom, power) in monomial {
            let base = self.atom(atom, used);
            factors.push(match (power, self.style) {
                (1, _) => base,
                (_, Style::Text) => format!("{base}^{power}"),
                (_, Style::Latex) => format!("{{{base}}}^{{{power}}}"),
            });
        }
        factors.join(if self.style == Style::Text { " " } else { "\\," })
    }

    fn number(&self, value: f64) -> String {
        let rounded: f64 = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
        let plain = (1e-4..1e6).contains(&rounded.abs());
        let text = if plain { format!("{rounded}") } else { format!("{rounded:e}") };
        match (self.style, text.split_once('e')) {
            (Style::Latex, Some((digits, exponent))) => format!("{digits}\\cdot 10^{{{exponent}}}"),
            _ => text,
        }
    }

    fn atom(&self, place: u32, used: &mut BTreeSet<u32>) -> String {
        let operations = &self.symbolic.program.operations;
        let direct = |operand: Operand| match operand {
            Operand::Place(at) => match operations[at as usize] {
                Operation::Symbol(number) => Some(self.symbol(number as usize)),
                _ => None,
            },
            Operand::Number(_) => None,
        };
        let latex = self.style == Style::Latex;
        match operations[place as usize] {
            Operation::Symbol(number) => self.symbol(number as usize),
            Operation::Sin(angle) | Operation::Cos(angle) if direct(angle).is_some() => {
                let sine = matches!(operations[place as usize], Operation::Sin(_));
                let word = if sine { "sin" } else { "cos" };
                let angle = direct(angle).unwrap_or_default();
                if latex { format!("\\{word} {angle}") } else { format!("{word}({angle})") }
            }
            _ => {
                used.insert(place);
                self.place(place)
            }
        }
    }

    fn place(&self, place: u32) -> String {
        if self.style == Style::Latex { format!("x_{{{place}}}") } else { format!("x{place}") }
    }

    /// Name and formula of an atom that is no product.
    fn definition(&self, place: u32, expansion: &Expansion, used: &mut BTreeSet<u32>) -> (String, String) {
        let mut of = |operand: Operand| match expansion.of(operand) {
            Some(sum) => self.sum(&sum, used),
            None => self.too_long(),
        };
        let formula = match self.symbolic.program.operations[place as usize] {
            Operation::Divide(a, b) => format!("({}) / ({})", of(a), of(b)),
            Operation::Sqrt(a) => format!("sqrt({})", of(a)),
            Operation::Sin(a) => format!("sin({})", of(a)),
            Operation::Cos(a) => format!("cos({})", of(a)),
            Operation::Tanh(a) => format!("tanh({})", of(a)),
            Operation::Ln(a) => format!("ln({})", of(a)),
            Operation::Atan2(a, b) => format!("atan2({}, {})", of(a), of(b)),
            Operation::Power(a, exponent) => format!("({})^{}", of(a), f64::from_bits(exponent)),
            // Sums and products are expanded, not named.
            _ => String::new(),
        };
        (self.place(place), formula)
    }
}
