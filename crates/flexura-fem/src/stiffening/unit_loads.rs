//! Geometric stiffening from unit load cases, for any mesh.
//!
//! On one statically determinate support, the reference node, act in turn: unit forces and
//! moments at every named node, and the inertia forces of unit accelerations of the frame:
//!   -m e_i,   -m e_i x l0,   -m sym(e_a x (e_b x l0)),
//! and of unit accelerations of the shapes, -m gamma_r. Each case gives a stress state and from it a matrix G(r,s) on the shapes (`geometric`).
//! The engine takes them as displacements of second order Gamma2 = -G of the named nodes, and
//! as their mass integrals sum m Gamma2 = G^t, sum m l0 x Gamma2 = G^a and
//! sum m (Gamma2_a l0_b - delta_ab Gamma2.l0) = G^ww (book/src/theory/reduction.md (FE.9)), and
//! sum m gamma_r.Gamma2 of the shapes themselves (book/src/theory/inertia.md (IN.10)).
//!
//! Symbols: l0 position from the reference node, m mass of a piece. Cost: one factorisation,
//! 12 + shapes + 6 per named node solves, and per element a product of its pairs of shapes with all cases.

use super::geometric::{add_beam, add_shell, add_solid, arm_form};
use crate::element::{self, Evaluated, MassSample};
use crate::error::FemError;
use crate::frame_loads::{self, Frame};
use crate::held::Held;
use crate::mesh::freedoms_of;
use crate::mesh::{Element, Mesh};
use crate::reduce::ReducedModel;
use nalgebra::{DMatrix, Matrix3, Matrix3xX, Vector3};

/// Geometric stiffness of the unit load cases on the shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitLoadStiffness {
    /// Accelerations of the frame along x, y, z.
    pub translation: [DMatrix<f64>; 3],
    /// Angular accelerations about x, y, z.
    pub rotation: [DMatrix<f64>; 3],
    /// Products of angular velocities xx, xy, xz, yy, yz, zz.
    pub centrifugal: [DMatrix<f64>; 6],
    /// Accelerations of the shapes, one per shape.
    pub shapes: Vec<DMatrix<f64>>,
    /// Per named node, in the order of the names: unit forces, then unit moments.
    pub nodes: Vec<[DMatrix<f64>; 6]>,
}

/// Load cases under construction: nodal forces, one column per case.
struct Cases {
    nodal: DMatrix<f64>,
    /// Cases that are accelerations; they come first.
    inertial: usize,
}

/// Runs all unit load cases of a mesh on its reduced shapes.
pub fn unit_load_stiffness(mesh: &Mesh, reduced: &ReducedModel) -> Result<UnitLoadStiffness, FemError> {
    of_held(mesh, reduced, &reduced.held(mesh))
}

/// The same on a structure that others solve on too.
pub(crate) fn of_held(
    mesh: &Mesh,
    reduced: &ReducedModel,
    held: &Held<'_>,
) -> Result<UnitLoadStiffness, FemError> {
    let origin = Vector3::from(mesh.nodes[reduced.reference]);
    let inertial = frame_loads::CASES + reduced.shapes.ncols();
    let nodal = DMatrix::zeros(6 * mesh.nodes.len(), inertial + 6 * mesh.names.len());
    let mut cases = Cases { nodal, inertial };
    cases.add_inertia(mesh, reduced, origin)?;
    for (place, node) in mesh.names.values().enumerate() {
        for direction in 0..6 {
            cases.nodal[(6 * node + direction, inertial + 6 * place + direction)] = 1.0;
        }
    }
    let states = held.displacements(&cases.nodal)?;
    let totals = second_order_work(mesh, reduced, &cases, &states, origin)?;
    let mut matrices = totals.into_iter();
    let mut next = || matrices.next().unwrap_or_else(|| DMatrix::zeros(0, 0));
    Ok(UnitLoadStiffness {
        translation: std::array::from_fn(|_| next()),
        rotation: std::array::from_fn(|_| next()),
        centrifugal: std::array::from_fn(|_| next()),
        shapes: (0..reduced.shapes.ncols()).map(|_| next()).collect(),
        nodes: (0..mesh.names.len()).map(|_| std::array::from_fn(|_| next())).collect(),
    })
}

/// Inertia force and moment of a piece in each case of acceleration; `moved` are the shapes of its freedoms.
fn inertia_loads(
    sample: &MassSample,
    origin: Vector3<f64>,
    moved: &DMatrix<f64>,
) -> Vec<(Vector3<f64>, Vector3<f64>)> {
    let (slides, turns) = (&sample.translation * moved, &sample.rotation * moved);
    let shapes = (0..moved.ncols())
        .map(|shape| (-slides.column(shape) * sample.mass, -sample.inertia * turns.column(shape)));
    let frame = Frame { origin, axes: Matrix3::identity() };
    frame.on_piece(sample).into_iter().chain(shapes).collect()
}

/// Forces of a piece on the freedoms of its element, one column per case of acceleration.
fn sample_loads(sample: &MassSample, origin: Vector3<f64>, moved: &DMatrix<f64>) -> DMatrix<f64> {
    let loads = inertia_loads(sample, origin, moved);
    let forces = Matrix3xX::from_fn(loads.len(), |i, case| loads[case].0[i]);
    let moments = Matrix3xX::from_fn(loads.len(), |i, case| loads[case].1[i]);
    sample.translation.tr_mul(&forces) + sample.rotation.tr_mul(&moments)
}

impl Cases {
    fn add_inertia(
        &mut self,
        mesh: &Mesh,
        reduced: &ReducedModel,
        origin: Vector3<f64>,
    ) -> Result<(), FemError> {
        for (index, element) in mesh.elements.iter().enumerate() {
            let freedoms = element::freedoms(element);
            let moved = reduced.shapes.select_rows(&freedoms);
            for sample in element::samples(mesh, index, reduced.mass_model)? {
                self.spread(&freedoms, &sample_loads(&sample, origin, &moved));
            }
        }
        for point in &mesh.masses {
            let (sample, freedoms) = (element::point_sample(mesh, point), freedoms_of(&[point.node]));
            let moved = reduced.shapes.select_rows(&freedoms);
            self.spread(&freedoms, &sample_loads(&sample, origin, &moved));
        }
        Ok(())
    }

    fn spread(&mut self, freedoms: &[usize], loads: &DMatrix<f64>) {
        for (row, freedom) in freedoms.iter().enumerate() {
            for case in 0..loads.ncols() {
                self.nodal[(*freedom, case)] += loads[(row, case)];
            }
        }
    }
}

fn second_order_work(
    mesh: &Mesh,
    reduced: &ReducedModel,
    cases: &Cases,
    states: &DMatrix<f64>,
    origin: Vector3<f64>,
) -> Result<Vec<DMatrix<f64>>, FemError> {
    let (count, shapes) = (states.ncols(), &reduced.shapes);
    let mut totals = vec![DMatrix::zeros(shapes.ncols(), shapes.ncols()); count];
    // Forces of elements and springs on the nodes, less the loads there: what links carry.
    let mut carried = -cases.nodal.clone();
    for (index, element) in mesh.elements.iter().enumerate() {
        let freedoms = element::freedoms(element);
        let (local, moved) = (states.select_rows(&freedoms), shapes.select_rows(&freedoms));
        let evaluated = Evaluated::new(mesh, index)?;
        let forces = evaluated.stiffness() * &local;
        add_rows(&mut carried, &freedoms, &forces);
        match &evaluated {
            Evaluated::Beam(beam) => {
                add_beam(beam, &local, &moved, &mut totals);
                let Element::Beam(element) = element else { continue };
                let samples = evaluated.samples(reduced.mass_model);
                let own: DMatrix<f64> = samples.iter().map(|s| sample_loads(s, origin, &moved)).sum();
                for end in 0..2 {
                    let rotation = turn(&moved, 6 * end + 3);
                    for (case, total) in totals.iter_mut().enumerate() {
                        let force = |i: usize| {
                            let row = 6 * end + i;
                            forces[(row, case)] - if case < cases.inertial { own[(row, case)] } else { 0.0 }
                        };
                        let force = Vector3::new(force(0), force(1), force(2));
                        *total += arm_form(&rotation, force, element.offsets[end].into());
                    }
                }
            }
            Evaluated::Shell(shell) => add_shell(shell, &local, &moved, &mut totals),
            Evaluated::Solid(solid) => add_solid(solid, &local, &moved, &mut totals),
        }
    }
    for spring in &mesh.springs {
        let freedoms = freedoms_of(&element::spring::nodes(spring));
        let forces = element::spring::stiffness(mesh, spring) * states.select_rows(&freedoms);
        add_rows(&mut carried, &freedoms, &forces);
    }
    add_links(mesh, shapes, &carried, &mut totals);
    add_point_masses(mesh, shapes, origin, &mut totals);
    Ok(totals.into_iter().map(|total| (&total + total.transpose()) * 0.5).collect())
}

fn add_rows(to: &mut DMatrix<f64>, freedoms: &[usize], rows: &DMatrix<f64>) {
    for (row, freedom) in freedoms.iter().enumerate() {
        for case in 0..rows.ncols() {
            to[(*freedom, case)] += rows[(row, case)];
        }
    }
}

/// Three rows of shapes as a rotation per shape.
fn turn(shapes: &DMatrix<f64>, first: usize) -> Matrix3xX<f64> {
    Matrix3xX::from_fn(shapes.ncols(), |i, j| shapes[(first + i, j)])
}

/// Followers of rigid links swing on the arms from their masters.
fn add_links(mesh: &Mesh, shapes: &DMatrix<f64>, carried: &DMatrix<f64>, totals: &mut [DMatrix<f64>]) {
    for link in &mesh.links {
        let rotation = turn(shapes, 6 * link.master + 3);
        let center = Vector3::from(mesh.nodes[link.master]);
        for (case, total) in totals.iter_mut().enumerate() {
            // sum of f.(theta x (theta x r)) depends on the sum of r f^T alone.
            let mut form = Matrix3::zeros();
            for node in &link.followers {
                let part = |i: usize| if link.freedoms[i] { carried[(6 * node + i, case)] } else { 0.0 };
                let force = Vector3::new(part(0), part(1), part(2));
                let arm = Vector3::from(mesh.nodes[*node]) - center;
                form += arm * force.transpose() - Matrix3::identity() * force.dot(&arm);
            }
            let form = (form + form.transpose()) * 0.5;
            let product = rotation.tr_mul(&(form * &rotation));
            *total += DMatrix::from_fn(product.nrows(), product.ncols(), |i, j| product[(i, j)]);
        }
    }
}

/// Point masses swing on the arms from their nodes.
fn add_point_masses(mesh: &Mesh, shapes: &DMatrix<f64>, origin: Vector3<f64>, totals: &mut [DMatrix<f64>]) {
    for point in mesh.masses.iter().filter(|point| point.offset != [0.0; 3]) {
        let rotation = turn(shapes, 6 * point.node + 3);
        let moved = shapes.select_rows(&freedoms_of(&[point.node]));
        let loads = inertia_loads(&element::point_sample(mesh, point), origin, &moved);
        for (total, (force, _)) in totals.iter_mut().zip(loads) {
            *total -= arm_form(&rotation, force, point.offset.into());
        }
    }
}
