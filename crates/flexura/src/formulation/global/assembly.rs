//! The tangent matrix on its sparse pattern.
//!
//! Lugrís et al. 2007, eq. 37: W = M + Δt/2 C + Δt²/4 K and A = W + α̂ Φ_q*Φ_q with
//! α̂ = α Δt²/4. C and K hold modal damping and stiffness, joint laws and elements;
//! derivatives of inertia and of the constraint Jacobian are left out, as published.

use super::build::GlobalModel;
use super::evaluation::Evaluation;
use super::frame::{contract, times};
use crate::model::Model;
use crate::spatial::{Spatial, dot6, negate6, shift_force, sub};

/// Weights of M, C and K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TangentWeights {
    pub damping: f64,
    pub stiffness: f64,
    /// α̂.
    pub penalty: f64,
}

/// Scratch of the assembly.
#[derive(Clone, Debug)]
pub(super) struct Tangent {
    columns: [Vec<Spatial>; 2],
    row: Vec<f64>,
}

impl Tangent {
    /// Room for `global`.
    pub fn new(global: &GlobalModel) -> Self {
        let widest = global.body_columns.iter().map(Vec::len).max().unwrap_or(0);
        let row = global.element_columns.iter().map(Vec::len).max().unwrap_or(0);
        Self { columns: [Vec::with_capacity(widest), Vec::with_capacity(widest)], row: vec![0.0; row] }
    }

    /// Fills A, whose entries are `values`, from the last evaluation.
    pub fn assemble(
        &mut self,
        values: &mut [f64],
        model: &Model,
        global: &GlobalModel,
        at: &Evaluation,
        weights: &TangentWeights,
    ) {
        values.fill(0.0);
        for k in 0..global.maps.len() {
            add_body(values, (model, global), at, k, weights);
        }
        for (index, law) in global.laws.iter().enumerate() {
            let factor =
                weights.damping * at.law_damping[index] + weights.stiffness * law.coordinate.stiffness;
            add_square(values, &global.law_slots[index], &at.law_rows[index], factor);
        }
        for index in 0..model.elements.len() {
            self.add_element(values, (model, global), at, index, weights);
        }
        for (index, equation) in global.equations.iter().enumerate() {
            let row = &at.jacobian[equation.start..equation.start + equation.columns.len()];
            add_square(values, &global.equation_slots[index], row, weights.penalty);
        }
    }

    /// Stiffness and damping of an element, as squares of rows: what each wrench does on the coordinates.
    fn add_element(
        &mut self,
        values: &mut [f64],
        (model, global): (&Model, &GlobalModel),
        at: &Evaluation,
        index: usize,
        weights: &TangentWeights,
    ) {
        let element = &model.elements[index];
        let points = element.frames.map(|id| &global.points[id.0]);
        let states = [points[0].state(global, at), points[1].state(global, at)];
        let gains = element.kind.gains(&states[0], &states[1], weights.stiffness, weights.damping);
        if gains.rows().is_empty() {
            return;
        }
        for side in 0..2 {
            points[side].twist_columns(global, at, &mut self.columns[side]);
        }
        let all = &global.element_columns[index];
        let row = &mut self.row[..all.len()];
        let arm = sub(&states[1].position, &states[0].position);
        for on_second in gains.rows() {
            let wrenches = [negate6(&shift_force(&arm, on_second)), *on_second];
            row.fill(0.0);
            for side in 0..2 {
                let Some(body) = points[side].body else { continue };
                for (column, twist) in global.body_columns[body].iter().zip(&self.columns[side]) {
                    row[all.partition_point(|known| known < column)] += dot6(&wrenches[side], twist);
                }
            }
            add_square(values, &global.element_slots[index], row, 1.0);
        }
    }
}

/// Inertia, modal stiffness and damping of a body.
fn add_body(
    values: &mut [f64],
    (model, global): (&Model, &GlobalModel),
    at: &Evaluation,
    k: usize,
    weights: &TangentWeights,
) {
    let (map, work, body) = (&global.maps[k], &at.inertias[k].1, &model.bodies[k]);
    let mut slots = global.body_slots[k].iter();
    let mut add = |value: f64| {
        if let Some(&slot) = slots.next() {
            values[slot] += value;
        }
    };
    for (i, (_, z)) in map.columns.iter().enumerate() {
        let momentum = times(z, &work.g);
        for (_, other) in &map.columns[..=i] {
            add(contract(&momentum, other));
        }
    }
    let n = body.modes;
    for r in 0..n {
        for (_, z) in &map.columns {
            add(contract(&work.coupling[r], z));
        }
        for s in 0..=r {
            add(work.modal[r * n + s]
                + weights.damping * body.damping.entry(r, s, n)
                + weights.stiffness * body.stiffness.entry(r, s, n));
        }
    }
}

/// values += factor × row row*.
fn add_square(values: &mut [f64], slots: &[usize], row: &[f64], factor: f64) {
    let mut start = 0;
    for (i, &a) in row.iter().enumerate() {
        let places = &slots[start..=start + i];
        start += i + 1;
        // Many coordinates do not move a row.
        if a == 0.0 {
            continue;
        }
        let scaled = factor * a;
        for (&b, &slot) in row[..=i].iter().zip(places) {
            values[slot] += scaled * b;
        }
    }
}
