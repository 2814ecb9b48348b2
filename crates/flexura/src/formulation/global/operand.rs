//! Vectors that constraint equations are made of, with their derivatives.
//!
//! A natural element, a difference of points, and every point or direction of a
//! rigid body are linear in the coordinates. A point or direction carried by a
//! deforming attachment is X(q) w(η): bilinear in frame and modes. Of each operand
//! `value`, `rate`, `bias` (its second derivative at q̈ = 0) and the Jacobian are
//! known.

use super::deformation::Deformation;
use super::frame::{Frame, FrameMap, Weights, at, turn};
use super::natural::Natural;
use crate::spatial::{Vector3, add, axpy, cross, norm, scale};

/// Coefficient below which a column is taken to be absent (base vectors are unit vectors).
const ABSENT: f64 = 1e-13;

/// How an operand depends on the coordinates.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// constant + Jacobian × coordinates.
    Linear {
        /// The part that no coordinate moves.
        constant: Vector3,
    },
    /// Carried by a deforming attachment.
    Carried {
        /// Body.
        body: usize,
        /// Index of the attachment among those evaluated.
        deformation: usize,
        /// Position or direction relative to the attachment.
        local: Vector3,
        /// Whether it is a point.
        point: bool,
        /// First coordinate of the modes.
        modal: usize,
    },
}

/// A vector-valued function of the coordinates.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    pub source: Source,
    /// Coordinates it depends on.
    pub columns: Vec<usize>,
    /// First column of its Jacobian in [`OperandValues::jacobian`].
    pub start: usize,
}

/// A linear operand before it is stored.
#[derive(Clone, Debug, Default)]
pub(super) struct LinearOperand {
    pub constant: Vector3,
    pub columns: Vec<(usize, Vector3)>,
}

impl LinearOperand {
    /// Adds `factor` times an element, turned by a right angle about `turned` where given.
    pub fn add_natural(&mut self, natural: &Natural, factor: f64, turned: Option<&Vector3>) {
        let placed = |v: &Vector3| turned.map_or(*v, |normal| cross(normal, v));
        axpy(&mut self.constant, factor, &placed(&natural.constant));
        for (k, direction) in natural.directions.iter().enumerate() {
            self.add_column(natural.first + k, &scale(factor, &placed(direction)));
        }
        for (c, direction) in &natural.carried {
            self.add_column(*c, &scale(factor, &placed(direction)));
        }
    }

    /// A point or direction of a rigid frame.
    pub fn of_frame(map: &FrameMap, weights: &Weights) -> Self {
        let columns = map.columns.iter().map(|(c, z)| (*c, at(z, weights)));
        let columns = columns.filter(|(_, column)| norm(column) > ABSENT).collect();
        Self { constant: at(&map.constant, weights), columns }
    }

    fn add_column(&mut self, c: usize, column: &Vector3) {
        match self.columns.iter_mut().find(|(known, _)| *known == c) {
            Some((_, sum)) => *sum = add(sum, column),
            None => self.columns.push((c, *column)),
        }
    }
}

/// All operands of a system.
#[derive(Clone, Debug, Default)]
pub(super) struct Operands {
    pub list: Vec<Operand>,
    /// Jacobian columns of the linear operands; zero for the others.
    pub jacobian: Vec<Vector3>,
}

impl Operands {
    /// Stores a linear operand.
    pub fn add_linear(&mut self, operand: LinearOperand) -> usize {
        let start = self.jacobian.len();
        let (columns, values): (Vec<usize>, Vec<Vector3>) = operand.columns.into_iter().unzip();
        self.jacobian.extend(values);
        self.list.push(Operand { source: Source::Linear { constant: operand.constant }, columns, start });
        self.list.len() - 1
    }

    /// Stores an operand carried by a deforming attachment: frame columns first, then modes.
    pub fn add_carried(&mut self, source: Source, map: &FrameMap, modes: usize) -> usize {
        let Source::Carried { modal, .. } = source else { return 0 };
        let start = self.jacobian.len();
        let frame = map.columns.iter().map(|(c, _)| *c);
        let columns: Vec<usize> = frame.chain(modal..modal + modes).collect();
        self.jacobian.resize(start + columns.len(), [0.0; 3]);
        self.list.push(Operand { source, columns, start });
        self.list.len() - 1
    }
}

/// Values of all operands at one instant.
#[derive(Clone, Debug, Default)]
pub(super) struct OperandValues {
    pub value: Vec<Vector3>,
    pub rate: Vec<Vector3>,
    pub bias: Vec<Vector3>,
    pub jacobian: Vec<Vector3>,
}

/// What operands are evaluated from.
pub(super) struct OperandInput<'a> {
    pub q: &'a [f64],
    pub v: &'a [f64],
    pub maps: &'a [FrameMap],
    pub frames: &'a [Frame],
    pub frame_rates: &'a [Frame],
    pub deformations: &'a [Deformation],
}

impl OperandValues {
    /// Room for `operands`; Jacobians of linear ones are filled for good.
    pub fn new(operands: &Operands) -> Self {
        let zero = vec![[0.0; 3]; operands.list.len()];
        Self { value: zero.clone(), rate: zero.clone(), bias: zero, jacobian: operands.jacobian.clone() }
    }

    /// Evaluates all operands.
    pub fn evaluate(&mut self, operands: &Operands, input: &OperandInput<'_>) {
        for (index, operand) in operands.list.iter().enumerate() {
            match &operand.source {
                Source::Linear { constant } => self.linear(index, operand, constant, input),
                Source::Carried { body, deformation, local, point, modal } => {
                    let shape = &input.deformations[*deformation];
                    self.carried(index, operand, (*body, *modal, *point), shape, local, input);
                }
            }
        }
    }

    fn linear(&mut self, index: usize, operand: &Operand, constant: &Vector3, input: &OperandInput<'_>) {
        let (mut value, mut rate) = (*constant, [0.0; 3]);
        let columns = &self.jacobian[operand.start..operand.start + operand.columns.len()];
        for (&c, column) in operand.columns.iter().zip(columns) {
            axpy(&mut value, input.q[c], column);
            axpy(&mut rate, input.v[c], column);
        }
        (self.value[index], self.rate[index]) = (value, rate);
    }

    fn carried(
        &mut self,
        index: usize,
        operand: &Operand,
        (body, modal, point): (usize, usize, bool),
        shape: &Deformation,
        local: &Vector3,
        input: &OperandInput<'_>,
    ) {
        let (x, x_rate, map) = (&input.frames[body], &input.frame_rates[body], &input.maps[body]);
        let moved = if point { shape.arm(local) } else { shape.carry(local) };
        let first = if point { 1.0 } else { 0.0 };
        let weights = [first, moved.value[0], moved.value[1], moved.value[2]];
        self.value[index] = at(x, &weights);
        self.rate[index] = add(&at(x_rate, &weights), &turn(x, &moved.rate));
        self.bias[index] = add(&scale(2.0, &turn(x_rate, &moved.rate)), &turn(x, &moved.bias));
        let columns = &mut self.jacobian[operand.start..operand.start + operand.columns.len()];
        for (column, (_, z)) in columns.iter_mut().zip(&map.columns) {
            *column = at(z, &weights);
        }
        let frame_columns = map.columns.len();
        for (column, &c) in columns[frame_columns..].iter_mut().zip(&operand.columns[frame_columns..]) {
            let r = c - modal;
            let slope =
                if point { shape.arm_slope(r, local) } else { shape.carried_slope(r, local, &moved.value) };
            *column = turn(x, &slope);
        }
    }
}
