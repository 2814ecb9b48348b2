//! Stress histories of a reduced shell panel against all freedoms of the same mesh, and which side of a shell is its top.

use flexura::file::{BodySource, SourceError, SourcedBody, build_text_with};
use flexura::model::recovery::{Recovery, StressLayer};
use flexura_fem::linear::Factor;
use flexura_fem::part::Part;
use flexura_fem::recovery::{Layer, Quantity, StressModes, StressPlace, von_mises};
use flexura_fem::*;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

/// A plate held along an edge.
const PART: &str = r#"
[[material]]
name = "aluminium"
young = 70e9
poisson = 0.33
density = 2700
[[plate]]
name = "sheet"
origin = [0, -0.2, 0]
edge_x = [0.8, 0, 0]
edge_y = [0, 0.4, 0]
cells = [10, 5]
thickness = 0.008
material = "aluminium"
[[interface]]
name = "root"
set = "sheet.x0"
[reduction]
reference = "root"
method = "craig-bampton"
modes = 12
stiffening = false
damping = { rayleigh = { stiffness = 3e-4 } }
"#;
const MODEL: &str = r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "panel"
fe = "panel.toml"
[[joint]]
name = "lift"
type = "prismatic"
between = ["ground.origin", "panel.root"]
axis = [0, 0, 1]
motion = { cycloidal = { to = 0.05, start = 0.05, duration = 0.15 } }
[simulation]
end = 0.4
output_interval = 0.002
"#;
const DAMPING: f64 = 3e-4;

struct Known(Part);

impl BodySource for Known {
    fn body(&self, _: &Path) -> Result<SourcedBody, SourceError> {
        let body = self.0.reduce(&mut |_| {}).unwrap_or_else(|fault| panic!("{fault}"));
        let rows = reduced::recovery(&body).map(Arc::new);
        Ok(SourcedBody { modal: body.modal, recovery: rows, ..SourcedBody::default() })
    }
}

fn part(text: &str) -> Part {
    Part::from_text(text, Path::new("panel.toml")).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Acceleration of the cycloid of the model.
fn lifted(time: f64) -> f64 {
    let share = (time - 0.05) / 0.15;
    if (0.0..1.0).contains(&share) { 0.05 * TAU / 0.15_f64.powi(2) * (TAU * share).sin() } else { 0.0 }
}

/// Nodal displacements of all freedoms at the instants of the model's rows: Newmark's rule of constant mean acceleration.
fn unreduced(mesh: &Mesh, rows: usize, interval: f64, substeps: usize) -> DMatrix<f64> {
    let root = mesh.named("root").expect("the root");
    let system = assemble(mesh, &Supports::none().clamp(&[root]), MassModel::Consistent).expect("matrices");
    let mass = assemble::nodal_mass(mesh, MassModel::Consistent).expect("a mass");
    let along = DMatrix::from_fn(6 * mesh.nodes.len(), 1, |row, _| f64::from(u8::from(row % 6 == 2)));
    let push = system.dofs.project(&mass.multiply(&along).column(0).into_owned());
    let column = |values: &DVector<f64>| DMatrix::from_column_slice(values.len(), 1, values.as_slice());
    let (k, m) = (&system.stiffness, &system.mass);
    let h = interval / substeps as f64;
    // shifted(s, other) is this one less s times the other.
    let step = m.shifted(-(0.5 * h * DAMPING + 0.25 * h * h), k).expect("one pattern");
    // Rotations about the normals of shells have no mass: a little stiffness lets the first accelerations be solved for.
    let start = m.shifted(-1e-9, k).expect("one pattern");
    let (solver, inertia) =
        (Factor::definite(&step).expect("definite"), Factor::definite(&start).expect("definite"));
    let load = |time: f64| column(&push) * (-9.81 - lifted(time));
    let mut u = DMatrix::zeros(push.len(), 1);
    let mut v = u.clone();
    let mut a = inertia.solve(&load(0.0)).expect("accelerations");
    let mut out = DMatrix::zeros(6 * mesh.nodes.len(), rows);
    for number in 1..=(rows - 1) * substeps {
        let (u0, v0) = (&u + &v * h + &a * (0.25 * h * h), &v + &a * (0.5 * h));
        a = load(number as f64 * h) - k.multiply(&(&u0 + &v0 * DAMPING));
        solver.solve_in_place(&mut a).expect("a step");
        u = u0 + &a * (0.25 * h * h);
        v = v0 + &a * (0.5 * h);
        if number % substeps == 0 {
            out.set_column(number / substeps, &system.dofs.expand(&u).column(0));
        }
    }
    out
}

/// Stress of a place of the rows for modal coordinates.
fn stress(rows: &Recovery, place: usize, eta: &[f64]) -> [f64; 6] {
    let n = rows.modes;
    std::array::from_fn(|c| (0..n).map(|mode| rows.stress[(6 * place + c) * n + mode] * eta[mode]).sum())
}

#[test]
fn a_lifted_panel_has_the_stresses_of_its_unreduced_mesh() {
    let panel = part(PART);
    let mesh = panel.mesh.clone();
    let built = build_text_with(MODEL, "model.toml", &Known(panel)).unwrap_or_else(|e| panic!("{e}")).built;
    let rows = built.description.recoveries[0].1.clone();
    let result = built.simulate().expect("a run");
    let eta: Vec<Vec<f64>> =
        (1..=rows.modes).map(|mode| result.channel(&format!("panel.eta.{mode}")).expect("a mode")).collect();
    let count = result.rows();
    assert_eq!(count, 201);
    let full =
        StressModes::new(&mesh, &unreduced(&mesh, count, 0.002, 10), Quantity::Stress).expect("stresses");
    let top = |place: &&StressPlace| place.layer == Some(Layer::Top);
    let of_full = |place: &StressPlace, row: usize| {
        let at = 6 * full.find(*place).expect("a place");
        von_mises(std::array::from_fn(|c| full.rows[(at + c, row)]))
    };
    // The worst place and instant of the whole mesh.
    let all = full.places.iter().filter(top).flat_map(|place| (0..count).map(move |row| (place, row)));
    let (worst, when) = all.max_by(|a, b| of_full(a.0, a.1).total_cmp(&of_full(b.0, b.1))).expect("places");
    let here = rows.places.iter().position(|place| {
        let number = rows.numbers[place.node as usize] as usize - 1;
        number == worst.node && place.layer == StressLayer::Top
    });
    let here = here.expect("the same place in the rows");
    let most = of_full(worst, when);
    let mut difference = 0.0_f64;
    let mut found_most = 0.0_f64;
    for row in 0..count {
        let now: Vec<f64> = eta.iter().map(|mode| mode[row]).collect();
        let found = von_mises(stress(&rows, here, &now));
        found_most = found_most.max(found);
        difference = difference.max((found - of_full(worst, row)).abs());
    }
    println!(
        "worst node {}: {:.4} MPa of all freedoms at row {when}, {:.4} MPa reduced; largest difference {:.3} %",
        worst.node + 1,
        most / 1e6,
        found_most / 1e6,
        100.0 * difference / most
    );
    assert!(most > 1e6);
    assert!((found_most / most - 1.0).abs() < 0.01);
    assert!(difference < 0.01 * most);
}

/// Elements written the other way round have the same top: that of the first element.
#[test]
fn tops_do_not_depend_on_the_order_of_nodes() {
    let text = PART.replace("cells = [10, 5]", "cells = [4, 2]");
    let mesh = part(&text).mesh;
    let mut mixed = mesh.clone();
    for (index, element) in mixed.elements.iter_mut().enumerate() {
        if let (Element::Shell(shell), true) = (element, index % 3 == 1) {
            shell.nodes.swap(1, 2);
        }
    }
    // A bent plate: w = x², with its slopes.
    let bent = DMatrix::from_fn(6 * mesh.nodes.len(), 1, |row, _| {
        let x = mesh.nodes[row / 6][0];
        match row % 6 {
            2 => 1e-3 * x * x,
            4 => -2e-3 * x,
            _ => 0.0,
        }
    });
    let of = |mesh: &Mesh| StressModes::new(mesh, &bent, Quantity::Stress).expect("stresses");
    let (plain, other) = (of(&mesh), of(&mixed));
    assert_eq!(plain.places, other.places, "one side everywhere");
    let size = plain.rows.amax();
    assert!((&plain.rows - &other.rows).amax() < 1e-9 * size);
    // Curvature 2e-3 along x: the top (normal +z) is compressed by E h κ/2/(1 − ν²) along x.
    let expected = -70e9 * 0.004 * 2e-3 / (1.0 - 0.33 * 0.33);
    let node = mesh
        .nodes
        .iter()
        .position(|at| (at[0] - 0.4).abs() < 1e-9 && at[1].abs() < 1e-9)
        .expect("the middle");
    let place = plain.find(StressPlace { node, layer: Some(Layer::Top), side: 0 }).expect("its top");
    let found = plain.rows[(6 * place, 0)];
    assert!((found / expected - 1.0).abs() < 0.02, "{found} against {expected}");
}
