//! C and Rust from the formulas: one function for M̂, Q, Φ_q and Λ, one that solves for accelerations and multipliers.
//!
//! Source: Richard (2012), section 5. The code needs nothing but a mathematical library; every operation stands once. The second function factorises M̂ of
//! the free speeds and takes rows in the order of their pivots; dependent rows get no reaction.

use super::{Counts, Symbolic};
use crate::scalar::{Operand, Operation};
use std::fmt::Write;

const SOLVER_C: &str = include_str!("solver.c");
const SOLVER_RUST: &str = include_str!("solver.rs.txt");

/// A language that code is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99.
    C,
    /// Rust.
    Rust,
}

impl Symbolic {
    /// The source of both functions.
    pub fn code(&self, language: Language) -> String {
        let (n, rows) = (self.speeds.len(), self.rows);
        let free: Vec<String> = (0..n).filter(|&i| !self.prescribed[i]).map(|i| i.to_string()).collect();
        let sizes =
            [("COORDINATES", self.coordinates.len()), ("SPEEDS", n), ("ROWS", rows), ("FREE", free.len())];
        let mut text = self.comment();
        match language {
            Language::C => {
                text += "#include <math.h>\n\n";
                for (name, value) in sizes {
                    let _ = writeln!(text, "#define {name} {value}");
                }
                let _ = writeln!(
                    text,
                    "\nstatic const int free_speeds[{}] = {{{}}};\n",
                    free.len().max(1),
                    if free.is_empty() { "0".into() } else { free.join(", ") }
                );
                text += "void equations(const double *q, const double *u, double *mass, double *force, double *jacobian, double *right)\n{\n";
                self.body(language, &mut text);
                text += "}\n\n";
                text += SOLVER_C;
            }
            Language::Rust => {
                for (name, value) in sizes {
                    let _ = writeln!(text, "pub const {name}: usize = {value};");
                }
                let _ = writeln!(text, "const FREE_SPEEDS: [usize; FREE] = [{}];\n", free.join(", "));
                text += "/// M, Q, the Jacobian of the constraints and their right side at coordinates `q` and speeds `u`, row by row.\n\
                         #[rustfmt::skip]\n\
                         pub fn equations(q: &[f64], u: &[f64], mass: &mut [f64], force: &mut [f64], jacobian: &mut [f64], right: &mut [f64]) {\n";
                self.body(language, &mut text);
                text += "}\n\n";
                text += SOLVER_RUST;
            }
        }
        text
    }

    /// Operations of `accelerations` beside those of `equations`, all rows independent: what the solver of the code does, loop by loop, the choice of pivots apart.
    pub fn solution_counts(&self) -> Counts {
        let (n, rows) = (self.speeds.len(), self.rows);
        let free = self.prescribed.iter().filter(|&&given| !given).count();
        // Terms of a sum: one product and one addition each. Divisions stand alone.
        let triangle = |size: usize| size * size.saturating_sub(1) / 2;
        let factor = (0..free).map(|a| triangle(a + 1)).sum::<usize>();
        let open = n * free + triangle(free);
        let reach = rows * (triangle(free) + n + free);
        let reflected = rows * rows * free;
        let eliminated = (0..rows).map(|left| left * (left + 1)).sum::<usize>();
        let back = triangle(rows) + free * rows + triangle(free);
        let terms = factor + open + reach + reflected + eliminated + back;
        let divided = triangle(free) + free + rows * free + triangle(rows) + rows + free;
        Counts { products: terms + divided, additions: terms, functions: free }
    }

    /// What the symbols are.
    fn comment(&self) -> String {
        let (counts, solved) = (self.program.counts(), self.solution_counts());
        let mut text = format!(
            "// Equations of motion of `{}`: M a = Q + J^T lambda, J a = Lambda.\n// {} products, {} additions, {} functions; {}, {}, {} more to solve for accelerations.\n//\n",
            self.name.replace('\n', " "),
            counts.products,
            counts.additions,
            counts.functions,
            solved.products,
            solved.additions,
            solved.functions
        );
        for (letter, names) in [('q', &self.coordinates), ('u', &self.speeds)] {
            for (i, name) in names.iter().enumerate() {
                let given = letter == 'u' && self.prescribed[i];
                let _ = writeln!(
                    text,
                    "// {letter}[{i}]  {name}{}",
                    if given { " (acceleration given)" } else { "" }
                );
            }
        }
        text + "\n"
    }

    fn body(&self, language: Language, text: &mut String) {
        let (n, rows) = (self.speeds.len(), self.rows);
        let declare = if language == Language::C { "const double" } else { "let" };
        for (at, operation) in self.program.operations.iter().enumerate() {
            let _ = writeln!(text, "    {declare} x{at} = {};", self.formula(language, *operation));
        }
        for (index, &operand) in self.program.outputs.iter().enumerate() {
            let (name, at) = match index {
                i if i < n * n => ("mass", i),
                i if i < n * n + n => ("force", i - n * n),
                i if i < n * n + n + rows * n => ("jacobian", i - n * n - n),
                i => ("right", i - n * n - n - rows * n),
            };
            let _ = writeln!(text, "    {name}[{at}] = {};", operand_text(operand));
        }
    }

    fn formula(&self, language: Language, operation: Operation) -> String {
        let c = language == Language::C;
        let x = operand_text;
        let call = |word: &str, a: Operand| if c { format!("{word}({})", x(a)) } else { method(word, a) };
        match operation {
            Operation::Symbol(number) => {
                let (number, coordinates) = (number as usize, self.coordinates.len());
                if number < coordinates {
                    format!("q[{number}]")
                } else {
                    format!("u[{}]", number - coordinates)
                }
            }
            Operation::Add(a, b) => format!("{} + {}", x(a), x(b)),
            Operation::Subtract(a, b) => format!("{} - {}", x(a), x(b)),
            Operation::Multiply(a, b) => format!("{} * {}", x(a), x(b)),
            Operation::Divide(a, b) => format!("{} / {}", x(a), x(b)),
            Operation::Negate(a) => format!("-{}", x(a)),
            Operation::Sqrt(a) => call("sqrt", a),
            Operation::Sin(a) => call("sin", a),
            Operation::Cos(a) => call("cos", a),
            Operation::Tanh(a) => call("tanh", a),
            Operation::Ln(a) => call(if c { "log" } else { "ln" }, a),
            Operation::Atan2(a, b) if c => format!("atan2({}, {})", x(a), x(b)),
            Operation::Atan2(a, b) => format!("f64::atan2({}, {})", x(a), x(b)),
            Operation::Power(a, exponent) if c => format!("pow({}, {:?})", x(a), f64::from_bits(exponent)),
            Operation::Power(a, exponent) => format!("f64::powf({}, {:?})", x(a), f64::from_bits(exponent)),
        }
    }
}

fn method(word: &str, operand: Operand) -> String {
    format!("f64::{word}({})", operand_text(operand))
}

/// A place, or a number with all its digits.
fn operand_text(operand: Operand) -> String {
    match operand {
        Operand::Place(place) => format!("x{place}"),
        Operand::Number(bits) => {
            let value = f64::from_bits(bits);
            if value < 0.0 { format!("({value:?})") } else { format!("{value:?}") }
        }
    }
}
