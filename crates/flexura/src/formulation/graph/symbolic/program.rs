//! Formulas as a list of operations, and their values.

use super::derivative::operands;
use crate::scalar::{Operand, Operation, Tape, Traced};

/// How many operations of which kind: as in the counts of algorithms, signs are free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Multiplications and divisions.
    pub products: usize,
    /// Additions and subtractions.
    pub additions: usize,
    /// Sines, cosines, roots and the like.
    pub functions: usize,
}

/// Operations in order, only those that the outputs need, each once.
#[derive(Clone, Debug)]
pub struct Program {
    /// Operations; operands are numbers or places before.
    pub operations: Vec<Operation>,
    /// Results.
    pub outputs: Vec<Operand>,
    /// Number of symbols.
    pub symbols: usize,
}

impl Program {
    /// The part of `tape` under `outputs`, places counted anew.
    pub(super) fn new(tape: &Tape, outputs: Vec<Traced>, symbols: usize) -> Self {
        let mut needed = vec![false; tape.operations.len()];
        let place = |operand: &Operand| match operand {
            Operand::Place(place) => Some(*place as usize),
            Operand::Number(_) => None,
        };
        let outputs: Vec<Operand> = outputs.into_iter().map(Traced::operand).collect();
        outputs.iter().filter_map(place).for_each(|at| needed[at] = true);
        for at in (0..needed.len()).rev() {
            if needed[at] {
                let below = operands(tape.operations[at]);
                below.iter().flatten().filter_map(place).for_each(|at| needed[at] = true);
            }
        }
        let mut moved = vec![0_u32; needed.len()];
        let mut operations = Vec::new();
        for at in (0..needed.len()).filter(|&at| needed[at]) {
            moved[at] = operations.len() as u32;
            operations.push(renumbered(tape.operations[at], &moved));
        }
        let outputs = outputs.into_iter().map(|operand| move_operand(operand, &moved)).collect();
        Self { operations, outputs, symbols }
    }

    /// Values of the outputs for values of the symbols.
    pub fn evaluate(&self, symbols: &[f64]) -> Vec<f64> {
        let mut values: Vec<f64> = Vec::with_capacity(self.operations.len());
        for operation in &self.operations {
            let x = |operand: Operand| value(&values, operand);
            let found = match *operation {
                Operation::Symbol(number) => symbols[number as usize],
                Operation::Add(a, b) => x(a) + x(b),
                Operation::Subtract(a, b) => x(a) - x(b),
                Operation::Multiply(a, b) => x(a) * x(b),
                Operation::Divide(a, b) => x(a) / x(b),
                Operation::Negate(a) => -x(a),
                Operation::Sqrt(a) => x(a).sqrt(),
                Operation::Sin(a) => x(a).sin(),
                Operation::Cos(a) => x(a).cos(),
                Operation::Tanh(a) => x(a).tanh(),
                Operation::Ln(a) => x(a).ln(),
                Operation::Atan2(a, b) => x(a).atan2(x(b)),
                Operation::Power(a, exponent) => x(a).powf(f64::from_bits(exponent)),
            };
            values.push(found);
        }
        self.outputs.iter().map(|&operand| value(&values, operand)).collect()
    }

    /// Operations by kind.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for operation in &self.operations {
            match operation {
                Operation::Symbol(_) | Operation::Negate(_) => {}
                Operation::Add(..) | Operation::Subtract(..) => counts.additions += 1,
                Operation::Multiply(..) | Operation::Divide(..) => counts.products += 1,
                _ => counts.functions += 1,
            }
        }
        counts
    }
}

fn value(values: &[f64], operand: Operand) -> f64 {
    match operand {
        Operand::Number(bits) => f64::from_bits(bits),
        Operand::Place(place) => values[place as usize],
    }
}

fn move_operand(operand: Operand, moved: &[u32]) -> Operand {
    match operand {
        Operand::Place(place) => Operand::Place(moved[place as usize]),
        number => number,
    }
}

fn renumbered(operation: Operation, moved: &[u32]) -> Operation {
    let m = |operand| move_operand(operand, moved);
    match operation {
        Operation::Symbol(number) => Operation::Symbol(number),
        Operation::Add(a, b) => Operation::Add(m(a), m(b)),
        Operation::Subtract(a, b) => Operation::Subtract(m(a), m(b)),
        Operation::Multiply(a, b) => Operation::Multiply(m(a), m(b)),
        Operation::Divide(a, b) => Operation::Divide(m(a), m(b)),
        Operation::Negate(a) => Operation::Negate(m(a)),
        Operation::Sqrt(a) => Operation::Sqrt(m(a)),
        Operation::Sin(a) => Operation::Sin(m(a)),
        Operation::Cos(a) => Operation::Cos(m(a)),
        Operation::Tanh(a) => Operation::Tanh(m(a)),
        Operation::Ln(a) => Operation::Ln(m(a)),
        Operation::Atan2(a, b) => Operation::Atan2(m(a), m(b)),
        Operation::Power(a, exponent) => Operation::Power(m(a), exponent),
    }
}
