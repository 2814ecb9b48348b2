//! Derivatives of formulas along the motion of the coordinates.

use crate::scalar::{Operand, Operation, Scalar, Traced};

/// d/dt of `roots`, where symbol i < `rates`.len() moves with `rates`[i] and all others stand still. Cost O(operations under the roots).
pub(super) fn along(roots: &[Traced], rates: &[Traced]) -> Vec<Traced> {
    let last = roots.iter().filter_map(|root| place(root.operand())).max();
    let count = last.map_or(0, |last| last + 1);
    let mut needed = vec![false; count];
    roots.iter().filter_map(|root| place(root.operand())).for_each(|at| needed[at] = true);
    let operation = |at: usize| Traced::of(Operand::Place(at as u32)).operation();
    for at in (0..count).rev() {
        if needed[at]
            && let Some(operation) = operation(at)
        {
            operands(operation)
                .into_iter()
                .flatten()
                .filter_map(place)
                .for_each(|below| needed[below] = true);
        }
    }
    let mut slopes = vec![Traced::ZERO; count];
    for at in (0..count).filter(|&at| needed[at]).collect::<Vec<usize>>() {
        if let Some(operation) = operation(at) {
            slopes[at] = slope(operation, Traced::of(Operand::Place(at as u32)), &slopes, rates);
        }
    }
    roots.iter().map(|root| at(&slopes, root.operand())).collect()
}

fn place(operand: Operand) -> Option<usize> {
    match operand {
        Operand::Place(place) => Some(place as usize),
        Operand::Number(_) => None,
    }
}

fn at(slopes: &[Traced], operand: Operand) -> Traced {
    place(operand).map_or(Traced::ZERO, |place| slopes[place])
}

/// Operands of an operation.
pub(super) fn operands(operation: Operation) -> [Option<Operand>; 2] {
    match operation {
        Operation::Symbol(_) => [None, None],
        Operation::Add(a, b)
        | Operation::Subtract(a, b)
        | Operation::Multiply(a, b)
        | Operation::Divide(a, b)
        | Operation::Atan2(a, b) => [Some(a), Some(b)],
        Operation::Negate(a)
        | Operation::Sqrt(a)
        | Operation::Sin(a)
        | Operation::Cos(a)
        | Operation::Tanh(a)
        | Operation::Ln(a)
        | Operation::Power(a, _) => [Some(a), None],
    }
}

/// Slope of an operation with result `own`, from those of its operands.
fn slope(operation: Operation, own: Traced, slopes: &[Traced], rates: &[Traced]) -> Traced {
    let d = |operand: Operand| at(slopes, operand);
    let x = Traced::of;
    match operation {
        Operation::Symbol(number) => rates.get(number as usize).copied().unwrap_or(Traced::ZERO),
        Operation::Add(a, b) => d(a) + d(b),
        Operation::Subtract(a, b) => d(a) - d(b),
        Operation::Multiply(a, b) => d(a) * x(b) + x(a) * d(b),
        Operation::Divide(a, b) => (d(a) - own * d(b)) / x(b),
        Operation::Negate(a) => -d(a),
        Operation::Sqrt(a) => d(a) / (own * 2.0),
        Operation::Sin(a) => x(a).sin_cos().1 * d(a),
        Operation::Cos(a) => -(x(a).sin_cos().0 * d(a)),
        Operation::Tanh(a) => (Traced::ONE - own * own) * d(a),
        Operation::Ln(a) => d(a) / x(a),
        Operation::Atan2(a, b) => (x(b) * d(a) - x(a) * d(b)) / (x(a) * x(a) + x(b) * x(b)),
        Operation::Power(a, exponent) => {
            let exponent = f64::from_bits(exponent);
            x(a).powf(exponent - 1.0) * exponent * d(a)
        }
    }
}
