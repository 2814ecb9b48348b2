//! Matrices of the equations of motion on six models of the repository: M M⁻¹ = 1, log det M against elimination with
//! pivoting, and the equations themselves against forward dynamics.

use crate::common::random_model::Random;
use crate::common::relative_error;
use flexura::analysis::{MassMatrices, log_determinant_of_mass, mass_matrices};
use flexura::state::prescribe::apply_prescribed;
use flexura::{Model, State, Workspace, evaluate};

const MODELS: [&str; 6] =
    ["pendulum", "robot_arm", "flexible_arm", "satellite", "spinning_top", "double_four_bar_flexible"];

/// The model and a state in motion; loops move as the model starts.
fn moving(name: &str) -> (Model, State) {
    let path = format!("{}/../../models/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    let model = flexura::load(&path).expect("a model").built.model;
    let mut state = State::initial(&model, 0.2);
    if model.loops.is_empty() {
        let kick = Random::new(3).numbers(model.speed_count(), 0.2);
        state.v.iter_mut().zip(&kick).for_each(|(v, kick)| *v += kick);
        apply_prescribed(&model, &mut state, None);
    }
    (model, state)
}

/// log |det| by elimination with row pivoting: knows nothing of symmetry or trees.
fn log_determinant(matrix: &[f64], n: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = matrix.chunks(n).map(<[f64]>::to_vec).collect();
    let mut sum = 0.0;
    for k in 0..n {
        let pivot = (k..n).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).expect("a row");
        rows.swap(k, pivot);
        sum += rows[k][k].abs().ln();
        for i in k + 1..n {
            let factor = rows[i][k] / rows[k][k];
            let above = rows[k].clone();
            rows[i].iter_mut().zip(&above).skip(k).for_each(|(x, y)| *x -= factor * y);
        }
    }
    sum
}

fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    matrix.chunks(x.len()).map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

/// Largest entry of M M⁻¹ − 1.
fn off_identity(found: &MassMatrices, n: usize) -> f64 {
    let column = |j: usize| -> Vec<f64> { (0..n).map(|i| found.inverse[i * n + j]).collect() };
    let error = |j: usize| {
        let product = times(&found.mass, &column(j));
        let unit = |i: usize| f64::from(u8::from(i == j));
        product.iter().enumerate().map(|(i, x)| (x - unit(i)).abs()).fold(0.0, f64::max)
    };
    (0..n).map(error).fold(0.0, f64::max)
}

/// Rounding times the condition of the mass matrices, which modes of different size bring to 1e5.
#[test]
fn inverse_and_determinant_belong_to_the_mass_matrix() {
    for name in MODELS {
        let (model, state) = moving(name);
        let (found, n) = (mass_matrices(&model, &state).expect("regular"), model.speed_count());
        let (identity, exact) = (off_identity(&found, n), log_determinant(&found.mass, n));
        println!(
            "{name}: {n} speeds, M M⁻¹ − 1 {identity:.1e}, log det {} against {exact}",
            found.log_determinant
        );
        assert!(identity < 1e-9, "{name}: {identity}");
        assert!((found.log_determinant - exact).abs() < 1e-9 * exact.abs().max(1.0), "{name}");
        assert_eq!(
            log_determinant_of_mass(&model, &state).expect("regular"),
            found.log_determinant,
            "{name}"
        );
        assert_eq!(found.labels.len(), n);
    }
}

/// M a + b = applied + driving + J* λ at the accelerations, drives and multipliers of forward dynamics.
#[test]
fn matrices_are_those_of_forward_dynamics() {
    for name in MODELS {
        let (model, mut state) = moving(name);
        let mut work = Workspace::new(&model);
        apply_prescribed(&model, &mut state, Some(&mut work.load));
        evaluate(&model, &state, &mut work).expect("regular");
        let found = mass_matrices(&model, &state).expect("regular");
        let n = model.speed_count();
        let left: Vec<f64> = times(&found.mass, &work.accelerations.chidot)
            .iter()
            .zip(&found.bias)
            .map(|(x, b)| x + b)
            .collect();
        let mut right: Vec<f64> =
            found.applied.iter().zip(&work.accelerations.driving).map(|(f, d)| f + d).collect();
        for (row, multiplier) in found.jacobian.chunks(n).zip(&work.closure.multipliers) {
            right.iter_mut().zip(row).for_each(|(x, entry)| *x += entry * multiplier);
        }
        assert_eq!(found.rows.len(), model.constraint_count(), "{name}");
        let scale = found.bias.iter().chain(&found.applied).fold(1.0_f64, |m, x| m.max(x.abs()));
        let error = relative_error(&left, &right, scale);
        assert!(error < 1e-9, "{name}: {error:.1e}");
    }
}
