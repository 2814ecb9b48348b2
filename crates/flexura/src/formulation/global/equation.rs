//! Constraint equations: products of operands, with Jacobian and time derivatives.
//!
//! | equation | Φ |
//! |---|---|
//! | component | d·(a − b), d constant |
//! | product | a·b − c |
//! | along | a·(c − b) − s(t) |
//! | turn | cos θ(t) (b·c) − sin θ(t) (a·c): the angle from a towards b to c is θ |
//!
//! For each Φ, its rate Φ̇ = J q̇ + Φ_t, and the bias Φ̈ − J q̈. A turn has no
//! branches: it may go round for ever.

use super::operand::{OperandValues, Operands};
use crate::spatial::{Vector3, dot, scale, sub};

/// What is kept constant or driven.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Component { a: usize, b: usize, direction: Vector3 },
    Product { a: usize, b: usize, value: f64 },
    Along { a: usize, b: usize, c: usize },
    Turn { a: usize, b: usize, c: usize },
}

/// Value, rate and acceleration of a target.
pub(super) type Target = [f64; 3];

/// One equation.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub form: Form,
    /// Coordinates it depends on.
    pub columns: Vec<usize>,
    /// First entry of its row in a flat Jacobian.
    pub start: usize,
    /// For each operand: where its columns are among `columns`.
    places: Vec<(usize, Vec<usize>)>,
}

/// An equation at one instant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EquationValue {
    pub value: f64,
    /// Φ_t: the part of the rate that no speed makes.
    pub drift: f64,
    pub bias: f64,
}

impl Form {
    fn operands(&self) -> Vec<usize> {
        match *self {
            Self::Component { a, b, .. } | Self::Product { a, b, .. } => vec![a, b],
            Self::Along { a, b, c } | Self::Turn { a, b, c } => vec![a, b, c],
        }
    }
}

impl Equation {
    /// An equation whose row starts at `start`.
    pub fn new(form: Form, operands: &Operands, start: usize) -> Self {
        let used = form.operands();
        let mut columns: Vec<usize> =
            used.iter().flat_map(|&o| operands.list[o].columns.iter().copied()).collect();
        columns.sort_unstable();
        columns.dedup();
        let place = |c: &usize| columns.partition_point(|known| known < c);
        let places =
            used.iter().map(|&o| (o, operands.list[o].columns.iter().map(place).collect())).collect();
        Self { form, columns, start, places }
    }

    /// Adds the row g · (∂ operand/∂q) of operand number `which`.
    fn add_gradient(
        &self,
        which: usize,
        g: &Vector3,
        operands: &Operands,
        at: &OperandValues,
        row: &mut [f64],
    ) {
        let (operand, places) = &self.places[which];
        let start = operands.list[*operand].start;
        for (&place, column) in places.iter().zip(&at.jacobian[start..]) {
            row[place] += dot(g, column);
        }
    }

    /// Value, drift and bias; writes the Jacobian row.
    pub fn evaluate(
        &self,
        operands: &Operands,
        at: &OperandValues,
        target: &Target,
        row: &mut [f64],
    ) -> EquationValue {
        row.fill(0.0);
        match self.form {
            Form::Component { a, b, ref direction } => {
                self.add_gradient(0, direction, operands, at, row);
                self.add_gradient(1, &scale(-1.0, direction), operands, at, row);
                EquationValue {
                    value: dot(direction, &sub(&at.value[a], &at.value[b])),
                    drift: 0.0,
                    bias: dot(direction, &sub(&at.bias[a], &at.bias[b])),
                }
            }
            Form::Product { a, b, value } => {
                self.add_gradient(0, &at.value[b], operands, at, row);
                self.add_gradient(1, &at.value[a], operands, at, row);
                EquationValue {
                    value: dot(&at.value[a], &at.value[b]) - value,
                    drift: 0.0,
                    bias: twice(at, a, b),
                }
            }
            Form::Along { a, b, c } => {
                let apart = sub(&at.value[c], &at.value[b]);
                self.add_gradient(0, &apart, operands, at, row);
                self.add_gradient(1, &scale(-1.0, &at.value[a]), operands, at, row);
                self.add_gradient(2, &at.value[a], operands, at, row);
                let bias = twice(at, a, c) - twice(at, a, b);
                let value = dot(&at.value[a], &apart) - target[0];
                EquationValue { value, drift: -target[1], bias: bias - target[2] }
            }
            Form::Turn { a, b, c } => self.turn((a, b, c), operands, at, target, row),
        }
    }

    fn turn(
        &self,
        (a, b, c): (usize, usize, usize),
        operands: &Operands,
        at: &OperandValues,
        target: &Target,
        row: &mut [f64],
    ) -> EquationValue {
        let [theta, rate, second] = *target;
        let (sin, cos) = theta.sin_cos();
        let (x, y) = (dot(&at.value[a], &at.value[c]), dot(&at.value[b], &at.value[c]));
        let product_rate = |i: usize| dot(&at.rate[i], &at.value[c]) + dot(&at.value[i], &at.rate[c]);
        let (x_rate, y_rate) = (product_rate(a), product_rate(b));
        self.add_gradient(0, &scale(-sin, &at.value[c]), operands, at, row);
        self.add_gradient(1, &scale(cos, &at.value[c]), operands, at, row);
        let arm = sub(&scale(cos, &at.value[b]), &scale(sin, &at.value[a]));
        self.add_gradient(2, &arm, operands, at, row);
        let across = sin * y + cos * x;
        let value = cos * y - sin * x;
        let bias = cos * twice(at, b, c)
            - sin * twice(at, a, c)
            - 2.0 * rate * (sin * y_rate + cos * x_rate)
            - second * across
            - rate * rate * value;
        EquationValue { value, drift: -rate * across, bias }
    }
}

/// d²(a·b)/dt² at q̈ = 0.
fn twice(at: &OperandValues, a: usize, b: usize) -> f64 {
    dot(&at.bias[a], &at.value[b]) + 2.0 * dot(&at.rate[a], &at.rate[b]) + dot(&at.value[a], &at.bias[b])
}

/// What a joint law sees: a coordinate of the joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub value: f64,
    pub rate: f64,
}

impl Equation {
    /// The measured coordinate of an along or turn equation nearest to `near`; writes its gradient.
    pub fn measure(&self, operands: &Operands, at: &OperandValues, near: f64, row: &mut [f64]) -> Measured {
        match self.form {
            Form::Turn { a, b, c } => {
                let (x, y) = (dot(&at.value[a], &at.value[c]), dot(&at.value[b], &at.value[c]));
                let angle = y.atan2(x);
                self.evaluate(operands, at, &[angle, 0.0, 0.0], row);
                let inverse = 1.0 / x.hypot(y);
                row.iter_mut().for_each(|g| *g *= inverse);
                let product_rate = |i: usize| dot(&at.rate[i], &at.value[c]) + dot(&at.value[i], &at.rate[c]);
                let rate = (angle.cos() * product_rate(b) - angle.sin() * product_rate(a)) * inverse;
                let turns = ((near - angle) / std::f64::consts::TAU).round();
                Measured { value: angle + turns * std::f64::consts::TAU, rate }
            }
            Form::Along { a, b, c } => {
                let found = self.evaluate(operands, at, &[0.0; 3], row);
                let apart = sub(&at.value[c], &at.value[b]);
                let rate = dot(&at.rate[a], &apart) + dot(&at.value[a], &sub(&at.rate[c], &at.rate[b]));
                Measured { value: found.value, rate }
            }
            _ => Measured { value: 0.0, rate: 0.0 },
        }
    }
}
