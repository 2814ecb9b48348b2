//! Speeds and accelerations of spherical and free joints from their coordinates.
//!
//! Turns are quaternions p with ω = 2 vec(p̄ ṗ) and ω̇ = 2 vec(p̄ p̈) in body axes, since the conjugate of ṗ times ṗ has no
//! vector part; places x of free joints have v = Rᵀẋ and v̇ = Rᵀẍ − ω × v.

use super::{Column, MotionSeries};
use crate::analysis::AnalysisError;
use crate::model::Model;
use crate::spatial::{cross, matrix_from_quaternion, quaternion_product, transposed_matrix_vector};

/// How far the length of a quaternion may be from one: what six digits leave.
const UNIT: f64 = 1e-4;

impl MotionSeries {
    /// A quaternion at q, with its angular velocity at v; the joint has `width` speeds.
    pub(super) fn complete_turn(
        &mut self,
        model: &Model,
        q: usize,
        v: usize,
        width: usize,
    ) -> Result<(), AnalysisError> {
        let (of_q, of_v) = ([q, q + 1, q + 2, q + 3], [v, v + 1, v + 2]);
        if !self.all_or_none(&self.q, &self.coordinates, &of_q)? {
            self.without_coordinates(&of_q, &(v..v + width).collect::<Vec<_>>())?;
            if !model.prescribed[v] {
                self.held.push(self.coordinates[q].clone());
            }
            return Ok(());
        }
        let turns = self.unit_quaternions(q)?;
        for (i, index) in of_q.into_iter().enumerate() {
            self.q.insert(index, turns.iter().map(|turn| turn[i]).collect());
        }
        if !self.all_or_none(&self.v, &self.speeds, &of_v)? {
            let rates = self.component_rates(&of_q.map(|i| self.q[&i].clone()), &self.coordinates[q])?;
            let seconds = self.component_rates(&rates, &self.coordinates[q])?;
            let given = self.all_or_none(&self.a, &self.speeds, &of_v)?;
            for i in 0..3 {
                let speeds = turns.iter().enumerate().map(|(row, turn)| doubled(turn, &rates, row)[i + 1]);
                self.v.insert(v + i, speeds.collect());
                if !given {
                    let rates =
                        turns.iter().enumerate().map(|(row, turn)| doubled(turn, &seconds, row)[i + 1]);
                    self.a.insert(v + i, rates.collect());
                }
            }
        }
        of_v.into_iter().try_for_each(|v| self.complete_acceleration(v))
    }

    /// Quaternions of unit length without jumps of sign.
    fn unit_quaternions(&self, q: usize) -> Result<Vec<[f64; 4]>, AnalysisError> {
        let mut turns: Vec<[f64; 4]> = Vec::with_capacity(self.rows());
        for row in 0..self.rows() {
            let mut turn: [f64; 4] = std::array::from_fn(|i| self.q[&(q + i)][row]);
            let length = turn.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (length - 1.0).abs() > UNIT {
                return Err(AnalysisError::Name(format!(
                    "the quaternion of `{}` has length {length} in row {}, not one",
                    self.coordinates[q],
                    row + 1
                )));
            }
            let turned = turns
                .last()
                .is_some_and(|last| last.iter().zip(&turn).map(|(a, b)| a * b).sum::<f64>() < 0.0);
            let factor = if turned { -1.0 / length } else { 1.0 / length };
            turn.iter_mut().for_each(|x| *x *= factor);
            turns.push(turn);
        }
        Ok(turns)
    }

    fn component_rates<const N: usize>(
        &self,
        columns: &[Column; N],
        name: &str,
    ) -> Result<[Column; N], AnalysisError> {
        let mut out = std::array::from_fn(|_| Vec::new());
        for (slot, column) in out.iter_mut().zip(columns) {
            *slot = self.rates(name, column)?;
        }
        Ok(out)
    }

    /// The place of a free joint, after its turn.
    pub(super) fn complete_place(&mut self, model: &Model, q: usize, v: usize) -> Result<(), AnalysisError> {
        let (of_q, of_v) = ([q + 4, q + 5, q + 6], [v + 3, v + 4, v + 5]);
        if !self.all_or_none(&self.q, &self.coordinates, &of_q)? {
            self.without_coordinates(&of_q, &of_v)?;
            if !model.prescribed[v + 3] {
                self.held.push(self.coordinates[q + 4].clone());
            }
            return Ok(());
        }
        if !self.q.contains_key(&q) {
            let (place, turn) = (&self.coordinates[q + 4], &self.coordinates[q]);
            return Err(AnalysisError::Name(format!(
                "`{place}` has a column, but `{turn}`, which belongs to it, has none"
            )));
        }
        if !self.all_or_none(&self.v, &self.speeds, &of_v)? {
            let rates = self.component_rates(&of_q.map(|i| self.q[&i].clone()), &self.coordinates[q + 4])?;
            let seconds = self.component_rates(&rates, &self.coordinates[q + 4])?;
            let given = self.all_or_none(&self.a, &self.speeds, &of_v)?;
            let (mut speeds, mut accelerations) = (rates.clone(), seconds.clone());
            for row in 0..self.rows() {
                let at = |columns: &[Column; 3]| -> [f64; 3] { std::array::from_fn(|i| columns[i][row]) };
                let turn = matrix_from_quaternion(&std::array::from_fn(|i| self.q[&(q + i)][row]));
                let spin: [f64; 3] = std::array::from_fn(|i| self.v[&(v + i)][row]);
                let speed = transposed_matrix_vector(&turn, &at(&rates));
                let (second, carried) =
                    (transposed_matrix_vector(&turn, &at(&seconds)), cross(&spin, &speed));
                for i in 0..3 {
                    speeds[i][row] = speed[i];
                    accelerations[i][row] = second[i] - carried[i];
                }
            }
            for (i, (speed, acceleration)) in speeds.into_iter().zip(accelerations).enumerate() {
                self.v.insert(v + 3 + i, speed);
                if !given {
                    self.a.insert(v + 3 + i, acceleration);
                }
            }
        }
        of_v.into_iter().try_for_each(|v| self.complete_acceleration(v))
    }
}

/// 2 p̄ r with the components of r in four columns.
fn doubled(turn: &[f64; 4], columns: &[Column; 4], row: usize) -> [f64; 4] {
    let [w, x, y, z] = *turn;
    let rate = std::array::from_fn(|i| 2.0 * columns[i][row]);
    quaternion_product(&[w, -x, -y, -z], &rate)
}
