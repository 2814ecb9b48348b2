//! Second-order work of stress states on mode shapes.
//!
//! A stress state sigma in equilibrium does the work 1/2 sum eta_r eta_s G(r,s) on the strains
//! of second order of the shapes (K. Washizu, "Variational Methods in Elasticity and
//! Plasticity", 1968):
//! - solid: G = int sigma_ab u_r,a . u_s,b dV;
//! - shell: G = int N_ab u_r,a . u_s,b dA, N the membrane forces, slopes of the deflection
//!   from the normal's rotation. Work of bending stresses is left out: it is smaller by the
//!   square of thickness over length where membrane forces act at all;
//! - beam: section forces N and moments M on the strains of the rod of E. Reissner (1981),
//!   g2 = -theta x g - 1/2 theta x (theta x t),  k2 = -1/2 theta x k,
//!   with rotation theta, strain g, curvature k and axis t;
//! - rigid arm r: the force on its end times 1/2 theta x (theta x r).
//!
//! Typeset: book/src/theory/reduction.md (FE.7), (FE.8).

use crate::element::beam::Beam;
use crate::element::quadrature;
use crate::element::shell::Shell;
use crate::element::solid::{PAIRS, Solid};
use nalgebra::{DMatrix, Matrix3, Matrix3xX, Vector3};

/// Adds w a^T s a for a block of three rows per column.
fn add_quadratic(total: &mut DMatrix<f64>, weight: f64, rows: &DMatrix<f64>, form: &DMatrix<f64>) {
    total.gemm_tr(weight, rows, &(form * rows), 1.0);
}

/// Adds the work of a solid; `states` are displacements of its nodes, one column per case.
///
/// The work is linear in the stress: products of slopes of two shapes, once for all cases, times stresses of all cases.
pub(super) fn add_solid(
    solid: &Solid,
    states: &DMatrix<f64>,
    shapes: &DMatrix<f64>,
    totals: &mut [DMatrix<f64>],
) {
    let stresses = solid.stresses(states);
    let slopes: Vec<DMatrix<f64>> = solid.points().iter().map(|point| &point.gradient * shapes).collect();
    let pairs: Vec<(usize, usize)> = (0..shapes.ncols()).flat_map(|s| (0..=s).map(move |r| (r, s))).collect();
    for some in pairs.chunks(MOST_PAIRS) {
        add_pairs(solid, &slopes, some, &stresses, totals);
    }
}

/// Pairs of shapes at a time: products of many shapes would take more memory than what comes of them.
const MOST_PAIRS: usize = 2048;

/// Adds the work of some pairs of shapes, whose gradients at the points are `slopes`.
fn add_pairs(
    solid: &Solid,
    slopes: &[DMatrix<f64>],
    pairs: &[(usize, usize)],
    stresses: &DMatrix<f64>,
    totals: &mut [DMatrix<f64>],
) {
    let mut products = DMatrix::zeros(pairs.len(), 6 * slopes.len());
    for (place, (point, slope)) in solid.points().iter().zip(slopes).enumerate() {
        for (component, (a, b)) in PAIRS.into_iter().enumerate() {
            // Both of two equal components of the stress tensor act, or the one on its diagonal.
            let weight = if a == b { 0.5 * point.volume } else { point.volume };
            let mut column = products.column_mut(6 * place + component);
            for (pair, &(r, s)) in pairs.iter().enumerate() {
                let along = |axis: usize| {
                    slope[(3 * axis + a, r)] * slope[(3 * axis + b, s)]
                        + slope[(3 * axis + b, r)] * slope[(3 * axis + a, s)]
                };
                column[pair] = weight * (along(0) + along(1) + along(2));
            }
        }
    }
    let work = products * stresses;
    for (total, own) in totals.iter_mut().zip(work.column_iter()) {
        for (&(r, s), value) in pairs.iter().zip(own.iter()) {
            total[(r, s)] += value;
            if r != s {
                total[(s, r)] += value;
            }
        }
    }
}

/// Adds the work of a shell's membrane forces.
pub(super) fn add_shell(
    shell: &Shell,
    states: &DMatrix<f64>,
    shapes: &DMatrix<f64>,
    totals: &mut [DMatrix<f64>],
) {
    for (place, weight) in quadrature::triangle() {
        let forces = shell.membrane_forces(place) * states;
        let slopes = shell.slopes(place).map(|rows| rows * shapes);
        for (case, total) in totals.iter_mut().enumerate() {
            let (xx, yy, xy) = (forces[(0, case)], forces[(1, case)], forces[(2, case)]);
            let force = DMatrix::from_row_slice(2, 2, &[xx, xy, xy, yy]);
            for rows in &slopes {
                add_quadratic(total, weight * shell.area(), rows, &force);
            }
        }
    }
}

/// Adds the work of a beam's section forces and moments.
pub(super) fn add_beam(
    beam: &Beam,
    states: &DMatrix<f64>,
    shapes: &DMatrix<f64>,
    totals: &mut [DMatrix<f64>],
) {
    let (section, material) = (beam.section(), beam.material());
    let (young, shear) = (material.young, material.shear());
    let rigidity =
        Vector3::new(shear * section.torsion, young * section.inertia_y, young * section.inertia_z);
    let to_body = |local: Matrix3xX<f64>| beam.axes() * local;
    let moments = |s: f64| {
        let curvature = beam.axes().transpose() * (beam.strains(s).1 * states);
        Matrix3xX::from_fn(states.ncols(), |i, j| rigidity[i] * curvature[(i, j)])
    };
    let slope = (moments(1.0) - moments(0.0)) / beam.length();
    let axial = beam.axes().transpose() * (beam.strains(0.5).0 * states);
    let force = to_body(Matrix3xX::from_fn(states.ncols(), |i, case| match i {
        0 => young * section.area * axial[(0, case)],
        1 => -slope[(2, case)],
        _ => slope[(1, case)],
    }));
    let axis = beam.axes().column(0).into_owned();
    for (s, weight) in quadrature::interval() {
        let rotation = beam.interpolate(s).1 * shapes;
        let (strain, curvature) = beam.strains(s);
        let (strain, curvature) = (strain * shapes, curvature * shapes);
        let moment = to_body(moments(s));
        for (case, total) in totals.iter_mut().enumerate() {
            let (n, m) = (force.column(case).into_owned(), moment.column(case).into_owned());
            // N.g2 and M.k2 as bilinear forms: -a.(theta x b) = theta.(a x b).
            let form = rotation.tr_mul(&(n.cross_matrix() * &strain))
                + rotation.tr_mul(&(m.cross_matrix() * &curvature)) * 0.5;
            let form = DMatrix::from_fn(form.nrows(), form.ncols(), |i, j| form[(i, j)] + form[(j, i)]);
            *total += (form - arm_form(&rotation, n, axis)) * (weight * beam.length());
        }
    }
}

/// Matrix of f . (theta_r x (theta_s x r)), made symmetric: twice the work of a force on the
/// second-order displacement of the end of a rigid arm.
pub(super) fn arm_form(rotation: &Matrix3xX<f64>, force: Vector3<f64>, arm: Vector3<f64>) -> DMatrix<f64> {
    // f.(a x (b x r)) = (a.r)(f.b) - (a.b)(f.r)
    let form = arm * force.transpose() - Matrix3::identity() * force.dot(&arm);
    let form = (form + form.transpose()) * 0.5;
    let product = rotation.tr_mul(&(form * rotation));
    DMatrix::from_fn(product.nrows(), product.ncols(), |i, j| product[(i, j)])
}
