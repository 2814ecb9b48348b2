//! Formulas as sums of products: the form in which they are read.
//!
//! Atoms are symbols, sines and cosines of formulas, and whatever else is no product; sin² is 1 − cos², so that equal functions of the angles have
//! equal sums. Sums of more than [`LARGEST`] terms are not expanded: they are code, not reading.

use crate::scalar::{Operand, Operation};
use std::collections::BTreeMap;

/// Most terms of a sum that is shown.
const LARGEST: usize = 200;
/// Coefficients below this share of the largest are rounding of those that cancel.
const ROUNDING: f64 = 1e-13;

/// Atoms (places on the list of operations) with their powers, in order.
pub(super) type Monomial = Vec<(u32, u32)>;

/// A sum of products; empty: zero.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Polynomial {
    pub terms: BTreeMap<Monomial, f64>,
}

impl Polynomial {
    fn number(value: f64) -> Self {
        let mut out = Self::default();
        out.add_term(Vec::new(), value);
        out
    }

    fn atom(place: u32) -> Self {
        Self { terms: BTreeMap::from([(vec![(place, 1)], 1.0)]) }
    }

    fn add_term(&mut self, monomial: Monomial, value: f64) {
        if value != 0.0 {
            *self.terms.entry(monomial).or_insert(0.0) += value;
        }
    }

    fn constant(&self) -> Option<f64> {
        match self.terms.len() {
            0 => Some(0.0),
            1 => self.terms.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    fn scaled(&self, factor: f64) -> Self {
        let mut out = Self::default();
        self.terms.iter().for_each(|(monomial, value)| out.add_term(monomial.clone(), factor * value));
        out
    }

    fn plus(&self, other: &Self, factor: f64) -> Self {
        let mut out = self.clone();
        other.terms.iter().for_each(|(monomial, value)| out.add_term(monomial.clone(), factor * value));
        out.tidy()
    }

    /// Terms that are rounding of what cancelled leave.
    fn tidy(mut self) -> Self {
        let largest = self.terms.values().fold(0.0_f64, |most, x| most.max(x.abs()));
        self.terms.retain(|_, value| value.abs() > ROUNDING * largest);
        self
    }
}

/// Sums of all places of a list of operations.
pub(super) struct Expansion<'a> {
    operations: &'a [Operation],
    /// None: too long.
    sums: Vec<Option<Polynomial>>,
    /// Cosine of the angle whose sine an atom is.
    cosines: Vec<Option<u32>>,
}

impl<'a> Expansion<'a> {
    /// Expands every operation.
    pub fn new(operations: &'a [Operation]) -> Self {
        let mut out = Self { operations, sums: Vec::new(), cosines: vec![None; operations.len()] };
        for (at, operation) in operations.iter().enumerate() {
            if let Operation::Sin(angle) = operation {
                let cosine = operations.iter().position(|other| *other == Operation::Cos(*angle));
                out.cosines[at] = cosine.map(|place| place as u32);
            }
        }
        for at in 0..operations.len() {
            let sum = out.expand(at);
            out.sums.push(sum.filter(|sum| sum.terms.len() <= LARGEST));
        }
        out
    }

    /// The sum of an operand; none where it is too long.
    pub fn of(&self, operand: Operand) -> Option<Polynomial> {
        match operand {
            Operand::Number(bits) => Some(Polynomial::number(f64::from_bits(bits))),
            Operand::Place(place) => self.sums[place as usize].clone(),
        }
    }

    fn expand(&self, at: usize) -> Option<Polynomial> {
        let own = || Some(Polynomial::atom(at as u32));
        match self.operations[at] {
            Operation::Add(a, b) => Some(self.of(a)?.plus(&self.of(b)?, 1.0)),
            Operation::Subtract(a, b) => Some(self.of(a)?.plus(&self.of(b)?, -1.0)),
            Operation::Negate(a) => Some(self.of(a)?.scaled(-1.0)),
            Operation::Multiply(a, b) => self.product(&self.of(a)?, &self.of(b)?),
            Operation::Divide(a, b) => match self.of(b).and_then(|divisor| divisor.constant()) {
                Some(divisor) => Some(self.of(a)?.scaled(1.0 / divisor)),
                None => own(),
            },
            _ => own(),
        }
    }

    fn product(&self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        if a.terms.len() * b.terms.len() > LARGEST * LARGEST {
            return None;
        }
        let mut out = Polynomial::default();
        for (left, x) in &a.terms {
            for (right, y) in &b.terms {
                self.add_reduced(merged(left, right), x * y, &mut out);
            }
        }
        Some(out.tidy())
    }

    /// Adds a product, with squares of sines written as cosines.
    fn add_reduced(&self, monomial: Monomial, value: f64, out: &mut Polynomial) {
        let square =
            monomial.iter().position(|&(atom, power)| power > 1 && self.cosines[atom as usize].is_some());
        let Some(index) = square else { return out.add_term(monomial, value) };
        let (atom, power) = monomial[index];
        let Some(cosine) = self.cosines[atom as usize] else { return };
        let mut rest = monomial;
        if power == 2 {
            rest.remove(index);
        } else {
            rest[index].1 -= 2;
        }
        self.add_reduced(rest.clone(), value, out);
        self.add_reduced(merged(&rest, &vec![(cosine, 2)]), -value, out);
    }
}

/// Product of two monomials.
fn merged(a: &Monomial, b: &Monomial) -> Monomial {
    let mut powers: BTreeMap<u32, u32> = a.iter().copied().collect();
    for &(atom, power) in b {
        *powers.entry(atom).or_insert(0) += power;
    }
    powers.into_iter().collect()
}
